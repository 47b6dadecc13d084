"""What is kept of measurements of a running cluster: a few figures a day, and no row key."""

import datetime

from django.db import models
from django.utils import timezone

from designer.models import Design, Person
from designer.models.jsontext import JsonText
from estimator.presentation.observation_page import KeptFigures


class KeptObservation(models.Model):
    """Figures of one design's tables on one day."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="observations")
    date = models.DateField()
    """The day of the measurement."""
    data = JsonText()
    """Figures by name, by the id of a table."""
    digest = models.CharField(max_length=64)
    """Of the files that it was read from."""
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    @staticmethod
    def store(design: Design, figures: KeptFigures, *, date: datetime.date, digest: str, by: Person) -> None:
        """Store figures of a day; the same files on the same day are stored once."""
        data = {table: dict(each) for table, each in figures.items() if each}
        KeptObservation.objects.get_or_create(
            design=design, date=date, digest=digest, defaults={"data": data, "by": by}
        )

    class Meta:
        ordering = ("date", "pk")
        constraints = (models.UniqueConstraint(fields=("design", "date", "digest"), name="observation_once"),)
