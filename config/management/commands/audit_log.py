"""`manage.py audit_log`: who did what to access and designs, as NDJSON."""

import datetime
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from designer.models import AuditEvent
from designer.views.audit import ndjson_lines
from estimator.management.days import parse_day


class Command(BaseCommand):
    help = "Print the audit log as NDJSON, oldest first: sign-ins, roles, tokens, links, exports, deletions, backups."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the filters."""
        parser.add_argument("--since", type=parse_day, metavar="DATE", help="from this day on (UTC)")
        parser.add_argument("--until", type=parse_day, metavar="DATE", help="up to and with this day (UTC)")
        parser.add_argument("--person", metavar="EMAIL", help="what this person did")
        parser.add_argument("--kind", metavar="KIND", help="such as sign_in_failed or role_changed")
        parser.add_argument("--team", type=int, metavar="ID", help="acts in this team; its id is in its page's address")

    def handle(self, **options: Any) -> None:
        """Print a line for each act."""
        acts = AuditEvent.objects.order_by("at", "pk")
        if options["since"]:
            acts = acts.filter(at__gte=_begin(options["since"]))
        if options["until"]:
            acts = acts.filter(at__lt=_begin(options["until"] + datetime.timedelta(days=1)))
        for name in ("person", "kind", "team"):
            if options[name] is not None:
                acts = acts.filter(**{name: options[name]})
        for line in ndjson_lines(acts):
            self.stdout.write(line)


def _begin(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time.min, datetime.UTC)
