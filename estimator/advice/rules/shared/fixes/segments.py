"""Fixes to single segments of a key: padding, delimiters, times, a hash and its value."""

from collections.abc import Sequence

from designer.document import Spec, effective_value
from designer.document.encodings import UNRESERVED, Hexadecimal, PercentEncoding
from designer.document.field import Field
from designer.document.ids import make_unique
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    Resolution,
    ReverseDigits,
    Segment,
    TimeSegment,
    Transform,
    ZeroPad,
    as_bytes,
)
from estimator.facts.alphabets import clear_delimiter, value_bytes
from estimator.facts.buckets import PATTERNS
from estimator.facts.hashes import PREFIX_DIGITS
from estimator.facts.reading import RowKindFacts

from ..edits import Edit, all_of, change, insert

FINE_PATTERN = "%Y%m%d%H%M%S%f"
_UNITS: dict[Resolution, str] = {"second": "s", "millisecond": "ms", "microsecond": "us"}


def pad_digits(segment: FieldSegment | DerivedSegment, digits: int) -> Edit:
    """Zeros in front up to so many digits, of hexadecimal ones where the segment has these."""
    wide = tuple(Hexadecimal(width=digits) if isinstance(t, Hexadecimal) else t for t in segment.transforms)
    others = tuple(t for t in segment.transforms if not isinstance(t, ZeroPad))
    transforms: tuple[Transform, ...] = (*others, ZeroPad(width=digits)) if wide == segment.transforms else wide
    return change(segment, "transforms", transforms)


def reverse_digits(rows: RowKindFacts, segment: Segment) -> Edit | None:
    """Return an edit that reverses the digits; None where a read relies on their order."""
    if (
        not isinstance(segment, FieldSegment)
        or not rows.is_given_by_all_reads(segment.field)
        or rows.is_integer_column(segment)
    ):
        return None
    transforms: tuple[Transform, ...] = (*segment.transforms, ReverseDigits())
    return change(segment, "transforms", transforms)


def hash_first(rows: RowKindFacts, segment: Segment) -> Edit | None:
    """Return an edit with a hash before the field in its column; None where a read relies on the order."""
    column = next((c for c in rows.kind.key_columns if segment in c.segments), None)
    # A hash keeps no order, so a read of a range of the field would become a scan.
    if not isinstance(segment, FieldSegment) or not rows.is_given_by_all_reads(segment.field):
        return None
    if column is None or column.type == "BINARY":
        return None
    prefix = HashSegment(
        id=free_id(rows.spec, f"{segment.id[:30]}-hash"), fields=(segment.field,), digits=PREFIX_DIGITS
    )
    changes: list[Edit] = [insert(column, "segments", prefix, before=segment.id)]
    if column.type == "INTEGER":  # a hash is text
        changes.append(change(column, "type", "STRING"))
    return all_of(changes)


def set_delimiter(segment: Segment, delimiter: str) -> Edit:
    """Another delimiter after the segment."""
    return change(segment, "after", delimiter)


def set_safe_delimiters(rows: RowKindFacts) -> Edit | None:
    """Delimiters that no value contains, wherever one is missing or can occur in the value before it."""
    changes: list[Edit] = []
    for segment in _open_segments(rows):
        delimiter = clear_delimiter(rows.spec, segment, below=True)
        if delimiter is None:
            return None
        changes.append(change(segment, "after", delimiter))
    return all_of(changes) if changes else None


def encode_texts(rows: RowKindFacts) -> Edit | None:
    """Percent-encoded texts, and behind them a delimiter that is no part of such a text; None if others are open."""
    changes: list[Edit] = []
    for segment in _open_segments(rows):
        if not isinstance(segment, FieldSegment) or not _is_text(rows, segment):
            return None
        changes.append(change(segment, "transforms", (*segment.transforms, PercentEncoding())))
        if not segment.after or as_bytes(segment.after)[0] in UNRESERVED | {ord("%")}:
            changes.append(change(segment, "after", USUAL_DELIMITER))
    return all_of(changes) if changes else None


USUAL_DELIMITER = "#"
"""It sorts before all that a percent-encoded text contains."""


def _is_text(rows: RowKindFacts, segment: FieldSegment) -> bool:
    return effective_value(rows.spec, rows.spec.find(segment.field), "kind") in ("string", "domain")


def _open_segments(rows: RowKindFacts) -> list[Segment]:
    """Return the segments whose value can contain the delimiter behind it, or has none and varies in length."""
    ends = {column.segments[-1].id for column in rows.kind.key_columns if column.segments}
    segments = []
    for segment, facts in rows.segments[:-1]:
        used_bytes = value_bytes(rows.spec, segment)
        is_clear = used_bytes is not None and segment.after and as_bytes(segment.after)[0] not in used_bytes
        if segment.id not in ends and not facts.fixed_width and not is_clear:
            segments.append(segment)
    return segments


def finer_time(segment: TimeSegment, resolution: Resolution) -> Edit | None:
    """Return an edit to a finer time in the key; None if its text or reversing number has no room for it."""
    changes = _resolution_edits(segment, resolution)
    if segment.pattern:
        if resolution == "microsecond":
            return None
        pattern = FINE_PATTERN if resolution == "millisecond" else PATTERNS[resolution]
        return all_of([*changes, change(segment, "pattern", pattern)])
    # The number from which the time is subtracted fits the old unit: 9,999,999,999 − milliseconds would be negative.
    if segment.reverse_from is not None:
        return None
    return all_of([*changes, change(segment, "unit", _UNITS[resolution])])


def _resolution_edits(segment: TimeSegment, resolution: Resolution) -> list[Edit]:
    """Return the edits that set a resolution, also where a bucket has a length."""
    unset = [] if segment.bucket_seconds is None else [change(segment, "bucket_seconds", None)]
    return [*unset, change(segment, "resolution", resolution)]


def set_bucket(segment: TimeSegment, resolution: Resolution) -> Edit:
    """Another time bucket; a readable one is written as its example is."""
    changes = _resolution_edits(segment, resolution)
    if segment.pattern:
        changes.append(change(segment, "pattern", PATTERNS[resolution]))
    return all_of(changes)


def add_readable_values(rows: RowKindFacts, segment: HashSegment, hidden: Sequence[Field]) -> Edit | None:
    """Return an edit that adds the readable values after their hash, with delimiters not in the values.

    None where a read knows a part of the hashed values: it would want that part before the hash.
    """
    inputs = set(segment.fields)
    if any(0 < len(inputs & {bind.field for bind in read.binds}) < len(inputs) for read in rows.kind.reads):
        return None
    segments = rows.kind.segments
    place = segments.index(segment)
    following = segments[place + 1].id if place + 1 < len(segments) else None
    changes: list[Edit] = [] if segment.after else [change(segment, "after", "#")]
    for number, field in enumerate(hidden):
        new_segment = FieldSegment(id=free_id(rows.spec, f"{segment.id[:30]}-{number + 1}"), field=field.id)
        if following is not None or number < len(hidden) - 1:
            after = _usual_delimiter(rows, segment, new_segment)
            if after is None:
                return None
            new_segment = new_segment.model_copy(update={"after": after})
        changes.append(insert(rows.kind, "key", new_segment, before=following))
    return None if rows.kind.key_columns else all_of(changes)


def _usual_delimiter(rows: RowKindFacts, segment: HashSegment, new_segment: FieldSegment) -> str | None:
    used_bytes = value_bytes(rows.spec, new_segment)
    usual = segment.after
    if usual and used_bytes is not None and as_bytes(usual)[0] not in used_bytes:
        return usual
    return clear_delimiter(rows.spec, new_segment, below=True)


def free_id(spec: Spec, name: str) -> str:
    """Return an id that no element has yet."""
    return make_unique(name, spec.by_id, first=1)
