"""Codes that sort as keys do: each run of segments that one component decides is a rank, a key is ranks in radix.

A rank is the place of the run's text among those it can have, so a key's code is one or more 64-bit words; drawn,
sorted and counted as numbers, and only rendered where somebody wants bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Bytes, Codes, Ints

from ..patterns.distributions import EventDistribution
from ..patterns.pattern import Constant, KeyPattern
from ..patterns.table import ValueTable
from .groups import RowGroup, SegmentGroup, groups_at

Drawn = Mapping[tuple[int, int], Ints]
"""What was drawn, by component and part: rows, microseconds, written numbers or places among letters."""

WORD = 1 << 64


@dataclass(frozen=True, eq=False)
class Codec:
    """The runs of a pattern within a span of time, and the constants before each and behind the last.

    `words`: how runs are packed, the first word the most significant.
    """

    groups: tuple[SegmentGroup, ...]
    constants: tuple[bytes, ...]
    words: tuple[tuple[SegmentGroup, ...], ...]
    is_order_preserving: bool
    """Codes sort as keys do."""

    def codes(self, draws: Drawn) -> tuple[Codes, ...]:
        """Return the words of each draw: uint64 (n,) each, most significant first."""
        out = []
        for word in self.words:
            # A word is a number in mixed radix: ((r1 · size2 + r2) · size3 + r3) …, so it sorts as the tuple of ranks
            # does.
            code = word[0].ranks(draws[word[0].part])
            for run in word[1:]:
                # This makes a new array on purpose: groups may return the draws themselves as ranks, and the caller
                # still needs these.
                code = code * run.size
                code += run.ranks(draws[run.part])
            out.append(code.view(np.uint64))
        return tuple(out)

    def ranks(self, codes: Sequence[Codes]) -> list[Ints]:
        """Return the rank of each run: the inverse of `codes`."""
        out: list[Ints] = []
        for word, code in zip(self.words, codes, strict=True):
            word_ranks: list[Ints] = []
            for run in word[:0:-1]:
                # Both sides are uint64: NumPy computes uint64 with int64 in float64, which keeps 53 of the 63 bits.
                # One multiplication instead of a second division returns the remainder.
                above = code // np.uint64(run.size)
                word_ranks.append((code - above * np.uint64(run.size)).view(np.int64))
                code = above
            word_ranks.append(code.view(np.int64))
            out += reversed(word_ranks)
        return out

    def keys(self, ranks: Sequence[Ints], end: bytes = b"") -> tuple[Bytes, Ints]:
        """Keys behind one another, `end` behind each: uint8 (bytes,), and where each stops, int64 (n,)."""
        n, template = len(ranks[0]), self._template(end)
        if any(run.has_varying_length for run in self.groups):
            return self._variable_length_keys(ranks, end)
        out = np.empty((n, len(template)), dtype=np.uint8)
        if any(self.constants) or end:
            # The template fills whole rows as records of one dtype, in one copy. The runs then overwrite their
            # columns, so without constants there is nothing to fill.
            out.reshape(-1).view(f"V{len(template)}")[:] = np.frombuffer(template, f"V{len(template)}")
        at = 0
        for constant, run, rank in zip(self.constants, self.groups, ranks, strict=False):
            at += len(constant)
            run.write(rank, out, at)
            at += run.width
        return out.reshape(-1), np.arange(1, n + 1) * len(template)

    def _variable_length_keys(self, ranks: Sequence[Ints], end: bytes) -> tuple[Bytes, Ints]:
        """Keys of different lengths: each text is copied whole to where its key has got to, its padding overwritten."""
        n = len(ranks[0])
        pieces: list[tuple[Bytes, Ints | int]] = []
        for constant, run, rank in zip(self.constants, self.groups, ranks, strict=False):
            rows = np.empty((n, len(constant) + run.width), dtype=np.uint8)
            rows[:, : len(constant)] = np.frombuffer(constant, np.uint8)
            lengths = run.write(rank, rows, len(constant))
            pieces.append((rows, rows.shape[1] if lengths is None else lengths + len(constant)))
        last = self.constants[-1] + end
        if last:
            pieces.append((np.tile(np.frombuffer(last, np.uint8), (n, 1)), len(last)))
        length = sum((size for _, size in pieces), np.zeros(n, dtype=np.int64))
        ends = np.cumsum(length)
        # The fast way below copies each text with its padding and relies on later pieces of the same key to cover the
        # padding. Where the rest of a key can be shorter, as behind a varying last segment, a mask picks the bytes.
        if not _padding_stays(pieces):
            masks = [np.arange(r.shape[1]) < np.reshape(size, (-1, 1)) for r, size in pieces]
            shape = (n, -1)
            mask = np.concatenate([np.broadcast_to(k, (n, k.shape[1])).reshape(shape) for k in masks], axis=1)
            return np.concatenate([rows for rows, _ in pieces], axis=1)[mask], ends
        flat = np.empty(int(ends[-1]) + max(rows.shape[1] for rows, _ in pieces), dtype=np.uint8)
        at = ends - length
        for rows, size in pieces:
            width = rows.shape[1]
            if width:  # a view of all places at which so many bytes could begin
                places = np.ndarray((len(flat) - width + 1,), f"V{width}", flat.data, 0, (1,))
                places[at] = rows.view(f"V{width}").reshape(-1)
                at = at + size
        return flat[: int(ends[-1])], ends

    def _template(self, end: bytes) -> bytes:
        pairs = zip(self.constants, self.groups, strict=False)
        return b"".join(constant + bytes(run.width) for constant, run in pairs) + self.constants[-1] + end

    def bound(self, key: bytes) -> tuple[int, ...]:
        """Return the words of the first code that is not below a byte string."""
        ranks, rest = [0] * len(self.groups), key
        state: dict[int, tuple[int, int]] = {}
        for place, run in enumerate(self.groups):
            constant = self.constants[place]
            if not rest.startswith(constant):
                # The bound leaves the keys at a constant. If it sorts behind the constant, all keys that agree so far
                # are below it, and the first code that is not below has the next rank before the constant.
                if constant < rest:
                    ranks = self._next(ranks, place)
                break
            rest = rest[len(constant) :]
            ranks[place], matched = run.locate(rest, state)
            if matched < 0:
                break
            rest = rest[matched:]
        else:
            # The bound is a complete key with more bytes behind it, so this key is below the bound and the next is
            # not.
            if self.constants[-1] < rest:
                ranks[-1] += 1
        return self._pack(ranks)

    def _next(self, ranks: list[int], place: int) -> list[int]:
        """Return the first code above all that agree before `place`."""
        if place == 0:
            return [self.groups[0].size, *ranks[1:]]
        return [*ranks[: place - 1], ranks[place - 1] + 1, *ranks[place:]]

    def _pack(self, ranks: list[int]) -> tuple[int, ...]:
        total, place = 0, 0
        for word in self.words:
            for run in word:
                # Python integers, because a rank can equal its run's size ("above all of these"), which must carry
                # into the run before it, also across words.
                total = total * run.size + ranks[place]
                place += 1
        out = []
        for word in self.words[:0:-1]:
            total, low = divmod(total, _span(word))
            out.append(low)
        return (total, *reversed(out))


def _padding_stays(pieces: Sequence[tuple[Bytes, Ints | int]]) -> bool:
    """Return True if padding is never longer than the rest of its own key, which then overwrites it."""
    behind = 0
    for rows, size in reversed(pieces):
        least = int(np.min(size))
        if rows.shape[1] - least > behind:
            return False
        behind += least
    return True


def _span(word: Sequence[SegmentGroup]) -> int:
    span = 1
    for run in word:
        span *= run.size
    return span


def codec_of(pattern: KeyPattern, distribution: EventDistribution) -> Codec:
    """Return the codec of a pattern for a distribution's span of time, cached with the pattern."""
    low_s, high_s = distribution.time.span_s
    key = ("codec", low_s, high_s)
    cached = pattern.cache.get(key)
    if isinstance(cached, Codec):
        return cached
    runs: list[SegmentGroup] = []
    constants = [b""]
    sorts = pattern.prefix_free
    place = 0
    while place < len(pattern.levels):
        level = pattern.levels[place]
        if isinstance(level.order, Constant):
            constants[-1] += level.order.text
            place += 1
            continue
        # A distribution of a single moment has no length. One microsecond keeps its group of times from being empty.
        groups, ordered, level_count = groups_at(
            pattern, place, int(low_s * 1e6), max(int(high_s * 1e6), int(low_s * 1e6) + 1)
        )
        runs += groups
        constants += [b""] * len(groups)
        sorts = sorts and ordered
        place += level_count
    if not runs:  # the same key for all
        only = pattern.components[0]
        assert isinstance(only, ValueTable)
        runs, constants = [RowGroup((0, 0), only, 0, 1)], [*constants, b""]
    words: list[list[SegmentGroup]] = []
    for run in runs:
        # Half of the range only: ranks are int64 and words are their uint64 view, so the sign bit must stay 0.
        if words and _span(words[-1]) * run.size < WORD // 2:
            words[-1].append(run)
        else:
            words.append([run])
    codec = Codec(tuple(runs), tuple(constants), tuple(map(tuple, words)), sorts)
    pattern.cache[key] = codec
    return codec
