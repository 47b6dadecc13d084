"""What was stored while the clock was wrong: it counts, waits and holds no longer than the clock was wrong."""

import datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.document.edits import Set
from designer.document.load import from_data
from designer.models import Attempt, AttemptLimit, Design, Heartbeat, Person, Presence, Team
from designer.models.heartbeat import PURGE
from estimator.models import Run, Step, Worker
from tests.jobs import tiny  # noqa: F401 - registers the kind

YEAR = datetime.timedelta(days=365)


@pytest.fixture
def design(team: Team, ana: Person) -> Design:
    return Design.objects.start(from_data({"tables": [{"id": "t", "name": "t"}]}), team=team, by=ana)


@pytest.mark.parametrize(("ahead", "is_closed"), [(YEAR, False), (datetime.timedelta(minutes=5), True)])
def test_attempts_of_a_later_time_close_nothing_for_longer(ahead: datetime.timedelta, *, is_closed: bool) -> None:
    limit = AttemptLimit("of a test", 2)
    Attempt.objects.bulk_create([Attempt(about=limit.digest, at=timezone.now() + ahead) for _ in range(2)])

    reserved = Attempt.objects.reserve(limit)

    assert (reserved.closed_until is not None) == is_closed
    assert reserved.closed_minutes <= 15


def test_a_window_of_a_later_time_is_not_there(anas: Client, design: Design) -> None:
    ben = Person.objects.create_user("ben@example.com", name="Ben")
    design.team.add(ben, "editor")
    seen = {"one": timezone.now() + YEAR, "two": timezone.now()}
    shown = {}
    for window, at in seen.items():
        Presence.objects.create(design=design, person=ben, window=window, seen=at)
        answer = anas.get(f"/designs/{design.key}/news?since=0&window=w", HTTP_HX_REQUEST="true")
        shown[window] = [one["name"] for one in answer.json()["here"]]

    assert shown == {"one": [], "two": ["Ben"]}


def test_typing_after_a_later_revision_is_a_revision_of_its_own(design: Design, ana: Person) -> None:
    design.apply(Set(at="t", name="description", value="a", was=""), by=ana, now=timezone.now() + YEAR)
    design.apply(Set(at="t", name="description", value="ab", was="a"), by=ana)

    assert design.number == 3


def test_a_worker_of_a_later_time_is_not_there_and_its_step_is_taken_back(design: Design, ana: Person) -> None:
    Worker.objects.create(name="gone", slots=1, heard=timezone.now() + YEAR)
    run = Run.objects.find_or_start(design, "tiny", {}, ana, deliver=False)[0]
    step = Step.objects.claim("gone")
    assert step is not None
    assert step.run_id == run.pk
    assert Step.objects.take_back() == 0
    Step.objects.filter(pk=step.pk).update(lease=timezone.now() + YEAR)

    assert Step.objects.take_back() == 1
    assert Worker.objects.slots() == 0
    assert Step.objects.get(pk=step.pk).state == "queued"


def test_a_daily_purge_removes_nothing_right_after_the_clock_has_jumped(design: Design) -> None:
    design.set_deleted(is_deleted=True)
    Design.objects.update(deleted=timezone.now() - YEAR)  # as it looks in a year
    told = StringIO()
    Heartbeat.objects.create(pk=PURGE, at=timezone.now() - YEAR)

    call_command("purge", daily=True, stdout=told)
    assert "nothing was removed this time" in told.getvalue()
    assert Design.objects.exists()

    call_command("purge", daily=True, stdout=told)
    assert not Design.objects.exists()
