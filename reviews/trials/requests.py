"""Requests of one read for sample values: row ranges and filters as planned, and what they have to return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.engines import description_of
from designer.document.family import Column
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    ReverseDomain,
    Segment,
    TimeSegment,
    segment_fields,
)
from designer.document.table import Table
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.rendering.render import Event, apply_transforms, as_text
from estimator.kernels.traffic.column_ranges import is_named_by_age, is_part_in_order
from estimator.kernels.traffic.value_ranges import holds
from reviews.exports.key_code.cell_filters import CellFilter, KeyRegex
from reviews.exports.key_code.known import request_limit

from .cells import CellPlanner, span_of
from .results import AskedRange
from .sample import KindSample, TrialCell, TrialRow, beginning_text, is_domain, value_text

VALUES_MAX = 3
"""Values that one request names, of those that a read names together."""


class RowRange(Protocol):
    """Rows that an engine is asked for."""

    def holds(self, key: bytes) -> bool:
        """Return whether a key lies in the range."""

    @property
    def ends(self) -> AskedRange:
        """Its ends as text."""


@dataclass(frozen=True)
class RangeRequest:
    """One request: its ranges, and the most rows that it returns."""

    ranges: tuple[RowRange, ...]
    limit: int | None = None


@dataclass(frozen=True)
class ReadRequests:
    """The requests for one read."""

    requests: tuple[RangeRequest, ...]
    filters: tuple[CellFilter, ...]
    is_reversed: bool
    wanted: frozenset[bytes]
    """Keys of the rows that the caller means, by their values and times: no range and no key tells them."""
    met: tuple[bytes, ...]
    """Keys of the rows that the engine has to look at."""
    returned: Mapping[bytes, tuple[TrialCell, ...]]
    """Keys of the rows that it has to return, in their order, with their cells."""
    event: Event
    """What the caller knows the values of, or the first of several."""
    surplus_rows: int
    """Rows met that the caller does not mean; 0 where a limit ends the read."""
    unfiltered_rows: int = 0
    """Rows returned that the caller does not mean; 0 where a limit ends the read."""
    unfiltered_cells: int = 0
    """Cells returned beyond the range of columns that the design plans."""
    missing_cells: int = 0
    """Cells that the caller means and that no filter takes."""


class RangePlanner(Protocol):
    """Plans the ranges of one read, in the words of one engine."""

    @property
    def known_count(self) -> int:
        """Segments that the caller knows from the start of the key on."""

    def requests(
        self, read: Read, events: Sequence[Event], span_us: tuple[int, int], *, limit: int | None
    ) -> tuple[RangeRequest, ...]:
        """Return requests for the values of events, in the order of their ranges; ValueError where none can be made."""

    def key_filter(self, read: Read, events: Sequence[Event]) -> KeyRegex | None:
        """Return the engine's filter of what the caller knows behind the ranges; None where there is none."""


@dataclass(frozen=True)
class ReadPlanner:
    """Plans the reads of one row kind over the sample of its whole table."""

    spec: Spec
    table: Table
    families: Mapping[str, str]
    """Names that families get, by id."""
    sample: KindSample
    rows: tuple[TrialRow, ...]
    """Of all row kinds in the table, in the order of keys."""
    has_column_filters: bool = True
    """The engine takes patterns of qualifiers and a number of cells."""

    @cached_property
    def cells(self) -> CellPlanner:
        """Cells that are asked for."""
        return CellPlanner(
            self.spec, self.table, self.families, self.sample, has_column_filters=self.has_column_filters
        )

    def plan(self, read: Read, ranges: RangePlanner) -> ReadRequests:
        """Return what is asked for a read.

        Raises
        ------
        ValueError
            If no range can be made of the sample's values.
        """
        events = self._asked_events(read)
        if not events:
            raise ValueError("there are no sample rows")
        spans = span_of(read, self.sample.latest_us)
        limit = request_limit(self.spec, self.sample.inputs.segments, read, ranges.known_count)
        requests = ranges.requests(read, events, spans, limit=limit)
        key_filter = ranges.key_filter(read, events)
        filters = (*((key_filter,) if key_filter else ()), *self.cells.filters(read, events[0]))
        visited_keys, returned = self._answer(read, requests, key_filter, events[0])
        meant = [
            row for row in self.sample.rows if any(self._is_wanted(read, row.event, event, spans) for event in events)
        ]
        target_keys = frozenset(
            row.key for row in self._select(read, meant) if self.cells.returns(read, row, events[0])
        )
        keys_meant = {row.key for row in meant}
        cells = () if limit or read.newest_columns else self._cell_faults(read, returned, target_keys, events, spans)
        surplus = 0 if limit else len(set(visited_keys) - keys_meant)
        unfiltered = len(returned.keys() - keys_meant) if surplus and self._could_filter(read) else 0
        return ReadRequests(
            requests,
            filters,
            bool(read.reverse),
            target_keys,
            visited_keys,
            returned,
            events[0],
            surplus,
            unfiltered,
            *cells,
        )

    def _could_filter(self, read: Read) -> bool:
        """Return whether a filter of keys can select what the caller wants: the key shows it, the engine has one."""
        if description_of(self.spec).has_key_columns:  # it filters attribute columns alone
            return False
        field_ids = {
            segment.field for segment in self.sample.kind.segments if isinstance(segment, FieldSegment | DerivedSegment)
        }
        return read.time is not None or any(bind.field in field_ids for bind in read.binds)

    # --- which cells the caller means ---

    def _cell_faults(
        self, read: Read, returned: Mapping[bytes, Sequence[TrialCell]], target_keys: frozenset[bytes],
        events: Sequence[Event], span_us: tuple[int, int],
    ) -> tuple[int, int]:  # fmt: skip
        """Return the cells beyond the range of columns that the design plans, and cells of it that are not returned."""
        columns = {
            column.id: column for family in self.table.families for column in family.columns if column.qualifier_from
        }
        planned = {
            name
            for name, table_column in columns.items()
            if is_part_in_order(self.spec, read, self.sample.kind.segments, table_column)
        }
        surplus = missing = 0
        for row in self.sample.rows:
            for cell in row.cells:
                if cell.column not in planned or cell.qualifier_event is None:
                    continue
                column = columns[cell.column]
                is_meant = any(self._means_cell(read, column, cell.qualifier_event, event, span_us) for event in events)
                is_returned = cell in returned.get(row.key, ())
                surplus += is_returned and not is_meant
                is_newest = read.newest_versions is None and read.cell_days is None
                is_chosen = not read.columns or column.id in read.columns
                is_family = not read.families or cell.family in read.families or bool(read.columns)
                missing += (is_meant and not is_returned and is_newest and is_chosen and is_family
                            and row.key in target_keys)  # fmt: skip
        return surplus, missing

    def _means_cell(
        self, read: Read, column: Column, event: Event, caller_event: Event, span_us: tuple[int, int]
    ) -> bool:
        """Return whether a caller means the cells of a qualifier, by its values and its time."""
        known_event = self.cells.with_qualifier(column, caller_event)
        names = {name for segment in column.qualifier_from for name in segment_fields(segment)}
        if not all(self._has_value(bind, event, known_event) for bind in read.binds if bind.field in names):
            return False
        times = [segment for segment in column.qualifier_from if isinstance(segment, TimeSegment)]
        return self._is_in_span(read, times, event, span_us)

    # --- what the caller knows ---

    def _asked_events(self, read: Read) -> list[Event]:
        """Return the events whose values a request names: several where it names several."""
        rows = self.sample.rows
        # The newest rows: what a read of the last hours or the newest rows means is then certainly there.
        latest = [row for row in rows if row.event.time_us == self.sample.latest_us]
        latest = [row for row in latest if self.cells.returns(read, row, row.event)] or latest or list(rows)
        most = 1
        # With a limit, several values would share it, and which rows came would not be certain.
        if not (read.newest_rows or read.row_limit):
            most = min(max([read.keys_per_call or 1, *(bind.values for bind in read.binds)]), VALUES_MAX)
        # From the middle of the keys: at the ends, a wrong range could still return the right rows.
        start = len(latest) // 2
        return [latest[(start + place) % len(latest)].event for place in range(min(most, len(latest)))]

    # --- which rows the caller means ---

    def _select(self, read: Read, rows: Sequence[TrialRow]) -> Sequence[TrialRow]:
        """Return the newest of the rows that a caller means, or the first ones."""
        if read.newest_rows is not None:
            ordered = rows[::-1] if read.reverse else rows  # of the same age are those that a scan meets first
            return sorted(ordered, key=self._age, reverse=True)[: read.newest_rows]
        if read.row_limit is not None:
            return rows[-read.row_limit :] if read.reverse else rows[: read.row_limit]
        return rows

    def _is_wanted(self, read: Read, event: Event, caller_event: Event, span_us: tuple[int, int]) -> bool:
        own = self.sample.inputs.fields
        if not all(self._has_value(bind, event, caller_event) for bind in read.binds if bind.field in own):
            return False
        times = [segment for segment in self.sample.inputs.segments if isinstance(segment, TimeSegment)]
        bucket = [time_text(segment, event.time_us) for segment in times]
        if read.exact_time:
            return bucket == [time_text(segment, caller_event.time_us) for segment in times]
        return self._is_in_span(read, times, event, span_us)

    def _is_in_span(self, read: Read, times: Sequence[TimeSegment], event: Event, span_us: tuple[int, int]) -> bool:
        """Return whether times show one of the span that a caller wants."""
        if read.time is None or not times:
            return True
        bucket = [time_text(segment, event.time_us) for segment in times]
        ends = [[time_text(segment, time_us) for segment in times] for time_us in span_us]
        return span_us[0] <= event.time_us <= span_us[1] or bucket in ends

    def _has_value(self, bind: Bind, event: Event, caller_event: Event) -> bool:
        text, target = (value_text(self.sample, bind.field, source) for source in (event, caller_event))
        if bind.is_range:
            kind = effective_value(self.spec, self.spec.find(bind.field), "kind")
            return holds(bind, kind, text.decode())
        if not bind.prefix:
            return text == target
        begun = beginning_text(self.spec, self.sample, bind, caller_event)
        if is_domain(self.spec, bind):
            return text == begun or text.endswith(b"." + begun)
        return text.startswith(begun)

    def _age(self, row: TrialRow) -> tuple[int, ...]:
        """Return what grows from row to row: the time, else the numbers that count up."""
        segments = self.sample.inputs.segments
        if any(isinstance(segment, TimeSegment) for segment in segments):
            return (row.event.time_us,)
        counters = (segment for segment in segments if is_named_by_age(self.spec, segment))
        return tuple(row.event.numbers[name] for segment in counters for name in segment_fields(segment))

    # --- what the engine has to do ---

    def _answer(
        self, read: Read, requests: Sequence[RangeRequest], key_filter: KeyRegex | None, event: Event
    ) -> tuple[tuple[bytes, ...], dict[bytes, tuple[TrialCell, ...]]]:
        visited_keys: list[bytes] = []
        returned: dict[bytes, tuple[TrialCell, ...]] = {}
        # As the engine scans, since a limit ends the read there.
        ordered = self.rows[::-1] if read.reverse else self.rows
        for request in requests:
            row_count = 0
            for row in ordered:
                if row_count == request.limit:
                    break
                if not any(key_range.holds(row.key) for key_range in request.ranges):
                    continue
                # Looked at, whether or not the filter takes it: that is what the read costs.
                visited_keys.append(row.key)
                is_taken = key_filter is None or key_filter.matches(row.key)
                if is_taken and self.cells.returns(read, row, event):
                    returned[row.key] = self.cells.cells(read, row, event)
                    row_count += 1
        return tuple(visited_keys), returned


def known_beginning(spec: Spec, sample: KindSample, read: Read, behind: Segment | None, event: Event) -> bytes | None:
    """Return the beginning of the text of a segment that a caller knows; None where it knows none."""
    if not isinstance(behind, FieldSegment):
        return None
    bind = next((bind for bind in read.binds if bind.prefix and bind.field == behind.field), None)
    turned = any(isinstance(transform, ReverseDomain) for transform in behind.transforms)
    if bind is None or turned != is_domain(spec, bind):
        return None
    return as_text(apply_transforms(beginning_text(spec, sample, bind, event), behind.transforms))
