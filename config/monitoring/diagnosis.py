"""Faults of an installation, each with its remedy: the output of `keywright doctor`."""

import datetime
import os
import shutil
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.core import checks
from django.core.mail.backends.smtp import EmailBackend
from django.db import DatabaseError, connection
from django.db.models import Min
from django.db.models.functions import Now
from django.utils import timezone

from config.monitoring.health import ALIVE, NEWER_HINT, READY, newer_migrations, newer_text, queue_answers
from designer.models import Design, Heartbeat
from designer.wording.formatting import english
from estimator.models.runs import Run
from estimator.models.workers import Worker
from estimator.price_books.prices import BookError, PriceBook
from estimator.price_books.shelf import list_shelf

State = Literal["ok", "warning", "error"]
LEAST_FREE_BYTES = 1 << 30
CLOCK_SECONDS = 5.0
"""A machine whose clock is further from the database's ends sessions and leases too early or too late."""
QUEUED_MINUTES = 10
MAIL_SECONDS = 5


@dataclass(frozen=True)
class SiteFinding:
    """One thing that was looked at: how it is, and what to do if it is not well."""

    subject: str
    state: State
    text: str
    hint: str = ""


def diagnose(today: datetime.date) -> Iterator[SiteFinding]:
    """Look at settings, data, database, queue, workers, mail and prices, one after the other.

    What is stored is looked at only in a database that answers and is of this version.
    """
    yield from _settings()
    yield from _data_folder()
    of_database = list(_whole(_database()))
    yield from of_database
    if all(finding.state != "error" for finding in of_database) and not is_first_start():
        yield from _whole(_clock())
        yield from _whole(_workers())
    yield from _queue()
    yield from _mail()
    yield from _prices(today)


def _settings() -> Iterator[SiteFinding]:
    # Without `databases`, Django leaves out the checks that are tagged as about the database.
    messages = [check for check in checks.run_checks(databases=["default"]) if check.level >= checks.WARNING]
    for finding in messages:
        yield SiteFinding(
            "settings", "error" if finding.level >= checks.ERROR else "warning", finding.msg, finding.hint or ""
        )
    if settings.TEAM and not settings.HTTPS:
        hint = "Put a proxy with HTTPS in front and leave KEYWRIGHT_HTTPS unset."
        yield SiteFinding("settings", "warning", "People sign in without HTTPS.", hint)
    if not messages:
        yield SiteFinding("settings", "ok", f"{settings.KEYWRIGHT_MODE} mode.")


def _data_folder() -> Iterator[SiteFinding]:
    folder = Path(settings.KEYWRIGHT_DATA)
    # Before the first start the folder is not there yet; its disk is that of the nearest one that is.
    there = next(candidate for candidate in (folder, *folder.parents) if candidate.exists())
    free_bytes = shutil.disk_usage(there).free
    description = f"{folder} has {free_bytes / 1e9:.1f} GB free."
    if not there.is_dir():
        yield SiteFinding("data folder", "error", f"{there} is no folder.", "Move it away, or set KEYWRIGHT_DATA.")
    elif not os.access(there, os.W_OK):
        yield SiteFinding(
            "data folder", "error", f"{folder} cannot be written.", "Make it writable, or set KEYWRIGHT_DATA."
        )
    elif free_bytes < LEAST_FREE_BYTES:
        yield SiteFinding("data folder", "warning", description, "Free some: a full disk takes no edits.")
    else:
        yield SiteFinding("data folder", "ok", description)


def _whole(findings: Iterator[SiteFinding]) -> Iterator[SiteFinding]:
    """Yield the findings; a table that is not there or cannot be read is one, and hides no other part."""
    try:
        yield from findings
    except DatabaseError as problem:
        text = f"It is damaged: {str(problem).splitlines()[0]}."
        yield SiteFinding("database", "error", text, "Restore a backup: keywright restore FILE --replace")


def _database() -> Iterator[SiteFinding]:
    try:
        connection.ensure_connection()
    except DatabaseError as problem:
        text = f"It does not answer: {str(problem).splitlines()[0]}."
        hint = "Start it, or check DATABASE_URL and its disk."
        if connection.vendor == "sqlite":
            hint = "Check its folder and disk; if the file is damaged, restore a backup: keywright restore FILE"
        yield SiteFinding("database", "error", text, hint)
        return
    if is_first_start():
        yield SiteFinding("database", "ok", "There is none yet; keywright makes it when it starts.")
        return
    migrations = READY.result().parts["migrations"]
    # With tables that are missing, every further query would fail with the same cause.
    if migrations != "applied":
        yield SiteFinding("migrations", "error", f"{migrations}.", "Run: keywright upgrade")
        return
    if newer := newer_migrations():
        yield SiteFinding("migrations", "error", newer_text(newer), NEWER_HINT)
        return
    yield SiteFinding("migrations", "ok", "applied.")
    if ALIVE.result().is_well:
        held = english("{count_designs}", {"count_designs": Design.objects.count()})
        yield SiteFinding("database", "ok", f"{connection.vendor} takes writes; {held}.")
    else:
        text = "; ".join(f"{name} {state}" for name, state in ALIVE.result().parts.items())
        yield SiteFinding("database", "error", f"{text}.", "Look at its disk and its log.")


def is_first_start() -> bool:
    """Return whether one person has not started Keywright yet: its start makes the database."""
    return not settings.TEAM and not connection.introspection.table_names()


def _queue() -> Iterator[SiteFinding]:
    if not settings.REDIS_URL:
        return
    if queue_answers():
        yield SiteFinding("queue", "ok", "redis.")
    else:
        yield SiteFinding("queue", "error", "no answer.", "Start Redis, or check REDIS_URL.")


def _clock() -> Iterator[SiteFinding]:
    heartbeats = Heartbeat.objects.annotate(now=Now())  # one is written when the database is looked at
    now = heartbeats.values_list("now", flat=True).first()
    if now is None:
        return
    apart_seconds = abs((datetime.datetime.now(datetime.UTC) - now).total_seconds())
    if apart_seconds <= CLOCK_SECONDS:
        yield SiteFinding("clock", "ok", "As the database's.")
        return
    text = f"This machine's clock and the database's are {apart_seconds:.0f} s apart."
    yield SiteFinding("clock", "error", text, "Set both by NTP: sessions, leases and links end by them.")


def _workers() -> Iterator[SiteFinding]:
    slots, waiting = Worker.objects.slots(), Run.objects.filter(state="queued").aggregate(oldest=Min("asked"))["oldest"]
    if slots == 0:
        state: State = "warning" if settings.TEAM or waiting else "ok"
        hint = "Start one: docker compose up worker, or keywright serve." if state == "warning" else ""
        yield SiteFinding("workers", state, "None is there: simulations and measurements wait.", hint)
    else:
        yield SiteFinding("workers", "ok", f"{slots} step{'s' if slots > 1 else ''} of runs at a time.")
    if waiting is None:
        return
    minutes = (timezone.now() - waiting).total_seconds() / 60
    if minutes > QUEUED_MINUTES:
        yield SiteFinding(
            "runs", "warning", f"The oldest one has waited for {minutes:.0f} minutes.", "Start more workers."
        )


def _mail() -> Iterator[SiteFinding]:
    if not settings.EMAIL_HOST:
        if settings.TEAM:
            yield SiteFinding("mail", "ok", "Not set up: invitations are links to copy.")
        return
    # Connects as mails do, with TLS and the password: a port that answers can still refuse both.
    server = EmailBackend(timeout=MAIL_SECONDS)
    try:
        server.open()
        server.close()
    except (OSError, smtplib.SMTPException) as problem:
        text = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} does not take mail: {problem}."
        yield SiteFinding(
            "mail", "error", text, "Check EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD."
        )
        return
    yield SiteFinding("mail", "ok", f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} takes mail.")


def _prices(today: datetime.date) -> Iterator[SiteFinding]:
    newest: dict[str, PriceBook] = {}
    for shelved in list_shelf():
        try:
            book = shelved.read()
        except BookError as problem:
            yield SiteFinding("prices", "error", str(problem), "Import it again, or remove the file.")
            continue
        newest[book.engine] = max(book, newest.get(book.engine, book), key=lambda candidate: candidate.date)
    for engine, book in sorted(newest.items()):
        is_old = book.outdated_days(today) is not None
        text = f"The newest price book of {engine} is of {book.date}."
        yield SiteFinding(
            "prices", "warning" if is_old else "ok", text, "Fetch today's: keywright prices fetch" if is_old else ""
        )
