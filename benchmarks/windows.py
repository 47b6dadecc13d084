"""Figures about many windows: a thousand that watch designs while fifty people edit, on PostgreSQL and gunicorn.

The web server is started as the Dockerfile does. The load comes from this process, over loopback and sockets of its
own: it shares the processors with the server and the database, and its own processor time is printed.
`python -m benchmarks.windows WINDOWS EDITORS SECONDS` runs it alone.
"""

import asyncio
import contextlib
import gzip
import json
import os
import random
import re
import socket
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .measure import BenchmarkFigure

WINDOWS, EDITORS, SECONDS = 1_000, 50, 60.0
QUICK = (100, 10, 20.0)
WINDOWS_OF_A_DESIGN = 10
TABLES = 2
EDIT_SECONDS = 5.0
"""Mean pause between two edits of one person."""
IDLE_SECONDS = 15.0
"""Before anybody edits: what watching alone costs."""
RAMP_DESIGNS = 3
"""So many designs are opened at a time: their editors' pages, and the first question of each window, in full."""
PARTS = "insight%2Ceffects%2Cmarks%2Creview"
OWN_REFRESH_SECONDS = 0.5
HOLD_SECONDS = 15
PATIENCE_SECONDS = 60.0
CSRF_LENGTH = 32
"""Of the cookie that a browser has since it loaded its first page of the site."""
ROOT = Path(__file__).parents[1]


def figures(*, quick: bool) -> Iterator[BenchmarkFigure]:
    """All figures, of a process of its own."""
    settings = QUICK if quick else (WINDOWS, EDITORS, SECONDS)
    command = [sys.executable, "-m", "benchmarks.windows", *map(str, settings)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        name, values, unit, goal, note = json.loads(line)
        yield BenchmarkFigure(name, tuple(values), unit, goal, note=note)


# --- a browser, as little of it as makes the same requests


class Line:
    """One connection to the server, opened anew where it was closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body; a connection that the server closed meanwhile is opened once more."""
        is_old = self.streams is not None
        try:
            return await self._ask(request)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            if not is_old:
                raise
            return await self._ask(request)

    async def _ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in head[1:]:
            name, _, value = line.partition(":")
            name = name.lower()
            headers[name] = f"{headers[name]}\n{value.strip()}" if name in headers else value.strip()
        status = int(head[0].split()[1])
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if headers.get("connection") == "close":
            self.close()
        return status, headers, body

    def close(self) -> None:
        """Close it."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


@dataclass
class Screen:
    """Where the time of another's edit went until it was on a screen."""

    saved: float
    """Until the edit was answered. [s]"""
    told: float
    """From then until this window had the news."""
    shown: float
    """From then until it had the element."""
    ids: tuple[str, str]
    """Of its requests for both, as the server logs them."""

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.saved + self.told + self.shown

    def parts(self, logged: dict[str, tuple[float, float]]) -> dict[str, float]:
        """Return the seconds of each part; what the server answers and holds is in its log."""
        news, element = (logged.get(id_, (0.0, 0.0)) for id_ in self.ids)
        return {
            "saving": self.saved, "until the news": self.told - sum(news), "news: turn": news[1], "making": news[0],
            "element: front": self.shown - sum(element), "turn": element[1], "making it": element[0],
        }  # fmt: skip


@dataclass
class Log:
    """What all windows saw."""

    is_counted: bool = False
    statuses: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    edits: list[float] = field(default_factory=list)
    screens: list[Screen] = field(default_factory=list)
    sent: dict[tuple[str, int], tuple[float, float]] = field(default_factory=dict)
    """When each sequence number of a design was sent as an edit, and answered."""

    def count(self, what: str, status: int) -> None:
        """Note an answer."""
        self.statuses[f"{what} {status}"] += self.is_counted
        if status >= 400:
            self.problems[f"{what} {status}"] += 1


class Window:
    """One tab with an element open, which follows what others do as the editor's scripts do."""

    def __init__(self, port: int, design: str, session: str, at: str, log: Log) -> None:
        self.design, self.session, self.at, self.log = design, session, at, log
        self.questions, self.line, self.parts_line = Line(port), Line(port), Line(port)
        self.filling: asyncio.Task[None] | None = None
        self.name = f"{random.getrandbits(32):x}"
        self.company, self.token = "", ""
        self.csrf = "".join(random.choices(string.ascii_letters + string.digits, k=CSRF_LENGTH))
        self.sequence, self.sha256 = 0, ""
        self.question: asyncio.Task[Any] | None = None

    @property
    def element(self) -> str:
        """Return the address of the open element, below the design's."""
        return f"at/{self.at}" if self.at else ""

    def request(self, address: str, method: str = "GET", body: bytes = b"", *, part: bool = True) -> bytes:
        """A request as a browser sends it."""
        lines = [
            f"{method} /designs/{self.design}/{address} HTTP/1.1", "Host: localhost", "Accept: */*",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Accept-Language: en-GB,en;q=0.5", "Accept-Encoding: gzip, deflate, br",
            f"Cookie: sessionid={self.session}; csrftoken={self.csrf}",
            *(["HX-Request: true", f"X-Sequence: {self.sequence}"] if part else ()),
            *([f"X-CSRFToken: {self.token}", "Content-Type: application/x-www-form-urlencoded",
               f"Content-Length: {len(body)}"] if body else ()),
        ]  # fmt: skip
        return "\r\n".join((*lines, "", "")).encode() + body

    async def get(
        self, what: str, address: str, *, part: bool = True, line: Line | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask for a page or a part of it, again while it is still computed."""
        while True:
            reply = (line or self.line).ask(self.request(address, part=part))
            status, headers, body = await asyncio.wait_for(reply, PATIENCE_SECONDS)
            if status not in (429, 503) or "retry-after" not in headers:
                self.log.count(what, status)
                return status, headers, body
            self.log.statuses[f"{what} {status}"] += self.log.is_counted
            await asyncio.sleep(float(headers["retry-after"]))

    async def open(self) -> None:
        """Ask for news once, as a page that is open does."""
        await self.ask_once()

    async def ask_once(self) -> None:
        """Ask in full: the window is admitted, and hears who is here."""
        query = f"since={self.sequence}&window={self.name}&at={self.at}&company="
        status, _, body = await self.questions.ask(self.request(f"news?{query}"))
        self.log.count("first", status)
        if status == 200:
            self.company = json.loads(body)["company"]

    async def load(self) -> None:
        """Load the page."""
        status, headers, body = await self.get("page", self.element, part=False)
        if status != 200:
            raise RuntimeError(f"the page of the editor was answered with {status} {headers.get('location', '')}")
        page = body.decode()
        self.sequence = int(re.findall(r'data-sequence="(\d+)"', page)[0])
        self.sha256 = re.findall(r'data-sha256="(\w+)"', page)[0]
        self.token = re.findall(r"X-CSRFToken[^\w]+([\w-]+)", page)[0]
        self.csrf = (re.findall(r"csrftoken=([\w-]+)", headers.get("set-cookie", "")) or [self.csrf])[0]
        await self.fill()

    async def fill(self) -> None:
        """Ask for what is computed of this content."""
        address = f"of/{self.sha256}/parts?names={PARTS}&at={self.at}"
        await self.get("parts", address, line=self.parts_line)

    def fill_again(self) -> None:
        """Ask for that beside everything else, as a page does; a newer question ends the older one."""
        if self.filling is not None and not self.filling.done():
            self.filling.cancel()
            self.parts_line.close()
        self.filling = asyncio.ensure_future(self.fill())

    async def watch(self) -> None:
        """Ask for news, again and again."""
        while True:
            query = f"since={self.sequence}&window={self.name}&at={self.at}&company={self.company}&wait={HOLD_SECONDS}"
            query += f"&page=/designs/{self.design}/{self.element}"
            reply = self.questions.ask(self.request(f"news?{query}".replace("|", "%7C")))
            self.question = asyncio.ensure_future(asyncio.wait_for(reply, HOLD_SECONDS + PATIENCE_SECONDS))
            started = time.monotonic()
            try:
                status, headers, body = await self.question
            except asyncio.CancelledError:
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                self.questions.close()  # asked anew, on another connection
                continue
            self.log.count("news", status)
            if status == 200:
                await self.follow(json.loads(body), headers)
                await asyncio.sleep(0.2)
            else:
                pause = float(headers.get("retry-after", 0)) or max(0.0, started + 0.25 - time.monotonic())
                await asyncio.sleep(pause)

    async def follow(self, news: dict[str, Any], headers: dict[str, str]) -> None:
        """Show the open element, which came with the news or is read, then what is computed."""
        arrival, self.company = time.monotonic(), news["company"]
        if news["sequence"] <= self.sequence:
            return
        self.sequence, self.sha256 = news["sequence"], news["sha256"]
        self.fill_again()
        if "element" in news:
            sequence, own = sequence_of(news["element"]), ""
        else:
            sequence, own = await self.read_element()
        sent = self.log.sent.get((self.design, news["sequence"]))
        if sequence >= news["sequence"] and sent is not None and self.log.is_counted:
            began, ended = sent[0], max(sent)
            ids = headers.get("x-request-id", ""), own
            self.log.screens.append(Screen(ended - began, arrival - ended, time.monotonic() - arrival, ids))

    async def read_element(self) -> tuple[int, str]:
        """Read the open element; return the sequence number that it shows, and the request's id."""
        _, headers, body = await self.get("element", self.element)
        return sequence_of(body.decode()), headers.get("x-request-id", "")


def sequence_of(element: str) -> int:
    """Return the sequence number that an element shows."""
    return int(re.findall(r'data-sequence="(\d+)"', element)[0])


class EditingWindow(Window):
    """A window in which somebody types."""

    value = 100

    async def open(self) -> None:
        """Load the page, then ask."""
        await self.load()
        await self.ask_once()

    async def edit(self) -> None:
        """Change a rate every few seconds, then read what comes of it."""
        typing = Line(self.line.port)
        was: float = 200.0
        while True:
            await asyncio.sleep(random.uniform(0.5, 1.5) * EDIT_SECONDS)
            self.value += 1
            body = f"at=a0&name=rate_per_second&was={json.dumps(was)}&v={self.value}".encode()
            started = time.monotonic()
            status, headers, _ = await typing.ask(self.request("edit", "POST", body))
            ended = time.monotonic()
            self.log.count("edit", status)
            if status != 200:
                continue
            saved = json.loads(headers["hx-trigger"])["kw:saved"]
            self.log.sent[self.design, saved["sequence"]] = started, ended
            if self.log.is_counted:
                self.log.edits.append(ended - started)
            was, self.sequence, self.sha256 = self.value, saved["sequence"], saved["sha256"]
            if self.question is not None:
                self.question.cancel()
            self.fill_again()
            await asyncio.sleep(OWN_REFRESH_SECONDS)
            await self.read_element()


# --- the load


async def run_load(windows: list[Window], log: Log, pids: "Processes", seconds: float) -> list[dict[str, float]]:
    """Open all windows, watch, then edit; return processor seconds of each phase by whom."""
    by_design: dict[str, list[Window]] = {}
    for window in windows:
        by_design.setdefault(window.design, []).append(window)
    tasks: list[asyncio.Task[None]] = []
    turn = asyncio.Semaphore(RAMP_DESIGNS)

    async def open_design(group: list[Window]) -> None:
        async with turn:
            for window in group:
                await window.open()
                tasks.append(asyncio.ensure_future(window.watch()))

    begun = time.monotonic()
    await asyncio.gather(*(open_design(group) for group in by_design.values()))
    note(f"{len(windows)} windows are open after {time.monotonic() - begun:.0f} s")
    await asyncio.sleep(12)
    used = [pids.seconds()]
    await asyncio.sleep(IDLE_SECONDS)
    used.append(pids.seconds())
    tasks += [asyncio.ensure_future(window.edit()) for window in windows if isinstance(window, EditingWindow)]
    await asyncio.sleep(2 * EDIT_SECONDS)
    log.is_counted = True
    used.append(pids.seconds())
    await asyncio.sleep(seconds)
    used.append(pids.seconds())
    log.is_counted = False
    for task in tasks:
        if task.done() and not task.cancelled() and (problem := task.exception()):
            log.problems[repr(problem)] += 1
    while remaining := [task for task in tasks if not task.done()]:
        for task in remaining:
            task.cancel()
        await asyncio.wait(remaining, timeout=1)  # an answer at this moment may swallow the cancellation (Python 3.11)
    for window in windows:
        if window.filling is not None:
            window.filling.cancel()
        for line in (window.questions, window.line, window.parts_line):
            line.close()
    return used


@dataclass(frozen=True)
class Processes:
    """Processes whose time and memory are measured, from /proc."""

    web: int
    database: int

    def seconds(self) -> dict[str, float]:
        """Processor seconds so far."""
        spent = {name: sum(map(cpu_seconds, family(pid))) for name, pid in vars(self).items()}
        return {**spent, "load": time.process_time()}

    def resident_mb(self) -> list[float]:
        """Memory of the web processes and those beside them, without gunicorn's own. [MB]"""
        return [resident_mb(pid) for pid in family(self.web)[1:]]


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    below: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):  # of each thread that started one
        with contextlib.suppress(OSError):
            below += map(int, children.read_text().split())
    return [pid, *(descendant for child in below for descendant in family(child))]


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, with that of its children that ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process. [MB]"""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return 0.0


# --- the site


def prepare_site(url: str, folder: str, number: int, editors: int, port: int, log: Log) -> list[Window]:
    """Create people, teams, designs and sessions; return a window for each."""
    os.environ |= {
        "KEYWRIGHT_MODE": "team", "KEYWRIGHT_DATA": folder, "DATABASE_URL": url, "SECRET_KEY": "benchmark" * 6,
        "ALLOWED_HOSTS": "localhost", "KEYWRIGHT_HTTPS": "false", "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from django.db import connection

    from designer.models import Design, Person, Team

    from .designs import wide_design

    for command in ("prepare", "migrate"):
        call_command(command, verbosity=0, stdout=sys.stderr)
    windows: list[Window] = []
    places = ["", *(f"t{n}-rows" for n in range(TABLES)), "a0"]
    for first in range(0, number, WINDOWS_OF_A_DESIGN):
        team = Team.objects.create(name=f"Team {first}")
        spec = wide_design(TABLES)
        for n in range(first, min(first + WINDOWS_OF_A_DESIGN, number)):
            person = Person.objects.create_user(f"person{n}@example.com", name=f"Person {n}")
            team.add(person, "owner" if n == first else "editor")
            if n == first:
                design = Design.objects.start(spec, team=team, by=person)
            session = SessionStore()
            session[SESSION_KEY], session[HASH_SESSION_KEY] = str(person.pk), person.get_session_auth_hash()
            session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
            session.create()
            is_editor = n == first and first < editors * WINDOWS_OF_A_DESIGN
            kind = EditingWindow if is_editor else Window
            at = "a0" if is_editor else places[n % len(places)]
            window = kind(port, design.key, str(session.session_key), at, log)
            window.sequence, window.sha256 = design.sequence, design.head_id
            windows.append(window)
    connection.close()
    return windows


def logged_requests(text: str) -> dict[str, tuple[float, float]]:
    """Return how long each request took to answer and waited for its turn, by its id. [s]"""
    lines = (json.loads(line) for line in text.splitlines() if line.startswith("{") and '"duration_ms"' in line)
    return {
        line["request_id"]: (1e-3 * line["duration_ms"], 1e-3 * line.get("waited_ms", 0.0)) for line in lines
    }  # fmt: skip


def start_web_server(port: int, folder: str) -> subprocess.Popen[bytes]:
    """Start gunicorn as the Dockerfile does, on another port, with a line for each request."""
    line = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("CMD ")][-1]
    command = [part.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for part in json.loads(line.removeprefix("CMD "))]
    with open(f"{folder}/access.log", "wb") as out, open(f"{folder}/errors.log", "wb") as problems:
        environ = os.environ | {"KEYWRIGHT_LOG": "json"}
        command = [sys.executable, "-m", *command]
        return subprocess.Popen(command, cwd=ROOT, env=environ, stdout=out, stderr=problems)


def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(600):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the web server did not start")


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def note(text: str) -> None:
    """Say how far it is."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def percentile_95(values: list[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    return 1e3 * statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else float("nan")


def words(means: dict[str, float]) -> str:
    """Return means by name in a line."""
    return ", ".join(f"{part} {mean:.0f}" for part, mean in means.items())


def report(name: str, values: tuple[float, ...], unit: str, goal: float | None = None, text: str = "") -> None:
    """Print one figure for the table."""
    sys.stdout.write(json.dumps([name, values, unit, goal, text]) + "\n")


def main(number: int, editors: int, seconds: float) -> None:
    """Start everything, run the load, print the figures."""
    sys.path.insert(0, str(ROOT))
    from tests.postgres import Server, binaries

    programs = binaries()
    assert programs is not None, "no PostgreSQL"
    database, log, port = Server(programs), Log(), free_port()
    web: subprocess.Popen[bytes] | None = None
    try:
        database.start()
        assert database.process is not None
        with tempfile.TemporaryDirectory() as folder:
            windows = prepare_site(database.url, folder, number, editors, port, log)
            web = start_web_server(port, folder)
            wait_for(port)
            pids = Processes(web.pid, database.process.pid)
            used = asyncio.run(run_load(windows, log, pids, seconds))
            memory = pids.resident_mb()
            web.terminate()
            web.wait(60)
            lines = Path(f"{folder}/errors.log").read_text()
            note("\n".join(line for line in lines.splitlines() if '"duration_ms"' not in line)[-6000:])
    finally:
        if web is not None and web.poll() is None:
            web.kill()
        database.stop()
    print_figures(log, logged_requests(lines), used, memory, number, editors, seconds)


def print_figures(
    log: Log, logged: dict[str, tuple[float, float]], used: list[dict[str, float]], memory: list[float], number: int,
    editors: int, seconds: float,
) -> None:  # fmt: skip
    """Print a line for each figure."""
    idle = {name: used[1][name] - used[0][name] for name in used[0]}
    busy = {name: used[3][name] - used[2][name] for name in used[0]}
    answers = ", ".join(f"{count} {what}" for what, count in sorted(log.statuses.items()))
    edits = f"{len(log.edits)} edits, one of each person in {EDIT_SECONDS:g} s"
    report(f"{number:,} windows, {editors} people edit: edit, p95", (percentile_95(log.edits),), "ms", 250, edits)
    screens = sorted(log.screens, key=lambda screen: screen.seconds)
    times = [screen.seconds for screen in screens]
    text = f"{len(screens)} screens; median {1e3 * statistics.median(times or [float('nan')]):.0f} ms"
    report("  another's edit on screen, p95", (percentile_95(times),), "ms", 1500, text)
    for name, some in (("all", screens), ("the slowest twentieth", screens[-max(len(screens) // 20, 1) :])):
        means = {}
        for screen in some:
            for part, spent in screen.parts(logged).items():
                means[part] = means.get(part, 0.0) + 1e3 * spent / len(some)
        report(f"    mean of {name}", (sum(means.values()),), "ms", None, words(means))
    problems = "; ".join(f"{count} × {what}" for what, count in log.problems.items())
    report("  errors", (sum(log.problems.values()),), "", 0, problems)
    report("  largest web process", (max(memory),), "MB", 350, " ".join(f"{size:.0f}" for size in memory))
    report("  processor: web", (busy["web"] / seconds,), "of 2", None, answers)
    report("  processor: database", (busy["database"] / seconds,), "of 2")
    report("  processor: the load itself", (busy["load"] / seconds,), "of 2", None, "shares the two processors")
    spent = 1e3 * (busy["web"] + busy["database"] - (idle["web"] + idle["database"]) * seconds / IDLE_SECONDS)
    note = f"with the {len(log.screens) / max(len(log.edits), 1):.1f} screens that show it"
    report("  processor of an edit", (spent / max(len(log.edits), 1),), "ms", None, note)
    report("  requests of an edit", (log.statuses.total() / max(len(log.edits), 1),), "", None, note)
    watching = 1e3 * (idle["web"] + idle["database"]) / IDLE_SECONDS / number
    report("  nobody edits: processor of a window", (watching,), "ms/s", 0.5, "web and database")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
