"""Parts of windows: how many keys of a window receive how many events, as values come and go and time buckets end.

Windows are in days. A combination is in use for a part of a window only where its values come and go.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats

from .course import HOURS
from .events import (
    NOT_COUNTED,
    BucketBorders,
    EventClock,
    Events,
    OwnNumbers,
    Parts,
    active_days,
    buckets_together,
    parts_of_buckets,
)
from .grown import laws_of_staying
from .profile import DAY_MINUTES
from .strata import Strata, birth_chances
from .turnover import POINTS, STILL, WEIGHTS, SharedEvents, Turnover
from .weeks import busier_lives

MOMENTS = (HOURS - 0.5).tolist()
"""When requests come and months end, around their mean. [day]"""


@dataclass(frozen=True, eq=False)
class Windows:
    """Events on the combinations of a key, and what of them comes in a window."""

    strata: Strata
    events: tuple[Events, ...]
    turnover: Turnover = STILL
    bucket_days: float | None = None
    """Length of the time bucket in the key; None: keys show no time. [day]"""
    border_day: float | None = None
    """A day on which such a bucket begins, where that is known and not midnight. [day]"""
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

    def count_named_keys(self, first: Floats, last: Floats) -> Floats:
        """Return the keys that events name from `first` to `last`, each as often as it is named: (windows,)."""
        made = (event.clock.between(first, last) * event.per_event for event in self.events)
        return sum(made, np.zeros(np.shape(last)))

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

    def windows(self, first: Floats, last: Floats, *, whole: bool = False) -> Iterator[Parts]:
        """Yield the parts of each window; of time buckets that its ends cut, the `whole` ones where asked for."""
        if self.bucket_days is not None:
            follow = self._windows_of_buckets if self.known_border is None else self._windows_of_known_buckets
            yield from follow(self.bucket_days, first, last, whole=whole)
            return
        each = [one.clock.between(first, last) for one in self.events]
        made = self._by_law(np.stack(each, axis=1), first, last) if each else np.zeros(0)
        for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if end <= begin:
                yield Parts.join((), laws=len(self.strata.share))
            else:
                yield self._parts_of_whole_window(begin, end, made[place : place + 1])

    def parts_of(self, first: float, last: float, begins: tuple[float, float] | None = None) -> Parts:
        """Return the parts of one window; `begins`: those of the time buckets that begin between these days."""
        if begins is not None:
            return self.parts_that_begin(first, last, begins)
        return next(iter(self.windows(np.array([first]), np.array([last]))))

    def _windows_of_buckets(self, bucket: float, first: Floats, last: Floats, *, whole: bool) -> Iterator[Parts]:
        """Yield the parts of each window, which is seen in pieces where many values come or go in it."""
        borders = [self.turnover.pieces(*each, bucket) for each in zip(first.tolist(), last.tolist(), strict=True)]
        begins, ends = (
            np.array([day for each in borders for day in each[part]]) for part in (slice(-1), slice(1, None))
        )
        found = [clock.buckets(bucket, begins, ends) for clock in self._bucket_clocks]
        in_use = self.turnover.in_use((begins + ends) / 2).tolist()
        place = -1
        for days in borders:
            pieces = []
            for begin, end in itertools.pairwise(days):
                place += 1
                if end <= begin:
                    continue
                anywhere = days[0] > self.begin_day and begin == days[0] and self.known_border is None
                together, last_over = buckets_together(found, place), None
                if bucket == 1 and end == days[-1] and end - begin >= 1 and self.known_border is None:
                    last_over = self._day_over
                met = parts_of_buckets(
                    together, end - begin, bucket, anywhere=anywhere, whole=whole, last_over=last_over
                )
                keys, events = met if self.cut is None else self.cut.parts(*met, bucket)
                active = min(active_days(together) or bucket, bucket)
                pieces.append(self._parts_of_time_buckets(keys, events, (begin, end), active, in_use=in_use[place]))
            yield Parts.join(pieces, laws=len(self.strata.share))

    @cached_property
    def _day_over(self) -> Floats | None:
        """Part of a day's events of each kind that is over at some hours: (hours, kinds); None: the hour is known."""
        parts = [part for clock in self._bucket_clocks if (part := clock.day_over) is not None]
        return np.stack(parts, axis=1) if len(parts) == len(self.events) else None

    @cached_property
    def known_border(self) -> float | None:
        """A day on which a time bucket begins, where that decides what is in it: all days are alike. [day]"""
        if self.border_day is None or self.cut is not None or not self.events:
            return None
        weeks = [each.clock.week for each in self.events]
        alike = all(week is None or np.ptp(np.diff(week[::DAY_MINUTES])) < 1e-9 for week in weeks)
        named = any(each.clock.named_days for each in self.events)
        return self.border_day if alike and not named else None

    def _windows_of_known_buckets(self, bucket: float, first: Floats, last: Floats, *, whole: bool) -> Iterator[Parts]:
        """Yield the parts of each window where borders are known: a month ends at any moment of a day."""
        newest = np.array([self._border(day + MOMENTS[0], bucket, math.floor) for day in last.tolist()])
        upto = np.clip(newest, first, last)
        oldest = np.array([self._border(day, bucket, math.ceil) for day in first.tolist()])
        oldest = np.clip(oldest, first, upto)
        cut = self._windows_of_buckets(bucket, first, oldest, whole=whole)
        found = self._windows_of_buckets(bucket, oldest, upto, whole=whole)
        for begin, border, end, *parts in zip(first.tolist(), newest.tolist(), last.tolist(), cut, found, strict=True):
            moments = [self._parts_at_moment(border, border + bucket, begin, end + m, bucket) for m in MOMENTS]
            yield Parts.join([*parts, *moments], laws=len(self.strata.share))

    def _border(self, day: float, bucket: float, rounded: Callable[[float], int]) -> float:
        """Return the border of buckets next to a day."""
        since = self.known_border or 0.0
        return since + bucket * rounded(round((day - since) / bucket, 9))

    def parts_that_begin(self, first: float, last: float, begins: tuple[float, float]) -> Parts:
        """Return the time buckets that begin between two days, with what comes into them from `first` to `last`."""
        length, (since, until) = self.bucket_days, begins
        if length is not None and self.known_border is not None:
            return self._known_parts_that_begin(first, last, begins, length)
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
            events = self._events_between(from_, to)
            in_use = float(self.turnover.in_use(np.array([(begin + end + length) / 2]))[0])
            weights = WEIGHTS * (end - begin) / length
            parts.append(self._parts_of_time_buckets(weights, events, (begin, end + length), length, in_use=in_use))
        return Parts.join(parts, laws=len(self.strata.share))

    def _known_parts_that_begin(self, first: float, last: float, begins: tuple[float, float], length: float) -> Parts:
        """Return what `parts_that_begin` does where borders are known: a request comes at any moment of a day."""
        parts = []
        for later in MOMENTS:
            since, until = (self._border(day + later, length, math.floor) for day in begins)
            begin = first + later if first > self.begin_day else first
            parts.append(self._parts_at_moment(since + length, until, begin, last + later, length))
        return Parts.join(parts, laws=len(self.strata.share))

    def _parts_at_moment(self, since: float, until: float, first: float, last: float, length: float) -> Parts:
        """Return buckets that begin from one border to another, at one of the moments, with what comes in a window."""
        parts, at = [], since + length * np.arange(round((until - since) / length) + 1)
        from_, to = np.maximum(at, max(first, self.begin_day)), np.minimum(at + length, last)
        from_, to = from_[to > from_], to[to > from_]
        if len(from_):
            events, in_use = self._events_between(from_, to), self.turnover.in_use((from_ + to) / 2)
            for place, (begin, end) in enumerate(zip(from_.tolist(), to.tolist(), strict=True)):
                keys, made = np.full(1, 1 / len(MOMENTS)), events[place : place + 1]
                parts.append(
                    self._parts_of_time_buckets(keys, made, (begin, end), end - begin, in_use=float(in_use[place]))
                )
        return Parts.join(parts, laws=len(self.strata.share))

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

    def _parts_of_time_buckets(
        self, keys: Floats, events: Floats, window: tuple[float, float], length: float, *, in_use: float
    ) -> Parts:
        """Return the parts of time buckets of a window, with what comes and goes while events come to one: `length`."""
        days, in_use = window[1] - window[0], max(in_use, 1e-300)
        made = self._by_law(events, *(np.full(len(events), day) for day in window))
        if self.turnover.all_stay:
            parts = Parts(keys * in_use, made * (1.0 / in_use), np.zeros(len(keys)))
        else:
            weights, stay = self.turnover.stays(min(length, days), in_use)
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

    def _with_births(self, parts: Parts, made: float, days: float) -> Parts:
        """Return parts with the share of events that begin with a new combination."""
        fresh = min(self.turnover.written_at_birth * days / made, 1.0) if made > 0 else 0.0
        if fresh <= 0:
            return parts
        if parts.born is not None and parts.born.any():  # each begins with an event of its own
            return Parts(parts.keys, parts.events * (1 - fresh), np.where(parts.born, 1.0, 0.0), parts.born)
        alone = made * fresh / float(self._birth_chance @ self.strata.total_count)
        return Parts(
            np.append(parts.keys, alone),
            np.concatenate([parts.events * (1 - fresh), np.zeros((1, len(self.strata.share)))]),
            np.append(np.zeros(len(parts.keys)), 1.0),
        )

    def _events_between(self, first: Floats, last: Floats) -> Floats:
        """Return the events of each kind between days: (windows, kinds)."""
        return np.stack([clock.between(first, last) for clock in self._bucket_clocks], axis=1)

    @cached_property
    def _bucket_clocks(self) -> list[EventClock]:
        """The clock of each kind of events; where borders are known, so are the hours at which one looks."""
        clocks = [each.clock for each in self.events]
        return clocks if self.known_border is None else [clock.to_the_hour for clock in clocks]

    def _by_law(self, by_event: Floats, first: Floats, last: Floats) -> Floats:
        """Return keys made, by law, of events by kind between days: (rows, laws) of (rows, kinds)."""
        total = np.zeros((len(by_event), len(self.strata.share)))
        for place, each in enumerate(self.events):
            total += each.by_law(by_event[:, place], first, last, laws=total.shape[1])
        return total

    def of_one(self, first: Floats, last: Floats) -> Floats:
        """Return the events from one time to another, each ÷ combinations then in use. [events]"""
        both = ((each, self.per_combination(each, last) - self.per_combination(each, first)) for each in self.events)
        none = np.zeros(np.broadcast_shapes(np.shape(first), np.shape(last)))
        return sum((np.maximum(made, 0.0) * each.per_event for each, made in both), none)

    def per_combination(self, each: Events, days: Floats) -> Floats:
        """Return events until some days, each ÷ combinations then in use: (days,). [events]"""
        if id(each) not in self._clocks:
            self._clocks[id(each)] = self.turnover.shared_events(each.clock.between, each.clock.begin_day)
        return self._clocks[id(each)].until(days)

    @cached_property
    def _clocks(self) -> dict[int, SharedEvents]:
        return {}
