"""Runs as rows: asked, claimed, beaten, finished; and their pages. No process but this one."""

import datetime
import re
from collections.abc import Generator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.document import Spec
from designer.document.edits import Set
from designer.examples import example
from designer.http.errors import DesignError
from designer.models import Design, Document, Person
from estimator import contexts
from estimator.contexts import known_measurements, set_measurements
from estimator.kernels.compression.measurements import Measurements
from estimator.models import LeaseLostError, Measured, Part, Run, RunCancelledError, Step, Worker, measured
from estimator.results import Measurement
from estimator.runs import delivery
from estimator.runs.kinds import RunPlan
from estimator.worker import worker as working
from estimator.worker.sweeper import resend_messages, sweep
from estimator.worker.worker import StepHold, cut_windows, run_next_step
from tests.jobs import tiny

HTMX = {"HX-Request": "true"}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Messages instead of a queue."""
    messages: list[int] = []

    def send(count: int = 1) -> bool:
        messages.append(count)
        return True

    monkeypatch.setattr(delivery, "send", send)
    return messages


@pytest.fixture
def design(sent: list[int]) -> Design:
    local = Person.objects.get_or_create_local()
    return Design.objects.start(Spec(name="Balloons"), team=local.teams.get(), by=local)


def ask(design: Design, **parameters: Any) -> Run:
    return Run.objects.find_or_start(design, "tiny", parameters, Person.objects.get_or_create_local())[0]


def again(run: Run) -> Run:
    return Run.objects.get(pk=run.pk)


def sharded_run(design: Design, slots: int = 2, **parameters: Any) -> Run:
    """A run that has been cut into steps."""
    Worker.objects.register("w", slots)
    run = ask(design, **{"seconds": 12.0, **parameters})
    assert run_next_step("w")
    return again(run)


def test_a_run_is_worked_through_and_its_result_is_kept(design: Design) -> None:
    run = ask(design)

    assert run_next_step("w")

    run = again(run)
    assert (run.state, run.part("head")) == ("done", tiny.right(8))
    assert not run_next_step("w")
    assert Step.objects.count() == 0


def test_the_same_question_is_answered_from_what_is_stored(design: Design) -> None:
    first, created = Run.objects.find_or_start(design, "tiny", {}, None)
    run_next_step("w")
    second, once_more = Run.objects.find_or_start(design, "tiny", {"windows": 8}, None)

    assert (first.pk, created, once_more) == (second.pk, True, False)
    assert second.state == "done"
    assert ask(design, seed=1).pk != first.pk


def test_another_revision_is_another_question_and_the_old_result_says_so(design: Design) -> None:
    run = ask(design)
    run_next_step("w")
    design.apply(Set(at="", name="name", value="More", was="Balloons"), by=Person.objects.get_or_create_local())

    assert again(run).is_outdated
    assert ask(Design.objects.get(pk=design.pk)).pk != run.pk


@pytest.mark.parametrize("slots", [1, 2, 5])
def test_any_number_of_steps_comes_to_the_same_bits(design: Design, slots: int) -> None:
    run = sharded_run(design, slots)
    steps = run.steps.count()
    while run_next_step("w"):
        pass

    assert steps == min(3 * slots, 8)
    assert again(run).part("head") == tiny.right(8)
    assert Step.objects.count() == 0


def test_a_simulation_in_one_step_and_in_many_is_the_same_to_the_last_bit(
    design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = Person.objects.get_or_create_local()
    spec = example("mobile-devices").spec
    Worker.objects.register("w", 3)
    results, counts = [], []
    for few in (10**12, 0):
        monkeypatch.setattr(working, "FEW_EVENTS", few)
        monkeypatch.setattr(working, "LONGEST_STEP_SECONDS", 1e9)
        monkeypatch.setattr(working, "STEP_SECONDS", 0.001)
        theirs = Design.objects.start(spec, team=local.teams.get(), by=local)
        run, _ = Run.objects.find_or_start(theirs, "simulate", {"period": "day"}, local)
        run_next_step("w")
        counts.append(run.steps.count())
        while run_next_step("w"):
            pass
        results.append(dict(run.parts.values_list("name", "data")))

    assert counts == [0, 9]
    assert {name: bytes(data) for name, data in results[0].items()} == {
        name: bytes(data) for name, data in results[1].items()
    }


def test_runs_are_cut_into_as_few_steps_as_keep_all_busy() -> None:
    assert cut_windows(RunPlan(windows=96, seconds=0.4), 8) == [(0, 96)]
    assert cut_windows(RunPlan(windows=96, seconds=5.0, events=9_999_999), 8) == [(0, 96)]
    assert len(cut_windows(RunPlan(windows=96, seconds=5.0, events=10**8), 2)) == 6
    assert len(cut_windows(RunPlan(windows=96, seconds=0.35, events=10**7), 8)) == 3
    assert len(cut_windows(RunPlan(windows=720, seconds=600.0, events=10**10), 1)) == 60
    assert len(cut_windows(RunPlan(windows=4, seconds=600.0, events=10**10), 8)) == 4


def test_no_two_workers_hold_the_same_step(design: Design) -> None:
    ask(design)

    assert Step.objects.claim("a") is not None
    assert Step.objects.claim("b") is None


def test_who_lost_the_step_stores_nothing(design: Design) -> None:
    run = ask(design)
    lost = Step.objects.claim("a")
    assert lost is not None
    Step.objects.update(lease=timezone.now() - datetime.timedelta(seconds=1))
    sweep()
    held = Step.objects.claim("b")
    assert held is not None

    with pytest.raises(LeaseLostError):
        lost.beat(0.5, None)
    with pytest.raises(LeaseLostError):
        lost.finish({"head": b"wrong"})
    held.finish({"head": b"right"})

    assert (again(run).state, run.part("head")) == ("done", b"right")
    assert held.attempts == 2


def test_a_step_that_was_lost_cannot_be_completed_and_is_not_counted(design: Design) -> None:
    run = sharded_run(design)
    lost = Step.objects.claim("a")
    assert lost is not None
    Step.objects.take_back("a")

    with pytest.raises(LeaseLostError):
        lost.complete(b"")

    assert again(run).left == run.left == 6


def test_a_run_whose_workers_die_again_and_again_fails_with_a_reason(design: Design) -> None:
    run = ask(design)
    for _ in range(3):
        assert Step.objects.claim("a")
        Step.objects.update(lease=timezone.now() - datetime.timedelta(seconds=1))
        sweep()

    run = again(run)
    assert run.state == "failed"
    assert "A worker stopped 3 times during this run." in str(run.failure_text)
    assert Step.objects.count() == 0


def test_a_step_that_always_fails_ends_the_run_with_what_was_wrong(design: Design) -> None:
    run = sharded_run(design, fails_at=3)
    while run_next_step("w"):
        pass

    run = again(run)
    assert (run.state, Step.objects.count(), Part.objects.count()) == ("failed", 0, 0)
    assert str(run.failure_text) == "The run failed 3 times. Last error: ZeroDivisionError: window 3 cannot be counted"


def test_who_asks_again_after_a_failure_gets_another_try(design: Design) -> None:
    run = ask(design, fails_at=3)
    while run_next_step("w"):
        pass
    second, created = Run.objects.find_or_start(design, "tiny", {"fails_at": 3}, None)

    assert (second.pk, created, second.state, second.failure_text) == (run.pk, True, "queued", None)


def test_a_cancelled_run_stops_at_its_next_beat_and_leaves_nothing(design: Design) -> None:
    run = sharded_run(design)
    step = Step.objects.claim("a")
    assert step is not None

    assert run.cancel()

    with pytest.raises(RunCancelledError):
        step.beat(0.5, None)
    with pytest.raises(RunCancelledError):
        step.complete(b"x")
    assert not run.cancel()
    assert (again(run).state, Step.objects.count(), Part.objects.count()) == ("cancelled", 0, 0)


def test_a_run_that_is_done_cannot_be_cancelled(design: Design) -> None:
    run = ask(design)
    run_next_step("w")

    assert not again(run).cancel()
    assert again(run).state == "done"


def test_a_worker_that_stops_gives_back_what_it_holds_without_an_attempt(design: Design) -> None:
    ask(design)
    Step.objects.claim("a")

    Step.objects.release("a")

    step = Step.objects.claim("b")
    assert step is not None
    assert step.attempts == 1


def test_a_run_that_takes_too_long_is_ended(design: Design, settings: Any) -> None:
    run = sharded_run(design)
    Run.objects.update(started=timezone.now() - datetime.timedelta(minutes=61))

    sweep()

    assert again(run).state == "failed"
    assert "The run exceeded the time limit of 3600.0." in str(again(run).failure_text)


def test_one_teams_long_run_does_not_keep_another_waiting(design: Design) -> None:
    run = sharded_run(design, slots=1, windows=20, seconds=200.0)
    other = Person.objects.create_user("b@example.com")
    team = other.teams.create(name="Others", through_defaults={"role": "owner"})
    theirs = Design.objects.start(Spec(name="x"), team=team, by=other)
    run_next_step("w")
    short = Run.objects.find_or_start(theirs, "tiny", {}, other)[0]

    assert run_next_step("w")

    assert (again(short).state, again(run).state) == ("done", "running")


def test_one_run_leaves_a_worker_to_others(design: Design) -> None:
    run = sharded_run(design, slots=4, windows=20, seconds=200.0)

    held = [Step.objects.claim("w") for _ in range(6)]

    assert [step is not None for step in held] == [True] * 3 + [False] * 3
    assert run.steps.filter(state="queued").exists()


def test_a_message_that_got_lost_is_sent_again_once_a_lease(design: Design, sent: list[int]) -> None:
    ask(design)
    assert sent == [1]

    resend_messages()
    Step.objects.update(sent=timezone.now() - datetime.timedelta(seconds=31))
    resend_messages()
    resend_messages()

    assert sent == [1, 1]


def test_a_queue_that_is_away_keeps_the_request_and_says_so(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    away = monkeypatch.setattr
    away(delivery, "send", lambda count=1: False)
    run = ask(design)
    Worker.objects.register("w", 1)

    shown = Client().get(f"/designs/{design.key}/runs/{run.pk}/").content.decode()
    assert "The queue is unavailable." in shown

    counts: list[int] = []
    away(delivery, "send", lambda count=1: counts.append(count) is None)
    sweep()
    assert counts == [1]
    shown = Client().get(f"/designs/{design.key}/runs/{run.pk}/").content.decode()
    assert "is unavailable" not in shown
    assert "Queued: the workers are busy with" in shown
    other = ask(design, seconds=0.2)
    other.steps.update(state="running")
    Run.objects.filter(pk=run.pk).update(state="running", started=timezone.now(), expected_seconds=40)
    assert again(run).progress.expected_end is None
    shown = Client().get(f"/designs/{design.key}/runs/{run.pk}/").content.decode()
    assert "Queued: the workers are busy with 1 other run. Estimated run time: about 40 seconds." in shown
    run.steps.update(state="running")
    assert again(run).progress.expected_end is not None


def test_without_any_worker_the_page_says_that_the_request_waits(design: Design) -> None:
    run = ask(design)

    assert "No workers are running." in Client().get(f"/designs/{design.key}/runs/{run.pk}/").content.decode()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"events": 20_000_000_001}, "would generate 20000000001 events; the maximum is 20000000000"),
        ({"memory_bytes": 1001 << 20}, "1049624576 of memory"),
        ({"seconds": 3601.0}, "about 3601.0"),
    ],
)
def test_what_is_too_large_is_refused_with_the_estimate_that_led_to_it(
    design: Design, parameters: dict[str, Any], said: str
) -> None:
    with pytest.raises(DesignError) as refused:
        ask(design, **parameters)

    assert said in refused.value.sentence.format(**refused.value.params)
    assert Run.objects.count() == 0


def test_what_takes_long_to_plan_is_planned_and_refused_by_a_worker(sent: list[int]) -> None:
    local = Person.objects.get_or_create_local()
    design = Design.objects.start(Spec(name="Large"), team=local.teams.get(), by=local)
    run, fine = ask(design, seconds=3601.0), ask(design, seconds=0.1)

    assert "progress" in Client().get(f"/designs/{design.key}/runs/{fine.pk}/").content.decode()
    while run_next_step("w"):
        pass

    assert (again(run).state, again(fine).state) == ("failed", "done")
    assert "This run would take about 3601.0; the maximum is 3600.0." in str(again(run).failure_text)
    assert again(fine).expected_seconds == 0.1


def test_a_team_has_only_so_many_runs_at_a_time(design: Design) -> None:
    for seed in range(4):
        ask(design, seed=seed)
    with pytest.raises(DesignError) as refused:
        ask(design, seed=4)

    assert refused.value.status == 429
    assert ask(design, seed=3)
    run_next_step("w")
    assert ask(design, seed=4)


def test_a_result_that_is_too_large_is_not_kept(design: Design, settings: Any) -> None:
    settings.KEYWRIGHT_RESULT_MB = 1
    run = ask(design, result_bytes=1 << 20)
    run_next_step("w")

    assert again(run).state == "failed"
    assert Part.objects.count() == 0


def test_old_results_are_dropped_and_their_documents_kept_as_long(design: Design) -> None:
    local = Person.objects.get_or_create_local()
    old = ask(design, seed=1)
    design.apply(Set(at="", name="name", value="Ballo", was="Balloons"), by=local)
    young = ask(Design.objects.get(pk=design.pk), seed=2)
    design.apply(Set(at="", name="name", value="Balloon", was="Ballo"), by=local)  # typing: no revision has it any more
    while run_next_step("w"):
        pass
    Run.objects.filter(pk=old.pk).update(ended=timezone.now() - datetime.timedelta(days=91))

    assert Run.objects.purge() == 1
    assert list(Run.objects.values_list("pk", flat=True)) == [young.pk]
    later = timezone.now() + datetime.timedelta(days=60)
    Design.objects.purge(later)
    assert again(young).document.spec.name == "Ballo"
    assert Client().get(f"/designs/{design.key}/of/{again(young).document_id}/").status_code == 200
    Run.objects.all().delete()
    Design.objects.purge(later)
    assert sorted(document.spec.name for document in Document.objects.all()) == ["Balloon", "Balloons"]


def test_a_database_that_is_away_for_a_moment_costs_no_work(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    monkeypatch.setattr(working.connection, "close", lambda: None)
    monkeypatch.setattr(working.time, "sleep", lambda seconds: None)
    run, times = ask(design), []
    finish = Step.finish

    def flaky(step: Step, parts: dict[str, bytes], **more: int) -> None:
        times.append(1)
        if len(times) < 3:
            raise OperationalError("server closed the connection unexpectedly")
        finish(step, parts, **more)

    monkeypatch.setattr(Step, "finish", flaky)
    run_next_step("w")

    assert (again(run).state, len(times)) == ("done", 3)


def test_a_beat_tells_the_database_at_most_twice_a_second(design: Design) -> None:
    ask(design)
    step = Step.objects.claim("w")
    assert step is not None
    hold = StepHold(step, guard=False)

    for fraction in (0.1, 0.2, 0.3):
        hold(fraction)

    assert Step.objects.get().fraction == 0.1


def test_progress_goes_from_nothing_to_all(design: Design) -> None:
    run = sharded_run(design)
    seen = [again(run).progress.fraction]
    while run_next_step("w"):
        seen.append(again(run).progress.fraction)

    assert seen == sorted(seen)
    assert (seen[0], round(seen[-2], 2), seen[-1]) == (0.0, 0.9, 1.0)


# --- pages


def test_a_run_is_started_watched_and_cancelled_from_pages(design: Design) -> None:
    client = Client()
    started = client.post(f"/designs/{design.key}/runs/", {"kind": "tiny", "seconds": "12"})
    run = Run.objects.get()
    address = f"/designs/{design.key}/runs/{run.pk}/"
    assert (started.status_code, started.headers["Location"]) == (302, address)

    assert re.search(r'<strong role="status">\s*queued\b', client.get(address).content.decode())
    version = again(run).progress.version
    assert client.get(f"{address}progress?since={version}").status_code == 204
    Worker.objects.register("w", 2)
    run_next_step("w")
    news = client.get(f"{address}progress?since={version}")
    assert "running" in news.content.decode()

    client.post(f"{address}cancel", headers=HTMX)
    assert client.get(f"{address}progress?since=x").headers["HX-Refresh"] == "true"
    assert "cancelled" in client.get(address).content.decode()
    assert "tiny" in client.get(f"/designs/{design.key}/runs/").content.decode()


def test_a_run_of_no_time_is_done_when_its_page_is_there(design: Design) -> None:
    Client().post(f"/designs/{design.key}/runs/", {"kind": "tiny", "seconds": "0.1"})

    assert Run.objects.get().state == "done"


def test_nobody_starts_a_kind_that_there_is_not(design: Design) -> None:
    assert Client().post(f"/designs/{design.key}/runs/", {"kind": "mine_coins"}).status_code == 404


def test_a_table_that_is_not_there_is_not_measured(design: Design) -> None:
    refused = Client().post(f"/designs/{design.key}/runs/", {"kind": "compression", "table": "x"})

    assert refused.status_code == 400
    assert "This table was removed from the design." in refused.content.decode()


# --- compression


@pytest.fixture
def unmeasured() -> Generator[None, None, None]:
    """Nothing is measured before, and no other test is told of what is measured here."""

    def forget() -> None:
        set_measurements(Measurements())
        measured._READ.again, measured._READ.last = 0.0, 0

    forget()
    yield
    forget()


@pytest.mark.usefixtures("unmeasured")
def test_a_measured_compression_is_what_every_process_estimates_with(sent: list[int]) -> None:
    local = Person.objects.get_or_create_local()
    spec = example("mobile-devices").spec
    design = Design.objects.start(spec, team=local.teams.get(), by=local)
    client, table = Client(), spec.tables[0].id
    estimate = f"/designs/{design.key}/of/{design.head_id}/"
    measure = re.compile(r">\s*Measure\s*</button>")
    assert measure.search(client.get(estimate).content.decode())

    client.post(f"/designs/{design.key}/runs/", {"kind": "compression", "table": table})
    run = Run.objects.get()
    run_next_step("w")
    said = client.get(f"/designs/{design.key}/runs/{run.pk}/").content.decode()

    assert "measured on" in said
    assert client.cookies["measured"].value == str(Measured.newest_id())
    shown = client.get(estimate).content.decode()
    assert "the middle of the range measured on" in shown
    assert not measure.search(shown)
    assert "measured on" in again(run).measurement_text.message


def test_a_measurement_of_another_process_is_read_when_a_browser_knows_of_it(
    design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_PROCESS", contexts._Process())
    monkeypatch.setattr(measured, "_READ", measured._Read(again=float("inf")))
    Measured.store(Measurement("c" * 64, 0.1, 0.2, 0.9, 0.01, 32, "snappy"))

    Measured.refresh()
    assert not known_measurements()
    Measured.refresh(Measured.newest_id())
    assert known_measurements().contents == ("c" * 64,)


@pytest.mark.usefixtures("unmeasured")
def test_after_a_measurement_a_simulation_is_another_and_its_workers_use_exactly_what_it_was_asked_with(
    sent: list[int],
) -> None:
    local = Person.objects.get_or_create_local()
    spec = example("mobile-devices").spec
    design = Design.objects.start(spec, team=local.teams.get(), by=local)
    before, _ = Run.objects.find_or_start(design, "simulate", {}, local)
    Run.objects.find_or_start(design, "compression", {"table": spec.tables[0].id}, local)
    held = Step.objects.filter(run__kind="compression").get()
    assert run_next_step("w", run=held.run)

    after, created = Run.objects.find_or_start(design, "simulate", {}, local)
    while run_next_step("w"):
        pass

    assert (created, before.measurements, len(after.measurements)) == (True, [], 1)
    assert before.part("head") != after.part("head")
    assert Run.objects.find_or_start(design, "simulate", {}, local) == (after, False)
