"""Webhooks of a team: the addresses that are told of events in it, and who made them."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.core.mail import send_mail
from django.db import models, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from designer.document.texts import N_, Text
from designer.http.outgoing import origin
from designer.wording.webhook_events import KINDS

from .designs import Design
from .grants import Grants
from .jsontext import JsonText
from .people import Person, Team
from .texts import from_data, to_data

SECRET_BYTES = 24
MOST_WEBHOOKS = 20
"""Of a team."""


class Webhooks(Grants["Webhook"]):
    """Makes and finds webhooks."""

    action = "notify"

    def current(self) -> models.QuerySet["Webhook"]:
        return self.filter(disabled=None)

    def withdraw(self, rows: models.QuerySet["Webhook"], *, by: Person | None) -> None:
        # One by one: what waits for each is given up with it.
        for hook in rows:
            hook.disable(Text(N_("The role of its owner has ended.")))

    def count_text(self, count: int) -> str:
        return ngettext("%(count)s webhook", "%(count)s webhooks", count) % {"count": count}

    def start(self, team: Team, *, address: str, kinds: Iterable[str], by: Person) -> tuple["Webhook", str]:
        """Create a webhook; return it with its secret, which is shown only then."""
        secret = f"whsec_{base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"
        return self.create(team=team, address=address, kinds=sorted(set(kinds)), secret=secret, by=by), secret


class Webhook(models.Model):
    """An address that is told of events in a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    kinds = JsonText(default=list)
    secret = models.CharField(max_length=100)
    """As it is: what signs cannot be a hash."""
    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    """Who made or enabled it; it ends with their role."""
    made = models.DateTimeField(default=timezone.now)
    since = models.DateTimeField(default=timezone.now)
    """Revisions from then on are told."""
    looked = models.DateTimeField(default=timezone.now)
    """When its team was last searched for new revisions."""
    disabled = models.DateTimeField(null=True)
    why = JsonText(null=True)
    """The reason as a message; None where a person disabled it."""
    failing = models.DateTimeField(null=True)
    """Since when no delivery has reached it."""

    objects: ClassVar[Webhooks] = Webhooks()

    def __str__(self) -> str:
        return self.address

    @property
    def public_name(self) -> str:
        """Its number and server, for logs and mails: the rest of the address may be what the receiver trusts."""
        return f"{self.pk} ({origin(self.address)})"

    @property
    def kind_titles(self) -> list[str]:
        """Titles of the events that are sent to it, as messages."""
        return [title for kind, title in KINDS.items() if kind in self.kinds]

    @property
    def disabled_text(self) -> Text | None:
        """Reason that it was disabled; None if a person did it."""
        return from_data(self.why) if self.why else None

    def enable(self, *, by: Person) -> None:
        """Tell it again, of what happens from now on."""
        with transaction.atomic():
            Webhook.objects.filter(pk=self.pk).update(
                disabled=None, why=None, failing=None, by=by, **self._begin_revisions()
            )

    def change(self, *, address: str, kinds: Iterable[str]) -> None:
        """Give it another address or other events; of revisions, it is told those from now on."""
        fields: dict[str, Any] = {"address": address, "kinds": sorted(set(kinds))}
        with transaction.atomic():
            if "revision.created" in fields["kinds"] and "revision.created" not in self.kinds:
                fields |= self._begin_revisions()
            Webhook.objects.filter(pk=self.pk).update(**fields)

    def _begin_revisions(self) -> dict[str, Any]:
        """Forget up to where it was told; return the fields by which telling of revisions begins now."""
        # Without cursors, telling begins at `since`: what happened while it was not told is not sent in a flood.
        self.cursors.all().delete()
        now = timezone.now()
        return {"since": now, "looked": now}

    def disable(self, why: Text | None = None) -> bool:
        """Tell it nothing any more; what waits is given up. False if it was disabled already."""
        with transaction.atomic():
            done = Webhook.objects.filter(pk=self.pk, disabled=None).update(
                disabled=timezone.now(), why=to_data(why) if why else None
            )
            # In the same transaction, so that a worker does not send to an address that is disabled already.
            self.deliveries.filter(state="waiting").update(state="failed", ended=timezone.now(), due=None)
        return bool(done)

    def sign(self, message: str, timestamp: int, body: bytes) -> str:
        """Return the signature of a message by Standard Webhooks 1.0: HMAC-SHA256 of id, time and body."""
        # Standard Webhooks shows secrets in base64 behind this prefix, but signs with the bytes.
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        signed = hmac.new(key, f"{message}.{timestamp}.".encode() + body, hashlib.sha256)
        return f"v1,{base64.b64encode(signed.digest()).decode()}"

    def notify_owners(self, why: Text) -> None:
        """Send a mail to the team's owners about the end of this webhook."""
        if not settings.EMAIL_HOST:
            return
        owners = self.team.people.filter(memberships__team=self.team, memberships__role="owner", is_active=True)
        for owner in owners:
            with translation.override(owner.language or settings.LANGUAGE_CODE):
                subject = gettext("A webhook of %(team)s was disabled") % {"team": self.team.name}
                body = f"{self.public_name}\n\n{gettext(why.message)}\n"
            send_mail(" ".join(subject.split()), body, None, [owner.email], fail_silently=True)


class WebhookCursor(models.Model):
    """Up to which revision of a design a webhook was told."""

    hook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="cursors")
    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hook", "design"], name="one_cursor_of_a_design")]


def team_data(team: Team) -> dict[str, Any]:
    """Return a team as events name it."""
    return {"id": team.pk, "name": team.name}


def design_data(design: Design) -> dict[str, Any]:
    """Return a design as events name it, with its team: nothing of its contents but the title."""
    return {"team": team_data(design.team), "design": {"key": design.key, "name": design.title}}
