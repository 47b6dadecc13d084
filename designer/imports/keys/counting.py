"""Estimates of the number of different values, from a sample."""

import math
from collections import Counter
from dataclasses import dataclass

from designer.document.texts import N_, Text

MOST = 10**12


@dataclass(frozen=True)
class ValueCount:
    """Different values: how many were seen, how many there likely are, and how that is known."""

    seen: int
    estimate: int
    how: Text


def count_values(values: Counter[str]) -> ValueCount:
    """Estimate the number of values from how often each was seen.

    References
    ----------
    A. Chao, "Nonparametric estimation of the number of classes in a population", 1984.
    """
    lines, distinct = sum(values.values()), len(values)
    once = sum(times == 1 for times in values.values())
    twice = sum(times == 2 for times in values.values())
    if once == lines and lines > 1:  # with N values, n lines meet none twice in half of all cases where N = n²/(2 ln 2)
        guess = _round_up(lines * lines / (2 * math.log(2)))
        return ValueCount(distinct, max(guess, distinct), Text(N_("no duplicates in {lines} keys"), {"lines": lines}))
    # Where nearly all values came again, hardly any is unseen.
    if once <= 0.02 * distinct:
        return ValueCount(distinct, distinct, Text(N_("almost all values occur more than once")))
    # Chao's lower bound: many values that came once beside few that came twice mean many that never came.
    guess = _round_up(distinct + once * once / (2 * max(twice, 1)))
    return ValueCount(
        distinct, max(guess, distinct), Text(N_("{once} of {seen} occur only once"), {"once": once, "seen": distinct})
    )


def count_numbers(values: Counter[str], minimum: int, maximum: int) -> ValueCount | None:
    """Estimate how many numbers were counted up: to the largest and a gap beyond; None if they lie too far apart.

    Numbers that came up again leave smaller gaps; those that follow each other leave out nothing.

    References
    ----------
    L. A. Goodman, "Serial number analysis", 1952: the largest, and the mean gap less one.
    """
    distinct, count = len(values), count_values(values)
    reach = maximum + max((maximum - minimum) // max(values.total() - 1, 1) - 1, 0)
    first = 0 if minimum <= (maximum - minimum) / distinct * 5 + 1 else minimum
    total = reach - first + (1 if first or minimum == 0 else 0)
    # Numbers that lie further apart than that are drawn at random, not counted.
    if distinct < 3 or total > 4 * count.estimate:
        return None
    return ValueCount(
        distinct, max(total, distinct), Text(N_("from the numbers up to {most} and their gaps"), {"most": maximum})
    )


def _round_up(number: float) -> int:
    """Round up to two digits: the number is no better known."""
    digits = max(0, math.floor(math.log10(max(number, 1))) - 1)
    return int(min(MOST, math.ceil(number / 10**digits) * 10**digits))
