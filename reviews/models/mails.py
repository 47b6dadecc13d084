"""Who wants mail about a design, and the mail that waits to be sent."""

from django.db import models
from django.utils import timezone

from designer.models import Design, Person


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

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "person"], name="followed_once")]


class Mail(models.Model):
    """One message that waits: what happened and where to read it, never what was said or what it costs."""

    to = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    made = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(default=timezone.now)
    """When it is tried next."""
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["due"], name="mail_by_due")]
