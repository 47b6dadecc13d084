"""`manage.py keys FILE --table T --count N`: true sample keys, in byte order or as they arrive."""

import csv
import io
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from designer.document import Spec
from designer.document.columnkey import ColumnKey
from designer.document.key import as_text
from designer.document.table import RowKind, Table
from designer.management.base import CommandError
from designer.management.writing import add_overwrite, refuse_existing_file
from designer.wording.formatting import english
from designer.wording.printable import printable
from estimator.estimates.fits import with_fits
from estimator.kernels.keys import KeyBlock, KeyPattern, NotComputableError, compile_pattern
from estimator.kernels.keys.samples.lines import sample_lines, unshown_fields
from estimator.kernels.keys.samples.sample import Order, sample_blocks
from estimator.management.commandline import UNUSABLE, FileCommand, ProgressBar, find_table, format_of

LEAST, MOST = 1, 10**8


class Command(FileCommand):
    """Streams keys, one per line; bytes that are no printable text are written `\\xNN` unless `--raw`.

    Keys of primary-key columns are CSV, one column each, below a line of the columns' names. `--format csv --values`
    adds the fields and the time that each key was made from.
    """

    help = "Print sample row keys of a table: the true bytes. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the row kind, the number, order and format of keys, and the output file."""
        super().add_arguments(parser)
        parser.add_argument("--table", metavar="T", help="name or id; needed where the design has several tables")
        parser.add_argument("--row-kind", metavar="K", help="name or id; needed where the table has several row kinds")
        parser.add_argument("--count", type=int, default=20, help="how many keys (default: 20)")
        parser.add_argument("--arrival", action="store_true", help="as they arrive, instead of in byte order")
        parser.add_argument("--seed", type=int, default=0, help="another seed gives other keys (default: 0)")
        parser.add_argument("--format", choices=("text", "csv", "ndjson"), default="text", help="default: text")
        parser.add_argument("--values", action="store_true", help="csv, ndjson: with what each key was made from")
        parser.add_argument("--raw", action="store_true", help="bytes as they are, each key ended by a newline")
        parser.add_argument("--out", metavar="FILE", help="write to a file, with a progress bar, instead of printing")
        add_overwrite(parser)

    def handle(self, *, file: str, **options: Any) -> None:
        """Streams the keys."""
        _, spec = self.read(file)
        table = find_table(spec, options["table"])
        kind = _find_row_kind(table, options["row_kind"])
        if not LEAST <= options["count"] <= MOST:
            raise CommandError(f"--count is between {LEAST} and {MOST:,}", returncode=UNUSABLE)
        try:
            pattern = compile_pattern(with_fits(spec), kind.id)
        except NotComputableError as reason:
            sentence = english(reason.because.message, reason.because.params)
            raise CommandError(f"no keys of {table.label}: {sentence}", returncode=UNUSABLE) from reason
        with ExitStack() as stack:
            # The buffer below standard output: keys are bytes, and `--raw` writes those that are no text.
            to = stack.enter_context(_open_output(options)) if options["out"] else sys.stdout.buffer
            progress = stack.enter_context(ProgressBar(options["count"], "keys", shown=bool(options["out"])))
            try:
                self.write(spec, table, kind, pattern, to, progress, options)
            except BrokenPipeError:
                # "keys … | head" ends here. At exit, Python flushes standard output again and reports the same error;
                # with standard error closed, the report is lost.
                sys.stderr.close()

    def write(
        self,
        spec: Spec,
        table: Table,
        kind: RowKind,
        pattern: KeyPattern,
        to: BinaryIO,
        progress: ProgressBar,
        options: dict[str, Any],
    ) -> None:
        """All keys, block by block; with `--json` an object whose `keys` are texts, or lists of columns."""
        order: Order = "arrival" if options["arrival"] else "sorted"
        law, count, seed = pattern.steady_distribution(), options["count"], options["seed"]
        columns = pattern.inputs.columns and not options["raw"]

        def blocks(end: bytes) -> Iterator[KeyBlock]:
            return sample_blocks(pattern, law, count, seed=seed, order=order, end=end)

        if options["format"] != "text":
            names = {field.id: field.label for field in spec.fields}
            form, values = options["format"], options["values"]
            if values and not pattern.inputs.columns and (unshown := unshown_fields(pattern, law)):
                self._say_unshown(names[name] for name in unshown)
            pieces = sample_lines(pattern, law, count, form=form, values=values, seed=seed, order=order, names=names)
        elif options["json"]:
            head = {"format": format_of("keys"), "table": table.id, "row_kind": kind.id, "order": order, "seed": seed}
            pieces = _as_json(head, pattern, blocks(b""))
        elif columns:
            pieces = _as_columns(pattern, blocks(b""))
        else:
            pieces = _as_lines(blocks(b"\n"), raw=options["raw"])
        for piece, keys in pieces:
            to.write(piece)
            progress.add(keys)
        to.flush()

    def _say_unshown(self, names: Iterable[str]) -> None:
        reason = "it stands in a hash alone, and has more values than are listed: its hashes are drawn"
        for name in names:
            self.stderr.write(printable(f"no column for {name}: {reason}"))


Pieces = Iterator[tuple[bytes, int]]
"""What is written next, and how many keys are in it."""


def _as_json(head: dict[str, Any], pattern: KeyPattern, blocks: Iterator[KeyBlock]) -> Pieces:
    # The object is written in pieces, its closing brace last: 100 million keys do not fit in the memory.
    yield json.dumps(head)[:-1].encode() + b', "keys": [', 0
    between = b""
    for block in blocks:
        keys = (_key_data(pattern.readable_key(key)) for key in block.tolist())
        yield between + b", ".join(json.dumps(key).encode() for key in keys), len(block)
        between = b", "
    yield b"]}\n", 0


def _as_columns(pattern: KeyPattern, blocks: Iterator[KeyBlock]) -> Pieces:
    yield _csv_line(printable(column.label) for column in pattern.inputs.columns), 0
    for block in blocks:
        yield _csv(map(pattern.readable_key, block.tolist())), len(block)


def _as_lines(blocks: Iterator[KeyBlock], *, raw: bool) -> Pieces:
    for block in blocks:
        # The block is the output as it is, which is far faster than a text for each key.
        if raw or _is_printable(block):
            yield block.data.tobytes(), len(block)
        else:
            # The newline that the block has at each key's end was escaped with the key.
            yield b"".join(text.removesuffix("\\x0a").encode() + b"\n" for text in _texts(block)), len(block)


def _open_output(options: dict[str, Any]) -> BinaryIO:
    """Open the output file; an existing file is not overwritten."""
    path = Path(options["out"])
    refuse_existing_file(path, overwrite=options["overwrite"])
    try:
        return path.open("wb")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", returncode=UNUSABLE) from error


def _key_data(key: bytes) -> str | list[str | int]:
    """Return a key as text; a key of columns as the list of their values."""
    if not isinstance(key, ColumnKey):
        return as_text(key)
    return [value if isinstance(value, int) else as_text(value) for value in key.values]


def _csv(keys: Iterable[bytes]) -> bytes:
    return b"".join(_csv_line(key.texts) for key in keys if isinstance(key, ColumnKey))


def _csv_line(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode()


def _texts(block: KeyBlock) -> list[str]:
    return list(map(as_text, block.tolist()))


def _is_printable(block: KeyBlock) -> bool:
    """Return whether nothing in the keys needs an escape: printable ASCII, no backslash, newlines at the ends alone."""
    data = block.data
    plain = (data >= ord(" ")) & (data <= ord("~")) & (data != ord("\\"))
    # Each key of the block ends with one newline, which is not in `plain`. Any other byte that is not plain makes the
    # sum too small.
    return int(plain.sum()) + len(block) == len(data)


def _find_row_kind(table: Table, name: str | None) -> RowKind:
    if name is None and len(table.row_kinds) == 1:
        return table.row_kinds[0]
    for kind in table.row_kinds:
        if name in (kind.id, kind.name):
            return kind
    there = ", ".join(kind.label for kind in table.row_kinds) or "none"
    message = f"there is no row kind {name!r}" if name else "say which row kind with --row-kind"
    raise CommandError(f"{message}; those of {table.label}: {there}", returncode=UNUSABLE)
