"""Events of one kind, and what is asked of the clock that times them."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints, distinct

from .grown import GrownLaws
from .poisson import capped_rows, poisson_cdf, poisson_points
from .turnover import POINTS, WEIGHTS

ALONE_EVENTS = 1e-3
"""Expected events of a key of an event of its own: that it has two is as good as impossible."""


class BucketCounts(Protocol):
    """Time buckets of periods, by how many events they get."""

    @property
    def events(self) -> Floats:
        """(classes,) in one whole bucket. [events]"""
        ...

    @property
    def counts(self) -> Floats:
        """(periods, classes) buckets of each class in each period."""
        ...

    @property
    def active_days(self) -> Floats:
        """(classes,) how long events come within a bucket. [day]"""
        ...


class EventClock(Protocol):
    """Events of one activity over time."""

    @property
    def begin_day(self) -> float:
        """Day of the first events. [day]"""
        ...

    @property
    def named_days(self) -> tuple[int, ...]:
        """Days, since the start, that have a factor of their own."""
        ...

    @property
    def week(self) -> Floats | None:
        """Events from a Monday's midnight until each minute of a week, at a mean rate of one a day; None: evenly."""
        ...

    @property
    def to_the_hour(self) -> "EventClock":
        """The same where the hour at which one looks is known, which else is any."""
        ...

    @property
    def day_over(self) -> Floats | None:
        """Part of a day's events that is over at each of some hours as likely; None where the hour is known. [1]"""
        ...

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the events from one day to another."""
        ...

    def buckets(self, length_days: float, first: Floats, last: Floats) -> BucketCounts:
        """Return the time buckets of a length in periods."""
        ...


@dataclass(frozen=True)
class WriteLaw:
    """Distribution of one write's events over keys."""

    law: int
    """Which of the strata's laws draws them."""
    per_event: float = 1.0
    """Keys that one event makes. [keys]"""
    actors: float = 0.0
    """Values that act, each at even intervals; 0: events are independent. [values]"""
    clump: float = 1.0
    """So many of them come together, on one key, in the mean. [events]"""
    burst: "Burst | None" = None
    """Where those that come together spread over several keys."""
    grown: GrownLaws | None = None
    """The laws that draw them while values come: on earlier days, or apart for those that stay."""


@dataclass(frozen=True)
class Burst:
    """Events that come together, each on one of several keys by chance."""

    size: int
    """[events]"""
    part: float
    """Chance that an event of it falls on one of these keys. [1]"""


@dataclass(frozen=True)
class OwnNumbers:
    """Buckets of numbers by which a value counts its own events, such as messages of a channel by the thousand."""

    size: float = math.inf
    """Numbers in a bucket. [events]"""
    part: float = 1.0
    """Share of a value's events that one key receives: less than 1 beside a salt that each write draws. [1]"""
    burst: int = 1
    """So many events come together and begin at a multiple of it. [events]"""
    since_day: float = math.inf
    """When the first numbers came, where that was before the clocks begin. [day]"""

    @property
    def is_bounded(self) -> bool:
        """True if keys fill."""
        return math.isfinite(self.size)

    @property
    def most_events(self) -> float:
        """Events of about the fullest key. [events]"""
        mean = self.size * self.part
        # Three deviations of a binomial number.
        return min(mean + 3 * math.sqrt(mean * (1 - self.part)), self.size) if self.is_bounded else math.inf

    def shares(self, cap: float) -> tuple[float, float]:
        """Return the share of all events that full keys hold, and what counts of those that are the last of all.

        Parameters
        ----------
        cap
            So many events of a key count. [events]
        """
        if not self.is_bounded:
            return (1.0, 0.0) if math.isinf(cap) else (0.0, 1.0)
        if cap >= self.size:
            return 1.0, 0.0
        step = float(math.gcd(self.burst, round(self.size)))
        full, alone = (
            float(capped_rows(np.array(many * self.part), np.array(self.part), cap)) / (many * self.part)
            for many in (self.size, step)
        )
        return full, max(1 - full / alone, 0.0)

    def variance(self, expected: Floats, means: Floats) -> Floats:
        """Return the variance of the keys that a combination of `means` events names, `expected` of them expected."""
        if not self.is_bounded:
            return np.asarray(expected - expected**2)
        in_full_keys, beside = self.shares(1.0)
        there = np.clip((expected - in_full_keys * means) / beside, 0.0, 1.0) if beside else np.ones_like(expected)
        return np.minimum(there * (1 - there) * beside**2 + means * in_full_keys**2, expected)

    def beside_event(self, means: Floats, cap: float, elapsed_events: Sequence[Floats], *, is_cut: bool) -> Floats:
        """Return how many events, at most `cap` of a key, are in the bucket of a random event. [events]

        Parameters
        ----------
        As those of `mean_beside_event`.
        """
        return self.mean_beside_event(
            means, lambda events: self._events_that_count(events, cap), elapsed_events, is_cut=is_cut
        )

    @property
    def parts_bursts(self) -> bool:
        """True if borders part events that come together, which follow in turns."""
        return bool(self._pieces)

    @cached_property
    def _pieces(self) -> list[list[int]]:
        """Into how many numbers on this and that side of a border each burst of a value falls, until they do so again.

        Empty where nothing is parted, or where bursts are so short beside buckets that few are.
        """
        size, burst = round(self.size) if self.is_bounded else 1, self.burst
        turns = size // math.gcd(size, burst)
        if burst == 1 or turns > _TURNS_MOST:
            return []
        begins = [turn * burst % size for turn in range(turns)]
        ends = [[begin, *range(begin // size * size + size, begin + burst, size), begin + burst] for begin in begins]
        return [[last - first for first, last in itertools.pairwise(end)] for end in ends]

    def _in_turn(self, values: Sequence[float], before: Floats, until: Floats) -> Floats:
        """Return the mean of what a burst has by its turn, over those of a key between two numbers of events.

        A value's first burst has the first turn: which is whose follows from how many came before, which is by chance.
        """
        turns = np.arange(len(values))
        low, high = before / self.part / self.burst, np.maximum(until, before) / self.part / self.burst
        mean = np.full(np.shape(low), float(np.mean(values)))
        # By Fourier: E exp(i t N) of N ~ Poisson(λ) is exp(λ (exp(i t) - 1)), in the mean over λ from low to high.
        for wave in turns[1:]:
            turn = 2j * math.pi * wave / len(values)
            weight = np.mean(np.asarray(values) * np.exp(-turn * turns))
            rate = np.exp(turn) - 1
            wide = np.maximum(high - low, 1e-6)
            mean = mean + np.real(weight * np.exp(low * rate) * np.expm1(wide * rate) / (wide * rate))
        return np.asarray(mean)

    def fewer(self, cap: float, before: Floats, until: Floats) -> Floats:
        """Return how many events less count of a key than if buckets began anywhere in its value's numbers. [events]

        Parameters
        ----------
        cap
            So many events of a key count. [events]
        before, until : float64
            Events of the key since its value's first, as one begins to count and at the end. [events]
        """
        if not self._pieces or cap >= self.size:
            return np.zeros(np.shape(before))
        whole = float(self._events_that_count(np.array(float(self.burst)), cap))
        more = [float(self._events_that_count(np.array(piece, float), cap).sum()) - whole for piece in self._pieces]
        bursts = np.maximum(until - before, 0.0) / self.part / self.burst
        return np.asarray(self.part * bursts * (np.mean(more) - self._in_turn(more, before, until)))

    def mean_beside_event(
        self, means: Floats, count: Callable[[Floats], Floats], elapsed_events: Sequence[Floats] = (), *, is_cut: bool
    ) -> Floats:
        """Return what is counted of so many events as are in the bucket of a random event, in the mean.

        Parameters
        ----------
        means : float64
            Events of one key, were there no buckets. [events]
        elapsed_events
            Events of the key since its value's first, before all that are met and with them; else any number. [events]
        is_cut
            Buckets begin anywhere in these events, as a time bucket begins anywhere in them; else with the first.
        """
        beside = poisson_points(means / self.part / self.burst, _CHANCES)  # a random event's own burst is there besides
        many = self.burst * (1 + beside)
        if is_cut:  # each pair of them shares a bucket as often as it is near; none parts what always comes together
            step = float(math.gcd(self.burst, round(self.size)))
            steps, size = many / step, self.size / step
            near = np.minimum(steps, size)
            pairs = (near - 1) * (steps - (1 + steps / size) * near / 2 + near * (2 * near - 1) / 6 / size)
            counts = count(step * (1 + 2 * np.maximum(pairs, 0.0) / steps))
            if self._pieces:
                alone = [float((np.array(p) @ count(np.array(p, float))) / self.burst) for p in self._pieces]
                before, until = elapsed_events or (np.full(np.shape(means), _LATE),) * 2
                counts = np.where(beside == 0, self._in_turn(alone, before, until), counts)
            return np.asarray(counts.mean(axis=0))
        rest = many % self.size
        counts = ((many - rest) * count(np.array(self.size)) + rest * count(rest)) / many
        return np.asarray(counts.mean(axis=0))

    def beyond_first_key(self, means: Floats, cap: float) -> Floats:
        """Return how many events, at most `cap` of a key, count beside those of one key, where numbers begin with one.

        Parameters
        ----------
        means : float64
            Events of one key, were there no buckets. [events]
        """
        counts, all_means = np.zeros_like(means), means / self.part / self.burst
        several = all_means * self.burst > self.size / _MANY_TIMES
        if not several.any():
            return counts
        many = self.burst * poisson_points(all_means[several], _FINE_CHANCES)
        full, rest = np.floor(many / self.size), many % self.size
        key_counts = (self._events_that_count(events, cap) for events in (np.array(self.size), rest, many))
        in_full, in_rest, alone = key_counts
        counts[several] = self.part * np.where(full > 0, full * in_full + in_rest - alone, 0.0).mean(axis=0)
        return counts

    def _events_that_count(self, events: Floats, cap: float) -> Floats:
        """Return how many of so many events of a bucket count, at most `cap` under each salt. [events]"""
        return capped_rows(events * self.part, np.array(self.part), cap) / self.part


_CHANCES, _FINE_CHANCES = ((np.arange(points) + 0.5) / points for points in (32, 128))
_LATE = 1e9
"""After so many events any turn is as likely."""
_TURNS_MOST = 64
"""Bursts of so many turns are parted alike."""
_MANY_TIMES = 6.0
"""Fewer events than a bucket ÷ this fill it as good as never."""


NOT_COUNTED = OwnNumbers()


@dataclass(frozen=True, eq=False)
class Events:
    """Events of one kind that make keys."""

    clock: EventClock
    per_event: float = 1.0
    """Keys that one event makes. [keys]"""
    law: int = 0
    """Which of the strata's laws draws them."""
    actors: float = 0.0
    """Values that act, each at even intervals; 0: events are independent. [values]"""
    clump: float = 1.0
    """So many of them come together, on one key, in the mean. [events]"""
    burst: Burst | None = None
    """Where those that come together spread over several keys."""
    grown: GrownLaws | None = None
    """The laws that draw them while values come: on earlier days, or apart for those that stay."""

    def by_law(self, events: Floats, first: Floats, last: Floats, *, laws: int) -> Floats:
        """Return the keys that so many of them between days make, by the law that draws them: (windows, laws)."""
        made = events * self.per_event
        if self.grown is not None:
            return self.grown.by_law(made, first, last, laws=laws)
        total = np.zeros((len(events), laws))
        total[:, self.law] = made
        return total

    def of_existing(self) -> "Events":
        """Return the same on values that have been there all the time."""
        return self if self.grown is None else replace(self, grown=replace(self.grown, of_existing=True))


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of one window: how many times the strata they hold, with how many events each."""

    keys: Floats
    """(parts,)"""
    events: Floats
    """(parts, laws) of all combinations together. [events]"""
    certain: Floats
    """(parts,) events that each combination has at its birth."""
    born: Flags | None = None
    """(parts,) combinations that begin in the window; None: not told apart."""

    @classmethod
    def join(cls, windows: Sequence["Parts"], *, laws: int) -> "Parts":
        """Return the parts of several windows as one."""
        if len(windows) == 1 and windows[0].born is None:
            return windows[0]
        if not windows:
            return cls(np.zeros(0), np.zeros((0, laws)), np.zeros(0))
        keys, events = [part.keys for part in windows], [part.events for part in windows]
        return cls(np.concatenate(keys), np.concatenate(events), np.concatenate([part.certain for part in windows]))

    def beside_staying(self, keys: Floats, events: Floats, laws: Flags) -> "Parts":
        """Return parts of values that come, with those of values that stay: so many keys, with all events `events`.

        `laws`: by which values that stay are drawn.
        """
        if not laws.any():
            return self
        none = np.zeros(len(keys))
        return Parts(
            np.concatenate([self.keys, keys]),
            np.concatenate([self.events * ~laws, events * laws]),
            np.concatenate([self.certain, none]),
            None if self.born is None else np.concatenate([self.born, none > 0]),
        )

    def at(self, window: int) -> tuple[Ints, Floats, Floats, Floats]:
        """Return the columns with the number of the window."""
        return np.full(len(self.keys), window), self.keys, self.events, self.certain


def parts_of_buckets(
    together: tuple[Floats, Floats, Floats], days: float, length: float, *, anywhere: bool, whole: bool,
    last_over: Floats | None = None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Return buckets, and parts of buckets, in a period.

    Parameters
    ----------
    together
        The buckets of all kinds of events in it, as `buckets_together`.
    days, length
        Of the period, of a bucket. [day]
    anywhere
        Either end cuts a bucket at a random moment; else the first bucket begins with the period.
    whole
        What is cut counts as if it were not, but for a first bucket that is not over.
    last_over : float64, shape (moments, kinds)
        Part of the last bucket that is over at each of the moments at which the period may end; unset: it ends at one.

    Returns
    -------
    float64, shapes (parts,) and (parts, kinds)
        How many there are, and the events of each kind in one.
    """
    count, events, active = together
    if whole:
        factor = 1.0 if anywhere else math.ceil(days / length - 1e-9) * length / days
        return count * factor, events * (1.0 if anywhere else min(days / length, 1.0))
    if anywhere:
        active = np.clip(active, 1e-12, length)
        # Of two spans that meet at random, |d - a| ÷ d lie whole in the other, and 2 min(d, a) ÷ d in any part.
        shorter = np.minimum(active, days)
        keys = [count * np.abs(days - active) / days]
        keys += [count * (2 * shorter / days) * weight for weight in WEIGHTS]
        top = events * (shorter / active)[:, None]
        parts = [top, *(top * point for point in POINTS)]
    elif last_over is not None:
        full = days / length - 0.5
        number = full + float(last_over.mean())
        keys = [count * (full / number), *[count / number / len(last_over)] * len(last_over)]
        parts = [events, *(events * part for part in last_over)]
    else:
        number = days / length
        full = math.floor(number + 1e-9)
        rest = max(number - full, 0.0)
        keys, parts = [count * (full / number), count / number], [events, events * rest]
    key, part = np.concatenate(keys), np.concatenate(parts)
    used = (key > 0) & (part.sum(axis=1) > 0)
    return key[used], part[used]


@dataclass(frozen=True)
class BucketBorders:
    """Longer buckets whose borders cut time buckets."""

    days: float
    """Length of the longer ones. [day]"""
    by_events: bool
    """They count events, so that a border lies between two of them; else it is anywhere in time."""

    def parts(self, keys: Floats, events: Floats, bucket_days: float) -> tuple[Floats, Floats]:
        """Return parts of buckets of a length, as `parts_of_buckets`, some of them cut in two."""
        part = bucket_days / self.days
        if self.by_events:
            return _cut_between_events(keys, events, part)
        # A border is in a bucket with the chance `part`, and leaves two parts of any size.
        both = [keys * (1 - part), *(2 * part * weight * keys for weight in WEIGHTS)]
        return np.concatenate(both), np.concatenate([events, *(events * point for point in POINTS)])


def _cut_between_events(keys: Floats, events: Floats, part: float) -> tuple[Floats, Floats]:
    """Return parts of buckets, of whose gaps between two events one in so many is a border.

    Where that is all but every gap, events stand alone. Else of N events with one border in a gap, each number of them
    may stand before it: over all N these are parts of m u events, u being anywhere in 0…1, and m² of them for so many
    events as lie between two borders.

    `part`: length of a bucket ÷ that of so many events. [1]
    """
    means = np.maximum(events.sum(axis=1), 1e-6)
    begins = np.full(len(means), min(part / means.max(initial=1e-6), 1.0))
    named_keys = -np.expm1(-means)
    whole, inside = named_keys - (means - named_keys) * begins, np.maximum(means - means**2 * begins, 0.0)
    ratio = inside / np.maximum(whole, 1e-300)
    remaining = 2 * np.maximum(ratio - 1, 0.0)
    for _ in range(_ROUNDS):  # by Newton: so many buckets without a border have so many events
        empty = np.exp(-remaining)
        remaining = np.maximum(remaining - (remaining - ratio * (1 - empty)) / np.maximum(1 - ratio * empty, 1e-9), 0.0)
    remaining = np.maximum(remaining, ALONE_EVENTS)
    scale = [remaining / means, *(np.full(len(means), point) for point in POINTS)]
    weight = [inside / remaining, *(2 * begins * means * part for part in WEIGHTS)]
    several = 1 - poisson_cdf(1 / begins, means)  # that there are more events than from one border to the next…
    several = np.minimum(
        several / np.maximum(named_keys - means * np.exp(-means), 1e-12), 1.0
    )  # …of those with any gap
    alone = _alone(named_keys, means, begins)
    ratio = ALONE_EVENTS / means
    scale += [1 - alone, ratio]
    weight = [*(part * (1 - several) for part in weight), several, several * alone / ratio]
    return (
        np.concatenate([keys * part for part in weight]),
        np.concatenate([events * part[:, None] for part in scale]),
    )


def _alone(named_keys: Floats, means: Floats, begins: Floats) -> Floats:
    """Return the share of events that have a key of their own, so that as many keys come as borders make."""
    alone = np.array(begins)
    for _ in range(_ROUNDS):  # by Newton: of the others come as many keys as are left
        stay = np.maximum((1 - alone) * means, 1e-9)
        beyond = named_keys + (means - named_keys) * begins + np.expm1(-stay) - alone * means
        alone = np.clip(alone + beyond / (-np.expm1(-stay) * means), 0.0, 1.0)
    return alone


_ROUNDS = 12


def active_days(together: tuple[Floats, Floats, Floats]) -> float:
    """Return how long events come within a bucket of a period, in the mean. [day]"""
    counts, _, active = together
    return float(counts @ active / counts.sum()) if len(counts) else 0.0


def buckets_together(buckets: Sequence[BucketCounts], place: int) -> tuple[Floats, Floats, Floats]:
    """Return the buckets of several clocks in a period as one: counts, events of each clock, how long events come.

    The fullest buckets of one are taken as the fullest of the others.
    """
    if len(buckets) == 1:
        counts = buckets[0].counts[place]
        used = counts > 0
        return counts[used], buckets[0].events[used][:, None], buckets[0].active_days[used]
    upto = [np.cumsum(clock_counts.counts[place][::-1]) for clock_counts in buckets]
    edges = distinct(np.concatenate(upto))
    edges = edges[edges > 0]
    counts = np.diff(edges, prepend=0.0)
    middle = edges - counts / 2
    columns, active = [], np.zeros(len(edges))
    for clock, sums in zip(buckets, upto, strict=True):
        at = np.searchsorted(sums, middle)
        there, at = at < len(sums), np.minimum(at, len(sums) - 1)
        columns.append(np.where(there, clock.events[::-1][at], 0.0))
        active = np.maximum(active, np.where(there, clock.active_days[::-1][at], 0.0))
    return counts, np.stack(columns, axis=1), active
