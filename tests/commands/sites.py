"""A site in processes of its own, and people who type into it: what fault tests share."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from designer.document import dump
from designer.document.load import from_data

PEOPLE = 10
PATIENCE_SECONDS = 120.0
"""On a machine that is busy with other work."""
TABLES = [f"t{n}" for n in range(PEOPLE)]
DOCUMENT = dump(from_data({"tables": [{"id": table, "name": table, "description": "0"} for table in TABLES]}))
CHECK = """
import json
from designer.document.edits import apply
from designer.models import Design
design = Design.objects.get(**({"key": KEY} if KEY else {}))
revisions = list(design.revisions.order_by("number").select_related("document"))
spec = revisions[0].document.spec
for revision in revisions[1:]:
    spec, _ = apply(spec, revision.applied_edit)
    assert spec == revision.document.spec, revision.number
assert spec == design.spec
print(json.dumps({"sequence": design.sequence, "numbers": [each.number for each in revisions],
                  "descriptions": {table.id: table.description for table in spec.tables}}))
"""
SCENE = """
import json
from django.conf import settings
from django.test import Client
from designer.document.load import load
from designer.models import Design, Person, Team
team = Team.objects.create(name="Platform")
ana = Person.objects.create_user("ana@example.com", name="Ana")
team.add(ana, "owner")
designs = [Design.objects.start(load(DOCUMENT), team=team, by=ana) for _ in range(COUNT)]
client = Client()
client.force_login(ana)
addresses = [f"/designs/{design.key}/" for design in designs]
print(json.dumps([addresses, client.cookies[settings.SESSION_COOKIE_NAME].value]))
"""

SIGN_IN = """
from django.conf import settings
from django.test import Client
from designer.models import Person
client = Client()
client.force_login(Person.objects.get(email="ana@example.com"))
print(client.cookies[settings.SESSION_COOKIE_NAME].value)
"""


@dataclass
class Site:
    """Servers on one folder; they may be killed and started again."""

    folder: Path
    root: Path
    settings: dict[str, str] = field(default_factory=dict)
    """Environment variables beside those of every such site."""
    processes: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "KEYWRIGHT_MODE")}
        return kept | {"KEYWRIGHT_DATA": str(self.folder), "KEYWRIGHT_SHARES": "0"} | self.settings

    @property
    def is_team(self) -> bool:
        return self.settings.get("KEYWRIGHT_MODE") == "team"

    def command(self, port: int) -> list[str]:
        """Return how a server is started: as one person does, or as the Dockerfile does for a team."""
        if not self.is_team:
            return ["manage.py", "serve", "--port", str(port)]
        line = [line for line in (self.root / "Dockerfile").read_text().splitlines() if line.startswith("CMD ")][-1]
        command = json.loads(line.removeprefix("CMD "))
        return ["-m", *({"0.0.0.0:8000": f"127.0.0.1:{port}"}.get(part, part) for part in command)]

    def start(self, port: int = 0) -> int:
        """Start a server; return its port once it answers."""
        port = port or free_port()
        self.launch(port)
        self.wait_for_health(port, 200)
        return port

    def launch(self, port: int) -> None:
        """Start a server, and do not wait for it."""
        with self.log(port).open("ab") as log:
            self.processes[port] = subprocess.Popen(
                [sys.executable, *self.command(port)], cwd=self.root, env=self.environ, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip

    def log(self, port: int) -> Path:
        """Return the file with what a server wrote."""
        return self.folder / f"server-{port}.log"

    def wait_for_health(self, port: int, status: int) -> None:
        """Wait until the server says how it is: it looks every few seconds."""
        wait_until(lambda: self._health(port) == status, lambda: self.log(port).read_text()[-4000:])

    @staticmethod
    def _health(port: int) -> int:
        with suppress(OSError, http.client.HTTPException):
            return Browser(port).ask("GET", "/healthz")[0]
        return 0

    def kill(self, port: int) -> None:
        """Kill a server and all that it started."""
        process = self.processes.pop(port)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self, port: int) -> int:
        """Have a server end what it does and stop; return its exit code."""
        process = self.processes.pop(port)
        process.terminate()
        return process.wait(PATIENCE_SECONDS)

    def manage(self, *arguments: str) -> str:
        """Run a command; return what it prints."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=self.root, env=self.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def read_history(self, design: str = "") -> dict[str, object]:
        """Assert that the history of a design, or of the only one, leads to the head; return what it holds."""
        code = f"KEY = {design.removeprefix('/designs/').strip('/')!r}\n{CHECK}"
        found: dict[str, object] = json.loads(self.manage("shell", "-v", "0", "-c", code).splitlines()[-1])
        return found

    def sign_in(self) -> str:
        """Return a session of the member of the team."""
        return self.manage("shell", "-v", "0", "-c", SIGN_IN).splitlines()[-1]

    def create_team_designs(self, count: int) -> tuple[list[str], str]:
        """Make a team with a member and designs; return the designs' addresses and the member's session."""
        self.manage("prepare")
        self.manage("migrate", "--no-input")
        scene = f"DOCUMENT, COUNT = {DOCUMENT.encode()!r}, {count}\n{SCENE}"
        addresses, session = json.loads(self.manage("shell", "-v", "0", "-c", scene).splitlines()[-1])
        return addresses, session


class Browser:
    """What a person's browser sends."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None, token: str = "") -> None:
        self.port, self.cookies, self.token = port, dict(cookies or {}), token

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, dict[str, str]]:
        """Return status, body and headers of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
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
            self.cookies["csrftoken"] = found[1]
        if found := re.search(r"X-CSRFToken[^\w]+([\w-]+)", body):
            self.token = found[1]
        return answer.status, body, given

    def ask_until_computed(self, path: str) -> tuple[int, str]:
        """Return status and body of a page, which is asked for again while it is computed, as browsers do."""
        status, body, given = self.ask("GET", path)
        while status == 503 and "retry-after" in given:
            time.sleep(float(given["retry-after"]))
            status, body, given = self.ask("GET", path)
        return status, body

    def edit(self, design: str, at: str, was: str, value: str) -> int:
        """Change a table's description; return the status."""
        form = {"at": at, "name": "description", "was": json.dumps(was), "v": value}
        return self.ask("POST", f"{design}edit", form)[0]


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
        end, status = time.monotonic() + PATIENCE_SECONDS, 0
        while time.monotonic() < end:
            with suppress(OSError, http.client.HTTPException):
                status = self.browser.edit(self.design, self.at, self.last, value)
                if status == 200:
                    self.last = value
                    return True
                if status not in (429, 503):
                    break
            time.sleep(0.05)
        self.problems.append(f"{self.at}: {value} was not taken, {status}")
        return False


def create_design(port: int) -> tuple[Browser, str]:
    """Make a design with a table for each person; return who did, and its address."""
    browser = Browser(port)
    browser.ask("GET", "/")
    status, body, headers = browser.ask("POST", "/designs/new", {"json": DOCUMENT})
    address = headers.get("hx-redirect") or headers.get("location", "")
    assert "/designs/" in address, (status, body[:500])
    browser.ask("GET", urllib.parse.urlsplit(address).path)
    return browser, urllib.parse.urlsplit(address).path


def people(browser: Browser, design: str, ports: tuple[int, ...]) -> list[Person]:
    """Return somebody for each table, in one session."""
    return [Person(Browser(browser.port, browser.cookies, browser.token), design, at, ports) for at in TABLES]


def type_during(typing: list[Person], edits: int, faults: Iterable[Callable[[], None]]) -> None:
    """Have everybody make edits, and let the faults happen meanwhile, evenly among them."""
    threads = [threading.Thread(target=person.type, args=(edits,)) for person in typing]
    for thread in threads:
        thread.start()
    happening = list(faults)
    for number, fault in enumerate(happening, 1):
        wanted = number * edits // (len(happening) + 1)
        while min(int(person.last) for person in typing) < wanted and any(thread.is_alive() for thread in threads):
            time.sleep(0.02)
        fault()
    for thread in threads:
        thread.join()


def type_until_restored(site: Site, backup: Path, typing: list[Person]) -> None:
    """Have everybody overwrite their table again and again, until the backup has been restored."""
    stop = threading.Event()

    def type_on(person: Person) -> None:
        while not stop.is_set():
            with suppress(OSError, http.client.HTTPException):
                person.browser.edit(person.design, person.at, "0", "of the time before")

    threads = [threading.Thread(target=type_on, args=(person,)) for person in typing]
    for thread in threads:
        thread.start()
    try:
        site.manage("restore", str(backup), "--replace")
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def assert_all_kept(site: Site, typing: list[Person], edits: int) -> None:
    """Assert that every edit that was answered is in the history once, and that this leads to the head."""
    found = site.read_history(typing[0].design)
    assert [problem for person in typing for problem in person.problems] == []
    assert found["descriptions"] == dict.fromkeys(TABLES, "0") | {person.at: str(edits) for person in typing}
    assert found["numbers"] == list(range(1, len(found["numbers"]) + 1))  # type: ignore[arg-type]
    assert found["sequence"] == 1 + len(typing) * edits


def wait_until(true: Callable[[], bool], said: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end, said()
        time.sleep(0.05)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


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
