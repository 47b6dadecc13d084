"""Logs as streams of bytes: compressed or not, in lines of bounded length."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import IO, cast

from designer.document.texts import N_

from .arrow import open_zstd, read_parquet
from .blocks import EventBlock
from .events import FIRST_LINES, LINE_MAX, KeyForm, TraceFormError, UnreadLines
from .forms import TraceForm, find_form
from .reading import BYTES_AT_ONCE, read_chunks

OTHER_PACKED = {b"BZh": "bzip2", b"\xfd7zX": "xz", b"PK\x03\x04": "zip", b"\x04\x22\x4d\x18": "lz4"}
"""How files of other programs begin."""
GZIP, ZSTD, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"


def read_log(
    stream: IO[bytes], unread: UnreadLines, *, columns: Sequence[str] = (), keys: KeyForm = "text",
    bytes_max: int | None = None,
) -> Iterator[EventBlock]:  # fmt: skip
    """Yield the events of a log, plain or compressed with gzip or zstd, or of Parquet; up to so many bytes of it.

    Raises
    ------
    TraceFormError
        If its columns are not recognised, or it is compressed in another way.
    EOFError, OSError
        If it is damaged or cut off.
    """
    log = buffered_log(stream)
    if begins_as_parquet(log):
        yield from read_parquet(log, unread, columns=columns, keys=keys, bytes_max=bytes_max)
        return
    chunks = log_chunks(log, unread, bytes_max=bytes_max)
    first = next(chunks, b"")
    yield from read_chunks(chain((first,), chunks), first_form(first, columns=columns, keys=keys), unread)


def buffered_log(stream: IO[bytes]) -> IO[bytes]:
    """Return a stream whose beginning can be looked at."""
    return cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, stream)))


def begins_as_parquet(log: IO[bytes]) -> bool:
    """Return whether a buffered log is a Parquet file."""
    return _head(log) == PARQUET


def _head(log: IO[bytes]) -> bytes:
    return cast(io.BufferedReader, log).peek(4)[:4]


def log_chunks(log: IO[bytes], unread: UnreadLines, *, bytes_max: int | None) -> Iterator[bytes]:
    """Yield the lines of a buffered log, many at a time, plain or unpacked; the same chunks each time.

    Raises
    ------
    TraceFormError, OSError, EOFError
        As `read_log`.
    """
    return _whole_lines(log, _head(log), unread, bytes_max)


def first_form(first: bytes, *, columns: Sequence[str], keys: KeyForm) -> TraceForm:
    """Return the form of a log by its first chunk."""
    return find_form(first.split(b"\n", FIRST_LINES)[:FIRST_LINES], columns=columns, keys=keys)


def _whole_lines(log: IO[bytes], head: bytes, unread: UnreadLines, bytes_max: int | None) -> Iterator[bytes]:
    """Yield chunks of whole lines, the first without the mark of UTF-8."""
    try:
        chunks = _chunks(_decompress(log, head), unread, bytes_max)
        yield _without_mark(next(chunks, b""))
        yield from chunks
    except zlib.error as error:
        raise OSError("the compressed file is damaged or cut off") from error


def _decompress(log: IO[bytes], head: bytes) -> IO[bytes]:
    if head == ZSTD:
        return open_zstd(log)
    for sign, program in OTHER_PACKED.items():
        if head.startswith(sign):
            message = N_("the log is packed by {program}: unpack it first, or pack it with gzip")
            raise TraceFormError(message, program=program)
    return cast(IO[bytes], gzip.GzipFile(fileobj=log)) if head[:2] == GZIP else log


def _without_mark(chunk: bytes) -> bytes:
    """Return the first of a log without the mark of UTF-8."""
    if chunk[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise TraceFormError(N_("the log is written in UTF-16: write it in UTF-8, as iconv -t UTF-8 does"))
    return chunk.removeprefix(codecs.BOM_UTF8)


def _chunks(stream: IO[bytes], unread: UnreadLines, bytes_max: int | None) -> Iterator[bytes]:
    """Yield whole lines, many at a time; of one that is too long only so much that it is seen to be."""
    rest, size = b"", 0
    while data := stream.read(BYTES_AT_ONCE if bytes_max is None else min(BYTES_AT_ONCE, bytes_max - size)):
        size += len(data)
        # Chunks end at a line's end; what follows the last line feed begins the next chunk.
        begun, end, new = data.rpartition(b"\n")
        if end:
            yield rest + begun + end
            rest = b""
        # A file without line feeds would otherwise be held in memory whole. One byte too many tells that the line is
        # too long.
        rest = (rest + new)[: LINE_MAX + 1]
    unread.is_cut = size == bytes_max and bool(stream.read(1))
    if rest and not unread.is_cut:
        yield rest + b"\n"
