"""Entries of the audit log that requests make."""

import datetime
import json
from collections.abc import Iterator
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from designer.http.parameters import forwarded_addresses, remote_address
from designer.models import AuditEvent, Person, Team
from designer.models.people import normal_email
from designer.wording.printable import printable_json

FIELDS = ("at", "kind", "person", "address", "team", "subject")
REFUSALS_WITHIN = datetime.timedelta(minutes=15)
UNKNOWN_ACCOUNT = "unknown account"
COMMAND_LINE = "command line"
"""Stands for the person where a command did it."""
Kind = Literal[
    "signed_in", "sign_in_failed", "sign_in_refused", "signed_out", "password_changed", "password_reset",
    "password_refused", "reset_mail_refused",
    "second_step_failed", "second_step_refused", "proof_failed", "proof_refused", "code_reused",
    "factor_added", "factor_removed", "recovery_codes_created", "session_ended",
    "second_factor_required", "second_factor_optional",
    "team_created", "team_renamed", "role_changed", "member_removed", "member_joined",
    "invitation_created", "invitation_withdrawn",
    "token_created", "token_revoked", "token_refused",
    "webhook_created", "webhook_changed", "webhook_enabled", "webhook_disabled", "webhook_deleted", "webhook_resent",
    "link_created", "link_changed", "link_revoked", "link_password_failed", "link_password_refused",
    "link_file_taken",
    "design_copied", "design_archived", "design_unarchived", "design_deleted", "design_brought_back", "design_exported",
    "run_downloaded", "revision_restored", "verdict_given", "backup_written", "backup_restored", "audit_purged",
]  # fmt: skip


def client_address(request: HttpRequest) -> str:
    """Return the address that the last proxy of ours saw."""
    hops = forwarded_addresses(request)
    trusted: int = settings.KEYWRIGHT_PROXIES
    # Each proxy appends the address that it saw; everything further left may have been written by the client.
    address = hops[-trusted] if 0 < trusted <= len(hops) else ""
    return address or remote_address(request)


def record(
    request: HttpRequest | None, kind: Kind, subject: object = "", *, team: Team | int | None = None, person: str = ""
) -> None:
    """Add an act of the request's user, or of the person with this e-mail address."""
    by = person or getattr(getattr(request, "user", None), "email", "")
    address = client_address(request)[:45] if request else ""
    team_id = team.pk if isinstance(team, Team) else team
    AuditEvent.objects.create(
        kind=kind, person=_storable(by), address=_storable(address), team=team_id, subject=_storable(subject)
    )


def record_refusal(
    request: HttpRequest, kind: Kind, subject: object = "", *, team: Team | None = None, person: str = ""
) -> None:
    """Add that a limit refused a request, once in a quarter of an hour: who goes on asking adds no more."""
    now = timezone.now()
    around = (now - REFUSALS_WITHIN, now + REFUSALS_WITHIN)  # later ones are from before the clock was set back
    same = AuditEvent.objects.filter(at__range=around, kind=kind, person=_storable(person), subject=_storable(subject))
    # Otherwise whoever goes on guessing after the limit would write a row with each request.
    if not same.filter(address=_storable(client_address(request)[:45])).exists():
        record(request, kind, subject, team=team, person=person)


def known_email(typed: str) -> str:
    """Return the address of the account that was typed; empty if there is none, since people also type passwords."""
    person = Person.objects.by_email(normal_email(typed.strip()[:254].replace("\0", "")))
    return person.email if person is not None else ""


def ndjson_lines(acts: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield each act as one line of JSON, in which no text can steer a terminal."""
    for row in acts.values(*FIELDS).iterator(chunk_size=1000):
        entry = row | {"at": row["at"].isoformat(timespec="milliseconds")}
        yield printable_json(json.dumps(entry, ensure_ascii=False))


def _storable(text: object) -> str:
    return str(text).replace("\0", "")[:254]


@receiver(user_logged_in)
def _record_sign_in(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
    record(request, "signed_in", getattr(request, "signed_in_by", ""), person=user.email)


@receiver(user_logged_out)
def _record_sign_out(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
    if user is not None:
        record(request, "signed_out", person=user.email)


@receiver(user_login_failed)
def _record_failed_sign_in(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    email = known_email(str(credentials.get("username", "")))
    record(request, "sign_in_failed", "" if email else UNKNOWN_ACCOUNT, person=email)
