"""Worker loop: take the next step, compute, store, with beats while it computes."""

import faulthandler
import logging
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from estimator.contexts import context_with
from estimator.models import LeaseLostError, Measured, Run, RunCancelledError, Step, Worker
from estimator.runs.kinds import ProgressCallback, RunPlan, RunType, find_run_type
from estimator.runs.limits import cached_plan, check_file, check_plan, check_size, clear_plans

LOG = logging.getLogger("keywright.jobs")
STEP_SECONDS = 0.1
"""A step that takes less is not worth its message."""
LONGEST_STEP_SECONDS = 10.0
"""After so long, others get their turn."""
STEPS_PER_SLOT = 3
FEW_EVENTS = 10_000_000
"""Below, one process is done before others have begun."""

Came = TypeVar("Came")
DATABASE_AWAY = (OperationalError, InterfaceError)


def run_next_step(worker: str, *, run: Run | None = None, guard: bool = False) -> bool:
    """Do the next step in turn, or of one run; False if there was none.

    With `guard`, a process that computes without a beat for too long ends itself: whoever started it starts another.
    """
    step = Step.objects.claim(worker, run=run)
    if step is None:
        return False
    hold = StepHold(step, guard=guard)
    try:
        _run_step(step, hold)
    except (RunCancelledError, LeaseLostError) as over:
        LOG.info("step %s of run %s: %s", step.number, step.run_id, type(over).__name__)
    except DesignError as refused:
        reason = Text(refused.sentence, refused.params)
        store_with_retries(lambda: step.run.fail(reason, only_if=step))
    except DATABASE_AWAY:
        LOG.exception("step %s of run %s was let go", step.number, step.run_id)  # its lease ends, another takes it
        connection.close()
    except MemoryError:
        words = N_("The run needs more memory than this worker has.")
        store_with_retries(lambda: step.run.fail(Text(words), only_if=step))
    except Exception as error:
        LOG.exception("step %s of run %s failed", step.number, step.run_id)
        message = f"{type(error).__name__}: {error}"
        store_with_retries(lambda: step.record_failure(message))
    finally:
        hold.release()
    return True


SOON_SECONDS = 0.5
"""What takes less is done where it is asked: sooner than a message would be heard."""


def run_quickly(run: Run) -> bool:
    """Do a run that takes next to no time here and now; False: everything else is left to workers."""
    done = 0 < run.expected_seconds < SOON_SECONDS and run_next_step("web", run=run)
    clear_plans()
    return done


class StepHold:
    """A worker's hold of a step: renews its lease, and learns that it is to stop."""

    def __init__(self, step: Step, *, guard: bool) -> None:
        self._step, self._guard = step, guard
        self._next = time.monotonic()
        self._arm()

    def __call__(self, fraction: float, doing: Text | None = None) -> None:
        """Send a beat; the database is updated at most twice a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + min(0.5, settings.KEYWRIGHT_LEASE_SECONDS / 4)
        self._arm()
        try:
            self._step.beat(fraction, doing)
        except DATABASE_AWAY as away:
            LOG.warning("the database is away, the step goes on: %s", away)
            connection.close()

    def part_progress(self, low: float, high: float) -> ProgressCallback:
        """Return a beat for a part of the step."""
        return lambda fraction, doing=None: self(low + (high - low) * fraction, doing)

    def release(self) -> None:
        """End the hold of the step."""
        if self._guard:
            faulthandler.cancel_dump_traceback_later()

    def _arm(self) -> None:
        if self._guard:  # a thread of C, which code that never comes back cannot hold up
            seconds = 2 * settings.KEYWRIGHT_LEASE_SECONDS
            faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or 2)


def _run_step(step: Step, hold: StepHold) -> None:
    run, about = step.run, find_run_type(step.run.kind)
    planned = cached_plan(
        run.kind, run.document.spec, run.parameters, context_with(Measured.measurements_of(run.measurements))
    )
    if step.phase == "begin":
        check_plan(planned)
        Run.objects.filter(pk=run.pk).update(expected_seconds=planned.seconds)
    if about.pieces is not None:
        _finish(step, about, {}, file_bytes=_file(step, about.pieces(planned, hold.part_progress(0.0, 1.0))))
    elif step.phase == "begin":
        ranges = cut_windows(planned, Worker.objects.slots())
        if len(ranges) > 1:
            store_with_retries(lambda: step.split(ranges))
            store_with_retries(lambda: run.deliver())
            return
        data = about.work(planned, 0, planned.windows, hold.part_progress(0.0, 0.9))
        _finish(step, about, about.finish(planned, [data], hold.part_progress(0.9, 1.0)))
    elif step.phase == "work":
        data = about.work(planned, step.first, step.last, hold)
        store_with_retries(lambda: step.complete(data))
    else:
        _finish(step, about, about.finish(planned, step.shards, hold))


def _file(step: Step, pieces: Iterator[bytes]) -> int:
    """Store the pieces of a file as they come; bytes of all."""
    size_bytes = 0
    for number, piece in enumerate(pieces):
        size_bytes += len(piece)
        check_file(size_bytes)
        store_with_retries(lambda number=number, piece=piece: step.append(number, piece))  # type: ignore[misc]
    return size_bytes


def _finish(step: Step, about: RunType, parts: dict[str, bytes], *, file_bytes: int = 0) -> None:
    check_size(parts)
    measurement = about.measurement(parts)
    if measurement is not None:  # before the run is done, as who waits for it then looks for the measurement
        store_with_retries(lambda: Measured.store(measurement))
    store_with_retries(lambda: step.finish(parts, file_bytes=file_bytes))


def cut_windows(plan: RunPlan, slots: int) -> list[tuple[int, int]]:
    """Return the windows in as few ranges as keep all workers busy, neither too short nor too long."""
    count = 1
    if plan.events >= FEW_EVENTS or plan.keys or plan.seconds > LONGEST_STEP_SECONDS:
        step_count = max(STEPS_PER_SLOT * slots, int(plan.seconds / LONGEST_STEP_SECONDS))
        count = max(1, min(step_count, int(plan.seconds / STEP_SECONDS), plan.windows))
    ends = [plan.windows * number // count for number in range(count + 1)]
    return list(pairwise(ends))


def store_with_retries(store: Callable[[], Came]) -> Came:
    """Store something, also when the database is away for a moment: what was computed is not thrown away for that."""
    until = time.monotonic() + settings.KEYWRIGHT_LEASE_SECONDS
    while True:
        try:
            return store()
        except DATABASE_AWAY:
            if time.monotonic() > until:
                raise
            connection.close()
            time.sleep(0.2)
