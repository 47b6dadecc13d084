"""Values that belong together as one table: a row per combination, sorted as the key sorts them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .alias import Alias
from .digits import Hits, Spans
from .law import Law
from .stages import Stage, masses
from .texts import Strings, Texts

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOMENTS = (np.arange(4) + 0.5) / 4
"""Where in its time a law looks at how many values exist."""


@dataclass(frozen=True, eq=False)
class Column:
    """One segment's texts in a table: distinct, in byte order, and which of them each row has."""

    segment: str
    texts: Texts
    codes: Ints
    prefix_free: bool

    @cached_property
    def strings(self) -> Strings:
        """The texts as Python's bytes."""
        return Strings(self.texts)

    @cached_property
    def code_list(self) -> list[int]:
        """The codes as Python's integers: bisection in them is fastest so."""
        return list(self.codes.tolist())

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths that texts have."""
        return [int(size) for size in np.unique(self.texts.length)]

    def split(self, low: int, high: int, rest: bytes) -> tuple[Spans, Hits]:
        """Rows low…high-1 (of one code in all columns before) below `rest`, and those that it begins with."""
        strings, codes = self.strings, self.code_list
        at = bisect_left(strings, rest)
        equal = at < len(strings) and strings[at] == rest
        cut = bisect_left(codes, at, low, high)
        if self.prefix_free:
            code = at if equal else at - 1
            if code < 0 or not rest.startswith(strings[code]):
                return [(low, cut)], []
            start = bisect_left(codes, code, low, high)
            end = bisect_left(codes, code + 1, start, high)
            return [(low, start)], [(start, end, len(strings[code]))] if start < end else []
        spans, hits, done = [], [], low
        for size in self.lengths:
            if size > len(rest):
                break
            code = bisect_left(strings, rest[:size])
            if code < len(strings) and strings[code] == rest[:size]:
                start = bisect_left(codes, code, low, high)
                end = bisect_left(codes, code + 1, start, high)
                if start < end:
                    spans.append((done, start))
                    hits.append((start, end, size))
                    done = end
        spans.append((done, max(cut, done)))
        return spans, hits


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of values that are drawn together.

    `entry_row` int64 (entries,): the row that each entry of the last stage is in; `entry` (rows,) one entry of each
    row. `fixed` float64 (rows,) where the shares follow no field (a random salt).
    """

    stages: tuple[Stage, ...]
    columns: tuple[Column, ...]
    entry_row: Ints
    entry: Ints
    fixed: Floats | None = None
    _cache: dict[object, Floats] = field(default_factory=dict, repr=False)
    _aliases: dict[int, tuple[Floats, Alias]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.entry)

    @property
    def fields(self) -> tuple[str, ...]:
        """Ids of the fields that decide the row."""
        return tuple(stage.shape.id for stage in self.stages)

    @property
    def full(self) -> tuple[int, int]:
        """All rows."""
        return 0, len(self)

    def shares(self, law: Law) -> Floats:
        """Share of each row under a law. float64 (rows,), adds to 1."""
        return np.diff(self.sums(law))

    def sums(self, law: Law) -> Floats:
        """Share of the rows before each row, and 1. float64 (rows + 1,)."""
        if self.fixed is not None:
            return np.concatenate(([0.0], np.cumsum(self.fixed)))
        times: tuple[float, ...] = (0.0,)
        if any(stage.shape.growth_per_day > 0 for stage in self.stages):
            times = tuple(law.time.collapsed().quantile(_MOMENTS).tolist())
        key = (times, tuple((name, law.popularity.get(name)) for name in self.fields))
        if key not in self._cache:
            if len(self._cache) >= 16:
                self._cache.pop(next(iter(self._cache)))
            entries = masses(self.stages, law.popularity, times)
            rows = np.bincount(self.entry_row, entries, minlength=len(self))
            sums = np.concatenate(([0.0], np.cumsum(rows)))
            self._cache[key] = sums / sums[-1]
        return self._cache[key]

    def groups(self, depth: int) -> Ints:
        """First row of each run of rows that agree in the first `depth` columns, and the end. int64 (runs + 1,)."""
        return group_starts(self.columns, depth, len(self))

    def mass(self, law: Law, low: Ints, high: Ints) -> Floats:
        """Share of rows low…high-1. float64, shape of `low`."""
        sums = self.sums(law)
        return np.asarray(sums[high] - sums[low])


def table_of(
    stages: Sequence[Stage], named: Sequence[tuple[str, Texts]], *, fixed: Floats | None = None
) -> tuple[Table, tuple[Column, ...]]:
    """The table of entries with the texts of its segments, (segment id, texts of all entries), in key order."""
    coded = [(segment, *_coded(texts)) for segment, texts in named]
    key, wide = coded[0][2], len(coded[0][1])
    for _, texts, codes in coded[1:]:
        if wide * len(texts) >= 1 << 62:
            key, wide = np.unique(key, return_inverse=True)[1].astype(np.int64), len(key)
        key, wide = key * len(texts) + codes, wide * len(texts)
    order = np.argsort(key, kind="stable")
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = key[order][1:] != key[order][:-1]
    entry_row = np.empty(len(order), dtype=np.int64)
    entry_row[order] = np.cumsum(new) - 1
    entry = order[new]
    columns = tuple(Column(segment, texts, codes[entry], prefix_free(texts)) for segment, texts, codes in coded)
    shares = None if fixed is None else np.bincount(entry_row, fixed, minlength=len(entry)).astype(np.float64)
    return Table(tuple(stages), columns, entry_row, entry, shares), columns


def group_starts(columns: Sequence[Column], depth: int, rows: int) -> Ints:
    """First row of each run of rows that agree in the first `depth` columns, and the end. int64 (runs + 1,)."""
    new = np.zeros(rows, dtype=np.bool_)
    new[:1] = True
    for column in columns[:depth]:
        new[1:] |= column.codes[1:] != column.codes[:-1]
    return np.append(np.flatnonzero(new), rows)


def _coded(texts: Texts) -> tuple[Texts, Ints]:
    """Distinct texts in byte order, and each entry's place among them."""
    order, new = texts.order()
    codes = np.empty(len(order), dtype=np.int64)
    codes[order] = np.cumsum(new) - 1
    return texts.take(order[new]), codes


def prefix_free(texts: Texts) -> bool:
    """No text is the beginning of another; they are distinct and in byte order, so neighbours decide."""
    if texts.is_fixed or len(texts) < 2:
        return True
    first, second, size = texts.data[:-1], texts.data[1:], texts.length[:-1, None]
    same = ((first == second) | (np.arange(texts.data.shape[1]) >= size)).all(axis=1)
    return not bool((same & (texts.length[:-1] <= texts.length[1:])).any())
