"""Keys of buckets of a number that is counted up, beside what is drawn: each design differed before it was mended."""

import dataclasses
from typing import Any

import pytest

from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import compare
from .designs import design
from .test_drawing import counter, spec_of, text
from .test_oracle import said
from .test_small_cases import assert_agree

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


BUCKET = {"id": "b", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": 20}, "after": "#"}
SALT_OF_NUMBER = {"id": "salt", "kind": "salt", "fields": ["number"], "modulo": 4, "after": "#"}


@pytest.mark.parametrize("mode", ["overwrite", "append_row", "new_cell"])
@pytest.mark.parametrize(
    "key", [[BUCKET], ["user", BUCKET], [BUCKET, "time day"], [SALT_OF_NUMBER, "time day"]], ids=str
)
def test_a_sequence_of_which_no_growth_is_stated_grows_by_what_is_written(key: list[Any], mode: str) -> None:
    """40 events a day fill 61 buckets of 20 in a month; one row was estimated, of 161 kB, with all writes in it."""
    spec = spec_of([text("user", 5), counter()], key, mode=mode)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows, worlds=12)


def test_a_sequence_that_runs_out_of_numbers_does_not_grow_by_what_is_written() -> None:
    hours = counter(values={"kind": "range", "min": 0, "max": 23})
    part = estimate(spec_of([hours], [BUCKET]), context()).tables["t"]

    assert part.growth is not None
    assert float(part.growth.rows[-1]) <= 2


def test_a_number_that_each_event_brings_comes_with_its_owner_whether_its_growth_is_stated_or_not() -> None:
    """Of eight users who live for days, one has 4.4 rows; 0.67 were read where the growth was stated."""
    made = design(2275)
    user, number = made.spec.fields
    per_day = made.spec.activities[0].rate_per_second * 86_400
    fields = (user, number.model_copy(update={"growth_per_day": per_day}))
    stated = dataclasses.replace(made, spec=made.spec.model_copy(update={"fields": fields}))

    assert {each.name: each.agrees for each in compare(stated)}["prefix: rows scanned"]
