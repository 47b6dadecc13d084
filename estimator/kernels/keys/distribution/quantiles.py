"""The key at a share of the way through all keys: the inverse of `shares_below`, in the order of the segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.document.key import as_bytes
from estimator.results.arrays import Floats, Ints, distinct

from ..codes.bound_hashes import HashOfTime, hashes_of_time, hashes_of_values
from ..codes.key_intervals import values_between
from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution
from ..patterns.pattern import Component, Constant, KeyPattern, Level
from ..patterns.table import ValueTable
from ..patterns.time_buckets import bucket_places, bucket_starts
from ..patterns.times import CalendarText, EventTime, TimeSteps
from ..patterns.uniform import CountedValues, UniformText
from ..rendering.texts import append_delimiter
from .shares import Terms, cache_terms, shares_below, terms_of

Ends = NDArray[Any]


def quantile_keys(
    pattern: KeyPattern, distribution: EventDistribution, shares: Floats, *, bound: bool = False
) -> list[bytes]:
    """Return a true key at each share of the key order, with windows collapsed.

    `shares` is float64 (n,), 0…1. With `bound`, hashes are those of the very values in each key, also where those
    are too many for a table; such keys are not in the order of their shares.
    """
    return _walk(pattern, distribution, shares, with_boxes=False, bound=bound)[0]


@dataclass(frozen=True, eq=False)
class QuantileKeys:
    """Keys at shares of the way, and what is known of the events behind each."""

    keys: list[bytes]
    start_us: Ints | None
    """(rows,) First time that has this key. [microseconds since 1970]; None: the key does not show when."""
    end_us: Ints | None
    """(rows,) The first time after it."""
    represented_keys: Floats
    """(rows,) How many values the row's stand for, where a table of values holds a sample of them."""


def quantile_rows(pattern: KeyPattern, distribution: EventDistribution, shares: Floats) -> QuantileKeys:
    """Return what `quantile_keys` does, with the times of each key and values between those that a table holds."""
    keys, states, _ = _walk(pattern, distribution, shares, with_boxes=False, between=True)
    start = end = None
    stands = np.ones(len(keys))
    for state in states:
        if isinstance(state.component, EventTime):
            start, end = state.low, state.high
        elif isinstance(state.component, TimeSpans):
            cell = state.component.cell[state.low]
            start, end = state.component.start_us[cell], state.component.end_us[cell]
        elif state.stands_for is not None:
            stands = stands * state.stands_for
        elif isinstance(state.component, ValueTable) and (many := state.component.represented_values) is not None:
            stands = stands * many[state.low]
    return QuantileKeys(keys, start, end, stands)


def _walk_with_cache(
    pattern: KeyPattern, distribution: EventDistribution, shares: Floats, *, with_boxes: bool
) -> tuple[list[bytes], Terms | None]:
    """Return a true key at each share, and if `with_boxes` the boxes of keys below it where they are known."""
    keys, states, boxes = _walk(pattern, distribution, shares, with_boxes=with_boxes)
    # A walk whose intervals are not those of `split` ends at a true key, but its boxes must not be cached as exact.
    if not all(state.sure for state in states) or len(boxes) == 1:
        return keys, None
    low, high = (
        tuple(np.stack([box[place][end] for box in boxes], axis=1).ravel() for place in range(len(states)))
        for end in (0, 1)
    )
    return keys, Terms(np.arange(len(keys)) * len(boxes), low, high)


Boxes = list[list[tuple[Ends, Ends]]]
"""Per level, per component: the keys below that part there."""


def _walk(
    pattern: KeyPattern,
    distribution: EventDistribution,
    shares: Floats,
    *,
    with_boxes: bool,
    between: bool = False,
    bound: bool = False,
) -> tuple[list[bytes], list["_State"], Boxes]:
    """Return a true key at each share, the state where its walk ended, and the boxes of keys below it."""
    if distribution.time.count > 1:
        distribution = EventDistribution(distribution.time.collapse(), distribution.popularity)
    # A share of 1 is behind the last key and in no interval; it stands for the last key here.
    rest = np.clip(np.asarray(shares, dtype=np.float64), 0.0, 1 - 1e-12)
    texts: list[list[bytes]] = []
    states = [_State(distribution, component, len(rest), sure=with_boxes) for component in pattern.components]
    boxes = [[(state.low, state.low) for state in states]]
    of_time = (
        {time_hash.level.segment.id: time_hash for time_hash in hashes_of_time(pattern)} if bound or between else {}
    )
    for level in pattern.levels:
        if level.component < 0:
            assert isinstance(level.order, Constant)
            texts.append([level.order.text] * len(rest))
        else:
            # A key below this one is equal in all earlier segments and less in this one, so each level adds one box
            # and the boxes are disjoint.
            box = [(state.low, state.high) for state in states]
            state = states[level.component]
            column, rest = state.descend(level, rest)
            if between and (result := values_between(pattern, level, state.low, rest)) is not None:
                column, rest, state.stands_for = result
            if level.segment.id in of_time and _narrow_time(of_time[level.segment.id], states):
                del of_time[level.segment.id]
            texts.append(column)
            box[level.component] = states[level.component].below
            boxes.append(box)
    for hashed in of_time.values():
        found_at = [hashed.text(at) for at in states[hashed.time].low.tolist()]
        after = as_bytes(hashed.level.segment.after)
        texts[pattern.levels.index(hashed.level)] = [text + after for text in found_at]
    for value in hashes_of_values(pattern) if bound else ():
        rows = {place: state.low for place, state in enumerate(states)}
        texts[pattern.levels.index(value.level)] = append_delimiter(value.texts(rows), value.letters.after).tolist()
    return [b"".join(parts) for parts in zip(*texts, strict=True)], states, boxes


def _narrow_time(hashed: HashOfTime, states: Sequence["_State"]) -> bool:
    """Narrow the time of each walk to the bucket whose hash it has; return False where the hash follows the time."""
    time = states[hashed.time]
    if hashed.spans is None or time.depth:
        return False
    cell = hashed.spans.cell[states[hashed.level.component].low]
    time.low, time.high = hashed.spans.start_us[cell], hashed.spans.end_us[cell]
    return True


class _State:
    """State of n walks in one component: an interval that narrows from level to level.

    `below` is the part of the interval before the last narrowing whose texts sort below.
    """

    def __init__(self, distribution: EventDistribution, component: Component, n: int, *, sure: bool) -> None:
        self.law, self.component, self.depth = distribution, component, 0
        assert not isinstance(component, Constant)
        low, high = component.full
        # Intervals of a uniform text are shares 0…1; all others are rows, numbers or microseconds.
        kind = np.float64 if isinstance(component, UniformText) else np.int64
        self.low: Ends = np.full(n, low, dtype=kind)
        self.high: Ends = np.full(n, high, dtype=kind)
        self.below = (self.low, self.low)
        self.sure = sure
        """The intervals are those that `split` finds."""
        self.stands_for: Floats | None = None
        """How many values each walk's stands for, where it was looked for one between those of the table."""

    def descend(self, level: Level, rest: Floats) -> tuple[list[bytes], Floats]:
        """Return the next level's text at each share of the remainder, and the share within that text."""
        self.depth += 1
        component = self.component
        if isinstance(component, ValueTable | TimeSpans):
            return self._rows(component, rest)
        if isinstance(component, EventTime):
            return self._times(level, rest)
        if isinstance(component, UniformText):
            place = rest * component.count
            texts = component.texts(rest)
            self._split(level, texts)
            return texts, place - np.floor(place)
        assert isinstance(component, CountedValues)
        return self._split_by_count(level, component, rest)

    def _split(self, level: Level, texts: Sequence[bytes]) -> None:
        """Narrow each walk to its text, the plain way; nothing follows in the component, so only for who asks."""
        if not self.sure:
            return
        splits = [
            level.order.split(low, high, text)
            for low, high, text in zip(self.low.tolist(), self.high.tolist(), texts, strict=True)
        ]
        if any(len(spans) > 1 or len(hits) != 1 for spans, hits in splits):
            self.sure = False
            return
        below = np.array([spans[0] if spans else (0, 0) for spans, _ in splits], dtype=self.low.dtype)
        inside = np.array([hits[0][:2] for _, hits in splits], dtype=self.low.dtype)
        self.below = (below[:, 0], below[:, 1])
        self.low, self.high = inside[:, 0], inside[:, 1]

    def _rows(self, table: ValueTable | TimeSpans, rest: Floats) -> tuple[list[bytes], Floats]:
        sums = table.cumulative_shares(self.law)
        sums = sums[0] if sums.ndim == 2 else sums
        # Inverse of the cumulative distribution, conditional on the interval: F(low) + rest · (F(high) − F(low)). The
        # search to the right passes rows without a share, which no event can have.
        target = sums[self.low] + rest * (sums[self.high] - sums[self.low])
        row = np.clip(np.searchsorted(sums, target, side="right") - 1, self.low, self.high - 1)
        starts = table.groups(self.depth)
        run = np.searchsorted(starts, row, side="right") - 1
        low = np.maximum(starts[run], self.low)
        # Rows with the same text are one run, and rows before it in the interval sort below.
        self.below = (self.low, low)
        self.low, self.high = low, np.minimum(starts[run + 1], self.high)
        width = sums[self.high] - sums[self.low]
        remaining = np.divide(target - sums[self.low], width, out=np.zeros_like(rest), where=width > 0)
        column = table.columns[self.depth - 1]
        return column.texts.take(column.codes[row]).tolist(), np.clip(remaining, 0, 1 - 1e-12)

    def _times(self, level: Level, rest: Floats) -> tuple[list[bytes], Floats]:
        order = level.order
        assert isinstance(order, TimeSteps | CalendarText)
        down = order.is_reversed
        time = self.law.time
        low, high = time.cdf(self.low / 1e6)[0], time.cdf(self.high / 1e6)[0]
        # Reversed times run backwards through the key order: the first share is that of the latest time.
        target = high - rest * (high - low) if down else low + rest * (high - low)
        at = np.clip(np.floor(time.quantile(target) * 1e6).astype(np.int64), self.low, self.high - 1)
        texts = order.texts(at)
        start, end = _same_times(order, at, texts, self.low, self.high)
        self.sure = self.sure and (isinstance(order, CalendarText) or order.firsts is not None)
        self.below = (end, self.high) if down else (self.low, start)
        self.low, self.high = start, end
        low, high = time.cdf(start / 1e6)[0], time.cdf(end / 1e6)[0]
        part = np.divide(target - low, high - low, out=np.zeros_like(rest), where=high > low)
        return texts, np.clip(1 - part if down else part, 0, 1 - 1e-12)

    def _split_by_count(self, level: Level, counter: CountedValues, rest: Floats) -> tuple[list[bytes], Floats]:
        low, high = self.low.copy(), self.high.copy()
        full = self.low.copy()
        # Bisection of all walks at once: at most 63 turns of array operations, however many numbers there are.
        while np.any(high - low > 1):
            middle = (low + high) // 2
            below = counter.mass(self.law, full, middle) <= rest
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        texts = counter.digits.texts(low.tolist())
        self._split(level, texts)
        before, mass = counter.mass(self.law, full, low), counter.mass(self.law, low, low + 1)
        remaining = np.divide(rest - before, mass, out=np.zeros_like(rest), where=mass > 0)
        return texts, np.clip(remaining, 0, 1 - 1e-12)


def _same_times(
    order: TimeSteps | CalendarText, at: Ints, texts: Sequence[bytes], low: Ints, high: Ints
) -> tuple[Ints, Ints]:
    """`same_text` of many times: int64 (n,) each."""
    if isinstance(order, TimeSteps) and order.firsts is not None:
        numbers = order.numbers(at)
        return np.maximum(order.firsts(numbers), low), np.minimum(order.firsts(numbers + 1), high)
    if isinstance(order, CalendarText) and order.bucket is not None:
        places = bucket_places(at, order.bucket)
        starts, ends = (bucket_starts(place, order.bucket) for place in (places, places + 1))
        return np.maximum(starts, low), np.minimum(ends, high)
    bounds = [
        same_text(order, us, text, a, b)
        for us, text, a, b in zip(at.tolist(), texts, low.tolist(), high.tolist(), strict=True)
    ]
    return np.array([a for a, _ in bounds], dtype=np.int64), np.array([b for _, b in bounds], dtype=np.int64)


def same_text(order: TimeSteps | CalendarText, us: int, text: bytes, low: int, high: int) -> tuple[int, int]:
    """Return the interval of times within low…high-1 that have the same text as a given time."""
    if isinstance(order, TimeSteps):
        number = order.number(us)
        return max(order.first_us(number), low), min(order.first_us(number + 1), high)
    _, hits = order.split(low, high, text)
    return (hits[0][0], hits[0][1]) if hits else (us, us + 1)


def equal_bounds(parts: Sequence[tuple[KeyPattern, EventDistribution, float]], ranges: int) -> tuple[bytes, ...]:
    """Bounds of ranges that each hold about the same share of a mixture of key patterns.

    Parameters
    ----------
    parts
        (pattern, law, weight): windows are collapsed, weights need not add to 1.
    ranges
        How many ranges are wanted. A single key is never divided: where keys are few or one is heavy there are
        fewer, and the ranges are the gaps between the bounds that are returned.

    Returns
    -------
    tuple of bytes, at most ranges - 1, ascending and distinct
    """
    total = sum(weight for _, _, weight in parts)
    shares = [(p, EventDistribution(law.time.collapse(), law.popularity), w / total) for p, law, w in parts if w > 0]
    targets = np.arange(1, ranges) / ranges
    if len(shares) == 1 and shares[0][0].has_exact_quantiles:
        return _bounds_at(shares[0][0], shares[0][1], targets)
    candidates: set[bytes] = set()
    for pattern, law, share in shares:
        # Candidates lie half a range apart in the mixture, so the nearest is about a quarter of a range from each
        # wanted share. A few more keep a part with a small share from having hardly any.
        steps = int(np.ceil(2 * ranges * share)) + 16
        candidates.update(quantile_keys(pattern, law, (np.arange(steps) + 0.5) / steps))
    return _nearest(shares, tuple(sorted(candidates)), targets)


def _bounds_at(pattern: KeyPattern, distribution: EventDistribution, target_shares: Floats) -> tuple[bytes, ...]:
    """Return the distinct keys at these shares, ascending; the boxes below them are cached."""
    keys, terms = _walk_with_cache(pattern, distribution, target_shares, with_boxes=True)
    new = [place for place, (before, key) in enumerate(pairwise((None, *keys))) if key != before]
    bounds = tuple(keys[place] for place in new)
    if sorted(bounds) != list(bounds):
        return tuple(sorted(set(keys)))
    if terms is not None:
        cache_terms(pattern, bounds, terms.of(np.array(new, dtype=np.int64)))
    return bounds


def _nearest(
    shares: Sequence[tuple[KeyPattern, EventDistribution, float]], candidates: tuple[bytes, ...], target_shares: Floats
) -> tuple[bytes, ...]:
    """Return the candidates whose share below is nearest to each wanted share."""
    below = sum(share * shares_below(pattern, law, candidates)[0] for pattern, law, share in shares)
    # The sums are monotonic but for rounding, and the search needs them monotonic.
    below = np.maximum.accumulate(np.asarray(below))
    right = np.clip(np.searchsorted(below, target_shares), 1, len(candidates) - 1)
    place = np.where(target_shares - below[right - 1] < below[right] - target_shares, right - 1, right)
    chosen = distinct(place)
    bounds = tuple(candidates[n] for n in chosen.tolist())
    for pattern, _, _ in shares:
        cache_terms(pattern, bounds, terms_of(pattern, candidates).of(chosen))
    return bounds
