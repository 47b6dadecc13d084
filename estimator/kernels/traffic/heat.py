"""Load per key range and window of the shown day: exact shares × rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document.activity import Backfill
from estimator.kernels.keys import Law, Pattern, equal_bounds, range_shares
from estimator.results.arrays import Floats

from .distributions import stored_law
from .operations import Flow
from .scope import Stored

RANGES = 1024


@dataclass(frozen=True)
class Ranges:
    """Key ranges of about equal stored bytes at the end of the shown day."""

    bounds: tuple[bytes, ...]
    stored_share: Floats
    """(ranges,)"""


def equal_ranges(
    stored: Mapping[str, Stored], patterns: Mapping[str, Pattern], *ends_s: float, ranges: int = RANGES
) -> Ranges:
    """Ranges of the mixture of a table's row kinds; equal parts of the keys where nothing is stored.

    They hold equal parts of what is there at some moments together; the shares are those at the last of them.
    """
    if ranges == 1:
        return Ranges((), np.ones(1))
    weight = {kind: each.size.rows * each.size.bytes_stored for kind, each in stored.items()}
    total = sum(weight.values())
    if total <= 0:
        weight, total = dict.fromkeys(weight, 1.0), float(len(weight))
    kinds = [kind for kind in stored if weight[kind] > 0]
    parts = [[(patterns[k], stored_law(stored[k], end_s), weight[k] / total) for k in kinds] for end_s in ends_s]
    bounds = equal_bounds([(p, law, w / len(parts)) for each in parts for p, law, w in each], ranges)
    share = sum((w * range_shares(p, law, bounds)[0] for p, law, w in parts[-1]), np.zeros(len(bounds) + 1))
    return Ranges(bounds, share)


def flow_shares(
    flow: Flow, pattern: Pattern, law: Law, bounds: Sequence[bytes], windows: int, activity: object
) -> Floats:
    """Return the shares of a flow's operations: float64, shape (ranges, windows or 1), columns sum to 1."""
    if not len(bounds):
        return np.ones((1, 1))
    shares: Floats = range_shares(pattern, law, bounds).T
    if 1 < law.time.count < windows:
        shares = np.repeat(shares, windows // law.time.count, axis=1)
    arrival = getattr(activity, "arrival", None)
    if flow.write is not None and isinstance(arrival, Backfill) and arrival.sorted:
        return in_key_order(shares[:, 0], windows)
    return shares


def in_key_order(shares: Floats, windows: int) -> Floats:
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
    low = np.maximum(upto[:-1, None], edges[None, :-1])
    high = np.minimum(upto[1:, None], edges[None, 1:])
    return np.asarray(np.maximum(high - low, 0.0) * windows)
