"""Every write and read of a table as a flow: its rate over the week and the months, and node time per operation."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec, assumed
from designer.document.access import Read, Write
from designer.document.activity import Activity, Flat, PeakDay, Profile
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.engines import Capacity, bigtable
from estimator.kernels.keys import Pattern
from estimator.results import Because, Open, ReadPlan, RowKindSize
from estimator.results.arrays import Floats

from ..growth.cells import cell, written_columns
from ..growth.tablestore import primary_key_bytes
from ..growth.timeline import month_dates
from . import units
from .node_time import TOMBSTONES, change_stream_factor, collection_factor, write_seconds
from .profile import activity_rate, day_rates, profile_week, read_rate


@dataclass(frozen=True)
class Flow:
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
    """Node time of one of them."""
    bytes: float
    """Of one row written; 0 for reads."""
    cells: float

    @property
    def per_second(self) -> float:
        """Mean over the week at the end of the horizon."""
        return float(self.per_second_by_month[-1])

    def day(self, weekday: int, windows: int) -> Floats:
        """(windows,) operations a second on a weekday at the end of the horizon."""
        return self.per_second * day_rates(self.profile, weekday, windows)


def write_flows(spec: Spec, table: Table, patterns: Mapping[str, Pattern]) -> tuple[Flow, ...]:
    """The writes into row kinds that have a key, in document order.

    Raises
    ------
    Open
        If a write names no activity, or its activity has no rate.
    """
    capacity = bigtable.instance_capacity(spec.instance)
    return tuple(
        _write(spec, table, kind, write, patterns[kind.id].facts().bytes_typical, capacity)
        for kind in table.row_kinds
        if kind.id in patterns
        for write in kind.writes
    )


def _write(spec: Spec, table: Table, kind: RowKind, write: Write, key_bytes: float, capacity: Capacity) -> Flow:
    if write.activity is None:
        raise Open(Because(N_("The write “{write}” names no activity."), write.id, {"write": write.name or write.id}))
    activity: Activity = spec.find(write.activity)
    rows = float(assumed(spec, write, "rows_per_event"))
    if spec.engine == "tablestore":
        key_bytes = primary_key_bytes(spec, kind)
    cells, row_bytes = _row(spec, table, kind, write, key_bytes)
    families = [family for family, _ in written_columns(table, kind, write)]
    seconds = (
        write_seconds(capacity, row_bytes, cells=cells, mode=write.mode)
        * change_stream_factor(table)
        * collection_factor(spec, families, per_event=write.mode == "append_row")
    )
    if spec.engine == "tablestore":
        seconds = units.write_seconds(write.mode, key_bytes, row_bytes)
    months = range(len(month_dates(spec)))
    return Flow(
        id=write.id,
        kind=kind,
        write=write,
        read=None,
        profile=assumed(spec, activity, "profile"),
        peak_days=activity.peak_days,
        per_second_by_month=np.array([activity_rate(spec, activity, month) * rows for month in months]),
        seconds=seconds,
        bytes=row_bytes,
        cells=cells,
    )


def _row(spec: Spec, table: Table, kind: RowKind, write: Write, key_bytes: float) -> tuple[float, float]:
    """Cells and bytes of one row as it is sent: key, family, qualifier, timestamp and value of each cell."""
    cells, row_bytes = 0.0, key_bytes if spec.engine == "tablestore" else 0.0
    for family, column in written_columns(table, kind, write):
        presence = float(assumed(spec, column, "presence"))
        size = cell(spec, family, column, key_bytes)
        cells += presence
        numbers = size.timestamp if spec.engine == "tablestore" else size.overhead  # what is stored and not sent
        row_bytes += presence * (size.total - numbers - (size.value if write.mode in TOMBSTONES else 0.0))
    return max(cells, 1.0), max(row_bytes, key_bytes)


def read_flows(spec: Spec, table: Table, plans: Sequence[ReadPlan]) -> tuple[Flow, ...]:
    """The reads that have a plan and a rate. Those through Data Boost cost the cluster's nodes nothing."""
    planned = {plan.read: plan for plan in plans}
    months = range(len(month_dates(spec)))
    flows = []
    for kind in table.row_kinds:
        for read in kind.reads:
            plan = planned.get(read.id)
            if plan is None or plan.per_second is None:
                continue
            rates = np.array([read_rate(spec, read, month) or 0.0 for month in months])
            boosted = read.app_profile is not None and spec.find(read.app_profile).data_boost
            seconds = 0.0 if boosted else plan.node_seconds
            flows.append(
                Flow(
                    id=read.id, kind=kind, write=None, read=read, profile=assumed(spec, read, "profile") or Flat(),
                    peak_days=(), per_second_by_month=rates, seconds=seconds, bytes=0.0, cells=0.0,
                )
            )  # fmt: skip
    return tuple(flows)


def week_share(flows: Sequence[Flow]) -> Floats:
    """Node time per time in each hour of the week at the end of the horizon: float64, shape (168,)."""
    return sum((flow.per_second * flow.seconds * profile_week(flow.profile) for flow in flows), np.zeros(168))


def month_shares(flows: Sequence[Flow], dates: Sequence[datetime.date]) -> tuple[Floats, Floats]:
    """Node time per time in the busiest hour of the week, at the start and after each month, and the reads' part.

    A named peak day counts in the month that it falls in: the hours of that weekday at its multiple.

    Parameters
    ----------
    flows : sequence of Flow
    dates : sequence of date
        The start and the end of each month.

    Returns
    -------
    two of float64, shape (months + 1,)
        1 is one busy node; all flows, and reads in that same hour.
    """
    total, reading = np.zeros(len(dates)), np.zeros(len(dates))
    if not flows:
        return total, reading
    load = np.array([flow.per_second_by_month * flow.seconds for flow in flows])
    shape = np.array([profile_week(flow.profile) for flow in flows])
    is_read = np.array([flow.read is not None for flow in flows])
    peaks = sorted({peak.date for flow in flows for peak in flow.peak_days})
    for month in range(len(dates)):
        weeks = [shape]
        for date in peaks:
            if month > 0 and dates[month - 1] <= date < dates[month]:
                hours = slice(date.weekday() * 24, date.weekday() * 24 + 24)
                weeks.append(shape[:, hours] * np.array([_factor(flow, date) for flow in flows])[:, None])
        hourly = load[:, month, None] * np.concatenate(weeks, axis=1)
        busiest = int(hourly.sum(axis=0).argmax())
        total[month], reading[month] = hourly[:, busiest].sum(), hourly[is_read, busiest].sum()
    return total, reading


def _factor(flow: Flow, date: datetime.date) -> float:
    return max((peak.factor for peak in flow.peak_days if peak.date == date), default=1.0)


def sizes_of(sizes: Mapping[str, RowKindSize], kind: str) -> RowKindSize:
    """The sizes of a row kind; nothing stored where nothing is known."""
    return sizes.get(kind) or RowKindSize(kind, 0.0, ())
