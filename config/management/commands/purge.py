"""Remove for good what was deleted a month ago, old results, and sessions that have ended."""

import datetime
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from designer.models import AuditEvent, Design, Heartbeat, KeptAnswer, SignIn, WebhookDelivery
from designer.views.audit import COMMAND_LINE, record
from estimator.models import AccessLog, Run, Worker

JUMP = datetime.timedelta(days=7)
"""A server that looks daily finds more than that after a pause, or after its clock was set forward by mistake."""


class Command(BaseCommand):
    help = (
        "Remove designs that were deleted more than 30 days ago, results of runs and of access logs older "
        "than KEYWRIGHT_RESULT_DAYS, acts older than KEYWRIGHT_AUDIT_DAYS, kept answers and ended sessions. "
        "The server does this when it starts and once a day; in Compose the worker does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--daily", action="store_true", help="remove nothing if the last time was more than a week ago by the clock"
        )

    def handle(self, *args: Any, daily: bool, **options: Any) -> None:
        if Heartbeat.objects.note_purge() > JUMP and daily:  # a wrong clock removes nothing within a day
            self.stdout.write("The last purge was more than a week ago by the clock: nothing was removed this time.")
            return
        count = Design.objects.purge()
        runs = Run.objects.purge()
        AccessLog.objects.purge()
        KeptAnswer.objects.purge()
        Worker.objects.delete_stale()
        WebhookDelivery.objects.purge()
        with transaction.atomic():
            if acts := AuditEvent.objects.all().purge():
                record(None, "audit_purged", _count_text(acts, "act"), person=COMMAND_LINE)
        call_command("clearsessions", verbosity=0)
        SignIn.objects.purge()
        self.stdout.write(f"Removed for good: {_count_text(count, 'design')}, {_count_text(runs, 'run')}.")


def _count_text(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
