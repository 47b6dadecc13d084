"""Stored people, teams and designs."""

from .attempts import Attempt, AttemptLimit
from .audit import AuditEvent
from .designs import Design, NothingToUndoError, new_key
from .documents import Document
from .heartbeat import Heartbeat
from .people import Invitation, LastOwnerError, Membership, People, Person, Team
from .persistence import SaveResult, WriteContentionError
from .presence import Presence
from .revisions import Revision
from .sign_ins import SignIn
from .tokens import Token

__all__ = [
    "Attempt",
    "AttemptLimit",
    "AuditEvent",
    "Design",
    "Document",
    "Heartbeat",
    "Invitation",
    "LastOwnerError",
    "Membership",
    "NothingToUndoError",
    "People",
    "Person",
    "Presence",
    "Revision",
    "SaveResult",
    "SignIn",
    "Team",
    "Token",
    "WriteContentionError",
    "new_key",
]  # fmt: skip
