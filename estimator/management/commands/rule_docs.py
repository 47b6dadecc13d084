"""Write the pages of all rules as Markdown, for a documentation site."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.management.base import FilesCommand
from estimator.advice.catalogue.rule_pages import markdown_pages


class Command(FilesCommand):
    help = "Write a Markdown page for each rule, and an index, into a folder. The running site shows them at /rules/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", required=True, type=Path, help="the folder; it is made where it does not exist")

    def handle(self, *args: Any, out: Path, **options: Any) -> None:
        out.mkdir(parents=True, exist_ok=True)
        pages = markdown_pages()
        for name, text in pages.items():
            (out / name).write_text(text, encoding="utf-8")
        self.stdout.write(f"{out}: {len(pages)} pages")
