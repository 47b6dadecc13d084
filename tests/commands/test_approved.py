"""`approved`: what a link says of a design, asked of a server that answers what a test tells it to."""

import base64
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from config.commandline import main
from designer.document import dump, fingerprint
from designer.document.compact import dump_compact
from designer.examples import example
from reviews.management import link_client
from reviews.verdicts.link_verdicts import FORMAT
from reviews.verdicts.sections import SECTIONS

SPEC = example("mobile-devices").spec
Approved = Callable[..., tuple[int, str, str]]


@dataclass
class Site:
    """A server with one answer, which remembers what it was asked."""

    port: int = 0
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self.port}/tools/review/secret-token/"

    def tell(self, states: dict[str, str] | None = None, **more: Any) -> None:
        """Have it show the design with all sections approved, but for these."""
        sections = [
            {"section": name, "state": state, "approved_by": ["Eve\x1b[31m"] if state in ("approved", "link") else []}
            for name, state in (dict.fromkeys(SECTIONS, "approved") | (states or {})).items()
        ]
        data = {"format": FORMAT, "sha256": fingerprint(SPEC), "revision": 7, "sections": sections, **more}
        self.status, self.body = 200, json.dumps(data).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, self.headers.get("Authorization", "")))
            self.send_response(site.status)
            for name, value in site.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(site.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        site.port = listening.server_address[1]
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield site
        listening.shutdown()
        thread.join()


@pytest.fixture
def site(server: Site) -> Site:
    server.headers = {}
    server.asked.clear()
    server.tell()
    return server


@pytest.fixture
def approved(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Approved:
    """Asks whether the design is approved, of the site's link."""
    monkeypatch.setenv("KEYWRIGHT_LINK", site.link)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    file = tmp_path / "d.keywright.json"
    file.write_text(dump(SPEC))

    def call(*arguments: str) -> tuple[int, str, str]:
        return (main("keywright", ["approved", str(file), *arguments]), *capsys.readouterr())

    return call


def test_a_design_with_all_verdicts_is_approved(approved: Approved, site: Site, tmp_path: Path) -> None:
    site.tell({"cost": "link"})
    told = approved()
    assert told == (0, f"Revision 7 ({fingerprint(SPEC)[:12]}) is approved by Eve\\x1b[31m.\n", "")
    assert site.asked == [("/tools/review/secret-token/verdicts.json", "")]
    assert approved("--by-link", f"{site.link}set/keys?x=1#y") == told
    compact = tmp_path / "d.keywright.yaml"
    compact.write_text(dump_compact(SPEC))
    assert main("keywright", ["approved", str(compact)]) == 0


@pytest.mark.parametrize(
    ("states", "arguments", "reason"),
    [
        ({"keys": "changes"}, (), "The section keys is not approved: changes are requested."),
        ({"cost": "stale"}, (), "The section cost is not approved: it changed since its verdict."),
        ({"workload": "own"}, (), "The section workload is not approved: it is approved by its author only."),
        ({"workload": "none"}, ("--section", "workload", "--section", "keys"), "there is no verdict yet"),
        ({"keys": "link"}, ("--members",), "it is approved through a link only"),
    ],
)
def test_a_section_without_its_verdict_refuses(
    approved: Approved, site: Site, states: dict[str, str], arguments: tuple[str, ...], reason: str
) -> None:
    site.tell(states)
    code, stdout, stderr = approved(*arguments, "--format", "terraform")

    assert (code, stdout) == (1, "")
    assert reason in stderr
    assert approved("--section", "families")[0] == 0


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ({"sha256": "0" * 64}, "is not the one that the link shows: revision 7 (000000000000)."),
        ({"sha256": None}, "The link hides a part of the design"),
        ({"sections": []}, "The link shows no section."),
    ],
)
def test_another_content_refuses(approved: Approved, site: Site, shown: dict[str, Any], reason: str) -> None:
    site.tell(**shown)
    code, _, stderr = approved()

    assert code == 1
    assert reason in stderr


@pytest.mark.parametrize(
    ("change", "absent"),
    [
        ({"start": None, "instance": {"price_book": None}}, "no start date and no price book,"),
        ({"instance": {"price_book": None}}, "no price book,"),
        ({}, ""),
    ],
)
@pytest.mark.usefixtures("approved")
def test_what_a_site_adds_to_a_file_is_named(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], absent: str
) -> None:
    data = json.loads(dump(SPEC))
    data["start"] = change.get("start", "2026-11-01")
    data["instance"] = {**data["instance"], "price_book": "bigtable-2026-11-20", **change.get("instance", {})}
    (tmp_path / "begun.keywright.json").write_text(json.dumps(data))
    site.tell(sha256="0" * 64)
    code, stderr = main("keywright", ["approved", str(tmp_path / "begun.keywright.json")]), capsys.readouterr().err

    assert code == 1
    assert ("which a site gives" in stderr) == bool(absent)
    assert absent in stderr


@pytest.mark.parametrize(
    ("status", "headers", "body", "code", "reason"),
    [
        (401, {}, b"", 2, "set KEYWRIGHT_LINK_PASSWORD"),
        (403, {}, b"", 2, "is not right"),
        (404, {}, b"", 2, "has ended, was revoked"),
        (302, {"Location": "http://127.0.0.2/"}, b"", 2, "redirect, which is not followed"),
        (429, {"Retry-After": "60"}, b"", 3, "Try again in 60 seconds."),
        (500, {}, b"", 3, "the status 500"),
        (200, {}, b"<html>", 3, "no list of verdicts"),
        (200, {}, b'{"format": "keywright-verdicts/2"}', 3, "no list of verdicts"),
        (200, {}, b"[]", 3, "no list of verdicts"),
        (200, {}, b" " * (link_client.MOST_BYTES + 1), 3, "longer than a list of verdicts"),
    ],
)
def test_what_a_site_refuses_is_said_without_the_link(
    approved: Approved, site: Site, status: int, headers: dict[str, str], body: bytes, code: int, reason: str
) -> None:
    site.status, site.headers, site.body = status, headers, body
    found, stdout, stderr = approved()

    assert (found, stdout) == (code, "")
    assert reason in stderr
    assert "secret-token" not in stderr
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "link",
    ["", "ftp://x/review/a/", "file:///review/a/", "https://x/designs/a/", "https://u:p@x/review/a/", "http://["],
)
def test_what_is_no_link_is_not_asked(approved: Approved, site: Site, link: str) -> None:
    assert approved("--by-link", link)[0] == 2
    assert not site.asked


def test_a_site_that_is_not_there_is_said(approved: Approved) -> None:
    code, _, stderr = approved("--by-link", "http://127.0.0.1:1/review/secret-token/")

    assert code == 3
    assert "127.0.0.1:1 could not be reached" in stderr
    assert "secret" not in stderr


def test_the_password_goes_into_a_header(approved: Approved, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_LINK_PASSWORD", "wide: ö")

    assert approved()[0] == 0
    assert base64.b64decode(site.asked[0][1].removeprefix("Basic ")).decode() == ":wide: ö"


def test_terraform_gets_an_object_of_texts(approved: Approved) -> None:
    code, stdout, _ = approved("--format", "terraform")
    result = json.loads(stdout)

    assert code == 0
    assert result["approved"] == "true"
    assert result["sha256"] == fingerprint(SPEC)
    assert all(isinstance(value, str) for value in result.values())
    assert "\x1b" not in stdout


def test_the_example_for_terraform_refuses_and_answers_as_its_protocol_asks(
    approved: Approved, site: Site, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The external provider reads an object of texts; where the program does not end with 0, it shows its errors."""
    text = (root / "docs/ci.md").read_text().partition("```hcl\n")[2].partition("```")[0]
    found = re.search(r"program = (\[.*\])", text)
    assert found is not None
    program, *arguments = json.loads(found[1].replace("${path.module}", str(tmp_path)))
    (tmp_path / "orders.keywright.yaml").write_text(dump_compact(SPEC))

    assert (program, main(program, arguments)) == ("keywright", 0)
    assert json.loads(capsys.readouterr().out)["approved"] == "true"
    site.tell({"instance": "changes"})
    assert main(program, arguments) == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "The section instance is not approved: changes are requested.\n")
    if (terraform := shutil.which("terraform")) is not None:
        (tmp_path / "main.tf").write_text(text)
        check = [terraform, "fmt", "-check", "-diff", "main.tf"]
        done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
