"""Whatever happens to workers, queue, database and web server: every run is done, right and once, or says why not."""

import http.client
import os
import random
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from designer.models import Design, Person
from estimator.models import Run, Step
from tests import postgres
from tests.jobs import tiny
from tests.jobs.place import (
    LEASE_SECONDS,
    Place,
    Valkey,
    again,
    alive,
    at_work,
    children,
    ended,
    holder,
    nothing_is_left,
    until,
    worker_of,
)

LONG = {"seconds": 60.0, "windows": 12, "window_seconds": 0.02}
"""A run of six steps, however many workers there are."""


def ask(design: Design, **parameters: Any) -> Run:
    return Run.objects.find_or_start(design, "tiny", {**LONG, **parameters}, Person.objects.get_or_create_local())[0]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """No window of a run with this gate is counted before it is there: whatever happens, happens in the middle."""
    return tmp_path / "gate"


def is_right(run: Run, *, windows: int = 12) -> bool:
    return (run.state, run.part("head")) == ("done", tiny.right(windows, run.parameters["seed"]))


def finished_once(once: Path) -> bool:
    """Or again after a lease ran out: on a machine that stood still for so long another worker must begin anew."""
    began = sorted(map(float, once.read_text().split()))
    return bool(began) and all(after - before > 0.9 * LEASE_SECONDS for before, after in pairwise(began))


@pytest.mark.team
def test_a_worker_is_killed_in_the_middle(place: Place, design: Design, tmp_path: Path, gate: Path) -> None:
    once = tmp_path / "once"
    run = ask(design, once=str(once), gate=str(gate))
    until(lambda: at_work(2), what="both at work")

    place.kill(until(holder, what="a worker at it").partition("@")[0])
    gate.touch()

    assert is_right(ended(run))
    assert finished_once(once)
    nothing_is_left()


@pytest.mark.team
def test_a_worker_that_stalls_for_longer_than_its_lease_stores_nothing(
    place: Place, design: Design, gate: Path
) -> None:
    run = ask(design, windows=1, gate=str(gate))
    stalled = until(holder, what="a worker at it")
    (process,) = children(place.processes[stalled.partition("@")[0]].pid)

    os.kill(process, signal.SIGSTOP)
    until(lambda: holder() not in ("", stalled), what="the other worker")
    gate.touch()
    assert is_right(ended(run), windows=1)
    stored = list(run.parts.values_list("pk", flat=True))
    os.kill(process, signal.SIGCONT)

    both = ask(design, seed=1, gate=str(gate.with_name("second")))
    until(lambda: at_work(2), what="both at work")  # so it has let go
    assert list(run.parts.values_list("pk", flat=True)) == stored
    gate.with_name("second").touch()
    assert is_right(ended(both))
    nothing_is_left()


@pytest.mark.team
def test_all_workers_are_killed_and_others_started(place: Place, design: Design, gate: Path) -> None:
    run = ask(design, gate=str(gate))
    until(lambda: at_work(2), what="both at work")

    place.kill("a")
    place.kill("b")
    assert again(run).is_active
    gate.touch()
    place.worker("a")

    assert is_right(ended(run))
    nothing_is_left()


@pytest.mark.team
def test_the_broker_is_stopped_and_started(place: Place, design: Design, redis: Valkey, gate: Path) -> None:
    run = ask(design, gate=str(gate))
    until(lambda: at_work(2), what="both at work")

    redis.kill()
    kept = ask(design, seed=1)
    assert not kept.progress.delivered
    gate.touch()
    assert is_right(ended(run))  # who is at work goes on without the queue
    redis.start()

    assert is_right(ended(kept))
    third = ask(design, seed=2)
    assert is_right(ended(third))
    nothing_is_left()


@pytest.mark.team
def test_the_database_is_restarted(place: Place, design: Design, gate: Path) -> None:
    server = postgres.server()
    if server is None:
        pytest.skip("the server is not ours to restart")
    run = ask(design, gate=str(gate))
    until(lambda: at_work(2), what="both at work")

    connection.close()
    server.end()
    gate.touch()
    time.sleep(0.5)
    server.start()

    assert is_right(ended(run))
    nothing_is_left()


@pytest.mark.embedded
def test_the_worker_of_the_embedded_site_is_killed(place: Place, design: Design, gate: Path) -> None:
    run = ask(design, gate=str(gate))
    until(at_work, what="work")
    worker = worker_of(place.processes["serve"].pid)

    os.kill(worker, signal.SIGKILL)
    gate.touch()

    assert is_right(ended(run))
    nothing_is_left()


@pytest.mark.embedded
def test_the_embedded_site_is_killed_and_its_processes_go_with_it(place: Place, design: Design, gate: Path) -> None:
    run = ask(design, gate=str(gate))
    until(at_work, what="work")
    started = children(place.processes["serve"].pid)
    assert worker_of(place.processes["serve"].pid) in started

    serve = place.processes.pop("serve")
    serve.kill()
    serve.wait()
    until(lambda: not any(map(alive, started)), what="the end of all that it started")
    assert again(run).is_active
    gate.touch()
    place.serve()

    assert is_right(ended(run))
    nothing_is_left()


@pytest.mark.team
def test_the_web_server_is_restarted_while_somebody_watches(place: Place, design: Design, gate: Path) -> None:
    place.web()
    run = ask(design, gate=str(gate))
    until(lambda: look(place, design, run) == "running", what="progress")

    place.kill("web")
    assert look(place, design, run) == "lost"
    place.web()
    until(lambda: look(place, design, run) == "running", what="progress again")

    gate.touch()
    until(lambda: look(place, design, run) == "ended", what="its end on the page")
    assert is_right(again(run))
    place.kill("web")
    nothing_is_left()


def look(place: Place, design: Design, run: Run) -> str:
    """What a page that watches is told: nothing while the server is away, some progress, or the end."""
    try:
        page = http.client.HTTPConnection("127.0.0.1", place.port, timeout=10)
        page.request("GET", f"/designs/{design.key}/runs/{run.pk}/progress?since=x", headers={"HX-Request": "true"})
        answer = page.getresponse()
        said = answer.read().decode()
    except OSError:
        return "lost"
    return "ended" if answer.headers["HX-Refresh"] else "running" if '<strong role="status">running' in said else said


def test_the_same_run_is_requested_ten_times_at_once(place: Place, design: Design, tmp_path: Path) -> None:
    once = tmp_path / "once"
    together = threading.Barrier(10)

    def request(_: int) -> tuple[int, bool]:
        together.wait()
        try:
            run, created = Run.objects.find_or_start(design, "tiny", {**LONG, "once": str(once)}, None)
            return run.pk, created
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as several:
        came = list(several.map(request, range(10)))

    assert len({pk for pk, _ in came}) == 1
    assert sum(created for _, created in came) == 1
    assert is_right(ended(Run.objects.get()))
    assert finished_once(once)
    nothing_is_left()


def test_runs_are_cancelled_at_random_moments_a_hundred_times(place: Place, design: Design) -> None:
    chance = random.Random(5)
    states = Counter[str]()
    at_most = 0.1
    for seed in range(100):
        run = ask(design, seed=seed, windows=4, window_seconds=0.005, seconds=60.0 if seed % 2 else 1.0)
        time.sleep(chance.uniform(0.0, at_most))
        run.cancel()
        run = again(run)
        states[run.state] += 1
        at_most *= 1.05 if run.state == "cancelled" else 0.7  # about as long as one takes on this machine now
        assert run.state == "cancelled" or is_right(run, windows=4)

    until(lambda: not Step.objects.exists(), what="an end of all steps")
    nothing_is_left()
    assert states.keys() == {"done", "cancelled"}, states


def test_a_worker_is_free_within_two_seconds_of_cancelling(place: Place, design: Design) -> None:
    took = [free_after_seconds(place, design)]
    while took[-1] >= 2 and len(took) < 3:  # a machine may be busy with other work for so long, but not each time
        took.append(free_after_seconds(place, design))

    assert min(took) < 2, took
    nothing_is_left()


def free_after_seconds(place: Place, design: Design) -> float:
    long = [ask(design, seed=seed, windows=1, window_seconds=600.0) for seed in range(2)]
    workers = 2 if place.redis_url else 1
    until(lambda: Step.objects.filter(state="running").count() == workers, what="busy workers")

    for run in long:
        run.cancel()
    started = time.monotonic()
    quick = ask(design, windows=1, window_seconds=0.0, seed=random.getrandbits(30))

    assert is_right(ended(quick), windows=1)
    return time.monotonic() - started


def test_a_shard_that_always_fails_ends_its_run_with_the_reason(place: Place, design: Design) -> None:
    run = ended(ask(design, fails_at=3))

    assert run.state == "failed"
    assert str(run.failure_text) == "The run failed 3 times. Last error: ZeroDivisionError: window 3 cannot be counted"
    nothing_is_left()


def test_a_shard_that_kills_its_worker_ends_its_run_and_no_other(place: Place, design: Design) -> None:
    deadly, other = ask(design, dies_at=3), ask(design, seed=1)

    assert is_right(ended(other))
    assert "A worker stopped 3 times during this run." in str(ended(deadly).failure_text)
    nothing_is_left()


@pytest.mark.team
def test_a_shard_that_hangs_ends_its_run_and_keeps_no_worker(place: Place, design: Design) -> None:
    stuck = ask(design, hangs_at=0, windows=1)
    until(lambda: Step.objects.filter(state="running").exists(), what="a worker that hangs")

    assert "A worker stopped 3 times during this run." in str(ended(stuck).failure_text)
    others = [ask(design, seed=seed, windows=1) for seed in range(2)]
    assert all(is_right(ended(run), windows=1) for run in others)
    nothing_is_left()


def test_nothing_is_left_in_the_queue(place: Place, design: Design) -> None:
    ended(ask(design))

    if place.redis_url:
        import redis

        queue = redis.Redis.from_url(place.redis_url)
        until(lambda: queue.llen("celery") == 0, what="an empty queue")
    else:
        until(lambda: not list((place.folder / "queue" / "messages").iterdir()), what="an empty queue")
