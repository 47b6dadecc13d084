"""Runs: questions about a design that take longer than a page may. The row is the truth; queues only deliver."""

import datetime
import gzip
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from django.conf import settings
from django.db import models, transaction
from django.db.models import Count, Sum
from django.utils import timezone

from designer.document.dump import digest
from designer.document.texts import N_, Text
from designer.models import Design, Document, Person, Team, publish
from designer.models.jsontext import JsonText
from designer.models.texts import from_data, to_data
from designer.models.webhooks import design_data
from estimator.contexts import context_with, current_context
from estimator.estimates.estimate import measured_contents
from estimator.results import Measurement
from estimator.runs import delivery
from estimator.runs.code import program_fingerprint
from estimator.runs.kinds import find_run_type as kind_of
from estimator.runs.limits import TooManyRunsError, cached_plan, check_plan

from .measured import Measured

State = Literal["queued", "running", "done", "failed", "cancelled"]
LEAST_SECONDS = 1.0
"""A shorter run is told as one second."""
_STATES = {
    "queued": N_("queued"),
    "running": N_("running"),
    "done": N_("completed"),
    "failed": N_("failed"),
    "cancelled": N_("cancelled"),
}
ACTIVE: tuple[State, ...] = ("queued", "running")

FIRST_LINES = 11
"""So many lines of a file are shown: the header of a CSV and ten keys."""
PIECE_WAIT_SECONDS = 0.1
"""Who reads a file that is being made looks so often for its next piece."""

FINISHING_SHARE = 0.1
"""What is left of a bar for playing and storing, after all windows are counted."""


class LeasedStep(Protocol):
    """A step of a run, and the token of the worker that holds it."""

    @property
    def pk(self) -> int: ...
    @property
    def token(self) -> str: ...


class Runs(models.Manager["Run"]):
    """Asks questions, and finds what was asked."""

    def find_or_start(
        self, design: Design, kind: str, parameters: Mapping[str, Any], person: Person | None, *, deliver: bool = True
    ) -> tuple["Run", bool]:
        """Return the run for a question about the present design, and whether this call started it.

        Without `deliver` workers are notified by the caller, or by the sweeper.

        Raises
        ------
        DesignError
            If it would take more than is allowed, if the team has too many runs, or if there is nothing to compute.
        """
        canonical = kind_of(kind).canonical(parameters)
        Measured.refresh(Measured.newest_id())
        measured = list(measured_contents(design.spec, current_context()))
        question = digest([design.head_id, kind, canonical, measured, program_fingerprint()])
        existing_run = self.filter(design=design, question=question).exclude(state__in=("failed", "cancelled")).first()
        if existing_run is not None:
            return existing_run, False
        seconds = 0.0
        if kind_of(kind).quick(design.spec):
            planned = cached_plan(kind, design.spec, canonical, context_with(Measured.measurements_of(measured)))
            check_plan(planned)
            seconds = planned.seconds
        with transaction.atomic():
            Team.objects.select_for_update().get(pk=design.team_id)  # who ask at once count one by one
            run = self.filter(design=design, question=question).first()
            if run is not None and run.state not in ("failed", "cancelled"):
                return run, False
            self._check_capacity(design.team_id)
            run = run or Run(design=design, kind=kind, parameters=canonical, measurements=measured, question=question)
            run._begin(design.head, person, seconds)
        if deliver:
            run.deliver()
        return run, True

    def _check_capacity(self, team: int) -> None:
        active = self.filter(design__team=team, state__in=ACTIVE).count()
        if active >= settings.KEYWRIGHT_MOST_RUNS:
            words = N_("Your team has {active} active runs; the maximum is {most}. Wait for a run to finish, or cancel "
    "one.")  # fmt: skip
            raise TooManyRunsError(words, active=active, most=settings.KEYWRIGHT_MOST_RUNS)

    def end_overdue(self) -> int:
        """End runs that take longer than is allowed; how many."""
        limit = datetime.timedelta(minutes=settings.KEYWRIGHT_RUN_MINUTES)
        late = self.filter(state="running", started__lt=timezone.now() - limit)
        words = N_("The run exceeded the time limit of {limit_seconds}.")
        return sum(run.fail(Text(words, {"limit_seconds": limit.total_seconds()})) for run in late)

    def purge(self, now: datetime.datetime | None = None) -> int:
        """Drop what was computed long ago; how many runs."""
        before = (now or timezone.now()) - datetime.timedelta(days=settings.KEYWRIGHT_RESULT_DAYS)
        with transaction.atomic():  # a run that somebody asks again at this moment is there before or after, not half
            old = self.select_for_update().filter(ended__lt=before).exclude(state__in=ACTIVE)
            pks = list(old.values_list("pk", flat=True))
            self.filter(pk__in=pks).delete()
        return len(pks)


@dataclass(frozen=True)
class RunProgress:
    """Progress of a run at one moment."""

    state: str
    fraction: float
    doing: Text | None
    heard: datetime.datetime | None
    """When a worker was last heard of."""
    expected_end: datetime.datetime | None
    """None while nobody is at it: when its turn comes is not known."""
    others: int
    """Runs that workers are at instead, while nobody is at this one."""
    steps: int
    done: int
    workers: int
    """Steps that somebody works on now."""
    delivered: bool
    """False: the queue could not be reached yet."""

    @property
    def version(self) -> str:
        """Version of the progress, which changes with what is shown of it."""
        heard = int(self.heard.timestamp()) if self.heard else 0
        work = f"{self.done}-{self.workers}-{self.others}"
        return f"{self.state}-{self.fraction:.3f}-{work}-{heard}-{int(self.delivered)}"


class Run(models.Model):
    """One question about one content of a design, how far its answer is, and what became of it."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="runs")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    parameters = JsonText()
    measurements = JsonText(default=list)
    """Contents whose measured compression the estimate used when this was asked."""
    question = models.CharField(max_length=64)
    """Hash of document, kind, parameters, measurements and code: the same question is answered from what is stored."""
    code = models.CharField(max_length=40)
    """The version of the program that answers."""
    state = models.CharField(max_length=9, default="queued")
    reason = JsonText(null=True)
    """Why it failed, as a message and its parameters."""
    asked_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    asked = models.DateTimeField(default=timezone.now)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    served = models.DateTimeField(null=True)
    """When a worker last took a step of it."""
    expected_seconds = models.FloatField(default=0.0)
    """As planned; 0: not known before a worker has planned it."""
    left = models.PositiveIntegerField(default=0)
    """Steps whose windows are not counted yet."""
    size_bytes = models.BigIntegerField(default=0)

    objects: ClassVar[Runs] = Runs()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "question"], name="one_run_of_a_question")]
        indexes = [models.Index(fields=["state", "asked"], name="runs_by_state")]

    @property
    def is_active(self) -> bool:
        """True if it has not ended yet."""
        return self.state in ACTIVE

    @property
    def is_outdated(self) -> bool:
        """True if the design has changed since."""
        return self.document_id != self.design.head_id

    @property
    def failure_text(self) -> Text | None:
        """Reason for its failure, in words."""
        return from_data(self.reason) if self.reason else None

    @property
    def title(self) -> Text:
        """Question of the run, in words."""
        about = kind_of(self.kind)
        return about.title(self.document.spec, self.parameters)

    @property
    def state_words(self) -> str:
        """The state, to be translated."""
        return _STATES[self.state]

    @property
    def duration(self) -> Text | None:
        """The same for a column that says what it is."""
        return Text("{run_seconds}", self.elapsed_text.params) if self.elapsed_text else None

    @property
    def elapsed_text(self) -> Text | None:
        """From its start to its end."""
        if self.started is None or self.ended is None:
            return None
        seconds = max((self.ended - self.started).total_seconds(), LEAST_SECONDS)
        return Text(N_("took {run_seconds}"), {"run_seconds": seconds})

    @property
    def form_fields(self) -> list[tuple[str, str]]:
        """Form fields to post for the same question."""
        return [
            (name, value if isinstance(value, str) else json.dumps(value)) for name, value in self.parameters.items()
        ]

    @property
    def measurement_text(self) -> Text:
        """Result of a compression measurement, in words."""
        it = Measurement(**json.loads(self.part("measurement") or b""))
        words = N_(
            "Size on disk: {low_share} to {high_share} of the original bytes, measured on {blocks} blocks "
            "with {codecs}."
        )
        params = {"low_share": it.low_share, "high_share": it.high_share, "blocks": it.blocks, "codecs": it.codecs}
        return Text(words, params)

    @property
    def file_name(self) -> str:
        """Of the file that it makes; empty where it makes none."""
        return kind_of(self.kind).file_name(self.document.spec, self.parameters)

    @property
    def first_lines(self) -> str:
        """Of the file."""
        piece = self.part(piece_name(0))
        if piece is None:
            return ""
        return "\n".join(gzip.decompress(piece)[:20_000].decode(errors="replace").splitlines()[:FIRST_LINES])

    def part(self, name: str) -> bytes | None:
        """One part of the result; None where there is no such part."""
        data = self.parts.filter(name=name).values_list("data", flat=True).first()
        return None if data is None else bytes(data)

    def pieces(self) -> Iterator[bytes]:
        """Yield the pieces of its file; wait for those that do not exist yet.

        Raises
        ------
        RunEndedError
            If the run was ended before the file was.
        """
        number = 0
        while True:
            piece = self.part(piece_name(number))
            if piece is not None:
                number += 1
                yield piece
                continue
            state = Run.objects.filter(pk=self.pk).values_list("state", flat=True).first()
            if state in ACTIVE:
                time.sleep(PIECE_WAIT_SECONDS)
            elif state != "done":
                raise RunEndedError
            elif self.part(piece_name(number)) is None:  # it may have come just before the run was done
                return

    def cancel(self) -> bool:
        """End it, whatever is under way; False if it had ended already. Workers notice at their next beat."""
        return self.end("cancelled")

    def fail(self, reason: Text, *, only_if: LeasedStep | None = None) -> bool:
        """End it with a reason; with `only_if`, only while that step is held by who holds it."""
        return self.end("failed", reason=to_data(reason), holding=only_if)

    def end(self, state: State, *, holding: LeasedStep | None = None, **fields: Any) -> bool:
        """End it in this state, once; what only served the computing is dropped."""
        with transaction.atomic():
            ended = {"state": state, "ended": timezone.now(), "left": 0, **fields}
            if not Run.objects.filter(pk=self.pk, state__in=ACTIVE).update(**ended):
                return False
            if holding is not None and not self.steps.filter(pk=holding.pk, token=holding.token).delete()[0]:
                transaction.set_rollback(True)
                return False
            self.steps.all().delete()
            if state != "done":
                self.parts.all().delete()
            if state in ("done", "failed"):
                run = {"number": self.pk, "kind": self.kind, "state": state, "sha256": self.document_id}
                publish("run.ended", {**design_data(self.design), "run": run}, team=self.design.team_id)
        self.refresh_from_db()
        return True

    def deliver(self) -> bool:
        """Tell workers that there is something to do; False if the queue cannot be reached: the sweeper tries again."""
        waiting = list(self.steps.filter(state="queued").values_list("pk", flat=True))
        if waiting and not delivery.send(min(len(waiting), settings.KEYWRIGHT_STEPS_AT_ONCE)):
            return False
        self.steps.mark_notified(waiting)
        return True

    @property
    def progress(self) -> RunProgress:
        """Progress of the run."""
        work = self.steps.aggregate(
            steps=Count("pk"), fraction=Sum("fraction"), heard=models.Max("heard"),
            done=Count("pk", filter=models.Q(state="done")), workers=Count("pk", filter=models.Q(state="running")),
            unsent=Count("pk", filter=models.Q(state="queued", sent=None)),
        )  # fmt: skip
        ended = {"done": 1.0}.get(self.state)
        fraction = self._fraction(work["steps"], work["done"], work["fraction"] or 0.0) if ended is None else ended
        last = self.steps.filter(state="running").exclude(doing=None).order_by("-heard").first()
        waits = work["unsent"] > 0 and work["workers"] == 0
        return RunProgress(
            state=self.state, fraction=fraction, doing=from_data(last.doing) if last else None, heard=work["heard"],
            expected_end=self._expected_end(fraction, begun=work["workers"] > 0), steps=work["steps"],
            others=0 if work["workers"] else Run.objects.filter(steps__state="running").distinct().count(),
            done=work["done"], workers=work["workers"], delivered=not waits,
        )  # fmt: skip

    def _fraction(self, steps: int, done: int, fractions: float) -> float:
        if steps == 0:
            return 0.0
        if steps == 1:
            return fractions
        finishing = self.left == 0
        share = 1.0 if finishing else fractions / steps
        last = fractions - (steps - 1) if finishing else 0.0
        return (1 - FINISHING_SHARE) * share + FINISHING_SHARE * max(last, 0.0)

    def _expected_end(self, fraction: float, *, begun: bool) -> datetime.datetime | None:
        if self.started is None or self.ended is not None:
            return None
        elapsed = timezone.now() - self.started
        if fraction > 0.05:
            return timezone.now() + elapsed * (1 / fraction - 1)
        if not begun:
            return None
        remaining = datetime.timedelta(seconds=self.expected_seconds) - elapsed
        return timezone.now() + remaining if remaining.total_seconds() > 0 else None

    def _begin(self, document: Document, person: Person | None, seconds: float) -> None:
        """Queue it, for the first time or again."""
        self.document, self.code, self.state, self.reason = document, program_fingerprint(), "queued", None
        self.asked_by, self.asked, self.started, self.ended = person, timezone.now(), None, None
        self.expected_seconds, self.left, self.size_bytes = seconds, 0, 0
        self.save()
        self.parts.all().delete()
        self.steps.all().delete()
        self.steps.create(number=0, phase="begin")


class RunEndedError(Exception):
    """A run was ended before the file was that somebody reads."""


def piece_name(number: int) -> str:
    """Return the part that holds a piece of a file."""
    return f"file/{number:06}"


class Part(models.Model):
    """A part of a run's result, so that each can be read alone, by any machine."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="parts")
    name = models.CharField(max_length=200)
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="one_part_of_a_name")]
