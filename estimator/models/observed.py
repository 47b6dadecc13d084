"""Stored measurements of a running cluster: a few figures a day, and no row key."""

import datetime
from dataclasses import dataclass

from django.db import models, transaction
from django.utils import timezone

from designer.models import Design, Person
from designer.models.deliveries import publish
from designer.models.jsontext import JsonText
from designer.models.webhooks import design_data
from estimator.presentation.observation_page import KeptFigures

MISS_SHARE = 0.2
"""A forecast that is missed by more than this is told, unless somebody states another share."""


@dataclass(frozen=True)
class MissedForecast:
    """A figure of a table that was measured far from its forecast."""

    table: str
    """Its id."""
    figure: str
    difference: float
    """As a share of the forecast, with its sign."""


class KeptObservation(models.Model):
    """Figures of one design's tables on one day."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="observations")
    date = models.DateField()
    """The day of the measurement."""
    data = JsonText()
    """Figures by name, by the id of a table."""
    differences = JsonText(default=dict)
    """Differences of these figures from the forecast of that day, as shares of it."""
    is_told = models.BooleanField(default=False)
    """Who wants mail about missed forecasts gets it, or nobody does."""
    digest = models.CharField(max_length=64)
    """Of the files that it was read from."""
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    @staticmethod
    def store(
        design: Design, figures: KeptFigures, differences: KeptFigures, *, date: datetime.date, digest: str, by: Person
    ) -> None:
        """Store figures of a day; the same files on the same day are stored once."""
        data, differences = (
            {table: dict(values) for table, values in by_table.items() if values} for by_table in (figures, differences)
        )
        defaults = {"data": data, "differences": differences, "by": by}
        with transaction.atomic():
            observation, is_new = KeptObservation.objects.get_or_create(
                design=design, date=date, digest=digest, defaults=defaults
            )
            if is_new:
                observation._publish_missed_forecasts()

    def _publish_missed_forecasts(self) -> None:
        """Store an event for webhooks, if a forecast was missed; mail is told apart, by who calls `mark_told`."""
        misses = self.missed_forecasts(MISS_SHARE)
        if misses:
            largest = max((figure.difference for figure in misses), key=abs)
            forecast = {
                "date": self.date.isoformat(), "share": MISS_SHARE, "figures": len(misses),
                "largest_difference": largest, "sha256": self.design.head_id,
            }  # fmt: skip
            publish("forecast.missed", {**design_data(self.design), "forecast": forecast}, team=self.design.team_id)

    def mark_told(self) -> bool:
        """Return True for one caller alone, who tells those who follow the design of this measurement."""
        return bool(KeptObservation.objects.filter(pk=self.pk, is_told=False).update(is_told=True))

    def missed_forecasts(self, miss_share: float) -> tuple[MissedForecast, ...]:
        """Return the forecasts that were missed by more than a share."""
        return tuple(
            MissedForecast(table, figure, difference)
            for table, figures in self.differences.items()
            for figure, difference in figures.items()
            if abs(difference) > miss_share
        )

    class Meta:
        ordering = ("date", "pk")
        constraints = (models.UniqueConstraint(fields=("design", "date", "digest"), name="observation_once"),)
