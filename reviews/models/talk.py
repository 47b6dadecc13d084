"""Discussion threads on an element, a finding, a bill line or a cell of a heatmap."""

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

from designer.models import Design, Person
from designer.models.jsontext import JsonText

from .links import Link

LONGEST = 5_000
"""Characters of one comment."""


class Thread(models.Model):
    """Comments on one thing, until somebody resolves it."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="threads")
    number = models.PositiveIntegerField()
    anchor = models.TextField()
    """What it is about, as `reviews.discussion.anchors` writes it."""
    called = JsonText()
    """What that was called then, as a message with parameters: it may be gone later."""
    revision = models.PositiveIntegerField()
    """The design's number when it was begun."""
    made = models.DateTimeField(default=timezone.now)
    link = models.ForeignKey(Link, null=True, on_delete=models.SET_NULL, related_name="+")
    """The link through which it was begun; None: by a member."""
    resolved = models.DateTimeField(null=True)
    resolved_by = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "number"], name="one_thread_of_a_number")]
        indexes = [models.Index(fields=["design", "resolved"], name="threads_by_state")]

    def resolve(self, *, by: str) -> None:
        """Mark the thread as resolved."""
        Thread.objects.filter(pk=self.pk, resolved=None).update(resolved=timezone.now(), resolved_by=by[:200])

    def reopen(self) -> None:
        """Mark the thread as open again."""
        Thread.objects.filter(pk=self.pk).update(resolved=None, resolved_by="")


class Comment(models.Model):
    """One thing that somebody said: a member, or a visitor by the name that they gave."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="comments")
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    link = models.ForeignKey(Link, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=100, blank=True)
    """As the visitor gave it, or the member's name then."""
    visitor = models.BooleanField(default=False)
    """Came by a link, whose row may be gone."""
    by_program = models.BooleanField(default=False)
    """Sent with an API token, in the name of the person who made it; `name` says so."""
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["thread", "at"], name="comments_in_order")]


def create_thread(design: Design, **fields: object) -> Thread:
    """Create a thread with the design's next number; concurrent calls get different numbers."""
    with transaction.atomic():
        Design.objects.filter(pk=design.pk).update(title=F("title"))  # the second waits here
        last = Thread.objects.filter(design=design).order_by("-number").values_list("number", flat=True).first()
        return Thread.objects.create(design=design, number=(last or 0) + 1, **fields)
