"""Reads and writes of one table over the shown day: the busiest weekday at the end of the horizon, fixed tablets."""

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.activity import Activity
from designer.document.durations import DAY_SECONDS
from designer.document.key import segment_fields
from designer.document.new_ids import is_declared_counter
from designer.document.popularity import Latest
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.kernels.keys import EventDistribution, KeyPattern, key_summary
from estimator.results import (
    AppendPoint,
    EntityShares,
    Heat,
    HotRow,
    IndivisibleLoad,
    LeadValues,
    NoKeyError,
    ReadPlan,
    RowKindSize,
    TableGrowth,
    TableTraffic,
    UnknownReason,
    WriteLoad,
)
from estimator.results.arrays import Floats
from estimator.results.grain import FULL, Grain
from estimator.results.heat import AccessLoad

from ..population.timeline import month_dates
from .append_points import append_point, leading_values
from .assumptions import TABLET
from .distributions import ReferenceDay, read_distribution, write_distribution
from .heat import KeyRanges, equal_ranges, flow_shares
from .operations import OperationRate, month_shares, read_flows, sizes_of, week_share, write_flows
from .partitions import partition_load
from .pattern import FlowOnDay, find_patterns
from .reads import newest_days
from .rows import hot_row
from .scope import StoredRows
from .storage_age import date_seconds, stored_time


def table_traffic(
    spec: Spec,
    table: Table,
    patterns: Mapping[str, KeyPattern],
    sizes: Mapping[str, RowKindSize],
    growth: TableGrowth,
    plans: Sequence[ReadPlan],
    grain: Grain = FULL,
    one_table: Mapping[str, KeyPattern] | None = None,
) -> TableTraffic:
    """Load per key range and window, and what in it cannot be split.

    Parameters
    ----------
    patterns, sizes : mapping by row kind id
        Row kinds without a pattern are left out.
    growth : TableGrowth
        How much is stored at the end of the horizon.
    plans : sequence of ReadPlan
        Reads without a rate load nothing.
    one_table : mapping by row kind id
        Patterns of the keys within one table, where tables rotate.

    Raises
    ------
    NotComputableError
        If no row kind has a key, a write names no activity, or its activity has no rate.
    """
    if not patterns:
        raise NoKeyError(UnknownReason(N_("“{table}” has no row key yet."), table.id, {"table": table.label}))
    writes, reads = write_flows(spec, table, patterns), read_flows(spec, table, plans)
    weekday = busiest_weekday((*writes, *reads))
    date = reference_date(month_dates(spec)[-1], weekday)
    day = ReferenceDay(date_seconds(date), grain.windows)
    stored = stored_rows_by_kind(spec, table, patterns, sizes)
    ranges = equal_ranges(stored, patterns, day.end_s, ranges=grain.ranges)
    loads = _loads(spec, patterns, stored, writes, reads, plans, day, weekday, ranges.bounds)
    heat = _heat(loads, next(iter(patterns.values())), ranges, date, grain.windows)
    fronts, rows = _hottest_points(spec, loads, patterns, plans, grain.windows, growth.entities)
    day_flows = [FlowOnDay(flow, loads.rates[flow.id], loads.load_by_range(flow)) for flow in loads.flows]
    by_range = sum((flow.load_by_range for flow in day_flows), np.zeros(len(ranges.bounds) + 1))
    total, hottest = float(by_range.sum()), int(by_range.argmax())
    indivisible = indivisible_loads(loads.flows, heat, fronts, rows, loads.busier_within)
    by_month, reads_by_month, accesses = month_shares(loads.flows, growth.dates)
    partition = None
    if not engine_of(spec).HAS_NODES:
        partition = partition_load(loads.flows, patterns, loads.distributions, loads.rates, stored, day_end_s=day.end_s)
    return TableTraffic(
        day=date,
        heat=heat,
        writes=tuple(_write_load(flow, loads.peak(flow)) for flow in writes),
        fronts=fronts,
        hot_rows=rows,
        leads=_leads(table, writes, one_table or patterns, loads.distributions),
        patterns=find_patterns(
            spec,
            day_flows,
            ranges.stored_share,
            fronts,
            [row for row in rows if not row.is_range],
            {plan.read: plan for plan in plans},
            growth,
        ),
        # The end of the horizon, as everything on the shown day.
        tablets=partition.partitions if partition else tablet_count(float(growth.physical_bytes[-1])),
        hottest_range_share=float(by_range[hottest]) / total if total > 0 else 0.0,
        hottest_range=hottest,
        indivisible=indivisible,
        indivisible_node_share=max(
            *(load.peak() for load in indivisible), partition.node_share if partition else 0.0, 0.0
        ),
        week_node_share=week_share(loads.flows),
        node_share_by_month=by_month,
        read_node_share_by_month=reads_by_month,
        accesses=accesses,
        partition=partition,
    )


@dataclass(frozen=True)
class _Loads:
    """Every write and read of a table over the shown day."""

    writes: tuple[OperationRate, ...]
    reads: tuple[OperationRate, ...]
    distributions: Mapping[str, EventDistribution]
    rates: Mapping[str, Floats]
    """By flow, (windows,) operations a second."""
    shares: Mapping[str, Floats]
    """By flow, (ranges, windows or 1): where they go; columns sum to 1."""
    busier_within: Mapping[str, float]
    """By flow, how many times the rate of the busiest window it has while it runs."""

    @property
    def flows(self) -> tuple[OperationRate, ...]:
        """All of them."""
        return (*self.writes, *self.reads)

    def peak(self, flow: OperationRate) -> float:
        """Return the most operations a second of one flow on the day."""
        return float(self.rates[flow.id].max()) * self.busier_within[flow.id]

    def load_by_range(self, flow: OperationRate) -> Floats:
        """Return the node time per time of one flow in each range, in nodes: (ranges,)."""
        return np.asarray((self.shares[flow.id] * self.rates[flow.id]).mean(axis=1) * flow.seconds)


def _loads(
    spec: Spec,
    patterns: Mapping[str, KeyPattern],
    stored_by_kind: Mapping[str, StoredRows],
    writes: tuple[OperationRate, ...],
    reads: tuple[OperationRate, ...],
    plans: Sequence[ReadPlan],
    day: ReferenceDay,
    weekday: int,
    bounds: Sequence[bytes],
) -> _Loads:
    planned, flows = {plan.read: plan for plan in plans}, (*writes, *reads)
    laws = {
        flow.id: flow_distribution(
            flow, patterns[flow.kind.id], stored_by_kind[flow.kind.id], planned.get(flow.id), day
        )
        for flow in flows
    }
    return _Loads(
        writes,
        reads,
        laws,
        rates={flow.id: flow.day(weekday, day.windows) for flow in flows},
        busier_within={flow.id: flow.busier_within(weekday, day.windows) for flow in flows},
        shares={
            flow.id: flow_shares(
                flow,
                patterns[flow.kind.id],
                laws[flow.id],
                bounds,
                day.windows,
                activity_of(spec, flow),
                flow_count=len(flows),
            )
            for flow in flows
        },
    )


def stored_rows_by_kind(
    spec: Spec, table: Table, patterns: Mapping[str, KeyPattern], sizes: Mapping[str, RowKindSize]
) -> dict[str, StoredRows]:
    """Return the stored rows of every row kind that has a pattern, by its id."""
    return {
        kind.id: StoredRows(
            spec, table, kind, key_summary(patterns[kind.id]), sizes_of(sizes, kind.id), stored_time(spec, table, kind)
        )
        for kind in table.row_kinds
        if kind.id in patterns
    }


def flow_distribution(
    flow: OperationRate,
    pattern: KeyPattern,
    stored_rows: StoredRows,
    plan: ReadPlan | None,
    day: ReferenceDay,
) -> EventDistribution:
    """Return the distribution of a flow's keys on a day, over times and values.

    Of a read, `plan` describes how it is served.
    """
    if flow.write is not None:
        return write_distribution(stored_rows, pattern, flow.write, day)
    assert flow.read is not None
    assert plan is not None
    return read_distribution(stored_rows, pattern, flow.read, plan, day, newest_days(stored_rows, flow.read, plan))


def activity_of(spec: Spec, flow: OperationRate) -> Activity | None:
    """Return the activity that a write follows from; None for reads."""
    return spec.find(flow.write.activity) if flow.write is not None and flow.write.activity else None


def _heat(loads: _Loads, format_key: KeyPattern, ranges: KeyRanges, date: datetime.date, windows: int) -> Heat:
    """Return the heatmap of the day; `format_key` formats the keys."""
    midnight = datetime.datetime.combine(date, datetime.time(), datetime.UTC)
    return Heat(
        bounds=tuple(map(format_key.readable_key, ranges.bounds)) if format_key.inputs.columns else ranges.bounds,
        window_starts=tuple(midnight + datetime.timedelta(days=w / windows) for w in range(windows)),
        window_seconds=DAY_SECONDS / windows,
        stored_share=ranges.stored_share,
        windows=windows,
        loads=tuple(
            AccessLoad.of(
                loads.shares[flow.id],
                loads.rates[flow.id],
                loads.rates[flow.id] * flow.seconds,
                is_write=flow.write is not None,
                access=flow.id,
            )
            for flow in loads.flows
        ),
    )


def busiest_weekday(flows: Sequence[OperationRate]) -> int:
    """Return the weekday with the most node time, the first of equals; 0 is Monday."""
    # Equal days differ in the last bits of their sums; rounding makes the first of them win on every machine.
    return int(np.round(week_share(flows).reshape(7, -1).sum(axis=1), 12).argmax())


def reference_date(end: datetime.date, weekday: int) -> datetime.date:
    """Return the last such weekday before the end of the horizon."""
    return end - datetime.timedelta(days=(end.weekday() - weekday - 1) % 7 + 1)


def tablet_count(physical_bytes: float) -> int:
    """Tablets that hold so many bytes, at least one."""
    return max(math.ceil(physical_bytes / TABLET.value), 1)


def _write_load(flow: OperationRate, peak_per_second: float) -> WriteLoad:
    return WriteLoad(
        write=flow.id,
        row_kind=flow.kind.id,
        rows_per_second=flow.per_second,
        peak_rows_per_second=peak_per_second,
        bytes_per_row=flow.bytes,
        cells_per_row=flow.cells,
        node_seconds_per_row=flow.seconds,
    )


def _hottest_points(
    spec: Spec,
    loads: _Loads,
    patterns: Mapping[str, KeyPattern],
    plans: Sequence[ReadPlan],
    windows: int,
    entities: Mapping[str, EntityShares],
) -> tuple[tuple[AppendPoint, ...], tuple[HotRow, ...]]:
    planned = {plan.read: plan for plan in plans}
    fronts, rows = [], []
    for flow in loads.flows:
        pattern, law, rates = patterns[flow.kind.id], loads.distributions[flow.id], loads.rates[flow.id]
        peak = int(rates.argmax())
        # Distributions can have fewer windows than the day, such as one per hour, so the peak is scaled to theirs.
        window, per_second = peak * law.time.count // windows, loads.peak(flow)
        if flow.write is not None and not flow.write.deletes:
            front = append_point(
                spec, flow, pattern, EventDistribution(law.time.window(window), law.popularity), per_second
            )
            fronts += [front] if front else []
        entity_shares = entities.get(flow.id)
        entity_shares = (
            entity_shares if entity_shares is not None and _is_of_entities(spec, pattern, law, entity_shares) else None
        )
        row = hot_row(flow, pattern, law, window, per_second, planned.get(flow.id), entity_shares)
        rows += [row] if row else []
    return tuple(fronts), tuple(rows)


def _is_of_entities(spec: Spec, pattern: KeyPattern, distribution: EventDistribution, entities: EntityShares) -> bool:
    """Return whether the rows of a key are as busy as its entities: no number is new with events, and none by age."""
    names = {name for segment in pattern.segments for name in segment_fields(segment)}
    laws = [distribution.popularity.get(name) or spec.find(name).popularity for name in names]
    has_counter = entities.is_per_event or any(is_declared_counter(spec, spec.find(name)) for name in names)
    return bool(names) and not has_counter and not any(isinstance(law, Latest) for law in laws)


def _leads(
    table: Table,
    writes: Sequence[OperationRate],
    patterns: Mapping[str, KeyPattern],
    distributions: Mapping[str, EventDistribution],
) -> tuple[LeadValues, ...]:
    """Return the leads of the busiest write of each row kind."""
    leads: list[LeadValues] = []
    for kind in table.row_kinds:
        mine = [flow for flow in writes if flow.kind.id == kind.id]
        if mine:
            busiest = max(mine, key=lambda flow: flow.per_second)
            law = distributions[busiest.id]
            leads += leading_values(kind.id, patterns[kind.id], EventDistribution(law.time.window(0), law.popularity))
    return tuple(leads)


def indivisible_loads(
    flows: Sequence[OperationRate],
    heat: Heat,
    append_points: Sequence[AppendPoint],
    rows: Sequence[HotRow],
    busier_within: Mapping[str, float],
) -> tuple[IndivisibleLoad, ...]:
    """Return the loads of all append points and hot rows, each with all accesses that meet in it."""
    kinds = {flow.id: flow.kind.id for flow in flows}
    # Several writes can meet in one append point or row, such as an insert and an update of the same newest row.
    points: dict[tuple[str, str, bytes], dict[str, float]] = {}
    for point in append_points:
        points.setdefault((kinds[point.write], point.segment, point.prefix), {})[point.write] = point.node_share
    busy_rows: dict[tuple[str, bytes], dict[str, float]] = {}
    for row in rows:
        busy_rows.setdefault((kinds[row.access], row.key), {})[row.access] = row.node_share
    leading = _leading_append_load(heat, busier_within) if any(not point.prefix for point in append_points) else {}
    return (
        *(IndivisibleLoad("front", _at_peak(shares)) for shares in points.values()),
        *([IndivisibleLoad("front", leading)] if leading else []),
        *(IndivisibleLoad("row", _at_peak(shares)) for shares in busy_rows.values()),
    )


def _at_peak(shares: Mapping[str, float]) -> Mapping[str, Floats]:
    return {access: np.array([share]) for access, share in shares.items()}


def _leading_append_load(heat: Heat, busier_within: Mapping[str, float]) -> Mapping[str, Floats]:
    """Return the node time of each access at an append point that leads the key: (windows,) by its id.

    Reads of the newest rows move on with the append point, so a split comes too late for them as well.
    """
    # Shape (windows,): the range with the most writes of each window is where the append point stands then.
    standing = heat.write_node_share.argmax(axis=0)
    return {
        load.access: load.shares[standing, load.columns] * load.node_share * busier_within[load.access]
        for load in heat.loads
    }
