"""The key contains negative numbers as text.

**What** Negative numbers have a minus sign, and a read relies on their order.
**Why** Keys sort in byte order: -1 comes before -2, and all negative numbers sort in reverse. Leading zeros do not
help: -05 still comes before -10.
**Instead** Add a constant that makes the smallest number 0, and zero-pad the result.
**Fine when** Every read specifies the exact number, so its order does not matter.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.encodings import Descending
from designer.document.field import Enumeration, Field
from designer.document.key import FieldSegment, Offset, Transform, ZeroPad, sorts_backwards
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.numbers import declared_maximum, extent, written_number_of
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import Edit, change
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part

OUT_OF_ORDER = -2
"""From here down there are two negative numbers, and of two the greater one sorts first; -1 alone is in its place."""

LONGEST_DIGITS = 18
"""All numbers of so many digits fit into 64 bits."""

UNREAD = N_(
    "{segment} in the key of {table} goes down to {low}. As text, {first} sorts before {second}. No "
    "defined read depends on this order."
)
ADD = N_("Add {offset} to {segment} and pad to {digits} digits")
SUBTRACT = N_("Subtract {segment} from {top} and pad to {digits} digits")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per segment of negative numbers as text on whose order a read relies."""
    for rows in row_kinds(spec, estimate):
        for segment in rows.kind.segments:
            if not isinstance(segment, FieldSegment) or rows.is_integer_column(segment):
                continue
            bounds = _extent(spec, spec.find(segment.field))
            if bounds is None or not _decimal(segment):
                continue
            lowest, _ = written_number_of(segment.transforms).ends(*bounds)
            if lowest > OUT_OF_ORDER:
                continue
            reader = rows.ordered_reader(segment)
            if reader is not None or not rows.kind.reads:
                low, high = bounds
                # The width is stored in every key, so it has to fit the largest number that the field may ever have.
                most = max(high, declared_maximum(spec.find(segment.field)) or high)
                falls = sorts_backwards(segment)
                digits = len(str(most if falls else most - low))
                fix = _top_edit(segment, digits) if falls else _offset_edit(spec, segment, low, digits)
                yield Violation(
                    at=segment.id,
                    field="transforms",
                    params={
                        "table": rows.table.label,
                        "segment": segment_label(spec, segment),
                        "read": reader.label if reader else "",
                        "low": str(lowest if falls else low),
                        "first": "-1",
                        "second": "-2",
                        "offset": str(-low),
                        "top": str(10**digits - 1),
                        "digits": digits,
                    },
                    message="" if reader else UNREAD,
                    severity="warning" if reader else "note",
                    fix=fix,
                    fix_safe=_is_empty(rows),
                    fix_label="" if fix is None else SUBTRACT if falls else ADD,
                    about=(reader.id,) if reader else (),
                )


def _extent(spec: Spec, field: Field) -> tuple[int, int] | None:
    """Return the smallest and largest number over the horizon; None if not known to be numbers."""
    values = effective_value(spec, field, "values")
    kind = effective_value(spec, field, "kind")
    if kind == "integer" and isinstance(values, Enumeration):
        numbers = [int(item.value) for item in values.items]
        return min(numbers), max(numbers)
    bounds = extent(spec, field) if kind in ("integer", "float") else None
    return (bounds[0], bounds[2]) if bounds else None


def _decimal(segment: FieldSegment) -> bool:
    """Return whether the segment is the decimal text of the number, padded or not."""
    return all(isinstance(t, ZeroPad | Offset | Descending) for t in segment.transforms)


def _offset_edit(spec: Spec, segment: FieldSegment, low: int, digits: int) -> Edit | None:
    """None for fractions, which have no number of digits."""
    if effective_value(spec, spec.find(segment.field), "kind") != "integer":
        return None
    transforms: tuple[Transform, ...] = (Offset(by=-low), ZeroPad(width=digits))
    return change(segment, "transforms", transforms)


def _top_edit(segment: FieldSegment, digits: int) -> Edit | None:
    """Return an edit that counts down from a larger number; None where more is done to the number than that."""
    if sum(isinstance(t, Offset | Descending) for t in segment.transforms) > 1 or digits > LONGEST_DIGITS:
        return None
    transforms: tuple[Transform, ...] = (Descending(top=10**digits - 1), ZeroPad(width=digits))
    return change(segment, "transforms", transforms)


def _is_empty(rows: RowKindFacts) -> bool:
    """Return whether no stored key would have to be rewritten."""
    return not (rows.table.history_months or rows.table.rows_stored or rows.table.gib_stored)


def _floors_design(low: int, *transforms: Part, **settings: object) -> Spec:
    """Build a design of readings by building and floor."""
    building = {**DEVICE, "id": "building", "name": "building", "values": {"kind": "pattern", "text": "b{n:03}"}}
    floor = {
        "id": "floor",
        "name": "floor",
        "kind": "integer",
        "values": {"kind": "range", "min": low, "max": 8},
        "popularity": {"kind": "uniform"},
        "assigned": "arbitrary",
    }
    return design(
        field_part("building", "#"),
        field_part("floor", "", *transforms),
        fields=({**building, "distinct": 100}, floor),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(**settings),),
    )


RULE = Rule(
    code="K022",
    severity="warning",
    message=N_(
        "{segment} in the key of {table} goes down to {low}. As text, {first} sorts before {second}, so "
        "{read} returns rows in the wrong order."
    ),
    check=check,
    bad=lambda: _floors_design(-5, binds=("building",)),
    good=lambda: _floors_design(-5, {"kind": "offset", "by": 5}, {"kind": "pad", "width": 2}, binds=("building",)),
    near_miss=lambda: _floors_design(-5, binds=("building", "floor")),
)
