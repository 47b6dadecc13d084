"""`manage.py spec_schema`: the JSON Schema of designs' files."""

from typing import Any

from django.core.management.base import BaseCommand

from designer.document.schema import text


class Command(BaseCommand):
    help = "Print the JSON Schema (2020-12) of design files, for editors and for programs that write them."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(text(), ending="")
