"""Faults of a site in processes of its own: killed servers, a full disk, two servers, answers that are lost.

Whatever happens, an edit that was answered with 200 is in the history, once, and the history leads to the head.
"""

import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Generator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from designer.document import dump
from designer.document.load import from_data

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process are set on Linux alone"),
]
PEOPLE, EDITS, KILLS = 10, 100, 5
PATIENCE_SECONDS = 120.0
TABLES = [f"t{n}" for n in range(PEOPLE)]
CHECK = """
import json
from designer.document.edits import apply
from designer.models import Design
design = Design.objects.get()
revisions = list(design.revisions.order_by("number").select_related("document"))
spec = revisions[0].document.spec
for revision in revisions[1:]:
    spec, _ = apply(spec, revision.applied_edit)
    assert spec == revision.document.spec, revision.number
assert spec == design.spec
print(json.dumps({"sequence": design.sequence, "numbers": [each.number for each in revisions],
                  "descriptions": {table.id: table.description for table in spec.tables}}))
"""


@dataclass
class Site:
    """Servers on one folder; they may be killed and started again."""

    folder: Path
    root: Path
    processes: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "KEYWRIGHT_MODE")}
        return kept | {"KEYWRIGHT_DATA": str(self.folder), "KEYWRIGHT_SHARES": "0"}

    def start(self, port: int = 0) -> int:
        """Start a server; return its port once it answers."""
        port = port or free_port()
        with (self.folder / f"server-{port}.log").open("ab") as log:
            command = [sys.executable, "manage.py", "serve", "--port", str(port)]
            self.processes[port] = subprocess.Popen(
                command, cwd=self.root, env=self.environ, stdout=log, stderr=log, start_new_session=True
            )
        self.wait_for_health(port, 200)
        return port

    def wait_for_health(self, port: int, status: int) -> None:
        """Wait until the server says how it is: it looks every few seconds."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            with suppress(OSError, http.client.HTTPException):
                if Browser(port).ask("GET", "/healthz")[0] == status:
                    return
            assert time.monotonic() < end, (self.folder / f"server-{port}.log").read_text()
            time.sleep(0.1)

    def kill(self, port: int) -> None:
        """Kill a server and all that it started."""
        process = self.processes.pop(port)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def read_history(self) -> dict[str, object]:
        """Assert that the history leads to the head; return what it holds."""
        command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", CHECK]
        done = subprocess.run(command, cwd=self.root, env=self.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
        return found


class Browser:
    """What a person's browser sends."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie, self.token = port, "", ""

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, dict[str, str]]:
        """Return status, body and headers of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": self.cookie}
        if form is not None:
            headers |= {"HX-Request": "true", "X-CSRFToken": self.token}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            line.request(method, path, urllib.parse.urlencode(form) if form is not None else None, headers)
            answer = line.getresponse()
            body, given = answer.read().decode(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            line.close()
        if found := re.search(r"csrftoken=([\w-]+)", given.get("set-cookie", "")):
            self.cookie = f"csrftoken={found[1]}"
        if found := re.search(r"X-CSRFToken[^\w]+([\w-]+)", body):
            self.token = found[1]
        return answer.status, body, given

    def edit(self, design: str, at: str, was: str, value: str) -> int:
        """Change a table's description; return the status."""
        form = {"at": at, "name": "description", "was": json.dumps(was), "v": value}
        return self.ask("POST", f"{design}edit", form)[0]


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@pytest.fixture
def site(tmp_path: Path, root: Path) -> Generator[Site, None, None]:
    made = Site(tmp_path, root)
    yield made
    for port in list(made.processes):
        made.kill(port)


def create_design(port: int) -> tuple[Browser, str]:
    """Make a design with a table for each person; return who did, and its address."""
    browser = Browser(port)
    browser.ask("GET", "/")
    made = dump(from_data({"tables": [{"id": table, "name": table, "description": "0"} for table in TABLES]}))
    status, body, headers = browser.ask("POST", "/designs/new", {"json": made})
    address = headers.get("hx-redirect") or headers.get("location", "")
    assert "/designs/" in address, (status, body[:500])
    browser.ask("GET", urllib.parse.urlsplit(address).path)
    return browser, urllib.parse.urlsplit(address).path


@dataclass
class Person:
    """Somebody who types into one table, and sends again what was not answered."""

    browser: Browser
    design: str
    at: str
    ports: tuple[int, ...]
    last: str = "0"
    problems: list[str] = field(default_factory=list)

    def type(self, edits: int) -> None:
        """Make edits one after the other."""
        for number in range(1, edits + 1):
            self.browser.port = self.ports[number % len(self.ports)]
            if not self._send(str(number)):
                return

    def _send(self, value: str) -> bool:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            with suppress(OSError, http.client.HTTPException):
                status = self.browser.edit(self.design, self.at, self.last, value)
                if status == 200:
                    self.last = value
                    return True
                if status not in (429, 503):
                    break
            time.sleep(0.05)
        self.problems.append(f"{self.at}: {value} was not taken")
        return False


def people(browser: Browser, design: str, ports: tuple[int, ...]) -> list[Person]:
    made = []
    for at in TABLES:
        own = Browser(browser.port)
        own.cookie, own.token = browser.cookie, browser.token
        made.append(Person(own, design, at, ports))
    return made


def test_a_thousand_edits_survive_a_server_that_is_killed_again_and_again(site: Site) -> None:
    port = site.start()
    browser, design = create_design(port)
    typing = people(browser, design, (port,))
    threads = [threading.Thread(target=person.type, args=(EDITS,)) for person in typing]
    for thread in threads:
        thread.start()

    for kill in range(1, KILLS + 1):
        wanted = kill * EDITS // (KILLS + 1)
        while min(int(person.last) for person in typing) < wanted and any(thread.is_alive() for thread in threads):
            time.sleep(0.05)
        site.kill(port)
        site.start(port)
    for thread in threads:
        thread.join()

    found = site.read_history()
    assert [problem for person in typing for problem in person.problems] == []
    assert found["descriptions"] == dict.fromkeys(TABLES, str(EDITS))
    assert found["numbers"] == list(range(1, len(found["numbers"]) + 1))  # type: ignore[arg-type]
    assert found["sequence"] == 1 + PEOPLE * EDITS


def test_two_servers_on_one_folder_lose_no_edit(site: Site) -> None:
    first, second = site.start(), site.start()
    browser, design = create_design(first)
    typing = people(browser, design, (first, second))
    threads = [threading.Thread(target=person.type, args=(20,)) for person in typing]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    found = site.read_history()
    assert [problem for person in typing for problem in person.problems] == []
    assert found["descriptions"] == dict.fromkeys(TABLES, "20")
    assert found["sequence"] == 1 + PEOPLE * 20


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

    found = site.read_history()
    assert person.problems == []
    assert proxy.cut_count >= 10
    assert found["sequence"] == 1 + 20


class CuttingProxy:
    """A network that delays what it carries, and cuts every other connection after the request has arrived."""

    def __init__(self, target: int) -> None:
        self.target, self.cut_count, self._number = target, 0, 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            self._number += 1
            threading.Thread(target=self._carry, args=(client, self._number % 2 == 1), daemon=True).start()

    def _carry(self, client: socket.socket, is_cut: bool) -> None:
        with client, socket.create_connection(("127.0.0.1", self.target)) as server, suppress(OSError):
            request = client.recv(65_536)
            wanted = int((re.findall(rb"(?i)content-length: (\d+)", request) or [b"0"])[0])
            while len(request.partition(b"\r\n\r\n")[2]) < wanted:
                request += client.recv(65_536)
            time.sleep(0.02)
            server.sendall(request)
            answer = server.recv(65_536)
            if is_cut:
                self.cut_count += 1
                return
            while answer:
                client.sendall(answer)
                answer = server.recv(65_536)

    def close(self) -> None:
        """Carry nothing more."""
        self._socket.close()
