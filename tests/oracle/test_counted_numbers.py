"""Keys of buckets of a number that is counted up, beside what is drawn: each design differed before it was mended."""

import pytest

from .comparison import compare
from .designs import design
from .test_oracle import said

DIFFERED = {
    11: "a value's first bucket begins with its first number",
    69: "a day that a bucket's border cuts, in several salts",
    70: "the first rows of a value in the order of its numbers are the oldest",
    269: "the newest rows of each salt of a value, of which few fill a bucket",
    559: "the events beside one in its bucket, where bursts are rare",
    997: "a salt of the number itself: the events of one number are in one salt",
    1904: "the same in hours, which part the events of one number",
}


@pytest.mark.parametrize("seed", DIFFERED, ids=str)
def test_buckets_of_a_number_are_estimated_as_they_are_drawn(seed: int) -> None:
    made = design(seed)

    assert [said(seed, each) for each in compare(made) if not each.agrees] == []


def test_a_limit_for_each_salt_counts_the_rows_of_owners_whose_values_are_drawn() -> None:
    made = design(157)  # which tenant an event is of follows from its user, whom the key shows behind the tenant

    assert [said(157, each) for each in compare(made) if not each.agrees] == []
