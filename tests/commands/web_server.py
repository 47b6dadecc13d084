"""A site behind gunicorn as the Dockerfile starts it, and one of its windows."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCENE = """
import json
from django.test import Client
from designer.document.load import from_data
from designer.models import Design, Person, Team
team = Team.objects.create(name="Platform")
ana = Person.objects.create_user("ana@example.com", name="Ana")
team.add(ana, "owner")
design = Design.objects.start(from_data({"name": "Balloons"}), team=team, by=ana)
client = Client()
client.force_login(ana)
print(json.dumps([design.key, client.cookies["sessionid"].value]))
"""
SOON_SECONDS = 30.0
METRICS_TOKEN = "of-a-test-0123456789"


def web_environ(folder: Path) -> dict[str, str]:
    """Return the environment of a site with a folder of its own."""
    return {
        **os.environ,
        "KEYWRIGHT_MODE": "team", "KEYWRIGHT_HTTPS": "false", "KEYWRIGHT_DATA": str(folder),
        "KEYWRIGHT_PROCESSES": "0", "KEYWRIGHT_METRICS": METRICS_TOKEN, "KEYWRIGHT_LOG": "json",
        "SECRET_KEY": "of a test " * 6, "ALLOWED_HOSTS": "localhost",
        "DATABASE_URL": f"sqlite:///{folder}/keywright.sqlite3",
    }  # fmt: skip


class Watcher:
    """A window of Ana's."""

    def __init__(self, port: int, design: str, session: str) -> None:
        self.port, self.design, self.session = port, design, session
        self.line = http.client.HTTPConnection("localhost", port, timeout=SOON_SECONDS)

    def ask(self, since: int, wait: int = 0) -> http.client.HTTPConnection:
        query = f"since={since}&window=w1&at=&company=&wait={wait}"
        headers = {"HX-Request": "true", "Cookie": f"sessionid={self.session}"}
        self.line.request("GET", f"/designs/{self.design}/news?{query}", headers=headers)
        return self.line

    def answer(self) -> int:
        with self.line.getresponse() as response:
            response.read()
            return response.status

    def status(self, since: int, wait: int = 0) -> int:
        self.ask(since, wait)
        return self.answer()

    def is_waiting(self) -> bool:
        """Whether nothing came so far."""
        assert self.line.sock is not None
        self.line.sock.settimeout(1)
        try:
            return not self.line.sock.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        finally:
            self.line.sock.settimeout(SOON_SECONDS)

    def post(self, way: str, **data: str) -> int:
        """As the page does it, with its token."""
        other = http.client.HTTPConnection("localhost", self.port, timeout=SOON_SECONDS)
        other.request("GET", f"/designs/{self.design}/", headers={"Cookie": f"sessionid={self.session}"})
        page = other.getresponse()
        text, cookie = page.read().decode(), re.search(r"csrftoken=([\w-]+)", page.headers["Set-Cookie"])
        token = re.search(r"X-CSRFToken[^\w]+([\w-]+)", text)
        assert cookie
        assert token
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={cookie[1]}", "X-CSRFToken": token[1],
            "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true",
        }  # fmt: skip
        other.request("POST", way, "&".join(f"{name}={value}" for name, value in data.items()), headers)
        return other.getresponse().status


@contextmanager
def serve(root: Path, environ: dict[str, str], *, workers: int) -> Iterator[tuple[subprocess.Popen[bytes], Watcher]]:
    """Start a site with a design of Ana's, and end it."""

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=root, env=environ, check=True, capture_output=True, text=True
        )
        return done.stdout

    manage("prepare")
    manage("migrate", "--no-input")
    key, session = json.loads(manage("shell", "--no-imports", "-c", SCENE).splitlines()[-1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [line for line in (root / "Dockerfile").read_text().splitlines() if line.startswith("CMD ")][-1]
    command = json.loads(line.removeprefix("CMD "))
    command[command.index("--workers") + 1] = str(workers)
    changed = [part.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for part in command]
    process = subprocess.Popen([sys.executable, "-m", *changed], cwd=root, env=environ, stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield process, Watcher(port, key, session)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(SOON_SECONDS)
