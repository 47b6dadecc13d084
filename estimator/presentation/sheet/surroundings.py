"""Surroundings of the tables of a sheet: activities, fields, clusters, and the bill."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity, Flat
from designer.document.instance import Cluster
from designer.document.key import TimeSegment
from designer.document.money import Money
from designer.document.shapes import week_hours
from designer.document.texts import N_, Text
from designer.wording.field_colours import field_colour
from estimator.engines import engine_of
from estimator.kernels.capacity.demand import ASSUMED_CLUSTER
from estimator.presentation.assumed_range import bill_range_text, rounded
from estimator.presentation.design_page import DesignPage
from estimator.results import Bill, Estimate

from .cards import name_of
from .strips import heat_colour

MOST_NODES = 12
"""Nodes that are drawn one by one; more are only counted."""


@dataclass(frozen=True)
class MoneyBand:
    """The range beside the month's total."""

    low: Decimal
    high: Decimal
    total_share: float
    """How far the total is from the low to the high end. [1]"""
    words: Text | None = None
    """The range as a sentence; None: of what is stored alone."""
    is_served: bool = True
    """False if the high end is above what can be served."""


@dataclass(frozen=True)
class ActivityPanel:
    """An activity: its day, its mean rate and its rate at the peak."""

    id: str
    name: str
    day: tuple[float, ...]
    """(24,) its busiest day, 1 at the highest hour."""
    per_second: float | None
    is_guess: bool
    peak_per_second: float | None
    changes: tuple[Text, ...]
    """Its growth and its peak days."""

    @property
    def curve(self) -> str:
        """The day as an SVG path, 24 wide and 1 high."""
        points = [*self.day, self.day[0]]
        return "M" + "L".join(f"{hour} {1 - height:.3f}" for hour, height in enumerate(points))


@dataclass(frozen=True)
class FieldPanel:
    """A field: its colour, and how many values it has; None: it is a time."""

    id: str
    name: str
    colour: int
    distinct: float | None
    growth_per_day: float


@dataclass(frozen=True)
class ClusterPanel:
    """A cluster: where it is, its nodes, and how busy each is in its busiest hour."""

    id: str
    name: str
    """Empty for an assumed one."""
    place: tuple[str, ...]
    nodes: float | None
    busy: tuple[tuple[float, str], ...]
    """Of each node its load at the peak, 1 at its limit, and its colour; empty for more than can be drawn."""
    busy_share: float | None


@dataclass(frozen=True)
class BillPanel:
    """The bill of the last month, its range and the months before it."""

    bill: Bill
    lines: tuple[tuple[Text, Money], ...]
    band: MoneyBand
    months: tuple[float, ...]
    """Totals of the months, 1 at the highest."""


def activities(spec: Spec, estimate: Estimate) -> Iterator[ActivityPanel]:
    """Yield the activities with their writes."""
    loads = {write.write: write for part in estimate.tables.values() if part.traffic for write in part.traffic.writes}
    peaks_of = defaultdict[str, list[float]](list)
    for _, kind in spec.row_kinds():
        for write in kind.writes:
            if write.activity is not None and write.id in loads:
                rows_per_event = effective_value(spec, write, "rows_per_event") or 1.0
                peaks_of[write.activity].append(loads[write.id].peak_rows_per_second / rows_per_event)
    for activity in spec.activities:
        yield ActivityPanel(
            id=activity.id,
            name=name_of(activity),
            day=busiest_day(spec, activity),
            per_second=effective_value(spec, activity, "rate_per_second"),
            is_guess=activity.rate_per_second is None,
            peak_per_second=max(peaks_of[activity.id], default=None),
            changes=tuple(_changes(spec, activity)),
        )


def _changes(spec: Spec, activity: Activity) -> Iterator[Text]:
    growth = float(effective_value(spec, activity, "growth_per_month") or 0.0)
    if growth:
        yield Text(
            N_("{growth_share} more a month") if growth > 0 else N_("{growth_share} a month"), {"growth_share": growth}
        )
    for day in activity.peak_days:
        yield Text(
            N_("{busier_factor} on {date_dayofmonth}"), {"busier_factor": day.factor, "date_dayofmonth": day.date}
        )


def busiest_day(spec: Spec, activity: Activity) -> tuple[float, ...]:
    """Return the hours of an activity's busiest day, 1 at its highest hour."""
    week = np.array(week_hours(effective_value(spec, activity, "profile") or Flat())).reshape(7, 24)
    day = week[int(np.argmax(week.sum(axis=1)))]
    return tuple(float(hour) for hour in day / max(float(day.max()), 1e-12))


def fields(spec: Spec) -> Iterator[FieldPanel]:
    """Yield the fields with their colours."""
    for field in spec.fields:
        is_time = effective_value(spec, field, "kind") == "timestamp"
        yield FieldPanel(
            field.id, field.label, field_colour(spec, field.id),
            None if is_time else effective_value(spec, field, "distinct"),
            float(effective_value(spec, field, "growth_per_day") or 0.0),
        )  # fmt: skip


def has_time(spec: Spec) -> bool:
    """Return whether a row key holds the time of the write, which has a colour but is no field."""
    segments = (segment for _, kind in spec.row_kinds() for segment in kind.segments)
    return any(isinstance(segment, TimeSegment) and segment.field is None for segment in segments)


def clusters(spec: Spec, estimate: Estimate) -> Iterator[ClusterPanel]:
    """Yield the clusters with the load of their nodes; without any, the one that the estimate assumes."""
    nodes = {node.cluster: node for node in estimate.nodes}
    placements = {placement.cluster: placement for placement in estimate.placements}
    storage = str(effective_value(spec, spec.instance, "storage")).upper() if engine_of(spec).HAS_NODES else ""
    assumed = Cluster(id=ASSUMED_CLUSTER, name="", region=engine_of(spec).ASSUMED_REGION)
    for cluster in spec.instance.clusters or (assumed,):
        there, placement = nodes.get(cluster.id), placements.get(cluster.id)
        count = float(there.nodes_by_month[-1]) if there else None
        busy: tuple[tuple[float, str], ...] = ()
        if placement is not None and count is not None and count <= MOST_NODES:
            at_peak = int(np.argmax(placement.utilisation.max(axis=0)))  # as titles say
            shares = map(float, placement.utilisation[:, at_peak])
            busy = tuple((share, heat_colour(share)) for share in shares)
        place = tuple(filter(None, (cluster.zone or cluster.region, storage)))
        share = float(there.load_by_month[-1]) / count if there and count else None
        name = "" if cluster is assumed else cluster.label
        yield ClusterPanel(cluster.id, name, place, count, busy, share)


def bill_panel(page: DesignPage) -> BillPanel | None:
    """Return the last month's bill in a few lines; None while nothing can be priced."""
    bill = page.estimate.bill
    if bill is None:
        return None
    sums: dict[str, Decimal] = {}
    for line in bill.lines:
        if line.cost is not None:
            name = line.item if line.item in _ITEMS else "other"
            sums[name] = sums.get(name, Decimal(0)) + line.cost
    totals = [float(bill.total) for bill in page.estimate.bills]
    return BillPanel(
        bill=bill,
        lines=tuple(
            (Text(_ITEMS.get(name, N_("Other"))), bill.money(amount)) for name, amount in sums.items() if amount
        ),
        band=_band(bill, bill.low, bill.high),
        months=tuple(total / max(max(totals), 1e-9) for total in totals),
    )


def assumed_band(page: DesignPage) -> MoneyBand | None:
    """Return the range of the bill if assumed values differ; None if that is not wider by a hundredth."""
    bill, value_range = page.estimate.bill, page.assumed_range
    words = bill_range_text(value_range, bill) if bill else None
    if bill is None or value_range is None or value_range.low is None or value_range.high is None or words is None:
        return None
    return replace(
        _band(bill, rounded(value_range.low), rounded(value_range.high)), words=words, is_served=value_range.is_served
    )


def _band(bill: Bill, low: Decimal, high: Decimal) -> MoneyBand:
    share = float((bill.total - low) / (high - low)) if high > low else 0.5
    return MoneyBand(low, high, min(max(share, 0.0), 1.0))


_ITEMS = {
    "node": N_("Nodes"),
    "storage": N_("Storage"),
    "replication": N_("Replication"),
    "backup": N_("Backups"),
    "metered_read": N_("Reads"),
    "metered_write": N_("Writes"),
    "stream_read": N_("Stream readers"),
    "reserved_read": N_("Reserved reads"),
    "reserved_write": N_("Reserved writes"),
    "other": N_("Other"),
}
