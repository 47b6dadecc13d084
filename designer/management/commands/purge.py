"""Remove for good what was deleted a month ago, and sessions that have ended."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from designer.models import Design


class Command(BaseCommand):
    help = (
        "Remove designs that were deleted more than 30 days ago, and ended sessions. "
        "The server does this when it starts and once a day; in Compose the worker does."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = Design.objects.purge()
        call_command("clearsessions", verbosity=0)
        self.stdout.write(f"{count} design{'' if count == 1 else 's'} removed for good.")
