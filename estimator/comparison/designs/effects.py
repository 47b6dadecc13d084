"""Computed differences of two designs: reads, findings, cost and the hottest range."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.document import Spec
from designer.document.money import Money
from designer.wording import element_locations
from estimator.kernels.pricing.repricing import Key
from estimator.results import Bill, Estimate, Finding, ReadPlan, TableTraffic, each_finding

from .bills import total, unpriced_keys

WORSE = ("point", "multi_point", "range", "prefix", "multi_range", "scan")
"""Ways to serve a read, from one row to the whole table."""
NOTABLE = 0.1
"""A hottest range, or the load at the peak, is another one when it differs by so much of itself; less is within what
is assumed."""


@dataclass(frozen=True)
class DesignWithEstimate:
    """One of two designs with what was computed of it."""

    spec: Spec
    estimate: Estimate
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class ReadChange:
    """Access of a read in each design; None where the read does not exist."""

    read: str
    name: str
    before: ReadPlan | None
    after: ReadPlan | None

    @property
    def is_worse(self) -> bool:
        """True if it scans more than before or is served in a worse way."""
        if self.before is None or self.after is None:
            return False
        if WORSE.index(self.after.access) > WORSE.index(self.before.access):
            return True
        pairs = (
            (self.before.rows_scanned, self.after.rows_scanned),
            (self.before.bytes_scanned, self.after.bytes_scanned),
        )
        return (
            # Five per cent are within what estimates vary by when another part of the design changes.
            self.before.has_actual_rows and self.after.has_actual_rows and any(now > 1.05 * was for was, now in pairs)
        )


@dataclass(frozen=True)
class HeatChange:
    """The share of a table's load on the hottest of its ranges; None where there is no traffic, or no table."""

    table: str
    name: str
    before: float | None
    after: float | None
    load_factor: float | None = None
    """The load at the peak, as a multiple of what it was; None where there was none, or is none now."""

    @property
    def is_moved(self) -> bool:
        """True if the hottest range has another share of the load."""
        return _loads_differ(self.before, self.after)

    @property
    def is_scaled(self) -> bool:
        """True if the load itself is notably larger or smaller."""
        return self.load_factor is not None and _loads_differ(1.0, self.load_factor)


@dataclass(frozen=True)
class Effects:
    """Everything that is otherwise."""

    reads: tuple[ReadChange, ...] = ()
    gone: tuple[Finding, ...] = ()
    came: tuple[Finding, ...] = ()
    heat: tuple[HeatChange, ...] = ()
    money: Money | None = None
    """More a month at the end of the horizon; None where either has no bill, or in another currency."""

    @property
    def is_empty(self) -> bool:
        """True if none of the compared results differ."""
        return not (self.reads or self.gone or self.came or self.heat or (self.money and self.money.amount))


def effects(
    before: DesignWithEstimate, after: DesignWithEstimate, *, uncounted: frozenset[Key] | None = None
) -> Effects:
    """Return the second design's effects; `uncounted` lines, or those without a price, leave the bills."""
    return Effects(
        reads=tuple(_reads(before, after)),
        gone=_findings_only_in(before, after),
        came=_findings_only_in(after, before),
        heat=tuple(_heat(before, after)),
        money=_money(before.estimate.bill, after.estimate.bill, uncounted),
    )


def _reads(before: DesignWithEstimate, after: DesignWithEstimate) -> Iterator[ReadChange]:
    was, now = _plans(before.estimate), _plans(after.estimate)
    for id_ in {**was, **now}:
        old, new = was.get(id_), now.get(id_)
        if access_signature(old) != access_signature(new):
            yield ReadChange(id_, changed_label(before.spec, after.spec, id_), old, new)


def _plans(estimate: Estimate) -> Mapping[str, ReadPlan]:
    return {plan.read: plan for part in estimate.tables.values() for plan in part.reads}


def access_signature(plan: ReadPlan | None) -> tuple[object, ...]:
    """Return the properties of a read's access that its caller notices, to two significant figures."""
    if plan is None:
        return ()
    # Without a rate the rows are those of every possible key, which says nothing about the change.
    figures = (plan.ranges, plan.rows_scanned, plan.bytes_scanned) if plan.has_actual_rows else (plan.ranges,)
    return (plan.access, *(f"{value:.2g}" for value in figures))


def _findings_only_in(side: DesignWithEstimate, other: DesignWithEstimate) -> tuple[Finding, ...]:
    there = {_finding_identity(finding) for finding in each_finding(other.findings)}
    return tuple(finding for finding in each_finding(side.findings) if _finding_identity(finding) not in there)


def _finding_identity(finding: Finding) -> tuple[str, str, str, bool]:
    return (finding.rule, finding.at, finding.severity, finding.ignored is None)


def _heat(before: DesignWithEstimate, after: DesignWithEstimate) -> Iterator[HeatChange]:
    was, now = before.estimate.tables, after.estimate.tables
    for id_ in {**was, **now}:
        if was.get(id_) is now.get(id_):
            continue  # parts of tables that nothing changed in are the very same
        parts = (was.get(id_), now.get(id_))
        first, other = (part.traffic if part else None for part in parts)
        heat = HeatChange(
            id_,
            changed_label(before.spec, after.spec, id_),
            first.hottest_range_share if first else None,
            other.hottest_range_share if other else None,
            _load_factor(first, other),
        )
        if heat.is_moved or heat.is_scaled:
            yield heat


def _load_factor(before: TableTraffic | None, after: TableTraffic | None) -> float | None:
    was, now = (float(traffic.week_node_share.max()) if traffic else 0.0 for traffic in (before, after))
    return now / was if was > 0 and now > 0 else None


def changed_label(before: Spec, after: Spec, id: str) -> str:  # noqa: A002
    """Return the label of an element as the reader knows it, with its table where there are several."""
    spec = before if id in before.by_id else after
    where = element_locations(spec)[id]
    return " › ".join(dict.fromkeys((where[0], where[-1]))) if len(spec.tables) > 1 else where[-1]


def _loads_differ(load: float | None, other: float | None) -> bool:
    if load is None or other is None:
        return load is not other
    return abs(load - other) > NOTABLE * max(load, other)


def _money(before: Bill | None, after: Bill | None, uncounted: frozenset[Key] | None) -> Money | None:
    if before is None or after is None or before.currency != after.currency:
        return None
    uncounted = unpriced_keys(before, after) if uncounted is None else uncounted
    return Money(total(after, uncounted) - total(before, uncounted), after.currency)
