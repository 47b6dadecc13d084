"""The audit log: who did what to people's access and to designs, when and from where. Rows are only ever added."""

import datetime
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone


class AppendOnlyError(Exception):
    """Error for an attempt to change or remove what the log holds."""


class AuditEvents(models.QuerySet["AuditEvent"]):
    """Adds and reads rows."""

    def update(self, **_: Any) -> NoReturn:
        raise AppendOnlyError

    def delete(self) -> NoReturn:
        raise AppendOnlyError

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        raise AppendOnlyError

    def purge(self) -> int:
        """Remove what is older than the retention period; return the number of rows."""
        old = self.filter(at__lt=timezone.now() - datetime.timedelta(days=settings.KEYWRIGHT_AUDIT_DAYS))
        # `delete()` of these rows raises, so that no other code removes any; this goes past it on purpose.
        return int(old._raw_delete(old.db))


class AuditEvent(models.Model):
    """One act. Names are texts, so that they outlive the account, the team and the design."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    kind = models.CharField(max_length=30)
    person = models.CharField(max_length=254, blank=True)
    """E-mail address of who did it."""
    address = models.CharField(max_length=45, blank=True)
    """Network address that the request came from."""
    team = models.BigIntegerField(null=True)
    """Id of the team."""
    subject = models.CharField(max_length=254, blank=True)
    """Who or what it was done to."""

    class Meta:
        indexes = [
            models.Index(fields=["team", "-at"], name="audit_of_team"),
            models.Index(fields=["person", "-at"], name="audit_of_person"),
        ]

    objects: ClassVar[models.Manager["AuditEvent"]] = models.Manager.from_queryset(AuditEvents)()

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **options)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        raise AppendOnlyError
