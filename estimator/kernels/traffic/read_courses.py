"""Work of reads over the horizon: planned anew on the few dates between which it follows what is stored."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.key import DerivedSegment, FieldSegment, Segment, TimeSegment, segment_fields
from designer.document.table import RowKind, Table
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import KeyFacts, ReadCourse, ReadPlan, RowKindSize, SegmentFacts
from estimator.results.arrays import Floats

from ..growth.cells import columns_of
from ..population.rates import activity_rates
from ..population.timeline import month_numbers
from ..population.values import new_per_day, values_in_use
from .functional_dependencies import owner_ids
from .operations import OperationRate
from .reads import plan_reads

FIRST_MONTH = 1 / MONTH_DAYS
"""The first day: what a read of the first days does is not known before anything is there. [month]"""

SMALL_SHARE = 0.005
"""Between two dates that differ by so little of the table's work at most, a read is not planned again."""
NEAR_SHARE = 0.01
"""Where it is so far from a line between two dates in their middle, it is planned between these and the middle, too;
a line to the middle, which is known then, is off by about a quarter of it."""
STEADY = 1e-6
"""So small a part of all change is none."""


def with_courses(
    spec: Spec,
    table: Table,
    keys: Mapping[str, KeyFacts],
    sizes: Mapping[str, RowKindSize],
    plans: Sequence[ReadPlan],
    writes: Sequence[OperationRate] = (),
) -> tuple[ReadPlan, ...]:
    """Return the plans of reads with their work in each month, where it changes.

    Parameters
    ----------
    As those of `plan_reads`; the plans are those of the end of the horizon.
    writes
        What else the table does: what makes no difference beside it is not planned again.
    """
    dates = _Dates(spec, table, keys, sizes)
    asked = {plan.read: plan for plan in plans if plan.per_second and plan.refused is None and plan.has_actual_rows}
    if not asked or dates.change[-1] <= 0:
        return tuple(plans)
    written = sum(flow.per_second * flow.seconds for flow in writes)
    courses = _Courses(dates, asked, written).found()
    return tuple(replace(plan, course=courses.get(plan.read)) for plan in plans)


@dataclass(frozen=True)
class _Dates:
    """Dates of the horizon on which reads of a table can be planned."""

    spec: Spec
    table: Table
    keys: Mapping[str, KeyFacts]
    sizes: Mapping[str, RowKindSize]

    @cached_property
    def months(self) -> Floats:
        """(dates,) since the start: the first day, the middle of the first month, the ends of all months."""
        ends = month_numbers(self.spec)[1:]
        return np.array([min(FIRST_MONTH, ends[0] / 4), ends[0] / 2, *ends])

    @cached_property
    def _steps(self) -> Floats:
        """(amounts, dates - 1) by which each of `_amounts` changes from date to date, as a share of its largest."""
        amounts = np.array([np.abs(each) for each in self._amounts()]).reshape(-1, len(self.months))
        most = amounts.max(axis=1, keepdims=True)
        return np.diff(amounts / np.where(most > 0, most, 1.0), axis=1)

    @cached_property
    def change(self) -> Floats:
        """(dates,) by how much all that work may follow from has changed since the first date."""
        steps = np.abs(self._steps).sum(axis=0)
        steps[steps < STEADY * max(float(steps.sum()), STEADY)] = 0.0
        return np.concatenate(([0.0], np.cumsum(steps)))

    def turns(self, first: int, last: int) -> bool:
        """Return whether some of it grows and shrinks between two dates."""
        steps = self._steps[:, first:last]
        back = np.abs(steps).sum(axis=1) - np.abs(steps.sum(axis=1))
        return bool((back > NEAR_SHARE).any())

    def _amounts(self) -> Iterator[Floats]:
        """Yield rows and cells stored, values in use and rates: (dates,) each."""
        days = self.months * MONTH_DAYS
        for course in (size.course for size in self.sizes.values() if size.course is not None):
            for known in (course.rows[None], course.cells_stored, course.cells_superseded):
                yield from (np.interp(days, course.days, each) for each in known)
        for field in sorted({name for kind in self.table.row_kinds for name in _fields(self.spec, self.table, kind)}):
            yield values_in_use(self.spec, self.spec.find(field), days)
        writes = [write for kind in self.table.row_kinds for write in kind.writes]
        for activity in sorted({write.activity for write in writes if write.activity is not None}):
            yield activity_rates(self.spec, self.spec.find(activity), self.months)

    def middle(self, first: int, last: int) -> int | None:
        """Return the date by which half of the change between two has come; None if nothing is left to be told."""
        if last - first < 2:
            return None
        inside = self.change[first + 1 : last]
        place = first + 1 + int(np.abs(inside - (self.change[first] + self.change[last]) / 2).argmin())
        return place if self.change[first] < self.change[place] < self.change[last] else None

    def work(self, place: int, reads: Iterable[str]) -> dict[str, Floats]:
        """Return the node time and the bytes returned of a request of each read on a date."""
        months = float(self.months[place])
        then = self.spec.result_cache.get(("until", months))
        if then is None:
            then = self.spec.result_cache["until", months] = self.spec.with_horizon(months)
        sizes = {kind: size.on(months * MONTH_DAYS) for kind, size in self.sizes.items()}
        keys = {
            kind.id: _facts_on(self.spec, then, self.table, kind, self.keys[kind.id])
            for kind in self.table.row_kinds
            if kind.id in self.keys
        }
        return {plan.read: _work(plan) for plan in plan_reads(then, self.table, keys, sizes, frozenset(reads))}


def _work(plan: ReadPlan) -> Floats:
    return np.array([plan.node_seconds, plan.bytes_returned])


@dataclass(frozen=True)
class _Courses:
    """Work of a table's reads on the dates on which they have been planned."""

    dates: _Dates
    plans: Mapping[str, ReadPlan]
    written: float
    """Work of the writes."""

    @cached_property
    def known(self) -> dict[str, dict[int, Floats]]:
        """By read and date."""
        end = len(self.dates.months) - 1
        first = self.dates.work(0, self.plans)
        return {read: {0: first[read], end: _work(plan)} for read, plan in self.plans.items()}

    def found(self) -> dict[str, ReadCourse]:
        """Return the work in all months of the reads whose work changes."""
        spans = [(0, len(self.dates.months) - 1)]
        while spans:
            first, last = spans.pop()
            if (place := self.dates.middle(first, last)) is not None and not self._is_straight(first, place, last):
                spans += [(first, place), (place, last)]
        return {read: self._course(read) for read, known in self.known.items() if not _is_constant(known)}

    def _is_straight(self, first: int, place: int, last: int) -> bool:
        """Return whether reads follow the change between two dates, by planning them on the one between."""
        asked = [read for read in self.plans if self._differs(read, first, last)]
        if not asked:
            return True
        expected = {read: self._on(read)[:, place] for read in asked}
        there = self.dates.work(place, asked)
        for read in asked:
            self.known[read][place] = there[read]
        return not any(self._is_off(read, there[read] - expected[read], place, NEAR_SHARE) for read in asked)

    def _differs(self, read: str, first: int, last: int) -> bool:
        """Return whether the work of a read on two dates makes a difference, or may make one between them."""
        if self.dates.turns(first, last):
            return True
        work = self._on(read)
        return any(self._is_off(read, work[:, last] - work[:, first], place, SMALL_SHARE) for place in (first, last))

    def _is_off(self, read: str, difference: Floats, place: int, share: float) -> bool:
        """Return whether work differs by more than a share of all of it; and its bytes, where billed, of its own."""
        seconds, returned = np.abs(difference)
        whole = self.written + sum(self._rate(each) * self._on(each)[0, place] for each in self.plans)
        if self._rate(read) * seconds > share * whole:
            return True
        return self._is_billed_by_bytes(read) and bool(returned > share * self._on(read)[1, place])

    def _rate(self, read: str) -> float:
        return self.plans[read].per_second or 0.0

    def _is_billed_by_bytes(self, read: str) -> bool:
        where = self.dates.spec.find(read).where
        return where is not None and bool(where.internet or where.region or where.zone)

    def _on(self, read: str) -> Floats:
        """Return the work of a read on all dates, following the change between those known: (2, dates)."""
        known, change = self.known[read], self.dates.change
        places = sorted(known)
        return np.array([np.interp(change, change[places], each) for each in np.array([known[p] for p in places]).T])

    def _course(self, read: str) -> ReadCourse:
        work = self._on(read)
        ends = np.delete(work, 1, axis=1)
        means = (ends[:, :-1] + ends[:, 1:]) / 2
        means[:, 0] = work[:, 1]  # an empty table fills ever more slowly: half a month tells more than its ends
        return ReadCourse(ends[0], means[0], means[1])


def _is_constant(known: Mapping[int, Floats]) -> bool:
    *others, last = (known[place] for place in sorted(known))
    return all(np.allclose(each, last, rtol=1e-9, atol=0.0) for each in others)


def _fields(spec: Spec, table: Table, kind: RowKind) -> set[str]:
    """Return the fields that keys and qualifiers of a row kind are made from, with their owners."""
    parts = (*kind.segments, *(part for _, column in columns_of(table, kind) for part in column.qualifier_from))
    names = {name for part in parts for name in segment_fields(part)}
    return names | {owner for name in names for owner in owner_ids(spec, name)}


def _facts_on(spec: Spec, then: Spec, table: Table, kind: RowKind, facts: KeyFacts) -> KeyFacts:
    """Return what is known of keys, with as many values and times as there are by an earlier end of the horizon."""
    segments = {segment.id: segment for segment in kind.segments}
    there_days = (_horizon(then) + float(effective_value(spec, table, "history_months") or 0)) * MONTH_DAYS
    return replace(
        facts,
        segments=tuple(
            _segment_on(spec, then, segments[each.id], each, there_days) if each.id in segments else each
            for each in facts.segments
        ),
    )


def _segment_on(spec: Spec, then: Spec, segment: Segment, facts: SegmentFacts, there_days: float) -> SegmentFacts:
    """Return how many values a segment has by an earlier end of the horizon, after so many days with its history."""
    if isinstance(segment, TimeSegment):
        most = there_days * DAY_SECONDS / segment_seconds(segment)
        return replace(facts, distinct=min(facts.distinct, max(most, 1.0)))
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return facts
    now, before = (_values_until(each, segment.field) for each in (spec, then))
    return replace(facts, distinct=max(facts.distinct * min(before / now, 1.0), 1.0))


def _horizon(spec: Spec) -> float:
    return float(effective_value(spec, spec, "horizon_months"))


def _values_until(spec: Spec, field_id: str) -> float:
    """Return the values that a field has had by the end of the horizon."""
    field = spec.find(field_id)
    values = float(effective_value(spec, field, "distinct")) + new_per_day(spec, field) * _horizon(spec) * MONTH_DAYS
    return max(min(values, field.capacity or math.inf) if field.values is not None else values, 1.0)
