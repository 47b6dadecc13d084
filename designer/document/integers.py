"""Whole numbers in texts that came from outside."""

import re

LARGEST = 2**31 - 1
"""What every database column of ours counts to."""
_DIGITS = re.compile(r"[0-9]{1,18}")


def parse_integer(text: str, *, minimum: int = 0, maximum: int = LARGEST) -> int | None:
    """Return the number that a text of ASCII digits says, or None if it is none between the bounds."""
    number = int(text) if _DIGITS.fullmatch(text) else None
    return number if number is not None and minimum <= number <= maximum else None
