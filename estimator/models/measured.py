"""Measurements of compression, by what was measured: the live estimate of every process reads them."""

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass

from django.db import models
from django.utils import timezone

from designer.models.jsontext import JsonText
from estimator.contexts import known_measurements, set_measurements
from estimator.kernels.compression.measurements import Measurements
from estimator.results import Measurement

REFRESH_SECONDS = 2.0


@dataclass
class _Read:
    """Measurements that this process has read. Rows are never changed, so two who read at once do no harm."""

    again: float = 0.0
    """When to look again."""
    last: int = 0
    """The last row that was read."""


_READ = _Read()


class Measured(models.Model):
    """One measurement. Part of backups: the bill depends on it."""

    content = models.CharField(max_length=64, unique=True)
    """Hash of exactly what was measured."""
    data = JsonText()
    made = models.DateTimeField(default=timezone.now)

    @staticmethod
    def store(measurement: Measurement) -> None:
        """Store it; what was stored of the same content before was the same."""
        row = Measured(content=measurement.content, data=asdict(measurement))
        Measured.objects.bulk_create([row], ignore_conflicts=True)

    @staticmethod
    def refresh(at_least: int = 0) -> None:
        """Let this process's estimates use what others have measured.

        Asks the database every other second at most, or when it has not read what the browser knows to be there.
        """
        if time.monotonic() < _READ.again and at_least <= _READ.last:
            return
        _READ.again = time.monotonic() + REFRESH_SECONDS
        rows = list(Measured.objects.filter(pk__gt=_READ.last).order_by("pk"))
        if rows:
            newer = Measurements.of(*(row.measurement for row in rows)).by_content
            set_measurements(Measurements({**known_measurements().by_content, **newer}))
            _READ.last = rows[-1].pk

    @staticmethod
    def measurements_of(contents: Collection[str]) -> Measurements:
        """Return these measurements and no others, so that all processes of a run use the same."""
        rows = Measured.objects.filter(content__in=contents) if contents else ()
        return Measurements.of(*(row.measurement for row in rows))

    @staticmethod
    def newest_id() -> int:
        """Return the number of the newest measurement, for `refresh`."""
        return Measured.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    @property
    def measurement(self) -> Measurement:
        """As the core knows it."""
        return Measurement(**self.data)
