"""Stored people, teams and designs."""

from .attempts import Attempt, AttemptLimit
from .audit import AuditEvent
from .deliveries import WebhookDelivery, ping, publish
from .designs import Design, NothingToUndoError, new_key
from .documents import Document
from .heartbeat import Heartbeat
from .people import Invitation, LastOwnerError, Membership, People, Person, Team
from .persistence import SaveResult, WriteContentionError
from .presence import Presence
from .requests import KeptAnswer
from .revisions import Revision
from .sign_ins import SignIn
from .tokens import Token
from .webhook_round import deliver_webhooks
from .webhooks import Webhook, WebhookCursor

__all__ = [
    "Attempt",
    "AttemptLimit",
    "AuditEvent",
    "Design",
    "Document",
    "Heartbeat",
    "Invitation",
    "KeptAnswer",
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
    "Webhook",
    "WebhookCursor",
    "WebhookDelivery",
    "WriteContentionError",
    "deliver_webhooks",
    "new_key",
    "ping",
    "publish",
]  # fmt: skip
