"""Rows → the cells in them, in the order in which they are stored: family, qualifier, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np

from designer.document.key import Segment, TimeSegment, as_bytes
from estimator.engines import bigtable
from estimator.kernels.keys import KeyInputs, KeyPattern, pattern_of, quantile_keys
from estimator.kernels.keys.patterns.time_buckets import bucket_places, bucket_starts
from estimator.kernels.keys.patterns.times import calendar_texts, epoch_steps
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.values.shuffle import mix_bits
from estimator.results.arrays import Floats, Ints

from .content import ColumnContent, KindContent
from .layout import BLOCK_BYTES, cell_key
from .rows import RowSequence
from .values import make_values, stream

ENTRY_BYTES = 20
"""What an entry has at least besides its value: lengths, sequence number, the end of the timestamp."""

AIM_BYTES = int(BLOCK_BYTES * 1.1)
"""So many bytes of cells are made, for a block to be full."""

UNCOMPRESSED_FROM_BYTES = int(bigtable.LIMITS["cell_compressed_bytes"].value)
"""A larger value, which the engine does not compress, is made of bytes that cannot be."""

MIXED = 1_000_003
DAY_US = 86_400e6


@dataclass(frozen=True, eq=False)
class SortedCells:
    """Sorted cells with their logical sizes."""

    keys: list[bytes]
    values: list[bytes]
    logical: list[int]

    @staticmethod
    def merge(parts: Sequence["SortedCells"]) -> "SortedCells":
        """Cells of several kinds of rows as they lie beside each other."""
        if len(parts) == 1:
            return parts[0]
        keys, values, logical = (
            list(chain.from_iterable(getattr(part, name) for part in parts)) for name in ("keys", "values", "logical")
        )
        return SortedCells(keys, values, logical).sort()

    def sort(self) -> "SortedCells":
        """Return the cells in byte order."""
        order = sorted(range(len(self.keys)), key=self.keys.__getitem__)
        return SortedCells(
            [self.keys[n] for n in order], [self.values[n] for n in order], [self.logical[n] for n in order]
        )


@dataclass(frozen=True, eq=False)
class _Places:
    """Positions of a block's cells: row, column and place within the column, int64 (cells,) each."""

    row: Ints
    column: Ints
    place: Ints
    count: Ints
    """(rows, columns) All cells of each row."""


def entry_bytes(column: ColumnContent) -> float:
    """Return the approximate minimum size of a cell of the column, in bytes."""
    return value_size(column)[0] + ENTRY_BYTES


def value_size(column: ColumnContent) -> tuple[float, float]:
    """Typical and largest value that is made: no larger than what shows how it compresses."""
    most = 2.0 * UNCOMPRESSED_FROM_BYTES
    return min(column.typical_bytes, most), min(column.max_bytes, most)


def row_bytes(kind: KindContent) -> float:
    """Return the approximate minimum size of a mean row, in bytes."""
    return sum(column.cells_per_row * entry_bytes(column) for column in kind.columns)


def cells_of(kind: KindContent, runs: Sequence[RowSequence], inside: Floats, *, seed: int) -> list[SortedCells]:
    """Return the first cells of each run, as many as a block needs.

    Parameters
    ----------
    inside : float64, shape (runs,)
        How far into its first row each begins: a block begins anywhere. [0…1]
    seed
        Tells these cells apart from others of the same columns.
    """
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, len(runs)])))
    places = [_places(kind, run, part, rng) for run, part in zip(runs, inside.tolist(), strict=True)]
    values = _values(kind, places, seed)
    return [_cells(kind, run, place, vals, rng) for run, place, vals in zip(runs, places, values, strict=True)]


def _places(kind: KindContent, run: RowSequence, inside: float, rng: np.random.Generator) -> _Places:
    mean = np.array([column.cells_per_row for column in kind.columns])
    # Random rounding keeps the mean: 0.3 cells per row are one cell in 30 % of the rows. Shape (rows, columns).
    count = np.floor(run.size[:, None] * mean + rng.random((len(run.keys), len(mean)))).astype(np.int64)
    cell_bytes = np.array([entry_bytes(column) for column in kind.columns])
    ends = np.cumsum(count.ravel())
    first = _first_cell(kind, run, count, inside)
    weigh = np.cumsum((count * cell_bytes).ravel())
    # `ends` runs over (row, column) pairs in stored order, so this is the pair that holds the first cell.
    pair = int(np.searchsorted(ends, first, side="right"))
    if pair >= len(ends):
        none = np.zeros(0, dtype=np.int64)
        return _Places(none, none, none, count)
    columns = len(mean)
    before = float(weigh[pair]) - float(ends[pair] - first) * cell_bytes[pair % columns]
    stop = int(np.searchsorted(weigh, before + AIM_BYTES))
    if stop >= len(ends):
        last = int(ends[-1])
    else:
        # The last pair is cut as well: one column of a row can hold a million cells, and a block needs a few hundred.
        spare = float(weigh[stop]) - (before + AIM_BYTES)
        last = int(ends[stop]) - int(spare / cell_bytes[stop % columns])
    cell = np.arange(first, last)
    at = np.searchsorted(ends, cell, side="right")
    return _Places(at // columns, at % columns, cell - (ends[at] - count.ravel()[at]), count)


def _first_cell(kind: KindContent, run: RowSequence, count: Ints, inside: float) -> int:
    """Return the index of the cell at a share of the logical bytes of the first row."""
    if not len(count):
        return 0
    logical = np.array([len(run.keys[0]) + len(c.qualifier) + ENTRY_BYTES + value_size(c)[0] for c in kind.columns])
    upto = np.concatenate(([0.0], np.cumsum(count[0] * logical)))
    cells = np.concatenate(([0], np.cumsum(count[0])))
    return int(np.interp(inside * upto[-1], upto, cells))


def _values(kind: KindContent, places: Sequence[_Places], seed: int) -> list[list[bytes]]:
    """Return the values of each block's cells; a column's values are made for all blocks at once."""
    column = np.concatenate([place.column for place in places])
    out: list[bytes] = [b""] * len(column)
    for number, content in enumerate(kind.columns):
        where = np.flatnonzero(column == number)
        if len(where):
            typical, most = value_size(content)
            # Values that the engine does not compress must not shrink here either, whatever their kind.
            large = typical > UNCOMPRESSED_FROM_BYTES
            texts = make_values(
                "random" if large else content.value_kind, len(where),
                typical_bytes=typical, max_bytes=most, seed=content.seed, part=seed,
            )  # fmt: skip
            for n, text in zip(where.tolist(), texts, strict=True):
                out[n] = text if len(text) <= UNCOMPRESSED_FROM_BYTES else stream(seed, n).bytes(len(text))
    ends = np.cumsum([len(place.column) for place in places]).tolist()
    return [out[end - len(place.column) : end] for place, end in zip(places, ends, strict=True)]


def _cells(
    kind: KindContent, run: RowSequence, at: _Places, values: list[bytes], rng: np.random.Generator
) -> SortedCells:
    names = np.array([column.names_per_row for column in kind.columns])
    cell_counts = at.count[at.row, at.column]
    # A column with a limited number of names holds its other cells as versions of these names.
    versions = np.maximum(np.ceil(cell_counts / names[at.column]), 1.0)
    time = _growth_ratio(kind, run, at)
    rows, columns = at.row.tolist(), at.column.tolist()
    qualifier = [kind.columns[c].qualifier for c in columns]
    data = [n for n, column in enumerate(kind.columns) if column.qualifier_from is not None]
    for number in data:
        where = np.flatnonzero(at.column == number)
        name = np.floor(at.place[where] / versions[where])
        count = np.ceil(cell_counts[where] / versions[where])
        made_from = kind.columns[number].qualifier_from
        assert made_from is not None
        # Names in the order of their places, each anywhere within its own part.
        texts = _derived_qualifiers(
            made_from, (name + rng.random(len(where))) / np.maximum(count, name + 1), time[where], rng
        )
        for n, text in zip(where.tolist(), texts, strict=True):
            qualifier[n] = text
    constant = np.array([column.constant_time for column in kind.columns])
    stamps = np.where(constant[at.column], 0, time).tolist()
    families = [column.family.encode() for column in kind.columns]
    keys = [
        cell_key(run.keys[row], families[column], name, stamp)
        for row, column, name, stamp in zip(rows, columns, qualifier, stamps, strict=True)
    ]
    fixed = [len(family) + bigtable.TIMESTAMP_BYTES + int(bigtable.CELL_OVERHEAD_BYTES) for family in families]
    logical = [
        len(run.keys[row]) + fixed[column] + len(name) + len(value)
        for row, column, name, value in zip(rows, columns, qualifier, values, strict=True)
    ]
    cells = SortedCells(keys, values, logical)
    return cells.sort() if data else cells


def _growth_ratio(kind: KindContent, run: RowSequence, at: _Places) -> Ints:
    """Return each cell's write time in microseconds, newest first; cells written together share a time."""
    writes = np.maximum(at.count.max(axis=1, initial=1), 1)
    even = np.where(np.isinf(run.span_us), kind.gap_days * DAY_US / run.size, run.span_us / writes)
    # A function of row and place, not a random draw: cells of one write in several columns get the same time.
    salt = mix_bits((at.row * MIXED + at.place).astype(np.uint64), len(run.keys)) >> np.uint64(11)
    # The upper 53 bits, as many as a double has: from 0 up to 1.
    back = (at.place + salt.astype(np.float64) / 2**53) * even[at.row]
    begin = int(kind.edges_s[0] * 1e6)
    time = np.maximum(run.last_us[at.row] - back.astype(np.int64), begin)
    return np.asarray(np.where(even[at.row] >= 2_000, time // 1_000 * 1_000, time))  # servers count milliseconds


def _derived_qualifiers(inputs: KeyInputs, share: Floats, time_us: Ints, rng: np.random.Generator) -> list[bytes]:
    """Qualifiers made from data: what comes first goes up with the place in the row, what follows is as it comes."""
    columns: list[list[bytes]] = []
    for number, group in enumerate(_groups(inputs)):
        if isinstance(group[0], TimeSegment):
            segment = group[0]
            if segment.pattern or segment.hash is not None:
                columns.append(_time_texts(segment, time_us))
            else:
                columns.append(epoch_steps(segment).texts(time_us))
            continue
        pattern = _compile_pattern(replace(inputs, segments=tuple(group)))
        at = share if number == 0 else rng.random(len(share))
        order = np.argsort(at, kind="stable")
        texts = quantile_keys(pattern, pattern.steady_distribution(), at[order])
        back = np.empty(len(order), dtype=np.int64)
        back[order] = np.arange(len(order))
        columns.append([texts[n] for n in back.tolist()])
    return [b"".join(parts) for parts in zip(*columns, strict=True)]


@lru_cache(maxsize=8)
def _compile_pattern(inputs: KeyInputs) -> KeyPattern:
    return pattern_of(inputs)


def _time_texts(segment: TimeSegment, time_us: Ints) -> list[bytes]:
    """Return times as readable text, or hashed."""
    starts, which = np.unique(
        bucket_starts(bucket_places(time_us, segment.bucket), segment.bucket), return_inverse=True
    )
    after = as_bytes(segment.after)
    if segment.hash is not None:
        time_texts = [time_text(segment, start) for start in starts.tolist()]
    else:
        time_texts = calendar_texts(segment.pattern, starts, is_reversed=segment.reversed).tolist()
    texts = [text + after for text in time_texts]
    return [texts[n] for n in which.tolist()]


def _groups(inputs: KeyInputs) -> list[list[Segment]]:
    """Segments that follow one another without a time between them; each time by itself."""
    groups: list[list[Segment]] = []
    for segment in inputs.segments:
        timed = isinstance(segment, TimeSegment)
        if groups and not timed and not isinstance(groups[-1][0], TimeSegment):
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return groups
