"""Events of combinations in a window, counted at most so often: what rows, cells and losses follow from.

Windows are in days. A combination is in use for a part of a window only where its values come and go.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats

from .actors import told_by_actors
from .buckets import MOMENTS, Borders, begun_before, known_borders
from .capped import CappedEvents
from .events import NOT_COUNTED, BucketBorders, Burst, Events, OwnNumbers, Parts, active_days, parts_of_buckets
from .grown import laws_of_staying
from .quadrature import GRID, on_grid
from .strata import Strata, birth_chances
from .turnover import POINTS, STILL, WEIGHTS, SharedEvents, Turnover
from .weeks import busier_lives

FEW = 1e-4
"""Expected events up to which μ - 1 + exp(-μ) is μ² / 2."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Events on the combinations of a key, in any window."""

    strata: Strata
    events: tuple[Events, ...]
    turnover: Turnover = STILL
    bucket_days: float | None = None
    """Length of the time bucket in the key; None: keys show no time. [day]"""
    time_borders: Borders | None = None
    """Where time buckets begin, where that is known and not each midnight."""
    cut: BucketBorders | None = None
    every_event: bool = False
    """Each event is taken to name a key of its own."""
    own_numbers: OwnNumbers = NOT_COUNTED

    @cached_property
    def staying(self) -> Flags:
        """Laws of values that stay in their ranks from the start, while others come: (laws,)."""
        return laws_of_staying((each.grown for each in self.events), len(self.strata.share))

    @cached_property
    def begin_day(self) -> float:
        """Day of the first events. [day]"""
        return min((event.clock.begin_day for event in self.events), default=0.0)

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

    def count_named_keys(self, first: Floats, last: Floats) -> Floats:
        """Return the keys that events name from `first` to `last`, each as often as it is named: (windows,)."""
        made = (event.clock.between(first, last) * event.per_event for event in self.events)
        return sum(made, np.zeros(np.shape(last)))

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

    def of_each(self, first: float, last: float, cap: float, *, begins: tuple[float, float] | None = None,
                scale: float = 1.0) -> Floats:  # fmt: skip
        """Return the events from `first` to `last` of one combination, of each key at most `cap`: (strata,).

        `begins`: of the time buckets those count that begin between these days; `scale`: by how much it is busier than
        the strata say.
        """
        ends = (np.array([first]), np.array([last]))
        part = next(iter(self.windows(*ends))) if begins is None else self.parts_that_begin(first, last, begins)
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
        if self.borders is not None:
            begin = np.maximum(self.borders.before(begin), self.begin_day)
        elif self.bucket_days is not None:  # what began before a window has cells in it
            found = [event.clock.buckets(self.bucket_days, begin, last) for event in self.events]
            begin = begun_before(found, begin, self.begin_day)
        for part in self.windows(begin, last, whole=True):
            keys = part.keys[:, None] * self.strata.total_count
            means = part.events @ self.strata.share + self._certain(part)
            used = (keys > 0) & (means > 0)
            yield keys[used], means[used]

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

    @cached_property
    def _count(self) -> CappedEvents:
        return CappedEvents(self.own_numbers, self.part_of_actor, self.clump, is_regular=self.regular)

    def _certain(self, part: Parts) -> Floats:
        """Return the events that each combination has at its birth, in the mean: (parts, strata)."""
        return np.asarray(part.certain[:, None] * self._birth_chance)

    @cached_property
    def _birth_chance(self) -> Floats:
        """Chance that the first event of a new value is on a combination, by its share of events: (strata,).

        A new value begins with one event, which names one of the values of each other field that is not its owner.
        """
        strata, born = self.strata, float(self.turnover.born(np.ones(1))[0]) * float(self.strata.total_count.sum())
        part = self.turnover.written_at_birth / born if born > 0 and self.turnover.latest is None else 1.0
        if part > 1 - 1e-6 or not self.events:
            return np.ones(len(strata.count))
        return birth_chances(
            strata.share[self.events[0].law], strata.total_count, part * float(strata.total_count.sum())
        )

    # --- windows ----------------------------------------------------------------------------------------------

    def windows(self, first: Floats, last: Floats, *, whole: bool = False) -> Iterator[Parts]:
        """Yield the parts of each window; of time buckets that its ends cut, the `whole` ones where asked for."""
        if self.bucket_days is not None:
            if self.borders is not None:
                yield from self._known_windows(self.borders, first, last, whole=whole)
            else:
                yield from self._windows_of_buckets(self.bucket_days, first, last, whole=whole)
            return
        each = [one.clock.between(first, last) for one in self.events]
        made = self._by_law(np.stack(each, axis=1), first, last) if each else np.zeros(0)
        for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if end <= begin:
                yield Parts.none(len(self.strata.share))
            else:
                yield self._parts_of_whole_window(begin, end, made[place : place + 1])

    def _windows_of_buckets(self, bucket: float, first: Floats, last: Floats, *, whole: bool) -> Iterator[Parts]:
        """Yield the parts of each window, which is seen in pieces where many values come or go in it."""
        borders = [self.turnover.pieces(*each, bucket) for each in zip(first.tolist(), last.tolist(), strict=True)]
        begins, ends = (
            np.array([day for each in borders for day in each[part]]) for part in (slice(-1), slice(1, None))
        )
        found = [event.clock.buckets(bucket, begins, ends) for event in self.events]
        in_use = self.turnover.in_use((begins + ends) / 2)
        place = -1
        for days in borders:
            pieces = [Parts.none(len(self.strata.share))]
            for begin, end in itertools.pairwise(days):
                place += 1
                if end <= begin:
                    continue
                anywhere = days[0] > self.begin_day and begin == days[0] and self.borders is None
                met = parts_of_buckets(found, place, end - begin, bucket, anywhere=anywhere, whole=whole)
                keys, events = met if self.cut is None else self.cut.parts(*met, bucket)
                active = min(active_days(found, place) or bucket, bucket)
                pieces.append(
                    self._parts_of_time_buckets(keys, events, (begin, end), active, in_use=float(in_use[place]))
                )
            yield Parts.join(pieces)

    @cached_property
    def borders(self) -> Borders | None:
        """Where the time buckets begin, where that is known and decides what is in them: all days are alike."""
        return None if self.cut else known_borders(self.time_borders, self.bucket_days, [e.clock for e in self.events])

    def _known_windows(self, borders: Borders, first: Floats, last: Floats, *, whole: bool) -> Iterator[Parts]:
        """Yield the parts of each window where borders are known: a month ends at any moment of a day."""
        oldest, upto = borders.whole(first, last)
        cut = self._windows_of_buckets(borders.days, first, oldest, whole=whole)
        found = self._windows_of_buckets(borders.days, oldest, upto, whole=whole)
        for begin, end, *parts in zip(first.tolist(), last.tolist(), cut, found, strict=True):
            yield Parts.join([*parts, self._parts_at_moments(*borders.newest(begin, end, self.begin_day))])

    def _parts_at_moments(self, first: Floats, last: Floats) -> Parts:
        """Return buckets of each of some moments, with what comes from first to last."""
        made = np.stack([each.clock.between(first, last) for each in self.events], axis=1)
        each = zip(first.tolist(), last.tolist(), self.turnover.in_use((first + last) / 2).tolist(), made, strict=True)
        key, of_one = np.full(1, 1 / len(MOMENTS)), self._parts_of_time_buckets
        parts = [of_one(key, events[None], (a, b), b - a, in_use=in_use) for a, b, in_use, events in each]
        return Parts.join([Parts.none(len(self.strata.share)), *parts])

    def parts_that_begin(self, first: float, last: float, begins: tuple[float, float]) -> Parts:
        """Return the time buckets that begin between two days, with what comes into them from `first` to `last`."""
        length, (since, until) = self.bucket_days, begins
        if self.borders is not None:
            return self._parts_at_moments(*self.borders.begun(first, last, begins, self.begin_day))
        if length is None or self.every_event:
            since, until = (day + (length or 0.0) / 2 for day in begins)  # so late come the events of a bucket
            since = min(max(since, first), last)
            return next(iter(self.windows(np.array([since]), np.array([max(min(until, last), since)]))))
        whole = (min(max(since, first), until), max(min(until, last - length), min(max(since, first), until)))
        middle = np.array(whole) + length / 2  # a named day is told by the middle of its bucket
        parts = [next(iter(self.windows(middle[:1], middle[1:], whole=True)))]
        cut = [(max(since, first - length), whole[0])] if first > self.begin_day else []
        for begin, end in (*cut, (whole[1], min(until, last))):
            if end <= begin:
                continue
            at = begin + POINTS * (end - begin)
            from_, to = np.maximum(at, first), np.minimum(at + length, last)
            events = np.stack([each.clock.between(from_, to) for each in self.events], axis=1)
            in_use = float(self.turnover.in_use(np.array([(begin + end + length) / 2]))[0])
            weights = WEIGHTS * (end - begin) / length
            parts.append(self._parts_of_time_buckets(weights, events, (begin, end + length), length, in_use=in_use))
        return Parts.join(parts)

    def _by_law(self, by_event: Floats, first: Floats, last: Floats) -> Floats:
        """Return keys made, by law, of events by kind between days: (rows, laws) of (rows, kinds)."""
        total = np.zeros((len(by_event), len(self.strata.share)))
        for place, each in enumerate(self.events):
            total += each.by_law(by_event[:, place], first, last, laws=total.shape[1])
        return total

    def _with_births(self, parts: Parts, made: float, days: float) -> Parts:
        """Return parts with the share of events that begin with a new combination."""
        fresh = min(self.turnover.written_at_birth * days / made, 1.0) if made > 0 else 0.0
        if fresh <= 0:
            return parts
        return parts.with_births(fresh, made / float(self._birth_chance @ self.strata.total_count))

    def _parts_of_whole_window(self, first: float, last: float, made: Floats) -> Parts:
        turnover, days = self.turnover, last - first
        if turnover.latest is not None:
            keys, share, _ = turnover.latest_between(first, last, self.count_named_keys)
            parts = Parts(keys, share[:, None] * made, np.zeros(len(keys)))
        elif turnover.is_still:
            parts = Parts(np.ones(1), made, np.zeros(1))
        else:
            keys, begin, end, born = turnover.cohorts(first, last)
            each = np.stack([self.per_combination(e, end) - self.per_combination(e, begin) for e in self.events], 1)
            busier = busier_lives(self.events, begin, end, turnover.life_days)
            keys, begin, end = (np.tile(one, len(busier)) for one in (keys / len(busier), begin, end))
            each, born = np.tile(each, (len(busier), 1)) * busier.reshape(-1, 1), np.tile(born, len(busier))
            parts = Parts(keys, self._by_law(np.maximum(each, 0.0), begin, end), np.zeros(len(keys)), born)
            parts = parts.beside_staying(np.ones(1), made, self.staying)
        return self._with_births(parts, float(made.sum()), days)

    def of_one(self, first: Floats, last: Floats) -> Floats:
        """Return the events from one time to another, each ÷ combinations then in use. [events]"""
        both = ((each, self.per_combination(each, last) - self.per_combination(each, first)) for each in self.events)
        none = np.zeros(np.broadcast_shapes(np.shape(first), np.shape(last)))
        return sum((np.maximum(made, 0.0) * each.per_event for each, made in both), none)

    def most_of_one(self, first: Floats, last: Floats) -> Floats:
        """Return about the most events of one key from one time to another: as many as its actor's acts. [events]"""
        if self.bucket_days is not None or not self.part_of_actor.all():
            return np.full(np.shape(last), math.inf)
        first = np.maximum(first, self.begin_day)
        acts = [
            (self.per_combination(each, last) - self.per_combination(each, first)) / each.actors for each in self.events
        ]
        return np.asarray(np.ceil(np.sum(acts, axis=0) - 1e-9))

    def per_combination(self, each: Events, days: Floats) -> Floats:
        """Return events until some days, each ÷ combinations then in use: (days,). [events]"""
        if id(each) not in self._clocks:
            self._clocks[id(each)] = self.turnover.shared_events(each.clock.between, each.clock.begin_day)
        return self._clocks[id(each)].until(days)

    @cached_property
    def _clocks(self) -> dict[int, SharedEvents]:
        return {}

    # --- time buckets -----------------------------------------------------------------------------------------

    def _parts_of_time_buckets(
        self, keys: Floats, events: Floats, window: tuple[float, float], length: float, *, in_use: float
    ) -> Parts:
        """Return the parts of time buckets of a window, with what comes and goes while events come to one: `length`."""
        days, in_use = window[1] - window[0], max(in_use, 1e-300)
        weights, stay = self.turnover.stays(min(length, days), in_use)
        made = self._by_law(events, *(np.full(len(events), day) for day in window))
        each = 1.0 if self.turnover.latest is not None else 1.0 / in_use
        parts = Parts(
            (keys[:, None] * weights).ravel(),
            (made[:, None, :] * (stay * each)[:, None]).reshape(-1, len(self.strata.share)),
            np.zeros(len(keys) * len(weights)),
        )
        if not self.turnover.is_still:
            parts = parts.beside_staying(keys, made, self.staying)
        if not self.turnover.written_at_birth:
            return parts
        return self._with_births(parts, float((keys[:, None] * made).sum()), days)
