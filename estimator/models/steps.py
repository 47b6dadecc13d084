"""Steps of runs: what one worker does at a time. The row says who holds it; a message only that there is one.

A step is held by whoever knows its token, until the lease ends. Every change of a held step asks for the token in its
own UPDATE, so that of two who believe to hold it only one can store anything. Rows are locked in the order run, steps,
and who does not hold the run changes one step at a time, or waits for none: nobody waits for each other.
Leases are by the database's clock: machines need not agree on the time.
"""

import datetime
import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Now
from django.utils import timezone

from designer.document.texts import N_, Text
from designer.models.jsontext import JsonText
from designer.models.texts import to_data

from .runs import Part, Run, piece_name
from .workers import Worker

MOST_ATTEMPTS = 3
"""So often a step is begun before its run fails: a worker may be killed, twice by bad luck."""


class RunCancelledError(Exception):
    """The run was cancelled while it was worked on."""


class LeaseLostError(Exception):
    """The step is somebody else's by now, or nobody's: nothing of it may be stored."""


class Steps(models.Manager["Step"]):
    """Finds what is to be done next, and what has been left lying."""

    def claim(self, worker: str, *, run: Run | None = None) -> "Step | None":
        """Take the next step in turn, or the next of one run; None where nothing is to be done."""
        for pk in self._ids_by_fairness() if run is None else self._queued_ids(run):
            now = timezone.now()
            token = secrets.token_hex(16)
            row_count = self.filter(pk=pk, state="queued").update(
                state="running", token=token, worker=worker, attempts=F("attempts") + 1, claimed=now, heard=now,
                lease=Now() + lease(), fraction=0.0,
            )  # fmt: skip
            step = self.filter(pk=pk, token=token).select_related("run").first() if row_count else None
            if step is not None:
                # by the run's own row: a condition on another row would be of before a cancellation it waited for
                Run.objects.filter(pk=step.run_id, state="queued").update(state="running", started=now)
                Run.objects.filter(pk=step.run_id).update(served=now)
                step.run.refresh_from_db()
                return step
        return None

    def _queued_ids(self, run: Run) -> Iterator[int]:
        yield from self.filter(run=run, state="queued").order_by("number").values_list("pk", flat=True)[:50]

    def _ids_by_fairness(self) -> Iterator[int]:
        """Queued steps: first of the team that is worked for least, then of the one that waits longest.

        Of one run only so many are worked on at a time that at least one worker, where there are three, is left to
        others. Two who ask at the same moment may exceed that by one.
        """
        waiting = list(
            self.filter(state="queued")
            .order_by("run__asked", "run", "number")
            .values_list("pk", "run", "run__design__team")[:1000]
        )
        if not waiting:
            return
        running_steps = list(self.filter(state="running").values_list("run", "run__design__team"))
        of_run, of_team = Counter(run for run, _ in running_steps), Counter(team for _, team in running_steps)
        most = concurrent_step_limit(Worker.objects.slots())
        service_times = dict(Run.objects.filter(pk__in={run for _, run, _ in waiting}).values_list("pk", "served"))
        teams = {team for _, _, team in waiting}
        last = dict(
            Run.objects.filter(design__team__in=teams).values("design__team").annotate(last=Max("served"))
            .values_list("design__team", "last")
        )  # fmt: skip
        never = datetime.datetime.min.replace(tzinfo=datetime.UTC)
        turns: list[tuple[Any, ...]] = [
            (of_team[team], last.get(team) or never, of_run[run], service_times.get(run) or never, place, pk)
            for place, (pk, run, team) in enumerate(waiting)
            if of_run[run] < most
        ]
        for *_, pk in sorted(turns):
            yield pk

    def release(self, worker: str) -> None:
        """Release the steps of a worker that stops; they do not count as failed attempts."""
        own_steps = self.filter(worker=worker, state="running")
        for pk in list(own_steps.values_list("pk", flat=True)):
            own_steps.filter(pk=pk).update(state="queued", token="", lease=None, attempts=F("attempts") - 1, sent=None)

    def mark_notified(self, pks: Collection[int]) -> None:
        """Workers have been told of these now. Those that somebody is changing at this moment are left out."""
        with transaction.atomic():
            free = self.select_for_update(skip_locked=True).filter(pk__in=pks, state="queued")
            self.filter(pk__in=list(free.values_list("pk", flat=True))).update(sent=timezone.now())

    def take_back(self, worker: str | None = None) -> int:
        """Queue what a worker holds that was not heard in time, or that this one holds, which is known to be dead.

        A run that this happened to too often fails.
        """
        count = 0
        running_steps = self.filter(state="running")
        dead = running_steps.filter(has_ended(lease())) if worker is None else running_steps.filter(worker=worker)
        for step in dead.select_related("run"):
            count += 1
            if step.attempts >= MOST_ATTEMPTS:
                words = N_(
                    "A worker stopped {attempts} times during this run. The run may need more memory than the worker "
                    "has."
                )
                step.run.fail(Text(words, {"attempts": step.attempts}), only_if=step)
            else:
                self._requeue(step)
        return count

    def _requeue(self, step: "Step") -> None:
        """Queue a step again, unless its worker is storing something of it: then, at most, at the next sweep."""
        with transaction.atomic():
            free = self.select_for_update(skip_locked=True).filter(pk=step.pk, token=step.token)
            self.filter(pk__in=list(free.values_list("pk", flat=True))).update(
                state="queued", token="", lease=None, sent=None
            )


class Step(models.Model):
    """Unit of work of one worker: begin a run, compute some of its windows, or finish it."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=6)
    """begin, work, finish."""
    first = models.PositiveIntegerField(default=0)
    last = models.PositiveIntegerField(default=0)
    """Windows [first, last)."""
    state = models.CharField(max_length=7, default="queued")
    """queued, running, done."""
    token = models.CharField(max_length=32, blank=True)
    worker = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    claimed = models.DateTimeField(null=True)
    heard = models.DateTimeField(null=True)
    lease = models.DateTimeField(null=True)
    """Until when the worker is believed to be alive."""
    sent = models.DateTimeField(null=True)
    """When workers were last told of it; None: never, or it came back."""
    fraction = models.FloatField(default=0.0)
    doing = JsonText(null=True)
    data = models.BinaryField(null=True)
    """What came out, until the run is finished."""

    objects: ClassVar[Steps] = Steps()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_step_of_a_number")]
        indexes = [models.Index(fields=["state", "lease"], name="steps_by_lease")]

    def beat(self, fraction: float, doing: Text | None) -> None:
        """Say that it goes on, and how far it is.

        Raises
        ------
        RunCancelledError, LeaseLostError
            If it is to stop.
        """
        now = timezone.now()
        message = to_data(doing) if doing else None
        if not self._own_rows().update(
            heard=now, lease=Now() + lease(), fraction=min(max(fraction, 0.0), 1.0), doing=message
        ):
            raise self._lease_error()

    def split(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Instead of this first step, one for each range of windows, for any worker to take."""
        steps = [
            Step(run=self.run, number=number, phase="work", first=first, last=last)
            for number, (first, last) in enumerate(ranges, 1)
        ]
        with transaction.atomic():
            if not Run.objects.filter(pk=self.run_id, state="running").update(left=len(steps)):
                raise self._lease_error()
            self._clear_worker()
            Step.objects.bulk_create(steps)

    def complete(self, data: bytes) -> None:
        """Store what came out of these windows. Whoever completes the last of them lets the run be finished."""
        with transaction.atomic():
            if not Run.objects.filter(pk=self.run_id, state="running").update(left=F("left") - 1):
                raise self._lease_error()
            if not self._own_rows().update(state="done", token="", lease=None, data=data, fraction=1.0):
                raise self._lease_error()  # takes the counting back, too
            remaining = Run.objects.values_list("left", flat=True).get(pk=self.run_id)
            if remaining == 0:
                Step.objects.create(run=self.run, number=self.run.steps.count() + 1, phase="finish")

    def append(self, number: int, piece: bytes) -> None:
        """Store the next piece of a file; an earlier attempt may have stored the same."""
        now = timezone.now()
        with transaction.atomic():
            if not self._own_rows().update(heard=now, lease=Now() + lease()):
                raise self._lease_error()
            part = Part(run=self.run, name=piece_name(number), data=piece)
            Part.objects.bulk_create([part], ignore_conflicts=True)

    def finish(self, parts: dict[str, bytes], *, file_bytes: int = 0) -> None:
        """Store the result; from now on the run is done."""
        size_bytes = file_bytes + sum(map(len, parts.values()))
        with transaction.atomic():
            if not self.run.end("done", size_bytes=size_bytes, holding=self):
                raise self._lease_error()
            Part.objects.bulk_create([Part(run=self.run, name=name, data=data) for name, data in parts.items()])

    def record_failure(self, error: str) -> None:
        """Record a failure: another attempt, or the end of the run."""
        if self.attempts < MOST_ATTEMPTS:
            self._own_rows().update(state="queued", token="", lease=None, sent=None)
            return
        words = N_("The run failed {attempts} times. Last error: {error}")
        self.run.fail(Text(words, {"attempts": self.attempts, "error": error[:500]}), only_if=self)

    @property
    def shards(self) -> Iterator[bytes]:
        """Results of the run's windows in order, one at a time."""
        done = Step.objects.filter(run=self.run_id, phase="work", state="done")
        for pk in done.order_by("number").values_list("pk", flat=True):
            yield bytes(Step.objects.values_list("data", flat=True).get(pk=pk) or b"")

    def _own_rows(self) -> models.QuerySet["Step"]:
        return Step.objects.filter(pk=self.pk, token=self.token, state="running")

    def _clear_worker(self) -> None:
        if not self._own_rows().delete()[0]:
            raise self._lease_error()

    def _lease_error(self) -> Exception:
        state = Run.objects.filter(pk=self.run_id).values_list("state", flat=True).first()
        return RunCancelledError() if state == "cancelled" else LeaseLostError()


def lease() -> datetime.timedelta:
    """Return how long a worker that is not heard is believed to be alive."""
    return datetime.timedelta(seconds=settings.KEYWRIGHT_LEASE_SECONDS)


def has_ended(length: datetime.timedelta) -> Q:
    """Return the condition that a lease has run out, or is of a time from which the clock was set back."""
    return Q(lease__lt=Now()) | Q(lease__gt=Now() + 2 * length)


def concurrent_step_limit(slots: int) -> int:
    """Return the number of steps of one run that may be worked on at a time."""
    return max(2, min(slots - 1, settings.KEYWRIGHT_STEPS_AT_ONCE))
