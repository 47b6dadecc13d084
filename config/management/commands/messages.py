"""Bring locale/*/LC_MESSAGES/django.po in step with the texts of the program; gettext is not needed."""

from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.messages import collect_messages, find_gaps, update_catalogue
from designer.http.translations import po_files


class Command(BaseCommand):
    help = "Collect the texts to be translated into the .po files; existing translations stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when a file is not whole")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        messages = collect_messages(settings.BASE_DIR)
        problems = []
        for path in po_files():
            catalogue = polib.pofile(str(path), wrapwidth=110)
            fresh = update_catalogue(catalogue, messages)
            name = Path(path).relative_to(settings.BASE_DIR).as_posix()
            if check and str(fresh) != str(catalogue):
                problems.append(f"{name} is not in step with the texts: run manage.py messages")
            if not check:
                fresh.save(str(path))
            missing = find_gaps(fresh, messages)
            problems += [f"{name}: {gap}" for gap in missing]
            self.stdout.write(f"{name}: {len(messages)} messages, {len(missing)} to do")
        if check and problems:
            raise CommandError("\n".join(problems))
        self.stdout.write("\n".join(problems))
