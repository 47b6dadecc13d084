"""Hostile input at every address: each parameter that a page reads, parts of paths, headers and bodies.

Nothing ends in an error of the program, and nothing takes long. What a page reads is recorded while it answers.
"""

import gc
import json
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.db import transaction
from django.http import QueryDict
from django.template.backends.django import Template
from django.test import Client
from django.urls import reverse

from designer.models import Token
from tests.db.test_permissions import NOBODY, PATTERNS, SITE, Scene, scene  # noqa: F401

MOST_SECONDS = 2.0
DEEP = b"[" * 20_000 + b"]" * 20_000
WORST = {"superscript digit": "²".encode(), "deep JSON": DEEP}
"""What broke most before there was one door: sent for each parameter alone."""
HOSTILE = WORST | {
    "5,000 digits": b"9" * 5_000,
    "negative": b"-1",
    "beyond every column": b"99999999999999999999",
    "not a number": b"nan",
    "infinity": b"1e400",
    "NUL": b"a\0b",
    "half a character": b"\xed\xa0\x80",
    "half a character in JSON": b'"\\ud800"',
    "NUL in JSON": b'{"kind":"set","at":"","name":"description","value":"a\\u0000b","was":null}',
    "deep object": b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    "item of nothing": b"remove items.0",
    "step into nothing": "remove .-1.²".encode(),
    "JSON null": b"null",
    "long text": "\u3042 ".encode() * 20_000,
    "line breaks": b"a\r\nSet-Cookie: b=1\n",
}
API_NAMES = (
    "revision", "offset", "limit", "archived", "deleted", "sections", "with", "file", "before", "after", "state",
)  # fmt: skip
HEADERS = (
    "HX-Request", "HX-Target", "HX-Current-URL", "HX-Trigger", "HX-Prompt", "HX-Boosted", "Referer", "X-Forwarded-For",
    "If-Match", "If-None-Match", "If-Modified-Since", "Accept-Language", "Authorization", "Content-Type", "Range",
    "Origin", "Accept-Encoding", "Cookie", "Content-Length", "Idempotency-Key",
)  # fmt: skip
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def names_read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names that a request asks a query or a form for."""
    names: set[str] = set()

    def record(method: str) -> None:
        original = getattr(QueryDict, method)

        def read_and_record(data: QueryDict, name: str, *more: Any) -> Any:
            names.add(name)
            return original(data, name, *more)

        monkeypatch.setattr(QueryDict, method, read_and_record)

    for method in ("get", "getlist", "__getitem__", "__contains__"):
        record(method)
    return names


class Attack:
    """Requests of an owner, each undone, with what was wrong."""

    def __init__(self, scene: Scene) -> None:  # noqa: F811
        # What earlier tests of this process left is searched for garbage now: that takes seconds, and is no part of an
        # answer.
        gc.collect()
        gc.freeze()
        self.scene = scene
        self.client = Client(raise_request_exception=False)
        self.client.force_login(scene.people["owner"])
        self.cookies = self.client.cookies.copy()
        self.wrong: list[str] = []
        owner, team = scene.people["owner"], scene.design.team
        self.token = Token.objects.issue(team, name="review", scope="review", by=owner)[1]

    def send(self, method: str, path: str, what: str, data: bytes | str = b"", **more: Any) -> int:
        """Send one request; note it if it fails or takes too long."""
        if path.startswith("/api/"):
            more = {"HTTP_AUTHORIZATION": f"Bearer {self.token}"} | more
        start = time.thread_time()
        with transaction.atomic():
            answer: Any = self.client.generic(method.upper(), path, data, **more)
            transaction.set_rollback(True)
        self.client.cookies = self.cookies.copy()
        seconds = time.thread_time() - start
        if answer.status_code >= 500 or seconds > MOST_SECONDS:
            error = repr(answer.exc_info[1])[:150] if getattr(answer, "exc_info", None) else ""
            place = path.partition("?")[0][:90]
            self.wrong.append(f"{method} {place} {what}: {answer.status_code}, {seconds:.1f} s {error}")
        return int(answer.status_code)

    def give(self, method: str, path: str, what: str, data: dict[str, Any]) -> int:
        """Send parameters as a query or as a form."""
        text = urlencode(data, doseq=True)
        if method == "get":
            return self.send("get", f"{path.partition('?')[0]}?{text}", what)
        return self.send("post", path, what, text, content_type=FORM)

    def check(self) -> None:
        assert not self.wrong, "\n".join(self.wrong)


def addresses() -> Iterator[tuple[str, str]]:
    """Every address by its name, with each method that it has."""
    for name, page in SITE.items():
        yield from ((name, method) for method, action in (("get", page.get), ("post", page.post)) if action != NOBODY)


def attack_parameters(scene: Scene, names_read: set[str], alone: dict[str, bytes]) -> None:  # noqa: F811
    """Give every parameter of every address each value of `alone`, and all of them together every other one."""
    attack, draw = Attack(scene), Template.render
    for number, (name, method) in enumerate(addresses()):
        path = scene.path(name)
        usual = dict(scene.data(name)) if method == "post" else QueryDict(path.partition("?")[2]).dict()
        names_read.clear()
        attack.give(method, path, "usual", usual)
        given = {*names_read, *usual, *(API_NAMES if name.startswith("api_") else ())} - {"csrfmiddlewaretoken"}
        if not given:
            continue
        whole = list(HOSTILE.items())[number % len(HOSTILE) :: 6]
        for what, value in whole:
            attack.give(method, path, f"everything is {what}", dict.fromkeys(given, value))
        Template.render = lambda *_: ""  # type: ignore[method-assign] # what is drawn is drawn above
        try:
            for one in sorted(given | names_read):
                for what, value in alone.items():
                    attack.give(method, path, f"{one} is {what}", {**usual, one: value})
        finally:
            Template.render = draw  # type: ignore[method-assign]
    attack.check()


@pytest.mark.slow
def test_no_parameter_of_an_address_ends_in_an_error(scene: Scene, names_read: set[str]) -> None:  # noqa: F811
    attack_parameters(scene, names_read, WORST)


@pytest.mark.slow
def test_no_value_of_a_parameter_of_an_address_ends_in_an_error(scene: Scene, names_read: set[str]) -> None:  # noqa: F811
    attack_parameters(scene, names_read, HOSTILE)


@pytest.mark.slow
def test_no_part_of_a_path_ends_in_an_error(scene: Scene) -> None:  # noqa: F811
    """Each part of each address replaced, percent-encoded as it was sent; parts that addresses share once."""
    attack, sent = Attack(scene), set[tuple[str, ...]]()
    parts = ("²", "9" * 5_000, "a\0b", b"\xed\xa0\x80", "٣", "..")
    for name, method in addresses():
        steps = scene.path(name).partition("?")[0].split("/")
        for number in range(1, len(steps)):
            shared = (*steps[:number], "…", *steps[number + 1 : number + 2])
            if steps[number] and method == "get" and shared not in sent:
                sent.add(shared)
                for part in parts:
                    path = "/".join((*steps[:number], quote(part, safe=""), *steps[number + 1 :]))
                    attack.send(method, path, f"part {number}")
    attack.check()


def test_a_path_with_a_character_that_no_database_stores_is_not_found(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)

    assert attack.send("get", "/rules/K0%0004/", "NUL") == 404
    assert attack.send("get", "/invitations/a%00b", "NUL") == 404
    assert attack.send("get", f"/api/v1/designs/{scene.design.key}/exports/a%00b", "NUL") == 404


@pytest.mark.slow
def test_no_header_ends_in_an_error(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)
    for name, method in (("editor", "get"), ("edit", "post"), ("api_document", "get"), ("link", "get")):
        for header in HEADERS:
            key = header.upper().replace("-", "_")
            for value in ("\xb2", "9" * 5_000, "a\0b; charset=utf-16"):
                named = {key if key.startswith("CONTENT_") else f"HTTP_{key}": value}
                attack.send(method, scene.path(name), f"{header}: {value[:20]!r}", "at=t", **named)
    attack.check()


def part_of_form(header: bytes) -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="at"\r\n' + header + b"\r\n\r\n!\r\n--x--\r\n"


def test_no_body_ends_in_an_error(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)
    parts = "multipart/form-data; boundary=x"
    bodies = {
        "UTF-16": (urlencode(scene.data("edit")).encode("utf-16"), f"{FORM}; charset=utf-16"),
        "UTF-16 unsaid": (urlencode(scene.data("edit")).encode("utf-16"), FORM),
        "no such charset": (b"at=t", f"{FORM}; charset=nonsense"),
        "no boundary": (b"--x\r\n", "multipart/form-data"),
        "cut parts": (part_of_form(b"")[:-12], parts),
        "an encoding": (part_of_form(b"Content-Transfer-Encoding: base64\r\n"), parts),
        "thousands of fields": (b"&".join(b"a%d=1" % number for number in range(2_000)), FORM),
        "JSON": (b'{"at": 1}', "application/json"),
    }
    for name in ("edit", "key_paste", "import", "create", "sign_in", "link_talk", "set_language", "link_password"):
        for what, (data, content_type) in bodies.items():
            attack.send("post", scene.path(name), what, data, content_type=content_type)
    attack.check()


def edit_body(value: str) -> bytes:
    return f'{{"kind":"set","at":"","name":"name","value":{value},"was":"Balloons"}}'.encode()


def test_no_body_of_the_api_ends_in_an_error(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)
    bodies = [
        edit_body('"x"').decode().encode("utf-16"), DEEP, b'{"a":' * 3_000,
        b'{"kind": "set", "kind": "set"}', b"\xff", b"null", b"9" * 5_000, b"1e999", b"NaN",
        edit_body('"a\\u0000b"'), edit_body('"\\ud800"'), edit_body("9" * 5_000), edit_body(DEEP.decode()),
    ]  # fmt: skip
    for data in bodies:
        for name in (
            "api_designs", "api_edits", "api_runs", "api_imports", "api_copies", "api_links", "api_threads",
            "api_schemas", "api_webhooks", "api_requests",
        ):  # fmt: skip
            attack.send("post", scene.path(name), f"body {data[:40]!r}", data, content_type="application/json")
        etag = f'"{scene.design.head_id}"'
        attack.send("put", scene.path("api_document"), f"body {data[:40]!r}", data, HTTP_IF_MATCH=etag)
    for kind, names in (("simulate", ("seed", "period", "assumptions")), ("sample_keys", ("count", "row_kind"))):
        for name in names:
            for value in ("9" * 5_000, "²", "a\0b", [], {"a": "1e999"}):
                data = json.dumps({"kind": kind, "parameters": {name: value}}).encode()
                attack.send(
                    "post", scene.path("api_runs"), f"{name} {value!r:.40}", data, content_type="application/json"
                )
    text = json.dumps({"text": "a\0b", "format": "²"}).encode()
    attack.send("post", scene.path("api_imports"), "NUL", text, content_type="application/json")
    attack.check()


CONTROLS = (("f", "gc"), ("a", "arrivals"), ("d", "popularity"), ("", "instance.price_overrides"), ("k", "key"))
BEFORE = ("1", '"x"', "[1]", '{"kind": 1}', '{"rules": 1, "kind": "union"}', '{"kind": "week", "hours": "x"}')
ACTIONS = (
    "add ", "add items", "remove items.0", "remove ²", f"remove {'9' * 5_000}", "remove .", "clear", "fill",
    "add a.b.c", "rule add ²", "rule remove 9", "rule keep ²", "rule ungroup", "shape alike", "shape",
)  # fmt: skip
INNER = ("v.²", "v.rules.²", f"v.rules.{'9' * 5_000}.kind", "v.hours", "v.items.0.value")


def test_no_form_of_a_control_ends_in_an_error(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)
    path = reverse("edit", args=[scene.design.key])
    for at, name in CONTROLS:
        data = {"at": at, "name": name}
        for kind in ("union", "week"):
            data |= {"v": kind, "v.kind": kind, "v.hours": "x"}
            for was in BEFORE:
                attack.give("post", path, f"{at}.{name} {kind} was {was}", data | {"was": was})
            for do in ACTIONS:
                attack.give("post", path, f"{at}.{name} {kind} does {do[:20]}", data | {"do": do})
        for inner in INNER:
            attack.give("post", path, f"{at}.{name} {inner[:20]}", data | {inner: "²"})
    attack.check()


def test_text_that_no_database_stores_is_refused_with_a_sentence(scene: Scene) -> None:  # noqa: F811
    attack = Attack(scene)
    data = {"name": "a\0b"}

    assert attack.give("post", scene.path("rename_team"), "NUL", data) == 400
    assert attack.give("get", "/", "NUL", {"q": "a\0b"}) == 400
    page = attack.client.get("/?q=a%00b", headers={"HX-Request": "true"}).content.decode()
    assert re.search("NUL", page)
