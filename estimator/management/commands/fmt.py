"""`keywright fmt FILE…`: designs' files in their canonical form, and from JSON to the compact form and back."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from designer.document import InvalidDocumentError, Spec, dump, load
from designer.document.compact import dump_compact, format_compact
from designer.document.load import is_compact
from designer.wording.printable import printable
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE, FileCommand
from estimator.management.design_files import find_designs

SCHEMA = "$schema"


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
                canonical = _canonical(text, spec, form, file)
            except CommandError as error:
                refused.append(error)
                continue
            if to or (file == "-" and not check):
                self.stdout.write(canonical, ending="")
            elif canonical != text:
                changed.append(file)
                self._change(file, canonical, check=check)
        for each in refused:
            self.stderr.write(printable(str(each)))
        if any(each.returncode == FAILED for each in refused):
            raise SystemExit(FAILED)
        raise SystemExit(UNUSABLE if refused else FOUND if check and changed else USABLE)

    def _change(self, file: str, canonical: str, *, check: bool) -> None:
        if not check:
            try:
                Path(file).write_text(canonical, encoding="utf-8", newline="")
            except OSError as error:
                raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error
        self.stdout.write(printable(f"{file} {'would change' if check else 'written'}"))


def _canonical(text: str, spec: Spec, form: str, file: str) -> str:
    """Return the design's canonical text, which is read back before it replaces anything.

    Raises
    ------
    CommandError
        If it is not read back as this design.
    """
    is_yaml = is_compact(text, file)
    if form == "json":
        made = _with_schema(dump(spec), text) if not is_yaml else dump(spec)
    else:
        made = format_compact(spec, text) if is_yaml else dump_compact(spec)
    try:
        again = load(made, name=f"design.{form}")
    except InvalidDocumentError:
        again = None
    if again != spec:
        reason = f"{file} is left as it is: its canonical form would not be read as the same design. "
        raise CommandError(f"{reason}This is an error in Keywright, not in the design.", returncode=FAILED)
    return made


def _with_schema(canonical: str, text: str) -> str:
    """Keep the name of the schema that an editor reads, at the beginning."""
    given = json.loads(text.removeprefix("\ufeff")).get(SCHEMA)
    if given is None:
        return canonical
    return canonical.replace("{", f"{{\n  {json.dumps(SCHEMA)}: {json.dumps(given, ensure_ascii=False)},", 1)
