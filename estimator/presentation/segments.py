"""A row key cut into its segments again, for display."""

from collections.abc import Sequence

from designer.document.columnkey import ColumnKey
from designer.document.key import Segment, as_bytes, as_text
from estimator.results import SegmentFacts


def split_key(
    key: bytes, segments: Sequence[Segment], facts: Sequence[SegmentFacts]
) -> tuple[tuple[int, str, str], ...]:
    """(place, text, delimiter) per segment; where the bytes do not say where one ends, it keeps the rest.

    Of a key of several columns, or of one of numbers, per column.
    """
    if isinstance(key, ColumnKey) and (len(key.columns) > 1 or key.columns[0].type == "INTEGER"):
        texts = key.texts
        ends = [", "] * (len(texts) - 1) + [""]
        return tuple((place, text, end) for place, (text, end) in enumerate(zip(texts, ends, strict=True)))
    parts: list[tuple[int, str, str]] = []
    for place, (segment, fact) in enumerate(zip(segments, facts, strict=True)):
        after = as_bytes(segment.after)
        end = len(key) if place == len(segments) - 1 else _end(key, after, fact)
        piece, key = key[:end], key[end:]
        value = piece[: len(piece) - len(after)] if after and piece.endswith(after) else piece
        parts.append((place, as_text(value), as_text(piece[len(value) :])))
        if not key:
            break
    return tuple(parts)


def _end(key: bytes, after: bytes, fact: SegmentFacts) -> int:
    if fact.fixed_width:
        return fact.bytes_max
    found = key.find(after, max(0, fact.bytes_min - len(after))) if after else -1
    return len(key) if found < 0 else found + len(after)
