"""Rows, bytes by cause and sizes of single rows on the days of a period: the growth model asked for those days."""

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from estimator.kernels.growth.arrivals import KindArrivals, KindShape
from estimator.kernels.growth.crossings import crossings, largest_row_function
from estimator.kernels.growth.history import History, history, physical_over_time, rows_over_time
from estimator.kernels.growth.model import StoredTable, build_stored_table
from estimator.kernels.growth.rowsize import row_sizes_for_limits
from estimator.kernels.growth.shapes import kind_shapes
from estimator.kernels.growth.sizes import infrequent_bytes
from estimator.kernels.population.timeline import month_dates, month_days
from estimator.results.arrays import Floats

from ..engines import ENGINES
from .plan import Plan, PlannedTable
from .results import CAUSES, KindDays, TableDays


def table_days(plan: Plan, table: PlannedTable) -> TableDays:
    """Growth at both ends of a day, as each day of a month ends; of the live estimate's day by month."""
    spec, one_day = plan.spec, datetime.timedelta(days=1)
    if plan.steady and len(plan.dates) == 1:
        dates, days = month_dates(spec), month_days(spec)
    else:
        ends = tuple(date + one_day for date in plan.dates)
        dates = (*plan.dates, *ends) if len(plan.dates) == 1 else ends
        days = _days_since_start(plan, dates)
    if table.part.growth is None or not any(kind.writes for kind in table.table.row_kinds):
        return _unchanging_days(table, dates)
    return _grow_flows(plan, table, dates, days)


def bytes_at_ends(plan: Plan, table: PlannedTable) -> tuple[Floats, Floats]:
    """Return the physical bytes as the period begins and ends, and those of them in infrequent access: (2,) each."""
    growth = table.part.growth
    if growth is None:
        return np.zeros(2), np.zeros(2)
    dates = (plan.dates[0], plan.dates[-1] + datetime.timedelta(days=1))
    if plan.steady or not any(kind.writes for kind in table.table.row_kinds):
        cold = np.zeros(len(growth.dates)) if growth.infrequent_bytes is None else growth.infrequent_bytes
        days, months = _days_since_start(plan, dates), _days_since_start(plan, growth.dates)
        if plan.steady:  # its day stands for the end of the horizon
            days[-1] = months[-1]
        physical, cold = (np.interp(days, months, series) for series in (growth.physical_bytes, cold))
        return physical, np.minimum(cold, physical)
    stored_days = _stored_on(plan, table, _days_since_start(plan, dates))
    cold_bytes = infrequent_bytes(plan.spec, table.table, stored_days.stored, stored_days.ratio)
    return stored_days.physical[-2:], np.zeros(2) if cold_bytes is None else np.minimum(
        cold_bytes, stored_days.physical
    )[-2:]


def _days_since_start(plan: Plan, dates: Sequence[datetime.date]) -> Floats:
    start = month_dates(plan.spec)[0]
    return np.array([(date - start).days for date in dates], dtype=np.float64)


@dataclass(frozen=True)
class _StoredDays:
    """Storage of a table on some days; arrays are (days,), with day 0 before them where it is not one of them."""

    past: History
    shapes: Mapping[str, KindShape]
    stored: StoredTable
    physical: Floats
    ratio: Floats
    """Physical bytes ÷ those of the model."""


def _stored_on(plan: Plan, table: PlannedTable, days: Floats) -> _StoredDays:
    spec, growth = plan.spec, table.part.growth
    measured = growth.measured if growth is not None else None
    shapes = kind_shapes(spec, table.table, table.patterns, table.part.keys)
    past = history(spec, table.table, shapes, measured)
    all_days = days if days[0] == 0 else np.concatenate(([0.0], days))  # what is stated is stated of the first day
    stored = build_stored_table(
        spec, table.table, shapes, all_days, history_days=past.days, only_expected=True, measurement=measured,
        shaped=not plan.steady,
    )  # fmt: skip
    physical = physical_over_time(spec, table.table, stored, past)[0]
    modelled = stored.physical_bytes()
    ratio = np.divide(physical, modelled, out=np.ones_like(physical), where=modelled > 1)
    return _StoredDays(past, shapes, stored, physical, ratio)


def _grow_flows(plan: Plan, table: PlannedTable, dates: tuple[datetime.date, ...], days: Floats) -> TableDays:
    spec, stored_days = plan.spec, _stored_on(plan, table, days)
    stored, all_days = stored_days.stored, stored_days.stored.days
    rows, _ = rows_over_time(table.table, stored)
    causes = {name: np.zeros_like(all_days) for name in CAUSES}
    for column in stored.columns:
        for name in CAUSES:
            causes[name] += column.expected_cells * getattr(column.cell, name)
    for flows, of_kind in zip(stored.kinds, stored.rows, strict=True):
        causes["key"] += of_kind * flows.row_bytes
    # Rows of single entities are computed without a history that does not fit what is stated: it would make the
    # largest row as old as an impossible past.
    single = stored
    if not stored_days.past.is_plausible:
        single = build_stored_table(spec, table.table, stored_days.shapes, all_days, history_days=0.0, only_rows=True)
    tail = slice(len(all_days) - len(days), None)
    return TableDays(
        dates=dates,
        rows=rows[tail],
        stored_bytes={name: (cause_bytes * stored_days.ratio)[tail] for name, cause_bytes in causes.items()},
        physical_bytes=stored_days.physical[tail],
        kinds=tuple(_sizes(plan, flows, days, dates) for flows in single.kinds),
    )


def _sizes(plan: Plan, flows: KindArrivals, days: Floats, dates: tuple[datetime.date, ...]) -> KindDays:
    spec = plan.spec
    lag = ENGINES[spec.engine].UNCOLLECTED_DAYS_FOR_LIMITS
    sizes, live = row_sizes_for_limits(spec, flows, days)
    start = month_dates(spec)[0]
    hottest = flows.busiest
    return KindDays(
        row_kind=flows.kind.id,
        median_bytes=sizes.median,
        p99_bytes=sizes.p99,
        largest_bytes=sizes.largest,
        live_largest_bytes=live.largest,
        largest_entity=hottest.hottest.text if hottest else "",
        crossings=crossings(spec, start, days, sizes.largest, largest_row_function(spec, flows, lag)),
        live_crossings=crossings(spec, start, days, live.largest, largest_row_function(spec, flows, 0.0)),
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
    requested_shares : float64 (n,)
        Shares of single entities.
    """
    order = np.argsort(shares)
    upto = np.cumsum(counts[order])
    # Quantiles over entities: each class counts with its number of entities, not once.
    at = [shares[order][min(int(np.searchsorted(upto, q * upto[-1])), len(order) - 1)] for q in (0.5, 0.99, 1.0)]
    if not math.isfinite(at[2]) or at[2] <= at[0]:
        return np.full(len(requested_shares), sizes[2])
    return np.asarray(
        # Equal shares at two quantiles, or sizes off by rounding, must not make the abscissas descend.
        np.interp(requested_shares, np.maximum.accumulate([0.0, *at]), [0.0, *np.maximum.accumulate(sizes)])
    )
