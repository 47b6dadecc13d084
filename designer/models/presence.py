"""Presence of people in designs."""

import datetime

from django.db import models
from django.utils import timezone

from .designs import Design
from .people import Person

PRESENT_SECONDS = 15
"""Somebody whose window has not asked for news for so long has gone."""


def seen_lately() -> tuple[datetime.datetime, datetime.datetime]:
    """Return the range of times at which a window asked that is still open; after it, the clock was set back."""
    now, lately = timezone.now(), datetime.timedelta(seconds=PRESENT_SECONDS)
    return now - lately, now + lately


Present = tuple[tuple[int, str], ...]
"""The ids of the people who are present, in order, each with the element that they opened last."""


class Presence(models.Model):
    """Person who has a design open at the moment, with the window and the open element."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="present")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    window = models.CharField(max_length=16)
    """Made by the browser per tab."""
    at = models.CharField(max_length=40, blank=True)
    """Id of the element that is open; empty is the design."""
    seen = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "person", "window"], name="one_presence_of_a_window")]


def company_version(present: Present, me: int) -> str:
    """Return who else is where, as a text to compare."""
    return "|".join(f"{person}:{at}" for person, at in present if person != me)
