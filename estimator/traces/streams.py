"""Logs as streams of bytes: compressed or not, in lines of bounded length."""

import gzip
import io
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import IO, cast

from designer.document.texts import N_

from .events import FIRST_LINES, LINE_MAX, KeyForm, TraceEvent, TraceFormError, UnreadLines, find_form, read_events

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def read_log(
    stream: IO[bytes], unread: UnreadLines, *, columns: Sequence[str] = (), keys: KeyForm = "text",
    bytes_max: int | None = None,
) -> Iterator[list[TraceEvent]]:  # fmt: skip
    """Yield the events of a log, plain or compressed with gzip, up to so many bytes of it.

    Raises
    ------
    TraceFormError
        If its columns are not recognised, or it is compressed in another way.
    EOFError, OSError
        If it is damaged or cut off.
    """
    lines = _lines(_decompress(stream), bytes_max)
    first = list(islice(lines, FIRST_LINES))
    form = find_form(first, columns=columns, keys=keys)
    yield from read_events(chain(first, lines), form, unread)


def _decompress(stream: IO[bytes]) -> IO[bytes]:
    held = io.BufferedReader(cast(io.RawIOBase, stream))
    head = held.peek(4)[:4]
    if head == ZSTD:
        raise TraceFormError(N_("the log is compressed with zstd: decompress it first, as zstd -dc does"))
    return cast(IO[bytes], gzip.GzipFile(fileobj=held)) if head[:2] == GZIP else held


def _lines(stream: IO[bytes], bytes_max: int | None) -> Iterator[bytes]:
    """Yield the lines; of one that is too long only so much that it is seen to be."""
    size = 0
    while line := stream.readline(LINE_MAX + 1):
        size += len(line)
        if bytes_max is not None and size > bytes_max:
            return
        yield line
        while len(line) > LINE_MAX and not line.endswith(b"\n"):
            line = stream.readline(LINE_MAX + 1)
            size += len(line)
            if not line or line.endswith(b"\n"):
                break
