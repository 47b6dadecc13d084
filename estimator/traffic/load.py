"""Reads and writes of one table over the shown day: the busiest weekday at the end of the horizon, fixed tablets."""

import datetime
import math
from collections.abc import Mapping, Sequence

import numpy as np

from designer.spec import Spec
from designer.spec.table import Table
from designer.spec.texts import N_

from ..grain import FULL, Grain
from ..growth.timeline import month_dates
from ..keys import Law, Pattern
from ..results import (
    Because,
    Floats,
    Front,
    Heat,
    HotRow,
    LeadValues,
    Open,
    ReadPlan,
    RowKindSize,
    TableGrowth,
    TableTraffic,
    WriteLoad,
)
from .assumptions import TABLET
from .flows import Flow, month_shares, read_flows, sizes_of, week_share, write_flows
from .fronts import front, leads
from .heat import equal_ranges, flow_shares
from .laws import Day, read_law, write_law
from .partitions import partition_load
from .pattern import Shown, named_patterns
from .reads import newest_days
from .rows import hot_row
from .scope import Stored
from .stored import seconds, stored_time


def table_traffic(
    spec: Spec,
    table: Table,
    patterns: Mapping[str, Pattern],
    sizes: Mapping[str, RowKindSize],
    growth: TableGrowth,
    plans: Sequence[ReadPlan],
    grain: Grain = FULL,
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

    Raises
    ------
    Open
        If no row kind has a key, a write names no activity, or its activity has no rate.
    """
    if not patterns:
        raise Open(Because(N_("“{table}” has no row key yet."), table.id, {"table": table.name or table.id}))
    writes, reads = write_flows(spec, table, patterns), read_flows(spec, table, plans)
    flows, windows = (*writes, *reads), grain.windows
    weekday = busiest_weekday(flows)
    date = shown_day(month_dates(spec)[-1], weekday)
    day = Day(seconds(date), windows)
    stored = {
        kind.id: Stored(spec, table, kind, patterns[kind.id].facts(), sizes_of(sizes, kind.id),
                        stored_time(spec, table, kind))
        for kind in table.row_kinds
        if kind.id in patterns
    }  # fmt: skip
    laws = _laws(spec, stored, patterns, flows, plans, day)
    ranges = equal_ranges(stored, patterns, day.start_s + 86_400, grain.ranges)
    rates = {flow.id: flow.day(weekday, windows) for flow in flows}
    shares = {
        flow.id: flow_shares(flow, patterns[flow.kind.id], laws[flow.id], ranges.bounds, windows, _activity(spec, flow))
        for flow in flows
    }
    size = (len(ranges.bounds) + 1, windows)
    heat = Heat(
        bounds=tuple(map(next(iter(patterns.values())).shown, ranges.bounds)),
        window_starts=tuple(
            datetime.datetime.combine(date, datetime.time(), datetime.UTC) + datetime.timedelta(days=w / windows)
            for w in range(windows)
        ),
        window_seconds=86_400 / windows,
        stored_share=ranges.stored_share,
        writes_per_second=_total(writes, shares, rates, size, node=False),
        reads_per_second=_total(reads, shares, rates, size, node=False),
        write_node_share=_total(writes, shares, rates, size, node=True),
        read_node_share=_total(reads, shares, rates, size, node=True),
    )
    fronts, rows = _hottest(spec, flows, patterns, laws, rates, plans, windows)
    shown = [
        Shown(flow, rates[flow.id], (shares[flow.id] * rates[flow.id]).mean(axis=1) * flow.seconds) for flow in flows
    ]
    by_range = sum((each.by_range for each in shown), np.zeros(size[0]))
    total = float(by_range.sum())
    hottest = int(by_range.argmax())
    by_month, reads_by_month = month_shares(flows, growth.dates)
    partition = None
    if spec.engine == "tablestore":
        partition = partition_load(flows, patterns, laws, rates, stored, day_end_s=day.start_s + 86_400)
    return TableTraffic(
        day=date,
        heat=heat,
        writes=tuple(_write_load(flow, rates[flow.id]) for flow in writes),
        fronts=fronts,
        hot_rows=rows,
        leads=_leads(table, writes, patterns, laws),
        patterns=named_patterns(
            spec, shown, ranges.stored_share, fronts, rows, {plan.read: plan for plan in plans}, growth
        ),
        tablets=partition.partitions if partition else tablets_of(float(growth.physical_bytes[-1])),
        hottest_range_share=float(by_range[hottest]) / total if total > 0 else 0.0,
        hottest_range=hottest,
        indivisible_node_share=max(
            indivisible(flows, fronts, rows), at_the_end(heat, fronts), partition.node_share if partition else 0.0
        ),
        week_node_share=week_share(flows),
        node_share_by_month=by_month,
        read_node_share_by_month=reads_by_month,
        partition=partition,
    )


def busiest_weekday(flows: Sequence[Flow]) -> int:
    """The weekday with the most node time, the first of equals; 0 is Monday."""
    return int(np.round(week_share(flows).reshape(7, 24).sum(axis=1), 12).argmax())


def shown_day(end: datetime.date, weekday: int) -> datetime.date:
    """The last such weekday before the end of the horizon."""
    return end - datetime.timedelta(days=(end.weekday() - weekday - 1) % 7 + 1)


def tablets_of(physical_bytes: float) -> int:
    """Tablets that hold so many bytes, at least one."""
    return max(math.ceil(physical_bytes / TABLET.value), 1)


def _activity(spec: Spec, flow: Flow) -> object:
    return spec.find(flow.write.activity) if flow.write is not None and flow.write.activity else None


def _laws(
    spec: Spec, stored: Mapping[str, Stored], patterns: Mapping[str, Pattern], flows: Sequence[Flow],
    plans: Sequence[ReadPlan], day: Day,
) -> dict[str, Law]:  # fmt: skip
    planned = {plan.read: plan for plan in plans}
    laws = {}
    for flow in flows:
        pattern = patterns[flow.kind.id]
        if flow.write is not None:
            laws[flow.id] = write_law(spec, pattern, flow.write, day)
        elif flow.read is not None:
            kind, plan = stored[flow.kind.id], planned[flow.id]
            laws[flow.id] = read_law(kind, pattern, flow.read, plan, day, newest_days(kind, flow.read, plan))
    return laws


def _total(
    flows: Sequence[Flow],
    shares: Mapping[str, Floats],
    rates: Mapping[str, Floats],
    size: tuple[int, int],
    *,
    node: bool,
) -> Floats:
    """Operations a second, or node time per time, of several flows: float64, shape (ranges, windows)."""
    total = np.zeros(size)
    for flow in flows:
        total += shares[flow.id] * (rates[flow.id] * (flow.seconds if node else 1.0))
    return total


def _write_load(flow: Flow, rates: Floats) -> WriteLoad:
    return WriteLoad(
        write=flow.id,
        row_kind=flow.kind.id,
        rows_per_second=flow.per_second,
        peak_rows_per_second=float(rates.max()),
        bytes_per_row=flow.bytes,
        cells_per_row=flow.cells,
        node_seconds_per_row=flow.seconds,
    )


def _hottest(
    spec: Spec, flows: Sequence[Flow], patterns: Mapping[str, Pattern], laws: Mapping[str, Law],
    rates: Mapping[str, Floats], plans: Sequence[ReadPlan], windows: int,
) -> tuple[tuple[Front, ...], tuple[HotRow, ...]]:  # fmt: skip
    planned = {plan.read: plan for plan in plans}
    fronts, rows = [], []
    for flow in flows:
        pattern, law, peak = patterns[flow.kind.id], laws[flow.id], int(rates[flow.id].argmax())
        window = peak * law.time.count // windows
        per_second = float(rates[flow.id][peak])
        if flow.write is not None and not flow.write.mode.startswith("delete"):
            found = front(spec, flow, pattern, Law(law.time.window(window), law.popularity), per_second)
            fronts += [found] if found else []
        row = hot_row(flow, pattern, law, window, per_second, planned.get(flow.id))
        rows += [row] if row else []
    return tuple(fronts), tuple(rows)


def _leads(
    table: Table, writes: Sequence[Flow], patterns: Mapping[str, Pattern], laws: Mapping[str, Law]
) -> tuple[LeadValues, ...]:
    """Of the busiest write of each row kind."""
    found: list[LeadValues] = []
    for kind in table.row_kinds:
        mine = [flow for flow in writes if flow.kind.id == kind.id]
        if mine:
            busiest = max(mine, key=lambda flow: flow.per_second)
            law = laws[busiest.id]
            found += leads(kind.id, patterns[kind.id], Law(law.time.window(0), law.popularity))
    return tuple(found)


def at_the_end(heat: Heat, fronts: Sequence[Front]) -> float:
    """Node time, writes and reads, where a front that leads the key stands, at its peak; 0 where none leads it. [1]

    What readers want of the newest rows moves on with the front, so a split comes too late for them as well.
    """
    if all(front.prefix for front in fronts):
        return 0.0
    standing = heat.write_node_share.argmax(axis=0)
    return float(heat.node_share[standing, np.arange(len(standing))].max())


def indivisible(flows: Sequence[Flow], fronts: Sequence[Front], rows: Sequence[HotRow]) -> float:
    """Node time of the busiest front or row, all accesses that meet in it together. [1]"""
    kind = {flow.id: flow.kind.id for flow in flows}
    things: dict[tuple[str, str, bytes], float] = {}
    for front_ in fronts:
        thing = (kind[front_.write], front_.segment, front_.prefix)
        things[thing] = things.get(thing, 0.0) + front_.node_share
    for row in rows:
        thing = (kind[row.access], "", row.key)
        things[thing] = things.get(thing, 0.0) + row.node_share
    return max(things.values(), default=0.0)
