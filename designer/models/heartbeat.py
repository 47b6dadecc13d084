"""A row that is written to see whether the database takes writes."""

from typing import ClassVar

from django.db import connection, models, transaction
from django.utils import timezone

MOST_SECONDS = 4
"""So long a write may take on PostgreSQL; SQLite has its own limit."""


class Heartbeats(models.Manager["Heartbeat"]):
    """Writes the row."""

    def write(self) -> None:
        """Write the time into the one row; raise DatabaseError if that is impossible."""
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL statement_timeout = '{MOST_SECONDS}s'")
            self.update_or_create(pk=1, defaults={"at": timezone.now()})


class Heartbeat(models.Model):
    """The only row: when the database was last seen to take a write."""

    at = models.DateTimeField()

    objects: ClassVar[Heartbeats] = Heartbeats()
