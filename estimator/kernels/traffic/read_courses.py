"""Work of reads over the horizon: outlined by what is stored, and planned anew on one more date at most."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.key import DerivedSegment, FieldSegment, Segment, TimeSegment
from designer.document.table import RowKind, Table
from estimator.engines import bigtable
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import KeyFacts, ReadCourse, ReadPlan, RowKindSize, SegmentFacts
from estimator.results.arrays import Floats

from ..population.values import new_per_day
from .operations import OperationRate
from .read_outlines import Outlines
from .reads import plan_reads
from .work import work_of

SMALL_SHARE = 0.01
"""A read whose outline differs from the end by so small a share of the table's work is planned at the end only."""
STEADY = 1e-6
"""What changes by so small a share is steady."""
TOLD_SHARE = 0.1
"""Between two dates on which what is met differs by this share, work follows what is met; else it follows the time."""


def with_courses(
    spec: Spec,
    table: Table,
    keys: Mapping[str, KeyFacts],
    sizes: Mapping[str, RowKindSize],
    plans: Sequence[ReadPlan],
    writes: Sequence[OperationRate],
    mean_ratio: Floats,
) -> tuple[ReadPlan, ...]:
    """Return the plans of reads with their work in each month, where it changes.

    Parameters
    ----------
    As those of `plan_reads`; the plans are those of the end of the horizon.
    writes
        What else the table does: what makes no difference beside it is not planned again.
    mean_ratio : float64, shape (months,)
        Mean of what is stored over each month ÷ mean of its two ends. [1]
    """
    rated = {plan.read: plan for plan in plans if plan.per_second and plan.refused is None and plan.has_actual_rows}
    if not rated:
        return tuple(plans)
    outlines = Outlines(spec, table, sizes, mean_ratio)
    reads = {read.id: (kind, read) for kind in table.row_kinds for read in kind.reads}
    work = [_ReadWork(outlines, *_outline(outlines, *reads[id_], plan), plan, {}) for id_, plan in rated.items()]
    if all(read.is_steady for read in work):
        return tuple(plans)
    _plan_between(_Dates(spec, table, keys, sizes), work, writes)
    courses = {read.plan.read: read.course for read in work if not read.is_steady}
    return tuple(replace(plan, course=courses.get(plan.read)) for plan in plans)


def _outline(outlines: Outlines, kind: RowKind, read: Read, plan: ReadPlan) -> tuple[Floats, Floats]:
    """Return the bytes that a read meets, and the work of one that meets nothing."""
    ranges = outlines.ranges(kind, plan)
    least = _least_seconds(outlines.spec, plan)
    return outlines.bytes_met(kind, read, plan), least * ranges / plan.ranges


def _least_seconds(spec: Spec, plan: ReadPlan) -> float:
    """Return the work of a request that meets nothing."""
    seconds = plan.ranges * bigtable.instance_capacity(spec.instance).read.seconds
    nothing = replace(
        plan, rows_scanned=0.0, rows_returned=0.0, cells_returned=0.0, bytes_scanned=0.0, bytes_returned=0.0,
        bytes_wanted=0.0, bytes_dragged=0.0, bytes_filtered=0.0, node_seconds=seconds,
    )  # fmt: skip
    return min(work_of(spec).read_seconds(nothing), plan.node_seconds)


@dataclass(frozen=True, eq=False)
class _ReadWork:
    """Work of one request of a read: node time and bytes returned, on the dates of its outline."""

    outlines: Outlines
    met: Floats
    """(2, dates + months) what it meets by the outline: as bytes that take as long, and as bytes. [bytes]"""
    least_seconds: Floats
    """(dates + months,) node time of meeting nothing."""
    plan: ReadPlan
    planned: dict[int, Floats]
    """Work by the places of other dates than the end on which it has been planned."""

    @property
    def is_steady(self) -> bool:
        """True if it meets the same on all dates."""
        steady = np.ptp(self.met, axis=1) <= STEADY * self.met.max(axis=1)
        return bool(steady.all() and np.ptp(self.least_seconds) == 0.0)

    @property
    def work(self) -> Floats:
        """(2, dates + months) node time and bytes returned."""
        end = self.outlines.end
        known = {**self.planned, end: np.array([self.plan.node_seconds, self.plan.bytes_returned])}
        least = np.stack((self.least_seconds, np.zeros(len(self.least_seconds))))  # of a read that meets nothing
        return np.stack(
            [
                _through(self.outlines.days, met, base, {place: float(work[row]) for place, work in known.items()}, end)
                for row, (met, base) in enumerate(zip(self.met, least, strict=True))
            ]
        )

    @property
    def course(self) -> ReadCourse:
        """Work in all months."""
        seconds, returned = self.work
        ends = self.outlines.end + 1
        return ReadCourse(seconds[:ends], seconds[ends:], returned[ends:])


def _through(days: Floats, met: Floats, least: Floats, known: Mapping[int, float], end: int) -> Floats:
    """Return an amount on all dates that is `least` where nothing is met, and what is known on some of them.

    Elsewhere it follows what is met: in a line between two dates on which that differs, and else by a factor that
    changes evenly over time.
    """
    places = sorted(known)
    share = met / met[end] if met[end] > 0 else np.ones(len(met))
    outlined = (known[end] - least[end]) * share
    there = [place for place in places if outlined[place] > 0]
    factors = [(known[place] - least[place]) / outlined[place] for place in there]
    series = least + outlined * (np.interp(days, days[there], factors) if there else 1.0)
    for first, last in pairwise(places):
        step = met[last] - met[first]
        if abs(step) <= TOLD_SHARE * max(met[first], met[last]):
            continue
        part = (met - met[first]) / step
        inside = (days > days[first]) & (days < days[last]) & (part >= 0) & (part <= 1)
        series = np.where(inside, known[first] + (known[last] - known[first]) * part, series)
    return np.asarray(series)


def _plan_between(dates: "_Dates", work: Sequence[_ReadWork], writes: Sequence[OperationRate]) -> None:
    """Plan those reads that make a difference after the first month."""
    end = work[0].outlines.end
    if end < 2:
        return
    written = sum((flow.per_second_by_month * flow.seconds for flow in writes), np.zeros(end + 1))
    totals = written + sum(_load(read, read.work[0])[: end + 1] for read in work)
    changing = [read for read in work if _makes_difference(read, totals)]
    if changing:
        dates.plan(1, changing)


def _load(read: _ReadWork, seconds: Floats) -> Floats:
    return (read.plan.per_second or 0.0) * seconds


def _makes_difference(read: _ReadWork, totals: Floats) -> bool:
    """Return whether a read takes more or less before the end than at it, by a share of all that the table does."""
    end = read.outlines.end
    seconds, returned = np.abs(read.work[:, 1 : end + 1] - read.work[:, end : end + 1])
    if (_load(read, seconds) > SMALL_SHARE * totals[1:]).any():
        return True
    where = read.outlines.spec.find(read.plan.read).where
    is_billed_by_bytes = where is not None and bool(where.internet or where.region or where.zone)
    return is_billed_by_bytes and bool((returned > SMALL_SHARE * read.plan.bytes_returned).any())


@dataclass(frozen=True)
class _Dates:
    """Dates of the horizon on which reads of a table can be planned."""

    spec: Spec
    table: Table
    keys: Mapping[str, KeyFacts]
    sizes: Mapping[str, RowKindSize]

    def plan(self, month: int, reads: Collection[_ReadWork]) -> None:
        """Plan reads at the end of a month as if the horizon ended there."""
        then = self.spec.result_cache.get(("until", month))
        if then is None:
            then = self.spec.result_cache["until", month] = self.spec.with_horizon(month)
        sizes = {kind: size.on(month) for kind, size in self.sizes.items()}
        keys = {
            kind.id: _facts_on(self.spec, then, self.table, kind, self.keys[kind.id])
            for kind in self.table.row_kinds
            if kind.id in self.keys
        }
        plans = plan_reads(then, self.table, keys, sizes, {read.plan.read for read in reads})
        by_read = {plan.read: plan for plan in plans}
        for read in reads:
            plan = by_read[read.plan.read]
            if plan.refused is None:
                read.planned[month] = np.array([plan.node_seconds, plan.bytes_returned])


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
