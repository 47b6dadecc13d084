"""`manage.py import FILE --out design.json`: what other tools print, as a design."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.document import dump
from designer.document.texts import Text
from designer.document.validation_errors import InvalidDocumentError
from designer.imports import MOST_BYTES, NAMES, ImportRemark, formats_by_name, read
from designer.imports.cbt import is_table_name
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
        parser.add_argument(
            "file",
            metavar="FILE",
            nargs="?",
            help="what to import, or a folder of Terraform files; - reads standard input",
        )
        parser.add_argument("--from", dest="format", choices=NAMES, help="its format (default: as it looks)")
        parser.add_argument(
            "--out", type=Path, metavar="DESIGN", help="where to, as .json or .yaml (default: JSON on standard output)"
        )
        add_overwrite(parser)

    def handle(self, *, file: str | None, out: Path | None, **options: Any) -> None:
        """Write the design to the output, and report unsupported input on standard error."""
        if file is None:
            self.stdout.write(
                "\n".join(f"  {name:<16}{importer.TITLE}" for name, importer in formats_by_name().items())
            )
            return
        try:
            files = _files(file)
            stem = "" if file == "-" else Path(file).stem
            name = stem if is_table_name(stem) else ""
            content = b"\n".join(files.values())[: MOST_BYTES + 1]
            result = read(content, options["format"] or ("terraform" if _is_folder(file) else ""), table_name=name)
        except InvalidDocumentError as error:
            message = "\n".join(
                f"{_place(files, problem.line)}{replace(problem, line=None)}" for problem in error.problems
            )
            raise CommandError(message if len(files) > 1 else f"{file}: {error}", returncode=UNUSABLE) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=UNUSABLE) from error
        if out is None:
            self.stdout.write(printable_json(dump(result.spec)), ending="")
        else:
            write_all({out: design_bytes(result.spec, out)}, overwrite=options["overwrite"])
        tables = len(result.spec.tables)
        self.stderr.write(f"read as {result.format}: {tables} table{'' if tables == 1 else 's'}")
        if name and name.encode() not in content and name in {table.name for table in result.spec.tables}:
            self.stderr.write(f"named after the file: {name}")
        for remark in result.remarks:
            self.stderr.write(printable(f"not understood: {_with_file(files, remark)}"))
        raise SystemExit(MISSED if result.remarks else USABLE)


def _files(file: str) -> dict[str, bytes]:
    """Read the file, or all of Terraform in the folder, each file up to one byte more than the size limit."""
    if file == "-":
        return {file: sys.stdin.buffer.read(MOST_BYTES + 1)}
    paths = sorted(Path(file).glob("*.tf")) if _is_folder(file) else [Path(file)]
    if not paths:
        raise CommandError(f"{file}: no file of Terraform (*.tf) is in this folder", returncode=UNUSABLE)
    contents = {}
    for path in paths:
        with path.open("rb") as stream:
            contents[str(path)] = stream.read(MOST_BYTES + 1)
    return contents


def _is_folder(file: str) -> bool:
    return file != "" and Path(file).is_dir()  # an empty name would be this folder


def _with_file(files: Mapping[str, bytes], remark: ImportRemark) -> ImportRemark:
    """Return a remark whose line is that of one of several files."""
    where = remark.where
    if len(files) == 1 or not isinstance(where, Text) or "line" not in where.params:
        return remark
    file, line = _line_of_file(files, where.params["line"])
    return replace(remark, where=f"{file}, {Text(where.message, {**where.params, 'line': line})}")


def _place(files: Mapping[str, bytes], line: int | None) -> str:
    if line is None:
        return ""
    file, line = _line_of_file(files, line)
    return f"{file}, line {line}: "


def _line_of_file(files: Mapping[str, bytes], line: int) -> tuple[str, int]:
    """Return the file of a line of all files together, and its number there."""
    for file, content in files.items():
        count = content.count(b"\n") + 1
        if line <= count:
            return file, line
        line -= count
    return file, line + count
