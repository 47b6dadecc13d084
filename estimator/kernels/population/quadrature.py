"""Sums and functions by few points: integrals over -1…1 by those of Gauss and Legendre, and grids of logarithms.

The former are written out as `numpy.polynomial` computes them: loading it would take a hundredth of a lint.
"""

from collections.abc import Callable

import numpy as np

from estimator.results.arrays import Floats

_TABLES = {
    2: ((-0.5773502691896257, 0.5773502691896257), (1.0, 1.0)),
    3: ((-0.7745966692414834, 0.0, 0.7745966692414834), (0.5555555555555557, 0.8888888888888888, 0.5555555555555557)),
    6: (
        (
            -0.9324695142031519, -0.6612093864662645, -0.2386191860831969,
            0.2386191860831969, 0.6612093864662645, 0.9324695142031519,
        ),
        (
            0.17132449237917027, 0.3607615730481387, 0.46791393457269104,
            0.46791393457269104, 0.3607615730481387, 0.17132449237917027,
        ),
    ),
}  # fmt: skip


def gauss(count: int) -> tuple[Floats, Floats]:
    """Return the points and weights of the rule of 2, 3 or 6 points.

    >>> [each.tolist() for each in gauss(2)]
    [[-0.5773502691896257, 0.5773502691896257], [1.0, 1.0]]
    """
    points, weights = _TABLES[count]
    return np.array(points), np.array(weights)


GRID = 256
"""So many values for which a function is computed; others lie between two of them."""


def on_grid(function: Callable[[Floats], Floats], values: Floats, least: float) -> Floats:
    """Return a function of values, none below 0, that rises in proportion up to `least`: between points of a grid."""
    if not (used := values > 0).any():
        return values
    low, high = max(float(values[used].min()), least), max(float(values.max()), least)
    if high <= low * (1 + 1e-12):  # all alike, or all where the function is in proportion
        return np.asarray(float(function(np.array([high]))[0]) * (values / high))
    grid = np.geomspace(low, high, GRID)
    # Straight between logarithms, as counts nearly are; what lies below the grid falls in proportion.
    logs = np.interp(np.log(np.maximum(values, low)), np.log(grid), np.log(function(grid)))
    return np.asarray(np.exp(logs) * np.minimum(values / low, 1.0))
