"""Cells that one write puts into a row: their logical bytes by cause, and lengths of rendered texts."""

import datetime
import math
from collections.abc import Iterable

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.encodings import UNRESERVED, Descending, Hexadecimal, PercentEncoding
from designer.document.family import Column, Family
from designer.document.field import Enumeration, Field, Pattern, Random, Range, Values
from designer.document.key import (
    BigEndian,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Part,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
    as_bytes,
)
from designer.document.table import RowKind, Table
from estimator.engines import engine_of
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.rendering import clock
from estimator.results import BytesByCause

CELL_DELETES, ROW_DELETES = ("delete_cell", "delete_family"), ("delete_row", "delete_prefix")
DELETES = (*CELL_DELETES, *ROW_DELETES)
AGGREGATE_BYTES = {"sum": 8.0, "min": 8.0, "max": 8.0, "hll": 1_000.0}
"""A counter is an Int64; a sketch's size is not published: a guess."""


def columns_of(table: Table, kind: RowKind, column_ids: tuple[str, ...] = ()) -> tuple[tuple[Family, Column], ...]:
    """Return columns with their families: those a write names, else the row kind's, else the table's."""
    ids = frozenset(column_ids or kind.columns)
    return tuple((f, c) for f in table.families for c in f.columns if not ids or c.id in ids)


def written_columns(table: Table, kind: RowKind, write: Write) -> tuple[tuple[Family, Column], ...]:
    """Return the columns that one write touches; none for a deletion of rows."""
    return () if write.mode in ("delete_row", "delete_prefix") else columns_of(table, kind, write.columns)


def touched_columns(table: Table, kind: RowKind, write: Write) -> tuple[tuple[Family, Column], ...]:
    """Return the columns whose cells a write makes or takes: a deletion of a family takes those of all its columns."""
    columns = written_columns(table, kind, write)
    if write.mode != "delete_family":
        return columns
    families = {family.id for family, _ in columns}
    return tuple((family, column) for family, column in columns_of(table, kind) if family.id in families)


def written_bytes_above(spec: Spec, table: Table, kind: RowKind, write: Write) -> float:
    """Return by how much a write of all its columns, each of its largest value, exceeds the mean one [bytes]."""
    return 0.0 if write.mode in DELETES else bytes_above_mean(spec, written_columns(table, kind, write))


def cell(spec: Spec, family: Family, column: Column, key_bytes: float) -> BytesByCause:
    """Return the mean cell of a column, uncompressed."""
    return engine_of(spec).stored_cell(
        family,
        key_bytes=key_bytes,
        qualifier_bytes=qualifier_bytes(spec, column),
        value_bytes=value_bytes(spec, family, column),
    )


def row_overhead_bytes(spec: Spec, kind: RowKind) -> float:
    """Return the bytes that a row stores once, beside its cells."""
    return engine_of(spec).row_overhead_bytes(kind, lambda segment: segment_bytes(spec, segment))


def value_bytes(spec: Spec, family: Family, column: Column) -> float:
    """Return the mean size of a column's value, in bytes."""
    if family.kind != "ordinary" and column.value.typical_bytes is None:
        return AGGREGATE_BYTES[family.kind]
    return float(effective_value(spec, column.value, "typical_bytes"))


def value_bytes_max(spec: Spec, family: Family, column: Column) -> float:
    """Return the largest size of a column's value in bytes, never below the mean."""
    typical = value_bytes(spec, family, column)
    largest = column.value.max_bytes
    return typical if largest is None else max(float(largest), typical)


def bytes_above_mean(spec: Spec, columns: Iterable[tuple[Family, Column]]) -> float:
    """Return by how much a row with all of these columns, each of its largest value, exceeds the mean row [bytes]."""
    return sum(
        value_bytes_max(spec, family, column)
        - float(effective_value(spec, column, "presence")) * value_bytes(spec, family, column)
        for family, column in columns
    )


def qualifier_bytes(spec: Spec, column: Column) -> float:
    """Return the length of a column's qualifier in bytes, the mean where it is made from fields."""
    if column.qualifier_from:
        return sum(segment_bytes(spec, segment) for segment in column.qualifier_from)
    return float(len(as_bytes(column.qualifier)))


def qualifiers(spec: Spec, column: Column, span_days: float) -> float:
    """Different qualifiers that a column can have in a row that receives for so long; infinity is no limit."""
    count = 1.0
    for segment in column.qualifier_from:
        match segment:
            case FieldSegment() | DerivedSegment():
                count *= float(effective_value(spec, spec.find(segment.field), "distinct"))
            case HashSegment(fields=()):
                count *= segment.values
            case HashSegment():
                count *= min(
                    math.prod(float(effective_value(spec, spec.find(f), "distinct")) for f in segment.fields),
                    segment.values,
                )
            case SaltSegment():
                count *= segment.modulo
            case TimeSegment():
                # A hashed time has no more values than its digits tell apart.
                buckets = max(span_days / (segment_seconds(segment) / DAY_SECONDS), 1.0)
                count *= min(buckets, segment.hash_values)
    return count


def segment_bytes(spec: Spec, segment: Segment) -> float:
    """Return the mean length of a rendered segment with its delimiter, in bytes."""
    return _body_bytes(spec, segment) + len(as_bytes(segment.after))


def _body_bytes(spec: Spec, segment: Segment) -> float:
    match segment:
        case LiteralSegment():
            return float(len(as_bytes(segment.text)))
        case FieldSegment():
            field = spec.find(segment.field)
            return transformed_bytes(field_bytes(spec, field), segment.transforms, reserved_share(spec, field))
        case TimeSegment():
            if segment.hash is not None:
                return float(segment.hash_digits)
            if segment.pattern:
                return float(len(clock.format_time(segment.pattern, EXAMPLE_US)))
            if segment.raw:
                return 8.0
            # Reversed, a number is as long as what it is subtracted from.
            digits = len(str(clock.epoch_number(segment.model_copy(update={"reversed": False}), EXAMPLE_US)))
            return float(len(str(effective_value(spec, segment, "reverse_from"))) if segment.reversed else digits)
        case HashSegment():
            return float(segment.digits)
        case SaltSegment():
            return float(len(str(segment.modulo - 1)))
        case DerivedSegment():
            whole = field_bytes(spec, spec.find(segment.field))
            if isinstance(segment.how, Part):
                part = float(segment.how.length or whole / 2)
                return transformed_bytes(min(part, whole), segment.transforms)
            return transformed_bytes(max(whole - math.log10(segment.how.size), 1.0), segment.transforms)


EXAMPLE_US = clock.to_micros(datetime.datetime(2026, 11, 20, 12, 34, 56, tzinfo=datetime.UTC))
"""Any time of these years: their numbers and texts are as long."""

KINDS_SAY_ALL = ("uuid", "boolean", "float", "timestamp")
"""Kinds of fields whose values look as the kind does, unless they are given."""


def rendered_values(spec: Spec, field: Field) -> Values | None:
    """Return the form of a field's values; None where the field's kind determines it."""
    if field.values is None and effective_value(spec, field, "kind") in KINDS_SAY_ALL:
        return None
    values: Values | None = effective_value(spec, field, "values")
    return values


def field_bytes(spec: Spec, field: Field) -> float:
    """Return the mean length of a field's rendered value, in bytes."""
    kind = effective_value(spec, field, "kind")
    match values := rendered_values(spec, field):
        case Enumeration():
            weight = sum(i.weight for i in values.items)
            if weight == 0:
                # All weights are 0: none is said to be more frequent, so all are alike.
                return sum(len(i.value.encode()) for i in values.items) / len(values.items)
            return sum(len(i.value.encode()) * i.weight for i in values.items) / weight
        case Pattern():
            return _counted_bytes(values.text, effective_value(spec, field, "distinct") + values.start)
        case Random():
            return float(values.typical if values.typical is not None else (values.min + values.max) / 2)
        case Range():
            return float(len(str((values.min + values.max) // 2)))
    return {"uuid": 36.0, "boolean": 4.5, "timestamp": 13.0, "bytes": 16.0}.get(kind, 8.0)


def _counted_bytes(text: str, last: int) -> float:
    before, _, rest = text.partition("{n")
    spec_, _, after = rest.partition("}")
    digits = float(len(str(last)))
    width = float(spec_[2:]) if spec_.startswith(":0") and spec_[2:].isdigit() else digits
    return len(before.encode()) + len(after.encode()) + max(width, digits if not spec_ else width)


def reserved_share(spec: Spec, field: Field) -> float:
    """Return the share of a field's bytes that percent-encoding makes three of."""
    match rendered_values(spec, field):
        case Enumeration(items=items):
            texts = [(item.value.encode(), item.weight or 1e-9) for item in items]
        case Pattern(text=text):
            before, _, rest = text.partition("{n")
            texts = [((before + "0" + rest.partition("}")[2]).encode(), 1.0)]
        case Random() as values:
            texts = [(letter.encode(), 1.0) for letter in values.letters]
        case _:
            return 0.0
    whole = sum(len(text) * weight for text, weight in texts)
    reserved = sum(sum(byte not in UNRESERVED for byte in text) * weight for text, weight in texts)
    return reserved / whole if whole else 0.0


def transformed_bytes(length: float, transforms: tuple[Transform, ...], reserved_share: float = 0.0) -> float:
    """Return the length of a text after its transforms, in bytes.

    Parameters
    ----------
    length
        Before them. [bytes]
    reserved_share
        Share of its bytes that percent-encoding makes three of. [1]
    """
    for transform in transforms:
        match transform:
            case Descending():
                length = max(length, float(len(str(transform.top))))
            case Hexadecimal():
                length = max(math.ceil(length / math.log10(16)), float(transform.width))
            case ZeroPad():
                length = max(length, float(transform.width))
            case Truncate():
                length = min(length, float(transform.length))
            case BigEndian():
                length = float(transform.length)
            case PercentEncoding():
                length *= 1 + 2 * reserved_share
    return length
