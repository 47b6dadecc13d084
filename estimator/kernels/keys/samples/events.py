"""Generated events: independent draws from a law, as codes; and their counts per key range in bounded memory."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Bytes, Codes, Floats, Ints

from ..codes.codec import Codec, Drawn, codec_of
from ..codes.groups import LetterGroup
from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution
from ..patterns.pattern import KeyPattern
from ..patterns.table import ValueTable
from ..patterns.times import EventTime
from ..patterns.uniform import CountedValues, UniformText
from ..values.alias import AliasTable, Scratch

CHUNK = 1 << 15
"""Events drawn at a time: their arrays stay in the processor's cache."""


def stream(seed: int, window: int) -> np.random.Generator:
    """Return the random generator of one window, the same on any thread, worker and machine."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, window])))


@dataclass(frozen=True, eq=False)
class KeyBlock:
    """Some keys behind one another: `data` uint8 (bytes,), key i ends before `ends[i]`, int64 (keys,)."""

    data: Bytes
    ends: Ints

    def __len__(self) -> int:
        return len(self.ends)

    def tolist(self) -> list[bytes]:
        """Return the keys as Python bytes."""
        joined, ends = self.data.tobytes(), self.ends.tolist()
        return [joined[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@dataclass(frozen=True, eq=False)
class EventSource:
    """Draws events of one window of a law."""

    pattern: KeyPattern
    distribution: EventDistribution
    codec: Codec
    aliases: dict[int, AliasTable]
    _scratch: dict[int, Scratch] = field(default_factory=dict, repr=False)

    def draw(self, rng: np.random.Generator, count: int, shares: Floats | None = None) -> dict[tuple[int, int], Ints]:
        """Return the draws of `count` events.

        `shares` float64 (count,): their positions in the distribution's time, which are random if None. The
        arrays are
        overwritten by the next draw.
        """
        out: dict[tuple[int, int], Ints] = {}
        for place, component in enumerate(self.pattern.components):
            scratch = self._scratch.get(place)
            if scratch is None or len(scratch.u) < count:
                scratch = self._scratch[place] = Scratch(max(count, CHUNK))
            if isinstance(component, ValueTable | TimeSpans):
                out[place, 0] = self.aliases[place].draw(rng, count, scratch)
            elif isinstance(component, EventTime):
                out[place, 0] = self._times(rng, count, shares, scratch)
            elif isinstance(component, UniformText):
                for run in self.codec.groups:
                    if isinstance(run, LetterGroup) and run.part[0] == place:
                        out[run.part] = rng.integers(0, run.size, count)
            elif isinstance(component, CountedValues):
                out[place, 0] = self._numbers(rng, component, count)
        return out

    def _times(self, rng: np.random.Generator, count: int, shares: Floats | None, scratch: Scratch) -> Ints:
        time, u, out = self.distribution.time, scratch.u[:count], scratch.place[:count]
        if shares is None:
            rng.random(out=u)
        else:
            u[:] = shares
        # One uniform piece needs no interpolation. Rounding to whole microseconds comes first, so that no event is
        # drawn before the start or at the end of its window.
        if time.weight.shape[1] == 1:
            start = round(float(time.start_s[0, 0]) * 1e6)
            u *= round(float(time.end_s[0, 0]) * 1e6) - start
            out[:] = u
            out += start
            return out
        out[:] = time.quantile(u) * 1e6
        return out

    def _numbers(self, rng: np.random.Generator, counter: CountedValues, count: int) -> Ints:
        low, high = counter.full
        law = self.distribution.popularity.get(counter.shape.id, counter.shape.popularity)
        if law.kind != "latest" and counter.shape.growth_per_day <= 0:
            return rng.integers(low, high, count)
        at, share = np.full(count, low), rng.random(count)
        above = np.full(count, high)
        # The inverse of the cumulative distribution by bisection, for all events at once.
        while np.any(above - at > 1):
            middle = (at + above) // 2
            below = counter.mass(self.distribution, np.full(count, low), middle) <= share
            at, above = np.where(below, middle, at), np.where(below, above, middle)
        return at


def source_of(pattern: KeyPattern, distribution: EventDistribution, window: int | None = None) -> EventSource:
    """Draws from one window of a law (None: all windows collapsed)."""
    codec = codec_of(pattern, distribution)
    window_law = EventDistribution(
        distribution.time.collapse() if window is None else distribution.time.window(window), distribution.popularity
    )
    aliases = {}
    for place, component in enumerate(pattern.components):
        if isinstance(component, TimeSpans):
            aliases[place] = AliasTable.of(np.diff(component.cumulative_shares(window_law)[0]))
        elif isinstance(component, ValueTable):
            aliases[place] = _alias(component, window_law)
    return EventSource(pattern, window_law, codec, aliases)


def _alias(table: ValueTable, distribution: EventDistribution) -> AliasTable:
    """Return a table's alias sampler, kept as long as its shares are."""
    sums = table.cumulative_shares(distribution)
    cached = table._aliases.get(id(sums))
    # The array of sums is kept in the entry, so an id that is reused after the sums were dropped is noticed.
    if cached is None or cached[0] is not sums:
        if len(table._aliases) >= 8:
            table._aliases.clear()
        cached = table._aliases[id(sums)] = (sums, AliasTable.of(np.diff(sums)))
    return cached[1]


@dataclass(frozen=True, eq=False)
class RangeBounds:
    """Range bounds as codes, with a table that finds a code's range without a search.

    `words` uint64 (bounds,) each, most significant first. A cell is what the leading bits of a code's first word say;
    a cell with many bounds inside is divided again. `where` int64 (cells,) packs a cell's place in `first` and the mask
    of the finer bits that are added to it; `first` int32 is the range that a cell begins in.
    """

    words: tuple[Codes, ...]
    shift: int
    fine_shift: int
    where: Ints
    mask: Ints
    first: NDArray[np.int32]
    steps: int
    padded: Codes

    @property
    def ranges(self) -> int:
        """One more than bounds."""
        return len(self.words[0]) + 1

    def count_codes(self, codes: Sequence[Codes]) -> Ints:
        """Return the number of codes in each range: int64 (ranges,).

        Where bounds are so close that a search is needed, the codes are sorted and the bounds are searched in them.
        """
        # For counts alone it is cheaper to sort a chunk of codes and search the few bounds in it than to search every
        # code.
        if len(codes) == 1 and self.steps > _STEPS_MOST:
            ordered = np.sort(codes[0])
            below = np.searchsorted(ordered, self.words[0], side="left")
            return np.diff(below, prepend=0, append=len(ordered))
        return np.bincount(self.ranges_of(codes), minlength=self.ranges)

    def ranges_of(self, codes: Sequence[Codes]) -> NDArray[np.int32]:
        """Return the range of each code: int32 (n,)."""
        if self.steps > _STEPS_MOST:
            out = np.searchsorted(self.words[0], codes[0], side="right").astype(np.int32)
            return out if len(codes) == 1 else self._resolve_ties(codes, out)
        code = codes[0]
        cell = (code >> np.uint64(self.shift)).view(np.int64)
        # Where a cell is not divided, its mask is 0 and `where` is its own place, so that both kinds take the same
        # steps and no branch per event is needed.
        fine = (code >> np.uint64(self.fine_shift)).view(np.int64)
        fine &= self.mask.take(cell, mode="clip")
        fine += self.where.take(cell, mode="clip")
        out = self.first.take(fine, mode="clip")
        # A cell holds at most `steps` bounds, so as many comparisons replace a binary search, without branches.
        for _ in range(self.steps):
            out += code >= self.padded.take(out, mode="clip")
        return out if len(codes) == 1 else self._resolve_ties(codes, out)

    def _resolve_ties(self, codes: Sequence[Codes], out: NDArray[np.int32]) -> NDArray[np.int32]:
        """Ranges by the first word are too high where that equals a bound's, and the next words are less."""
        if not len(self.words[0]):
            return out
        events = np.flatnonzero((out > 0) & (self.words[0].take(out - 1, mode="clip") == codes[0]))
        while len(events):
            place = out[events] - 1
            higher, equal = np.zeros(len(events), np.bool_), place >= 0
            for bound, code in zip(self.words, codes, strict=True):
                mine, there = code[events], bound.take(place, mode="clip")
                higher |= equal & (there > mine)
                equal &= there == mine
            events = events[higher]
            out[events] -= 1
        return out


_STEPS_MOST = 4
_CELL_BITS, _FINE_BITS = 16, 12


def bounds_of(codec: Codec, bounds: Sequence[bytes]) -> RangeBounds:
    """Key bounds, ascending, as codes.

    Raises
    ------
    ValueError
        If the pattern's codes do not sort as its keys do.
    """
    if not codec.is_order_preserving:
        raise ValueError("codes of this pattern do not sort as its keys do")
    codes = [codec.bound(bound) for bound in bounds]
    words = tuple(np.array([bound[place] for bound in codes], dtype=np.uint64) for place in range(len(codec.words)))
    most = 1
    for run in codec.words[0]:
        most *= run.size
    return _cells(words, most)


def _cells(words: tuple[Codes, ...], maximum: int) -> RangeBounds:
    shift = max(maximum.bit_length() - _CELL_BITS, 0)
    fine_shift = max(shift - _FINE_BITS, 0)
    starts = np.arange((maximum >> shift) + 2, dtype=np.uint64) << np.uint64(shift)
    places = np.searchsorted(words[0], starts, side="right")
    inside = np.diff(places)
    crowded = np.flatnonzero(inside > 1) if shift else np.zeros(0, dtype=np.int64)
    pieces = 1 << (shift - fine_shift)
    finer = starts[crowded, None] + (np.arange(pieces, dtype=np.uint64) << np.uint64(fine_shift))
    finer_places = np.searchsorted(words[0], finer.reshape(-1), side="right")
    where, mask = np.arange(len(inside)), np.zeros(len(inside), dtype=np.int64)
    where[crowded], mask[crowded] = len(inside) + np.arange(len(crowded)) * pieces, pieces - 1
    first = np.concatenate([places[:-1], finer_places])
    ends = np.append(finer_places.reshape(len(crowded), pieces)[:, 1:], places[crowded + 1][:, None], axis=1)
    inside[crowded] = 0
    steps = max(int(inside.max(initial=0)), int((ends.reshape(-1) - finer_places).max(initial=0)))
    # The steps may look behind the last bound; no code reaches this sentinel, because codes are below 2^63.
    padded = np.append(words[0], np.full(_STEPS_MOST + 1, np.iinfo(np.uint64).max))
    return RangeBounds(words, shift, fine_shift, where, mask, first.astype(np.int32), steps, padded)


def count_events(
    rng: np.random.Generator,
    pattern: KeyPattern,
    distribution: EventDistribution,
    window: int,
    events: int,
    bounds: RangeBounds | Sequence[bytes],
) -> Ints:
    """Count generated events of one window per key range, in memory that does not grow with their number.

    Parameters
    ----------
    rng
        `stream(seed, window)`, for counts that are the same however windows are spread over threads.
    bounds
        Ascending byte strings, or what `bounds_of` made of them.

    Returns
    -------
    int64, shape (bounds + 1,)
    """
    source = source_of(pattern, distribution, window)
    if not source.codec.is_order_preserving:
        assert not isinstance(bounds, RangeBounds)
        return _counted_bytes(rng, source, events, bounds)
    range_bounds = bounds if isinstance(bounds, RangeBounds) else bounds_of(source.codec, bounds)
    counts = np.zeros(range_bounds.ranges, dtype=np.int64)
    for start in range(0, events, CHUNK):
        codes = source.codec.codes(source.draw(rng, min(CHUNK, events - start)))
        counts += range_bounds.count_codes(codes)
    return counts


def keys_of(source: EventSource, draws: Drawn) -> list[bytes]:
    """Return the keys of draws as Python bytes."""
    return KeyBlock(*source.codec.keys(ranks_of(source, draws))).tolist()


def ranks_of(source: EventSource, draws: Drawn) -> list[Ints]:
    """Ranks of the codec's runs, int64 (keys,) each."""
    return [run.ranks(draws[run.part]) for run in source.codec.groups] or [next(iter(draws.values()))]


def _counted_bytes(rng: np.random.Generator, source: EventSource, events: int, bounds: Sequence[bytes]) -> Ints:
    """Count generated events per key range by the real bytes, for codes that do not sort as keys do."""
    counts = np.zeros(len(bounds) + 1, dtype=np.int64)
    for start in range(0, events, CHUNK):
        keys = keys_of(source, source.draw(rng, min(CHUNK, events - start)))
        counts += np.bincount([bisect_right(bounds, key) for key in keys], minlength=len(bounds) + 1)
    return counts


def draw_counts(rng: np.random.Generator, shares: Floats, events: int | Sequence[int] | Ints) -> Ints:
    """Draw counts of events per range, one multinomial draw per window, for any number of events.

    `shares` is float64 (windows, ranges), rows add up to 1; `events` is per window, or one number for each of them.
    """
    # A multinomial draw refuses shares whose sum exceeds 1 by rounding.
    rows = shares / shares.sum(axis=-1, keepdims=True)
    return np.asarray(rng.multinomial(np.asarray(events), rows))
