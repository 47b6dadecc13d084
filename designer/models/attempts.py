"""Attempts (to sign in, to open a link, to get mail), counted so that nobody can go on guessing."""

import datetime
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from .people import Person, normal_email

WITHIN = datetime.timedelta(minutes=15)
"""An attempt counts for so long, unless a limit says less."""


@dataclass(frozen=True)
class AttemptLimit:
    """So many attempts on one subject count at a time; one more has to wait."""

    subject: str
    """An account, a network or a link. Only its hash is stored."""
    count: int
    within: datetime.timedelta = WITHIN

    @property
    def digest(self) -> str:
        """The hash that is stored."""
        return _digest(self.subject)


@dataclass(frozen=True)
class Reservation:
    """An attempt that counts from before its outcome is known."""

    ids: tuple[int, ...] = ()
    closed_until: datetime.datetime | None = None
    """When the next attempt is free, if this one was refused; None if it may go on."""

    @property
    def closed_minutes(self) -> int:
        """In how many minutes an attempt is free again; 0 is now."""
        if self.closed_until is None:
            return 0
        return max(1, math.ceil((self.closed_until - timezone.now()).total_seconds() / 60))

    def release(self) -> None:
        """Count it no more: it was no guess."""
        Attempt.objects.filter(pk__in=self.ids).delete()


def account_subject(typed: str) -> str:
    """Return the same subject for every spelling of an e-mail address that signs in to one account."""
    # PostgreSQL refuses a NUL in a text, which would turn the attempt into an error that is not counted.
    email = normal_email(typed.strip()[:254].replace("\0", ""))  # no account has a longer one
    person = Person.objects.by_email(email)
    # Unknown addresses are counted as well: otherwise only those that exist would ever be closed, which tells that they
    # do.
    return f"account {person.pk}" if person else f"unknown account {email}"


def _digest(subject: str) -> str:
    # A plain hash of an e-mail address could be found by trying addresses.
    return salted_hmac("designer.attempt", subject, algorithm="sha256").hexdigest()


class Attempts(models.Manager["Attempt"]):
    """Counts attempts; the database does, so that it holds for every process."""

    def reserve(self, *limits: AttemptLimit) -> Reservation:
        """Count an attempt on each subject, unless a limit is reached.

        It is counted before its outcome is known, so attempts that run at the same time cannot pass a limit together.
        """
        now = timezone.now()
        with transaction.atomic():
            self._lock({limit.digest for limit in limits})
            until = self.closed_until(*limits)
            rows = [] if until else [Attempt(about=limit.digest, at=now) for limit in limits]
            reserved = Reservation(tuple(row.pk for row in self.bulk_create(rows)), until)
        # Outside of the transaction, so that nobody who counts waits for the cleaning up.
        self.filter(at__lt=now - WITHIN).delete()
        return reserved

    def closed_until(self, *limits: AttemptLimit) -> datetime.datetime | None:
        """Return when the next attempt is free; None is now."""
        now, ends = timezone.now(), []
        for limit in limits:
            around = (now - limit.within, now + limit.within)  # a clock that was set back closes nothing for longer
            recent = self.filter(about=limit.digest, at__range=around).order_by("-at")
            # The attempt number `count` from the newest: when that one no longer counts, one more is free.
            moment = recent.values_list("at", flat=True)[limit.count - 1 : limit.count].first()
            if moment is not None:
                ends.append(min(moment, now) + limit.within)
        return max(ends, default=None)

    def clear(self, subject: str) -> None:
        """Count nothing of a subject any more: it was the right person after all."""
        self.filter(about=_digest(subject)).delete()

    @staticmethod
    def _lock(digests: Collection[str]) -> None:
        """Have others who count the same wait until the transaction ends; SQLite has one writer at a time anyway."""
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                for digest in sorted(digests):  # in one order, so that no two wait for each other
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(digest[:15], 16)])


class Attempt(models.Model):
    """One attempt that counts."""

    about = models.CharField(max_length=64)
    """Hash of the account, the network or the link."""
    at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[Attempts] = Attempts()

    class Meta:
        indexes = [models.Index(fields=["about", "-at"], name="attempts_by_time")]
