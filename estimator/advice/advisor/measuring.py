"""Comparable figures of a key, from the estimate and the findings of the design that has it."""

import datetime
import math
from dataclasses import replace

from designer.document import Spec, effective_value
from designer.document.key import DerivedSegment, FieldSegment, LiteralSegment
from designer.document.table import RowKind, Table
from estimator.engines import engine_of
from estimator.facts.clusters import indivisible_share
from estimator.facts.servers import server_of
from estimator.results import Estimate, Finding, TablePart, TableTraffic, each_finding

from .results import Measures, ReadService

ERROR, WARNING = 10.0, 2.0
"""Doublings of trouble that a finding stands for."""
COST, SIZE, PERSONAL = 4.0, 0.5, 1.0
"""A doubling of the bill weighs four of load, one of the largest row half of one; personal data in front is as one."""
REFUSED = 3.0
"""What is offered is more than can be served at the peak: the rest is refused."""
BURDEN_FLOOR = 0.5
"""Below half of what warns, a load that cannot be spread is none."""
NODE_FLOOR = 0.1
"""Node time below a tenth of a node is lost in the least that an instance has."""
SMALL_SHARE = 1 / 2
"""Rows, or partition-key values, below half of what is advised are small."""


def measures(spec: Spec, table: Table, kind: RowKind, estimate: Estimate, findings: tuple[Finding, ...]) -> Measures:
    """Return the figures of one row kind's key in a design."""
    part = estimate.tables[table.id]
    traffic = part.traffic
    heavy = _burden(spec, traffic)
    largest, since = _largest(kind, part)
    grave = (f for f in each_finding(findings) if f.ignored is None and f.single_severity in ("error", "warning"))
    open_ = sorted((f.single_severity, f.rule) for f in grave)
    # Heads only: a consequence goes with its cause and would count the same trouble twice.
    heads = [f.severity for f in findings if f.ignored is None]
    measured = Measures(
        burden=heavy,
        reachable_factor=_reachable_factor(estimate, heavy),
        fronts=_fronts(kind, traffic),
        reads=tuple(_served_reads(kind, part)),
        node_share=_node_share(traffic),
        largest_bytes=largest,
        small_bytes=SMALL_SHARE * advised_bytes(spec),
        partitioned=not engine_of(spec).HAS_NODES,
        large_from=since,
        errors=heads.count("error"),
        warnings=heads.count("warning"),
        remaining=tuple((rule, severity) for severity, rule in open_),
        cost=estimate.bill.total if estimate.bill else None,
        cost_open=bool(estimate.bill and estimate.bill.open_lines),
        personal_first=_personal_first(spec, kind),
    )
    return replace(measured, score=_score(measured))


def _score(measured: Measures) -> float:
    """Trouble in doublings."""
    reachable, cost = measured.reachable_factor, measured.cost
    return (
        # Logarithms make unlike figures comparable: twice the load, twice the money and twice the size are each one
        # doubling.
        ERROR * measured.errors
        + WARNING * measured.warnings
        + _doublings(measured.burden, BURDEN_FLOOR)
        + _doublings(measured.node_share, NODE_FLOOR)
        + COST * _doublings(float(cost) if cost is not None else None, 1.0)
        + SIZE * _doublings(measured.largest_bytes, measured.small_bytes)
        + _scan_penalty(measured.reads)
        + (REFUSED if reachable is not None and reachable < 1 else 0.0)
        + (PERSONAL if measured.personal_first else 0.0)
    )


def advised_bytes(spec: Spec) -> float:
    """Return the recommended size of a row; on Tablestore, of one partition-key value's data [bytes]."""
    engine = engine_of(spec)
    return engine.LIMITS[engine.ADVISED_SIZE].value


def _doublings(value: float | None, floor: float) -> float:
    # Below the floor there is no trouble to double.
    return math.log2(max(value, floor) / floor) if value is not None and math.isfinite(value) else 0.0


def _scan_penalty(reads: tuple[ReadService, ...]) -> float:
    """Return the penalty of scans: as of a warning while rates are unknown; once they are known, node time counts."""
    return sum(WARNING if read.per_second is None and read.access == "scan" else 0.0 for read in reads)


def _burden(spec: Spec, traffic: TableTraffic | None) -> float | None:
    if traffic is None:
        return None
    per_second = traffic.partition.per_second if traffic.partition else 0.0
    return server_of(spec).burden(per_second, indivisible_share(spec, traffic))


def _reachable_factor(estimate: Estimate, heavy: float | None) -> float | None:
    if estimate.placements:
        return min(place.reachable_factor for place in estimate.placements)
    return 1 / heavy if heavy else None


def _node_share(traffic: TableTraffic | None) -> float | None:
    return float(traffic.node_share_by_month[-1]) if traffic else None


def _fronts(kind: RowKind, traffic: TableTraffic | None) -> float | None:
    """Return the growing ends of the write that lands on the fewest; None where no end of the key range grows."""
    if traffic is None:
        return None
    own = {write.id for write in kind.writes}
    return min((front.effective for front in traffic.fronts if front.write in own), default=None)


def _largest(kind: RowKind, part: TablePart) -> tuple[float | None, datetime.date | None]:
    if part.traffic is not None and part.traffic.partition is not None:
        return part.traffic.partition.largest_bytes, None
    for growth in part.growth.kinds if part.growth else ():
        if growth.row_kind == kind.id and growth.largest_bytes.size:
            since = next((c.date for c in growth.crossings if c.limit == "row_bytes_recommended"), None)
            return float(growth.largest_bytes.max()), since
    return None, None


def _served_reads(kind: RowKind, part: TablePart) -> list[ReadService]:
    names = {read.id: read.label for read in kind.reads}
    return [
        ReadService(
            read=plan.read,
            name=names[plan.read],
            access=plan.access,
            ranges=plan.ranges,
            rows_scanned=plan.rows_scanned,
            rows_returned=plan.rows_returned,
            per_second=plan.per_second if part.traffic else None,
            node_share=plan.node_seconds * (plan.per_second or 0.0),
        )
        for plan in part.reads
        if plan.read in names
    ]


def _personal_first(spec: Spec, kind: RowKind) -> bool:
    lead = next((s for s in kind.segments if not isinstance(s, LiteralSegment)), None)
    return isinstance(lead, FieldSegment | DerivedSegment) and bool(
        effective_value(spec, spec.find(lead.field), "personal")
    )
