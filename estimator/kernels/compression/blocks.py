"""Whole blocks at equally spaced places of a table's bytes in key order, with their logical sizes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from estimator.kernels.keys import shares_below
from estimator.results.arrays import Floats

from .cells import AIM_BYTES, SortedCells, cells_of, row_bytes
from .content import KindContent, TableContent
from .layout import DataBlock, first_block
from .rows import RowSequence, draw_row_sequences

GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it lie evenly between 0 and 1, however many there are (and evenly beside the places in the table)."""

TRIES = 4
"""So often, each time with four times the rows, a block is tried to be filled."""


@dataclass(frozen=True)
class SampledBlock:
    """One block and the logical size of the cells in it."""

    block: DataBlock
    logical_bytes: int
    inside: float
    """How far into its first row it begins: in large rows, which column it is of."""


def sampled_blocks(content: TableContent, places: Sequence[float], *, seed: int) -> Iterator[SampledBlock]:
    """Yield the blocks that begin at these places of the table's bytes, one row kind after the other.

    Parameters
    ----------
    places
        Shares of the table's bytes. [0…1]
    seed
        Tells these blocks apart from others of the same table: the number of blocks taken before.
    """
    total, below = sum(kind.weight for kind in content.kinds), 0.0
    for number, kind in enumerate(content.kinds):
        share = kind.weight / total
        mine = [(place - below) / share for place in places if below <= place < below + share]
        below += share
        if mine:
            others = [other for other in content.kinds if other is not kind]
            # Where in its first row each block begins. `seed` is the number of blocks taken before, so the sequence
            # goes on.
            inside = np.asarray((seed + np.arange(len(mine))) * GOLDEN % 1, dtype=np.float64)
            yield from _blocks_of(kind, others, mine, inside, seed=seed * len(content.kinds) + number)


def _blocks_of(
    kind: KindContent, others: Sequence[KindContent], starts: Sequence[float], inside: Floats, *, seed: int
) -> Iterator[SampledBlock]:
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed])))
    remaining, rows = np.arange(len(starts)), _rows_for(kind)
    for turn in range(TRIES):
        runs = draw_row_sequences(kind, [starts[n] for n in remaining.tolist()], rows, rng)
        cells = cells_of(kind, runs, inside[remaining], seed=seed * TRIES + turn)
        if others:
            cells = [
                _merge_other_kinds(others, run, run_cells, seed=seed * TRIES + turn)
                for run, run_cells in zip(runs, cells, strict=True)
            ]
        short = []
        for n, run, run_cells in zip(remaining.tolist(), runs, cells, strict=True):
            block = first_block(run_cells.keys, run_cells.values)
            # Rows turned out shorter than their mean; only where more rows follow can four times as many fill the
            # block.
            if block is None and run.complete and turn < TRIES - 1:
                short.append(n)
            elif block := block or first_block(run_cells.keys, run_cells.values, whole=False):
                yield SampledBlock(block, sum(run_cells.logical[: block.last]), float(inside[n]))
        remaining, rows = np.array(short, dtype=np.int64), rows * 4
        if not short:
            return


def _rows_for(kind: KindContent) -> int:
    return int(AIM_BYTES / max(row_bytes(kind), 1.0)) + 2


def _merge_other_kinds(
    others: Sequence[KindContent], run: RowSequence, cells: SortedCells, *, seed: int
) -> SortedCells:
    """Return the cells together with those of other row kinds that lie between them."""
    if not run.keys:
        return cells
    parts = [cells]
    for number, other in enumerate(others):
        start = float(shares_below(other.pattern, other.distribution, [run.keys[0]])[0][0])
        rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, number])))
        # Often another kind has no row between these keys, so a single row is drawn first to find that out.
        if start >= 1 or draw_row_sequences(other, [start], 1, rng)[0].keys[:1] > run.keys[-1:]:
            continue
        beside = draw_row_sequences(other, [start], _rows_for(other), rng)
        parts += cells_of(other, beside, np.zeros(1), seed=seed + number + 1)
    return SortedCells.merge(parts)
