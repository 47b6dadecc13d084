"""Reads that look at more rows than they want: how many, and whether that is worth a warning."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.family import Column
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Segment,
    segment_fields,
    sorts_backwards,
)
from estimator.engines import engine_of
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.population.draws import Drawing
from estimator.kernels.population.key_parts import horizon_days
from estimator.kernels.population.told_apart import tell_apart
from estimator.kernels.traffic.operations import has_data_boost
from estimator.kernels.traffic.value_ranges import values_share
from estimator.results import ReadPlan, SegmentFacts, Severity, TableTraffic

from .reading import RowKindFacts
from .tablestore import PARTITION_CU

WASTE_FACTOR = 2.0
"""Rows scanned per row wanted (or node time against that of one range) from which a read is wasteful."""
NODE_SHARE_WARNING = 0.01
"""A wasteful read is a warning from this mean share of one node; a rare small scan is a note."""
WAIT_SECONDS_WARNING = 1.0
"""... or where somebody waits for a request that takes a node this long."""
TENFOLD, TENFOLD_SHARE = 10.0, 0.9
"""... and an error where it scans so many rows per row wanted, and keeps so many nodes busy with this share of its
table's node time: ten times the bill."""
PASSED_NODE_SHARE_WARNING = 0.20
"""Where a beginning of the key is found and rows behind it are passed over, from this mean share of one node thrown
away: the fifth from which load that cannot be split warns. Below, the order may well serve a busier read."""
BEGINNING_POWER = 0.5
"""A known beginning of a text is taken to leave the square root of the values, halfway between one and all."""


@dataclass(frozen=True)
class Waste:
    """Excess of what a read examines over what it wants."""

    factor: float
    """Rows scanned per row wanted."""
    node_share: float | None
    """Mean node time per time, all requests; None while the rate is unknown, or how many rows there are."""
    severity: Severity


def wanted_rows(rows: RowKindFacts, read: Read, plan: ReadPlan) -> float:
    """Rows that a request is after, at least one.

    What the caller knows and the key does not show, or not so that it could be filtered by it, selects its share of
    the rows, unless the read says what share it keeps. What a known hash is made of has selected them already.
    """
    segment_ids = {*plan.bound, *plan.filtered}
    parts = [s for s in rows.kind.segments if isinstance(s, FieldSegment | DerivedSegment)]
    hashed = {f for s in rows.kind.segments if isinstance(s, HashSegment) and s.id in segment_ids for f in s.fields}
    selects_columns = {f for _, column in columns_of(rows.table, rows.kind) for f in _qualifier_fields(column)}
    share = 1.0
    for bind in read.binds if read.match_share is None else ():
        if bind.field in hashed:
            continue
        segments = [s for s in parts if s.field == bind.field]
        if not segments and bind.field in selects_columns:
            continue
        if not segments or (bind.prefix and plan.access == "scan" and not any(s.id in segment_ids for s in segments)):
            if bind.is_range:
                field = rows.spec.find(bind.field)
                share *= values_share(rows.spec, bind, float(effective_value(rows.spec, field, "distinct")))
                continue
            distinct = float(effective_value(rows.spec, rows.spec.find(bind.field), "distinct"))
            share *= distinct**-BEGINNING_POWER if bind.prefix else min(bind.values / distinct, 1.0)
    if read.row_limit is not None or read.newest_rows is not None:  # the scan goes on until there are so many
        return max(min(plan.rows_returned, plan.rows_scanned * share), 1.0)
    return max(plan.rows_returned * share, 1.0)


def _qualifier_fields(column: Column) -> set[str]:
    return {field for segment in column.qualifier_from for field in segment_fields(segment)}


def prefix_share(rows: RowKindFacts, read: Read, field: str) -> float:
    """Return the share of values that a known beginning leaves, unless the read states the share it keeps."""
    distinct = float(effective_value(rows.spec, rows.spec.find(field), "distinct"))
    return 1.0 if read.match_share is not None else distinct**-BEGINNING_POWER


def is_merged(spec: Spec, read: Read, plan: ReadPlan, stop: Segment) -> bool:
    """Return True if a read takes its newest or first rows from each of several ranges in which they come first.

    It examines no more of any range than it may want of it: no other order of segments would save that.
    """
    limit = (read.newest_rows or read.row_limit or 0) * plan.ranges
    comes_first = read.row_limit is not None  # the first in key order are first wherever a range begins
    comes_first = comes_first or sorts_backwards(stop) != bool(read.reverse)
    comes_first = comes_first or (read.reverse is None and engine_of(spec).READS_EITHER_WAY)
    # Both are means over requests: rounding may part them.
    return comes_first and 0 < plan.rows_scanned <= limit * (1 + 1e-9)


def waste(spec: Spec, read: Read, plan: ReadPlan, factor: float, traffic: TableTraffic | None = None) -> Waste:
    """Return the waste of one read whose rows (or ranges) are `factor` times those that it would need."""
    if plan.refused is not None:  # its load is not counted: nothing can serve it
        return Waste(factor, None, "error" if factor >= WASTE_FACTOR else "note")
    load = plan.node_seconds * plan.per_second if plan.has_actual_rows and plan.per_second is not None else None
    slow = is_awaited(spec, read, plan)
    grave = factor >= WASTE_FACTOR and (slow or (load is not None and load >= NODE_SHARE_WARNING))
    # Data Boost takes none of the table's node time.
    if not grave or load is None or min(factor, load) < TENFOLD or has_data_boost(spec, read):
        return Waste(factor, load, "warning" if grave else "note")
    return Waste(factor, load, "error" if (load_share(load, traffic) or 0.0) >= TENFOLD_SHARE else "warning")


def passing_severity(spec: Spec, read: Read, plan: ReadPlan, factor: float) -> Severity:
    """Return the severity of a read by a beginning of the key that passes over `factor` times the rows it wants."""
    if plan.refused is not None and factor >= WASTE_FACTOR:
        return "warning"
    wasted = waste(spec, read, plan, factor)
    thrown = (wasted.node_share or 0.0) * (1 - 1 / factor)  # all but the rows that are wanted
    slow = factor >= WASTE_FACTOR and is_awaited(spec, read, plan)
    return "warning" if slow or thrown >= PASSED_NODE_SHARE_WARNING else "note"


def is_awaited(spec: Spec, read: Read, plan: ReadPlan) -> bool:
    """Return True if the read is latency-sensitive and each request takes a node a second or more."""
    sensitive = effective_value(spec, read, "latency") == "sensitive"
    return bool(plan.has_actual_rows and sensitive and plan.node_seconds >= WAIT_SECONDS_WARNING)


def capacity_units(node_share: float | None) -> float | None:
    """Return the load as capacity units per second on Tablestore."""
    return None if node_share is None else node_share * PARTITION_CU


def load_share(node_share: float | None, traffic: TableTraffic | None) -> float | None:
    """Return a read's share of the table's node time over the week."""
    if node_share is None or traffic is None:
        return None
    mean = float(traffic.week_node_share.mean())
    return min(node_share / mean, 1.0) if mean > 0 else None


SHORT_ROWS = 10_000
"""A range of up to so many rows is short (our assumption: at 1 KiB a row about 10 MB, which a node scans in 50 ms)."""


def is_wasteful(plan: ReadPlan) -> bool:
    """Return whether a read scans at least a thousand rows and returns a tenth of them or less."""
    return plan.has_actual_rows and plan.rows_scanned >= 1_000 and plan.rows_scanned > 10 * plan.rows_returned


def prefixes(spec: Spec, bound: Sequence[tuple[Segment, SegmentFacts]]) -> float:
    """Return how many beginnings of keys the known segments make: a hash or an owner of a shown value adds none."""
    apart = tell_apart(spec, [segment for segment, _ in bound], texts={s.id: facts.distinct for s, facts in bound})
    counted = {*apart.fields, *(field for text in apart.lossy for field in text.fields)}
    others = (
        facts.distinct
        for segment, facts in bound
        if not isinstance(segment, LiteralSegment) and not counted >= {*segment_fields(segment)}
    )
    count = Drawing(spec, ({},), horizon_days(spec)).count(apart.fields, apart.lossy)
    return max(count * math.prod(max(distinct, 1.0) for distinct in others), 1.0)
