"""The Celery task that works on the next run step."""

import os
import threading
import time
from typing import Any

from celery import shared_task, signals
from django.conf import settings
from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from estimator.models import Worker

from .runs import delivery
from .runs.limits import clear_plans
from .worker.log_reader import read_next_log
from .worker.sweeper import Sweeper
from .worker.worker import LOG, run_next_step

AT_MOST_SECONDS = 60.0
"""After so long a task ends and asks for another, so that the worker can hear what it is told."""


@shared_task(bind=True, acks_late=True)  # type: ignore[untyped-decorator]  # celery has no types
def work(self: Any) -> None:
    """Do one step after the other until nothing is left to do."""
    name, until = self.request.hostname or "", time.monotonic() + AT_MOST_SECONDS
    try:
        while time.monotonic() < until:
            is_stopping = Worker.objects.filter(name=name, stopping=True).exists()
            if is_stopping or not (read_next_log() or run_next_step(name, guard=True)):
                clear_plans()
                return
        delivery.send()
    except Error as away:
        LOG.warning("the database cannot be reached: %s", away)
        connection.close()


_sweepers: list[Sweeper] = []


@signals.worker_ready.connect  # type: ignore[untyped-decorator]
def sweep(sender: Any, **_: Any) -> None:
    """Start the sweeper when a worker begins to listen."""
    pool = sender.controller
    _sweepers.append(Sweeper(pool.hostname, pool.concurrency or 1))
    _sweepers[-1].start()


@signals.worker_shutting_down.connect  # type: ignore[untyped-decorator]
def stop(**_: Any) -> None:
    """Stop the sweepers in a thread: this is called by a signal, perhaps in the middle of a query."""
    while _sweepers:
        threading.Thread(target=_sweepers.pop().stop, name="stopping").start()


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def limit_idle_transactions(**_: Any) -> None:
    """Limit idle transactions, so that locks of a stalled or lost worker end with its lease."""
    connection_created.connect(_set_idle_timeout)


def _set_idle_timeout(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET idle_in_transaction_session_timeout = '{settings.KEYWRIGHT_LEASE_SECONDS}s'")


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def end_with_parent(**_: Any) -> None:
    """End a worker started by `serve` when its standard input ends, that is, when `serve` ends."""
    if os.environ.get("KEYWRIGHT_PARENT") == "stdin":
        threading.Thread(target=_exit_with_parent, name="parent", daemon=True).start()


def _exit_with_parent() -> None:
    while os.read(0, 4096):  # not sys.stdin: its lock, held here for good, would break the interpreter's own end
        pass
    os._exit(0)  # what it holds is taken up again when its lease ends
