"""Attempts that failed (signing in, asking for a new password), counted so that nobody can go on guessing."""

import datetime
from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

WITHIN = datetime.timedelta(minutes=15)
"""An attempt counts for so long."""


def _hashed(about: str) -> str:
    """What is stored of an account or an address: enough to know it again."""
    return salted_hmac("designer.attempt", about.strip().lower(), algorithm="sha256").hexdigest()


class Attempts(models.Manager["Attempt"]):
    """Counts attempts; the database does, so that it holds for every process."""

    def failed(self, *abouts: str) -> None:
        """Note that an attempt on each of these failed; what counts no more is forgotten."""
        now = timezone.now()
        self.bulk_create([Attempt(about=_hashed(about), at=now) for about in abouts])
        self.filter(at__lt=now - WITHIN).delete()

    def forget(self, about: str) -> None:
        """It was the right person after all."""
        self.filter(about=_hashed(about)).delete()

    def closed_until(self, most: Mapping[str, int]) -> datetime.datetime | None:
        """When the next attempt is free, of these with so many allowed each; None is now."""
        now = timezone.now()
        ends = []
        for about, allowed in most.items():
            recent = self.filter(about=_hashed(about), at__gt=now - WITHIN).order_by("-at")
            moment = recent.values_list("at", flat=True)[allowed - 1 : allowed].first()
            if moment is not None:
                ends.append(moment + WITHIN)
        return max(ends, default=None)


class Attempt(models.Model):
    """One attempt that failed."""

    about = models.CharField(max_length=64)
    """Hash of the account or of the address that it came from."""
    at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[Attempts] = Attempts()

    class Meta:
        indexes = [models.Index(fields=["about", "-at"], name="attempts_by_time")]
