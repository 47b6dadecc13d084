"""Date patterns: whether their texts sort as their times do, and whether a time can be read from one."""

import re

_ORDERS = (["%Y", "%m", "%d", "%H", "%M", "%S", "%f"], ["%Y", "%j", "%H", "%M", "%S", "%f"], ["%G", "%V"])
"""Directives in an order in which texts sort as their times do."""


def sorts_by_time(pattern: str) -> bool:
    """Return whether the digits of a date come from the year on down, each of fixed width; %y within a century."""
    directives = ["%Y" if directive == "%y" else directive for directive in re.findall("%(?:-?.)", pattern)]
    return any(directives == order[: len(directives)] for order in _ORDERS)


def is_read_back(pattern: str) -> bool:
    """Return whether code reads a time from such a text: a year and what follows it, in digits."""
    return sorts_by_time(pattern) and "%Y" in pattern
