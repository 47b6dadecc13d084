"""`manage.py import FILE --out design.json`: what other tools print, as a design."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.document import dump
from designer.document.validation_errors import InvalidDocumentError
from designer.imports import MOST_BYTES, NAMES, formats_by_name, read
from designer.management.base import UNUSABLE, CommandError, FilesCommand
from designer.management.writing import add_overwrite, design_bytes, write_all
from designer.wording.printable import printable, printable_json

USABLE, MISSED = 0, 1


class Command(FilesCommand):
    """Writes the design and says what was not understood."""

    help = (
        "Import tables from Terraform, `cbt ls`, `gcloud … describe --format=json`, row key schemas or sample keys; "
        "without FILE, the formats are listed. Exit code: 0, 1 where something was not understood, 2 unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add options for the input, its format and the output file."""
        parser.add_argument("file", metavar="FILE", nargs="?", help="what to import; - reads standard input")
        parser.add_argument("--from", dest="format", choices=NAMES, help="its format (default: as it looks)")
        parser.add_argument(
            "--out", type=Path, metavar="DESIGN", help="where to, as .json or .yaml (default: JSON on standard output)"
        )
        add_overwrite(parser)

    def handle(self, *, file: str | None, out: Path | None, **options: Any) -> None:
        """Write the design to the output, and report unsupported input on standard error."""
        if file is None:
            self.stdout.write("\n".join(f"  {name:<16}{one.TITLE}" for name, one in formats_by_name().items()))
            return
        try:
            found = read(_bytes(file), options["format"] or "")
        except InvalidDocumentError as error:
            raise CommandError(f"{file}: {error}", returncode=UNUSABLE) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=UNUSABLE) from error
        if out is None:
            self.stdout.write(printable_json(dump(found.spec)), ending="")
        else:
            write_all({out: design_bytes(found.spec, out)}, overwrite=options["overwrite"])
        tables = len(found.spec.tables)
        self.stderr.write(f"read as {found.format}: {tables} table{'' if tables == 1 else 's'}")
        for one in found.remarks:
            self.stderr.write(printable(f"not understood: {one}"))
        raise SystemExit(MISSED if found.remarks else USABLE)


def _bytes(file: str) -> bytes:
    """Read the file up to one byte more than the size limit."""
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(file).open("rb") as held:
        return held.read(MOST_BYTES + 1)
