"""Stored people, teams and designs."""

from .attempts import Attempt, Limit
from .designs import Design, NothingToUndo, new_key
from .documents import Document
from .people import Invitation, LastOwner, Membership, People, Person, Team
from .persistence import Busy, Saved
from .presence import Presence
from .revisions import Revision
from .tokens import Token

__all__ = [
    "Attempt", "Busy", "Design", "Document", "Invitation", "LastOwner", "Limit", "Membership", "NothingToUndo",
    "People", "Person", "Presence", "Revision", "Saved", "Team", "Token", "new_key",
]  # fmt: skip
