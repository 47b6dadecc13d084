"""`manage.py restore FILE`: a database as a backup has it."""

import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backups import BackupError, describe_counts, read_contents, restore
from designer.views.audit import COMMAND_LINE, record


class Command(BaseCommand):
    help = (
        "Fill the database from a backup, whichever database it was made from. Everybody must sign in again afterwards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="what `backup` wrote; - reads standard input")
        parser.add_argument("--replace", action="store_true", help="remove what the database holds now")

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        # A backup may be restored into a database that was just made, which has no tables yet.
        call_command("migrate", interactive=False, verbosity=0)
        now = read_contents()
        if now.rows and not replace:
            raise CommandError(
                f"The database is not empty: it holds {describe_counts(now.counts)}. "
                "--replace removes them and restores the backup instead."
            )
        try:
            if file == "-":
                manifest = restore(sys.stdin.buffer)
            else:
                with open(file, "rb") as source:
                    manifest = restore(source)
        except BackupError as wrong:
            raise CommandError(f"{file}: {wrong}") from None
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from None
        record(None, "backup_restored", file, person=COMMAND_LINE)
        counts, moment, version = manifest["counts"], manifest.get("made", "?"), manifest.get("version", "?")
        self.stdout.write(f"Restored {describe_counts(counts)}, as of {moment} (version {version}).")
