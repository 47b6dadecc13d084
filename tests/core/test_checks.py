"""`manage.py check` says what is misconfigured and what to do."""

from pathlib import Path
from typing import Any

import pytest

from config import checks


def test_a_sound_site_has_nothing_to_say() -> None:
    assert not checks.secret_key_is_strong()
    assert not checks.team_uses_postgresql()
    assert not checks.hosts_are_named()


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

    assert [found.id for found in (*checks.team_uses_postgresql(), *checks.hosts_are_named())] == [
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
