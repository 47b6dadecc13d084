"""Events of combinations in a window, counted at most so often: what rows, cells and losses follow from.

`windows.py` says what parts a window has.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats

from .events import Burst, Parts, active_days, buckets_together
from .poisson import mean_with_certain
from .quadrature import GRID, on_grid
from .strata import Strata
from .turnover import EVER_DAYS
from .windows import Windows

FEW = 1e-4
"""Expected events up to which μ - 1 + exp(-μ) is μ² / 2."""
UNIQUE_DAYS = 1.001e-3 / 86_400
"""A time bucket no longer than a millisecond."""
SHORT_KEPT_DAYS = 100.0
"""Keys are remembered for so short that the day on which they are counted matters…"""
_MOMENTS = 12
"""…so that it is cut into so many parts."""


@dataclass(frozen=True, eq=False)
class Counts(Windows):
    """Events on the combinations of a key, counted in any window."""

    @property
    def regular(self) -> bool:
        """Events come at even intervals for each combination."""
        return bool(self.events) and bool(np.all(self.part_of_actor == 1))

    @cached_property
    def part_of_actor(self) -> Floats:
        """Share of events of a value that acts at even intervals that a combination takes; 0 without: (strata,)."""
        parts = [np.minimum(self.strata.share[each.law] * each.actors, 1.0) for each in self.events]
        part = np.min(parts, axis=0) if parts else np.zeros(len(self.strata.count))
        return np.asarray(np.where(part > 1 - 1e-9, 1.0, part))

    @cached_property
    def clump(self) -> float:
        """Events that come together, at most."""
        return max((event.clump for event in self.events), default=1.0)

    @cached_property
    def burst(self) -> Burst | None:
        """The largest of bursts whose events spread over several keys; None where all events of one are on one key."""
        spread = [event.burst for event in self.events if event.burst is not None]
        return max(spread, key=lambda burst: burst.size, default=None)

    def count_capped_events(self, first: Floats, last: Floats, cap: float) -> Floats:
        """Events from `first` to `last`, of each key at most `cap`.

        Parameters
        ----------
        first, last : float64, shape (windows,)
            [day]
        cap
            1 counts distinct keys, infinity events. [events]

        Returns
        -------
        float64, shape (windows,)
            Expected, over all keys. [events]
        """
        last = np.asarray(last, dtype=np.float64)
        first = np.minimum(np.maximum(first, self.begin_day), last)
        if cap <= 0 or not self.events:
            return np.zeros(len(last))
        if math.isinf(cap) or self.every_event:
            return self.count_named_keys(first, last)
        key = (first.tobytes(), last.tobytes(), cap)
        if key not in self._counted_windows:
            self._counted_windows[key] = self._count_capped(first, last, cap)
        return self._counted_windows[key]

    @cached_property
    def _counted_windows(self) -> dict[tuple[bytes, bytes, float], Floats]:
        """Events that were counted: columns that are written and collected alike ask for the same."""
        return {}

    def _count_capped(self, first: Floats, last: Floats, cap: float) -> Floats:
        windows = list(self.windows(first, last))
        if not windows:
            return np.zeros(len(last))
        parts = [part.at(place) for place, part in enumerate(windows)]
        window, keys, events, certain = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        many = keys * self._sum_over_strata(events, certain, cap)
        if self.own_numbers.is_bounded:
            begins = zip(windows, first.tolist(), strict=True)
            early = np.concatenate([self._from_first(part, begin) for part, begin in begins])
            many[early] = keys[early] * self._sum_of(events[early], certain[early], cap, from_first=True)
        total = np.bincount(window, many, minlength=len(last)).astype(np.float64)
        total = total - self.fewer_in_first_keys(first, last, 1.0, cap) @ self.strata.total_count
        total = np.maximum(total, 0.0)
        return np.minimum(total, self.count_named_keys(first, last))  # an integral may be off by a few parts in 100,000

    def distinct(self, first: Floats, last: Floats) -> Floats:
        """Return the distinct keys that events name from `first` to `last`: (windows,). [keys]"""
        return self.count_capped_events(first, last, 1.0)

    def beyond_first(self, part: Parts) -> float:
        """Return the events of a part of a window but for the first of each key, exact also where they are very few."""
        means, certain = part.events @ self.strata.share, self._certain(part)
        if self.part_of_actor.any() or self.clump > 1 or np.any(certain) or self.own_numbers.is_bounded:
            beyond = np.maximum(means + certain - self._count(means, 1.0, certain), 0.0)
        else:
            beyond = np.where(means < FEW, means**2 / 2, means + np.expm1(-means))
        return float(part.keys @ beyond @ self.strata.total_count)

    def _since_first_number(self, days: Floats) -> Floats:
        """Return the events of each combination until some days, since a value's first number: (days, strata)."""
        begin, earlier = np.full(len(days), self.begin_day), max(self.begin_day - self.own_numbers.since_day, 0.0)
        each = [e.clock.between(begin, days) + earlier * e.clock.between(begin, begin + 1) for e in self.events]
        return np.asarray(self._by_law(np.stack(each, axis=1), begin, days) @ self.strata.share)

    def fewer_in_first_keys(self, first: Floats, last: Floats, scale: Floats | float, cap: float) -> Floats:
        """Return how many events less of each combination count, as its numbers begin with a key: (windows, strata).

        Elsewhere buckets of numbers are taken to begin anywhere in them. Arguments are those of `below`.
        """
        if self.every_event or not self.own_numbers.parts_bursts or not self.turnover.is_still:
            return np.zeros((len(last), len(self.strata.count)))
        busier = np.max(np.reshape(scale, (len(np.atleast_1d(scale)), -1)), axis=1, keepdims=True)
        before, until = (self._since_first_number(days) * busier for days in (first, last))
        if self.bucket_days is None:  # what is seen from its first number on is counted so
            until = np.where(first[:, None] > self.begin_day + 1e-9, until, before)
        return self.own_numbers.fewer(cap, before, until)

    def below(
        self, first: Floats, last: Floats, scale: Floats, cap: float = 1.0, *, begins: tuple[float, float] | None = None
    ) -> tuple[Floats, Floats]:
        """Events from `first` to `last` below one bound value of each stratum, of each key at most `cap`.

        Parameters
        ----------
        first, last : float64, shape (windows,)
            [day]
        scale : float64, shape (windows,) or (windows, laws)
            By how much a bound value is busier in a window than the strata say. [1]
        begins
            Of the time buckets those count that begin between these days. [day]

        Returns
        -------
        two of float64, shape (windows, bounds)
            [events]; and the chance that a key of them has any, in their mean, 1 where they come evenly.
        """
        strata, total = self.strata, np.zeros((len(last), len(self.strata.bound_count)))
        squares = np.zeros_like(total)
        first = np.maximum(first, self.begin_day)
        each_window = zip(first.tolist(), last.tolist(), strict=True)
        parts = (self.parts_that_begin(*each, begins) for each in each_window) if begins else self.windows(first, last)
        since, until = (np.maximum(first, begins[0]), np.minimum(last, begins[1])) if begins else (first, last)
        fewer = self.fewer_in_first_keys(since, until, scale, cap)
        for place, part in enumerate(parts):
            means, most = (part.events * scale[place]) @ strata.share, math.inf if self.every_event else cap
            each = self._count(means, most, self._certain(part), from_first=self._from_first(part, first[place]))
            below = (part.keys @ each - fewer[place]) * strata.count
            total[place] = np.bincount(strata.bound, below, minlength=total.shape[1])
            if cap == 1 and not self.every_event:
                both = (part.keys @ (each - self.own_numbers.variance(each, means))) * strata.count
                squares[place] = np.bincount(strata.bound, both, minlength=total.shape[1])
                if self.part_of_actor.all() and not self.regular:
                    squares[place] += told_by_actors(strata, part.keys, means, self.part_of_actor, self.bucket_days)
        if self.regular or (self.every_event and all(event.actors for event in self.events)):
            squares = total
        return total, np.divide(np.clip(squares, 0.0, total), total, out=np.zeros_like(total), where=total > 0)

    def of_existing(self) -> "Counts":
        """Return the same on values that have been there all the time."""
        events = tuple(event.of_existing() for event in self.events)
        return self if events == self.events else replace(self, events=events)

    def of_each(self, part: Parts, first: float, cap: float, *, scale: float = 1.0) -> Floats:
        """Return the events of one combination in a window from `first` on, of each key at most `cap`: (strata,).

        `scale`: by how much it is busier than the strata say.
        """
        means, most = (part.events * scale) @ self.strata.share, math.inf if self.every_event else cap
        return part.keys @ self._count(means, most, self._certain(part), from_first=self._from_first(part, first))

    def beside_event(
        self, first: Floats, last: Floats, scale: Floats, cap: float, *, burst_keys: float = 1.0
    ) -> tuple[Floats, Floats]:
        """Events below one bound value, and of the keys in the row of each of them those that count, summed over them.

        The row of a random event has more events than the mean row: one that is known and those that come by chance.

        Parameters
        ----------
        As those of `below`; a row is what one bound value has in a time bucket.
        burst_keys
            Keys of it over which events of one burst spread. [keys]

        Returns
        -------
        two of float64, shape (windows, bounds)
            [events], [events²]
        """
        strata, made = self.strata, np.zeros((len(last), len(self.strata.bound_count)))
        beside, rows = np.zeros_like(made), np.zeros((len(strata.count), made.shape[1]))
        rows[np.arange(len(strata.count)), strata.bound] = strata.count
        seen = [self._since_first_number(days) for days in (first, last)] if self.own_numbers.parts_bursts else []
        for place, part in enumerate(self.windows(np.maximum(first, self.begin_day), last)):
            certain = self._certain(part)
            means = (part.events * scale[place]) @ strata.share
            each = self._count(means, cap, certain)
            total = means + certain
            events = total @ rows
            made[place] = part.keys @ events
            if (numbers := self.own_numbers).is_bounded:
                each = numbers.beside_event(total, cap, [n[place] for n in seen], is_cut=bool(self.bucket_days))
                beside[place] = part.keys @ ((total * each) @ rows)
                continue
            with_one = np.minimum(self.clump, cap) + self._count(means, max(cap - self.clump, 0.0), certain)
            if self.regular:
                with_one = np.minimum(np.maximum(total, 1.0), cap)
            beside[place] = part.keys @ (events * (each @ rows) + (total * (with_one - each) * burst_keys) @ rows)
        return made, beside

    def classes(self, first: Floats, last: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield keys that there can be in each window, whole time buckets, and expected events of one."""
        begin = np.minimum(np.maximum(first, self.begin_day), last)
        if self.bucket_days is not None and self.known_border is not None:
            borders = [self._border(day, self.bucket_days, math.floor) for day in begin.tolist()]
            begin = np.maximum(borders, self.begin_day)
        elif self.bucket_days is not None:  # what began before a window has cells in it
            found = [event.clock.buckets(self.bucket_days, begin, last) for event in self.events]
            is_cut = (begin > self.begin_day).tolist()
            met = np.array(
                [active_days(buckets_together(found, place)) if cut else 0.0 for place, cut in enumerate(is_cut)]
            )
            begin = np.where(is_cut, np.maximum(begin - met, self.begin_day), begin)
        for part in self.windows(begin, last, whole=True):
            keys = part.keys[:, None] * self.strata.total_count
            means = part.events @ self.strata.share + self._certain(part)
            used = (keys > 0) & (means > 0)
            yield keys[used], means[used]

    @cached_property
    def key_classes(self) -> dict[tuple[bytes, bytes], tuple[Floats, Floats]]:
        """Keys in classes that were asked for, by the ends of the windows."""
        return {}

    # --- sums over strata -------------------------------------------------------------------------------------

    def _sum_over_strata(self, events: Floats, certain: Floats, cap: float) -> Floats:
        """Return Σ over strata of count · E min(N, cap) for each row of events by law: (rows,)."""
        if events.shape[1] > 1 or np.any(certain) or len(events) <= GRID:
            return self._sum_of(events, certain, cap)
        few = FEW / max(float(self.strata.share.max()), 1e-300)  # up to here no key has two: the sum is in proportion

        def sum_of(grid: Floats) -> Floats:
            return self._sum_of(grid[:, None], np.zeros(len(grid)), cap)

        return on_grid(sum_of, events[:, 0], few)

    def _from_first(self, part: Parts, first: float) -> Flags:
        """Return whether the parts of a window from a day on have the first number of what they count: (parts,)."""
        if self.bucket_days is not None or part.born is None or first <= self.begin_day + 1e-9:
            return np.full(len(part.keys), self.bucket_days is None and first <= self.begin_day + 1e-9)
        return part.born

    def _sum_of(self, events: Floats, certain: Floats, cap: float, *, from_first: bool = False) -> Floats:
        means, begins = events @ self.strata.share, np.full(len(events), from_first)
        each = self._count(means, cap, certain[:, None] * self._birth_chance, from_first=begins)
        return np.asarray(each @ self.strata.total_count)

    def _count(self, means: Floats, cap: float, certain: Floats, *, from_first: Flags | None = None) -> Floats:
        """Return expected events of at most `cap` a key, of `means` by chance and `certain` ones at birth.

        Where events go through keys of so many numbers, a part of them are the last of a full key, and of the others
        those count that are the last of all; where the first of them begins a key, keys are full one after the other.
        """
        in_full_keys, beside = self.own_numbers.shares(cap)
        if beside == 0:
            return in_full_keys * (means + certain)
        of_one = self._count_of_one(means, cap, certain)
        found = in_full_keys * (means + certain) + beside * of_one
        if self.own_numbers.is_bounded and from_first is not None and from_first.any():
            more = self.own_numbers.beyond_first_key((means + certain)[from_first], cap)
            found[from_first] = of_one[from_first] + more
        return found

    def _count_of_one(self, means: Floats, cap: float, certain: Floats) -> Floats:
        """Return expected events of at most `cap` on a combination."""
        if self.regular:
            return np.minimum(means + certain, cap)
        part = self.part_of_actor
        if cap == 1 and part.all():  # of each action one combination is drawn
            acts = means / part
            return np.asarray(1 - (1 - part) ** np.floor(acts) * (1 - acts % 1 * part))
        return mean_with_certain(means, cap, self.clump, certain)

    def _certain(self, part: Parts) -> Floats:
        """Return the events that each combination has at its birth, in the mean: (parts, strata)."""
        return np.asarray(part.certain[:, None] * self._birth_chance)

    def most_of_one(self, first: Floats, last: Floats) -> Floats:
        """Return about the most events of one key from one time to another: as many as its actor's acts. [events]"""
        if self.bucket_days is not None or not self.part_of_actor.all():
            return np.full(np.shape(last), math.inf)
        first = np.maximum(first, self.begin_day)
        acts = [
            (self.per_combination(each, last) - self.per_combination(each, first)) / each.actors for each in self.events
        ]
        return np.asarray(np.ceil(np.sum(acts, axis=0) - 1e-9))

    # --- time buckets -----------------------------------------------------------------------------------------


def lost_per_day(counts: Counts, day: float, kept_days: float = math.inf) -> float:
    """Return the events a day, up to a day, whose key another event has named already. [1/day]

    `kept_days`: how long a key is remembered.
    """
    bucket_days = counts.bucket_days
    if kept_days <= 0:
        return 0.0  # cells that are too old as they are written: a key is not there for another event to meet
    if counts.every_event:
        fine = bucket_days is not None and bucket_days <= UNIQUE_DAYS
        return lost_per_day(replace(counts, every_event=False), day, kept_days) if fine else 0.0  # a new id each time
    length = max(bucket_days or 0.0, 1.0)  # over a whole bucket: losses rise as it fills
    begin, end = np.array([day - length]), np.array([day])
    # No key is forgotten within its bucket: all events but the first of each are lost.
    if bucket_days is not None and kept_days >= bucket_days:
        anywhere = replace(counts, border_day=None)  # the mean of a bucket, and not what that of today has so far
        return counts.beyond_first(next(iter(anywhere.windows(begin, end, whole=True)))) / length
    if kept_days < SHORT_KEPT_DAYS:  # a key is remembered from each moment of the day, not from its end
        edges = np.linspace(day - length, day, _MOMENTS + 1)
        begin, end = edges[:-1], edges[1:]
    since = np.minimum((begin + end) / 2 - min(kept_days, EVER_DAYS), begin)
    if not counts.own_numbers.is_bounded:  # all that is lost until a day is exact, also where that is very little
        lost = [counts.windows(since, days) for days in (end, begin)]
        later, earlier = (sum(map(counts.beyond_first, parts)) for parts in lost)
        return max(later - earlier, 0.0) / length
    # Keys that nothing has named before, as far back as they are remembered.
    new_keys = counts.count_capped_events(since, end, 1.0) - counts.count_capped_events(since, begin, 1.0)
    return max(float((counts.count_named_keys(begin, end) - new_keys).sum()), 0.0) / length


def told_by_actors(strata: Strata, keys: Floats, means: Floats, part: Floats, bucket_days: float | None) -> Floats:
    """Return by how much less the keys below a bound value vary, as its values act at even intervals: (bounds,).

    Of k acts on keys of chances p, one that names a key leaves the others fewer: Σ k pᵢ pⱼ (1 - pᵢ)ᵏ⁻¹ (1 - pⱼ)ᵏ⁻¹.
    Without limit where a value acts at most once in a time bucket: each act then names a key of its own.

    Parameters
    ----------
    keys : float64, shape (parts,)
        Parts of a window, such as time buckets.
    means : float64, shape (parts, strata)
        [events]
    part : float64, shape (strata,)
        Share of the acts of a value that a combination takes. [1]
    """
    rows = np.zeros((len(part), len(strata.bound_count)))
    rows[np.arange(len(part)), strata.bound] = strata.count
    acts = means / part
    if bucket_days is not None and acts.max(initial=0.0) <= 1:
        return np.full(len(strata.bound_count), math.inf)
    remaining = part * (1 - part) ** np.maximum(acts - 1, 0.0)
    more, chances = (means @ rows) / np.maximum(part @ rows, 1e-300), remaining @ rows
    # Acts are whole, so that values differ by one: the variance of this, f (1 - f) of k's fraction f, comes back.
    reduction = more * np.maximum(chances**2 - remaining**2 @ rows, 0.0) - (more % 1.0) * (1 - more % 1.0) * chances**2
    # `part @ rows` actors share a bound value, each independent of the others: `chances` is the sum over all of them.
    return np.asarray(keys @ (reduction / np.maximum(part @ rows, 1.0)))
