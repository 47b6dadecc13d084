"""Say what is wrong with this installation and what mends it."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from config.monitoring.diagnosis import diagnose
from estimator.management.commandline import with_format

MARKS = {"ok": "ok     ", "warning": "WARNING", "error": "ERROR  "}


class Command(BaseCommand):
    help = "Look at settings, data, database, queue, workers, mail and prices; list the faults, each with its remedy."
    requires_system_checks = []  # they are a part of what is said

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each part; end with 1 if any is an error."""
        has_error = False
        for finding in diagnose(timezone.now().date()):
            has_error |= finding.state == "error"
            if options["json"]:
                self.stdout.write(json.dumps(with_format("doctor", asdict(finding)), ensure_ascii=False))
                continue
            self.stdout.write(f"{MARKS[finding.state]}  {finding.subject}: {finding.text}")
            if finding.hint:
                self.stdout.write(f"         {finding.hint}")
        if has_error:
            sys.exit(1)
