"""Measurements of compression, by what was measured: the live estimate of every process reads them."""

import time
from collections.abc import Collection
from dataclasses import asdict

from django.db import models
from django.utils import timezone

from designer.models.jsontext import JsonText
from estimator.kernels.compression.memory import MEASURED, InProcess, Measurements
from estimator.results import Measurement

REFRESH_SECONDS = 2.0
_read: dict[str, float] = {"again": 0.0, "last": 0}
"""When to look again, and the last row that was read. Rows are never changed; two who read at once do no harm."""


class Measured(models.Model):
    """One measurement. Part of backups: the bill depends on it."""

    content = models.CharField(max_length=64, unique=True)
    """Hash of exactly what was measured."""
    data = JsonText()
    made = models.DateTimeField(default=timezone.now)

    @staticmethod
    def keep(measurement: Measurement) -> None:
        """Store it; what was stored of the same content before was the same."""
        row = Measured(content=measurement.content, data=asdict(measurement))
        Measured.objects.bulk_create([row], ignore_conflicts=True)

    @staticmethod
    def refresh(at_least: int = 0) -> None:
        """Let this process's estimates use what others have measured.

        Asks the database every other second at most, or when it has not read what the browser knows to be there.
        """
        if time.monotonic() < _read["again"] and at_least <= _read["last"]:
            return
        _read["again"] = time.monotonic() + REFRESH_SECONDS
        for row in Measured.objects.filter(pk__gt=_read["last"]).order_by("pk"):
            MEASURED.keep(row.measurement)
            _read["last"] = row.pk

    @staticmethod
    def only(contents: Collection[str]) -> Measurements:
        """These and no others, so that every process that works on a run knows the same."""
        held = InProcess(limit_bytes=1 << 20)
        for row in Measured.objects.filter(content__in=contents) if contents else ():
            held.keep(row.measurement)
        return held

    @staticmethod
    def newest() -> int:
        """The number of the newest one, for `refresh`."""
        return Measured.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    @property
    def measurement(self) -> Measurement:
        """As the core knows it."""
        return Measurement(**self.data)
