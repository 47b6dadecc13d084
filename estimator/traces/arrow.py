"""What pyarrow reads, an optional package: Parquet files, and streams that zstd compressed."""

import importlib
from collections.abc import Iterator, Sequence
from typing import IO, Any, cast

from designer.document.texts import N_

from .blocks import EventBlock
from .events import Column, KeyForm, TraceFormError, UnreadLines
from .forms import TraceForm, named_columns
from .reading import CellReader

ROWS_AT_ONCE = 20_000
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
    stream: IO[bytes], unread: UnreadLines, *, columns: Sequence[str] = (), keys: KeyForm = "text"
) -> Iterator[EventBlock]:
    """Yield the events of a Parquet file; rows that tell none are counted by their numbers from 1.

    Raises
    ------
    TraceFormError
        If pyarrow is not installed, the file cannot be read, or its columns are not recognised.
    """
    parquet = _load("pyarrow.parquet")
    if parquet is None:
        raise TraceFormError(N_("the log is a Parquet file: install {extra} to read it"), extra=_EXTRA)
    if not stream.seekable():
        raise TraceFormError(N_("a Parquet file is read from a file, not from a stream"))
    try:
        yield from _read_batches(parquet.ParquetFile(stream), unread, columns, keys)
    except (_load("pyarrow").ArrowException, OSError) as error:
        raise TraceFormError(N_("the Parquet file is damaged or cut off")) from error


def _load(name: str) -> Any:
    """Return a module of pyarrow, which is large and optional; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _read_batches(file: Any, unread: UnreadLines, stated: Sequence[str], keys: KeyForm) -> Iterator[EventBlock]:
    places = named_columns(list(file.schema_arrow.names), stated)
    reader = CellReader(TraceForm(places, keys=keys), unread)
    for batch in file.iter_batches(ROWS_AT_ONCE, columns=[str(place) for place in places.values()]):
        cells = {column: _cells(batch.column(str(place)), column) for column, place in places.items()}
        yield reader.read_cells(cells, batch.num_rows)


def _cells(values: Any, column: Column) -> list[bytes]:
    """Return the values of a column as a log of text has them; empty for what is missing."""
    types = importlib.import_module("pyarrow.types")
    kind = values.type
    if types.is_timestamp(kind):
        arrow = importlib.import_module("pyarrow")
        values = values.cast(arrow.timestamp("us", kind.tz), safe=False).cast("int64")
    elif types.is_dictionary(kind):
        values = values.dictionary_decode()
    found = values.to_pylist()
    if column == "key" and any(isinstance(value, bytes) for value in found):
        return [(value or b"").replace(b"\\", b"\\\\") for value in found]
    return [_text(value) for value in found]


def _text(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"" if value is None else str(value).encode("utf-8", "surrogateescape")
