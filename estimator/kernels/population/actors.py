"""Values that act at even intervals, each of whose acts falls on one of several keys."""

import math

import numpy as np

from estimator.results.arrays import Floats

from .strata import Strata


def told_by_actors(strata: Strata, keys: Floats, means: Floats, part: Floats, bucket_days: float | None) -> Floats:
    """Return by how much less the keys below a bound value vary, as its values act at even intervals: (bounds,).

    Of k acts on keys of chances p, one that names a key leaves the others fewer: Σ k pᵢ pⱼ (1 - pᵢ)ᵏ⁻¹ (1 - pⱼ)ᵏ⁻¹.
    Without limit where a value acts at most once in a time bucket: each act then names a key of its own.

    Parameters
    ----------
    keys : float64, shape (parts,)
        Parts of a window, such as time buckets.
    means : float64, shape (parts, strata)
        [events]
    part : float64, shape (strata,)
        Share of the acts of a value that a combination takes. [1]
    """
    rows = np.zeros((len(part), len(strata.bound_count)))
    rows[np.arange(len(part)), strata.bound] = strata.count
    acts = means / part
    if bucket_days is not None and acts.max(initial=0.0) <= 1:
        return np.full(len(strata.bound_count), math.inf)
    remaining = part * (1 - part) ** np.maximum(acts - 1, 0.0)
    more, chances = (means @ rows) / np.maximum(part @ rows, 1e-300), remaining @ rows
    # Acts are whole, so that values differ by one: the variance of this, f (1 - f) of k's fraction f, comes back.
    reduction = more * np.maximum(chances**2 - remaining**2 @ rows, 0.0) - (more % 1.0) * (1 - more % 1.0) * chances**2
    # `part @ rows` actors share a bound value, each independent of the others: `chances` is the sum over all of them.
    return np.asarray(keys @ (reduction / np.maximum(part @ rows, 1.0)))
