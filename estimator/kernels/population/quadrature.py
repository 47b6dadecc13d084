"""Points and weights of Gauss and Legendre, for integrals over -1…1.

They are written out as `numpy.polynomial` computes them: loading it would take a hundredth of a lint.
"""

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
