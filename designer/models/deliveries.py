"""Deliveries of events to webhooks: the outbox and the log at once.

An event is stored with `publish` in the transaction of its cause, as a delivery to each webhook that wants it.
"""

import datetime
import json
import random
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from designer.document.texts import N_, Text
from designer.http.outgoing import OutgoingError, OutgoingRules, post
from designer.http.version import VERSION
from designer.wording.webhook_events import FORMAT, KINDS, PING

from .jsontext import JsonText
from .people import Team
from .texts import from_data, to_data
from .webhooks import Webhook, team_data

DELAYS_SECONDS = (5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
"""After each failed try, as Standard Webhooks 1.0.0 proposes (read 2026-11-26); then it is given up."""
JITTER = 0.2
"""Each delay is longer by up to this share, so that what failed together is not tried together."""
MOST_DELAY_SECONDS = 24 * 3600
LONGEST_DELAY = datetime.timedelta(seconds=MOST_DELAY_SECONDS * (1 + JITTER))
SENDING = datetime.timedelta(minutes=5)
"""Who claimed a delivery has so long; after that it is somebody else's."""
LASTING = datetime.timedelta(days=3)
"""A webhook that failed for so long is disabled when a delivery is given up."""
KEPT_DAYS = 30


class WebhookDeliveries(models.Manager["WebhookDelivery"]):
    """Adds deliveries."""

    def add(
        self, hooks: Iterable[Webhook], kind: str, data: Mapping[str, Any], *, at: datetime.datetime | None = None
    ) -> int:
        """Store an event as a delivery to each of these webhooks; how many."""
        message, now = f"msg_{secrets.token_urlsafe(18)}", timezone.now()
        body = json.dumps(
            {"type": kind, "timestamp": (at or now).isoformat(), "format": FORMAT, "data": data}, ensure_ascii=False
        )
        # One id for all webhooks, so that a receiver with two of them can tell that it is the same event.
        rows = [WebhookDelivery(hook=hook, message=message, kind=kind, body=body, made=now, due=now) for hook in hooks]
        return len(self.bulk_create(rows))

    def purge(self, now: datetime.datetime | None = None) -> int:
        """Remove what ended long ago from the log; how many."""
        before = (now or timezone.now()) - datetime.timedelta(days=KEPT_DAYS)
        return self.filter(ended__lt=before).delete()[0]


class WebhookDelivery(models.Model):
    """One event for one webhook: waiting, delivered, or given up."""

    hook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=40)
    """Id of the event, the same for every webhook and every try."""
    kind = models.CharField(max_length=40)
    body = models.TextField()
    made = models.DateTimeField()
    due = models.DateTimeField(null=True)
    """When it is tried next."""
    tries = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=9, default="waiting")
    status = models.PositiveIntegerField(null=True)
    """Of the last answer."""
    problem = JsonText(null=True)
    """Why there was no answer, as a message."""
    seconds = models.FloatField(null=True)
    tried = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    objects: ClassVar[WebhookDeliveries] = WebhookDeliveries()

    class Meta:
        indexes = [
            models.Index(fields=["state", "due"], name="deliveries_by_due"),
            models.Index(fields=["hook", "-made"], name="deliveries_of_webhook"),
        ]

    @property
    def title(self) -> str:
        """Title of the event, as a message."""
        return KINDS.get(self.kind, N_("Test"))

    @property
    def problem_text(self) -> Text | None:
        """Reason that there was no answer."""
        return from_data(self.problem) if self.problem else None

    def send_again(self) -> "WebhookDelivery":
        """Store the same message for the same webhook once more; receivers know it by its id."""
        now = timezone.now()
        return WebhookDelivery.objects.create(
            hook=self.hook, message=self.message, kind=self.kind, body=self.body, made=now, due=now
        )

    def send(self, now: datetime.datetime) -> bool:
        """Try it, unless somebody else does; True if it was received."""
        # Whoever changes the row first has it. A process that dies while it sends leaves it due again after `SENDING`.
        claimed = WebhookDelivery.objects.filter(pk=self.pk, state="waiting", due=self.due, tries=self.tries)
        if not claimed.update(due=now + SENDING, tries=self.tries + 1, tried=now):
            return False
        self.tries += 1
        body, stamp = self.body.encode(), int(now.timestamp())
        headers = {
            "Content-Type": "application/json", "User-Agent": f"Keywright/{VERSION}", "Webhook-Id": self.message,
            "Webhook-Timestamp": str(stamp), "Webhook-Signature": self.hook.sign(self.message, stamp, body),
        }  # fmt: skip
        try:
            # Outside of any transaction: a receiver may take seconds, and SQLite has one writer.
            reply = post(self.hook.address, body, headers, outgoing_rules())
        except OutgoingError as error:
            self._record_failure(now, problem=error.text)
            return False
        if 200 <= reply.status < 300:
            self._record_success(now, reply.status, reply.seconds)
            return True
        self._record_failure(now, status=reply.status, seconds=reply.seconds, wait=reply.retry_seconds)
        return False

    def _record_success(self, now: datetime.datetime, status: int, seconds: float) -> None:
        WebhookDelivery.objects.filter(pk=self.pk).update(
            state="delivered", status=status, problem=None, seconds=seconds, ended=now, due=None
        )
        Webhook.objects.filter(pk=self.hook_id).exclude(failing=None).update(failing=None)

    def _record_failure(
        self, now: datetime.datetime, *, problem: Text | None = None, status: int | None = None,
        seconds: float | None = None, wait: int = 0,
    ) -> None:  # fmt: skip
        delay = retry_seconds(self.tries, random.random(), wait)
        outcome: dict[str, Any] = (
            {"state": "failed", "ended": now, "due": None}
            if delay is None
            else {"due": now + datetime.timedelta(seconds=delay)}
        )
        WebhookDelivery.objects.filter(pk=self.pk).update(
            status=status, problem=to_data(problem) if problem else None, seconds=seconds, **outcome
        )
        # Only the first failure sets the time, as it says since when nothing arrived.
        Webhook.objects.filter(pk=self.hook_id, failing=None).update(failing=now)
        self.hook.refresh_from_db(fields=["failing"])
        why = None
        # Standard Webhooks: a receiver that answers "gone" wants no more, so it is not tried for days.
        if status == 410:
            why = Text(N_("The receiver answered that it is gone (410). Enable the webhook when it is back."))
        elif delay is None and self.hook.failing and now - self.hook.failing >= LASTING:
            why = Text(N_("No delivery has reached the receiver for days. Correct the address or the receiver, then "
                          "enable the webhook."))  # fmt: skip
        if why is not None and self.hook.disable(why):
            self.hook.notify_owners(why)


def publish(kind: str, data: Mapping[str, Any], *, team: Team | int | None) -> int:
    """Store an event for every webhook that wants it, of one team or of all; how many.

    Call it in the transaction of the cause: it is told if that is stored, and not if that is not.
    """
    hooks = Webhook.objects.valid() if team is None else Webhook.objects.valid().filter(team=team)
    wanting = [hook for hook in hooks if kind in hook.kinds]
    return WebhookDelivery.objects.add(wanting, kind, data) if wanting else 0


def ping(hook: Webhook) -> None:
    """Store an event for a webhook by which it can be tried."""
    WebhookDelivery.objects.add([hook], PING, {"webhook": hook.pk, "team": team_data(hook.team)})


def retry_seconds(tries: int, draw: float, wait: int = 0) -> float | None:
    """Return how long after so many failed tries the next one is; None: there is none. `draw` is from 0 to 1."""
    if tries > len(DELAYS_SECONDS):
        return None
    requested_seconds = min(wait, MOST_DELAY_SECONDS)
    # A receiver may ask to be left alone for longer, but never to be asked more often.
    return max(DELAYS_SECONDS[tries - 1] * (1 + JITTER * draw), requested_seconds)


def outgoing_rules() -> OutgoingRules:
    """Return which addresses this site lets webhooks have."""
    return OutgoingRules(private=settings.KEYWRIGHT_WEBHOOKS_PRIVATE, loopback=settings.KEYWRIGHT_MODE == "embedded")
