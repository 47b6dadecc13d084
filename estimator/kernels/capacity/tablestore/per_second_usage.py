"""Capacity units above what is reserved, second by second, and what is reserved, minute by minute.

Source: throughput page and question about metered units, read 2026-11-20: for every second max(0, used - reserved),
summed over the hour; what is reserved is averaged over the hour's minutes.
"""

import math
from collections.abc import Sequence

import numpy as np

from estimator.results.arrays import Floats

EXACT_MEAN = 400.0
"""Means up to this are summed exactly, larger ones by the normal law."""

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def metered_units(used_units: Floats, reserved_units: float | Floats) -> float:
    """Return the units above the reserved ones over the given seconds, in CU.

    >>> metered_units(np.array([120.0, 95.0, 110.0]), 100.0)
    30.0
    """
    return float(np.maximum(used_units - reserved_units, 0.0).sum())


def mean_reserved_units(minutes: Sequence[tuple[float, float]]) -> float:
    """Return the capacity billed as reserved in an hour, in CU, from pairs of minutes and reserved units.

    >>> round(mean_reserved_units([(20, 1000), (40, 1200)]), 1)
    1133.3
    """
    return sum(length * units for length, units in minutes) / sum(length for length, _ in minutes)


def expected_metered_units(steady: Floats, varying: Floats, burst_units: Floats, reserved_units: float) -> Floats:
    """Mean units a second above what is reserved, where the seconds of an hour differ by chance.

    Parameters
    ----------
    steady : float64, shape (hours,)
        Units a second that come evenly. [CU/s]
    varying : float64, shape (hours,)
        Mean units a second of requests that come independently of each other. [CU/s]
    burst_units : float64, shape (hours,)
        Units that come at once: the mean of their square ÷ their mean, over those requests. [CU]
    reserved_units
        [CU/s]

    Returns
    -------
    float64, shape (hours,)
        E max(0, steady + each · N - reserved), N ~ Poisson(varying ÷ each). [CU/s]
    """
    if reserved_units <= 0:
        # Without a reservation everything is metered, and no chance of being below it matters.
        return steady + varying
    remaining = reserved_units - steady
    size = np.maximum(burst_units, 1e-12)
    # Steady use alone takes the whole reservation: all that varies is above it in every second.
    metered_units = np.where(remaining <= 0, steady + varying - reserved_units, 0.0)
    open_ = (remaining > 0) & (varying > 0)
    metered_units[open_] = _excess(varying[open_] / size[open_], remaining[open_] / size[open_]) * size[open_]
    return metered_units


def _excess(mean: Floats, limit: Floats) -> Floats:
    """E max(0, N - limit) for N ~ Poisson(mean): exact below a mean of 400, else by the normal law."""
    sd = np.sqrt(np.maximum(mean, 1e-300))
    z = (limit - mean) / sd
    # E max(0, X − L) for a normal X is σ φ(z) − (L − µ) (1 − Φ(z)) with z = (L − µ) / σ. Beyond 38 the density is 0 in
    # float64.
    by_law = sd * np.exp(-0.5 * np.clip(z, -38, 38) ** 2) / math.sqrt(2 * math.pi) - (limit - mean) * 0.5 * _erfc(
        z / math.sqrt(2)
    )
    # A limit of 12 deviations above the mean has no excess that a bill would show, and its sum would be long.
    small = (mean <= EXACT_MEAN) & (z < 12)
    if small.any():
        by_law[small] = _summed_excess(mean[small], limit[small])
    # Far below the limit the formula is a difference of nearly equal terms: what it leaves is rounding, also below 0.
    return np.where(z < -12, mean - limit, np.where(by_law > 1e-9, by_law, 0.0))


def _summed_excess(mean: Floats, limit: Floats) -> Floats:
    """Return the mean Poisson excess over a limit as a sum: mean - limit + Σ (limit - n) P(n), n < limit."""
    count = np.arange(math.ceil(float(limit.max())))
    # ln n! as a running sum. P(n) = exp(n ln µ − µ − ln n!) stays finite where µ^n and n! overflow: 400^200 is 1e520.
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.maximum(count[1:], 1)))))
    chance = np.exp(count * np.log(np.maximum(mean[:, None], 1e-300)) - mean[:, None] - logs)
    below = (np.maximum(limit[:, None] - count, 0.0) * chance).sum(axis=1)
    return np.asarray(mean - limit + below)
