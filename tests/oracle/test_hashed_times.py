"""Keys that begin with a hash of a time or of its bucket: stored rows and reads beside what is drawn."""

import pytest

from .comparison import Compared, compare
from .designs import Design
from .gaps import is_known
from .hashed_designs import hashed_design

HELD, MANY = (3, 12, 14, 57, 84, 125, 178, 237), range(30, 330, 30)
"""Of the first, reads with a limit pass a whole table, some hashes come again, and rows of bursts share a bucket."""


def is_aside(made: Design, compared: Compared) -> bool:
    """Whether a quantity differs beside a time that is not hashed, too.

    Point reads of what came and went, and the largest rows where a policy has left less of those of a named day.
    """
    aside = ("point",) * (made.features["lifetime"] == "lifetime")
    if made.features["shape"] == "named day" and made.features["collection"] == "intersection":
        aside += ("p99", "largest")
    return is_known(made, compared) or compared.name.startswith(aside)


def differing(seed: int) -> list[Compared]:
    made = hashed_design(seed)
    return [each for each in compare(made, is_aside) if not each.agrees and not is_aside(made, each)]


@pytest.mark.parametrize("seed", HELD)
def test_keys_that_begin_with_a_hash_of_a_time_hold_what_is_drawn(seed: int) -> None:
    assert differing(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_many_keys_that_begin_with_a_hash_of_a_time_hold_what_is_drawn(first: int) -> None:
    found = {seed: differing(seed) for seed in range(first, first + 30)}

    assert {seed: each for seed, each in found.items() if each} == {}
