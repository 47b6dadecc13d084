"""Exact enough p-values without SciPy: cells are pooled until each expects at least five events."""

import math

import numpy as np


def chi2_p_value(counts, shares):
    """The chance of so large a χ², or larger, if the counts were drawn from the shares."""
    expected = shares * counts.sum()
    assert not counts[expected == 0].any()
    order = np.argsort(expected)
    group = np.minimum(np.cumsum(expected[order]) // 5, 10**9).astype(int)
    group = np.unique(group, return_inverse=True)[1]
    pooled = np.bincount(group, expected[order]), np.bincount(group, counts[order])
    kept = pooled[0] >= 2
    statistic = float(((pooled[1] - pooled[0])[kept] ** 2 / pooled[0][kept]).sum())
    return upper_gamma((int(kept.sum()) - 1) / 2, statistic / 2)


def upper_gamma(a, x):
    """Regularised upper incomplete gamma function, by its series or its continued fraction (Numerical Recipes 6.2)."""
    if x <= 0 or a <= 0:
        return 1.0
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * front)
    b, c, d = x + 1 - a, 1e300, 1 / (x + 1 - a)
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return front * h
