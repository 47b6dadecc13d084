"""Writes as flows into the rows of one kind: when events come, and how they spread over entities and time buckets."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Write, WriteMode
from designer.document.activity import Activity, Backfill, Every
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.kernels.keys.values.drawn_fields import owner_chain
from estimator.results import NotComputableError, UnknownReason
from estimator.results.arrays import Floats

from ..population.clock import EventCurve, LaterClock
from ..population.counts import Counts
from ..population.population import Population
from ..population.rates import last_update_days
from ..population.rotation import TablesKept, kept_tables
from ..population.values import values_in_use
from .cells import DELETES, touched_columns

PER_EVENT_SHARE = 0.99
"""Rows are each of one event where so many of the events that make rows name a new one."""


@dataclass(frozen=True)
class Names:
    """Qualifiers of one column within a row, in classes."""

    count: Floats
    """(classes,) [qualifiers]"""
    share: Floats
    """(classes,) of the row's events, that one qualifier gets. [1]"""
    slot_seconds: float | None = None
    """Length of the time that a qualifier shows beside; None: it shows none."""

    def slots(self, span_days: float) -> float:
        """Return the times that qualifiers can show in a row that receives for so long; at least one."""
        return 1.0 if self.slot_seconds is None else max(span_days * DAY_SECONDS / self.slot_seconds, 1.0)

    def total(self, span_days: float) -> float:
        """Return the qualifiers that a row can have."""
        return float(self.count.sum()) * self.slots(span_days)


ONE_NAME = Names(np.ones(1), np.ones(1))


@dataclass(frozen=True)
class Hottest:
    """The busiest entity of a write."""

    text: str = ""
    """Who it is, in words."""
    key_bytes: float = 0.0
    """Length of its keys; 0: not known."""


@dataclass(frozen=True)
class KindShape:
    """Facts about a row kind's key that growth depends on."""

    key_bytes: float
    rows: Population
    """Its keys; of a secondary index those of its table, as the service deletes the row that a new one replaces."""
    written: Population | None = None
    """Keys that its writes make, where these are others."""
    cells: Mapping[str, Population] = field(default_factory=dict)
    """Keys with qualifiers, by the id of a column whose qualifiers are made from data."""
    names: Mapping[str, tuple[Names, Names]] = field(default_factory=dict)
    """Qualifiers in a typical row and in that of the busiest entity, by the id of such a column."""
    hottest: Mapping[str, Hottest] = field(default_factory=dict)
    """By write id."""
    row_bytes: float = 0.0
    """What a row takes once, beside its cells: Tablestore's primary key."""


@dataclass(frozen=True)
class Arrivals:
    """One write with its clock and its spread."""

    write: Write
    mode: WriteMode
    """What it does to its row, as set or assumed."""
    columns: tuple[tuple[Family, Column], ...]
    event_curve: EventCurve
    rows_per_event: float
    is_regular: bool
    """Events come at even intervals per entity."""
    hottest: Hottest
    history_days: float = 0.0
    """Age of the oldest event that a backfill writes; 0 of other writes. [day]"""
    older_days: float = 0.0
    """How much older than that of the write the timestamps of cells are, where the event was so long ago. [day]"""
    drops: Callable[[Floats], Floats] | None = None
    """Of a deletion that drops a prefix and says no number of rows: the share of rows below one, by day."""

    @cached_property
    def column_ids(self) -> frozenset[str]:
        """The columns that it touches."""
        return frozenset(column.id for _, column in self.columns)

    @property
    def ahead_days(self) -> float:
        """Time between the write and the timestamps of its cells. [day]"""
        return self.write.ahead_days

    def rows_between(self, first: Floats, last: Floats) -> Floats:
        """Return the number of row mutations from one day to another, in rows."""
        return self.event_curve.between(first, last) * self.rows_per_event


@dataclass(frozen=True)
class KindArrivals:
    """All writes into one row kind."""

    kind: RowKind
    shape: KindShape
    writes: tuple[Arrivals, ...]
    deletes: tuple[Arrivals, ...]
    kept: TablesKept | None = None
    """What is kept of a rotating set of tables; None: none is dropped."""

    def since_day(self, day: float) -> "KindArrivals":
        """Return the same as if the writes had begun on a day, where they did so before: the rest has been dropped."""

        def later(flow: Arrivals) -> Arrivals:
            return replace(flow, event_curve=flow.event_curve.not_before(day))

        # Each column of a rotating table asks for the same few days, and the counts behind them are what takes long.
        if day not in self._since:
            writes, deletes = tuple(map(later, self.writes)), tuple(map(later, self.deletes))
            self._since[day] = replace(self, writes=writes, deletes=deletes, kept=None)
        return self._since[day]

    @cached_property
    def _since(self) -> "dict[float, KindArrivals]":
        return {}

    def of_history(self, share: float) -> "KindArrivals":
        """Return the same as if backfills stamped each cell by an event that was at a share of their history."""

        def older(flow: Arrivals) -> Arrivals:
            return replace(flow, older_days=share * flow.history_days)

        if share not in self._of_history:
            self._of_history[share] = replace(self, writes=tuple(map(older, self.writes)))
        return self._of_history[share]

    @cached_property
    def _of_history(self) -> "dict[float, KindArrivals]":
        return {}

    @property
    def key_bytes(self) -> float:
        """Length of the key, in bytes."""
        return self.shape.key_bytes

    @property
    def row_bytes(self) -> float:
        """Bytes that a row takes once, beside its cells."""
        return self.shape.row_bytes

    @cached_property
    def span_days(self) -> float:
        """Time in which one row receives: the bucket, or the lifetime of its entity; infinity is for ever. [day]"""
        bucket = math.inf if self.shape.rows.bucket_days is None else self.shape.rows.bucket_days
        return min(bucket, self.shape.rows.turnover.life_days)

    @cached_property
    def has_row_per_event(self) -> bool:
        """Every event of the creating writes makes a row of its own."""
        rows = self.shape.rows
        if not self.writes or rows.every_event:
            return bool(self.writes)
        rows_per_day = sum(flow.event_curve.per_day(0.0) * flow.rows_per_event for flow in self.row_creating_writes)
        return rows.turnover.written_at_birth >= PER_EVENT_SHARE * rows_per_day > 0

    def most_events(self, until: float) -> float:
        """Return the events of about the fullest row until a day: no more than its actor has in its time bucket."""
        rows, acting = self.shape.rows, [self.shape.rows.writes[flow.write.id].actors for flow in self.writes]
        # Without a bucket an actor goes on for ever, and without an actor nobody's share bounds a row.
        if rows.bucket_days is None or not self.writes or not all(acting):
            return rows.most_events
        total = 0.0
        for flow, actors in zip(self.writes, acting, strict=True):
            begin = np.array([flow.event_curve.begin_day])
            end = np.maximum(begin + rows.bucket_days, until)
            fullest = float(flow.event_curve.buckets(rows.bucket_days, begin, end).largest[0])
            share = max(1 / actors, float(rows.shares(flow.write.id)[0].max(initial=0.0)))
            # Events are whole: 0.3 of one is a row of one. 1e-9 takes off what rounding may have put above a whole
            # number.
            total += math.ceil(fullest * share - 1e-9) * flow.rows_per_event
        return min(rows.most_events, total)

    def sooner_days(self, flow: Arrivals) -> float:
        """Return how much sooner the cells of a write expire than those that last longest. [day]"""
        return self.kind.ahead_days - flow.ahead_days + flow.older_days

    def rows_since(self, flow: Arrivals, first: Floats, last: Floats) -> Floats:
        """Return rows written of which there are cells, where those of the write that lasts longest are so old."""
        # A write whose cells expire sooner than the window is long has none left in its older part.
        return flow.rows_between(np.minimum(first + self.sooner_days(flow), last), last)

    def counts(
        self, flows: tuple[Arrivals, ...], column: Column | None = None, *, presence: float = 1.0, by_age: bool = False
    ) -> Counts:
        """Return the counts of the rows, or of a column's cells, that some of the writes make.

        `presence`: share of the writes that have the column; `by_age`: windows begin where the cells expire that last
        longest, and those of other writes as much later as these expire sooner.
        """
        keys = self.shape.rows if column is None else self.shape.cells.get(column.id, self.shape.rows)
        # Where all cells live equally long, both clocks are the same, and one entry serves both.
        by_age = by_age and any(map(self.sooner_days, flows))
        # The shape holds its populations as long as this holds their counts, so an id is of no other one.
        key = (id(keys), presence, by_age, *(flow.write.id for flow in flows))
        cached = self._counts.get(key)
        if cached is None:
            clocks = {
                flow.write.id: LaterClock(flow.event_curve, self.sooner_days(flow)) if by_age else flow.event_curve
                for flow in flows
            }
            cached = self._counts[key] = keys.counts(clocks, share=presence)
        return cached

    @cached_property
    def _counts(self) -> dict[tuple[object, ...], Counts]:
        return {}

    def names(self, column: Column, *, largest: bool = False) -> Names:
        """Return the qualifiers of a column in a typical row, or in the busiest entity's."""
        return self.shape.names.get(column.id, (ONE_NAME, ONE_NAME))[int(largest)]

    @property
    def row_creating_writes(self) -> tuple[Arrivals, ...]:
        """Writes whose every event makes a row: those that append, or all writes if none appends."""
        ids = {write.id for write in self.kind.creating_writes}
        writes = tuple(flow for flow in self.writes if flow.write.id in ids) or self.writes
        # A write that appends says that its events make rows; others may well meet a row that is there.
        return tuple(flow for flow in writes if flow.mode == "append_row") or writes

    @cached_property
    def updating_writes(self) -> tuple[Arrivals, ...]:
        """Writes that update rows which others created, if others do."""
        ids = {write.id for write in self.kind.updating_writes}
        return tuple(flow for flow in self.writes if flow.write.id in ids)

    def updated_days(self, kept_days: float) -> float:
        """Return how long a row stays in the mean of which a cell stays so long, whichever write it is of. [day]"""
        rows_per_day = sum(
            flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in self.row_creating_writes
        )
        if not self.updating_writes or not 0 < rows_per_day < math.inf or math.isinf(kept_days):
            return kept_days
        most = max(float(flow.write.row_age_days or 0.0) for flow in self.updating_writes)
        updates = (
            sum(flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in self.updating_writes)
            / rows_per_day
        )
        # A row is there until its last update has expired, however long ago it was made.
        return kept_days + last_update_days(updates, most)

    @property
    def busiest(self) -> Arrivals | None:
        """The write whose busiest entity has the largest share of it: that entity's row is the largest."""
        shares = self.shape.rows.shares
        return max(self.writes, key=lambda flow: float(shares(flow.write.id)[0].max(initial=0.0)), default=None)

    def has_new_name_each(self, column: Column) -> bool:
        """Return whether each write makes a column of its own: no cell is a version of another."""
        if column.qualifier_from:
            return column.id in self.shape.cells and self.shape.cells[column.id].every_event
        return any(flow.write.mode == "new_column" for flow in self.arrivals_into(column))

    def arrivals_into(self, column: Column) -> tuple[Arrivals, ...]:
        """Return the writes that touch this column."""
        return tuple(flow for flow in self.writes if column.id in flow.column_ids)


def kind_arrivals(
    spec: Spec, table: Table, kind: RowKind, shape: KindShape, event_curves: dict[str, EventCurve]
) -> KindArrivals:
    """Return the flows of one row kind; `event_curves` are by activity."""
    flows = [_flow(spec, table, kind, write, shape, event_curves) for write in kind.writes]
    writing = tuple(flow for flow in flows if flow.write.mode not in DELETES)
    deleting = tuple(flow for flow in flows if flow.write.mode in DELETES)
    return KindArrivals(kind, shape, writing, deleting, kept_tables(table))


def _flow(
    spec: Spec, table: Table, kind: RowKind, write: Write, shape: KindShape, event_curves: dict[str, EventCurve]
) -> Arrivals:
    activity = activity_of(spec, write)
    return Arrivals(
        write=write,
        mode=write_mode(spec, write),
        columns=touched_columns(table, kind, write),
        event_curve=event_curves[activity.id],
        rows_per_event=float(effective_value(spec, write, "rows_per_event")),
        is_regular=isinstance(activity.arrival, Every),
        hottest=shape.hottest.get(write.id, Hottest()),
        history_days=activity.arrival.days if isinstance(activity.arrival, Backfill) else 0.0,
        drops=_drops(spec, write),
    )


def _drops(spec: Spec, write: Write) -> Callable[[Floats], Floats] | None:
    # Values of an owner are told by those that belong to it.
    if write.mode != "delete_prefix" or write.rows_per_event is not None or not write.selected_by:
        return None
    owners = {owner for field in write.selected_by for owner in owner_chain(spec, field)[:-1]}
    return partial(_share_below, spec, tuple(field for field in write.selected_by if field not in owners))


def _share_below(spec: Spec, fields: tuple[str, ...], days: Floats) -> Floats:
    """Return the share of rows below one of the values that some fields have together, on some days."""
    values = [values_in_use(spec, spec.find(field), days) for field in fields]
    return np.asarray(1 / np.maximum(np.prod(values, axis=0), 1.0))


def activity_of(spec: Spec, write: Write) -> Activity:
    """Return the activity that a write follows from; raise Open if it names none."""
    if write.activity is None:
        raise NotComputableError(
            UnknownReason(N_("The write “{write}” does not specify an activity."), write.id, {"write": write.label})
        )
    activity: Activity = spec.find(write.activity)
    return activity
