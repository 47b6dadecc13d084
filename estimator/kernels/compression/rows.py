"""Rows beside each other in key order: from a place among a kind's stored bytes on, as many as fill a block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from estimator.kernels.keys import QuantileKeys, quantile_rows
from estimator.results.arrays import Floats, Ints

from .content import KindContent

STRATA_MOST = 8
"""Into so many parts the events of a mean row are cut where popular rows are larger than others."""

ROWS_MOST = 1e14
"""Beyond, shares of a double no longer tell neighbours apart: gaps are then as wide as in a table of so many rows."""


@dataclass(frozen=True, eq=False)
class RowSequence:
    """Rows of one kind beside each other."""

    keys: list[bytes]
    size: Floats
    """(rows,) Events in the row ÷ events in a mean row."""
    last_us: Ints
    """(rows,) No cell is newer. [microseconds since 1970]"""
    span_us: Floats
    """(rows,) How long before that the row's cells were written."""
    complete: bool
    """There are more rows behind these."""


def draw_row_sequences(
    kind: KindContent, starts: Sequence[float], rows: int, rng: np.random.Generator
) -> list[RowSequence]:
    """Draw about so many rows from each place on.

    Each stored row (or part of one) owns an equal stretch of the way through all bytes; one random place in each
    stretch has its key. So all values of a full range come one after the other, and of a sparse one some do.

    Parameters
    ----------
    starts
        Places in the kind's bytes in key order. [0…1]
    """
    parts = min(kind.events_per_row, STRATA_MOST) if kind.has_growing_rows else 1.0
    first = np.asarray(starts, dtype=np.float64)
    # Where a value stands for 1,000 others, the table has that many fewer rows to tell apart at this place.
    stands = quantile_rows(kind.pattern, kind.distribution, first).represented_keys
    strata = np.maximum(np.minimum(kind.rows * parts, ROWS_MOST) / stands, 1.0)
    # Shape (starts, rows): consecutive stretches from each start on.
    place = np.floor(first * strata)[:, None] + np.arange(int(np.ceil(rows * parts)))
    shares = (place + rng.random(place.shape)) / strata[:, None]
    inside = shares < 1
    quantiles = quantile_rows(kind.pattern, kind.distribution, shares[inside])
    ends = np.cumsum(inside.sum(axis=1))
    return [
        _build_sequence(
            kind, quantiles, int(end - count), int(end), parts=parts, complete=bool(count == place.shape[1])
        )
        for count, end in zip(inside.sum(axis=1).tolist(), ends.tolist(), strict=True)
    ]


def _build_sequence(
    kind: KindContent, quantiles: QuantileKeys, first: int, last: int, *, parts: float, complete: bool
) -> RowSequence:
    """One run: equal keys taken together, in byte order."""
    hits: dict[bytes, list[int]] = {}
    for place in range(first, last):
        hits.setdefault(quantiles.keys[place], []).append(place)
    keys = sorted(hits)
    # A popular row owns several stretches, and the number of hits in proportion to the mean is its size.
    size = np.array([len(hits[key]) / parts if kind.has_growing_rows else 1.0 for key in keys])
    at = np.array([hits[key][0] for key in keys], dtype=np.int64)
    begin_us, end_us = kind.edges_s[0] * 1e6, kind.edges_s[-1] * 1e6
    if quantiles.start_us is None or quantiles.end_us is None:
        return RowSequence(keys, size, np.full(len(keys), int(end_us)), np.full(len(keys), np.inf), complete)
    low = np.clip(quantiles.start_us[at], begin_us, end_us)
    high = np.clip(quantiles.end_us[at], begin_us, end_us)
    return RowSequence(keys, size, high.astype(np.int64), np.maximum(high - low, 1.0), complete)
