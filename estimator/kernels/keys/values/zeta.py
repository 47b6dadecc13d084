"""Sums of Zipf weights: H(n, s) = Σ i^-s for i ≤ n, for whole arrays and any n."""

import numpy as np
from numpy.typing import ArrayLike

from estimator.results.arrays import Floats

_EXACT = 64
"""Terms summed one by one before Euler–Maclaurin takes over: the remainder is then below 1e-15."""


def zipf_sum(n: ArrayLike, s: float) -> Floats:
    """Generalised harmonic numbers H(n, s), relative error below 1e-13.

    Parameters
    ----------
    n : integers ≥ 0, any shape
        How many of the most popular values. [values]
    s : float > 0
        Skew.

    Returns
    -------
    float64, the shape of `n`

    Examples
    --------
    >>> float(zipf_sum(3, 1.0))
    1.8333333333333333

    References
    ----------
    Euler–Maclaurin summation, e.g. NIST Digital Library of Mathematical Functions, 2.10(i).
    """
    counts = np.asarray(n, dtype=np.float64)
    heads = np.concatenate(([0.0], np.cumsum(np.arange(1, _EXACT + 1, dtype=np.float64) ** -s)))
    small = heads[np.minimum(counts, _EXACT).astype(np.int64)]
    if not np.any(counts > _EXACT):
        return np.asarray(small)
    a, b = float(_EXACT), np.maximum(counts, _EXACT)
    # Euler–Maclaurin from 64 to n: ∫ x^−s dx + (f(n) − f(64)) / 2 + Σ B2k / (2k)! · (f^(2k−1)(n) − f^(2k−1)(64)),
    # where 1/12, 1/720 and 1/30240 are B2/2!, −B4/4! and B6/6!.
    # The two powers of the integral are nearly equal where s is near 1, so their difference is computed as one.
    logs = np.log(b / a)
    integral = logs if s == 1 else a ** (1 - s) * np.expm1((1 - s) * logs) / (1 - s)
    ends = (b**-s - a**-s) / 2
    third = s * (s + 1) * (s + 2)
    fifth = third * (s + 3) * (s + 4)
    corrections = (
        s * (a ** (-s - 1) - b ** (-s - 1)) / 12
        - third * (a ** (-s - 3) - b ** (-s - 3)) / 720
        + fifth * (a ** (-s - 5) - b ** (-s - 5)) / 30240
    )
    return np.asarray(small + np.where(counts > _EXACT, integral + ends + corrections, 0.0))
