"""Layout of a row kind's segments as bytes: one string, or the primary-key columns of Tablestore.

Columns become segments whose bytes sort as the columns do (`designer.document.columnkey`); all later steps see
one key of segments.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from designer.document import Model, Spec, effective_value
from designer.document.columnkey import END, ColumnForm, encode_signed, escape
from designer.document.encodings import Hexadecimal, PercentEncoding
from designer.document.engines import description_of
from designer.document.field import Enumeration, Field, Pattern, Random
from designer.document.key import (
    AutoIncrement,
    BigEndian,
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    KeyColumn,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    as_bytes,
)
from designer.document.table import RowKind
from designer.document.texts import N_
from estimator.results import NotComputableError, UnknownReason

NUL = b"\x00"


class SignedTransform(Model):
    """A number as the eight bytes that an INTEGER column sorts by; decimal digits count as a number."""

    kind: Literal["signed"] = "signed"


class EscapeTransform(Model):
    """NULs written so that they sort behind the end of the column."""

    kind: Literal["escaped"] = "escaped"


class IntegerTime(TimeSegment):
    """A time in an INTEGER column."""


class EscapedTime(TimeSegment):
    """A raw time in a column that another one follows."""


class IntegerSalt(SaltSegment):
    """A salt in an INTEGER column."""


@dataclass(frozen=True)
class KeyColumnLayout:
    """One primary-key column: its form, and its segments by id."""

    id: str
    label: str
    form: ColumnForm
    segments: tuple[str, ...]
    has_end_mark: bool
    """The last segment's delimiter contains the mark of the column's end."""


def lay_out_key(spec: Spec, kind: RowKind) -> tuple[tuple[Segment, ...], tuple[KeyColumnLayout, ...]]:
    """Return the byte segments of a row kind's key, and its columns; a Bigtable key has none.

    Raises
    ------
    NotComputableError
        If there is no segment, a column has none, or an INTEGER column holds text.
    """
    name = kind.label
    if not kind.segments:
        raise NotComputableError(
            UnknownReason(N_("The row key of {row_kind} has no segments."), kind.id, {"row_kind": name})
        )
    if not description_of(spec).has_key_columns:
        return kind.segments, ()
    if kind.key and kind.key_columns:
        message = N_(
            "{row_kind} has a row key and primary key columns, but Tablestore uses only columns: remove the row key."
        )
        raise NotComputableError(UnknownReason(message, kind.id, {"row_kind": name}))
    # A design without columns, such as one converted from Bigtable, counts as a single string column.
    columns = kind.key_columns or (KeyColumn(id=kind.id, segments=kind.key),)
    laid = [_lay_out_column(spec, column, last=place == len(columns) - 1) for place, column in enumerate(columns)]
    return tuple(s for segments, _ in laid for s in segments), tuple(column for _, column in laid)


def _lay_out_column(spec: Spec, column: KeyColumn, *, last: bool) -> tuple[tuple[Segment, ...], KeyColumnLayout]:
    parts = column.parts
    if not parts:
        params = {"column": column.label}
        raise NotComputableError(
            UnknownReason(N_("The primary key column {column} has no segments."), column.id, params)
        )
    if column.type == "INTEGER":
        parts = (_integer_segment(spec, column),)
    elif not last:
        _refuse_raw_hash(column, parts)
        # A column that another one follows is ended by a mark that begins with NUL, so NULs within it are escaped.
        # Then a shorter value sorts before a longer one, as Tablestore sorts columns (decision 14).
        escaped_parts = [_escape_segment(spec, part) for part in parts]
        parts = (
            *escaped_parts[:-1],
            escaped_parts[-1].model_copy(update={"after": escaped_parts[-1].after + _as_literal(END)}),
        )
    form = ColumnForm(column.name, column.type)
    ended = column.type != "INTEGER" and not last
    return parts, KeyColumnLayout(column.id, column.label, form, tuple(part.id for part in parts), ended)


# --- numbers ---


def _integer_segment(spec: Spec, column: KeyColumn) -> Segment:
    """Return the single segment of an INTEGER column, as eight bytes."""
    if len(column.parts) > 1:
        message = N_("The column {column} is an INTEGER and holds one number; use separate columns for the parts.")
        raise NotComputableError(UnknownReason(message, column.id, {"column": column.label}))
    segment = column.parts[0]
    if segment.after or not is_number(spec, segment):
        message = N_(
            "The column {column} is an INTEGER but contains text: change it to STRING, or render the value as a number."
        )
        raise NotComputableError(UnknownReason(message, segment.id, {"column": column.label}))
    match segment:
        case TimeSegment():
            return cast(Segment, IntegerTime.model_validate({**segment.model_dump(), "raw": False}))
        case SaltSegment():
            return cast(Segment, IntegerSalt.model_validate(segment.model_dump()))
        case FieldSegment() | DerivedSegment():
            return segment.model_copy(
                update={"transforms": _with_last_transform(segment.transforms, SignedTransform())}
            )
        case LiteralSegment():
            return LiteralSegment(id=segment.id, text=_as_literal(encode_signed(int(as_bytes(segment.text)))))
        case HashSegment():
            raise TypeError("a hash is no number")


_DIGITS = re.compile(rb"-?[0-9]{1,18}")
_NUMBERS_OF_TIME = re.compile(r"(?:%-?[YymdHIMSfjGV]|[0-9])*")

TEXT_FORMS = (BigEndian, Hexadecimal, PercentEncoding)
"""Transforms that make bytes or text of a number."""


def is_number(spec: Spec, segment: Segment) -> bool:
    """Return whether a segment's content can be the number of an INTEGER column."""
    match segment:
        case LiteralSegment():
            return _DIGITS.fullmatch(as_bytes(segment.text)) is not None
        case TimeSegment():
            return segment.hash is None and _NUMBERS_OF_TIME.fullmatch(segment.pattern) is not None
        case FieldSegment():
            numeric = effective_value(spec, spec.find(segment.field), "kind") in ("integer", "timestamp")
            return numeric and not any(isinstance(t, TEXT_FORMS) for t in segment.transforms)
        case DerivedSegment():
            return isinstance(segment.how, Bucket) and not any(isinstance(t, TEXT_FORMS) for t in segment.transforms)
        case SaltSegment():
            return True
        case HashSegment():
            return False


# --- texts and bytes ---


def _escape_segment(spec: Spec, segment: Segment) -> Segment:
    """Return a segment that another one follows in its column, escaped so that NULs do not end the column."""
    after = _as_literal(escape(as_bytes(segment.after))) if NUL in as_bytes(segment.after) else segment.after
    update: dict[str, object] = {"after": after}
    if isinstance(segment, LiteralSegment) and NUL in as_bytes(segment.text):
        update["text"] = _as_literal(escape(as_bytes(segment.text)))
    elif isinstance(segment, TimeSegment) and segment.raw and not isinstance(segment, AutoIncrement):
        return cast(Segment, EscapedTime.model_validate({**segment.model_dump(), "after": after}))
    elif isinstance(segment, FieldSegment | DerivedSegment) and _may_hold_nul(spec, segment):
        update["transforms"] = _with_last_transform(segment.transforms, EscapeTransform())
    return segment.model_copy(update=update)


def _refuse_raw_hash(column: KeyColumn, parts: Sequence[Segment]) -> None:
    """Raise `NotComputableError` for raw hashes, any byte of which may be the NUL that ends a column."""
    for part in parts:
        hashed = isinstance(part, HashSegment) or (isinstance(part, TimeSegment) and part.hash is not None)
        if hashed and "raw" in (getattr(part, "form", ""), getattr(part, "hash_form", "")):
            message = N_(
                "Raw bytes of a hash are computed only in the last primary key column, and {column} is not the last: "
                "write the hash as hexadecimal digits or base64."
            )
            raise NotComputableError(UnknownReason(message, part.id, {"column": column.label}))


def _may_hold_nul(spec: Spec, segment: FieldSegment | DerivedSegment) -> bool:
    field: Field = spec.find(segment.field)
    if any(isinstance(t, BigEndian) for t in segment.transforms):
        return True
    values = (
        effective_value(spec, field, "values")
        if effective_value(spec, field, "kind") not in ("timestamp", "boolean")
        else None
    )
    match values:
        case Enumeration():
            return any("\0" in item.value for item in values.items)
        case Pattern():
            return "\0" in values.text
        case Random():
            return effective_value(spec, field, "kind") == "bytes" or "\0" in values.letters
    return False


def _with_last_transform(
    transforms: tuple[Transform, ...], last: SignedTransform | EscapeTransform
) -> tuple[Transform, ...]:
    return (*transforms, cast(Transform, last))


def _as_literal(raw: bytes) -> str:
    """Bytes as a literal or delimiter is written."""
    return "".join(f"\\x{byte:02x}" for byte in raw)
