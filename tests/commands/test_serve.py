"""`manage.py serve`, as a person starts it: in a process of its own, with an empty data folder; and what it refuses."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.management.commands.serve import is_loopback


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "KEYWRIGHT_MODE")}
    return {**kept, "KEYWRIGHT_DATA": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def address(root: Path, environ: dict[str, str]) -> Generator[str, None, None]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=root, env=environ, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    yield found[0]
    process.terminate()
    process.wait(60)
    process.stdout.close()


def read(url: str) -> tuple[int, str, dict[str, str]]:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=60) as response:
                return response.status, response.read().decode(), dict(response.headers)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), dict(error.headers)
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"{url} did not answer")


def test_a_fresh_folder_serves_pages_with_files_that_browsers_may_keep(address: str) -> None:
    status, html, headers = read(f"{address}/")
    stylesheet = re.search(r'href="(/static/css/keywright\.[0-9a-f]{12}\.css)"', html)

    assert status == 200
    assert stylesheet, html
    _, _, file_headers = read(address + stylesheet[1])
    assert "immutable" in file_headers["Cache-Control"]
    assert read(f"{address}/healthz")[0] == 200
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy + ";"
    assert "unsafe-eval" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert read(f"{address}/no-such-page")[0] == 404


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What the command says when it ends before it has touched anything."""

    def touched(*_: Any, **__: Any) -> None:
        raise AssertionError("it went on to serve")

    def told(*arguments: str) -> str:
        monkeypatch.setattr("config.management.commands.serve.call_command", touched)
        with pytest.raises(CommandError) as error:
            call_command("serve", *arguments)
        return str(error.value)

    return told


def test_a_port_that_is_taken_is_said_when_it_was_asked_for(refused: Callable[..., str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert f"Port {port} is taken" in refused("--port", str(port))


def test_a_site_without_sign_in_refuses_to_serve_the_network(refused: Callable[..., str], settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "embedded"

    assert "listens on this machine only" in refused("--host", "0.0.0.0")


def test_loopback_is_told_from_the_network() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.7", "::", "example.com")))
