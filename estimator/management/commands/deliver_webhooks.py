"""Send the events that are due to the webhooks of teams."""

from typing import Any

from django.core.management.base import BaseCommand

from designer.models import deliver_webhooks
from estimator.models import KnownBook


class Command(BaseCommand):
    help = "Send the events that are due to webhooks. The server does this every minute, in Compose every worker."

    def handle(self, *args: Any, **options: Any) -> None:
        KnownBook.objects.announce()
        count = deliver_webhooks()
        self.stdout.write(f"{count} deliver{'y' if count == 1 else 'ies'} received.")
