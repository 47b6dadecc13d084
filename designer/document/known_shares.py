"""Shares of the busiest values that are known: Zipf's law that gives one, and whether the others stay below them."""

import math
from collections.abc import Iterator

from .base import Flaw
from .popularity import Popularity, Uniform, Weights, Zipf
from .texts import N_, build_text

MAX_THETA = 5.0
"""The steepest law that a document holds; above its share, one value stands out and the others are even."""
VALUES_MOST = 10**18
_ROUNDED = 1.01
"""Shares that somebody wrote down may be below those of the law by what was rounded."""
_EXACT = 24
"""Terms summed one by one; Euler and Maclaurin give the rest with an error below 1e-12."""
_EVEN = 1e-9  # what rounding may add


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
        # Half of the end terms (that at `a` is in the sum), then 1/12 of the first and -1/720 of the third derivatives.
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
    for _ in range(50):  # down to 5e-15
        middle = (low + high) / 2
        low, high = (middle, high) if busiest_share(middle, values) < share else (low, middle)
    return Zipf(theta=high)


def busiest_other_share(law: Zipf, values: int) -> float:
    """Return the share of the first of so many values that has no share of its own; 0 where all have one.

    Examples
    --------
    >>> round(busiest_other_share(Zipf(theta=1.0, busiest=(0.45,)), 4), 9)
    0.3
    """
    others = values - len(law.busiest)
    return (1 - sum(law.busiest)) * busiest_share(law.theta, others) if others > 0 else 0.0


def is_topped(law: Zipf, values: int) -> bool:
    """Return whether no value is busier than those whose shares are told, give or take what these are rounded by."""
    return busiest_other_share(law, values) <= min(law.busiest, default=1.0) * _ROUNDED


def least_values(law: Zipf) -> int:
    """Return of how many values at least the told ones are the busiest: the others share what is left.

    Examples
    --------
    >>> least_values(Zipf(theta=1.0, busiest=(0.45,)))
    3
    >>> least_values(Zipf(theta=0.99, busiest=(0.1,)))
    2998
    """
    low, high = len(law.busiest), VALUES_MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_topped(law, middle) else (middle, high)
    return high


def flaws_of_shares(law: Popularity | None, values: int | None) -> Iterator[Flaw]:
    """Yield a flaw if those whose shares are told are not the busiest of so many values; None: of however many."""
    if not isinstance(law, Zipf) or not law.busiest or is_topped(law, values or VALUES_MOST):
        return
    one_share = float(f"{busiest_other_share(law, values or VALUES_MOST):.3g}")
    message = N_("the next value would receive {one_share}, more than the {least_share} of the last of these")
    yield Flaw(("busiest",), build_text(message, one_share=one_share, least_share=min(law.busiest)))
