"""From a design to what a run will play: its period, its flows, and where the keys of each table are cut."""

import datetime
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from designer.document import Spec, effective_value, fingerprint
from designer.document.activity import Activity, Bursts, Poisson
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.table import Table
from designer.document.table_periods import with_all_periods
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.estimates.fits import with_fits
from estimator.kernels.keys import KeyPattern, compile_pattern
from estimator.kernels.population.profile import day_rates
from estimator.kernels.population.rates import activity_rate, read_rate
from estimator.kernels.population.timeline import month_dates, month_numbers
from estimator.kernels.traffic.heat import equal_ranges
from estimator.kernels.traffic.load import activity_of, busiest_weekday, reference_date, stored_rows_by_kind
from estimator.kernels.traffic.operations import OperationRate, read_flows, write_flows
from estimator.kernels.traffic.storage_age import date_seconds
from estimator.results.arrays import Floats

from ..results import Estimate, NotComputableError, ReadPlan, TablePart, UnknownReason
from .parameters import Parameters
from .plan import NS, Plan, PlannedFlow, PlannedTable
from .ranges import has_history, moments, stored_shares
from .servers import servers_of

RANGES = 1_024
DAY_WINDOWS, MONTH_WINDOWS, MONTH_LENGTH = 96, 24, 30
MOST_NS = 2**61
"""Node time and bytes of a window are added as 64-bit integers."""


class NothingToSimulateError(NotComputableError):
    """There is no traffic: no table has a write or read with a rate."""


def build_plan(spec: Spec, parameters: Parameters, context: Context) -> Plan:
    """Windows, ranges, flows and shares of a run; bytes on disk by what has been measured.

    Raises
    ------
    NothingToSimulateError
        If no table has traffic.
    NotComputableError
        Why there is no estimate of a table that has some.
    """
    at = with_all_periods(_with_horizon_at(with_fits(spec), parameters))
    full_estimate = estimate(at, context)
    _check_estimated(at, full_estimate)
    tables = {t.id: engine_of(at).as_stored(t) for t in at.tables if full_estimate.tables[t.id].traffic}
    patterns = {
        t.id: {
            kind.id: compile_pattern(at, kind.id, cache=context.cache)
            for kind in t.row_kinds
            if kind.id in full_estimate.tables[t.id].keys
        }
        for t in tables.values()
    }
    flows = {id_: _flows(at, t, patterns[id_], full_estimate.tables[id_]) for id_, t in tables.items()}
    dates, per_day = _dates(at, parameters, [flow for table_flows in flows.values() for flow in table_flows])
    _check_traffic(
        [flow for table_flows in flows.values() for flow in table_flows],
        dates[0] if parameters.from_day is None and parameters.kind == "day" else None,
    )
    if not (parameters.from_day is None and parameters.kind == "day"):
        flows = {id_: tuple(_on_days(at, flow, dates) for flow in table_flows) for id_, table_flows in flows.items()}
    planned = tuple(
        _table(at, t, full_estimate.tables[id_], patterns[id_], flows[id_], dates, per_day, parameters)
        for id_, t in tables.items()
    )
    clusters = servers_of(at).cluster_ids(at)
    plan = Plan(
        spec=at, sha256=fingerprint(spec), parameters=parameters, estimate=full_estimate, dates=dates,
        windows_per_day=per_day,
        new=parameters.from_day == 0 and not any(has_history(at, t) for t in tables.values()),
        tables=planned, clusters=clusters, steady=parameters.from_day is None,
    )  # fmt: skip
    _check_countable(plan)
    return plan


def _with_horizon_at(spec: Spec, parameters: Parameters) -> Spec:
    """Return the design with its horizon at the end of the period."""
    if parameters.from_day is None:
        return spec
    days = parameters.from_day + (1 if parameters.kind == "day" else MONTH_LENGTH)
    return spec.model_copy(update={"horizon_months": max(math.ceil(days / MONTH_DAYS - 1e-9), 1)})


def _check_estimated(spec: Spec, estimate: Estimate) -> None:
    """Raise the reason why a table with accesses has no estimate."""
    tables = [t for t in spec.tables if any(kind.writes or kind.reads for kind in t.row_kinds)]
    for table in tables:
        part = estimate.tables[table.id]
        if part.traffic is None and part.because:
            raise NotComputableError(part.because[0])
    if not tables:
        raise NothingToSimulateError(UnknownReason(N_("Nothing to simulate: no tables have writes or reads yet.")))


def _check_traffic(flows: list[OperationRate], day: datetime.date | None) -> None:
    """Raise an error if nothing has a rate, or if all has ended by the day at the end of the horizon."""
    if not any(flow.per_second > 0 for flow in flows):
        raise NothingToSimulateError(UnknownReason(N_("Nothing to simulate: no writes or reads have a rate yet.")))
    if day is not None and not any(flow.per_second_by_month[-1] > 0 for flow in flows):
        message = N_("Nothing to simulate on {date}: all loads have ended by then. Choose an earlier day.")
        raise NothingToSimulateError(UnknownReason(message, params={"date": day}))


def _flows(spec: Spec, table: Table, patterns: Mapping[str, KeyPattern], part: TablePart) -> tuple[OperationRate, ...]:
    return (*write_flows(spec, table, patterns), *read_flows(spec, table, part.reads))


def _on_days(spec: Spec, flow: OperationRate, dates: tuple[datetime.date, ...]) -> OperationRate:
    """Return a flow with its mean work on the days that are played: that of a read follows what is stored then."""
    months = [(date - month_dates(spec)[0]).days / MONTH_DAYS for date in dates]
    return replace(flow, seconds=float(np.interp(months, month_numbers(spec), flow.seconds_by_month).mean()))


def _dates(spec: Spec, parameters: Parameters, flows: list[OperationRate]) -> tuple[tuple[datetime.date, ...], int]:
    ends = month_dates(spec)
    day, one_day = parameters.kind == "day", datetime.timedelta(days=1)
    if parameters.from_day is not None:
        first = ends[0] + one_day * parameters.from_day
    else:
        first = reference_date(ends[-1], busiest_weekday(flows)) if day else ends[-1] - one_day * MONTH_LENGTH
    if day:
        return (first,), DAY_WINDOWS
    return tuple(first + one_day * number for number in range(MONTH_LENGTH)), MONTH_WINDOWS


def _table(
    spec: Spec, table: Table, part: TablePart, patterns: Mapping[str, KeyPattern], flows: tuple[OperationRate, ...],
    dates: tuple[datetime.date, ...], per_day: int, parameters: Parameters,
) -> PlannedTable:  # fmt: skip
    stored = stored_rows_by_kind(spec, table, patterns, part.sizes)
    first_s, end_s = date_seconds(dates[0]), date_seconds(dates[-1]) + DAY_SECONDS
    ranges = equal_ranges(stored, patterns, *moments(stored, first_s, end_s), ranges=RANGES)
    bounds, share = ranges.bounds, ranges.stored_share
    split = servers_of(spec).initial_split_keys(table)
    # A split key must be a bound, because a tablet can begin only where a range does.
    if set(split) - set(bounds):
        bounds = tuple(sorted({*bounds, *split}))
        share = stored_shares(patterns, stored, bounds, end_s)
    months = None if parameters.from_day is None and parameters.kind == "day" else month_dates(spec)[0]
    plans = {p.read: p for p in part.reads}
    at_once = parameters.assumption("scan_nodes") * parameters.assumption("throughput_share") * DAY_SECONDS / per_day
    return PlannedTable(
        table=table,
        part=part,
        patterns=patterns,
        stored=stored,
        bounds=bounds,
        stored_share=share,
        first_share=stored_shares(patterns, stored, bounds, first_s),
        flows=tuple(
            replace(planned, lasts=_read_windows(spec, planned, plans.get(planned.id), at_once))
            for planned in (
                _plan_flow(
                    spec, table, f, patterns[f.kind.id], dates, per_day, months, plans.get(f.id), len(bounds) + 1
                )
                for f in flows
            )
        ),
    )


def _plan_flow(
    spec: Spec, table: Table, flow: OperationRate, pattern: KeyPattern, dates: tuple[datetime.date, ...], per_day: int,
    start: datetime.date | None, read_plan: ReadPlan | None, ranges: int,
) -> PlannedFlow:  # fmt: skip
    activity = activity_of(spec, flow)
    arrival = activity.arrival if activity is not None else None
    pieces = 1 if read_plan is None else _pieces(read_plan, ranges)
    return PlannedFlow(
        table=table.id, flow=flow, pattern=pattern,
        rates=np.concatenate([_rates(spec, flow, activity, date, per_day, start) for date in dates]),
        pieces=pieces,
        # Whole nanoseconds: sums of integers are the same in any order, so seeds and processes agree to the last bit.
        piece_ns=round(flow.seconds * NS / pieces),
        piece_bytes=(flow.bytes if read_plan is None else read_plan.bytes_returned) / pieces,
        routed=servers_of(spec).routed_shares(spec, flow),
        burst=arrival.size if isinstance(arrival, Bursts) else 1,
        poisson=arrival is None or isinstance(arrival, Poisson | Bursts),
    )  # fmt: skip


def _rates(
    spec: Spec,
    flow: OperationRate,
    activity: Activity | None,
    date: datetime.date,
    per_day: int,
    start: datetime.date | None,
) -> Floats:
    """(windows of a day,) operations a second: at the end of the horizon, or as they are on the day."""
    if start is None:
        return float(flow.per_second_by_month[-1]) * day_rates(flow.profile, date.weekday(), per_day)
    months = (date - start).days / MONTH_DAYS
    if activity is not None and flow.write is not None:
        rate = activity_rate(spec, activity, months) * float(effective_value(spec, flow.write, "rows_per_event"))
    else:
        assert flow.read is not None
        rate = read_rate(spec, flow.read, months) or 0.0
    peak = max((p.factor for p in flow.peak_days if p.date == date), default=1.0)
    return rate * peak * day_rates(flow.profile, date.weekday(), per_day)


def _read_windows(spec: Spec, flow: PlannedFlow, read_plan: ReadPlan | None, at_once: float) -> int:
    """Windows that one read takes: each of its ranges has so many seconds of node time served in a window."""
    return 1 if read_plan is None else servers_of(spec).windows_per_read(flow.flow, read_plan, at_once)


def _pieces(read_plan: ReadPlan, ranges: int) -> int:
    """Over how many key ranges one request is spread: its separate keys, or what its scan covers."""
    # A scan of a tenth of the rows passes a tenth of the ranges, which hold about equal bytes.
    covered = read_plan.rows_scanned / read_plan.rows_total * ranges if read_plan.rows_total else 1.0
    return int(min(max(read_plan.ranges, covered, 1.0), ranges))


def _check_countable(plan: Plan) -> None:
    """Raise an error if a window's node time or bytes would not fit into 64 bits."""
    for flow in plan.flows:
        most = (
            float(flow.rates.max(initial=0.0))
            * plan.window_seconds
            * flow.pieces
            * max(flow.piece_ns, flow.piece_bytes, 1)
        )
        if most > MOST_NS / len(plan.flows):
            params = {"access": flow.id, "rate_per_second": float(flow.rates.max())}
            raise NotComputableError(
                UnknownReason(N_("{access}: {rate_per_second} exceed the limit of a simulation."), flow.id, params)
            )
