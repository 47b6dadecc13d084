"""Contents below a prefix of a key: rows below the values that requests give."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designer.document import Spec
from designer.document.key import Segment
from designer.document.popularity import Popularity
from estimator.results.arrays import Floats, distinct

from .bound_values import BoundValues, bound_values
from .counts import Counts
from .events import EventClock, Parts
from .first_rows import First, first_in_time, first_of_values
from .key_parts import KeyParts, horizon_days
from .poisson import capped_rows, share_of_others
from .population import Population
from .told_apart import tell_apart
from .turnover import EVER_DAYS, POINTS, STILL, WEIGHTS, Turnover


@dataclass(frozen=True, eq=False)
class Below:
    """Rows below the bound values of a prefix, in classes."""

    rows: Floats
    """(classes,) expected rows below one combination of bound values. [rows]"""
    count: Floats
    """(classes,) combinations that could be asked for. [combinations]"""
    asked: Floats
    """(classes,) share of requests for the class. [1]"""
    chance: Floats
    """(classes,) that a key of the rows has been written, in their mean. [1]"""
    clump: float = 1.0
    """So many of the rows come together, in one burst. [rows]"""
    events: Floats | None = None
    """(classes,) expected events of them, where `rows` is a sum over these. [events]"""
    there: Floats | None = None
    """(classes,) chance of any row, where only combinations with one are asked for: `rows` is the mean of those."""

    @property
    def mean_met(self) -> float:
        """Rows below the values of a request, in the mean over requests. [rows]"""
        return float(self.rows @ self.asked)

    def mean_of_first(self, most: float, *, part: float = 1.0) -> float:
        """Return the rows of which a request takes the first `most`, where it meets a part of those below. [rows]"""
        return float(self.first(most, part=part) @ self.asked)

    def first(self, most: float, *, part: float = 1.0) -> Floats:
        """Return the first `most` rows of each class, of a part of those below: (classes,). [rows]"""
        if self.there is None:
            return capped_rows(self.rows * part, self.chance, most, clump=self.clump)
        rows = capped_rows(self.rows * self.there * part, self.chance, most, clump=self.clump)
        return np.divide(rows, self.there, out=np.zeros_like(rows), where=self.there > 1e-12)

    def first_after(self, gone: Floats, most: float) -> Floats:
        """Return those of the first `most` rows of each class that are left where some are gone: (classes,). [rows]"""
        return np.where((gone > 0) | (most == math.inf), np.clip(most - gone, 0.0, self.rows), self.first(most))

    def mean_per_row(self, rows: "Below") -> float:
        """Return what is below one row, such as cells, where a request draws values first and then one of their rows.

        Values that have no row are not asked for.
        """
        if len(rows.rows) != len(self.rows):
            return self.mean_met / rows.mean_met if rows.mean_met > 0 else 0.0  # other classes: the ratio of means
        weight = rows.asked * rows.first(1.0)
        ratios = np.divide(self.rows, rows.rows, out=np.zeros_like(self.rows), where=rows.rows > 0)
        return float((ratios @ weight) / weight.sum()) if weight.any() else 0.0

    def mean_beside_event(self, whole: "Below", *, asked: bool) -> float:
        """Return what is in the row of one event, in the mean over all events of what is stored.

        `asked`: a request draws values first, and then one of their events. `whole`: all events of the rows.
        """
        assert whole.events is not None
        if len(whole.events) != len(self.rows):
            return self.mean_met / float(whole.events @ whole.asked)  # other classes: the ratio of means
        weight = whole.asked * -np.expm1(-whole.events) if asked else whole.count * whole.events
        ratios = np.divide(self.rows, whole.events, out=np.zeros_like(self.rows), where=whole.events > 0)
        if asked and self.clump < math.inf:
            alone = np.minimum(ratios, self.clump)  # its own burst is there for certain
            ratios = alone + (ratios - alone) * share_of_others(whole.events / self.clump)
        return float(ratios @ weight / weight.sum()) if weight.any() else 0.0

    @property
    def largest(self) -> float:
        """Rows below the busiest combination. [rows]"""
        return float(self.rows.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Prefix:
    """Rows stored at the end of the horizon below the values of some segments of a key."""

    spec: Spec
    segments: Sequence[Segment]
    """Of the key."""
    clocks: Mapping[str, EventClock]
    """Of the writes that make rows, by their ids."""
    bound: Collection[str]
    """Segments whose values a request gives, by their ids."""
    asked: Mapping[str, Popularity] | None = None
    """How requests draw fields, where that is stated; else they are for what is stored, as writes draw it."""
    texts: Mapping[str, float] | None = None
    """Different texts of segments that show a part of a value only, where known. [texts]"""
    stored_days: float = math.inf
    """How long a row stays after its last event. [day]"""
    day: float | None = None
    """Days since the start; None: the end of the horizon."""
    since_day: float = math.inf
    """When the first events came, where that was before the clocks begin. [day]"""

    @property
    def every_event(self) -> bool:
        """True if each event makes a key of its own."""
        return self._parts.every_event

    @property
    def receives_days(self) -> tuple[float | None, float]:
        """Time in which one key receives, and its largest number of events; None is for ever. [day], [events]"""
        return self._parts.bucket_days, self._parts.own_numbers.size

    @cached_property
    def _parts(self) -> KeyParts:
        apart = tell_apart(self.spec, self.segments, bound=self.bound, texts=self.texts)
        writes = tuple(self.spec.find(write) for write in self.clocks)
        stored = min([self.stored_days, *(self._day - clock.begin_day for clock in self.clocks.values())])
        return KeyParts(self.spec, apart, writes, asked=self.asked or None, stored_days=stored, is_met=True)

    @cached_property
    def _day(self) -> float:
        return horizon_days(self.spec) if self.day is None else self.day

    @cached_property
    def _turnover(self) -> Turnover:
        return self._parts.turnover(self._parts.told.bound, numbers=False)

    @cached_property
    def _values(self) -> Counts:
        """Events on the bound values, in any window."""
        return Population(self._parts.strata, self._parts.laws(), self._turnover).counts(self.clocks)

    @cached_property
    def _keys(self) -> Counts:
        """Events on the keys below one bound value."""
        parts = self._parts
        inner = parts.turnover([field for field in parts.told.fields if field not in parts.told.bound])
        return Population(
            parts.strata, parts.laws(), _without_births(inner, self._turnover), parts.bucket_days, parts.border_day,
            parts.cut, every_event=parts.every_event, own_numbers=replace(parts.own_numbers, since_day=self.since_day),
        ).counts(self.clocks)  # fmt: skip

    def _since(self, kept_days: float) -> float:
        return max(self._day - min(kept_days, EVER_DAYS), self._values.begin_day)

    def _cohorts(self, kept_days: float, *, of_rows: bool) -> BoundValues:
        """Return the bound values by when they came; those of rows that have no event in these days, too, on demand."""
        since = self._since(kept_days)
        first = self._since(self.stored_days) if of_rows else since
        cohorts = bound_values(self._values, self._turnover, first, self._day, since)
        return cohorts if self._staying is None else cohorts.beside_staying(since, self._day)

    @cached_property
    def _staying(self) -> Floats | None:
        """Bound values that stay from the start while others come: 1 of each class of them, (bounds,); else None."""
        flags, strata = self._values.staying, self._parts.strata
        if self._turnover.is_still or not flags.any():
            return None
        return np.asarray(strata.bound_share()[flags].any(axis=0), dtype=np.float64)

    @cached_property
    def _rows_of_one_event(self) -> float | None:
        """Rows of a bound value that is of one event, which nobody asks for when they are gone; else None. [rows]"""
        new_ids = [field for field in self._parts.told.bound if self._parts.is_new_each_time(field)]
        if not new_ids or self.asked:
            return None
        return max(self._parts.made_per_day / max(*map(self._parts.new_per_day, new_ids), 1e-300), 1.0)

    def _by_law(self, scale: Floats) -> Floats:
        """Return how much busier values of a cohort are than the strata say: (cohorts,), or (cohorts, laws)."""
        if self._staying is None:
            return scale
        flags = self._values.staying[None, :]
        # Those that stay are the last cohort, and have their laws to themselves.
        return np.asarray(scale[:, None] * np.where(np.arange(len(scale))[:, None] == len(scale) - 1, flags, ~flags))

    def rows(
        self,
        kept_days: float,
        cap: float = 1.0,
        *,
        between: tuple[float, float] | None = None,
        of_rows: bool = False,
    ) -> Below:
        """Return the rows below the bound values.

        Parameters
        ----------
        kept_days
            How long a row stays after its last event. [day]
        cap
            So many events of each key count: 1 counts rows, more the versions that a policy keeps. [events]
        between : two floats
            Of the rows that show the time, those whose buckets begin between these ages. [day]
        of_rows
            In the classes of all rows, however many days are counted.
        """
        strata, clump = self._parts.strata, self._parts.rows_per_burst
        if not self.clocks:  # nothing is written: each combination is taken to have its rows
            below_each = np.bincount(strata.bound, strata.count, minlength=len(strata.bound_count)).astype(np.float64)
            weight = strata.bound_count * strata.bound_share()[-1 if self.asked else 0]
            return Below(below_each, strata.bound_count, weight, np.ones(len(weight)))
        cohorts = self._cohorts(kept_days, of_rows=of_rows)
        rows, chance = self._keys.below(cohorts.begin, cohorts.end, self._by_law(cohorts.scale), cap)
        count, weight = self._weights(cohorts)
        gone = cohorts.end < self._day - 1e-9
        if (most := self._rows_of_one_event) is not None:  # an event has all of them or none
            gone, there = np.ones_like(gone), np.minimum(rows / most, 1.0)
            rows, weight = there * most, weight * there
        elif gone.any():  # what is stated is of values in use; else those with rows
            there, together = np.ones(rows.shape), clump * min(self._keys.clump, cap)  # events of a key come together
            there[gone] = 0.0 if self.asked else capped_rows(rows[gone], chance[gone], 1.0, clump=together)
            weight = weight * there
        if between is not None:
            begins = (self._day - max(between), self._day - min(between))
            scale = cohorts.scale_within(self._values, *begins)
            rows, chance = self._keys.below(cohorts.begin, cohorts.end, self._by_law(scale), cap, begins=begins)
        present_share = None
        if gone.any() and not self.asked:
            rows, present_share = np.divide(rows, there, out=rows.copy(), where=there > 1e-12), there.ravel()
        return Below(rows.ravel(), count.ravel(), _share_of_all(weight), chance.ravel(), clump, there=present_share)

    def _weights(self, cohorts: BoundValues) -> tuple[Floats, Floats]:
        """Return how many bound values there are and how many requests are for them: (cohorts, bounds)."""
        strata = self._parts.strata
        count = cohorts.keys[:, None] * strata.bound_count
        if self._staying is not None:
            count = np.concatenate([count[:-1] * (1 - self._staying), count[-1:] * self._staying])
        return count, count * strata.bound_share()[-1 if self.asked else 0] * cohorts.drawn[:, None]

    def beside_event(self, kept_days: float, cap: float, *, of_rows: bool = False) -> Below:
        """Return for each event below the bound values those in its row, at most `cap` of each key."""
        cohorts = self._cohorts(kept_days, of_rows=of_rows)
        spread = self._parts.rows_per_burst if self._parts.told.salts > 1 else 1.0
        scale = self._by_law(cohorts.scale)
        events, rows = self._keys.beside_event(cohorts.begin, cohorts.end, scale, cap, burst_keys=spread)
        count, weight = self._weights(cohorts)
        if self.asked:  # what is stated is of values in use
            weight = weight * (cohorts.end >= self._day - 1e-9)[:, None]
        together = math.inf if self._keys.regular else self._keys.clump * spread
        return Below(
            rows.ravel(), count.ravel(), _share_of_all(weight), np.zeros(rows.size), together, events=events.ravel()
        )

    def cells_of_first(self, first: First, caps: Sequence[tuple[float, float, float]], below: "Prefix") -> float | None:
        """Return the cells of a row among the first of those in use at the end.

        Parameters
        ----------
        below
            The same values, with the keys of cells below them.
        caps
            The cells that a policy keeps, as a sum: how long cells are there, how many of a key count, and by how much
            the sum counts. [day], [cells], [1]

        Returns
        -------
        float or None
            None where neither time nor values are in an order. [cells]
        """
        keys, strata, others = self._keys, self._parts.strata, below._parts.strata
        is_timed = keys.bucket_days is not None and not keys.every_event
        if not self.clocks or not (is_timed or first.by_value):
            return None
        if not np.array_equal(strata.bound_count, others.bound_count):
            return None  # merged apart: rows and cells of one value are not known as a pair
        if first.by_value and not (keys.turnover.is_still and np.array_equal(strata.share, others.share)):
            return None
        if first.by_value and below is not self and not self._turnover.is_still:
            return None
        since, bucket_days = self._since(self.stored_days), keys.bucket_days or 0.0
        # Of the row that began before, what came later is there.
        all_days = self._day - since + (bucket_days if is_timed and since > keys.begin_day else 0.0)
        ages = self._ages_of_first(all_days, caps, bucket_days, first) if is_timed else np.array([all_days])
        if is_timed and below._keys.every_event:
            others = strata  # each event has a cell in the row of its time

        met: dict[tuple[int, float, float], Parts] = {}  # other caps and busier values meet the same

        def until(keys: Counts, age: float, days: float, cap: float, scale: float) -> Floats:
            counts, begin = keys.of_existing(), max(since, self._day - min(days, EVER_DAYS))
            if (key := (id(keys), age if is_timed else 0.0, begin)) not in met:
                met[key] = counts.parts_of(begin, self._day, (self._day - age, self._day) if is_timed else None)
            return counts.of_each(met[key], begin, cap, scale=scale)

        def cells_to(age: float, days: float, cap: float, scale: float) -> Floats:
            """Return the cells of the rows that begin so late: of finer times those that come after it."""
            if not is_timed or not _is_finer(below._keys, bucket_days):
                return until(below._keys, age, days, cap, scale)
            if below._keys.every_event:
                return until(keys, age, days, math.inf, scale)
            begin = max(age - bucket_days, 0.0)
            later = zip(begin + POINTS * (age - begin), WEIGHTS * (age - begin) / bucket_days, strict=True)
            return np.asarray(sum(weight * until(below._keys, then, days, cap, scale) for then, weight in later))

        # Keys of single events come as by Poisson's law.
        most_chance, totals = 0.0 if keys.every_event else 1.0, np.zeros(2)
        weight = strata.bound_count * strata.bound_share()[-1 if self.asked else 0]
        busiest_first = np.argsort(strata.share[0] * (1 if first.is_last else -1), kind="stable")
        for scale, demand in self._cohorts_in_use():
            rows = np.stack([until(keys, age, self.stored_days, 1.0, scale) for age in ages])
            cells = np.stack([sum(part * cells_to(age, days, cap, scale) for days, cap, part in caps) for age in ages])
            # Rows are those of so many buckets: one key of one bucket is there with a chance of rows ÷ buckets.
            buckets = np.maximum(ages / (bucket_days or all_days), 1.0)[:, None]
            if not first.by_value:
                all_rows, all_cells = rows @ strata.count_by_bound, cells @ others.count_by_bound
                # Rows of one combination, in the mean over rows.
                both = rows**2 @ strata.count_by_bound / np.maximum(all_rows, 1e-300)
                chance = np.ones_like(both) if keys.regular else np.minimum(both / buckets, most_chance)
                first_rows = first_in_time(all_rows / first.ranges, all_cells / first.ranges, chance, first)
                totals += first_rows @ (weight * demand)
                continue
            chances = np.ones_like(rows) if keys.regular else np.minimum(rows / buckets, most_chance)
            for bound, requests in enumerate((weight * demand).tolist()):
                own = busiest_first[strata.bound[busiest_first] == bound]
                row_cells = first_of_values(rows[:, own], cells[:, own], strata.count[own], chances[:, own], first)
                totals += requests * row_cells
        return float(totals[1] / totals[0]) if totals[0] > 0 else None

    def _ages_of_first(
        self, all_days: float, caps: Sequence[tuple[float, float, float]], bucket_days: float, first: First
    ) -> Floats:
        """Return the ages at which rows and their cells are counted, ascending: close together where a read begins."""
        turns = np.array([days + more for days, _, _ in caps for more in (0.0, bucket_days)])
        steps = (bucket_days or all_days) * (2.0 ** np.arange(1, 40) - 1)
        steps = steps if first.newest else all_days - steps[steps < all_days]
        # A named day is told by the middle of its bucket.
        named_days = {self._day - day + bucket_days / 2 for clock in self.clocks.values() for day in clock.named_days}
        turns = np.array([*turns, *(age - more for age in named_days for more in (0.0, 1.0) if age > more)])
        return distinct([*steps[steps < all_days], *turns[turns < all_days], all_days])

    def _cohorts_in_use(self) -> list[tuple[float, float]]:
        """Return bound values in few kinds: how much busier one is than the strata say, and how many ask for it."""
        if self._turnover.latest is None:
            return [(1.0, 1.0)]
        cohorts = self._cohorts(self.stored_days, of_rows=True)
        label = np.round(np.log(np.maximum(cohorts.scale, 1e-300)) * _KINDS_PER_FACTOR)
        requests = cohorts.keys * cohorts.drawn
        kinds = []
        for kind in distinct(label).tolist():
            mine = label == kind
            if (total := float(requests[mine].sum())) > 0:
                kinds.append((float(cohorts.scale[mine] @ requests[mine]) / total, total))
        return kinds


_KINDS_PER_FACTOR = 2.0
"""So many kinds of bound values are told apart for each factor of e in how busy one is."""


def _is_finer(cells: Counts, bucket_days: float) -> bool:
    """Return whether what is in rows of a time bucket shows a finer time."""
    # The same but for rounding is no finer.
    return cells.bucket_days is not None and cells.bucket_days < bucket_days * (1 - 1e-9)


def rows_below(
    spec: Spec,
    segments: Sequence[Segment],
    clocks: Mapping[str, EventClock],
    bound: Collection[str],
    *,
    kept_days: float,
    cap: float = 1.0,
    asked: Mapping[str, Popularity] | None = None,
    texts: Mapping[str, float] | None = None,
    day: float | None = None,
) -> Below:
    """Return the rows below the values of some segments at the end of the horizon, or on `day`, as `Prefix.rows`."""
    return Prefix(spec, segments, clocks, bound, asked, texts, kept_days, day).rows(kept_days, cap)


def _share_of_all(weight: Floats) -> Floats:
    """Return weights as parts of 1, even ones where nothing weighs."""
    total = float(weight.sum())
    return weight.ravel() / total if total > 0 else np.full(weight.size, 1 / max(weight.size, 1))


def _without_births(inner: Turnover, bound: Turnover) -> Turnover:
    """Return the turnover below bound values: what is born with them is counted by them."""
    if inner.written_at_birth <= bound.written_at_birth:
        return replace(inner, written_at_birth=0.0) if not inner.is_still else STILL
    return inner
