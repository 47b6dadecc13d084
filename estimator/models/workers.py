"""Workers that said lately that they are there: how many hands there are, and whether there is any."""

import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Sum
from django.db.models.functions import Now
from django.utils import timezone


class Workers(models.Manager["Worker"]):
    """Counts those who are there."""

    def register(self, name: str, slots: int, *, anew: bool = False) -> None:
        """Record a worker and its number of processes; `anew` means that one of this name may have stopped."""
        extra_fields = {"stopping": False} if anew else {}
        self.update_or_create(name=name, defaults={"slots": slots, "heard": Now(), **extra_fields})

    def alive(self) -> models.QuerySet["Worker"]:
        """Return those who were heard lately and take more."""
        lately = datetime.timedelta(seconds=2 * settings.KEYWRIGHT_LEASE_SECONDS)
        return self.filter(heard__gt=Now() - lately, heard__lt=Now() + lately, stopping=False)

    def slots(self) -> int:
        """Return the number of steps that can be worked on at the same time."""
        return int(self.alive().aggregate(slots=Sum("slots"))["slots"] or 0)

    def delete_stale(self) -> None:
        """Leave out those who have not been heard for long."""
        self.filter(heard__lt=Now() - datetime.timedelta(seconds=10 * settings.KEYWRIGHT_LEASE_SECONDS)).delete()


class Worker(models.Model):
    """One worker: a process, or several behind one name."""

    name = models.CharField(max_length=200, unique=True)
    slots = models.PositiveIntegerField(default=1)
    heard = models.DateTimeField(default=timezone.now)
    stopping = models.BooleanField(default=False)
    """It takes nothing more."""

    objects: ClassVar[Workers] = Workers()
