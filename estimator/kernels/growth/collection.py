"""Garbage collection as arithmetic: how many versions of a cell a policy keeps, live and not yet collected."""

import math

import numpy as np

from designer.document.collection import KEEP_ALL, Policy, policy
from designer.document.family import Needed
from estimator.results.arrays import Floats

from ..population.poisson import capped_mean, clumped_mean
from ..population.quadrature import gauss

__all__ = ["KEEP_ALL", "Policy", "kept_in_full_rows", "kept_versions", "policy", "readers_policy", "stricter_policy"]


def readers_policy(need: Needed | None) -> Policy:
    """Return the readers' need as a policy.

    A cell is surplus only if it is beyond both the versions and the age that they name.
    """
    if need is None or need.forever or (need.versions is None and need.age_days is None):
        return KEEP_ALL
    ages = (float(need.age_days), math.inf) if need.age_days is not None else (math.inf,)
    rest = float(need.versions or 0)
    return Policy(ages, (math.inf, rest) if len(ages) == 2 else (rest,))


def stricter_policy(first: Policy, second: Policy) -> Policy:
    """Return the policy that remains when both policies collect."""
    if first == second:
        return first
    ages = tuple(sorted({*first.ages, *second.ages}))
    return Policy(ages, tuple(min(first.cap_at(age), second.cap_at(age)) for age in ages))


def kept_versions(younger: Floats, steps: Policy, *, regular: bool = False, clump: float = 1.0) -> Floats:
    """Versions of one cell that a policy keeps while the cell is still being written.

    Parameters
    ----------
    younger : float64, shape (..., steps)
        Expected writes to the cell that are younger than each of the policy's ages; the last is all of them. [events]
    steps : Policy
    regular
        The writes come at even intervals; else they are independent (Poisson).
    clump
        So many of them come together. [events]

    Returns
    -------
    float64, shape (...)
        Expected versions stored, a mean and not rounded; uncollected ones not counted. [versions]

    Notes
    -----
    The j-th newest cell stays while j ≤ cap at its age. With the writes as a clock, cells between two ages that are
    among the newest n are E min(N, n) at the older minus at the younger age.

    References
    ----------
    Bigtable, "Garbage collection" (updated 2026-04-10).
    """
    total = np.zeros(younger.shape[:-1])
    for i, cap in enumerate(steps.caps):
        if cap == 0:
            break
        older, newer = younger[..., i], younger[..., i - 1] if i else np.zeros(younger.shape[:-1])
        if math.isinf(cap):
            total = total + (older - newer)
        elif regular:
            total = total + (np.minimum(older, cap) - np.minimum(newer, cap))
        else:
            total = total + (clumped_mean(older, cap, clump) - clumped_mean(newer, cap, clump))
    return total


def kept_in_full_rows(younger: Floats, row_events: Floats, steps: Policy, *, regular: bool = False) -> Floats:
    """Versions kept over all rows of an entity whose rows each receive for one time bucket and then rest.

    Parameters
    ----------
    younger : float64, shape (..., steps)
        Expected writes to the cell in all rows together, younger than each of the policy's ages. [events]
    row_events : float64, shape (...)
        Expected writes to the cell in one full row. [events]

    Returns
    -------
    float64, shape (...)
        Expected versions in all rows together, at a random moment of the row that is receiving. [versions]
    """
    total = np.zeros(younger.shape[:-1])
    for i, cap in enumerate(steps.caps):
        if cap == 0:
            break
        older, newer = younger[..., i], (younger[..., i - 1] if i else np.zeros(younger.shape[:-1]))
        if math.isinf(cap):
            total = total + (older - newer)
        else:
            versions = _newest_in_rows(older, row_events, cap, regular=regular)
            if i:
                versions = versions - _newest_in_rows(newer, row_events, cap, regular=regular)
            total = total + versions
    return total


_POINTS, _WEIGHTS = (a / 2 for a in gauss(6))


def _newest_in_rows(younger: Floats, row_events: Floats, cap: float, *, regular: bool) -> Floats:
    """Return the writes younger than some age that are among the newest `cap` of their row.

    With F(x) = E min(N(x), cap), B writes a row and x = min(X, B) of them younger: in the rows cut by either end of
    that time (2∫₀ˣF + (B - x)·F(x)) / B, in whole rows F(B) / B of the rest.
    """
    full = np.maximum(row_events, 1e-300)

    def newest(count: Floats) -> Floats:
        return np.minimum(count, cap) if regular else capped_mean(count, cap)

    whole = np.minimum(newest(full) / full, 1.0)
    # The time since an age cuts two rows: the one that began before it, and the one that is still receiving.
    part = np.minimum(younger, full)
    mean = (newest(part[..., None] * (_POINTS + 0.5)) * _WEIGHTS).sum(axis=-1)
    within: Floats = (2 * mean * (part / full) + (1 - part / full) * newest(part)) + np.maximum(
        younger - full, 0.0
    ) * whole
    return within
