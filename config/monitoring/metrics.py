"""Figures for Prometheus: what each web process counts of its requests, and what is stored, read when asked.

Under gunicorn the processes count in files of one folder, and each answers for all. The folder is made by
`config.web_worker` before the first process starts, because prometheus-client looks for it when it is imported.
"""

import importlib
import os
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Min
from django.utils import timezone

from config.monitoring.metrics_access import FOLDER
from designer.models import WebhookDelivery
from designer.models.memory import MEMORY
from estimator.models.runs import Run
from estimator.models.workers import Worker
from reviews.models.mails import Mail

BUCKETS_SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
STATES = ("queued", "running", "done", "failed", "cancelled")
PAUSE_SECONDS = 1.0
"""The memory of a process is looked at so often."""


class RequestFigures:
    """Counts the requests of this process, and how much memory it has."""

    def __init__(self) -> None:
        make_folder()
        self.library: Any = importlib.import_module("prometheus_client")
        self.registry = self.library.CollectorRegistry()
        self.seconds = self.library.Histogram(
            "keywright_request_seconds", "Time to an answer, by name of the route, method and class of status.",
            ("route", "method", "status"), buckets=BUCKETS_SECONDS, registry=self.registry,
        )  # fmt: skip
        self.held = self.library.Counter(
            "keywright_held_questions", "Questions for news that were held.", registry=self.registry
        )
        options = {"registry": self.registry, "multiprocess_mode": "liveall"}
        self.cache_bytes = self.library.Gauge(
            "keywright_cache_bytes", "Documents and results kept by a web process.", **options
        )
        self.resident_bytes = self.library.Gauge(
            "keywright_resident_bytes", "Resident memory of a web process.", **options
        )
        self._due = 0.0

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        # A client may send any word as a method; each would stay in memory as a series of its own.
        label = method if method in METHODS else "other"
        try:
            self.seconds.labels(route, label, f"{status // 100}xx").observe(seconds)
            if time.monotonic() >= self._due:
                self.weigh()
        except FileNotFoundError:
            # Some systems clean up temporary files that are days old while the server runs.
            make_folder()  # this request is not counted

    def weigh(self) -> None:
        """Note how much memory this process has."""
        self._due = time.monotonic() + PAUSE_SECONDS
        self.cache_bytes.set(MEMORY.used_bytes)
        resident = resident_bytes()
        if resident is not None:
            self.resident_bytes.set(resident)

    def text(self) -> tuple[bytes, str]:
        """Return the figures of all processes and of what is stored, and their content type."""
        self.weigh()
        registry = self.library.CollectorRegistry()
        folder = os.environ.get(FOLDER)
        if folder:
            multiprocess = importlib.import_module("prometheus_client.multiprocess")
            # gunicorn's hook for ended workers would need a configuration file; the figures of live processes are
            # looked through here.
            for process in dead_processes(Path(folder)):
                multiprocess.mark_process_dead(process, folder)
            multiprocess.MultiProcessCollector(registry, folder)
        else:
            registry.register(self.registry)
        registry.register(Stored(importlib.import_module("prometheus_client.core").GaugeMetricFamily))
        return self.library.generate_latest(registry), "text/plain; version=0.0.4; charset=utf-8"


def make_folder() -> None:
    """Make the folder of the counts where what tidies up temporary files has removed it."""
    if folder := os.environ.get(FOLDER):
        os.makedirs(folder, mode=0o700, exist_ok=True)


@cache
def figures() -> RequestFigures | None:
    """Return the figures of this process; None where no setting allows them."""
    return RequestFigures() if settings.KEYWRIGHT_METRICS else None


def resident_bytes() -> int | None:
    """Return the resident memory of this process; None where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_bytes().split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def dead_processes(folder: Path) -> set[int]:
    """Return the processes that left live figures behind and are gone."""
    processes = {int(path.stem.rpartition("_")[2]) for path in folder.glob("gauge_live*_*.db")}
    return {process for process in processes if not _is_alive(process)}


def _is_alive(process: int) -> bool:
    try:
        # Signal 0 only asks whether there is such a process.
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class Stored:
    """Reads what is in the database when it is asked for, in five queries."""

    def __init__(self, family: Any) -> None:
        self.family = family

    def describe(self) -> list[Any]:
        """Return nothing: names are known when there are figures."""
        return []

    def collect(self) -> Iterable[Any]:
        """Return the figures; without a database that there is none."""
        try:
            families = list(self._read())
        except DatabaseError:
            families = []
        return [
            self.family("keywright_database_up", "Whether the database answers.", value=float(bool(families))),
            *families,
        ]

    def _read(self) -> Iterable[Any]:
        runs = self.family("keywright_runs", "Runs by state.", labels=["state"])
        counts = dict(Run.objects.order_by().values_list("state").annotate(Count("pk")))
        for state in STATES:
            runs.add_metric([state], counts.get(state, 0))
        yield runs
        oldest = Run.objects.filter(state="queued").aggregate(oldest=Min("asked"))["oldest"]
        age = 0.0 if oldest is None else max((timezone.now() - oldest).total_seconds(), 0.0)
        for name, meaning, value in (
            ("queue_age_seconds", "Age of the oldest run that is queued.", age),
            ("worker_slots", "Steps of runs that workers can do at a time.", Worker.objects.slots()),
            ("workers", "Workers that were heard lately.", Worker.objects.alive().count()),
            ("webhook_deliveries_waiting", "Deliveries to webhooks that are not received and not given up.",
             WebhookDelivery.objects.filter(state="waiting").count()),
            ("mails_waiting", "Mails that are not sent and not given up.", Mail.objects.count()),
        ):  # fmt: skip
            yield self.family(f"keywright_{name}", meaning, value=value)
