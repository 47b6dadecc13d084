"""`keywright doctor` says what is wrong and what mends it; `upgrade --check` what is to be done."""

import datetime
import json
import socket
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config.monitoring import diagnosis, health
from config.monitoring.diagnosis import diagnose
from designer.models import Design, Heartbeat
from estimator.models.workers import Worker

NEWEST = MigrationLoader(None).graph.leaf_nodes("reviews")[0]
"""The newest migration of an app on which no other depends."""

TODAY = datetime.date(2026, 11, 24)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    for check in (health.ALIVE, health.READY):
        check.forget()
    yield
    for check in (health.ALIVE, health.READY):
        check.forget()


def states(today: datetime.date = TODAY) -> dict[str, tuple[str, str]]:
    return {each.subject: (each.state, each.hint) for each in diagnose(today)}


@pytest.mark.django_db
def test_a_sound_installation_has_no_error_and_ends_with_0() -> None:
    out = StringIO()
    call_command("doctor", "--json", stdout=out)
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    assert any(each["text"].endswith(" takes writes; 0 designs.") for each in found)
    assert {each["subject"] for each in found} >= {
        "settings",
        "data folder",
        "migrations",
        "database",
        "clock",
        "prices",
    }
    assert {each["state"] for each in found} <= {"ok", "warning"}


@pytest.mark.django_db
def test_before_the_first_start_there_is_no_database_and_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.introspection, "table_names", list)
    found = states()

    assert found["database"] == ("ok", "")
    assert not {"migrations", "workers"} & set(found)
    assert {state for state, _ in found.values()} <= {"ok", "warning"}


@pytest.mark.django_db
def test_a_database_of_another_version_is_told_to_be_upgraded() -> None:
    MigrationRecorder(connection).record_unapplied(*NEWEST)
    found = states()
    assert found["migrations"] == ("error", "Run: keywright upgrade")
    assert "workers" not in found  # their table may be another one
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("upgrade", "--check", stdout=out)
    assert ended.value.code == 1
    assert f"to be applied: {' '.join(NEWEST)}" in out.getvalue()


@pytest.mark.django_db
def test_a_database_of_a_newer_version_is_an_error_and_neither_upgraded_nor_served() -> None:
    MigrationRecorder(connection).record_applied("designer", "9999_of_the_next_version")
    hint = "Install that version, or restore a backup from before."
    assert states()["migrations"] == ("error", hint)
    for command in (["upgrade"], ["upgrade", "--check"], ["serve"]):
        with pytest.raises(CommandError, match=f"newer version, with designer 9999_of_the_next_version. {hint}"):
            call_command(*command, stdout=StringIO())


@pytest.mark.django_db
def test_migrations_that_this_version_no_longer_has_are_not_newer() -> None:
    MigrationRecorder(connection).record_applied("designer", "0000_squashed_since")
    MigrationRecorder(connection).record_applied("another_application", "9999_of_its_own")
    assert states()["migrations"] == ("ok", "")


@pytest.mark.django_db
def test_a_damaged_database_hides_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise DatabaseError("no such table: designer_design\nof the statement …")

    monkeypatch.setattr(Design.objects, "count", refuse)
    found = states()

    assert found["database"] == ("error", "Restore a backup: keywright restore FILE --replace")
    assert "prices" in found


@pytest.mark.django_db
def test_the_queue_is_looked_at_where_the_database_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:9"
    monkeypatch.setattr(connection, "ensure_connection", lambda: (_ for _ in ()).throw(DatabaseError("away")))
    monkeypatch.setattr(diagnosis, "queue_answers", lambda: False)
    found = states()

    assert found["database"][0] == "error"
    assert found["queue"] == ("error", "Start Redis, or check REDIS_URL.")


@pytest.mark.django_db
def test_a_file_in_the_place_of_the_data_folder_is_an_error(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "data").touch()
    settings.KEYWRIGHT_DATA = tmp_path / "data" / "below"
    assert states()["data folder"] == ("error", "Move it away, or set KEYWRIGHT_DATA.")


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_an_error_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise DatabaseError("connection refused\nIs the server running?")

    out = StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(connection, "ensure_connection", refuse)
        with pytest.raises(SystemExit) as ended:
            call_command("doctor", stdout=out)
    assert ended.value.code == 1
    assert "ERROR    database: It does not answer: connection refused." in out.getvalue()


@pytest.mark.django_db
def test_no_worker_is_a_warning_for_a_team(settings: Any) -> None:
    settings.TEAM = True
    assert states()["workers"][0] == "warning"
    Worker.objects.register("one", 2)
    assert states()["workers"] == ("ok", "")


@pytest.mark.django_db
def test_clocks_that_differ_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    Heartbeat.objects.write()
    monkeypatch.setattr(diagnosis, "CLOCK_SECONDS", -1.0)
    assert states()["clock"][0] == "error"


@pytest.mark.django_db
def test_a_mail_server_that_is_away_and_old_prices_are_said(settings: Any) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    found = states(timezone.now().date() + datetime.timedelta(days=3_000))
    assert found["mail"] == ("error", "Check EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD.")
    assert found["prices"][0] == "warning"


@pytest.mark.django_db
@pytest.mark.parametrize(("implicit", "first"), [(True, b"\x16\x03"), (False, b"ehlo ")])
def test_a_mail_server_is_greeted_by_tls_from_the_first_byte_or_after_it_greeted(
    settings: Any, *, implicit: bool, first: bytes
) -> None:
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                if not implicit:
                    connection.sendall(b"220 mail.example.com\r\n")
                received.append(connection.recv(5))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.getsockname()[1]
        settings.EMAIL_USE_SSL, settings.EMAIL_USE_TLS = implicit, not implicit
        assert states()["mail"][0] == "error"
        thread.join(5)

    assert received[0].startswith(first)


@pytest.mark.django_db
def test_nothing_is_migrated_before_there_is_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    MigrationRecorder(connection).record_unapplied(*NEWEST)
    monkeypatch.setattr(connection, "vendor", "postgresql")
    with pytest.raises(CommandError, match="Back up first"):
        call_command("upgrade", stdout=StringIO())


@pytest.mark.django_db
def test_where_there_is_no_database_yet_nothing_is_to_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.introspection, "table_names", list)
    out = StringIO()
    call_command("upgrade", "--check", stdout=out)
    assert out.getvalue() == "There is no database yet; keywright makes it when it starts.\n"


@pytest.mark.django_db
def test_a_database_of_this_version_needs_no_upgrade() -> None:
    out = StringIO()
    call_command("upgrade", stdout=out)
    assert out.getvalue() == "The database is of this version.\n"
