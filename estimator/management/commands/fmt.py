"""`keywright fmt FILE…`: designs' files in their canonical form, and from JSON to the compact form and back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.document.load import is_compact
from designer.management.base import CommandError
from designer.management.writing import write_atomically
from designer.wording.printable import printable, printable_lines
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE, FileCommand
from estimator.management.design_files import canonical_text
from estimator.management.file_search import find_designs


class Command(FileCommand):
    """Rewrites files; `--check` only says which it would rewrite."""

    help = (
        "Write designs canonically, as YAML or JSON as they are; comments of YAML stay. "
        "Exit code: 0, 1 if --check finds a file to write, or 2 for unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files and what to do with them."""
        parser.add_argument("files", metavar="FILE", nargs="+", help="a design, a folder or a pattern; - is a filter")
        does = parser.add_mutually_exclusive_group()
        does.add_argument("--check", action="store_true", help="write nothing; name the files that would change")
        does.add_argument("--to", choices=("yaml", "json"), help="print the design in this form and write no file")

    def handle(self, *, files: list[str], check: bool, to: str | None, **options: Any) -> None:
        """Write, check or print every file; a file that cannot be used hides no other."""
        changed, refused = [], list[CommandError]()
        for file in find_designs(files):
            try:
                text, spec = self.read(file)
                form = to or ("yaml" if is_compact(text, file) else "json")
                canonical = canonical_text(text, spec, form, file)
            except CommandError as error:
                refused.append(error)
                continue
            if to or (file == "-" and not check):
                self.stdout.write(canonical, ending="")
            elif canonical != text:
                changed.append(file)
                self._change(file, canonical, check=check)
        for refusal in refused:
            self.stderr.write(printable_lines(str(refusal)))
        if any(problem.returncode == FAILED for problem in refused):
            raise SystemExit(FAILED)
        raise SystemExit(UNUSABLE if refused else FOUND if check and changed else USABLE)

    def _change(self, file: str, canonical: str, *, check: bool) -> None:
        if not check:
            try:
                # As bytes: the canonical form has "\n" on every system, or each run on Windows would change it again.
                write_atomically(Path(file), canonical.encode())
            except OSError as error:
                raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error
        self.stdout.write(printable(f"{file} {'would change' if check else 'written'}"))
