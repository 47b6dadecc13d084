"""Integers in the key outgrow their bytes.

**What** A key segment holds an integer as 1 to 7 raw bytes, and the integers exceed them within the horizon.
**Why** The writer then either fails or drops the high bytes. Without them, new rows get the keys of old rows and
overwrite them, and rows no longer sort by the number.
**Instead** Use 8 bytes, which hold every integer that Bigtable's own clients can count.
**Fine when** The number restarts before the limit, and old rows are deleted first.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.key import BigEndian, DerivedSegment, FieldSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.numbers import byte_overflow, date_after
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import NEWEST_ONLY, Part, design, field_part

WIDEN = N_("Write {segment} as 8 bytes")
LONGEST = BigEndian(length=8)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per segment whose integers exceed its raw bytes within the horizon."""
    for rows in row_kinds(spec, estimate):
        for segment in rows.kind.segments:
            overflow = byte_overflow(spec, segment)
            if overflow is None or not isinstance(segment, FieldSegment | DerivedSegment):
                continue
            wide = tuple(LONGEST if isinstance(t, BigEndian) else t for t in segment.transforms)
            fix = change(segment, "transforms", wide) if overflow.needed < 256**LONGEST.length else None
            yield Violation(
                at=segment.id,
                field="transforms",
                params={
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "length": overflow.length_bytes,
                    "largest": f"{overflow.largest:,}",
                    "date": date_after(spec, overflow.days),
                },
                effect=float(overflow.needed),
                fix=fix,
                fix_label=WIDEN if fix is not None else "",
            )


def _orders(*transforms: Part, growth_per_day: int = 10_000_000) -> Spec:
    """Build a design of orders by their number."""
    order = {
        "id": "order",
        "name": "order_number",
        "kind": "integer",
        "values": {"kind": "range", "min": 1, "max": 2**62},
        "distinct": 1_000_000,
        "growth_per_day": growth_per_day,
        "assigned": "sequential",
        "popularity": {"kind": "uniform"},
    }
    return design(
        {"id": "prefix", "kind": "hash", "fields": ["order"], "digits": 4, "after": "#"},
        field_part("order", "", *transforms),
        fields=(order,),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
    )


RULE = Rule(
    code="K029",
    severity="error",
    message=N_(
        "{segment} in the key of {table} is stored as an integer of {length} bytes, at most {largest}. Its numbers "
        "are larger from {date}. Writes then fail or overwrite the rows of other numbers."
    ),
    check=check,
    bad=lambda: _orders({"kind": "big_endian", "length": 4}, growth_per_day=30_000_000),
    good=lambda: _orders({"kind": "pad", "width": 19}),
    near_miss=lambda: _orders({"kind": "big_endian", "length": 4}),
    engines=BIGTABLE,
)
