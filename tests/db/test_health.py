"""The site's own pages."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings

from config.monitoring import health
from designer.models import Heartbeat, Person


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """No result of another test's."""
    for check in (health.ALIVE, health.READY):
        check.forget()
    yield
    for check in (health.ALIVE, health.READY):
        check.forget()


def test_a_site_whose_database_takes_writes_is_healthy(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": connection.vendor}
    assert Heartbeat.objects.count() == 1


def test_asking_often_writes_once(client: Client, django_assert_num_queries) -> None:
    client.get("/healthz")
    with django_assert_num_queries(0):
        answers = {client.get("/healthz").status_code for _ in range(20)}

    assert answers == {200}
    health.ALIVE.forget()
    client.get("/healthz")
    assert Heartbeat.objects.count() == 1


def test_who_asks_while_a_check_runs_does_not_wait(client: Client) -> None:
    client.get("/healthz")
    health.ALIVE.forget()
    with health.ALIVE._lock:
        assert client.get("/healthz").status_code == 200


def test_a_site_whose_database_is_gone_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_error(*_: object, **__: object) -> None:
        raise DatabaseError

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", raise_error)
        alive, ready = client.get("/healthz"), client.get("/readyz")

    assert (alive.status_code, ready.status_code) == (503, 503)
    assert alive.json() == {"status": "unavailable", "database": "takes no writes"}


def test_a_database_that_only_reads_is_not_healthy(client: Client) -> None:
    if connection.vendor == "sqlite":
        switch = "PRAGMA query_only = {}"
    else:
        switch = "SET LOCAL transaction_read_only = {}"
    with connection.cursor() as cursor:
        cursor.execute(switch.format("on"))
        try:
            assert client.get("/healthz").status_code == 503
        finally:
            if connection.vendor == "sqlite":
                cursor.execute(switch.format("off"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_not_healthy(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: open("/dev/full", "wb"))  # noqa: SIM115
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setattr(type(connection._connections["default"]), "is_in_memory_db", lambda _: False, raising=False)
    monkeypatch.setitem(connection.settings_dict, "NAME", tmp_path / "x.sqlite3")

    response = client.get("/healthz")

    assert (response.status_code, response.json().get("disk")) == (503, "takes no writes")


def test_a_site_is_ready_when_all_migrations_are_applied(client: Client) -> None:
    assert client.get("/readyz").json()["migrations"] == "applied"

    MigrationRecorder(connection).record_unapplied("designer", "0001_initial")
    health.READY.forget()
    response = client.get("/readyz")

    assert (response.status_code, response.json()["migrations"]) == (503, "1 not applied")


def test_a_site_whose_queue_is_away_is_alive_and_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.celery.app", Celery(broker="redis://127.0.0.1:9/0"))
    with override_settings(REDIS_URL="redis://127.0.0.1:9/0"):
        alive, ready = client.get("/healthz"), client.get("/readyz")

    assert (alive.status_code, ready.status_code, ready.json()["queue"]) == (200, 503, "no answer")


@pytest.mark.parametrize(
    ("problem", "status", "said"),
    [
        (OperationalError("database or disk is full"), 503, "Free some space"),
        (OperationalError("server closed the connection unexpectedly"), 503, "try again in a moment"),
        (ZeroDivisionError("x"), 500, "an error in Keywright"),
    ],
)
def test_what_a_page_cannot_say_without_the_database_says_why(
    client: Client, monkeypatch: pytest.MonkeyPatch, problem: Exception, status: int, said: str
) -> None:
    def away(*_: object, **__: object) -> None:
        raise problem

    client.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(Person.objects, "get_or_create_local", away)
        response = client.get("/")

    page = response.content.decode()
    assert (response.status_code, said in page, ">Try again</a>" in page) == (status, True, True)
