"""Files read by pyarrow, an optional package: Parquet, and streams that zstd compressed."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import IO, Any, cast

from designer.document.texts import N_

from .blocks import EventBlock
from .events import LINE_MAX, Column, KeyForm, TraceFormError, UnreadLines
from .forms import TraceForm, named_columns
from .reading import CellReader

ROWS_AT_ONCE = 20_000
CELLS_BYTES = 8 << 20
"""Bytes of cells that are read together."""
_EXTRA = "keywright[traces]"


def open_zstd(stream: IO[bytes]) -> IO[bytes]:
    """Return a stream of what zstd compressed.

    Raises
    ------
    TraceFormError
        If pyarrow is not installed.
    """
    arrow = _load("pyarrow")
    if arrow is None:
        message = N_("the log is compressed with zstd: install {extra}, or decompress it first, as zstd -dc does")
        raise TraceFormError(message, extra=_EXTRA)
    return cast(IO[bytes], arrow.CompressedInputStream(arrow.PythonFile(stream, mode="r"), "zstd"))


def read_parquet(
    stream: IO[bytes], unread: UnreadLines, *, columns: Sequence[str] = (), keys: KeyForm = "text",
    bytes_max: int | None = None,
) -> Iterator[EventBlock]:  # fmt: skip
    """Yield the events of a Parquet file; rows that tell none are counted by their numbers from 1.

    Raises
    ------
    TraceFormError
        If pyarrow is not installed, the file cannot be read, its columns are not recognised, or a group of its rows
        takes more bytes than may be read.
    """
    parquet = _load("pyarrow.parquet")
    if parquet is None:
        raise TraceFormError(N_("the log is a Parquet file: install {extra} to read it"), extra=_EXTRA)
    if not stream.seekable():
        raise TraceFormError(N_("a Parquet file is read from a file, not from a stream"))
    try:
        yield from _read_file(parquet, stream, unread, columns, keys, bytes_max)
    except TraceFormError:
        raise
    except (_load("pyarrow").ArrowException, OSError, ValueError) as error:
        raise TraceFormError(N_("the Parquet file is damaged or cut off")) from error


def _load(name: str) -> Any:
    """Return a module of pyarrow, which is large and optional; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _read_file(
    parquet: Any, stream: IO[bytes], unread: UnreadLines, stated: Sequence[str], keys: KeyForm, bytes_max: int | None
) -> Iterator[EventBlock]:
    # Opened once without options to learn the columns; only then is it known which of them to read as dictionaries.
    file = parquet.ParquetFile(stream)
    places = {name: str(place) for name, place in named_columns(list(file.schema_arrow.names), stated).items()}
    if bytes_max is not None:
        _require_small_groups(file.metadata, set(places.values()), bytes_max)
        # A value that millions of rows repeat is then held once.
        file = parquet.ParquetFile(stream, read_dictionary=list(places.values()))
    # A timestamp that is not adjusted to UTC is a local time of nobody knows where (Parquet's logical types, read
    # 2026-11-29).
    kind = file.schema_arrow.field(places["time"]).type
    has_no_zone = importlib.import_module("pyarrow.types").is_timestamp(kind) and kind.tz is None
    reader = CellReader(TraceForm(dict(places), keys=keys, has_no_zone=has_no_zone), unread)
    remaining = bytes_max
    for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(places.values())):
        cells = {column: _cells(batch.column(place), column) for column, place in places.items()}
        for some, rows, size in _parts(cells, batch.num_rows):
            if remaining is not None and size > remaining:
                unread.is_cut = True
                return
            remaining = None if remaining is None else remaining - size
            yield reader.read_cells(some, rows)


def _require_small_groups(metadata: Any, names: set[str], most: int) -> None:
    """Raise an error if the columns of a group of rows, which are unpacked together, say they take more bytes."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        columns = [group.column(place) for place in range(group.num_columns)]
        if sum(column.total_uncompressed_size for column in columns if column.path_in_schema in names) > most:
            message = N_(
                "the Parquet file has row groups of more than {most} MiB: write smaller ones, or use the command"
            )
            raise TraceFormError(message, most=most >> 20)


def _parts(cells: Mapping[Column, list[bytes]], rows: int) -> Iterator[tuple[dict[Column, list[bytes]], int, int]]:
    """Yield cells of rows whose bytes are read together, with the number of rows and of bytes."""
    # Parts are cut by bytes and not by rows: 20,000 rows can have keys of 64 KiB.
    ends = [0, *accumulate(sum(map(len, row)) for row in zip(*cells.values(), strict=True))]
    start = 0
    for end in range(1, rows + 1):
        if end == rows or ends[end + 1] - ends[start] > CELLS_BYTES:
            yield {column: texts[start:end] for column, texts in cells.items()}, end - start, ends[end] - ends[start]
            start = end


def _cells(values: Any, column: Column) -> list[bytes]:
    """Return the values of a column as a log of text has them; empty for what is missing, and cut beyond a line."""
    types = importlib.import_module("pyarrow.types")
    kind = values.type
    if types.is_nested(kind):
        return [b""] * len(values)
    if types.is_dictionary(kind):
        # Each different value is converted once, and missing ones refer to the empty text at the end.
        texts = [*_cells(values.dictionary, column), b""]
        return [texts[-1 if place is None else place] for place in values.indices.to_pylist()]
    if types.is_timestamp(kind):
        arrow = importlib.import_module("pyarrow")
        values = values.cast(arrow.timestamp("us", kind.tz), safe=False).cast("int64")
    raw_values = values.to_pylist()
    if column == "key" and any(isinstance(value, bytes) for value in raw_values):
        # Keys of text logs are unescaped later, and binary keys must come out of that as they are. One byte more than
        # a line may have keeps what was cut from passing as a key.
        return [(value or b"")[: LINE_MAX + 1].replace(b"\\", b"\\\\") for value in raw_values]
    return [_text(value)[: LINE_MAX + 1] for value in raw_values]


def _text(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"" if value is None else str(value).encode("utf-8", "surrogateescape")
