"""A partition key joins columns that add no distinction.

**What** The first field of a partition key determines the added fields. The concatenation has hardly more values
than that field alone.
**Why** Concatenated fields should split a large or busy value into many. A field that the value determines, such as
a device's only shop, is the same in all of its rows. The value stays as large and as busy, and each key is longer.
**Instead** Add a value that differs between the rows, such as an item, a period or a hash of the row's ID.
**Fine when** The field helps people read the keys, and no value is large or busy.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.key import FieldSegment, LiteralSegment, SaltSegment, Segment, TimeSegment
from designer.document.texts import N_, TextList
from designer.wording import element_label
from estimator.engines.tablestore import LIMITS
from estimator.facts.partitions import partition_segments, partitions, separation
from estimator.facts.reading import RowKindFacts
from estimator.facts.tablestore import PARTITION_PER_SECOND, burden
from estimator.results import Estimate, PartitionLoad, Severity

from ..shared import TABLESTORE, Rule, Violation
from ..shared.examples import DEVICE, Part, field_part, key_column, read_part, tablestore_design, time_part

SEPARATES_FACTOR = 1.05
"""So many times the values, at least, for the added fields to have done anything: a twentieth more is noise."""

LARGE_BYTES = LIMITS["partition_key_bytes_recommended"].value


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table whose partition key only adds fields that its first one determines."""
    for rows, partition in partitions(spec, estimate):
        segments = [s for s in partition_segments(rows) if not isinstance(s, LiteralSegment)]
        fields = list(dict.fromkeys(s.field for s in segments if isinstance(s, FieldSegment)))
        if len(fields) < 2 or any(map(_separates_rows, segments)):
            continue
        factor = math.prod(separation(spec, fields[0], added) for added in fields[1:])
        if factor < SEPARATES_FACTOR:
            yield _build_violation(rows, partition, fields, factor)


def _separates_rows(segment: Segment) -> bool:
    """Return whether the segment is a time or a random salt, which differs between rows of one value."""
    return isinstance(segment, TimeSegment) or (isinstance(segment, SaltSegment) and not segment.fields)


def _build_violation(rows: RowKindFacts, partition: PartitionLoad, fields: list[str], factor: float) -> Violation:
    spec = rows.spec
    distinct = float(effective_value(spec, spec.find(fields[0]), "distinct"))
    return Violation(
        at=rows.partition_key,
        params={
            "table": rows.table.label,
            "original": element_label(spec, fields[0]),
            "added": TextList(element_label(spec, field) for field in fields[1:]),
            "distinct": distinct,
            "together": distinct * factor,
            "rate_per_second": partition.per_second,
            "largest_bytes": partition.largest_bytes,
            "hurts_per_second": PARTITION_PER_SECOND,
            "limit_bytes": LARGE_BYTES,
        },
        field="segments",
        effect=partition.largest_bytes,
        severity=_severity(partition),
        about=rows.load_subject_ids,
    )


def _severity(partition: PartitionLoad) -> Severity:
    busy = burden(partition.per_second, partition.node_share) >= 1
    grave = busy or partition.largest_bytes >= LARGE_BYTES
    return "warning" if grave else "note"


TILL: Part = {**DEVICE, "id": "till", "name": "till", "values": {"kind": "pattern", "text": "t{n:03}"}, "distinct": 100}
SHOP: Part = {**DEVICE, "id": "shop", "name": "shop", "values": {"kind": "pattern", "text": "s{n:02}"}, "distinct": 50}


def _tills(per_second: float, added: str, **till: object) -> Spec:
    """Build a design of a year of sales at tills, each of which belongs to one shop."""
    return tablestore_design(
        key_column("till", field_part("till", ","), field_part(added)),
        key_column("time", time_part(), type="INTEGER"),
        fields=(SHOP, {**TILL, "belongs_to": "shop", **till}, DEVICE),
        per_second=per_second,
        activity={"arrival": {"kind": "every", "seconds": 100 / per_second, "field": "till"}},
        reads=(read_part(binds=("till", added), time={"days": 1}),),
    )


RULE = Rule(
    code="R008",
    severity="warning",
    message=N_(
        "{added} adds no distinction to the partition key of {table}, because {original} determines it. "
        "The key has {distinct} values before the addition and {together} after it. The busiest value "
        "receives {rate_per_second}; the largest holds {largest_bytes}. The threshold per value is "
        "{hurts_per_second} or {limit_bytes}."
    ),
    check=check,
    bad=lambda: _tills(400, "shop"),
    good=lambda: _tills(400, "device"),
    near_miss=lambda: _tills(40, "shop"),
    engines=TABLESTORE,
)
