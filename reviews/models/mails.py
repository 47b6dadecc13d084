"""Subscriptions to mail about a design, and the queue of mails.

A mail names the event and the page to read: never the text of comments, the design's contents or its cost.
Lines for one person about one design wait a short time and are sent together. Sending claims a row first,
so that two concurrent senders send it once; a failed mail is retried at growing intervals and finally
dropped.
"""

import datetime
import logging
import time
from collections import Counter
from smtplib import SMTPException
from typing import ClassVar

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from designer.document.texts import N_, Text
from designer.models import Design, Person
from designer.models.jsontext import JsonText
from designer.models.texts import from_data, to_data
from designer.permissions import is_allowed
from designer.templatetags.keywright import translate_text
from estimator.models import KeptObservation
from estimator.models.observed import MISS_SHARE

from .links import Link

WAITS = datetime.timedelta(minutes=2)
"""For what else happens at once."""
QUIET = datetime.timedelta(minutes=10)
"""New revisions are told once nobody has changed anything for so long."""
SENDING = datetime.timedelta(minutes=15)
"""Who claimed a mail has so long; after that it is somebody else's."""
ROUND_SECONDS = 5
"""After so long the rest is for the next round: who sends has to be heard of as a worker, too, and a server that
does not answer takes EMAIL_TIMEOUT each time."""
MOST_TRIES = 10
LONGEST_WAIT = datetime.timedelta(minutes=2**MOST_TRIES)
MOST_LINES = 20

HAPPENED = {
    "comment": N_("{who} commented"),
    "approved": N_("{who} approved: {section}"),
    "changes": N_("{who} requested changes: {section}"),
    "asked": N_("{who} requests your review"),
}
FROM_LINK = N_("{what}, from the link “{link}”")
MISSED = N_("measured on {date}: {count} figures differ from the forecast by more than {miss_share}")
REVISIONS = N_("new revisions: {count}, the latest by {who}")


class Following(models.Model):
    """A person wants mail about a design."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="followed")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=10)
    """In which mail is written: the one in which it was asked for."""
    address = models.URLField(max_length=500)
    """Of the review page, as the person reaches it."""
    number = models.PositiveIntegerField()
    """Revisions up to this one were told."""
    miss_share = models.FloatField(default=MISS_SHARE)
    """A forecast that is missed by more than this is told."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "person"], name="followed_once")]

    @property
    def measured_address(self) -> str:
        """Address of the page *Measured*, as the person reaches it."""
        review, measured = (reverse(page, args=[self.design.key]) for page in ("review", "measured"))
        return self.address.replace(review, measured)

    @property
    def is_wanted(self) -> bool:
        """True if the person may still see the design and has an address for mail."""
        there = self.design.deleted is None and self.person.is_active and not self.person.is_local
        return there and is_allowed(self.person.role_in(self.design.team_id), "view")


class Mails(models.Manager["Mail"]):
    """Notes what happened for who wants to know, and sends it."""

    def notify_followers(
        self, design: Design, what: str, *, who: str, by: Person | None, link: Link | None = None, section: str = ""
    ) -> None:
        """Something happened: a line for everybody who follows the design, but for who did it."""
        line = Text(HAPPENED[what], {"who": who, "section": Text(section)} if section else {"who": who})
        if link:
            line = Text(FROM_LINK, {"what": line, "link": link.name})
        for following in Following.objects.filter(design=design).exclude(person=by):
            self._add_line(following, line)

    def notify_reviewer(self, design: Design, person: Person, *, by: Person) -> None:
        """Somebody is asked for a review: a line for them, if they want mail about the design."""
        for following in Following.objects.filter(design=design, person=person).exclude(person=by):
            self._add_line(following, Text(HAPPENED["asked"], {"who": str(by)}))

    def _add_line(self, following: Following, line: Text) -> None:
        """Another line for somebody, in the mail that waits or in a new one."""
        waits = self.filter(
            # Only a mail that is not due yet takes another line: one that is due may be under way.
            design=following.design_id,
            person=following.person_id,
            tries=0,
            due__gt=timezone.now(),
        )
        for _ in range(MOST_TRIES):
            waiting = waits.first()
            if waiting is None:
                break
            lines = [*waiting.lines, to_data(line)][-MOST_LINES:]
            # A sender that claimed the mail since has changed `due` and `tries`; then the line goes into a mail of its
            # own. Who added a line since has changed `lines`; then they are read again, or one of the two were lost.
            read = self.filter(pk=waiting.pk, tries=0, due=waiting.due, lines=waiting.lines)
            if read.update(lines=lines):
                return
        due = timezone.now() + WAITS
        self.create(design_id=following.design_id, person_id=following.person_id, lines=[to_data(line)], due=due)

    def deliver(self, now: datetime.datetime | None = None) -> int:
        """Send what is due, as far as one round goes; how many mails were sent."""
        now, sent, until = now or timezone.now(), 0, time.monotonic() + ROUND_SECONDS
        if not settings.EMAIL_HOST:
            return 0
        self._add_revisions(now)
        self._add_missed_forecasts()
        is_due = Q(due__lte=now) | Q(due__gt=now + LONGEST_WAIT)  # the latter by a clock that was set back since
        due = self.filter(is_due).select_related("design", "person").order_by("due")
        for mail in due[:200]:
            sent += mail.send(now)
            if time.monotonic() > until:
                break
        return sent

    def _add_revisions(self, now: datetime.datetime) -> None:
        """Add a line about new revisions for each subscriber, after a quiet period.

        A person's own revisions are not included.
        """
        is_quiet = Q(design__edited__lte=now - QUIET) | Q(design__edited__gt=now + QUIET)  # the latter as in `deliver`
        behind = Following.objects.filter(is_quiet, number__lt=F("design__number"))
        for following in behind.select_related("design", "person"):
            # In one transaction, so that a crash between tells them later and not never.
            with transaction.atomic():
                # Conditional, so that of two senders one tells these revisions.
                is_first = Following.objects.filter(pk=following.pk, number=following.number).update(
                    number=following.design.number
                )
                fresh = following.design.revisions.filter(number__gt=following.number).exclude(by=following.person_id)
                last = fresh.order_by("-number").select_related("by").first()
                if is_first and last is not None:
                    self._add_line(following, Text(REVISIONS, {"count": fresh.count(), "who": str(last.by or "?")}))

    def _add_missed_forecasts(self) -> None:
        """Add a line about each new measurement that misses the forecast by more than a subscriber stated."""
        for observation in KeptObservation.objects.filter(is_told=False).select_related("design"):
            with transaction.atomic():
                following = Following.objects.filter(design=observation.design) if observation.mark_told() else ()
                for follower in following:
                    if misses := observation.missed_forecasts(follower.miss_share):
                        params = {"date": observation.date, "count": len(misses), "miss_share": follower.miss_share}
                        self._add_line(follower, Text(MISSED, params))


class Mail(models.Model):
    """Events of one design, waiting to be sent to one person."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    lines = JsonText()
    """Messages with parameters: names of people and links alone."""
    due = models.DateTimeField(default=timezone.now)
    """When it is tried next."""
    tries = models.PositiveIntegerField(default=0)

    objects: ClassVar[Mails] = Mails()

    class Meta:
        indexes = [models.Index(fields=["due"], name="mail_by_due")]

    def send(self, now: datetime.datetime) -> bool:
        """Send it, unless somebody else does or it is not wanted any more."""
        # Claimed before it is sent, outside of a transaction: a mail server may take seconds, and SQLite has one
        # writer.
        claimed = Mail.objects.filter(pk=self.pk, due=self.due, tries=self.tries)
        if not claimed.update(due=now + SENDING, tries=self.tries + 1):
            return False
        following = Following.objects.filter(design=self.design_id, person=self.person_id).first()
        # Asked again now: the person may have left the team since the line was stored.
        if following is None or not following.is_wanted:
            self.delete()
            return False
        try:
            self._build_message(following).send()
        except (OSError, SMTPException, ValueError) as failed:
            # ValueError: an address or a text that cannot be encoded.
            self._record_failure(now, failed)
            return False
        self.delete()
        return True

    def _build_message(self, following: Following) -> EmailMessage:
        with translation.override(following.language):
            # A line end in a subject would begin another header; Django refuses such mail.
            title = " ".join(self.design.title.split()) or gettext("Untitled")
            subject = gettext("Review of “%(title)s”") % {"title": title[:120]}
            texts = [from_data(line) for line in self.lines]
            counts = Counter(" ".join(translate_text(text).split()) for text in texts)
            lines = "\n".join(f"- {line} ({times}×)" if times > 1 else f"- {line}" for line, times in counts.items())
            end = gettext(
                "You receive this mail because you subscribed to this design. Unsubscribe on its review page."
            )
            # A forecast and what was measured stand side by side on a page of their own.
            is_missed = any(text.message == MISSED for text in texts)
            pages = "\n".join([following.measured_address, following.address] if is_missed else [following.address])
            body = f"{lines}\n\n{pages}\n\n-- \n{end}\n"
        return EmailMessage(subject, body, to=[self.person.email])

    def _record_failure(self, now: datetime.datetime, error: Exception) -> None:
        tries = self.tries + 1
        if tries >= MOST_TRIES:
            logging.getLogger("keywright").warning(
                "A mail about a review was given up after %s tries: %s", tries, error
            )
            self.delete()
        else:
            Mail.objects.filter(pk=self.pk).update(due=now + datetime.timedelta(minutes=2**tries))
