"""A forecast that is missed, on a team's server: a kept measurement goes out as a webhook and as mail."""

import datetime
import email
import json
import os
import re
import shutil
import socketserver
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from email.message import Message
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests import postgres
from tests.commands.sites import Browser, Site, free_port
from tests.core.observations.fleet import DESIGN, FILES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix" or postgres.binaries() is None, reason="no initdb on this machine"),
]
SCENE = """
import json
from django.conf import settings
from django.test import Client
from designer.document import Spec
from designer.models import Design, Person, Team, Webhook
team = Team.objects.create(name="Platform")
ana, ben = (Person.objects.create_user(f"{name}@example.com", name=name) for name in ("ana", "ben"))
team.add(ana, "owner")
team.add(ben, "viewer")
design = Design.objects.start(Spec.model_validate(DOCUMENT), team=team, by=ana)
sessions = []
for one in (ana, ben):
    client = Client()
    client.force_login(one)
    sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
Webhook.objects.start(team, address=HOOK, kinds=["forecast.missed"], by=ana)
print(json.dumps([f"/designs/{design.key}/", *sessions]))
"""

DUE = "from django.utils import timezone; from reviews.models import Mail; Mail.objects.update(due=timezone.now())"


@pytest.fixture
def mails() -> Iterator[tuple[int, list[Message]]]:
    """A mail server of this machine, and what it was given."""
    got: list[Message] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 test")
            while line := self.rfile.readline().decode().strip().upper():
                if line == "DATA":
                    self._say("354 go on")
                    lines = list(iter(self.rfile.readline, b".\r\n"))
                    got.append(email.message_from_bytes(b"".join(lines), policy=default))
                self._say("221 bye" if line == "QUIT" else "250 ok")

        def _say(self, words: str) -> None:
            self.wfile.write(words.encode() + b"\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_address[1], got
        server.shutdown()


@pytest.fixture
def events() -> Iterator[tuple[str, list[Any]]]:
    """A receiver of webhooks, and what it was told."""
    got: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook", got
        server.shutdown()


class Member(Browser):
    """A person's browser, which sends files, too."""

    def send(self, path: str, values: dict[str, str], file: Path | None = None) -> tuple[int, str]:
        """Post a form as a page does; return the status and the page, or where to go."""
        edge = "of-a-form"
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
                 for name, value in {**values, "csrfmiddlewaretoken": self.cookies["csrftoken"]}.items()]  # fmt: skip
        if file is not None:
            head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
            parts.append(head.encode() + file.read_bytes() + b"\r\n")
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", b"".join(parts) + f"--{edge}--\r\n".encode()
        )
        asked.add_header("Content-Type", f"multipart/form-data; boundary={edge}")
        asked.add_header("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status, answer.read().decode()


def test_a_missed_forecast_is_told_to_receivers_and_subscribers(
    tmp_path: Path, root: Path, mails: tuple[int, list[Message]], events: tuple[str, list[Any]]
) -> None:
    (mail_port, got_mails), (hook, got_events) = mails, events
    database = postgres.Server(postgres.binaries())  # type: ignore[arg-type]
    database.start()
    temporary = tempfile.mkdtemp(prefix="kwt", dir="/tmp")  # its path is short enough for sockets
    site = Site(
        tmp_path, root,
        {
            "KEYWRIGHT_MODE": "team", "KEYWRIGHT_HTTPS": "false", "SECRET_KEY": "of a test " * 6,
            "ALLOWED_HOSTS": "127.0.0.1,testserver", "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
            "KEYWRIGHT_PROCESSES": "0", "TMPDIR": temporary, "DATABASE_URL": database.url,
            "KEYWRIGHT_WEBHOOKS_PRIVATE": "true", "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(mail_port),
            "EMAIL_USE_TLS": "false", "EMAIL_FROM": "keywright@example.com",
        },
    )  # fmt: skip
    try:
        walk(site, hook, got_mails, got_events)
    finally:
        for port in list(site.processes):
            site.kill(port)
        database.stop()
        shutil.rmtree(temporary)


def walk(site: Site, hook: str, mails: list[Message], events: list[Any]) -> None:
    site.manage("prepare")
    site.manage("migrate", "--no-input")
    start = (datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=30)).isoformat()
    scene = f"DOCUMENT, HOOK = {({**DESIGN, 'start': start}, hook)!r}\n{SCENE}"
    design, ana, ben = json.loads(site.manage("shell", "-v", "0", "-c", scene).splitlines()[-1])
    port = site.start()
    owner, viewer = (Member(port, {"sessionid": session}) for session in (ana, ben))
    assert viewer.ask("GET", f"{design}review/")[0] == 200
    assert viewer.send(f"{design}review/mail", {"mail": "on", "miss": "25"})[0] == 200

    assert owner.ask("GET", f"{design}measured/")[0] == 200
    _, shown = owner.send(f"{design}measured/", {}, FILES / "table_stats.json")
    signed = re.search(r'name="compared" value="([^"]+)"', shown)
    assert signed is not None
    _, kept = owner.send(f"{design}measured/", {"compared": signed[1], "keep": "1"})
    assert "75.6M" in kept
    assert "0 mails sent" in site.manage("deliver_mail"), "it waits two minutes for what else happens"
    site.manage("shell", "-v", "0", "-c", DUE)
    assert "1 mail sent" in site.manage("deliver_mail")
    # A team's site asks no receiver on its own machine; a person's does, with the same database.
    own = Site(site.folder, site.root, {**site.settings, "KEYWRIGHT_MODE": "embedded"})
    assert "1 delivery received" in own.manage("deliver_webhooks")
    assert "0 mails sent" in site.manage("deliver_mail")

    assert [one["type"] for one in events] == ["forecast.missed"]
    (event,), (mail,) = events, mails
    assert event["data"]["design"]["name"] == "Readings"
    assert event["data"]["forecast"]["largest_difference"] > 0.5
    assert mail["To"] == "ben@example.com"
    body = mail.get_payload(decode=True).decode()  # type: ignore[union-attr]
    assert "differ from the forecast by more than 25" in body
    for page in ("measured", "review"):
        assert f"http://127.0.0.1:{port}{design}{page}/" in body
    assert "75.6" not in body, "a mail holds no figures"
