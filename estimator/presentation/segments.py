"""A row key cut into its segments again, for display."""

import datetime
import re
from collections.abc import Callable, Sequence
from functools import partial

from designer.document import Spec
from designer.document.columnkey import ColumnKey
from designer.document.key import AutoIncrement, KeyDisplay, Segment, as_bytes, as_text, shows_time
from estimator.kernels.keys.rendering import clock
from estimator.results import SegmentFacts, TablePart

KeyPiece = str | datetime.datetime
"""Part of a key: its text, or the time that it means, UTC."""
KeyReader = Callable[[bytes, int], tuple[KeyPiece, ...] | None]
"""The first so many bytes of a key as people read them; None where they are read as text."""


def split_key(
    key: bytes, segments: Sequence[Segment], facts: Sequence[SegmentFacts]
) -> tuple[tuple[int, str, str], ...]:
    """(place, text, delimiter) per segment; where the bytes do not say where one ends, it keeps the rest.

    Of a key of several columns, or of one of numbers, per column.
    """
    return tuple(
        (place, str(value) if isinstance(value, int) else as_text(value), after)
        for place, value, after in split_values(key, segments, facts)
    )


def split_values(
    key: bytes, segments: Sequence[Segment], facts: Sequence[SegmentFacts]
) -> tuple[tuple[int, bytes | int, str], ...]:
    """Return the parts of `split_key` with their values: bytes, numbers in columns of numbers."""
    if isinstance(key, ColumnKey) and (len(key.columns) > 1 or key.columns[0].type == "INTEGER"):
        values = key.values
        ends = [", "] * (len(values) - 1) + [""]
        return tuple((place, value, end) for place, (value, end) in enumerate(zip(values, ends, strict=True)))
    parts: list[tuple[int, bytes | int, str]] = []
    for place, (segment, fact) in enumerate(zip(segments, facts, strict=True)):
        after = as_bytes(segment.after)
        end = len(key) if place == len(segments) - 1 else _end(key, after, fact)
        piece, key = key[:end], key[end:]
        value = piece[: len(piece) - len(after)] if after and piece.endswith(after) else piece
        parts.append((place, value, as_text(piece[len(value) :])))
        if not key:
            break
    return tuple(parts)


def readable_text(value: bytes | int) -> str:
    """Return the value of a segment for people: bytes that are no printable text as hexadecimal digits."""
    if isinstance(value, int):
        return str(value)
    text = as_text(value)
    return f"0x{value.hex()}" if "\\x" in text else text


def key_reader(spec: Spec, part: TablePart) -> KeyReader | None:
    """Return what writes beginnings of a table's keys with their time as a date.

    None if keys have no time that can be read, or belong to several row kinds.
    """
    if len(part.keys) != 1:
        return None
    ((id_, facts),) = part.keys.items()
    segments = spec.find(id_).segments
    if not any(shows_time(segment) and not isinstance(segment, AutoIncrement) for segment in segments):
        return None
    return partial(readable_beginning, segments=segments, facts=facts.segments)


def readable_beginning(
    key: bytes, length: int, *, segments: Sequence[Segment], facts: Sequence[SegmentFacts]
) -> tuple[KeyPiece, ...] | None:
    """Return the first bytes of a key, with a time that begins in them whole and as such.

    None if no time of fixed width begins in them.
    """
    if isinstance(key, KeyDisplay):
        return None
    pieces: list[KeyPiece] = []
    at = 0
    for place, value, after in split_values(key, segments, facts):
        if at >= length or isinstance(value, int):
            break
        is_whole = facts[place].fixed_width and len(value) + len(as_bytes(after)) == facts[place].bytes_max
        time = time_of(segments[place], value) if is_whole else None
        pieces.append(as_text(value[: length - at]) if time is None else time)
        at += len(value)
        pieces.append(as_text(as_bytes(after)[: max(0, length - at)]))
        at += len(as_bytes(after))
    return tuple(filter(None, pieces)) if any(isinstance(piece, datetime.datetime) for piece in pieces) else None


def time_of(segment: Segment, value: bytes | int) -> datetime.datetime | None:
    """Return the time that a segment means, UTC; None for other segments, parts of a date and cut numbers."""
    if not shows_time(segment) or isinstance(segment, AutoIncrement):
        return None
    try:
        if segment.pattern:
            return _parse_date(segment.pattern, value)
        number = value if isinstance(value, int) else int.from_bytes(value, "big") if segment.raw else int(value)
        return clock.from_micros(clock.time_of_number(segment, number))
    except (ValueError, OverflowError):
        return None


def _parse_date(pattern: str, value: bytes | int) -> datetime.datetime | None:
    """Return the time of a text with a year and a day in it."""
    if not re.search("%[Yy]", pattern) or not re.search("%[dj]", pattern):
        return None
    return datetime.datetime.strptime(as_text(value) if isinstance(value, bytes) else str(value), pattern).replace(
        tzinfo=datetime.UTC
    )


def _end(key: bytes, after: bytes, fact: SegmentFacts) -> int:
    if fact.fixed_width:
        return fact.bytes_max
    # Bytes like the delimiter may stand within a value: none ends it before its least length, delimiter included.
    start = key.find(after, max(0, fact.bytes_min - len(after))) if after else -1
    return len(key) if start < 0 else start + len(after)
