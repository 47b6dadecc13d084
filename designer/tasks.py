"""What the worker does by the clock."""

from celery import shared_task
from django.core.management import call_command


@shared_task  # type: ignore[untyped-decorator]  # celery has no types
def purge() -> None:
    """Remove for good what was deleted a month ago."""
    call_command("purge", verbosity=0)
