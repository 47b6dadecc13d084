"""Writes docs/rules/ from the rules' own files."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from estimator.advice.catalogue.rule_pages import markdown_pages


class Command(BaseCommand):
    help = "Make the pages of docs/rules/ from the rules; with --check, fail where they are not in step."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when a page is stale")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        folder = Path(settings.BASE_DIR) / "docs" / "rules"
        pages = markdown_pages()
        stale = [name for name, text in pages.items() if _text(folder / name) != text]
        surplus = [path.name for path in sorted(folder.glob("*.md")) if path.name not in pages]
        if check and (stale or surplus):
            raise CommandError(f"docs/rules is not in step ({', '.join(stale + surplus)}): run manage.py rule_docs")
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            for name in stale:
                (folder / name).write_text(pages[name], encoding="utf-8")
            for name in surplus:
                (folder / name).unlink()
        self.stdout.write(f"docs/rules: {len(pages)} pages, {len(stale)} written, {len(surplus)} removed")


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
