"""Ranges of primary keys: what GetRange is asked for in either direction, and what lies within."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.document.columnkey import ColumnForm
from designer.document.load import from_data
from reviews.trials import TrialPlan, plan_trial
from reviews.trials.column_ranges import LARGEST, SMALLEST, Infinity, PrimaryKeyRange, key_of, key_values
from reviews.trials.results import AskedRange
from reviews.trials.tablestore import TablestoreTable
from tests.contexts import estimate
from tests.tablestore_designs import design

MIN, MAX = Infinity.MIN, Infinity.MAX
FORMS = (ColumnForm("a", "STRING"), ColumnForm("n", "INTEGER"), ColumnForm("b", "BINARY"))


@cache
def plan() -> TrialPlan:
    spec = design()
    return plan_trial(spec, estimate(spec), rows=20)


def ranges_of(name: str) -> list[AskedRange]:
    [read] = [one for one in plan().reads if one.read.name == name]
    return [one.ends for request in read.asked.requests for one in request.ranges]


@pytest.mark.parametrize(
    ("name", "first", "end"),
    [
        ("of user", "(ü1, -inf, -inf)", "(ü1, +inf, +inf)"),
        ("newest", "(ü1, +inf, +inf)", "(ü1, -inf, -inf)"),
        ("days", "(ü1, 1767052800, -inf)", "(ü1, 1767225601, -inf)"),
        ("days back", "(ü1, 1767225600, +inf)", "(ü1, 1767052799, +inf)"),
        ("begun", "(ü, -inf, -inf)", "(ý, -inf, -inf)"),
        ("all", "(-inf, -inf, -inf)", "(+inf, +inf, +inf)"),
        ("of an amount", "(ü2, -1, -inf)", "(ü2, -1, +inf)"),
    ],
)
def test_bounds_are_those_of_the_read_and_its_direction(name: str, first: str, end: str) -> None:
    assert ranges_of(name) == [AskedRange(first, end)]


def test_a_salt_that_nobody_knows_is_a_range_for_each_of_its_values() -> None:
    assert [one.first for one in ranges_of("salted days")] == [f"({salt}, ü0#2025-12-30)" for salt in range(3)]


def test_all_that_is_wanted_lies_in_the_ranges_in_the_order_of_the_read() -> None:
    for read in plan().reads:
        assert read.asked.wanted <= set(read.asked.met), read.read.id
        assert list(read.asked.returned) == sorted(read.asked.returned, reverse=read.asked.is_reversed), read.read.id


VALUES = st.tuples(st.text(max_size=3).map(str.encode), st.integers(SMALLEST, LARGEST), st.binary(max_size=3))


@given(VALUES, VALUES)
def test_keys_are_told_and_sorted_as_their_columns(one: tuple, other: tuple) -> None:
    assert key_values(key_of(one, FORMS), FORMS) == one
    assert (key_of(one, FORMS) < key_of(other, FORMS)) == (one < other)


@given(VALUES, VALUES)
def test_a_range_holds_its_first_key_and_not_its_end(one: tuple, other: tuple) -> None:
    low, high = sorted((one, other))
    if low != high:
        forward, backward = PrimaryKeyRange(low, high, FORMS), PrimaryKeyRange(high, low, FORMS, is_backward=True)
        assert [forward.holds(key_of(each, FORMS)) for each in (low, high)] == [True, False]
        assert [backward.holds(key_of(each, FORMS)) for each in (low, high)] == [False, True]
    assert PrimaryKeyRange((MIN,) * 3, (MAX,) * 3, FORMS).holds(key_of(one, FORMS))


def test_an_index_goes_on_with_the_rest_of_its_tables_key() -> None:
    tables = [one for one in plan().tables if isinstance(one, TablestoreTable)]
    index = {one.name: one for one in tables}["by_shop"]

    assert [(column.name, column.type) for column in index.columns] == [
        ("shop", "STRING"), ("user", "STRING"), ("order", "INTEGER"),
    ]  # fmt: skip
    assert index.index_of == "orders"
    assert len(index.rows) == len(next(one for one in tables if one.name == "orders").rows)


def test_what_the_service_gives_a_key_to_is_named_and_not_tried() -> None:
    data = design().model_dump(mode="json")
    data["tables"] = data["tables"][:1]
    data["tables"][0]["row_kinds"][0]["key_columns"][1] |= {"auto_increment": True, "segments": []}
    spec = from_data(data)

    made = plan_trial(spec, estimate(spec), rows=20)

    assert made.tables == ()
    assert [str(one) for one in made.not_tried] == [
        "tables with an auto-increment column are not tried: the service chooses their keys"
    ]
