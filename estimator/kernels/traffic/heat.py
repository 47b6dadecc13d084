"""Load per key range and window of the shown day: exact shares × rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document.activity import Backfill
from estimator.kernels.keys import EventDistribution, KeyPattern, equal_bounds, range_shares
from estimator.results.arrays import Floats, Ints
from estimator.results.heat import distinct_columns

from .distributions import stored_distribution
from .operations import OperationRate
from .scope import StoredRows

RANGES = 1024
KEPT_RANGES = 4
"""Divisions that a pattern remembers: an edit of a rate or of sizes seldom changes where its rows lie."""
KEPT_SHARES = 8
"""Shares of writes and reads that a pattern remembers, for the same reason: those asked for lately."""


@dataclass(frozen=True)
class KeyRanges:
    """Key ranges of about equal stored bytes at the end of the shown day."""

    bounds: tuple[bytes, ...]
    stored_share: Floats
    """(ranges,)"""


def equal_ranges(
    stored_by_kind: Mapping[str, StoredRows], patterns: Mapping[str, KeyPattern], *ends_s: float, ranges: int = RANGES
) -> KeyRanges:
    """Ranges of the mixture of a table's row kinds; equal parts of the keys where nothing is stored.

    They hold equal parts of what is there at some moments together; the shares are those at the last of them.
    """
    if ranges == 1:
        return KeyRanges((), np.ones(1))
    weight = {
        kind: stored_rows.size.rows * stored_rows.size.bytes_stored for kind, stored_rows in stored_by_kind.items()
    }
    total = sum(weight.values())
    # Before any rate is known nothing is stored, and the map still shows where keys lie.
    if total <= 0:
        weight, total = dict.fromkeys(weight, 1.0), float(len(weight))
    kinds = [kind for kind in stored_by_kind if weight[kind] > 0]
    parts = [
        [(patterns[k], stored_distribution(stored_by_kind[k], end_s), weight[k] / total) for k in kinds]
        for end_s in ends_s
    ]
    first = patterns[kinds[0]]
    # By content, not identity: each estimate makes new distributions, which are mostly equal to those of the estimate
    # before. The first pattern holds the cache itself and need not be in the key.
    key = (ranges, tuple((None if p is first else p.inputs, w, *_content(law)) for part in parts for p, law, w in part))
    cached = first.cache.get(key)
    if not isinstance(cached, KeyRanges):
        cached = _divide(parts, ranges)
        first.remember(key, cached, most=KEPT_RANGES)
    return cached


def _divide(parts: Sequence[Sequence[tuple[KeyPattern, EventDistribution, float]]], ranges: int) -> KeyRanges:
    bounds = equal_bounds([(p, law, w / len(parts)) for part in parts for p, law, w in part], ranges)
    share = sum((w * range_shares(p, law, bounds)[0] for p, law, w in parts[-1]), np.zeros(len(bounds) + 1))
    # Cached and handed out to several estimates, so a write into it must fail.
    share.setflags(write=False)
    return KeyRanges(bounds, share)


def _content(law: EventDistribution) -> tuple[object, ...]:
    """Return what a distribution is made of, to compare it with others."""
    time = law.time
    arrays = (array.tobytes() for array in (time.start_s, time.end_s, time.weight))
    return (time.count, *arrays, frozenset(law.popularity.items()))


def flow_shares(
    flow: OperationRate,
    pattern: KeyPattern,
    distribution: EventDistribution,
    bounds: Sequence[bytes],
    windows: int,
    activity: object,
    *,
    flow_count: int = 0,
) -> Floats:
    """Return the shares of a flow's operations: float64, shape (ranges, windows or 1), columns sum to 1.

    `flow_count`: of so many flows the pattern remembers the shares, up to a limit.
    """
    if not len(bounds):
        return np.ones((1, 1))
    if flow_count:
        shares = _known_shares(pattern, distribution, tuple(bounds), most=min(flow_count + 1, KEPT_SHARES))
    else:
        shares = range_shares(pattern, distribution, bounds).T
    # A distribution with a window per bucket (24 hours) is stretched to the windows of the day (96 quarters of an
    # hour).
    if 1 < distribution.time.count < windows:
        shares = np.repeat(shares, windows // distribution.time.count, axis=1)
    arrival = getattr(activity, "arrival", None)
    if flow.write is not None and isinstance(arrival, Backfill) and arrival.sorted:
        return sequential_load(shares[:, 0], windows)
    return shares


@dataclass(frozen=True, eq=False)
class _Shares:
    """Shares of ranges as a pattern remembers them: most are the same in many windows."""

    distinct: Floats
    """(ranges, distinct windows)"""
    columns: Ints
    """(windows,) the column of each."""


def _known_shares(pattern: KeyPattern, law: EventDistribution, bounds: tuple[bytes, ...], *, most: int) -> Floats:
    """Return the shares of ranges, (ranges, windows), those asked for lately from the pattern's memory."""
    key = (bounds, *_content(law))
    # Taken out and put back at the end, so that the entry that is dropped is the least recently used one.
    cached = pattern.cache.pop(key, None)
    if not isinstance(cached, _Shares):
        cached = _Shares(*distinct_columns(range_shares(pattern, law, bounds).T))
        cached.distinct.setflags(write=False)
    pattern.remember(key, cached, most=most)
    is_whole = cached.distinct.shape[1] == len(cached.columns)
    return cached.distinct if is_whole else cached.distinct[:, cached.columns]


def sequential_load(shares: Floats, windows: int) -> Floats:
    """Return a load that walks the key range from end to end once in the day.

    Parameters
    ----------
    shares : float64, shape (ranges,)
        Of the whole load.
    windows : int

    Returns
    -------
    float64, shape (ranges, windows)
        Of each window's load; columns sum to 1.
    """
    upto = np.concatenate(([0.0], np.cumsum(shares)))
    upto /= upto[-1]
    edges = np.linspace(0.0, 1.0, windows + 1)
    # Shape (ranges, windows): the overlap of a range's interval of the whole load with that of a window.
    low = np.maximum(upto[:-1, None], edges[None, :-1])
    high = np.minimum(upto[1:, None], edges[None, 1:])
    return np.asarray(np.maximum(high - low, 0.0) * windows)
