"""What the site tells of itself: figures for Prometheus, ids of requests, lines of JSON."""

import datetime
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config.monitoring import metrics
from config.monitoring.logs import REQUEST_ID, JsonLines
from config.monitoring.metrics_access import parse_access
from config.monitoring.observers import masked, masked_event, missing_packages
from designer.document.load import from_data
from designer.models import Design, Person, Team
from estimator.models import Run
from estimator.models.workers import Worker

TOKEN = "of-a-test-0123456789"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def told(settings: Any) -> Iterator[None]:
    """A site whose figures a token opens, with none so far."""
    settings.KEYWRIGHT_METRICS = parse_access(TOKEN)
    metrics.figures.cache_clear()
    yield
    metrics.figures.cache_clear()


def read(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return each figure by its name and its labels' values, in the order of the labels' names."""
    text = client.get("/metrics", headers=BEARER).content.decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.django_db
def test_without_a_setting_there_is_no_such_page(client: Client) -> None:
    assert client.get("/metrics", headers=BEARER).status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("told")
def test_requests_are_counted_by_route_and_nothing_of_an_address_is_told(client: Client) -> None:
    secret = "s3cret-of-a-link-0123456789"
    for address in ("/healthz", "/healthz", f"/review/{secret}/", f"/nowhere/{secret}"):
        client.get(address)
    client.generic("BREW", "/healthz")

    found = read(client)
    assert found["keywright_request_seconds_count", ("GET", "healthz", "2xx")] == 2
    assert found["keywright_request_seconds_count", ("GET", "none", "4xx")] == 1
    assert found["keywright_request_seconds_count", ("other", "healthz", "4xx")] == 1
    assert found["keywright_resident_bytes", ()] > 10_000_000
    assert secret not in client.get("/metrics", headers=BEARER).content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("told")
def test_what_is_stored_is_counted_when_it_is_asked_for(client: Client) -> None:
    team = Team.objects.create(name="Platform")
    ana = Person.objects.create_user("ana@example.com", name="Ana")
    design = Design.objects.start(from_data({"name": "Balloons"}), team=team, by=ana)
    asked = timezone.now() - datetime.timedelta(minutes=10)
    Run.objects.create(design=design, document=design.head, kind="simulation", parameters={}, asked=asked)
    Worker.objects.register("one", 3)

    found = read(client)
    assert found["keywright_runs", ("queued",)] == 1
    assert found["keywright_runs", ("failed",)] == 0
    assert 600 <= found["keywright_queue_age_seconds", ()] < 660
    assert (found["keywright_workers", ()], found["keywright_worker_slots", ()]) == (1, 3)
    assert found["keywright_mails_waiting", ()] == found["keywright_webhook_deliveries_waiting", ()] == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("told")
def test_without_a_database_the_rest_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(metrics.Stored, "_read", fail)
    found = read(client)
    assert found["keywright_database_up", ()] == 0
    assert ("keywright_runs", ("queued",)) not in found


@pytest.mark.django_db
@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("given", ["", "Bearer", "Bearer x", f"Basic {TOKEN}", "Bearer ü"])
def test_another_token_opens_nothing(client: Client, given: str) -> None:
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


def test_an_address_opens_what_is_told_only_where_no_proxy_names_it() -> None:
    access = parse_access("10.0.0.7, 172.18.0.0/16, ::1")

    assert access.allows("172.18.3.4", "", by_proxy=False)
    assert access.allows("::ffff:10.0.0.7", "", by_proxy=False)
    assert not access.allows("172.18.3.4", "", by_proxy=True)
    assert not access.allows("10.0.0.8", "", by_proxy=False)
    assert not access.allows("", "", by_proxy=False)
    assert not parse_access("")


@pytest.mark.django_db
def test_no_length_of_a_header_hides_the_proxy_that_a_request_came_by(client: Client, settings: Any) -> None:
    settings.KEYWRIGHT_METRICS = parse_access("127.0.0.0/8")
    metrics.figures.cache_clear()

    long = ",".join(["198.51.100.7"] * 160)  # 2,079 characters
    answers = [
        client.get("/metrics", headers=headers).status_code
        for headers in ({}, {"X-Forwarded-For": "198.51.100.7"}, {"X-Forwarded-For": long}, {"Forwarded": long})
    ]
    metrics.figures.cache_clear()

    assert answers == [200, 404, 404, 404]


@pytest.mark.parametrize("text", ["yes", "short-token", "10.0.0.7/8", "10.0.0.7,somewhere", "a/of-a-test-0123456789"])
def test_access_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="KEYWRIGHT_METRICS"):
        parse_access(text)


@pytest.mark.django_db
def test_a_request_keeps_the_id_that_a_proxy_gave_it_if_it_is_one(client: Client) -> None:
    given = client.get("/healthz", headers={"X-Request-ID": "7b0c-of.a_proxy"})
    made = [client.get("/healthz", headers={"X-Request-ID": bad}) for bad in ("", "short", 'a"b c;d" e', "x" * 65)]

    assert given["X-Request-ID"] == "7b0c-of.a_proxy"
    assert len({each["X-Request-ID"] for each in made}) == 4
    assert all(len(each["X-Request-ID"]) == 16 for each in made)


@pytest.mark.django_db
def test_the_line_of_a_request_says_who_and_where_without_a_secret(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "keywright.requests")
    client.get("/review/s3cret-of-a-link-0123456789/")

    (record,) = (each for each in caplog.records if each.name == "keywright.requests")
    line = json.loads(JsonLines().format(record))
    assert line["message"].startswith("GET /review/… ") or line["message"].startswith("GET /review/…/ ")
    assert line.keys() >= {"time", "level", "logger", "message", "route", "status", "duration_ms"}
    assert "s3cret" not in json.dumps(line)


def test_a_line_of_json_has_the_request_and_a_masked_traceback() -> None:
    held = REQUEST_ID.set("0123456789abcdef")
    try:
        raise ValueError("no /invitations/s3cret-of-an-invitation")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "two\nlines %s", ("é",), sys.exc_info())
        text = JsonLines().format(record)
    finally:
        REQUEST_ID.reset(held)

    assert "\n" not in text
    line = json.loads(text)
    assert (line["message"], line["request_id"]) == ("two\nlines é", "0123456789abcdef")
    assert line["exception"].endswith("ValueError: no /invitations/…")


def test_what_is_sent_elsewhere_is_masked_at_any_depth() -> None:
    url = "https://x/review/s3cret-of-a-link-1/"
    sent = masked({"request": {"url": url}, "crumbs": [("/invitations/s3cret-of-1", 1)]})

    assert "s3cret" not in json.dumps(sent)
    assert sent["crumbs"][0][1] == 1


def test_an_event_for_sentry_has_no_query_and_no_token() -> None:
    address = "https://x/review/s3cret-of-a-link-1/"
    request = {"url": address, "query_string": "q=s3cret+words", "headers": {"Referer": f"{address}?x=1"}}
    event = {"level": "error", "request": request, "exception": {"values": [{"value": f"no page {address}"}]}}

    sent = masked_event(event, {})

    assert "s3cret" not in json.dumps(sent)
    assert (sent["level"], sent["request"]["url"]) == ("error", "https://x/review/…/")
    assert masked_event({"category": "query", "message": "SELECT 1"}, {}) == {
        "category": "query",
        "message": "SELECT 1",
    }


def test_a_package_that_is_not_there_is_named_in_a_sentence(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_packages() == []
    settings.SENTRY_DSN = settings.OTEL_ENDPOINT = "https://example.com"
    monkeypatch.setattr("config.monitoring.observers.find_spec", lambda name: None)

    assert missing_packages() == [
        f"{name} is set, but its package is not installed: pip install 'keywright[observe]'."
        for name in ("SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT")
    ]
