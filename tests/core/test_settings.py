"""Settings are read from the environment, and nonsense is refused with a sentence that names the variable."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import environment, secret
from config.environment import SettingError
from config.monitoring.logs import NoSecrets
from tests.cases import cases

SHOW = """
from config import settings as s
name = getattr(s, "SESSION_COOKIE_NAME", "sessionid")
redirected = getattr(s, "SECURE_SSL_REDIRECT", False)
print(s.DEBUG, s.ALLOWED_HOSTS, s.CSRF_COOKIE_SECURE, s.SESSION_COOKIE_SECURE, redirected, name)
"""
TEAM = {
    "KEYWRIGHT_MODE": "team",
    "SECRET_KEY": "x" * 50,
    "ALLOWED_HOSTS": "keywright.example.com",
    "DATABASE_URL": "postgresql://kw:secret@db:5432/keywright",
}


def start(root: Path, folder: Path, environ: dict[str, str], show: str = SHOW) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of its own."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in TEAM and not name.startswith(("KEYWRIGHT_", "EMAIL_"))
    }
    return subprocess.run(
        [sys.executable, "-c", show],
        cwd=root, env={**clean, "KEYWRIGHT_DATA": str(folder), **environ}, text=True, capture_output=True, check=False,
    )  # fmt: skip


def test_the_default_is_a_private_site_without_debug_pages(root: Path, tmp_path: Path) -> None:
    assert start(root, tmp_path, {}).stdout == "False ['localhost', '127.0.0.1', '[::1]'] False False False sessionid\n"


def test_team_mode_starts_when_all_is_given(root: Path, tmp_path: Path) -> None:
    assert start(root, tmp_path, TEAM).stdout == "False ['keywright.example.com'] True True True __Host-sessionid\n"


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"])
def test_team_mode_refuses_to_start_without(root: Path, tmp_path: Path, missing: str) -> None:
    result = start(root, tmp_path, {name: value for name, value in TEAM.items() if name != missing})

    assert result.returncode == 1
    assert f"Set {missing}" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KEYWRIGHT_MODE", "taem"),
        ("KEYWRIGHT_DEBUG", "perhaps"),
        ("DATABASE_URL", "mysql://x/y"),
        ("KEYWRIGHT_MOST_RUNS", "0"),
        ("SENTRY_DSN", "nonsense"),
        ("SENTRY_DSN", "https://sentry.example.com/4"),
        ("SENTRY_DSN", "https://key@sentry.example.com/"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:port"),
    ],
)
def test_nonsense_is_refused_by_name(root: Path, tmp_path: Path, name: str, value: str) -> None:
    result = start(root, tmp_path, {name: value})

    assert result.returncode == 1
    assert name in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({}, "587 False True"),
        ({"EMAIL_PORT": "465"}, "465 True False"),
        ({"EMAIL_USE_SSL": "true"}, "465 True False"),
        ({"EMAIL_USE_SSL": "true", "EMAIL_PORT": "2465"}, "2465 True False"),
        ({"EMAIL_PORT": "25", "EMAIL_USE_TLS": "false"}, "25 False False"),
        ({"EMAIL_PORT": "465", "EMAIL_USE_SSL": "false"}, "465 False True"),
        ({"EMAIL_USE_SSL": "true", "EMAIL_USE_TLS": "true"}, ""),
    ],
)
def test_mail_is_sent_with_tls_from_the_first_byte_or_by_starttls(
    root: Path, tmp_path: Path, environ: dict[str, str], shown: str
) -> None:
    show = "from config import settings as s; print(s.EMAIL_PORT, s.EMAIL_USE_SSL, s.EMAIL_USE_TLS)"
    result = start(root, tmp_path, environ, show)

    assert result.stdout.strip() == shown
    assert shown or "set only one" in result.stderr.splitlines()[-1]


def test_addresses_of_observers_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("https://key@o1.ingest.example.com/4", "http://key:secret@127.0.0.1:9000/sentry/12", ""):
        monkeypatch.setenv("SENTRY_DSN", address)
        assert environment.sentry_address("SENTRY_DSN") == address
    for address in ("http://collector:4318", "https://[::1]/v1", ""):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        assert environment.web_address("OTEL_EXPORTER_OTLP_ENDPOINT") == address


def test_a_database_address_may_hold_escaped_characters_and_a_socket() -> None:
    by_network = environment.database("postgresql://ana:p%40ss@db:6000/keywright?sslmode=require")
    by_socket = environment.database("postgresql://postgres@/keywright?host=/run/pg")

    assert (by_network["USER"], by_network["PASSWORD"], by_network["PORT"]) == ("ana", "p@ss", "6000")
    assert by_network["OPTIONS"] == {"sslmode": "require"}
    assert by_socket["HOST"] == "/run/pg"
    with pytest.raises(SettingError, match="names no database"):
        environment.database("postgresql://ana@db/")


def test_the_secret_key_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret_key"
    first = secret.read_or_create(path)

    assert len(first) >= 50
    assert secret.read_or_create(path) == first
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_gives_a_key_for_this_start_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert len(secret.read_or_create(tmp_path / "file" / "secret_key")) >= 50


def test_what_an_earlier_secret_key_signed_stays_valid_while_it_is_listed(root: Path, tmp_path: Path) -> None:
    environ = {**os.environ, **TEAM, "KEYWRIGHT_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    sign = "from django.core.signing import dumps; print(dumps('x'))"
    token = subprocess.run([sys.executable, "-c", sign], cwd=root, env=environ, text=True, capture_output=True).stdout
    read = f"from django.core.signing import loads; print(loads({token.strip()!r}))"
    for listed, code in ((f"other, {TEAM['SECRET_KEY']}", 0), ("other", 1)):
        changed = {**environ, "SECRET_KEY": "y" * 50, "SECRET_KEY_FALLBACKS": listed}
        result = subprocess.run([sys.executable, "-c", read], cwd=root, env=changed, capture_output=True, check=False)
        assert result.returncode == code


@cases("path", [
        "/review/{}/", "//review//{}/", "/REVIEW/{}", "/%72eview/{}", "/review%2F{}", "/invitations/{}",
        "/Invitations/{}", "/password/MQ/{}", "/%70assword/MQ//{}", "/sign-in?next=%2Finvitations%2F{}",
        "/review/ {}", "/review/\u200b{}", "/review/%E2%80%8B{}", "/invitations/<{}>", "/review/./{}",
        "/password/MQ/%20{}",
    ])  # fmt: skip
def test_no_spelling_of_an_address_brings_its_secret_into_the_log(path: str) -> None:
    for secret_text in ("abcDEF-123_xyz", "%61bcDEF-123_xyz", "abc\\x00bcDEF-123", "abc\x7fbcDEF-123"):
        record = logging.LogRecord("x", logging.WARNING, "", 0, "Not Found: %s", (path.format(secret_text),), None)
        NoSecrets().filter(record)
        assert "bcDEF" not in record.getMessage()


def test_no_line_of_the_web_server_and_no_traceback_has_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    from gunicorn.config import Config

    from config.web_worker import WebLog

    log = WebLog(Config())
    log.warning(
        "Invalid request from ip=%s: %s", "::1", "Invalid HTTP request line: 'GET /review/abcDEF-123_xyz/?\\x1b'"
    )
    try:
        raise ValueError("/invitations/abcDEF-123_xyz")
    except ValueError:
        log.exception("failed")

    told = capsys.readouterr().err
    assert "Invalid HTTP request line: 'GET /review/…/?" in told
    assert "ValueError: /invitations/…" in told
    assert "DEF" not in told
