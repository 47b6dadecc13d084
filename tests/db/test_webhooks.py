"""Webhooks: what is told to whom, signed and repeated, kept out of private networks, and seen by owners alone."""

import base64
import datetime
import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from jsonschema import Draft202012Validator

from designer.document import Spec
from designer.document.edits import Set
from designer.examples import example
from designer.http import outgoing
from designer.http.outgoing import OutgoingError, OutgoingRules, is_public, post, split_address
from designer.models import (
    AuditEvent,
    Design,
    Person,
    Team,
    Token,
    Webhook,
    WebhookDelivery,
    deliver_webhooks,
    ping,
    publish,
    webhook_round,
)
from designer.models.deliveries import DELAYS_SECONDS, JITTER, retry_seconds
from designer.models.revisions import TYPING
from designer.models.webhooks import MOST_WEBHOOKS
from designer.views.accounts.webhooks import change_events
from designer.wording.webhook_events import KINDS
from estimator.models import KeptObservation, KnownBook, Run
from estimator.runs import delivery
from estimator.worker.worker import run_next_step
from reviews.presentation.webhook_schema import schema
from tests.jobs import tiny  # noqa: F401 - a kind of run that is quick

ALONE = OutgoingRules(loopback=True)
OF_TEAM = OutgoingRules()


@dataclass
class Receiver:
    """A server of this machine that notes what it is told and answers as it is asked to."""

    address: str
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.got]

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(seen.status)
            for name, value in seen.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hooks?a=1")
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield seen
    server.shutdown()
    server.server_close()


@dataclass
class Scene:
    """A team with an owner and a design, and a webhook that is told everything."""

    team: Team
    ana: Person
    design: Design
    hook: Webhook
    secret: str

    def client(self, person: Person | None = None) -> Client:
        client = Client()
        client.force_login(person or self.ana)
        return client

    def url(self, name: str, *more: Any) -> str:
        return reverse(name, args=[self.team.pk, *more])


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> Scene:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", ""
    monkeypatch.setattr(delivery, "send", lambda count=1: True)
    monkeypatch.setattr("designer.models.deliveries.outgoing_rules", lambda: ALONE)
    ana, team = Person.objects.create_user("ana@example.com", name="ana"), Team.objects.create(name="Platform")
    team.add(ana, "owner")
    design = Design.objects.start(
        example("balloons-new-cells").spec.model_copy(update={"name": "Balloons", "description": ""}), team=team, by=ana
    )
    hook, secret = Webhook.objects.start(team, address=receiver.address, kinds=KINDS, by=ana)
    return Scene(team, ana, design, hook, secret)


def later(seconds: float = 60) -> datetime.datetime:
    return timezone.now() + datetime.timedelta(seconds=seconds)


def test_a_message_is_signed_as_standard_webhooks_says(scene: Scene, receiver: Receiver) -> None:
    ping(scene.hook)

    assert deliver_webhooks() == 1

    [(headers, body)] = receiver.got
    key = base64.b64decode(scene.secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    assert len(key) == 24
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert "." not in headers["webhook-id"]
    assert headers["content-type"] == "application/json"
    assert receiver.events[0]["format"] == "keywright-webhook/1"
    assert receiver.events[0]["data"]["team"] == {"id": scene.team.pk, "name": "Platform"}


def test_the_signature_is_the_one_of_the_specifications_libraries() -> None:
    """The vector of the reference libraries' tests."""
    hook = Webhook(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    signature = hook.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')

    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_an_event_is_told_with_its_cause_or_not_at_all(scene: Scene, receiver: Receiver) -> None:
    class CauseError(Exception):
        pass

    def fail() -> None:
        with transaction.atomic():
            publish("run.ended", {"a": 1}, team=scene.team)
            raise CauseError

    with pytest.raises(CauseError):
        fail()
    with transaction.atomic():
        publish("run.ended", {"a": 2}, team=scene.team)

    deliver_webhooks()

    assert [event["data"] for event in receiver.events] == [{"a": 2}]


def test_only_who_asked_for_an_event_in_this_team_is_told(scene: Scene, receiver: Receiver) -> None:
    other = Team.objects.create(name="Elsewhere")
    other.add(scene.ana, "owner")
    Webhook.objects.start(other, address=receiver.address, kinds=KINDS, by=scene.ana)
    Webhook.objects.filter(pk=scene.hook.pk).update(kinds=["verdict.given"])

    assert publish("run.ended", {}, team=scene.team) == 0
    assert publish("verdict.given", {}, team=scene.team) == 1
    assert publish("run.ended", {}, team=None) == 1


def test_a_revision_is_told_once_when_it_is_final(scene: Scene, receiver: Receiver) -> None:
    for value in ("a", "ab", "abc"):
        scene.design.apply(Set(at="", name="description", value=value, was=scene.design.spec.description), by=scene.ana)
    deliver_webhooks()
    assert receiver.got == []

    final = timezone.now() + TYPING + datetime.timedelta(seconds=1)
    deliver_webhooks(final)
    deliver_webhooks(final)

    [event] = receiver.events
    assert event["type"] == "revision.created"
    assert event["data"]["design"] == {"key": scene.design.key, "name": "Balloons"}
    assert event["data"]["revision"]["number"] == 2
    assert event["data"]["revision"]["sha256"] == scene.design.head_id
    assert event["data"]["revision"]["by"] == "ana"


def test_a_revision_of_a_later_time_is_told_without_waiting_for_it(scene: Scene, receiver: Receiver) -> None:
    edit = Set(at="", name="name", value="Kites", was="Balloons")
    scene.design.apply(edit, by=scene.ana, now=timezone.now() + datetime.timedelta(days=365))

    deliver_webhooks()
    deliver_webhooks()

    assert [event["data"]["revision"]["number"] for event in receiver.events] == [2]


def test_a_webhook_made_at_a_later_time_tells_of_revisions_without_waiting_for_it(
    scene: Scene, receiver: Receiver
) -> None:
    ahead = timezone.now() + datetime.timedelta(days=365)
    Webhook.objects.update(since=ahead, looked=ahead)
    deliver_webhooks()
    scene.design.apply(Set(at="", name="name", value="Kites", was="Balloons"), by=scene.ana)

    deliver_webhooks(later())
    deliver_webhooks(later())

    assert [event["data"]["revision"]["number"] for event in receiver.events] == [2]


def test_designs_made_later_are_told_from_their_first_revision(scene: Scene, receiver: Receiver) -> None:
    made = Design.objects.start(Spec(name="Kites"), team=scene.team, by=scene.ana)
    made.apply(Set(at="", name="name", value="Kite", was="Kites"), by=scene.ana)

    deliver_webhooks(later())

    numbers = [(event["data"]["design"]["key"], event["data"]["revision"]["number"]) for event in receiver.events]
    assert numbers == [(made.key, 1), (made.key, 2)]


def test_who_asks_for_revisions_later_is_told_those_from_then_on(
    scene: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer.views.accounts.webhooks.outgoing_rules", lambda: ALONE)
    request, address = RequestFactory().post("/"), scene.hook.address
    Webhook.objects.update(kinds=["verdict.given"])
    scene.hook.refresh_from_db()
    edits = [Set(at="", name="name", value=value, was=was) for was, value in pairwise(["Balloons", "Kites", "Planes"])]
    scene.design.apply(edits[0], by=scene.ana)  # revision 2, before
    Design.objects.start(Spec(name="Old"), team=scene.team, by=scene.ana)

    change_events(request, scene.hook, address, ["revision.created"], who="ana")
    deliver_webhooks(later())
    assert receiver.got == []

    scene.design.protect_revision(2)
    scene.design.apply(edits[1], by=scene.ana)
    deliver_webhooks(later())
    assert [event["data"]["revision"]["number"] for event in receiver.events] == [3]


def test_two_who_look_for_revisions_at_once_tell_them_once(scene: Scene) -> None:
    scene.design.apply(Set(at="", name="description", value="a", was=None), by=scene.ana)
    one, other = Webhook.objects.get(), Webhook.objects.get()
    webhook_round._add_revisions(one, later())
    webhook_round._add_revisions(other, later())

    assert WebhookDelivery.objects.filter(kind="revision.created").count() == 1


def test_a_run_a_verdict_and_a_price_book_are_told(
    scene: Scene, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = Run.objects.find_or_start(scene.design, "tiny", {}, scene.ana)
    while run_next_step("w"):
        pass
    cancelled, _ = Run.objects.find_or_start(scene.design, "tiny", {"x": 1}, scene.ana)
    cancelled.cancel()
    client = scene.client()
    review = client.get(reverse("review", args=[scene.design.key])).content.decode()
    marks = review.split('name="hash" value="')[1].split('"')[0]
    form = {"section": "keys", "verdict": "changes", "text": "Why?", "hash": marks}
    section = review.split('name="section" value="')[1].split('"')[0]
    answer = client.post(reverse("review_verdict", args=[scene.design.key]), {**form, "section": section})
    assert answer.status_code == 302
    assert KnownBook.objects.announce() > 0
    KnownBook.objects.first().delete()  # type: ignore[union-attr]
    assert KnownBook.objects.announce() == 1

    deliver_webhooks()

    ping(scene.hook)
    deliver_webhooks(later())
    whole = Draft202012Validator(schema())
    assert [error.message for event in receiver.events for error in whole.iter_errors(event)] == []
    assert not whole.is_valid({**receiver.events[0], "data": {}})
    by_type = {event["type"]: event["data"] for event in receiver.events}
    assert sorted(receiver.types) == ["ping", "price_book.added", "run.ended", "verdict.given"]
    assert by_type["run.ended"]["run"] == {
        "number": run.pk, "kind": "tiny", "state": "done", "sha256": scene.design.head_id,
    }  # fmt: skip
    assert by_type["verdict.given"]["verdict"]["approves"] is False
    assert "Why?" not in json.dumps(receiver.events)
    assert by_type["price_book.added"]["price_book"]


def test_a_missed_forecast_is_told_by_webhook_once_and_by_mail_all_the_same(scene: Scene, receiver: Receiver) -> None:
    for day, differences in ((3, {"rows": 0.1}), (4, {"rows": 0.15, "logical_bytes": -0.4}), (4, {"rows": 9.0})):
        KeptObservation.store(
            scene.design, {"t": {"rows": 1.0}}, {"t": differences}, date=datetime.date(2026, 11, day),
            digest=str(day), by=scene.ana,
        )  # fmt: skip
    deliver_webhooks()

    [event] = [each for each in receiver.events if each["type"] == "forecast.missed"]
    assert event["data"]["forecast"] == {
        "date": "2026-11-04", "share": 0.2, "figures": 1, "largest_difference": -0.4, "sha256": scene.design.head_id,
    }  # fmt: skip
    assert list(Draft202012Validator(schema()).iter_errors(event)) == []
    assert [each.date.day for each in KeptObservation.objects.filter(is_told=False).select_related("design")] == [3, 4]


def test_what_fails_is_tried_again_later_each_time_and_then_given_up(scene: Scene, receiver: Receiver) -> None:
    receiver.status = 500
    ping(scene.hook)
    now, waits = timezone.now(), []
    for _ in range(len(DELAYS_SECONDS) + 1):
        assert deliver_webhooks(now) == 0
        one = WebhookDelivery.objects.get()
        assert one.status == 500
        if one.due is not None:
            waits.append((one.due - now).total_seconds())
            assert deliver_webhooks(one.due - datetime.timedelta(seconds=1)) == 0
            now = one.due

    assert one.state == "failed"
    assert len(receiver.got) == len(DELAYS_SECONDS) + 1
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert all(delay <= wait <= delay * (1 + JITTER) for delay, wait in zip(DELAYS_SECONDS, waits, strict=True))


def test_a_webhook_that_fails_for_days_is_disabled_and_owners_are_told(
    scene: Scene, receiver: Receiver, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    receiver.status = 503
    ping(scene.hook)
    now = timezone.now()
    while (one := WebhookDelivery.objects.get()).state == "waiting":
        now = max(now, one.due or now)
        deliver_webhooks(now)
    hook = Webhook.objects.get()

    assert hook.disabled is not None
    assert "for days" in hook.disabled_text.message  # type: ignore[union-attr]
    assert [one.to for one in mail.outbox] == [["ana@example.com"]]
    assert f"{scene.hook.pk} (http://127.0.0.1:" in mail.outbox[0].body
    assert "?a=1" not in mail.outbox[0].body
    assert publish("run.ended", {}, team=scene.team) == 0


def test_a_receiver_that_is_gone_is_told_nothing_more(scene: Scene, receiver: Receiver) -> None:
    receiver.status = 410
    ping(scene.hook)
    ping(scene.hook)

    deliver_webhooks()

    assert Webhook.objects.get().disabled is not None
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {"failed"}
    Webhook.objects.get().enable(by=scene.ana)
    receiver.status = 200
    ping(scene.hook)
    assert deliver_webhooks() == 1


def test_a_receiver_may_ask_for_a_later_try(scene: Scene, receiver: Receiver) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": "3600"}
    ping(scene.hook)
    now = timezone.now()

    deliver_webhooks(now)

    assert (WebhookDelivery.objects.get().due - now).total_seconds() == 3600  # type: ignore[operator]
    assert retry_seconds(1, 0.0, 10**9) == 24 * 3600


def test_two_senders_send_a_message_once(scene: Scene, receiver: Receiver) -> None:
    ping(scene.hook)
    one, other = WebhookDelivery.objects.get(), WebhookDelivery.objects.get()
    now = timezone.now()

    assert [one.send(now), other.send(now)] == [True, False]
    assert len(receiver.got) == 1


def test_one_receiver_that_does_not_answer_keeps_no_other_waiting(scene: Scene, receiver: Receiver) -> None:
    with socket.socket() as taken:  # nobody listens here
        taken.bind(("127.0.0.1", 0))
        dead, _ = Webhook.objects.start(
            scene.team, address=f"http://127.0.0.1:{taken.getsockname()[1]}/", kinds=KINDS, by=scene.ana
        )
        for _ in range(3):
            ping(dead)
        ping(scene.hook)

        assert deliver_webhooks() == 1

    tried = list(dead.deliveries.order_by("pk").values_list("tries", flat=True))
    assert tried == [1, 0, 0]
    assert dead.deliveries.order_by("pk")[0].problem_text.message == "The server could not be reached."  # type: ignore[union-attr]


def test_a_receiver_with_a_long_queue_keeps_no_other_waiting(scene: Scene, receiver: Receiver) -> None:
    dead, _ = Webhook.objects.start(scene.team, address="http://127.0.0.1:1/", kinds=KINDS, by=scene.ana)
    now = timezone.now()
    row = {"kind": "ping", "body": "{}", "made": now, "due": now - datetime.timedelta(hours=1)}
    count = webhook_round.ROWS + 1
    WebhookDelivery.objects.bulk_create(WebhookDelivery(hook=dead, message=f"msg_{n}", **row) for n in range(count))
    ping(scene.hook)

    assert deliver_webhooks() == 1
    assert receiver.types == ["ping"]
    assert sum(dead.deliveries.values_list("tries", flat=True)) == 1


def test_redirects_are_not_followed(scene: Scene, receiver: Receiver) -> None:
    receiver.status, receiver.headers = 302, {"Location": receiver.address}
    ping(scene.hook)

    assert deliver_webhooks() == 0
    assert len(receiver.got) == 1
    assert WebhookDelivery.objects.get().status == 302


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/", "ftp://example.com/", "https://", "https://user:word@example.com/",
        "https://example.com/#part", "https://exa mple.com/", "https://[::1/", "https://example.com:99999/",
        "https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data", "https://[::1]/",
        "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[2002:a00:1::]/", "https://0.0.0.0/",
        "https://100.64.0.1/", "https://[fd00::1]/", "https://224.0.0.1/", "https://" + "a" * 500,
        "https://éxample.com/", "https://168.63.129.16:32526/",
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_asked_is_refused_when_it_is_entered(address: str) -> None:
    with pytest.raises(OutgoingError):
        split_address(address, OF_TEAM)


@pytest.mark.parametrize(
    ("scheme", "port", "host"),
    [("https", 443, b"example.com"), ("https", 8443, b"example.com:8443"), ("http", 80, b"example.com")],
)
def test_a_receiver_is_called_by_its_name_and_by_a_port_that_is_unusual(scheme: str, port: int, host: bytes) -> None:
    sent: list[bytes] = []
    connection = outgoing._PinnedConnection("example.com", port, "93.184.216.34", scheme)
    connection.sock = SimpleNamespace(sendall=sent.append, close=lambda: None)
    connection.request("POST", "/", b"", {})

    assert [line for line in b"".join(sent).split(b"\r\n") if line.startswith(b"Host:")] == [b"Host: " + host]


@pytest.mark.parametrize("address", ["10.0.0.1", "::ffff:192.168.1.1", "64:ff9b::7f00:1", "fe80::1", "ff02::1", "::"])
def test_addresses_of_private_networks_are_known(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    assert is_public(ipaddress.ip_address("8.8.8.8"))
    assert is_public(ipaddress.ip_address("2001:4860:4860::8888"))


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Names stand for these addresses, the first at first; what was connected to is noted and refused."""
    connected: list[str] = []

    def connect(place: tuple[str, int], **_: Any) -> Any:
        connected.append(place[0])
        raise OSError

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", look_up)
    monkeypatch.setattr(outgoing.socket, "create_connection", connect)
    return connected


@pytest.mark.parametrize(
    ("addresses", "rules", "connected"),
    [
        (("93.184.216.34",), OF_TEAM, ["93.184.216.34"]),
        (("10.1.2.3",), OF_TEAM, []),
        (("93.184.216.34", "127.0.0.1"), OF_TEAM, []),
        (("10.1.2.3",), OutgoingRules(private=True), ["10.1.2.3"]),
        (("127.0.0.1",), OutgoingRules(private=True), []),
        (("::ffff:127.0.0.1",), OutgoingRules(private=True), []),
        (("::ffff:0.0.0.0",), OutgoingRules(private=True), []),
        (("169.254.169.254",), OutgoingRules(private=True), []),
        (("64:ff9b::a9fe:a9fe",), OutgoingRules(private=True), []),
        (("fd00:ec2::254",), OutgoingRules(private=True), []),
        (("168.63.129.16",), OF_TEAM, []),
        (("168.63.129.16",), OutgoingRules(private=True), []),
        (("::ffff:168.63.129.16",), OF_TEAM, []),
        (("64:ff9b::a83f:8110",), OF_TEAM, []),
        (("168.63.129.17",), OF_TEAM, ["168.63.129.17"]),
        (("100.100.100.200",), OutgoingRules(private=True), []),
        (("100.100.100.201",), OutgoingRules(private=True), ["100.100.100.201"]),
        (("fd20:ce::254",), OutgoingRules(private=True), []),
        (("fd00:c1::a9fe:a9fe",), OutgoingRules(private=True), []),
        (("fd12::1",), OutgoingRules(private=True), ["fd12::1"]),
        (("169.254.169.254",), ALONE, []),
    ],
)
def test_the_address_that_was_checked_is_the_one_that_is_asked(
    monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...], rules: OutgoingRules, connected: list[str]
) -> None:
    asked = resolving(monkeypatch, *addresses)

    with pytest.raises(OutgoingError):
        post("https://hooks.example.com/", b"{}", {}, rules)

    assert asked == connected


def test_without_tls_only_this_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(monkeypatch, "93.184.216.34")

    with pytest.raises(OutgoingError, match="except on this machine"):
        post("http://hooks.example.com/", b"{}", {}, ALONE)
    assert asked == []


def slow_handshake(sock: socket.socket, **_: Any) -> socket.socket:
    """Take the connection over, as TLS does, and be done when the time of the request is just over."""
    seconds = sock.gettimeout()
    taken = socket.socket(fileno=sock.detach())
    taken.settimeout(seconds)
    time.sleep(0.4)
    return taken


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_answers_byte_by_byte_is_cut_off(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setattr(outgoing, "MOST_SECONDS", 0.3)
    monkeypatch.setattr(outgoing.ssl, "create_default_context", lambda: SimpleNamespace(wrap_socket=slow_handshake))
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            peer, _ = server.accept()
            until = time.monotonic() + 8
            with peer:
                while time.monotonic() < until and not over.wait(0.05):
                    try:
                        peer.sendall(b"H")
                    except OSError:
                        return

        threading.Thread(target=drip, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(OutgoingError):
            post(f"{scheme}://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, ALONE)
        over.set()

    assert time.monotonic() - started < 5


def test_an_owner_makes_tries_and_ends_a_webhook_on_its_page(scene: Scene, receiver: Receiver) -> None:
    client = scene.client()
    made = client.post(scene.url("webhooks"), {"address": "https://93.184.216.34/new", "kind": ["run.ended"]})
    text = made.content.decode()
    [new] = Webhook.objects.exclude(pk=scene.hook.pk)
    assert new.secret in text
    assert new.secret not in client.get(scene.url("webhooks")).content.decode()
    assert new.deliveries.get().kind == "ping"

    client.post(scene.url("change_webhook", new.pk, "disable"))
    assert Webhook.objects.get(pk=new.pk).disabled
    assert client.post(scene.url("resend_webhook", new.pk, new.deliveries.get().pk)).status_code == 422
    client.post(scene.url("change_webhook", new.pk, "enable"))
    client.post(scene.url("resend_webhook", new.pk, new.deliveries.get().pk))
    first, again = new.deliveries.order_by("pk")
    assert (first.message, first.body) == (again.message, again.body)
    assert "given up" in client.get(scene.url("webhooks")).content.decode()
    client.post(scene.url("change_webhook", new.pk, "delete"))
    assert client.post(scene.url("change_webhook", scene.hook.pk, "explode")).status_code == 404

    assert list(Webhook.objects.all()) == [scene.hook]
    kinds = list(AuditEvent.objects.filter(team=scene.team.pk).order_by("pk").values_list("kind", flat=True))
    assert kinds == [
        "webhook_created", "webhook_disabled", "webhook_enabled", "webhook_resent", "webhook_deleted",
    ]  # fmt: skip


def test_what_receivers_trust_in_an_address_is_not_in_the_audit_log(scene: Scene) -> None:
    client, address = scene.client(), "https://93.184.216.34:8443/services/T0/Path1?token=Query2"
    client.post(scene.url("webhooks"), {"address": address, "kind": ["run.ended"]})
    [new] = Webhook.objects.exclude(pk=scene.hook.pk)
    request = RequestFactory().post("/")
    change_events(request, new, "https://93.184.216.35/Path3", ["run.ended"], who="ana")
    for change in ("disable", "enable", "delete"):
        new.refresh_from_db()
        client.post(scene.url("change_webhook", new.pk, change))

    subjects = list(AuditEvent.objects.filter(team=scene.team.pk).order_by("pk").values_list("subject", flat=True))
    before, after = f"{new.pk} (https://93.184.216.34:8443)", f"{new.pk} (https://93.184.216.35)"
    assert subjects == [before, f"{before}: https://93.184.216.35", after, after, after]


def test_wrong_addresses_and_events_and_too_many_are_refused_with_a_sentence(scene: Scene) -> None:
    client = scene.client()
    for data in (
        {"address": "https://10.0.0.1/", "kind": ["run.ended"]},
        {"address": "https://example.com/", "kind": ["nothing"]},
        {"address": "https://example.com/"},
    ):
        assert client.post(scene.url("webhooks"), data).status_code == 422
    for _ in range(MOST_WEBHOOKS - 1):
        Webhook.objects.start(scene.team, address="https://example.com/", kinds=[], by=scene.ana)
    answer = client.post(scene.url("webhooks"), {"address": "https://example.com/", "kind": ["run.ended"]})

    assert answer.status_code == 422
    assert f"{MOST_WEBHOOKS} webhooks" in answer.content.decode()


def test_a_program_makes_changes_and_ends_a_webhook(scene: Scene, receiver: Receiver) -> None:
    token = Token.objects.issue(scene.team, name="CI", scope="write", by=scene.ana)[1]

    def ask(method: str, path: str, body: Any = None) -> Any:
        more = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        return getattr(Client(), method)(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"}, **more)

    asked = {"address": "https://93.184.216.34/", "events": ["run.ended"]}
    made = ask("post", "/webhooks", asked)
    path = f"/webhooks/{made.json()['id']}"
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    assert "secret" not in ask("get", path).json()
    assert ask("get", "/webhooks").json()["count"] == 2

    changed = ask("patch", path, {"events": ["verdict.given"], "enabled": False}).json()
    assert (changed["events"], changed["enabled"], changed["address"]) == (["verdict.given"], False, asked["address"])
    assert ask("patch", path, {"address": "https://10.0.0.1/"}).status_code == 422
    assert ask("patch", path, {"enabled": True}).json()["enabled"]
    [first] = ask("get", f"{path}/deliveries").json()["items"]
    assert (first["event"], first["state"]) == ("ping", "failed")
    assert ask("post", f"{path}/deliveries/{first['id']}/again").json()["message"] == first["message"]
    assert ask("delete", path).status_code == 204
    assert ask("get", path).status_code == 404


def test_a_webhook_ends_with_the_role_of_its_maker_and_with_the_team(scene: Scene) -> None:
    ben = Person.objects.create_user("ben@example.com", name="ben")
    scene.team.add(ben, "owner")
    ping(scene.hook)
    scene.team.add(scene.ana, "editor", by=ben)

    assert publish("run.ended", {}, team=scene.team) == 0
    hook = Webhook.objects.get()
    assert [(row.state, row.due) for row in hook.deliveries.all()] == [("failed", None)]  # nobody gets it weeks later
    assert hook.disabled is not None
    assert "role" in hook.disabled_text.message  # type: ignore[union-attr]
    scene.client(ben).post(scene.url("change_webhook", hook.pk, "enable"))
    assert publish("run.ended", {}, team=scene.team) == 1

    Design.objects.filter(team=scene.team).delete()
    scene.team.delete()
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()


def test_the_log_is_kept_for_a_month(scene: Scene, receiver: Receiver) -> None:
    ping(scene.hook)
    deliver_webhooks()
    ping(scene.hook)

    assert WebhookDelivery.objects.purge(later(29 * 86_400)) == 0
    assert WebhookDelivery.objects.purge(later(31 * 86_400)) == 1
    assert WebhookDelivery.objects.get().state == "waiting"
