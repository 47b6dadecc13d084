"""Two of gunicorn's workers together: what is saved through one shows in the windows of the other."""

import http.client
import json
import re
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.commands.web_server import SOON_SECONDS, Watcher, serve, web_environ

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux whose connection it is")
EDITS, WORKERS = 3, 2
TRIES = 200


def worker_of(line: http.client.HTTPConnection, workers: list[int]) -> int:
    """Return which process has the other end of a connection."""
    assert line.sock is not None
    near, far = (f":{end[1]:04X}" for end in (line.sock.getsockname(), line.sock.getpeername()))
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    [inode] = [row[9] for row in rows if row[1].endswith(far) and row[2].endswith(near)]
    [found] = [
        pid
        for pid in workers
        if any(_target(each) == f"socket:[{inode}]" for each in Path(f"/proc/{pid}/fd").iterdir())
    ]
    return found


def _target(descriptor: Path) -> str:
    try:
        return str(descriptor.readlink())
    except OSError:  # closed meanwhile
        return ""


class WindowOfWorker:
    """A window all of whose requests go to one worker."""

    def __init__(self, window: Watcher, worker: int, workers: list[int]) -> None:
        self.window, self.worker, self.workers = window, worker, workers
        self.line = self.connect()
        self.cookie, self.token = f"sessionid={window.session}", ""
        self.sequence, self.company, self.told = 1, "", list[int]()

    def connect(self) -> http.client.HTTPConnection:
        for _ in range(TRIES):
            line = http.client.HTTPConnection("localhost", self.window.port, timeout=SOON_SECONDS)
            line.request("GET", "/healthz")
            line.getresponse().read()
            if worker_of(line, self.workers) == self.worker:
                return line
            line.close()
        raise AssertionError("a worker gets no connection")

    def send(self, method: str, address: str, body: str = "", **headers: str) -> None:
        headers |= {"HX-Request": "true", "Cookie": self.cookie}
        self.line.close()
        self.line = self.connect()  # a worker may have closed one that was idle
        self.line.request(method, f"/designs/{self.window.design}/{address}", body or None, headers)

    def answer(self) -> tuple[int, http.client.HTTPMessage, str]:
        response = self.line.getresponse()
        return response.status, response.headers, response.read().decode()

    def load(self) -> None:
        self.line.request("GET", f"/designs/{self.window.design}/", headers={"Cookie": self.cookie})
        _, headers, page = self.answer()
        cookie, token = re.search(r"csrftoken=[\w-]+", headers["Set-Cookie"]), re.search(r"Token[^\w]+([\w-]+)", page)
        assert cookie
        assert token
        self.cookie, self.token = f"{self.cookie}; {cookie[0]}", token[1]

    def edit(self, name: str, was: Any, value: object) -> None:
        body = urlencode({"at": "", "name": name, "was": json.dumps(was), "v": value})
        form = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": self.token}
        self.send("POST", "edit", body, **form)
        status, headers, _ = self.answer()
        assert status == 200
        self.sequence = json.loads(headers["HX-Trigger"])["kw:saved"]["sequence"]

    def ask(self) -> None:
        query = {"since": self.sequence, "window": f"w{self.worker}", "at": "", "company": self.company, "wait": 15}
        self.send("GET", f"news?{urlencode(query)}")

    def follow(self) -> None:
        """Read the answer to a question."""
        status, _, body = self.answer()
        if status == 200:
            news = json.loads(body)
            self.company, self.sequence = news["company"], news["sequence"]
            self.told += [change["sequence"] for change in news["changes"]]

    def element(self) -> tuple[int, str]:
        self.send("GET", "", **{"X-Sequence": str(self.sequence)})
        _, _, text = self.answer()
        shown = re.search(r'data-sequence="(\d+)"', text)
        assert shown
        return int(shown[1]), text


@pytest.mark.slow
def test_what_is_saved_through_one_worker_shows_in_a_window_of_the_other_once_and_in_order(
    root: Path, tmp_path: Path
) -> None:
    with serve(root, web_environ(tmp_path), workers=WORKERS) as (process, window):
        workers = wait_for_workers(process.pid)
        text: str | None = None
        months: int | None = None
        for saves, shows in (workers, workers[::-1]):
            editing, watching = (WindowOfWorker(window, worker, workers) for worker in (saves, shows))
            editing.load()
            watching.sequence, _ = begun, _ = editing.element()
            watching.ask()
            watching.follow()  # who is here is said at once
            for n in range(EDITS):
                watching.ask()
                text, was = f"edit {begun}-{n}", text
                editing.edit("description", was, text)
                if n == EDITS - 1:  # another before the window asks again
                    months, earlier = begun + 30, months
                    editing.edit("horizon_months", earlier, months)
                watching.follow()
                while watching.sequence < editing.sequence:
                    watching.ask()
                    watching.follow()
                sequence, page = watching.element()
                assert sequence == editing.sequence
                assert text in page
            assert f'value="{months}"' in page
            assert watching.told == list(range(begun + 1, editing.sequence + 1))


def wait_for_workers(pid: int) -> list[int]:
    """Return the processes of both workers."""
    deadline = time.monotonic() + SOON_SECONDS
    while time.monotonic() < deadline:
        workers = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        if len(workers) == WORKERS:
            return workers
        time.sleep(0.1)
    raise AssertionError("the workers did not start")
