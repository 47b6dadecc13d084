"""Work of reads over the horizon: planned anew on the few dates between which it follows what is stored."""

import math
from collections import defaultdict
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
from .reads import plan_reads

FIRST_MONTH = 1 / MONTH_DAYS
"""The first day: what a read of the first days does is not known before anything is there. [month]"""

TOLERANCE = 0.005
"""Work is planned on more dates where it is farther from a line between two dates than this share…"""
LEAST = 0.02
"""…of itself, or of this part of what it is at the end."""
STEADY = 1e-6
"""So small a part of all change is none."""


def with_courses(
    spec: Spec,
    table: Table,
    keys: Mapping[str, KeyFacts],
    sizes: Mapping[str, RowKindSize],
    plans: Sequence[ReadPlan],
) -> tuple[ReadPlan, ...]:
    """Return the plans of reads with their work in each month, where it changes.

    Parameters
    ----------
    As those of `plan_reads`; the plans are those of the end of the horizon.
    """
    dates = _Dates(spec, table, keys, sizes)
    asked = [plan for plan in plans if plan.per_second is not None and plan.refused is None and plan.has_actual_rows]
    if not asked or dates.change[-1] <= 0:
        return tuple(plans)
    found = _work_on_dates(dates, asked)
    return tuple(
        replace(plan, course=_course(dates, found[plan.read])) if len(found.get(plan.read, ())) > 1 else plan
        for plan in plans
    )


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
    def change(self) -> Floats:
        """(dates,) by how much all that work may follow from has changed since the first date."""
        amounts = np.array([np.abs(each) for each in self._amounts()])
        most = amounts.max(axis=1, keepdims=True) if len(amounts) else np.ones((0, 1))
        steps = np.abs(np.diff(amounts / np.where(most > 0, most, 1.0), axis=1)).sum(axis=0)
        steps = np.zeros(len(self.months) - 1) + steps
        steps[steps < STEADY * max(float(steps.sum()), STEADY)] = 0.0
        return np.concatenate(([0.0], np.cumsum(steps)))

    @cached_property
    def is_monotone(self) -> bool:
        """True if nothing of it first grows and then shrinks."""
        steps = np.diff(np.array(list(self._amounts())), axis=1)
        return bool(((steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)).all())

    def _amounts(self) -> Iterator[Floats]:
        """Yield rows and cells stored, values in use and rates: (dates,) each."""
        days = self.months * MONTH_DAYS
        for course in (size.course for size in self.sizes.values() if size.course is not None):
            for known in (course.rows[None], course.cells_stored, course.cells_superseded):
                yield from (np.interp(days, course.days, each) for each in known)
        for field in sorted({name for kind in self.table.row_kinds for name in _fields(self.spec, self.table, kind)}):
            yield values_in_use(self.spec, self.spec.find(field), days)
        for activity in sorted({write.activity for kind in self.table.row_kinds for write in kind.writes} - {None}):
            yield activity_rates(self.spec, self.spec.find(activity or ""), self.months)

    def middle(self, first: int, last: int) -> int | None:
        """Return the date by which half of the change between two has come; None if nothing is left to be told."""
        if last - first < 2:
            return None
        inside = self.change[first + 1 : last]
        place = first + 1 + int(np.abs(inside - (self.change[first] + self.change[last]) / 2).argmin())
        return place if self.change[first] < self.change[place] < self.change[last] else None

    def between(self, place: int, first: int, last: int, known: Mapping[int, Floats]) -> Floats:
        """Return the work on a date if it follows the change between two."""
        part = (self.change[place] - self.change[first]) / (self.change[last] - self.change[first])
        return known[first] + part * (known[last] - known[first])

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


def _work_on_dates(dates: _Dates, plans: Sequence[ReadPlan]) -> dict[str, dict[int, Floats]]:
    """Return the work of each read on the dates between which it follows the change."""
    end = len(dates.months) - 1
    first = dates.work(0, [plan.read for plan in plans])
    found = {plan.read: {0: first[plan.read], end: _work(plan)} for plan in plans}
    open_spans = {(read, 0, end) for read, known in found.items() if not _is_settled(dates, known)}
    while open_spans:
        asked = defaultdict[int, set[tuple[str, int, int]]](set)
        for span in open_spans:
            if (place := dates.middle(*span[1:])) is not None:
                asked[place].add(span)
        open_spans = set()
        for place, spans in asked.items():
            there = dates.work(place, {read for read, _, _ in spans})
            for read, before, after in spans:
                expected = dates.between(place, before, after, found[read])
                found[read][place] = there[read]
                if not _are_near(there[read], expected, found[read][end]):
                    open_spans |= {(read, before, place), (read, place, after)}
    return {read: known for read, known in found.items() if not _is_constant(known)}


def _is_settled(dates: _Dates, known: Mapping[int, Floats]) -> bool:
    first, last = known.values()
    return dates.is_monotone and _are_near(first, last, last)


def _is_constant(known: Mapping[int, Floats]) -> bool:
    *others, last = (known[place] for place in sorted(known))
    return all(np.allclose(each, last, rtol=1e-9, atol=0.0) for each in others)


def _are_near(one: Floats, other: Floats, last: Floats) -> bool:
    scale = np.maximum(np.maximum(np.abs(one), np.abs(other)), LEAST * np.abs(last))
    return bool((np.abs(one - other) <= TOLERANCE * scale).all())


def _course(dates: _Dates, known: Mapping[int, Floats]) -> ReadCourse:
    places = sorted(known)
    values = np.array([known[place] for place in places])
    work = np.array([np.interp(dates.change, dates.change[places], each) for each in values.T])
    ends = np.delete(work, 1, axis=1)
    means = (ends[:, :-1] + ends[:, 1:]) / 2
    means[:, 0] = work[:, 1]  # an empty table fills ever more slowly: half a month tells more than the month's ends
    return ReadCourse(ends[0], means[0], means[1])


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
