"""Values that belong together as one table: a row per combination, sorted as the key sorts them."""

import math
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

import numpy as np

from designer.document.durations import DAY_SECONDS
from estimator.results.arrays import Floats, Ints, distinct

from ..rendering.digits import Hits, Spans
from ..rendering.texts import Strings, Texts
from ..values.alias import AliasTable
from ..values.value_tables import Entries, Stage, sample_times
from .distributions import EventDistribution, TimeDistribution

Value = TypeVar("Value")

_MOMENTS, _MOMENTS_MOST = 4, 32
"""So often in its time a law looks at which values exist, and in each life of a value, up to so often."""

_STRIDE = 64
_KEPT_MOST = 64
"""Results that a table remembers beside its sums; they are small."""


@dataclass(frozen=True, eq=False)
class TextColumn:
    """One segment's texts in a table: distinct, in byte order, and which of them each row has."""

    texts: Texts
    codes: Ints
    prefix_free: bool

    @cached_property
    def strings(self) -> Strings:
        """The texts as Python's bytes."""
        return Strings(self.texts)

    @cached_property
    def _landmarks(self) -> list[bytes]:
        """Every so many strings, as a list: the first steps of a search are fastest in one."""
        return self.texts.take(np.arange(0, len(self.texts), _STRIDE)).tolist()

    def insertion_point(self, text: bytes) -> int:
        """Return the number of strings that sort below a text."""
        # The first steps of bisection run in a list of bytes objects; only the last six create bytes from the array.
        near = bisect_left(self._landmarks, text) * _STRIDE
        return bisect_left(self.strings, text, max(near - _STRIDE, 0), min(near, len(self.strings)))

    @cached_property
    def code_list(self) -> list[int]:
        """The codes as Python's integers: bisection in them is fastest so."""
        return list(self.codes.tolist())

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths that texts have."""
        return [int(size) for size in distinct(self.texts.length)]

    def split(self, low: int, high: int, rest: bytes) -> tuple[Spans, Hits]:
        """Rows low…high-1 (of one code in all columns before) below `rest`, and those that it begins with."""
        strings, codes = self.strings, self.code_list
        at = self.insertion_point(rest)
        equal = at < len(strings) and strings[at] == rest
        edge = bisect_left(codes, at, low, high)
        # Without prefixes at most one text can begin `rest`: the greatest one that is not above it.
        if self.prefix_free:
            code = at if equal else at - 1
            if code < 0 or not rest.startswith(strings[code]):
                return [(low, edge)], []
            start = bisect_left(codes, code, low, high)
            end = bisect_left(codes, code + 1, start, high)
            return [(low, start)], [(start, end, len(strings[code]))] if start < end else []
        spans, hits, done = [], [], low
        # Several texts can begin `rest` ("1" and "12" begin "123"), at most one of each length. Rows between two hits
        # sort below `rest` but are not begun by it.
        for size in self.lengths:
            if size > len(rest):
                break
            code = self.insertion_point(rest[:size])
            if code < len(strings) and strings[code] == rest[:size]:
                start = bisect_left(codes, code, low, high)
                end = bisect_left(codes, code + 1, start, high)
                if start < end:
                    spans.append((done, start))
                    hits.append((start, end, size))
                    done = end
        spans.append((done, max(edge, done)))
        return spans, hits


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Rows of values that are drawn together.

    `entry_row` int64 (entries,): the row that each entry of the last stage is in; `entry` (rows,) one entry of each
    row. `fixed_shares` float64 (rows,) where the shares follow no field (a random salt).
    """

    entries: Entries
    columns: tuple[TextColumn, ...]
    entry_row: Ints
    entry: Ints
    fixed_shares: Floats | None = None
    _cache: dict[object, Floats] = field(default_factory=dict, repr=False)
    _kept: dict[Hashable, object] = field(default_factory=dict, repr=False)
    _aliases: dict[int, tuple[Floats, AliasTable]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.entry)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The fields that decide the row."""
        return self.entries.stages

    @property
    def full(self) -> tuple[int, int]:
        """All rows."""
        return 0, len(self)

    @cached_property
    def represented_values(self) -> Floats | None:
        """(rows,) How many values each row's stand for; None where each stands for itself, or many share a row."""
        if all(stage.is_exact for stage in self.stages) or len(self) < len(self.entry_row):
            return None
        stands, entry = np.ones(len(self)), self.entry
        for stage in reversed(self.stages):
            # A representative with the share `tail` of the values behind the head stands for tail · (size − head) of
            # them, and a row for the product over its stages.
            here = np.where(stage.tail > 0, stage.tail * (stage.size - stage.head), 1.0)
            stands, entry = stands * here[entry], stage.parent[entry]
        return stands

    def shares(self, distribution: EventDistribution) -> Floats:
        """Share of each row under a law. float64 (rows,), adds to 1."""
        return np.diff(self.cumulative_shares(distribution))

    def cumulative_shares(self, distribution: EventDistribution) -> Floats:
        """Share of the rows before each row, and 1. float64 (rows + 1,)."""
        if self.fixed_shares is not None:
            return np.concatenate(([0.0], np.cumsum(self.fixed_shares)))
        key = self.share_inputs(distribution)
        cached = self._cache.get(key)
        if cached is None:
            entries = self.entries.masses(distribution.popularity, key[0])
            rows = np.bincount(self.entry_row, entries, minlength=len(self))
            sums = np.concatenate(([0.0], np.cumsum(rows)))
            if len(self._cache) >= 16:
                self._cache.pop(next(iter(self._cache)), None)
            cached = self._cache[key] = sums / sums[-1]
        return cached

    def share_inputs(self, distribution: EventDistribution) -> tuple[tuple[float, ...], tuple[object, ...]]:
        """Return the parts of a distribution that the shares depend on.

        They are times, where values come and go, and popularities.
        """
        times: tuple[float, ...] = (0.0,)
        # Values of fields that do not grow are the same at all times, so all windows share one cached result.
        if any(stage.shape.growth_per_day > 0 for stage in self.stages):
            moments = self._moments_within(distribution)
            times = tuple(distribution.time.collapse().quantile((np.arange(moments) + 0.5) / moments).tolist())
        return times, tuple(distribution.popularity.get(stage.shape.id) for stage in self.stages)

    def _moments_within(self, distribution: EventDistribution) -> int:
        """Return at how many moments values that come and go are looked at: each of them at several."""
        lives = [stage.shape.lifetime_days for stage in self.stages if stage.shape.lifetime_days is not None]
        first_s, end_s = distribution.time.span_s
        each = math.ceil(_MOMENTS * (end_s - first_s) / DAY_SECONDS / max(min(lives, default=math.inf), 1e-9))
        return min(max(each, _MOMENTS), _MOMENTS_MOST)

    def middle_of(self, distribution: EventDistribution) -> EventDistribution:
        """Return the distribution at its middle where values come and go within its time, else the same."""
        laws = [distribution.popularity.get(stage.shape.id, stage.shape.popularity) for stage in self.stages]
        times = self.share_inputs(distribution)[0]
        if len(sample_times(self.stages, laws, times)) == 1:
            return distribution
        middle = times[len(times) // 2]
        return EventDistribution(TimeDistribution.windows(middle, middle), distribution.popularity)

    def get_or_compute(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return a small result about this table, computed once."""
        if key not in self._kept:
            if len(self._kept) >= _KEPT_MOST:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[key] = make()
        return cast(Value, self._kept[key])

    def groups(self, depth: int) -> Ints:
        """First row of each run of rows that agree in the first `depth` columns, and the end. int64 (runs + 1,)."""
        return self.get_or_compute(("groups", depth), lambda: group_starts(self.columns, depth, len(self)))

    def mass(self, distribution: EventDistribution, low: Ints, high: Ints) -> Floats:
        """Share of rows low…high-1. float64, shape of `low`."""
        sums = self.cumulative_shares(distribution)
        return np.asarray(sums[high] - sums[low])


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """A segment's texts: distinct, in byte order, and each entry's place among them."""

    texts: Texts
    codes: Ints
    prefix_free: bool


def table_of(
    entries: Entries, encoded_texts: Sequence[EncodedTexts], *, fixed_shares: Floats | None = None
) -> ValueTable:
    """Return the table of entries with the texts of its segments, in key order."""
    key, wide = encoded_texts[0].codes, len(encoded_texts[0].texts)
    for more in encoded_texts[1:]:
        # The combined code must fit int64. Renumbering by what really occurs leaves at most as many codes as entries.
        if wide * len(more.texts) >= 1 << 62:
            key, wide = np.unique(key, return_inverse=True)[1].astype(np.int64), len(key)
        key, wide = key * len(more.texts) + more.codes, wide * len(more.texts)
    # Codes of the columns combined in radix sort as the concatenated texts do, where all but the last column are
    # prefix-free.
    order = np.argsort(key, kind="stable")
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = key[order][1:] != key[order][:-1]
    entry_row = np.empty(len(order), dtype=np.int64)
    entry_row[order] = np.cumsum(new) - 1
    entry = order[new]
    columns = tuple(
        TextColumn(encoded_text.texts, encoded_text.codes[entry], encoded_text.prefix_free)
        for encoded_text in encoded_texts
    )
    shares = (
        None if fixed_shares is None else np.bincount(entry_row, fixed_shares, minlength=len(entry)).astype(np.float64)
    )
    return ValueTable(entries, columns, entry_row, entry, shares)


def group_starts(columns: Sequence[TextColumn], depth: int, rows: int) -> Ints:
    """First row of each run of rows that agree in the first `depth` columns, and the end. int64 (runs + 1,)."""
    new = np.zeros(rows, dtype=np.bool_)
    new[:1] = True
    for column in columns[:depth]:
        new[1:] |= column.codes[1:] != column.codes[:-1]
    return np.append(np.flatnonzero(new), rows)


def encode_texts(texts: Texts) -> EncodedTexts:
    """Texts of all entries, sorted."""
    order, new = texts.order()
    codes = np.empty(len(order), dtype=np.int64)
    codes[order] = np.cumsum(new) - 1
    distinct = texts.take(order[new])
    return EncodedTexts(distinct, codes, is_prefix_free(distinct))


def is_prefix_free(texts: Texts) -> bool:
    """Return whether no text begins another; they are distinct and in byte order, so neighbours decide."""
    if texts.is_fixed or len(texts) < 2:
        return True
    # In byte order, whatever begins with a text follows it directly, so comparing neighbours is enough.
    first, second, size = texts.data[:-1], texts.data[1:], texts.length[:-1, None]
    same = ((first == second) | (np.arange(texts.data.shape[1]) >= size)).all(axis=1)
    return not bool((same & (texts.length[:-1] <= texts.length[1:])).any())
