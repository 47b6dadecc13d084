"""Faults of a site that one person starts: killed servers, a full disk, two servers, lost answers, clocks and caches.

Whatever happens, an edit that was answered with 200 is in the history, once, and the history leads to the head.
"""

import datetime
import http.client
import os
import resource
import shutil
import signal
from collections.abc import Generator
from contextlib import ExitStack, suppress
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path

import pytest

from benchmarks.designs import wide_design
from designer.document.dump import dump
from estimator.estimates.context import TABLES_HERE
from tests.commands.sites import (
    TABLES,
    Browser,
    CuttingProxy,
    Site,
    assert_all_kept,
    create_design,
    people,
    type_during,
    type_until_restored,
    wait_until,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process are set on Linux alone"),
]
FAKETIME = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
NOW, HOUR, YEAR = datetime.timedelta(), datetime.timedelta(hours=1), datetime.timedelta(days=365)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """A folder that a site has made and migrated."""
    site = Site(tmp_path_factory.mktemp("prepared"), root)
    site.manage("prepare")
    site.manage("migrate", "--no-input")
    return site.folder


@pytest.fixture
def site(tmp_path: Path, root: Path, prepared: Path) -> Generator[Site, None, None]:
    made = Site(shutil.copytree(prepared, tmp_path, dirs_exist_ok=True), root)
    yield made
    for port in list(made.processes):
        made.kill(port)


def restart(site: Site, port: int) -> None:
    site.kill(port)
    site.start(port)


@pytest.mark.parametrize(("edits", "kills"), [(20, 2), pytest.param(100, 5, marks=pytest.mark.nightly)])
def test_edits_of_ten_survive_a_server_that_is_killed_again_and_again(site: Site, edits: int, kills: int) -> None:
    port = site.start()
    browser, design = create_design(port)
    typing = people(browser, design, (port,))

    type_during(typing, edits, [partial(restart, site, port)] * kills)

    assert_all_kept(site, typing, edits)


def test_two_servers_on_one_folder_lose_no_edit(site: Site) -> None:
    first, second = site.start(), site.start()
    browser, design = create_design(first)
    typing = people(browser, design, (first, second))

    type_during(typing, 20, [])

    assert_all_kept(site, typing, 20)


def test_a_full_disk_is_said_and_the_next_edit_after_it_is_kept(site: Site) -> None:
    port = site.start()
    browser, design = create_design(port)
    pid = site.processes[port].pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)

    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, hard))
    refused = browser.edit(design, TABLES[0], "0", "during")
    page = browser.ask("GET", design)[0]
    site.wait_for_health(port, 503)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
    after = browser.edit(design, TABLES[0], "0", "after")

    assert (refused, page, after) == (503, 200, 200)
    site.wait_for_health(port, 200)
    assert site.read_history()["descriptions"] == {**dict.fromkeys(TABLES, "0"), TABLES[0]: "after"}


def test_an_edit_whose_answer_is_lost_is_sent_again_and_made_once(site: Site) -> None:
    port = site.start()
    browser, design = create_design(port)

    with ExitStack() as held:
        proxy = CuttingProxy(port)
        held.callback(proxy.close)
        person = people(browser, design, (proxy.port,))[0]
        person.type(20)

    assert proxy.cut_count >= 10
    assert_all_kept(site, [person], 20)


def test_a_large_page_is_answered_and_again_after_the_process_beside_the_server_was_killed(site: Site) -> None:
    site.settings["KEYWRIGHT_PROCESSES"] = "1"
    port = site.start()
    browser, _ = create_design(port)
    headers = browser.ask("POST", "/designs/new", {"json": dump(wide_design(TABLES_HERE + 1))})[2]
    review = f"{headers['hx-redirect']}review/"

    pages = [browser.ask_until_computed(review)]
    for child in beside(site.processes[port].pid):
        os.kill(child, signal.SIGKILL)
    pages.append(browser.ask_until_computed(review))

    assert [status for status, _ in pages] == [200] * 2
    assert all('id="keys"' in text and "table_12" in text for _, text in pages)


def beside(pid: int) -> list[int]:
    """Return the processes that compute for a server."""
    of_threads = (each.read_text().split() for each in Path(f"/proc/{pid}/task").glob("*/children"))
    children = [int(child) for of_thread in of_threads for child in of_thread]
    found = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    assert found
    return found


@pytest.mark.skipif(FAKETIME is None, reason="no libfaketime on this machine: apt-get install libfaketime")
def test_a_clock_that_is_set_forward_and_back_loses_nothing_and_stops_nothing(site: Site) -> None:
    clock = Clock(site)
    port = site.start()
    browser, design = create_design(port)
    deleted = create_design(port)[1]
    assert browser.ask("POST", f"{deleted}delete", {})[0] < 400
    typing = people(browser, design, (port,))[:3]

    offsets = (HOUR, -HOUR, YEAR, NOW, -YEAR, NOW)
    type_during(typing, 14, [partial(clock.set, port, offset) for offset in offsets])
    # Far from every time at which they typed: a change within a minute of the last one in a field continues it.
    clock.set(port, 2 * YEAR)
    restart(site, port)  # what it removes daily is removed by this clock
    statuses = [browser.edit(design, TABLES[0], "14", "in two years")]
    statuses += [browser.ask("GET", path)[0] for path in (design, f"{design}history", "/")]
    clock.set(port, NOW)
    statuses.append(browser.ask("POST", f"{design}undo", {})[0])
    restored = browser.ask("POST", f"{deleted}undelete", {})[0]

    assert statuses == [200] * 5
    assert restored < 400
    found = site.read_history(design)
    assert found["descriptions"] == dict.fromkeys(TABLES, "0") | dict.fromkeys(TABLES[:3], "14")
    assert found["sequence"] == 1 + 3 * 14 + 2


class Clock:
    """What the processes of a site take for the time."""

    def __init__(self, site: Site) -> None:
        self.file = site.folder / "clock"
        self._write(NOW)
        site.settings |= {
            "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip

    def set(self, port: int, offset: datetime.timedelta) -> None:
        """Set it forward or back, beside ours, and wait until the server has seen it."""
        self._write(offset)
        wait_until(lambda: self._is_seen(port, offset), lambda: offset)

    def _write(self, offset: datetime.timedelta) -> None:
        self.file.with_suffix(".new").write_text(f"{offset.total_seconds():+.0f}\n")
        self.file.with_suffix(".new").replace(self.file)

    @staticmethod
    def _is_seen(port: int, offset: datetime.timedelta) -> bool:
        # The server closes connections that were idle for minutes by its clock. One that has just been opened, and has
        # sent nothing yet, is such a connection after the clock went forward: a browser asks again, and so do we.
        with suppress(OSError, http.client.HTTPException):
            told = parsedate_to_datetime(Browser(port).ask("GET", "/healthz")[2]["date"])
            return abs(told - datetime.datetime.now(datetime.UTC) - offset) < datetime.timedelta(minutes=5)
        return False


def test_collected_files_that_are_deleted_or_damaged_are_made_again_at_the_next_start(site: Site) -> None:
    port = site.start()
    browser, design = create_design(port)
    static = site.folder / "static"
    styles = next((static / "css").glob("keywright.*.css"))
    styles.write_text("damaged")
    (static / "staticfiles.json").write_text("{")
    shutil.rmtree(static / "js")

    edited = browser.edit(design, TABLES[0], "0", "during")
    restart(site, port)
    page = browser.ask("GET", design)[1]

    assert edited == 200
    assert styles.read_text() != "damaged"
    scripts = [part.split('"')[0] for part in page.split('src="')[1:]]
    assert [browser.ask("GET", path)[0] for path in scripts] == [200] * len(scripts)
    assert site.read_history()["descriptions"] == {**dict.fromkeys(TABLES, "0"), TABLES[0]: "during"}


def test_a_restore_during_edits_ends_with_the_backup_and_what_came_after_it(site: Site) -> None:
    port = site.start()
    browser, design = create_design(port)
    backup = site.folder / "backup.gz"
    site.manage("backup", str(backup))
    type_until_restored(site, backup, people(browser, design, (port,))[5:])
    browser.ask("GET", design)
    status = browser.edit(design, TABLES[0], "0", "after")

    assert status == 200
    found = site.read_history()
    assert found["descriptions"][TABLES[0]] == "after"  # type: ignore[index]
    assert found["numbers"] == list(range(1, len(found["numbers"]) + 1))  # type: ignore[arg-type]
