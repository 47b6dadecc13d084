"""`manage.py backup FILE`: everything that people made, in one file."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from config.backups import backup, describe_counts, is_backup
from designer.views.audit import COMMAND_LINE, record


class Command(BaseCommand):
    help = (
        "Write people, teams, designs and their whole history into one file, while the site goes on. "
        "An older backup of this name is replaced, no other file. It holds password hashes: keep it safe."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="such as keywright.jsonl.gz; - writes to standard output")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        there = Path(file)
        # An empty file may be replaced: `mktemp` makes such a one. Anything else that is no backup may be somebody's
        # design.
        if file != "-" and there.is_file() and there.stat().st_size and not is_backup(there):
            raise CommandError(f"{file} exists and is not a backup: choose another name.")
        try:
            counts = backup(sys.stdout.buffer if file == "-" else Path(file))
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem.strerror}.") from None
        with suppress(DatabaseError):  # a database that takes no writes can still be backed up
            record(None, "backup_written", file, person=COMMAND_LINE)
        if file != "-":
            self.stdout.write(f"{file}: {describe_counts(counts)}, {sum(counts.values())} rows in all.")
