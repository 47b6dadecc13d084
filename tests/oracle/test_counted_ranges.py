"""Ranges of numbers that count within an owner, beside what is drawn."""

from typing import Any

import pytest

from .test_counted_numbers import BUCKET
from .test_drawing import counter, spec_of, text
from .test_small_cases import assert_read_agrees, named_by

NUMBER = {"id": "n", "kind": "field", "field": "number", "transforms": [{"kind": "pad", "width": 8}], "after": "#"}
COLUMNS = named_by({"id": "q", "kind": "field", "field": "number"})
BUSY = {"popularity": {"kind": "zipf", "theta": 0.99}}
FIVE_DAYS = {"gc": {"kind": "max_age", "age_days": 5}}


def numbers(first: int | None, last: int | None, key: list[Any], user: dict[str, Any], **more: Any):
    """A user's numbers in a range, of about 240 for each of five even users."""
    bounds = {"from_value": first, "to_value": last}
    bind = {"field": "number"} | {name: str(bound) for name, bound in bounds.items() if bound is not None}
    reads = [{"id": "some", "binds": [{"field": "user"}, bind]}]
    return spec_of([user, counter(unique_within="user")], key, reads=reads, **more)


@pytest.mark.parametrize(
    ("first", "last", "user", "more"),
    [
        (10, 29, text("user", 5), {}),
        (None, 29, text("user", 5), {}),
        (100, None, text("user", 5), {}),
        (1_000, 1_100, text("user", 5), {}),
        (10, 49, text("user", 20, **BUSY), {}),
        (150, 209, text("user", 5), {"table": FIVE_DAYS}),
        (10, 49, text("user", 5), {"table": FIVE_DAYS}),
    ],
)
def test_a_range_of_numbers_within_an_owner_has_the_rows_of_these_numbers(first, last, user, more) -> None:
    """All 243 rows of a user were taken for those of any range."""
    assert_read_agrees(numbers(first, last, ["user", NUMBER], user, mode="append_row", **more), "rows_scanned")


def test_a_range_of_numbers_within_an_owner_meets_whole_buckets() -> None:
    assert_read_agrees(numbers(10, 49, ["user", BUCKET], text("user", 5)), "rows_scanned")  # 0…19, 20…39, 40…59


@pytest.mark.parametrize(("first", "last", "key"), [(10, 49, ["user"]), (100, None, ["user"])], ids=str)
def test_a_range_of_numbers_within_an_owner_has_the_columns_of_these_numbers(first, last, key) -> None:
    assert_read_agrees(numbers(first, last, key, text("user", 20, **BUSY), table=COLUMNS), "cells_returned")
