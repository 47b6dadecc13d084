"""Bring the database to this version: copy it, migrate, prepare; or say what that would do."""

import sqlite3
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from config.monitoring.diagnosis import is_first_start
from config.monitoring.health import NEWER_HINT, newer_migrations, newer_text
from config.private_files import FILE_MODE


class Command(BaseCommand):
    help = "Bring the database to this version, with a copy before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; end with 1 if something is to be done"
        )
        parser.add_argument("--no-backup", action="store_true", help="migrate at once: you have a backup of your own")

    def handle(self, *args: Any, check: bool, no_backup: bool, **options: Any) -> None:
        if check and is_first_start():
            self.stdout.write("There is no database yet; keywright makes it when it starts.")
            return
        if newer := newer_migrations():
            raise CommandError(f"{newer_text(newer)} {NEWER_HINT}")
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not plan:
            self.stdout.write("The database is of this version.")
            return
        for migration, _ in plan:
            way_back = (
                "" if all(operation.reversible for operation in migration.operations) else " (no way back but a backup)"
            )
            self.stdout.write(f"to be applied: {migration.app_label} {migration.name}{way_back}")
        if check:
            self.stdout.write("Apply them: keywright upgrade")
            sys.exit(1)
        # A database without any migration is empty: there is nothing to copy.
        if executor.loader.applied_migrations and not no_backup:
            self.stdout.write(f"copied to {_copy_database()}")
        call_command("migrate", interactive=False, verbosity=0)
        call_command("prepare", stdout=StringIO())
        self.stdout.write(f"{len(plan)} applied. Restart web servers and workers.")


def _copy_database() -> Path:
    """Copy the SQLite file as it is: the program's own backup reads a database of its version only.

    Raises
    ------
    CommandError
        If the database is a server's, or the copy cannot be written.
    """
    database = settings.DATABASES["default"]
    if connection.vendor != "sqlite":
        raise CommandError(
            "Back up first, by pg_dump or by the earlier version's keywright backup. "
            "Then: keywright upgrade --no-backup"
        )
    there = Path(database["NAME"])
    path = there.with_name(f"{there.stem}-before-upgrade-{timezone.now():%Y%m%dT%H%M%SZ}{there.suffix}")
    try:
        # The file is created with its mode before anything is in it: SQLite would create it readable by everybody, and
        # it holds password hashes.
        path.touch(FILE_MODE, exist_ok=False)
    except OSError as problem:
        raise CommandError(f"{path} cannot be written: {problem.strerror}. Nothing was changed.") from None
    try:
        with closing(sqlite3.connect(there)) as source, closing(sqlite3.connect(path)) as target:
            # SQLite's own backup also copies what is still in the write-ahead log; copying the file would miss it.
            source.backup(target)
    except (OSError, sqlite3.Error) as problem:
        path.unlink(missing_ok=True)
        raise CommandError(f"{path} cannot be written: {problem}. Nothing was changed.") from None
    return path
