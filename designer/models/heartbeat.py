"""Rows that are written to see whether the database takes writes, and when something was done last."""

import datetime
from typing import ClassVar

from django.db import connection, models, transaction
from django.utils import timezone

PURGE = 2
"""The row that says when the last purge was."""
MOST_SECONDS = 4
"""So long a write may take on PostgreSQL; SQLite has its own limit."""


class Heartbeats(models.Manager["Heartbeat"]):
    """Writes the row."""

    def write(self) -> None:
        """Write the time into the one row; raise DatabaseError if that is impossible."""
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    # A database that waits for a lock or a dead disk must not keep the check of health waiting, too.
                    # LOCAL ends with the transaction.
                    cursor.execute(f"SET LOCAL statement_timeout = '{MOST_SECONDS}s'")
            self.update_or_create(pk=1, defaults={"at": timezone.now()})

    def note_purge(self) -> datetime.timedelta:
        """Write when something is removed for good; return how long ago that was done before, by the clocks."""
        now = timezone.now()
        before = self.filter(pk=PURGE).values_list("at", flat=True).first()
        self.update_or_create(pk=PURGE, defaults={"at": now})
        return now - (before or now)


class Heartbeat(models.Model):
    """The last times at which the database took a write, and something was removed for good."""

    at = models.DateTimeField()

    objects: ClassVar[Heartbeats] = Heartbeats()
