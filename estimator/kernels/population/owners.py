"""Owners, and texts below them, by the values that fall to them: each value has drawn its own by chance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Floats, Ints

from .strata import OWNED_MOST, Strata, flat, merge

_STEP = 0.04
"""Owners whose shares differ by less are taken together, …"""
_COARSE_STEP = 0.25
"""…where each is seen with each…"""
_LEAST = 1e-4
"""…as are those with less than so much of the mean owner's."""
_LISTED_MOST = 12.0
"""Numbers of values up to this mean are listed one by one; above it they are taken as normal…"""
_EIGHTHS = np.array([-1.7, -0.91, -0.505, -0.163, 0.163, 0.505, 0.91, 1.7])
"""…in eighths: about the mean of each, widened so that their variance is 1."""
_LEAST_CHANCE = 1e-10
_LEAST_SHARE = 1e-100


@dataclass(frozen=True, eq=False)
class _Points:
    """The law of the events that the values of one owner have together, for owners of different chances."""

    own: Ints
    """(points,) place of the owner."""
    mass: Floats
    """(points,) how likely the owner has such a share. [1]"""
    share: Floats
    """(laws, points) share of a law's events. [1]"""


def owners_by_value(values: Strata, owners: Strata, *, lives: float = 1.0, apart: Sequence[int] = ()) -> Strata:
    """Return owners by the events that the values of each of them have together.

    Parameters
    ----------
    values, owners : Strata
        Below nothing bound; the first law of owners is the chance that a value has drawn one, then come those of the
        laws `apart`.
    lives
        So many values have followed each other in one place, each with an owner of its own. [values]
    apart
        Laws of `values` whose events draw owners themselves.

    Returns
    -------
    Strata
        Below nothing bound; owners that have no events are left out.
    """
    if owners.count.sum() <= 1:
        return flat(np.ones(1), np.ones((len(values.share), 1)))
    owners = merge(owners, OWNED_MOST)
    points = _points(values, owners.share[0], lives)
    share = points.share.copy()
    for law, direct in zip(apart, owners.share[1:], strict=True):
        share[law] = direct[points.own]
    there = share.max(axis=0) > 0
    return merge(flat((owners.count[points.own] * points.mass)[there], share[:, there]))


def texts_below_owners(values: Strata, owners: Strata, texts: float, *, lives: float = 1.0) -> Strata:
    """Return the texts below each owner, which is bound, by the events of the values that have drawn both by chance.

    Parameters are those of `owners_by_value`; `texts` are as likely. [texts]

    Notes
    -----
    Whoever draws a value meets its owner and its text: an owner is told by one of its texts, and has the others as
    chance gives them. So that all owners get all events, of texts with a share of x there are x ÷ (x + mean of the
    others) below such owners.
    """
    owners = merge(owners, OWNED_MOST)
    chance = owners.share[0] / texts
    points = _points(values, chance, lives, step=_COARSE_STEP)
    parts: list[Strata] = []
    for own in range(len(chance)):
        mine = points.own == own
        mass, share = points.mass[mine], points.share[:, mine]
        others = (texts - 1) * mass
        is_there = share[0] > 0
        events = share[0, is_there] + float(others @ share[0])
        count = owners.count[own] * texts * mass[is_there] * share[0, is_there] / events
        bounds, classes = len(count), len(mass)
        bound = np.concatenate([np.arange(bounds), np.repeat(np.arange(bounds), classes)])
        counts = np.concatenate([np.ones(bounds), np.tile(others, bounds)])
        parts.append(Strata(counts, np.concatenate([share[:, is_there], np.tile(share, bounds)], axis=1), bound, count))
    before = np.cumsum([0, *(len(part.bound_count) for part in parts)])
    return merge(
        Strata(
            np.concatenate([part.count for part in parts]),
            np.concatenate([part.share for part in parts], axis=1),
            np.concatenate([part.bound + first for part, first in zip(parts, before, strict=False)]),
            np.concatenate([part.bound_count for part in parts]),
        )
    )


def texts_of_even_values(values: Strata, texts: float) -> Strata:
    """Return the texts below each bound owner of values that are as busy, each of which has drawn one text."""
    number, part = _numbers_of_each(values.count, 1 / texts)
    bound = np.repeat(np.arange(len(number)), number.shape[1])
    count, share = texts * part.ravel(), (values.share[:, :, None] * number).reshape(len(values.share), -1)
    there = (number.ravel() > 0) & (count > _LEAST_CHANCE)
    return merge(Strata(count[there], share[:, there], values.bound[bound[there]], values.bound_count))


def _points(values: Strata, chance: Floats, lives: float, *, step: float = _STEP) -> _Points:
    """Return the law of the events of owners of some chances.

    The events of an owner of chance q are Σ pᵢ bᵢ, where value i has the share pᵢ and is the owner's, bᵢ = 1, with
    chance q. The law is computed value by value, on a logarithmic grid that keeps the mean. Owners are not independent,
    but all that is summed over them asks for the law of one only.
    """
    values, chance = merge(values, 2 * OWNED_MOST), np.maximum(chance, _LEAST_SHARE)
    points = _Points(np.arange(len(chance)), np.ones(len(chance)), np.zeros((len(values.share), len(chance))))
    for place in np.argsort(values.share[0], kind="stable"):
        number, part = _numbers_of_each(np.array([float(values.count[place]) * lives]), chance)
        mass = (points.mass[:, None] * part[points.own]).ravel()
        more = values.share[:, place][:, None, None] * number[points.own] / lives
        share = (points.share[:, :, None] + more).reshape(len(values.share), -1)
        own, likely = np.repeat(points.own, number.shape[1]), mass > _LEAST_CHANCE
        points = _merge_alike(_Points(own[likely], mass[likely], share[:, likely]), chance, step)
    return points


def _merge_alike(points: _Points, chance: Floats, step: float) -> _Points:
    """Return fewer points: those of one owner whose shares are nearly alike become their mean."""
    relative = points.share[0] / chance[points.own]
    steps = np.log(np.maximum(relative, _LEAST) / _LEAST) / step
    place = np.where(relative > 0, 1 + steps.astype(np.int64), 0)
    kinds, first, place = np.unique(points.own * (int(place.max()) + 1) + place, return_index=True, return_inverse=True)
    mass = np.bincount(place, points.mass, minlength=len(kinds)).astype(np.float64)
    share = np.array([np.bincount(place, points.mass * row, minlength=len(kinds)) for row in points.share]) / mass
    return _Points(points.own[first], mass, share)


def _numbers_of_each(values: Floats, chance: Floats | float) -> tuple[Floats, Floats]:
    """Return how many of so many values fall to one of such a chance, and how likely: two of (each, classes)."""
    values, chance = np.broadcast_arrays(values, np.minimum(chance, 1 - 1e-12))
    mean = values * chance
    few = np.minimum(mean, _LISTED_MOST)
    steps = np.arange(1.0, math.ceil(float((few + 6 * np.sqrt(few)).max()) + 4) + 1)
    # The binomial law, each probability by its ratio to the one before; logarithms, as that of none may be too small.
    ratios = np.log(np.maximum(values[:, None] - steps + 1, 1e-300) / steps) + np.log(chance / (1 - chance))[:, None]
    logs = np.concatenate([np.zeros((len(mean), 1)), np.cumsum(ratios, axis=1)], axis=1)
    part = np.exp(logs - logs.max(axis=1, keepdims=True))
    part /= part.sum(axis=1, keepdims=True)
    number = np.broadcast_to(np.concatenate([[0.0], steps]), part.shape).copy()
    if (many := mean > _LISTED_MOST).any():
        part[many], eighths = 0.0, len(_EIGHTHS)
        part[many, :eighths] = 1 / eighths
        deviation = np.sqrt(mean * (1 - chance))[many, None]
        number[many, :eighths] = np.maximum(mean[many, None] + deviation * _EIGHTHS, 0.0)
    if (whole := values <= 1).any():  # a part of a value: it is there, or not
        part[whole], part[whole, 0], part[whole, 1] = 0.0, 1 - mean[whole], mean[whole]
    return number * (mean / (part * number).sum(axis=1))[:, None], part
