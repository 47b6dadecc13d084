"""Results of trials that are kept with their design."""

import hashlib

from django.db import models
from django.utils import timezone

from designer.models import Design, Person
from designer.models.jsontext import JsonText
from reviews.trials.reports import as_data, read_data
from reviews.trials.results import TrialResult

KEPT_MOST = 20
"""Of one design; older ones go."""


class KeptTrial(models.Model):
    """The result of one trial, as the command wrote it."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="trials")
    data = JsonText()
    digest = models.CharField(max_length=64)
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    @property
    def result(self) -> TrialResult:
        """The result, read back."""
        return read_data(self.data)

    @staticmethod
    def store(design: Design, result: TrialResult, *, by: Person) -> None:
        """Store a result; the same one is stored once."""
        data = as_data(result)
        digest = hashlib.sha256(repr(result).encode()).hexdigest()
        KeptTrial.objects.get_or_create(design=design, digest=digest, defaults={"data": data, "by": by})
        retained_ids = list(KeptTrial.objects.filter(design=design).values_list("pk", flat=True)[:KEPT_MOST])
        KeptTrial.objects.filter(design=design).exclude(pk__in=retained_ids).delete()

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (models.UniqueConstraint(fields=("design", "digest"), name="trial_once"),)
