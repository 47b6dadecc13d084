"""Checks for a misconfigured site, each with a hint: of `manage.py check`, `doctor` and the start of a web server."""

import logging
import re
import sqlite3
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import ERROR, WARNING, CheckMessage, Error, Tags, Warning, register, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

from config.monitoring.observers import missing_packages
from designer.management.base import UNUSABLE, CommandError
from designer.management.private_folders import create_private_folder

LEAST_KEY = 32
LEAST_DIFFERENT = 5
HOST = re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")
NEW_KEY = "Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"


def refuse_faults(**options: Any) -> None:
    """Say what is doubtful in the settings on standard error, and raise CommandError for what is wrong.

    In the place of `check` of Django's commands, whose text is of classes and identifiers.
    """
    asked = {name: options[name] for name in ("app_configs", "tags", "databases") if name in options}
    found = [each for each in run_checks(**asked) if each.level >= WARNING and not each.is_silenced()]
    wrong = [each for each in found if each.level >= ERROR]
    if wrong:
        raise CommandError("\n".join(_sentences(each) for each in wrong), returncode=UNUSABLE)
    for each in found:
        sys.stderr.write(f"warning: {_sentences(each)}\n")


def _sentences(message: CheckMessage) -> str:
    return f"{message.msg} {message.hint or ''}".rstrip()


@register(Tags.security)
def secret_key_is_strong(**_: Any) -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    for name, keys in (
        ("SECRET_KEY", [settings.SECRET_KEY]),
        ("A key in SECRET_KEY_FALLBACKS", settings.SECRET_KEY_FALLBACKS),
    ):
        for key in keys:
            if len(key) < LEAST_KEY:
                messages.append(
                    Error(f"{name} is shorter than {LEAST_KEY} characters.", hint=NEW_KEY, id="keywright.E001")
                )
            elif len(set(key)) < LEAST_DIFFERENT or key.startswith("django-insecure-"):
                # Django marks the keys that `startproject` writes with this prefix; they stand in repositories.
                messages.append(Error(f"{name} can be guessed.", hint=NEW_KEY, id="keywright.E001"))
    return messages


@register(Tags.security)
def hosts_are_names(**_: Any) -> list[CheckMessage]:
    return [
        Error(
            f"ALLOWED_HOSTS has {host!r}, which is not a host name: it would admit no request.",
            hint="Write names without https://, port and path, such as keywright.example.com.",
            id="keywright.E003",
        )
        for host in settings.ALLOWED_HOSTS
        if not HOST.fullmatch(host)
    ]


@register(Tags.security)
def origins_are_of_hosts(**_: Any) -> list[CheckMessage]:
    hosts = [(origin, urlsplit(origin).hostname or "") for origin in settings.CSRF_TRUSTED_ORIGINS]
    return [
        Warning(
            f"CSRF_TRUSTED_ORIGINS has {origin!r}, whose host is not in ALLOWED_HOSTS.",
            hint="List the address that people use, and its host in ALLOWED_HOSTS.",
            id="keywright.W003",
        )
        for origin, host in hosts
        # Origins may have a wildcard, as in https://*.example.com; Django's own matching of hosts expects a name.
        if not validate_host(host.replace("*.", "any."), settings.ALLOWED_HOSTS)
    ]


@register()
def check_packages(**_: Any) -> list[CheckMessage]:
    return [
        Error(sentence, hint="Install it, or unset the variable.", id="keywright.E004")
        for sentence in missing_packages()
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
def check_hosts(**_: Any) -> list[CheckMessage]:
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
        # Only opening the file shows that it can be opened: access bits say nothing of read-only mounts.
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


def refuse_errors() -> None:
    """Refuse to start a web server whose settings are wrong, and log what is only doubtful.

    Raises
    ------
    ImproperlyConfigured
        With a sentence and a hint for each error.
    """
    looked = (secret_key_is_strong, hosts_are_names, check_hosts, origins_are_of_hosts, check_packages)
    messages = [message for check in looked for message in check()]
    wrong = [f"{message.msg} {message.hint}" for message in messages if message.level >= ERROR]
    if wrong:
        raise ImproperlyConfigured(" ".join(wrong))
    for warning in messages:
        logging.getLogger("keywright.start").warning("%s %s", warning.msg, warning.hint)
