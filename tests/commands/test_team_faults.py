"""Faults of a team's site: its database, queue and web server are killed, restarted and replaced while people edit.

Whatever happens, an edit that was answered with 200 is in the history, once, and the history leads to the head.
"""

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests import postgres
from tests.commands.sites import (
    TABLES,
    Browser,
    Person,
    Site,
    assert_all_kept,
    free_port,
    people,
    type_during,
    type_until_restored,
    wait_until,
)

DESIGNS = 6
"""One for each test."""
METRICS_TOKEN = "of-a-test-0123456789"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix" or postgres.binaries() is None, reason="no initdb on this machine"),
]


class DurableServer(postgres.Server):
    """A PostgreSQL that keeps what it has confirmed when it is killed, as that of a site does."""

    settings = ("fsync=on", "synchronous_commit=on")

    def kill(self) -> None:
        """End its first process as the kernel does when memory is short; the others notice."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self) -> None:
        """Start again once those that the killed one left have gone."""
        wait_until(self._has_started, lambda: (self.folder / "log").read_text()[-2000:])

    def _has_started(self) -> bool:
        with suppress(RuntimeError):
            self.start()
            return True
        return False


@pytest.fixture(scope="module")
def database() -> Generator[DurableServer, None, None]:
    server = DurableServer(postgres.binaries())  # type: ignore[arg-type]
    server.start()
    yield server
    server.stop()


class Team:
    """A site of a team, and who types in one of its designs."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.designs, session = site.create_team_designs(DESIGNS)
        self.design = ""
        self.port = site.start()
        self.browser = Browser(self.port, {"sessionid": session})

    def open_next(self) -> None:
        """Go to a design in which nobody has typed."""
        self.design = self.designs.pop()
        assert self.browser.ask("GET", self.design)[0] == 200

    def type_during(self, edits: int, *faults: object, number: int = 10) -> None:
        """Have people make edits while the faults happen, and assert that all are kept."""
        typing: list[Person] = people(self.browser, self.design, (self.port,))[:number]
        type_during(typing, edits, faults)  # type: ignore[arg-type]
        assert_all_kept(self.site, typing, edits)

    def restart(self) -> None:
        self.site.kill(self.port)
        self.site.start(self.port)

    def deploy(self) -> None:
        """Replace the web server, as a deploy does: the old one ends what it has begun."""
        assert self.site.stop(self.port) == 0
        self.site.start(self.port)


def children(pid: int) -> list[int]:
    """Return the processes that a process started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture(scope="module")
def module_team(
    tmp_path_factory: pytest.TempPathFactory, root: Path, database: DurableServer
) -> Generator[Team, None, None]:
    temporary = tempfile.mkdtemp(prefix="kwt", dir="/tmp")  # its path is short enough for sockets
    site = Site(
        tmp_path_factory.mktemp("team"), root,
        {
            "KEYWRIGHT_MODE": "team", "KEYWRIGHT_HTTPS": "false", "SECRET_KEY": "of a test " * 6,
            "ALLOWED_HOSTS": "127.0.0.1,testserver", "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
            "KEYWRIGHT_PROCESSES": "0", "KEYWRIGHT_METRICS": METRICS_TOKEN, "TMPDIR": temporary,
            "DATABASE_URL": database.url,
        },
    )  # fmt: skip
    yield Team(site)
    for port in list(site.processes):
        site.kill(port)
    shutil.rmtree(temporary)


@pytest.fixture
def team(module_team: Team) -> Team:
    module_team.open_next()
    return module_team


def test_edits_survive_a_database_that_is_killed_and_one_that_is_restarted(team: Team, database: DurableServer) -> None:
    def kill() -> None:
        database.kill()
        database.restart()

    def restart() -> None:
        database.end()
        database.start()

    team.type_during(20, kill, restart)
    assert team.browser.ask("GET", team.design)[0] == 200


def test_a_deploy_in_the_middle_of_edits_loses_none_and_fails_none(team: Team) -> None:
    team.type_during(20, team.deploy, partial(team.site.manage, "migrate", "--no-input"), team.deploy)


def test_without_a_queue_edits_and_pages_go_on_and_runs_wait(team: Team) -> None:
    ready, told, _ = team.browser.ask("GET", "/readyz")
    pages = [team.browser.ask("GET", path)[0] for path in (team.design, f"{team.design}runs/", "/")]

    assert (ready, json.loads(told)["queue"], pages) == (503, "no answer", [200] * 3)
    assert team.browser.edit(team.design, TABLES[0], "0", "1") == 200


def test_what_web_processes_share_may_be_deleted(team: Team) -> None:
    shared = list(Path(team.site.settings["TMPDIR"]).glob("keywright-*"))
    for folder in shared:
        shutil.rmtree(folder)

    statuses = {team.browser.ask("GET", path)[0] for path in (team.design, f"{team.design}at/t0") * 4}
    for worker in children(team.site.processes[team.port].pid):
        os.kill(worker, signal.SIGKILL)  # those that take their places need the folders
    team.type_during(5, number=2)

    assert {path.name.split("-")[1] for path in shared} == {"peers", "metrics"}
    assert statuses == {200}, team.site.log(team.port).read_text()[-4000:]
    assert all(any(folder.iterdir()) for folder in shared)


def test_a_restore_during_edits_ends_with_the_backup_and_signs_everybody_out(team: Team, tmp_path: Path) -> None:
    team.type_during(2)
    backup = tmp_path / "backup.gz"
    team.site.manage("backup", str(backup))
    type_until_restored(team.site, backup, people(team.browser, team.design, (team.port,)))
    signed_out = team.browser.edit(team.design, TABLES[0], "2", "of a session that ended")
    team.browser = Browser(team.port, {"sessionid": team.site.sign_in()})
    statuses = [team.browser.ask("GET", team.design)[0], team.browser.edit(team.design, TABLES[0], "2", "after")]

    assert signed_out in (302, 401, 403)
    assert statuses == [200, 200]
    found = team.site.read_history(team.design)
    assert found["descriptions"] == dict.fromkeys(TABLES, "2") | {TABLES[0]: "after"}
    assert found["numbers"] == list(range(1, len(found["numbers"]) + 1))  # type: ignore[arg-type]


@pytest.mark.nightly
def test_a_thousand_edits_of_ten_survive_a_kill_of_server_or_database_each_minute(
    team: Team, database: DurableServer
) -> None:
    """A minute of these people is about twenty edits of each on an idle machine."""

    def kill_database() -> None:
        database.kill()
        database.restart()

    team.type_during(100, *[team.restart, kill_database] * 3)
