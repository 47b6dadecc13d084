"""One round of sending: what is final of each design's history, then what is due."""

import datetime
import time
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from .deliveries import LONGEST_DELAY, WebhookDelivery
from .designs import Design
from .revisions import TYPING, Revision
from .webhooks import Webhook, WebhookCursor, design_data

ROUND_SECONDS = 5
"""After so long the rest is for the next round, as with mails."""
ROWS = 200
BACK = datetime.timedelta(minutes=10)
"""Designs edited so long before the last look are looked at again: their transactions may have ended since."""


def deliver_webhooks(now: datetime.datetime | None = None) -> int:
    """Send what is due, as far as one round goes; how many reached their receiver."""
    now, sent, until = now or timezone.now(), 0, time.monotonic() + ROUND_SECONDS
    for hook in Webhook.objects.valid():
        if "revision.created" in hook.kinds:
            _add_revisions(hook, now)
    silent: set[int] = set()
    is_due = Q(due__lte=now) | Q(due__gt=now + LONGEST_DELAY)  # the latter by a clock that was set back since
    due = WebhookDelivery.objects.filter(is_due, state="waiting", hook__in=Webhook.objects.valid())
    rows = due.select_related("hook__team").order_by("due")
    # At most so many rows are held in memory. Asked again without those of receivers that did not answer: otherwise the
    # long queue of one would keep what is due for others out of each round.
    while batch := rows.exclude(hook__in=silent)[:ROWS]:
        for delivery in batch:
            if delivery.hook_id in silent:  # one that does not answer keeps the others waiting once a round
                continue
            if delivery.send(now):
                sent += 1
            else:
                silent.add(delivery.hook_id)
            if time.monotonic() > until:
                return sent
    return sent


def _add_revisions(hook: Webhook, now: datetime.datetime) -> None:
    """Store an event for each revision that is final and was not told yet."""
    edited = Design.objects.filter(team=hook.team_id, deleted=None, edited__gte=min(hook.looked, now) - BACK)
    cursors = {cursor.design_id: cursor for cursor in hook.cursors.filter(design__in=edited)}
    for design in edited.select_related("team").exclude(
        pk__in=[candidate.pk for candidate in edited if _is_told(cursors, candidate)]
    ):
        cursor = cursors.get(design.pk)
        last_number = cursor.number if cursor else _number_before(design, hook.since)
        fresh = design.revisions.filter(number__gt=last_number).order_by("number").select_related("by")
        # The newest revision may still be typed on; it is told once typing can no longer join it (decision 56).
        # `abs` as there: a revision of the future is from before the clock was set back.
        final = [
            candidate for candidate in fresh if candidate.number < design.number or abs(now - candidate.at) > TYPING
        ]
        if final:
            # The cursor and the deliveries stand or fall together: neither is a revision told twice nor left out after
            # a crash.
            with transaction.atomic():
                if _advance_cursor(hook, design, cursor, final[-1].number):
                    for revision in final:
                        WebhookDelivery.objects.add(
                            [hook], "revision.created", _revision_data(design, revision), at=revision.at
                        )
    # A `since` of the future is from before the clock was set back: without this, nothing were told until then.
    Webhook.objects.filter(pk=hook.pk).update(looked=now, since=min(hook.since, now))


def _is_told(cursors: Mapping[int, WebhookCursor], design: Design) -> bool:
    cursor = cursors.get(design.pk)
    return cursor is not None and cursor.number >= design.number


def _number_before(design: Design, since: datetime.datetime) -> int:
    """Return the number of the newest revision before a time; 0 if there is none."""
    return design.revisions.filter(at__lt=since).aggregate(last=Max("number"))["last"] or 0


def _advance_cursor(hook: Webhook, design: Design, cursor: WebhookCursor | None, number: int) -> bool:
    """Note up to where a webhook is told; False if somebody else was quicker."""
    if cursor is None:
        # Two workers may come here at once; the unique constraint decides which of them created the row and tells.
        return WebhookCursor.objects.get_or_create(hook=hook, design=design, defaults={"number": number})[1]
    return bool(WebhookCursor.objects.filter(pk=cursor.pk, number=cursor.number).update(number=number))


def _revision_data(design: Design, revision: Revision) -> dict[str, Any]:
    by = str(revision.by) if revision.by else None
    about = {"number": revision.number, "sha256": revision.document_id, "by": by, "name": revision.name}
    return {**design_data(design), "revision": about}
