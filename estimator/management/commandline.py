"""Shared parts of the commands: file reading, aligned tables, exit codes; output to given streams."""

import datetime
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.document.load import MAX_BYTES, load
from designer.document.table import Table
from designer.document.validation_errors import InvalidDocumentError
from designer.management.base import CommandError, FilesCommand
from designer.memory import Cache
from designer.wording.printable import printable
from estimator.estimates.context import Context
from estimator.kernels.compression.measurements import Measurements
from estimator.management.days import current_day
from estimator.management.limits import current_limits
from estimator.price_books.shelf import read_price_books

USABLE, FOUND, UNUSABLE, FAILED = 0, 1, 2, 3
"""Exit codes: nothing found, findings at or above the level asked for, input that cannot be used, and an error of the
program itself."""


def file_context(today: datetime.date | None = None) -> Context:
    """Return the context of a command about files, today unless another day is given: nothing is measured."""
    return Context(today or current_day(), read_price_books(), Measurements(), Cache(current_limits().memory_mb << 20))


class FileCommand(FilesCommand):
    """A command about one design file; input that cannot be used ends it with exit code 2 and a sentence."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the file and `--json`."""
        parser.add_argument("file", metavar="FILE", help="a design as JSON or YAML; - reads standard input")
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")

    def read(self, file: str, *, today: datetime.date | None = None) -> tuple[str, Spec]:
        """Return the file's text and its design, as `read_file`."""
        return read_file(file, today=today)


def read_file(file: str, *, today: datetime.date | None = None) -> tuple[str, Spec]:
    """Return the file's text and its design, which starts today, or on the day given, if it has no start date.

    Raises
    ------
    CommandError
        If there is no design in it.
    """
    try:
        raw = _read_limited(file)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error
    # The text is only used to find lines and forms; whether the bytes are valid is decided by the reader of the design.
    return raw.decode(errors="replace"), read_design(raw, "" if file == "-" else file, today=today)


def check_standard_input(files: Sequence[str | None]) -> None:
    """Raise CommandError where standard input is named twice: the second time, nothing would be left of it."""
    if files.count("-") > 1:
        raise CommandError("only one of the files can be standard input", returncode=UNUSABLE)


def read_design(raw: bytes, name: str, *, today: datetime.date | None = None) -> Spec:
    """Return the design in a file's content, which starts today, or on the day given, if it has no start date.

    Raises
    ------
    CommandError
        If it is none.
    """
    try:
        return load(raw, name=name).with_default_start(today or current_day())
    except InvalidDocumentError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error


def _read_limited(file: str) -> bytes:
    """Return the file's content up to the size limit of a design; its reader refuses longer content."""
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(file).open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


class ProgressBar:
    """A bar on standard error that fills while work is done; silent where nobody watches. Without a total, a count.

    What is counted in `%` is told as a share of the total.
    """

    WIDTH = 40

    def __init__(self, total: int | None, what: str, *, shown: bool = True) -> None:
        self.total, self.what, self.done, self.drawn = total, what, 0, -1
        # In a file or a log of CI, each "\r" would be one more line that nobody wants.
        self.shown = shown and sys.stderr.isatty()

    def __enter__(self) -> "ProgressBar":
        return self

    def add(self, more: int) -> None:
        """Show that so much more is done."""
        self.show(self.done + more)

    def show(self, done: int) -> None:
        """Set how much is done."""
        self.done = done
        filled = done if self.total is None else self.WIDTH * min(done, self.total) // max(self.total, 1)
        # Written only if a cell changes: `add` is called for each block of keys, and a terminal is slower than the
        # work.
        if self.shown and filled != self.drawn:
            self.drawn = filled
            sys.stderr.write(f"\r{self._text(filled)} {self.what}")
            sys.stderr.flush()

    def _text(self, filled: int) -> str:
        if self.total is None:
            return f"{self.done:,}"
        if self.what == "%":
            return f"{'█' * filled}{'░' * (self.WIDTH - filled)} {100 * self.done // self.total}"
        return f"{'█' * filled}{'░' * (self.WIDTH - filled)} {self.done:,} of {self.total:,}"

    def __exit__(self, *_: object) -> None:
        if self.shown:
            sys.stderr.write("\n")


def find_table(spec: Spec, name: str | None) -> Table:
    """Return the table with this id or name, or the only table."""
    if name is None and len(spec.tables) == 1:
        return spec.tables[0]
    for table in spec.tables:
        if name in (table.id, table.name):
            return table
    labels = [table.label for table in spec.tables]
    message = f"the design has no table {name!r}" if name else "say which table with --table"
    near = get_close_matches(name or "", labels, n=1)
    message += f"; did you mean {near[0]!r}?" if near else f"; the design's tables: {', '.join(labels) or 'none'}"
    raise CommandError(message, returncode=UNUSABLE)


def align_columns(rows: Iterable[Sequence[Any]], *, right: Iterable[int] = (), indent: str = "  ") -> list[str]:
    """Return rows of texts as lines of columns, the named ones aligned to the right."""
    # Escaped before it is measured: the escape of a control character is longer than the character.
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numbers = set(right)

    def pad(place: int, cell: str) -> str:
        return cell.rjust(widths[place]) if place in numbers else cell.ljust(widths[place])

    return [indent + "  ".join(pad(i, c) for i, c in enumerate(row)).rstrip() for row in cells]


def format_of(output: str) -> str:
    """Return the name of an output's format; it is raised when a field changes its meaning or goes."""
    return f"keywright-{output}/1"


def with_format(output: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of an output, which begins with the name of its format."""
    return {"format": format_of(output), **{name: value for name, value in data.items() if name != "format"}}
