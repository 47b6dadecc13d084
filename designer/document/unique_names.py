"""Names and ids that no other element has: those wanted, or with a number behind them."""

from collections.abc import Collection
from itertools import count

LONGEST_ID = 40
NUMBER = "{n}"
"""Where the number stands in a pattern."""


def make_unique(
    name: str, used_names: Collection[str], *, ending: str = "-", first: int = 2, longest: int | None = LONGEST_ID
) -> str:
    """Return the name if it is unused, else with an ending and a number."""
    return name if name not in used_names else numbered_name(name, ending, used_names, first=first, longest=longest)


def numbered_name(
    name: str, ending: str, used_names: Collection[str], *, first: int = 2, longest: int | None = LONGEST_ID
) -> str:
    """Return the name with an ending and the first number that makes it unused, cut to the longest allowed."""
    endings = (f"{ending}{number}" for number in count(first))
    stems = ((name if longest is None else name[: longest - len(end)], end) for end in endings)
    return next(free for stem, end in stems if (free := stem + end) not in used_names)


def next_name(pattern: str, used_names: Collection[str]) -> str:
    """Return the first unused name of a pattern such as `table_{n}`, counting on from the names that are used."""
    numbers = count(len(used_names) + 1)
    return next(name for n in numbers if (name := pattern.replace(NUMBER, str(n))) not in used_names)
