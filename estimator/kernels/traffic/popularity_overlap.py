"""Overlap of two popularities: the share of a field's traffic on the value that a caller requests."""

from functools import lru_cache

import numpy as np

from designer.document.popularity import Popularity, Uniform, Weights
from estimator.kernels.keys.values.popularity import top_share
from estimator.results.arrays import Floats

CLASSES = 400
"""Ranks are grouped into at most so many classes, each up to a few per cent wide."""


@lru_cache(maxsize=512)
def rank_classes(values: float) -> Floats:
    """Upper ranks of classes of a field's values by popularity: float64, ascending, the last one is all values."""
    edges = np.unique(np.round(np.geomspace(1, max(values, 1.0), CLASSES)))
    edges[-1] = max(values, 1.0)
    return edges


@lru_cache(maxsize=1024)
def meeting_share(asked: Popularity, stored: Popularity, values: float) -> float:
    """Mean share of what is stored that lies under the value asked for: Σ asked(v) · stored(v).

    Parameters
    ----------
    asked, stored : Popularity
        Of callers; of what is written. Both list the field's values in one order, the most popular first.
    values : float
        Values in use.

    Returns
    -------
    float
        1 ÷ values where either is uniform. [1]

    >>> round(meeting_share(Uniform(), Zipf(theta=0.99), 1000) * 1000, 6)
    1.0
    """
    edges = rank_classes(values)
    counts = np.diff(edges, prepend=0.0)
    first = np.diff(top_share(asked, edges, values), prepend=0.0)
    second = np.diff(top_share(stored, edges, values), prepend=0.0)
    return float(np.sum(first * second / counts))


@lru_cache(maxsize=256)
def owned_meeting_share(
    owner_asked: Popularity,
    owner_stored: Popularity,
    owners: float,
    *,
    asked: Popularity,
    stored: Popularity,
    values: float,
    fan_out: Popularity,
) -> float:
    """Mean share of what is stored that lies under an owner and one of its values, both asked for.

    Parameters
    ----------
    owner_asked, owner_stored, owners
        Popularities of the owner, and how many there are.
    asked, stored, values
        Popularities of the values within one owner, and how many there are under all owners.
    fan_out : Popularity
        How the values spread over the owners.

    Returns
    -------
    float
        Σ over owners of asked · stored · the same within the owner's own values. [1]

    A large tenant has more of the users and more of the traffic: one of its users has no more than another's.

    >>> large = Weights(weights=(40,), rest=60)
    >>> even = Uniform()
    >>> share = owned_meeting_share(large, large, 800, asked=even, stored=even, values=1e6, fan_out=large)
    >>> round(share * 1e6, 6)
    1.0
    """
    edges = rank_classes(owners)
    if isinstance(fan_out, Weights):  # every listed owner has a number of values of its own
        edges = np.unique(np.concatenate((edges, np.arange(1.0, min(len(fan_out.weights), owners) + 1))))
    counts = np.diff(edges, prepend=0.0)
    first, second, of_all = (
        np.diff(top_share(law, edges, owners), prepend=0.0) for law in (owner_asked, owner_stored, fan_out)
    )
    below = np.maximum(values * of_all / counts, 1.0)
    return float(np.sum(first * second / counts * _within(asked, stored, below)))


def _within(asked: Popularity, stored: Popularity, values: Floats) -> Floats:
    """Return `meeting_share` [1] for each number of values, interpolated between a few of them."""
    if isinstance(asked, Uniform) or isinstance(stored, Uniform):
        return np.asarray(1 / values)
    at = np.unique(np.concatenate((np.geomspace(values.min(), values.max(), 16), [values.min(), values.max()])))
    shares = np.array([meeting_share(asked, stored, float(n)) for n in at])
    return np.asarray(np.exp(np.interp(np.log(values), np.log(at), np.log(shares))))
