"""Uploaded access logs: kept until a worker has read them, then what they tell. The row says who reads one."""

import datetime
import hashlib
import json
import pickle
import secrets
from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from designer.document import dump, load
from designer.document.texts import N_, Text
from designer.models import Design, Person
from designer.models.jsontext import JsonText
from designer.models.texts import from_data, to_data
from estimator.runs import delivery
from estimator.runs.code import program_fingerprint
from estimator.runs.limits import TooManyRunsError
from estimator.traces import ReplayedDesign, ReplayPlan, ResumableReader, TraceSummary, UnreadLines

from .steps import has_ended

ACTIVE = ("queued", "running")
ATTEMPTS_MAX = 3
SALT, SIGNATURE_BYTES = "estimator.access_log", 32


class LogReleasedError(Exception):
    """The log is no longer for this worker to read: somebody stopped it, or another worker has it."""


@dataclass(frozen=True)
class AskedReplay:
    """The design and the keys that a log is to be replayed under."""

    design: Design
    columns: list[dict[str, Any]]
    """Of each key: its `name`, the document (`spec`), the id of its `table`, and the texts of the log's `keys`."""

    @staticmethod
    def column(name: Text, plan: ReplayPlan) -> dict[str, Any]:
        """Return one of `columns` for a plan."""
        return {
            "name": to_data(name),
            "spec": dump(plan.spec),
            "table": plan.table.id,
            "keys": dict(plan.log_key_texts),
        }


@dataclass(frozen=True)
class ReplayedLog:
    """A log that was replayed, as it is kept: the figures and ranges under each key, without its requests."""

    columns: tuple[tuple[Text, ReplayedDesign], ...]
    unread: UnreadLines


class AccessLogs(models.Manager["AccessLog"]):
    """Takes uploads, and finds what is to be read next."""

    def find_or_queue(
        self, person: Person, data: bytes, *, columns: str, keys: str, keeps_keys: bool,
        replay: "AskedReplay | None" = None,
    ) -> tuple["AccessLog", bool]:  # fmt: skip
        """Return the row of an upload of this person, to be told or replayed, and whether this call queued it.

        Raises
        ------
        TooManyRunsError
            If too many logs of this person wait.
        """
        request = None if replay is None else {"today": timezone.now().date().isoformat(), "columns": replay.columns}
        words = "" if request is None else json.dumps(request, sort_keys=True)
        prefix = f"{columns}\0{keys}\0{keeps_keys}\0{program_fingerprint()}\0{words}\0".encode()
        digest = hashlib.sha256(prefix + data).hexdigest()
        mine = self.filter(person=person)
        existing_log = mine.filter(digest=digest).defer("data", "checkpoint").first()
        if existing_log is not None and (existing_log.is_active or existing_log.state == "done"):
            return existing_log, False
        active = mine.filter(state__in=ACTIVE).count()
        if active >= settings.KEYWRIGHT_MOST_RUNS:
            words = N_("You have {active} access logs that are being read; the maximum is {most}. Wait, or stop one.")
            raise TooManyRunsError(words, active=active, most=settings.KEYWRIGHT_MOST_RUNS)
        values = {"columns": columns, "keys": keys, "keeps_keys": keeps_keys, "data": data, "replay": request}
        values["design"] = None if replay is None else replay.design
        fresh = {"state": "queued", "reason": None, "token": "", "attempts": 0, "fraction": 0.0, "checkpoint": None}
        log, _ = self.update_or_create(
            person=person, digest=digest, defaults={**values, **fresh, "asked": timezone.now()}
        )
        return log, True

    def claim(self, only: "AccessLog | None" = None) -> "AccessLog | None":
        """Take the log that waits longest, or this one; None if none waits."""
        waiting = self.filter(state="queued", **({} if only is None else {"pk": only.pk}))
        for pk in list(waiting.order_by("asked").values_list("pk", flat=True)[:20]):
            token = secrets.token_hex(16)
            claimed = {"state": "running", "token": token, "attempts": F("attempts") + 1, "lease": Now() + _lease()}
            if waiting.filter(pk=pk).update(**claimed):
                return self.filter(pk=pk, token=token).first()
        return None

    def take_back(self) -> None:
        """Queue what a worker holds that was not heard in time, and tell workers of all that waits."""
        for log in self.filter(has_ended(_lease()), state="running").defer("data", "checkpoint", "result"):
            log.record_failure()
        if self.filter(state="queued", asked__lt=timezone.now() - _lease()).exists():
            delivery.send()

    def purge(self, now: datetime.datetime | None = None) -> int:
        """Drop what was read long ago; how many logs."""
        before = (now or timezone.now()) - datetime.timedelta(days=settings.KEYWRIGHT_RESULT_DAYS)
        return self.filter(asked__lt=before).exclude(state__in=ACTIVE).delete()[0]


class AccessLog(models.Model):
    """One upload of a person, how far it is read, and what it tells."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    """Of the file, of how it is to be read, and of the program."""
    columns = models.CharField(max_length=200, blank=True)
    keys = models.CharField(max_length=6)
    keeps_keys = models.BooleanField(default=False)
    """False: hashes stand for keys and values in what is kept."""
    state = models.CharField(max_length=9, default="queued")
    """queued, running, done, failed, cancelled."""
    reason = JsonText(null=True)
    asked = models.DateTimeField(default=timezone.now)
    token = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    lease = models.DateTimeField(null=True)
    """Until when the worker is believed to be alive."""
    fraction = models.FloatField(default=0.0)
    data = models.BinaryField(null=True)
    """The file, until it is read."""
    checkpoint = models.BinaryField(null=True)
    """What was known between two chunks of the file, signed."""
    result = models.BinaryField(null=True)
    design = models.ForeignKey(Design, null=True, on_delete=models.CASCADE, related_name="+")
    """The design that the log is replayed under; None of a log that is to be told."""
    replay = JsonText(null=True)
    """The keys of `AskedReplay`."""

    objects: ClassVar[AccessLogs] = AccessLogs()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "digest"), name="access_log_once"),)
        indexes = (models.Index(fields=("state", "asked"), name="access_logs_by_state"),)

    @property
    def is_active(self) -> bool:
        """True if it waits or is being read."""
        return self.state in ACTIVE

    @property
    def failure_text(self) -> Text | None:
        """Reason that it could not be read."""
        return from_data(self.reason) if self.reason else None

    @property
    def percent(self) -> int:
        """Percentage of the file that is read."""
        return int(100 * self.fraction)

    @property
    def stored_reader(self) -> ResumableReader | None:
        """The reader as it was left; None before the first checkpoint."""
        content = _load(self.checkpoint)
        return content if isinstance(content, ResumableReader) else None

    @property
    def summary(self) -> TraceSummary | None:
        """Summary of the log; None before it is read, and if another version of the program has read it."""
        content = _load(self.result)
        return content if isinstance(content, TraceSummary) else None

    @property
    def replay_result(self) -> ReplayedLog | None:
        """The log under its keys; None before it is replayed, and if another version of the program has done it."""
        content = _load(self.result)
        return content if isinstance(content, ReplayedLog) else None

    def plans(self) -> list[tuple[Text, ReplayPlan]]:
        """Return the name and the plan of each key that the log is to be replayed under."""
        plans = list[tuple[Text, ReplayPlan]]()
        for column in (self.replay or {}).get("columns", ()):
            spec = load(column["spec"])
            plan = ReplayPlan.for_table(spec, spec.find(column["table"]), column["keys"])
            plans.append((from_data(column["name"]), plan.sharing([plan for _, plan in plans])))
        return plans

    def beat(self, fraction: float, reader: ResumableReader | None = None) -> None:
        """Say how far it is, and keep what is known so far.

        Raises
        ------
        LogReleasedError
            If it is to stop.
        """
        stored = {} if reader is None else {"checkpoint": _dump(reader), "attempts": 1}
        self._update(fraction=min(fraction, 1.0), lease=Now() + _lease(), **stored)

    def finish(self, result: TraceSummary | ReplayedLog) -> None:
        """Keep what the log tells, and drop the log."""
        self._update(state="done", fraction=1.0, result=_dump(result), data=None, checkpoint=None, token="")

    def fail(self, reason: Text) -> None:
        """End it with a reason, and drop the log."""
        self._update(state="failed", reason=to_data(reason), data=None, checkpoint=None, result=None, token="")

    def record_failure(self) -> None:
        """Queue it again, or end it after `ATTEMPTS_MAX` attempts without a checkpoint between them."""
        if self.attempts >= ATTEMPTS_MAX:
            words = N_("A worker stopped {attempts} times while it read this log.")
            self.fail(Text(words, {"attempts": self.attempts}))
        else:
            self._own_rows().update(state="queued", token="", lease=None)
            delivery.send()

    def cancel(self) -> None:
        """End it and drop the log; who reads it notices at the next chunk."""
        ended: dict[str, Any] = {"state": "cancelled", "data": None, "checkpoint": None, "token": ""}
        AccessLog.objects.filter(Q(pk=self.pk, state__in=ACTIVE)).update(**ended)

    def _update(self, **fields: Any) -> None:
        if not self._own_rows().update(**fields):
            raise LogReleasedError

    def _own_rows(self) -> models.QuerySet["AccessLog"]:
        return AccessLog.objects.filter(pk=self.pk, token=self.token, state="running")


def _lease() -> datetime.timedelta:
    return datetime.timedelta(seconds=settings.KEYWRIGHT_LEASE_SECONDS)


def _signature(content: bytes) -> bytes:
    return salted_hmac(SALT + program_fingerprint(), content, algorithm="sha256").digest()


def _dump(value: object) -> bytes:
    """Return a value as bytes that only this program and version, with its secret key, takes back."""
    content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _signature(content) + content


def _load(stored: bytes | memoryview | None) -> object:
    """Return the value of `_dump`; None for anything else, so that a foreign row can run nothing."""
    if stored is None:
        return None
    signature, content = bytes(stored[:SIGNATURE_BYTES]), bytes(stored[SIGNATURE_BYTES:])
    return pickle.loads(content) if constant_time_compare(signature, _signature(content)) else None
