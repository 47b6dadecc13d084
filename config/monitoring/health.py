"""Checks that the site can do its work. Anybody may ask, so each check runs seldom and one at a time."""

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from designer.models import Heartbeat

EVERY_SECONDS = 5.0
PROBE_BYTES = 1 << 16
NEWER_HINT = "Install that version, or restore a backup from before."


@dataclass(frozen=True)
class CheckResult:
    """Return True if all is well, and the state of each part in a few words."""

    is_well: bool
    parts: Mapping[str, str]


class Check:
    """Runs at most once in `EVERY_SECONDS` in a process; in between, and while it runs, its last result stands."""

    def __init__(self, examine: Callable[[], CheckResult]) -> None:
        self._examine = examine
        self._lock = threading.Lock()
        self._result = CheckResult(False, {"check": "not finished"})
        self._due = 0.0

    def result(self) -> CheckResult:
        """Return the result, of now or of a few seconds ago."""
        # Anybody may ask, and a database that hangs must not take one thread for each question: while one looks, the
        # others get the last result at once.
        if time.monotonic() >= self._due and self._lock.acquire(blocking=False):
            try:
                self._result = self._examine()
                self._due = time.monotonic() + EVERY_SECONDS
            finally:
                self._lock.release()
        return self._result

    def forget(self) -> None:
        """Run again when asked next."""
        self._due = 0.0


def _examine_writes() -> CheckResult:
    try:
        Heartbeat.objects.write()
    except DatabaseError:
        return CheckResult(False, {"database": "takes no writes"})
    try:
        _write_beside_database()
    except OSError:
        return CheckResult(False, {"database": connection.vendor, "disk": "takes no writes"})
    return CheckResult(True, {"database": connection.vendor})


def _write_beside_database() -> None:
    """Write a file without a name where SQLite has its own: its log has room for a row when the disk has none."""
    database: Any = connection
    if connection.vendor == "sqlite" and not database.is_in_memory_db():
        with tempfile.TemporaryFile(dir=Path(connection.settings_dict["NAME"]).parent) as file:
            file.write(bytes(PROBE_BYTES))


def _examine_surroundings() -> CheckResult:
    try:
        missing = _known_migrations() - MigrationRecorder(connection).applied_migrations().keys()
    except DatabaseError:
        return CheckResult(False, {"migrations": "unknown"})
    parts = {"migrations": f"{len(missing)} not applied" if missing else "applied"}
    has_queue = not settings.REDIS_URL or queue_answers()
    if settings.REDIS_URL:
        parts["queue"] = "redis" if has_queue else "no answer"
    return CheckResult(not missing and has_queue, parts)


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this version, by application and name."""
    return frozenset(MigrationLoader(None).disk_migrations)


def newer_migrations() -> list[str]:
    """Return the migrations of our applications that only a newer version has: this one may not write there.

    A site is ready all the same: servers of the version before answer while a new one is rolled out.
    """
    newest = {app: max(name for label, name in _known_migrations() if label == app) for app, _ in _known_migrations()}
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    return [f"{app} {name}" for app, name in applied if app in newest and name > newest[app]]


def newer_text(migrations: Sequence[str]) -> str:
    """Return that the database has these migrations of a newer version."""
    return f"The database is of a newer version, with {', '.join(migrations)}."


def queue_answers() -> bool:
    """Return whether the broker of jobs can be reached."""
    from config.celery import app  # large, and one who is alone has no queue

    try:
        with app.connection_for_read(transport_options={"socket_connect_timeout": 2, "socket_timeout": 2}) as queue:
            queue.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
    except Exception:  # each transport has its own errors
        return False
    return True


ALIVE = Check(_examine_writes)
READY = Check(_examine_surroundings)
