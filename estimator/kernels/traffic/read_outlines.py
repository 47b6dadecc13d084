"""Outlines of reads over the horizon: the bytes that a request meets in the mean, by what is stored on each date."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.activity import Activity, Backfill
from designer.document.durations import MONTH_DAYS
from designer.document.key import FieldSegment, TimeSegment, segment_fields
from designer.document.table import RowKind, Table
from estimator.engines import bigtable, engine_of
from estimator.results import NotComputableError, ReadPlan, RowKindSize
from estimator.results.arrays import Floats

from ..population.clock import EventCurve, event_curve
from ..population.shown_clock import ShownClock
from ..population.timeline import month_days
from ..population.values import values_in_use
from .functional_dependencies import owner_ids
from .storage_age import row_kept_days

FIRST_DAY = 0.5
"""At the start, reads do what they do in the middle of the first day: before it, nothing is there. [day]"""
CUT_SHARE = 0.9
"""A read with a limit that meets less than so much of what lies below its values ends there."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """Rows, cells and bytes of a table on all dates, and how much of them its reads meet if all values are alike.

    Arrays are (dates + months,): on the first day and after each month, then in the mean of each month.
    """

    spec: Spec
    table: Table
    sizes: Mapping[str, RowKindSize]
    mean_ratio: Floats
    """(months,) mean of what is stored over each month ÷ mean of its two ends. [1]"""

    @cached_property
    def days(self) -> Floats:
        """Days since the start; of a month, its middle."""
        ends = month_days(self.spec)
        return np.concatenate((ends[:1] + FIRST_DAY, ends[1:], (ends[1:] + ends[:-1]) / 2))

    @property
    def end(self) -> int:
        """Place of the end of the horizon."""
        return len(self.days) // 2

    def _over(self, series: Floats) -> Floats:
        """Return amounts at the start and after each month on all dates: (..., dates + months)."""
        before, after = series[..., :-1], series[..., 1:]
        first_day = before[..., :1] + (after[..., :1] - before[..., :1]) * (FIRST_DAY / self.days[1])
        return np.concatenate((first_day, after, (before + after) / 2), axis=-1)

    def rows(self, kind: str) -> Floats:
        """Return the rows of a kind."""
        size = self.sizes[kind]
        if size.course is None:
            return np.full(len(self.days), size.rows)
        rows = self._over(size.course.rows)
        rows[len(size.course.rows) :] *= self.mean_ratio
        return rows

    def row(self, kind: RowKind, read: Read | None = None, cell_bytes: float = 0.0) -> Floats:
        """Return the bytes of a row, and those with which cells beyond the first take as long: (2, dates + months).

        Parameters
        ----------
        read
            Of versions no more are read than it wants, and a block beside them.
        cell_bytes
            Bytes that are read while a cell is. [bytes]
        """
        size, cells = self.sizes[kind.id], np.zeros(len(self.days))
        total = np.full(len(self.days), size.row_bytes)
        block_bytes = engine_of(self.spec).BLOCK_BYTES
        for place, column in enumerate(size.columns):
            size_bytes = column.cell.total - column.cell.overhead
            if size.course is None:
                column_cells = np.full(len(self.days), column.cells_stored)
            else:
                column_cells = self._over(size.course.cells_stored[place] - size.course.cells_superseded[place])
            if read is not None and read.newest_versions is not None:
                column_cells = _first(
                    column_cells, read.newest_versions * column.cells_written + block_bytes / max(size_bytes, 1.0)
                )
            total, cells = total + column_cells * size_bytes, cells + column_cells
        return np.stack((total + np.maximum(cells - 1, 0.0) * cell_bytes, total))

    @cached_property
    def _values(self) -> dict[str, Floats]:
        return {}

    def values(self, field: str) -> Floats:
        """Return the values of a field in use."""
        if field not in self._values:
            self._values[field] = np.maximum(values_in_use(self.spec, self.spec.find(field), self.days), 1.0)
        return self._values[field]

    def combinations(self, kind: RowKind, bound: frozenset[str]) -> Floats:
        """Return the combinations of values of some segments, by their ids."""
        fields = {name for segment in kind.segments if segment.id in bound for name in segment_fields(segment)}
        owners = {owner for name in fields for owner in owner_ids(self.spec, name)}
        total = np.ones(len(self.days))
        for name in sorted(fields - owners):
            total = total * self.values(name)
        return total

    def span_share(self, kind: RowKind, read: Read) -> Floats:
        """Return the share of a kind's events, of all that are stored, that came in the span of time of a read."""
        if read.time is None or read.exact_time or not any(isinstance(s, TimeSegment) for s in kind.segments):
            return np.ones(len(self.days))
        last = self.days - read.time.age_days
        inside, all_events = np.zeros(len(self.days)), np.zeros(len(self.days))
        kept_days = row_kept_days(self.spec, self.table, kind)
        history_days = float(effective_value(self.spec, self.table, "history_months") or 0) * MONTH_DAYS
        for write in kind.creating_writes:
            if write.activity is None or write.deletes:
                continue
            try:
                activity: Activity = self.spec.find(write.activity)
                clock = event_curve(self.spec, activity, history_days)
            except NotComputableError:
                continue
            rows = float(effective_value(self.spec, write, "rows_per_event"))
            oldest = self.days - kept_days if math.isfinite(kept_days) else np.full(len(self.days), clock.begin_day)
            all_events += clock.between(oldest, self.days) * rows
            if isinstance(activity.arrival, Backfill) and activity.arrival.days > 0:
                inside += self._of_history(clock, activity.arrival.days, oldest, last - read.time.days, last) * rows
            else:
                inside += clock.between(np.maximum(last - read.time.days, oldest), last) * rows
        return np.divide(inside, all_events, out=np.ones(len(self.days)), where=all_events > 0)

    def _of_history(
        self, clock: EventCurve, history_days: float, oldest: Floats, first: Floats, last: Floats
    ) -> Floats:
        """Return the events of a backfill that are stored on each date and show a time in a span: (dates + months,)."""
        spans = zip(oldest.tolist(), self.days.tolist(), first[:, None], last[:, None], strict=True)
        events = (
            ShownClock(clock.not_before(since), history_days, day).between(begin, end)
            for since, day, begin, end in spans
        )
        return np.concatenate([*events])

    def ranges(self, kind: RowKind, plan: ReadPlan) -> Floats:
        """Return the ranges that a request asks for: as many more as there are values that it lists."""
        total = np.full(len(self.days), plan.ranges)
        listed = {s.field for s in kind.segments if s.id in plan.listed and isinstance(s, FieldSegment)}
        for name in sorted(listed):
            values = self.values(name)
            total = total * (values / values[self.end])
        return total

    def bytes_met(self, kind: RowKind, read: Read, plan: ReadPlan) -> Floats:
        """Return the bytes that a request meets, if values are alike, as those of `row`: (2, dates + months)."""
        capacity = bigtable.instance_capacity(self.spec.instance)
        per_second = capacity.read.bytes_per_second if plan.open_at is None else capacity.scan_bytes_per_second
        cell_bytes = capacity.cell_seconds * per_second
        own, ranges = self.row(kind, read, cell_bytes), self.ranges(kind, plan)
        if plan.open_at is None:
            return own * ranges
        combinations = self.combinations(kind, frozenset(plan.bound))
        rows = self.rows(kind.id) / combinations
        if any(isinstance(s, TimeSegment) for s in kind.segments if s.id in (*plan.bound, plan.open_at)):
            rows = rows * self.span_share(kind, read)
        if plan.ends_at_limit:
            # The limit is what makes the last month what it is.
            range_rows = rows / ranges
            last, first = float(range_rows[self.end]), plan.rows_scanned / plan.ranges
            if 0 < first < last * CUT_SHARE:
                range_rows = _first(range_rows, first * last / (last - first))
            return range_rows * ranges * own
        total = rows * own
        for other in self.table.row_kinds:
            is_met = other.id in read.row_kinds or plan.access == "scan"
            if is_met and other.id != kind.id and other.id in self.sizes:
                total = total + self.rows(other.id) / combinations * self.row(other, None, cell_bytes)
        return total


def _first(amounts: Floats, most: float) -> Floats:
    """Return the first `most` of some amounts in the mean: fewer, as some of what is alike in the mean has fewer."""
    return np.asarray(amounts * most / (amounts + most))
