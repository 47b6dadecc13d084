"""Every write and read of a table as a flow: its rate over the week and the months, and node time per operation."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read, Write
from designer.document.activity import Activity, Flat, PeakDay, Profile
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.kernels.keys import KeyPattern, key_summary
from estimator.results import AccessHours, NotComputableError, ReadPlan, RowKindSize, UnknownReason
from estimator.results.arrays import Floats

from ..growth.cells import cell, row_overhead_bytes, written_bytes_above, written_columns
from ..population.profile import busy_week, day_rates, hour_parts, stack_weeks, week_parts
from ..population.rates import activity_rates, end_month, read_rates
from ..population.timeline import month_numbers
from .node_time import TOMBSTONES
from .work import work_of


@dataclass(frozen=True)
class OperationRate:
    """One write or read, as operations a second."""

    id: str
    kind: RowKind
    write: Write | None
    read: Read | None
    profile: Profile
    peak_days: tuple[PeakDay, ...]
    per_second_by_month: Floats
    """(months + 1,) mean over the week: rows written, or requests."""
    seconds: float
    """Node time of one of them at the end of the horizon."""
    seconds_by_month: Floats
    """(months + 1,) the same over the horizon: that of a read follows what is stored."""
    bytes: float
    """Of one row written; 0 for reads."""
    cells: float
    last_per_second: float | None = None
    """Of a load that ends before the horizon does: on its last day."""
    ends_on: datetime.date | None = None
    """The first day without it."""

    @property
    def per_second(self) -> float:
        """Mean over the week at the end of the horizon; of a load that has ended then, at its own end."""
        return float(self.per_second_by_month[-1]) if self.last_per_second is None else self.last_per_second

    def day(self, weekday: int, windows: int) -> Floats:
        """(windows,) operations a second on a weekday at the end of the horizon."""
        return self.per_second * day_rates(self.profile, weekday, windows)

    def busier_within(self, weekday: int, windows: int) -> float:
        """Return how many times the rate of the day's busiest window its operations have while they run. [1]

        It is 1 but for batches that begin or end within windows.
        """
        rates = day_rates(self.profile, weekday, windows)
        if windows % (24 * hour_parts(self.profile)) == 0 or not rates.any():
            return 1.0
        return float(busy_week(self.profile).reshape(7, -1)[weekday].max() / rates.max())


def write_flows(spec: Spec, table: Table, patterns: Mapping[str, KeyPattern]) -> tuple[OperationRate, ...]:
    """Return the writes into row kinds that have a key, in document order.

    Raises
    ------
    NotComputableError
        If a write names no activity, or its activity has no rate.
    """
    return tuple(
        _write(spec, table, kind, write, key_summary(patterns[kind.id]).bytes_typical)
        for kind in table.row_kinds
        if kind.id in patterns
        for write in kind.writes
    )


def _write(spec: Spec, table: Table, kind: RowKind, write: Write, key_bytes: float) -> OperationRate:
    if write.activity is None:
        raise NotComputableError(
            UnknownReason(N_("The write “{write}” does not specify an activity."), write.id, {"write": write.label})
        )
    activity: Activity = spec.find(write.activity)
    rows = float(effective_value(spec, write, "rows_per_event"))
    key_bytes = row_overhead_bytes(spec, kind) or key_bytes
    cells, row_bytes = _row(spec, table, kind, write, key_bytes)
    families = [family for family, _ in written_columns(table, kind, write)]
    seconds = work_of(spec).write_seconds(
        spec,
        table,
        write,
        families,
        key_bytes=key_bytes,
        row_bytes=row_bytes,
        above_bytes=written_bytes_above(spec, table, kind, write),
        cells=cells,
    )
    months = month_numbers(spec)
    return OperationRate(
        id=write.id,
        kind=kind,
        write=write,
        read=None,
        profile=effective_value(spec, activity, "profile"),
        peak_days=activity.peak_days,
        per_second_by_month=activity_rates(spec, activity, months) * rows,
        seconds=seconds,
        seconds_by_month=np.full(len(months), seconds),
        bytes=row_bytes,
        cells=cells,
        last_per_second=_last_rate(spec, activity, months[-1:], rows),
        ends_on=activity.ends_on,
    )


def _last_rate(spec: Spec, activity: Activity, end: Floats, rows: float) -> float | None:
    """Return the rows a second on the last day of an activity that ends before the horizon; None if it goes on."""
    if end_month(spec, activity) > end[0]:
        return None
    return float(activity_rates(spec, activity, end, until_end=False)[0]) * rows


def _row(spec: Spec, table: Table, kind: RowKind, write: Write, key_bytes: float) -> tuple[float, float]:
    """Cells and bytes of one row as it is sent: key, family, qualifier, timestamp and value of each cell."""
    engine = engine_of(spec)
    cells, row_bytes = 0.0, row_overhead_bytes(spec, kind)
    for family, column in written_columns(table, kind, write):
        presence = float(effective_value(spec, column, "presence"))
        size = cell(spec, family, column, key_bytes)
        cells += presence
        # Stored cells hold parts that no client sends, such as the engine's own overhead.
        sent = size.total - engine.unsent_bytes(size)
        # A delete names the cell but has no value.
        row_bytes += presence * (sent - (size.value if write.mode in TOMBSTONES else 0.0))
    # With all columns rare, the mean can be below one cell, but a write without a cell does not exist.
    return max(cells, 1.0), max(row_bytes, key_bytes)


def read_flows(spec: Spec, table: Table, plans: Sequence[ReadPlan]) -> tuple[OperationRate, ...]:
    """Return the reads that have a plan and a rate.

    Reads through Data Boost cost the cluster's nodes nothing.
    """
    planned = {plan.read: plan for plan in plans}
    months = month_numbers(spec)
    flows = []
    for kind in table.row_kinds:
        for read in kind.reads:
            plan, rates = planned.get(read.id), read_rates(spec, read, months)
            if plan is None or rates is None:
                continue
            # Data Boost runs on Google's own compute and is billed by its own line; the rate still counts for that
            # line.
            served = 0.0 if has_data_boost(spec, read) else 1.0
            flows.append(
                OperationRate(
                    id=read.id,
                    kind=kind,
                    write=None,
                    read=read,
                    profile=effective_value(spec, read, "profile") or Flat(),
                    # Only activities can state named peak days.
                    peak_days=(),
                    per_second_by_month=rates,
                    seconds=plan.node_seconds * served,
                    seconds_by_month=plan.over(len(months) - 1).node_seconds * served,
                    bytes=0.0,
                    cells=0.0,
                )
            )
    return tuple(flows)


def has_data_boost(spec: Spec, read: Read | Write) -> bool:
    """Return True if Data Boost serves it: it uses no cluster's nodes then."""
    return read.app_profile is not None and bool(spec.find(read.app_profile).data_boost)


def week_share(flows: Sequence[OperationRate]) -> Floats:
    """Node time per time in each hour of the week at the end of the horizon: float64, shape (168,).

    Hours in which a batch begins or ends are cut there, and all others alike: (168 × parts,).
    """
    weeks = stack_weeks([week_parts(flow.profile) for flow in flows])
    shares = (flow.per_second * flow.seconds * week for flow, week in zip(flows, weeks, strict=True))
    return sum(shares, np.zeros(weeks.shape[1]))


def month_shares(
    flows: Sequence[OperationRate], dates: Sequence[datetime.date]
) -> tuple[Floats, Floats, tuple[AccessHours, ...]]:
    """Node time per time in the busiest hour of the week, at the start and of each month; the reads' part; by access.

    In an hour of which a batch takes only a part it is that of the busiest part.

    A named peak day counts in the month that it falls in: the hours of that weekday at its multiple. A load that ends
    counts in the month of its end as on its last day.

    Parameters
    ----------
    flows : sequence of Flow
    dates : sequence of date
        The start and the end of each month.

    Returns
    -------
    two of float64, shape (months + 1,)
        1 is one busy node; all flows, and reads in that same hour.
    tuple of AccessHours
        Of each flow.
    """
    total, reading = np.zeros(len(dates)), np.zeros(len(dates))
    if not flows:
        return total, reading, ()
    # Shapes: load (flows, months + 1), shape (flows, hours or their parts). The busiest hour is that of all flows
    # together, which need not be the busiest of any of them.
    load = np.array([flow.per_second_by_month * flow.seconds_by_month for flow in flows])
    # Months of equal length can begin half a day before those of the calendar, by which a load ends.
    load *= np.array([[flow.ends_on is None or date < flow.ends_on for date in dates] for flow in flows])
    running = np.array([_per_second_in_month(flow, dates) * flow.seconds_by_month for flow in flows])
    shape = stack_weeks([busy_week(flow.profile) for flow in flows])
    is_read = np.array([flow.read is not None for flow in flows])
    highest = shape.max(axis=1)
    day = shape.shape[1] // 7
    peaks = sorted({peak.date for flow in flows for peak in flow.peak_days})
    for month in range(len(dates)):
        weeks = [shape]
        for date in peaks:
            # The entry of a month stands at its end, so a peak day counts where the month that holds it ends.
            if month > 0 and dates[month - 1] <= date < dates[month]:
                hours = slice(date.weekday() * day, date.weekday() * day + day)
                weeks.append(shape[:, hours] * np.array([_factor(flow, date) for flow in flows])[:, None])
        hourly = running[:, month, None] * np.concatenate(weeks, axis=1)
        hour = int(hourly.sum(axis=0).argmax())
        total[month], reading[month] = hourly[:, hour].sum(), hourly[is_read, hour].sum()
    of_week = np.divide(shape, highest[:, None], out=np.ones_like(shape), where=highest[:, None] > 0)
    accesses = tuple(
        # The mean of every shape is 1, but of a week of nothing.
        AccessHours(
            access=flow.id, is_write=flow.read is None, usual_by_month=load[place] * highest[place],
            running_by_month=running[place] * highest[place], week=of_week[place],
            mean_share=1 / float(highest[place]) if highest[place] > 0 else 0.0,
            ends_on=flow.ends_on, peak_factors={peak.date: _factor(flow, peak.date) for peak in flow.peak_days},
        )
        for place, flow in enumerate(flows)
    )  # fmt: skip
    return total, reading, accesses


def _factor(flow: OperationRate, date: datetime.date) -> float:
    if flow.ends_on is not None and date >= flow.ends_on:
        return 0.0
    return max((peak.factor for peak in flow.peak_days if peak.date == date), default=1.0)


def _per_second_in_month(flow: OperationRate, dates: Sequence[datetime.date]) -> Floats:
    """Return a flow's rate in the months that end on these dates, in that of its own end as on its last day."""
    if flow.ends_on is None or flow.last_per_second is None:
        return flow.per_second_by_month
    ends_in = [False, *(first < flow.ends_on <= last for first, last in pairwise(dates))]
    return np.where(ends_in, flow.last_per_second, flow.per_second_by_month)


def sizes_of(sizes: Mapping[str, RowKindSize], kind: str) -> RowKindSize:
    """Return the sizes of a row kind; nothing stored if nothing is known."""
    return sizes.get(kind) or RowKindSize(kind, 0.0, ())
