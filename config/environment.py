"""Typed reading of environment variables: a value that makes no sense is refused with a sentence, never guessed."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit


class SettingError(Exception):
    """A setting makes no sense; Django's own error for it is not there without the extras."""


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def required_text(name: str, *, why: str) -> str:
    value = text(name)
    if not value:
        raise SettingError(f"Set {name}: {why}")
    return value


def flag(name: str, default: bool) -> bool:
    value = text(name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    if not value:
        return default
    raise SettingError(f"{name} is {value!r}; it must be true or false.")


def positive_integer(name: str, default: int) -> int:
    """Return a whole number of at least 1 from the environment."""
    value = text(name, str(default)).replace("_", "")
    # `isdigit` alone accepts digits such as "²", which `int` refuses.
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise SettingError(f"{name} is {value!r}; it must be a whole number from 1 on.")
    return int(value)


def choice(name: str, default: str, choices: Sequence[str]) -> str:
    value = text(name, default)
    if value not in choices:
        raise SettingError(f"{name} is {value!r}; it must be one of: {', '.join(choices)}.")
    return value


def names(name: str) -> list[str]:
    """Return a comma-separated list from the environment."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def web_address(name: str) -> str:
    """Return an address of the web from the environment; empty if there is none."""
    value = text(name)
    if value and _web_parts(value) is None:
        raise SettingError(f"{name} is not a web address; write it as https://collector.example.com:4318.")
    return value


def sentry_address(name: str) -> str:
    """Return the address that Sentry calls a DSN, with its key and the number of a project; empty if there is none."""
    value = text(name)
    parts = _web_parts(value)
    if value and (parts is None or not parts.username or not parts.path.rpartition("/")[2].isdigit()):
        raise SettingError(f"{name} is not a DSN of Sentry; copy it from the project, as https://KEY@sentry.io/NUMBER.")
    return value


def _web_parts(value: str) -> SplitResult | None:
    """Return the parts of an address that can be asked by HTTP; None if it is none. It may hold a secret."""
    try:
        parts = urlsplit(value)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # a port that is no number, or half an IPv6 address
        return None
    return parts if is_whole else None


def folder(name: str, default: Path) -> Path:
    return Path(text(name, str(default))).expanduser().absolute()


def database(url: str, *, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Django's settings for `postgresql://user:password@host:port/name` or `sqlite:///path/to/file`.

    PostgreSQL connection parameters may follow `?`; `?host=/folder` connects by a Unix socket.
    """
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    try:
        port = parts.port
    except ValueError:
        raise SettingError(f"{variable} holds a port that is no port number.") from None
    if not name:
        raise SettingError(f"{variable} names no database; write postgresql://user:password@host:5432/name.")
    if parts.scheme == "sqlite":
        return sqlite(Path(name))
    if parts.scheme not in ("postgresql", "postgres"):
        raise SettingError(f"{variable} starts with {parts.scheme!r}; it must be postgresql:// or sqlite:///.")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        # A path cannot stand in the place of a host in an address, so a socket's folder comes as a parameter, as libpq
        # reads it.
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        # A kept connection may be gone after a restart of the database; the check costs a query, and otherwise the
        # first request of each thread would fail.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def sqlite(path: Path) -> dict[str, Any]:
    """SQLite for several writers: without IMMEDIATE, a third of concurrent writes end in "database is locked"."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # A writer waits for up to 20 s in place of SQLite's 5. With IMMEDIATE, a transaction takes the writer's
            # lock when it begins: one that reads first and then writes would be refused at once, without waiting
            # (decision 1).
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }
