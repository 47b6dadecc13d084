"""Remove for good what was deleted a month ago."""

from typing import Any

from django.core.management.base import BaseCommand

from designer.models import Design


class Command(BaseCommand):
    help = "Remove designs that were deleted more than 30 days ago. The server does this when it starts."

    def handle(self, *args: Any, **options: Any) -> None:
        count = Design.objects.purge()
        self.stdout.write(f"{count} design{'' if count == 1 else 's'} removed for good.")
