"""Skew of which only the busiest value's share is known: Zipf's law that gives it that share."""

import math

from .popularity import Popularity, Uniform, Weights, Zipf

MAX_THETA = 5.0
"""The steepest law that a document holds; above its share, one value stands out and the others are even."""
_EXACT = 24
"""Terms summed one by one; Euler and Maclaurin give the rest with an error below 1e-12."""
_EVEN = 1e-9


def busiest_share(theta: float, values: int) -> float:
    """Return the share of the most popular of so many values under Zipf's law.

    Examples
    --------
    >>> round(busiest_share(1.0, 3), 9)
    0.545454545
    """
    few = min(values, _EXACT)
    total = sum(rank**-theta for rank in range(1, few + 1))
    if values > few:
        a, b = float(few), float(values)
        total += math.log(b / a) if theta == 1 else (b ** (1 - theta) - a ** (1 - theta)) / (1 - theta)
        total += (b**-theta - a**-theta) / 2 + theta * (a ** (-theta - 1) - b ** (-theta - 1)) / 12
        third = theta * (theta + 1) * (theta + 2)
        total -= third * (a ** (-theta - 3) - b ** (-theta - 3)) / 720
    return float(1 / total)


def popularity_with(share: float, values: int) -> Popularity:
    """Return the law under which the busiest of so many values has this share; even, if that is not above its part.

    Examples
    --------
    >>> popularity_with(0.2, 5)
    Uniform(kind='uniform')
    >>> round(popularity_with(0.5454545454545454, 3).theta, 6)
    1.0
    """
    if share * values <= 1 + _EVEN:
        return Uniform()
    if share > busiest_share(MAX_THETA, values):
        return Weights(weights=(share,), rest=1 - share)
    low, high = 0.0, MAX_THETA
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if busiest_share(middle, values) < share else (low, middle)
    return Zipf(theta=high)
