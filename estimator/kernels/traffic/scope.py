"""Rows of a row kind that a caller's knowledge leaves: requested against stored popularity."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from designer.document import Spec, effective_value, owner_id
from designer.document.access import Bind, Read
from designer.document.activity import Activity, Backfill
from designer.document.durations import MONTH_DAYS
from designer.document.family import Column
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    Segment,
    TimeSegment,
    segment_fields,
)
from designer.document.new_ids import counts_own_events, is_declared_counter
from designer.document.popularity import Popularity, Uniform
from designer.document.rotation import TablePeriod
from designer.document.table import RowKind, Table
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import ColumnSize, KeyFacts, NotComputableError, RowKindSize
from estimator.results.arrays import Floats

from ..growth.cells import cell, columns_of, row_overhead_bytes
from ..growth.collection import policy
from ..population.buckets import Buckets
from ..population.clock import EventCurve, LaterClock, event_curve
from ..population.draws import is_stated
from ..population.events import EventClock
from ..population.key_parts import horizon_days
from ..population.prefixes import Below, Prefix
from ..population.rotation import kept_days
from ..population.salts import salts_met
from ..population.shown_clock import ShownClock
from ..population.shown_popularity import shown_popularities
from ..population.values import values_in_use
from .functional_dependencies import owner_ids
from .storage_age import StoredTime, row_kept_days

FILLS = 1.5
"""Rows with more than so many times the cells of one write, and no count of versions below it, fill over time."""


@dataclass(frozen=True)
class StoredRows:
    """The rows of one kind at the end of the horizon, as the planner sees them."""

    spec: Spec
    table: Table
    kind: RowKind
    facts: KeyFacts
    size: RowKindSize
    time: StoredTime

    @cached_property
    def distinct(self) -> dict[str, float]:
        """Different values of each segment, by its id."""
        return {segment.id: segment.distinct for segment in self.facts.segments}

    @cached_property
    def growth_by_segment(self) -> dict[str, str | None]:
        """Growth of each segment by id, None where it does not only grow."""
        return {segment.id: segment.grows for segment in self.facts.segments}

    @cached_property
    def counted_within(self) -> frozenset[str]:
        """Segments of numbers that count the events of what stands before them, and sort as they do, by id."""
        counters = {
            segment.id
            for segment in self.kind.segments
            if isinstance(segment, FieldSegment) and counts_own_events(self.spec.find(segment.field))
        }
        return frozenset(facts.id for facts in self.facts.segments if facts.id in counters and facts.text_order)

    @cached_property
    def counts_up(self) -> frozenset[str]:
        """Segments of numbers, or of buckets of them, that are counted up as events come and sort so, by id."""
        numbers = {
            segment.id
            for segment in self.kind.segments
            if isinstance(segment, FieldSegment | DerivedSegment) and counts_own_events(self.spec.find(segment.field))
        }
        facts = (facts for facts in self.facts.segments if facts.id in numbers or facts.grows == "sequence")
        return frozenset(fact.id for fact in facts if fact.text_order)

    @cached_property
    def times(self) -> tuple[TimeSegment, ...]:
        """The key's time segments."""
        return tuple(segment for segment in self.kind.segments if isinstance(segment, TimeSegment))

    @property
    def rotates(self) -> bool:
        """True if they are in a table for each period."""
        return any(isinstance(segment, TablePeriod) for segment in self.times)

    @property
    def shows_time(self) -> bool:
        """True if the key shows when its row was written: by a time, or by a number that is counted as events come."""
        return bool(self.times) or any(growth is not None for growth in self.growth_by_segment.values())

    @cached_property
    def has_row_per_event(self) -> bool:
        """True if each event makes a row, so that a popular value has more rows, not only larger ones."""
        # A second is taken to tell the events of one entity apart.
        fine = any(segment_seconds(t) <= 1 for t in self.times)
        buckets = {segment.id for segment in self.kind.segments if isinstance(segment, DerivedSegment)}
        is_counted = any(s.grows == "sequence" and s.id not in buckets for s in self.facts.segments)
        # Random ids and numbers within an owner, too: no growth of the table's end shows them.
        return fine or is_counted or self.prefix(frozenset(), {}).every_event

    @cached_property
    def has_cells_of_several_events(self) -> bool:
        """True if events write to one row: also where values of a sequence are drawn, and not new with each event."""
        has_draws = any(is_stated(self.spec, field, self.draw_popularities) for field in self.all_fields)
        is_drawn = has_draws and not self.times and not self.prefix(frozenset(), {}).every_event
        # Values of a drawn sequence come up again: several page views of one product write to the product's row.
        return is_drawn or not self.has_row_per_event

    @property
    def has_rows_of_one_write(self) -> bool:
        """True if one event writes all cells of a row, so that they are of one age."""
        return not self.has_cells_of_several_events and not self.kind.updating_writes

    @cached_property
    def has_growing_rows(self) -> bool:
        """True if rows grow with what is written into them, so that a popular entity's row is larger."""
        caps = {family.id: policy(family.gc).caps[0] for family in self.table.families}
        # With a limit of one version all rows stay alike, however often they are written.
        return any(c.cells_stored > FILLS * c.cells_written and caps[c.family] > FILLS for c in self.size.columns)

    @cached_property
    def draw_popularities(self) -> Mapping[str, Popularity]:
        """Popularities within the activity that writes most of these rows, where not the field's own."""
        writing = [write for write in self.kind.creating_writes if write.activity and not write.deletes]
        return self.popularities(self.spec.find(writing[0].activity or "")) if writing else {}

    def popularities(self, activity: Activity) -> Mapping[str, Popularity]:
        """Return popularities within an activity, where not the field's own, as far as keys show."""
        return shown_popularities(self.spec, activity, self.made_from)

    @cached_property
    def made_from(self) -> frozenset[str]:
        """Fields that the key is made from."""
        return frozenset(name for segment in self.kind.segments for name in segment_fields(segment))

    @cached_property
    def all_fields(self) -> tuple[str, ...]:
        """Fields that the key is made from, and their owners."""
        owners = {owner for name in self.made_from for owner in owner_ids(self.spec, name)}
        return tuple(sorted(self.made_from | owners))

    @cached_property
    def key_fields(self) -> frozenset[str]:
        """Fields whose own value stands in the key."""
        return frozenset(s.field for s in self.kind.segments if isinstance(s, FieldSegment))

    def values(self, field: str) -> float:
        """Values of a field in use at the end of the horizon."""
        days = float(effective_value(self.spec, self.spec, "horizon_months")) * MONTH_DAYS
        return max(float(values_in_use(self.spec, self.spec.find(field), np.array([days]))[0]), 1.0)

    def write_popularity(self, field: str) -> Popularity:
        """Return the popularity with which writes draw a field: the activity's own, else the field's."""
        if field in self.draw_popularities:
            return self.draw_popularities[field]
        return effective_value(self.spec, self.spec.find(field), "popularity")  # type: ignore[no-any-return]

    def entity_popularity(self, field: str) -> Popularity:
        """Return the spread of entities over a field's values: even, or over an owner by the fan-out."""
        for child in self.spec.fields:
            if child.id in self.key_fields and owner_id(self.spec, child.id) == field:
                return effective_value(self.spec, child, "fan_out").law  # type: ignore[no-any-return]
        return Uniform()

    @cached_property
    def clocks(self) -> dict[str, EventClock]:
        """Clocks of the writes, by their ids; where a rate is not known, so many events that each key exists."""
        clocks: dict[str, EventClock] = {}
        end_day = horizon_days(self.spec)
        # Calendar months can be longer than mean ones, by which the horizon is counted: that is no history.
        stated_days = max((-clock.begin_day for clock, _ in self.time.writes), default=math.inf)
        history_days = min(max(self.time.span_days - end_day, 0.0), stated_days)
        oldest_day = end_day - kept_days(self.table)
        for write in self.kind.creating_writes:
            if write.activity is None or write.deletes:
                continue
            try:
                curve = event_curve(self.spec, self.spec.find(write.activity), history_days)
                clocks[write.id] = curve = curve.not_before(oldest_day)
                if sooner_days := self.kind.ahead_days - write.ahead_days:
                    clocks[write.id] = LaterClock(curve, sooner_days)
            except NotComputableError:
                # The plan of a read is wanted before rates are known. With endless events every possible key exists.
                clocks[write.id] = Endless()
        return clocks

    @cached_property
    def history_days(self) -> float:
        """Age of the oldest time that a backfill writes; 0 where rows show when they were written. [day]"""
        return max((days for _, days in self._histories), default=0.0)

    @cached_property
    def _histories(self) -> tuple[tuple[str, float], ...]:
        """Writes that are backfills, by their ids, and the days of history of each."""
        arrivals = (
            (write, self.spec.find(write.activity or "").arrival)
            for write in self.kind.creating_writes
            if write.activity
        )
        return tuple((write.id, arrival.days) for write, arrival in arrivals if isinstance(arrival, Backfill))

    @property
    def shown_span_days(self) -> float:
        """From the oldest to the newest time that keys of stored rows show. [day]"""
        return self.time.span_days + self.history_days

    def shown_clocks(self, end_day: float | None = None) -> dict[str, EventClock]:
        """Return clocks of the times that keys of rows stored on a day show, by write; else at the horizon's end.

        Those of backfills are before the writes.
        """
        end_day = horizon_days(self.spec) if end_day is None else end_day
        if end_day not in self._shown_clocks:
            self._shown_clocks[end_day] = {
                write: _shown_clock(clock, dict(self._histories).get(write, 0.0), end_day, self.kept_days)
                for write, clock in self.clocks.items()
            }
        return self._shown_clocks[end_day]

    @cached_property
    def _shown_clocks(self) -> dict[float, dict[str, EventClock]]:
        return {}

    def prefix(
        self, bound: frozenset[str], popularity: Mapping[str, Popularity], column: Column | None = None,
        until: Segment | None = None, *, is_shown: bool = False,
    ) -> Prefix:  # fmt: skip
        """Return what lies below the values of some segments; up to a segment `until`, with a column's qualifiers.

        `is_shown`: time is that which keys show, and not that at which rows were written.
        """
        qualifier = () if column is None else column.qualifier_from
        is_shown = is_shown and self.history_days > 0
        key = (bound, tuple(sorted(popularity.items())), qualifier, until, is_shown)
        cached = self._prefixes.get(key)
        if cached is None:
            segments = self.kind.segments if until is None else self.kind.segments[: self.kind.segments.index(until)]
            cached = self._prefixes[key] = Prefix(
                self.spec, (*segments, *qualifier), self.shown_clocks() if is_shown else self.clocks, bound, popularity,
                self.distinct, self.kept_days + (self.history_days if is_shown else 0.0),
                since_day=min((clock.begin_day for clock, _ in self.time.writes), default=math.inf),
            )  # fmt: skip
        return cached

    @property
    def gone_per_stored(self) -> float:
        """Rows that were written and are gone ÷ rows that are there, where writes come evenly. [1]"""
        written_days = horizon_days(self.spec) - min((clock.begin_day for clock, _ in self.time.writes), default=0.0)
        return max(written_days / max(min(self.kept_days, written_days), 1e-9) - 1, 0.0)

    @cached_property
    def kept_days(self) -> float:
        """Time that a row stays after its last event. [day]"""
        return row_kept_days(self.spec, self.table, self.kind)

    def values_per_owner(
        self,
        bound: frozenset[str],
        popularity: Mapping[str, Popularity],
        column: Column | None = None,
        cap: float = 1.0,
        until: Segment | None = None,
        kept_days: float | None = None,
        between: tuple[float, float] | None = None,
        *,
        by_event: bool = False,
        of_rows: bool = False,
    ) -> Below:
        """Return the rows below the values of some segments, or the versions of a column that a policy keeps there.

        Up to a segment `until`, it is the first `cap` events of each beginning of a key; with `kept_days`, those of so
        many days; with `between`, those whose time buckets begin between two ages; `by_event`, those beside each event;
        `of_rows`, in the classes of all rows.
        """
        prefix = self.prefix(bound, popularity, column, until, is_shown=between is not None)
        key = (prefix, cap, kept_days, between, by_event, of_rows)
        cached = self._below.get(key)
        if cached is None:
            # No cell outlives its row: where tables rotate, a dropped table takes its cells along, whatever their
            # age limit.
            days = min(kept_days or self.kept_days, self.kept_days)
            if between is not None:
                days += self.history_days
            if by_event:
                cached = prefix.beside_event(days, cap, of_rows=of_rows)
            else:
                cached = prefix.rows(days, cap, between=between, of_rows=of_rows)
            self._below[key] = cached
        return cached

    def asks_for_an_event(self, read: Read) -> bool:
        """Return whether a caller knows the whole key of what one event wrote: its time, or a number it counted."""
        known_fields = {bind.field for bind in read.binds if bind.is_whole}
        whole = known_fields >= {name for segment in self.kind.segments for name in segment_fields(segment)}
        has_counter = any(is_declared_counter(self.spec, self.spec.find(name)) for name in known_fields)
        return whole and (has_counter or (read.exact_time and bool(self.times)))

    def salts_met(self, read: Read) -> float:
        """Return in how many salts that writes draw anew a request for one key meets a row."""
        known_hashes = [
            s for s in self.kind.segments if read.exact_time and isinstance(s, HashSegment) and not s.fields
        ]
        salt_count = salts_met(
            self.spec, [segment for segment in self.kind.segments if segment not in known_hashes], self.clocks,
            kept_days=self.kept_days, asked=asked_popularities(read), texts=self.distinct,
            by_event=self.asks_for_an_event(read),
        )  # fmt: skip
        # Salts beyond the one that was written hold other rows only by chance, which a known hash of the time divides.
        return (
            1 + (salt_count - 1) / math.prod(segment.values for segment in known_hashes) if known_hashes else salt_count
        )

    @cached_property
    def _prefixes(self) -> dict[Any, Prefix]:
        return {}

    @cached_property
    def _below(self) -> dict[Any, Below]:
        return {}

    @cached_property
    def first_cells(self) -> dict[Any, float | None]:
        """Cells of the first rows that a read meets: columns that are written and collected alike ask for the same."""
        return {}


def possible_rows(spec: Spec, table: Table, kind: RowKind, facts: KeyFacts) -> RowKindSize:
    """Every key that there can be, with the cells of one write: what is known before any rate is."""
    columns = []
    for family, column in columns_of(table, kind):
        presence = float(effective_value(spec, column, "presence"))
        size = cell(spec, family, column, facts.bytes_typical)
        columns.append(ColumnSize(column.id, family.id, size, presence, presence))
    once = row_overhead_bytes(spec, kind)
    return RowKindSize(kind.id, facts.distinct_rows, tuple(columns), once)


def _shown_clock(clock: EventClock, history_days: float, end_day: float, kept_days: float) -> EventClock:
    """Return the clock of the times that rows show which are stored on a day."""
    stored = clock.not_before(end_day - kept_days) if isinstance(clock, EventCurve) else clock
    return ShownClock(stored, history_days, end_day) if history_days > 0 else stored


@dataclass(frozen=True)
class Endless:
    """A clock of so many events that every key exists."""

    begin_day: float = 0.0
    named_days: tuple[int, ...] = ()
    week: None = None
    day_over: None = None

    @property
    def to_the_hour(self) -> "Endless":
        """The same: nothing is a matter of hours."""
        return self

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the events from one day to another."""
        return np.maximum(last - np.maximum(first, 0.0), 0.0) * _ENDLESS_PER_DAY

    def buckets(self, length_days: float, first: Floats, last: Floats) -> Buckets:
        """Return the time buckets of a length in periods."""
        number = np.maximum(last - np.maximum(first, 0.0), 0.0) / length_days
        return Buckets(np.array([_ENDLESS_PER_DAY * length_days]), number[:, None], np.array([length_days]))


_ENDLESS_PER_DAY = 1e24


def bind_of(read: Read, field: str) -> Bind | None:
    """Return a read's bind of a field, if there is one."""
    return next((bind for bind in read.binds if bind.field == field), None)


def requested_values(read: Read, bound: Sequence[Segment]) -> float:
    """Return the number of combinations of known values that one request asks for.

    It is the product over the fields that the key begins with.
    """
    fields = {field for segment in bound for field in segment_fields(segment)}
    return math.prod(float(bind.values) for bind in read.binds if bind.field in fields)


def asked_popularities(read: Read) -> dict[str, Popularity]:
    """Return the popularities that a read states, by field."""
    return {bind.field: bind.popularity for bind in read.binds if bind.popularity is not None}
