"""`manage.py check` says what is misconfigured and what to do."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import checks
from designer.management.base import CommandError


def test_a_sound_site_has_nothing_to_say() -> None:
    assert not checks.secret_key_is_strong()
    assert not checks.team_uses_postgresql()
    assert not checks.check_hosts()


def test_a_weak_key_is_an_error_with_a_way_out(settings: Any) -> None:
    settings.SECRET_KEY = "changeme"

    (found,) = checks.secret_key_is_strong()
    assert found.hint is not None
    assert "token_urlsafe" in found.hint


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_team_mode_on_sqlite_and_for_any_host_is_warned_about(settings: Any) -> None:
    settings.TEAM = True
    settings.ALLOWED_HOSTS = ["*"]
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "x"}}

    assert [found.id for found in (*checks.team_uses_postgresql(), *checks.check_hosts())] == [
        "keywright.W001",
        "keywright.W002",
    ]


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_a_database_that_cannot_be_opened_is_an_error(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "file" / "db.sqlite3"}}

    (found,) = checks.data_folder_is_writable()
    assert found.hint is not None
    assert "KEYWRIGHT_DATA" in found.hint


@pytest.mark.parametrize("key", ["x" * 50, "abab" * 20, "django-insecure-0123456789abcdefghijklmnop"])
def test_a_key_that_can_be_guessed_is_an_error_also_among_the_earlier_ones(settings: Any, key: str) -> None:
    settings.SECRET_KEY_FALLBACKS = [key]

    (found,) = checks.secret_key_is_strong()
    assert found.msg == "A key in SECRET_KEY_FALLBACKS can be guessed."


def test_what_is_no_host_name_is_an_error(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["keywright.example.com", ".example.com", "[::1]", "*", "10.0.0.1", "web"]
    assert not checks.hosts_are_names()

    settings.ALLOWED_HOSTS = [
        "https://x.example.com",
        "x.example.com:8000",
        "x.example.com/app",
        "*.example.com",
        "a b",
    ]
    assert len(checks.hosts_are_names()) == 5


def test_an_origin_whose_host_nobody_is_let_in_by_is_warned_about(settings: Any) -> None:
    settings.ALLOWED_HOSTS = [".example.com"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://a.example.com", "https://*.example.com", "https://example.org:8443"]

    (found,) = checks.origins_are_of_hosts()
    assert "example.org" in found.msg


def test_a_web_server_does_not_start_with_errors_and_says_all_of_them(settings: Any) -> None:
    checks.refuse_errors()
    settings.SECRET_KEY, settings.ALLOWED_HOSTS = "changeme", ["https://example.com"]

    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY is shorter.*token_urlsafe.*'https://example.com'"):
        checks.refuse_errors()


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_a_command_says_what_is_wrong_in_sentences(
    settings: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings.SECRET_KEY, settings.ALLOWED_HOSTS = "changeme", ["https://x"]
    with pytest.raises(CommandError) as refused:
        checks.refuse_faults()
    first, second = sorted(str(refused.value).splitlines(), reverse=True)
    assert first.startswith("SECRET_KEY is shorter than 32 characters. Make one: python3 -c")
    assert second.startswith("ALLOWED_HOSTS has 'https://x', which is not a host name")
    assert refused.value.returncode == 2

    settings.SECRET_KEY, settings.ALLOWED_HOSTS, settings.TEAM = "0123456789abcdef" * 3, ["x"], True
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "x"}}
    checks.refuse_faults()
    assert "warning: Team mode runs on SQLite. SQLite is for one machine" in capsys.readouterr().err
