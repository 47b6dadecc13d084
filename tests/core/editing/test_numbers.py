"""Numbers as people type them into forms: with thousands, per cent, multiples and units."""

from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data
from designer.editing.forms import InvalidNumberError, parse_number, read_posted_value

TYPED = [
    ("rate_per_second", "20k", 20_000), ("rate_per_second", "20k/s", 20_000), ("rate_per_second", "30/min", 0.5),
    ("lateness_seconds", "2 min", 120), ("rate_per_second", "1,500", 1_500), ("growth_per_month", "5 %", 0.05),
]  # fmt: skip


def _design() -> Spec:
    return from_data({"activities": [{"id": "a", "name": "saved"}], "fields": [{"id": "f", "name": "user"}]})


def _read(at: str, name: str, text: str) -> Any:
    return read_posted_value(_design(), at, name, {"v": [text]}, previous=None)


@pytest.mark.parametrize(("name", "text", "number"), TYPED)
def test_a_number_of_an_activity_may_have_its_unit(name: str, text: str, number: float) -> None:
    assert _read("a", name, text) == number


def test_lengths_of_time_and_multiples_are_read_by_the_field_that_they_are_for() -> None:
    assert _read("f", "lifetime_days", "12h") == 0.5
    assert _read("f", "distinct", "1.5M") == 1_500_000
    assert _read("f", "distinct", "12h") == "12h"  # refused by the document, with what was typed


def test_the_first_rate_of_a_table_is_read_in_the_same_way() -> None:
    assert parse_number("20k/s", name="rate_per_second") == 20_000
    assert parse_number("") is None
    with pytest.raises(InvalidNumberError, match="12 apples"):
        parse_number("12 apples", name="rate_per_second")
