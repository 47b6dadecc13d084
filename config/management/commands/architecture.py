"""Draw docs/architecture.svg from the import contracts."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.architecture import draw_packages


class Command(BaseCommand):
    help = "Draw docs/architecture.svg, the picture of all packages, from the import contracts in pyproject.toml."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail if the picture is out of date")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        path, svg = root / "docs" / "architecture.svg", draw_packages(root)
        if check and (not path.is_file() or path.read_text(encoding="utf-8") != svg):
            raise CommandError("docs/architecture.svg is out of date: run manage.py architecture")
        if not check:
            path.write_text(svg, encoding="utf-8")
        self.stdout.write("docs/architecture.svg")
