"""Verdicts on sections of a design, and who was asked for one."""

from django.db import models
from django.utils import timezone

from designer.models import Design, Person
from designer.models.jsontext import JsonText

from .links import Link


class Verdict(models.Model):
    """One verdict on one section: it holds while the section's hash does."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="verdicts")
    section = models.CharField(max_length=12)
    approves = models.BooleanField()
    """False: asks for changes."""
    text = models.TextField(blank=True)
    hash = models.CharField(max_length=64)
    """Of the section as it was seen."""
    number = models.PositiveIntegerField()
    """The revision that was seen."""
    sha256 = models.CharField(max_length=64)
    """Of its document."""
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    link = models.ForeignKey(Link, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=100, blank=True)
    visitor = models.BooleanField(default=False)
    own = models.BooleanField(default=False)
    """Of a lone person on their own work: checked by themselves."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["design", "section", "-at"], name="verdicts_by_section")]


class Asked(models.Model):
    """Somebody was asked to look at sections: a member, or whoever has a link."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="asked")
    by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    person = models.ForeignKey(Person, null=True, on_delete=models.CASCADE, related_name="+")
    link = models.ForeignKey(Link, null=True, on_delete=models.CASCADE, related_name="asked")
    sections = JsonText()
    due = models.DateField(null=True)
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["design", "-at"], name="asked_by_time")]
