"""Rows, bytes by cause and sizes of single rows on the days of a period: the growth model asked for those days."""

import datetime
import math

import numpy as np

from estimator.kernels.growth.arrivals import KindArrivals
from estimator.kernels.growth.crossings import crossings, largest_row_function
from estimator.kernels.growth.history import history, physical_over_time, rows_over_time
from estimator.kernels.growth.model import build_stored_table
from estimator.kernels.growth.rowsize import row_events, row_sizes
from estimator.kernels.growth.shapes import kind_shapes
from estimator.kernels.population.timeline import month_dates, month_days
from estimator.results.arrays import Floats

from ..engines import ENGINES
from .plan import Plan, PlannedTable
from .results import CAUSES, KindDays, TableDays


def table_days(plan: Plan, table: PlannedTable) -> TableDays:
    """Growth on each day of a month; for a day's run on the last day of each month of the horizon."""
    spec = plan.spec
    start = month_dates(spec)[0]
    if len(plan.dates) == 1:
        dates, days = month_dates(spec), month_days(spec)
    else:
        dates = tuple(date + datetime.timedelta(days=1) for date in plan.dates)  # as each day ends
        days = np.array([(date - start).days for date in dates], dtype=np.float64)
    if table.part.growth is None or not any(kind.writes for kind in table.table.row_kinds):
        return _unchanging_days(table, dates)
    return _grow_flows(plan, table, dates, days)


def _grow_flows(plan: Plan, table: PlannedTable, dates: tuple[datetime.date, ...], days: Floats) -> TableDays:
    spec, growth = plan.spec, table.part.growth
    measured = growth.measured if growth is not None else None
    shapes = kind_shapes(spec, table.table, table.patterns, table.part.keys)
    past = history(spec, table.table, shapes, measured)
    asked = days if days[0] == 0 else np.concatenate(([0.0], days))  # what is stated is stated of the first day
    stored = build_stored_table(
        spec, table.table, shapes, asked, history_days=past.days, only_expected=True, measurement=measured
    )
    rows, _ = rows_over_time(table.table, stored)
    physical = physical_over_time(spec, table.table, stored, past)[0]
    modelled = stored.physical_bytes()
    ratio = np.divide(physical, modelled, out=np.ones_like(physical), where=modelled > 1)
    causes = {name: np.zeros_like(asked) for name in CAUSES}
    for column in stored.columns:
        for name in CAUSES:
            causes[name] += column.expected_cells * getattr(column.cell, name)
    for flows, of_kind in zip(stored.kinds, stored.rows, strict=True):
        causes["key"] += of_kind * flows.row_bytes
    single = stored
    if not past.is_plausible:
        single = build_stored_table(spec, table.table, shapes, asked, history_days=0.0, only_rows=True)
    tail = slice(len(asked) - len(days), None)
    return TableDays(
        dates=dates,
        rows=rows[tail],
        stored_bytes={name: (each * ratio)[tail] for name, each in causes.items()},
        physical_bytes=physical[tail],
        kinds=tuple(_sizes(plan, flows, days, dates) for flows in single.kinds),
    )


def _sizes(plan: Plan, flows: KindArrivals, days: Floats, dates: tuple[datetime.date, ...]) -> KindDays:
    spec = plan.spec
    lag = ENGINES[spec.engine].UNCOLLECTED_DAYS_FOR_LIMITS
    median, p99, largest = row_sizes(spec, flows, row_events(flows, days, lag_days=lag), days, lag_days=lag)
    hottest = flows.busiest
    return KindDays(
        row_kind=flows.kind.id,
        median_bytes=median,
        p99_bytes=p99,
        largest_bytes=largest,
        largest_entity=hottest.hottest.text if hottest else "",
        crossings=crossings(spec, month_dates(spec)[0], days, largest, largest_row_function(spec, flows)),
    )


def _unchanging_days(table: PlannedTable, dates: tuple[datetime.date, ...]) -> TableDays:
    """Return the unchanging content of a table that nothing is written to."""
    growth = table.part.growth
    logical = float(growth.logical_bytes[-1]) if growth is not None else 0.0
    ones = np.ones(len(dates))
    return TableDays(
        dates=dates,
        rows=ones * (float(growth.rows[-1]) if growth is not None else 0.0),
        stored_bytes={name: ones * (logical if name == "value" else 0.0) for name in CAUSES},
        physical_bytes=ones * (float(growth.physical_bytes[-1]) if growth is not None else 0.0),
        kinds=(),
    )


def bytes_at_share(
    shares: Floats, counts: Floats, sizes: tuple[float, float, float], requested_shares: Floats
) -> Floats:
    """Return the approximate row size of an entity with a share of the events, in bytes.

    Straight lines between the median, the 99th percentile and the largest row, by the shares that these have.

    Parameters
    ----------
    shares, counts : float64 (classes,)
        How events spread over entities.
    sizes
        Of the median, the 99th-percentile and the largest row. [bytes]
    asked : float64 (n,)
        Shares of single entities.
    """
    order = np.argsort(shares)
    upto = np.cumsum(counts[order])
    at = [shares[order][min(int(np.searchsorted(upto, q * upto[-1])), len(order) - 1)] for q in (0.5, 0.99, 1.0)]
    if not math.isfinite(at[2]) or at[2] <= at[0]:
        return np.full(len(requested_shares), sizes[2])
    return np.asarray(
        np.interp(requested_shares, np.maximum.accumulate([0.0, *at]), [0.0, *np.maximum.accumulate(sizes)])
    )
