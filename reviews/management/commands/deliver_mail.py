"""Send the mail about reviews that is due."""

from typing import Any

from django.core.management.base import BaseCommand

from reviews.models import Mail


class Command(BaseCommand):
    help = "Send the mail about reviews that is due. The server does this every minute, in Compose every worker."

    def handle(self, *args: Any, **options: Any) -> None:
        count = Mail.objects.deliver()
        self.stdout.write(f"{count} mail{'' if count == 1 else 's'} sent.")
