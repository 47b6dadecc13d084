"""Verdicts on sections of a design, and who was asked for one."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.utils import timezone

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.models import Design, Person
from designer.models.jsontext import JsonText
from reviews.verdicts.sections import SECTIONS, Section
from reviews.verdicts.status import LatestVerdict, latest_by_person

from .links import Link


class InvalidVerdictError(DesignError):
    """Error for posted data that is not a verdict."""

    status = 422


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
    by_program = models.BooleanField(default=False)
    """Given with an API token, in the name of the person who made it; `name` says so."""
    own = models.BooleanField(default=False)
    """Of a lone person on their own work: checked by themselves."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["design", "section", "-at"], name="verdicts_by_section")]


class ReviewRequests(models.Manager["Asked"]):
    """Finds the requests that somebody can answer."""

    def that_can_be_answered(self, design: Design) -> models.QuerySet["Asked"]:
        """Return the requests to members who are still there, and to links that still open and take verdicts."""
        members = design.team.people.filter(is_active=True)
        links = Link.objects.by_which_to_answer(design)
        return self.filter(
            models.Q(person__in=members.values("pk")) | models.Q(link__in=links.values("pk")), design=design
        )


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

    objects: ClassVar[ReviewRequests] = ReviewRequests()

    class Meta:
        indexes = [models.Index(fields=["design", "-at"], name="asked_by_time")]


def latest_verdicts(
    design: Design, current_hashes: Mapping[Section, str], *, upto: int | None = None
) -> tuple[LatestVerdict, ...]:
    """Everybody's latest verdict on each section; `current_hashes` are the hashes that the sections have.

    With `upto`, verdicts on later revisions are left out.
    """
    rows = verdicts_on(design) if upto is None else verdicts_on(design).filter(number__lte=upto)
    return latest_by_person(map(_latest_verdict, rows), current_hashes)


def verdicts_on(design: Design) -> models.QuerySet[Verdict]:
    """Return the verdicts on a design, with their authors."""
    return Verdict.objects.filter(design=design).select_related("person", "link")


def _latest_verdict(row: Verdict) -> LatestVerdict:
    who = row.name if row.visitor or row.by_program or row.person is None else str(row.person)
    # Visitors are who they say they are, each within their link; members are known by their account (decision 24).
    author = ("link", row.link_id, row.name) if row.visitor else ("person", row.person_id or row.name)
    link = row.link.name if row.link else ""
    return LatestVerdict(
        _section(row.section), row.approves, who, row.hash, row.number, row.sha256, row.at, row.text, link,
        row.visitor, row.own, author, row.pk,
    )  # fmt: skip


def _section(name: str) -> Section:
    section = next((candidate for candidate in SECTIONS if candidate == name), None)
    if section is None:
        raise InvalidVerdictError(N_("This section does not exist."))
    return section
