"""Presence of people in designs."""

from django.db import models
from django.utils import timezone

from .designs import Design
from .people import Person


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
