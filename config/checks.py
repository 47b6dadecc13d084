"""Checks of `manage.py check` for a misconfigured site, each with a hint."""

import sqlite3
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from config.private_files import create_private_folder


@register(Tags.security)
def secret_key_is_strong(**_: Any) -> list[CheckMessage]:
    if len(settings.SECRET_KEY) >= 32:
        return []
    return [
        Error(
            "SECRET_KEY is shorter than 32 characters.",
            hint="Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'",
            id="keywright.E001",
        )
    ]


@register(Tags.database)
def team_uses_postgresql(**_: Any) -> list[CheckMessage]:
    if not settings.TEAM or settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        return []
    return [
        Warning(
            "Team mode runs on SQLite.",
            hint="SQLite is for one machine; set DATABASE_URL to a PostgreSQL address.",
            id="keywright.W001",
        )
    ]


@register(Tags.security)
def hosts_are_named(**_: Any) -> list[CheckMessage]:
    if not settings.TEAM or "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        Warning(
            "ALLOWED_HOSTS accepts every host name.",
            hint="List the names that people use, separated by commas.",
            id="keywright.W002",
        )
    ]


@register(Tags.database)
def data_folder_is_writable(**_: Any) -> list[CheckMessage]:
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3") or ":memory:" in str(database["NAME"]):
        return []
    folder = Path(database["NAME"]).parent
    try:
        create_private_folder(folder)
        with sqlite3.connect(database["NAME"]):
            return []
    except (OSError, sqlite3.Error) as problem:
        return [
            Error(
                f"The database file in {folder} cannot be opened: {problem}.",
                hint="Make the folder writable, or point KEYWRIGHT_DATA at one that is.",
                id="keywright.E002",
            )
        ]
