"""Ids that are made: never used already, and never longer than an id may be."""

import pytest

from designer.document.ids import LONGEST_ID, make_unique, next_name, numbered_name
from designer.examples import example
from estimator.advice.rules.shared.fixes.index_table import _NewIds
from estimator.advice.rules.shared.fixes.segments import free_id

LONG = "a" * LONGEST_ID


@pytest.mark.parametrize("used_count", [1, 12, 102, 1_002])
def test_a_number_never_makes_a_name_too_long(used_count: int) -> None:
    used = {LONG}
    for _ in range(used_count):
        used.add(make_unique(LONG, used))

    assert len(used) == 1 + used_count
    assert max(map(len, used)) == LONGEST_ID
    assert len(numbered_name("b" * 50, "_", {f"{'b' * 48}_2"}, longest=50)) == 50


def test_all_that_number_ids_keep_to_the_length() -> None:
    spec = example("karte").spec
    table = spec.tables[0]
    spec = spec.model_copy(update={"tables": (table.model_copy(update={"id": LONG}), *spec.tables[1:])})

    assert free_id(spec, LONG) == f"{LONG[:-2]}-1"
    assert _NewIds(spec)[LONG] == f"{LONG[:-2]}-2"


def test_a_name_of_a_pattern_counts_on_from_what_there_is() -> None:
    assert next_name("Read {n}", set()) == "Read 1"
    assert next_name("Read {n}", {"Read 1", "By device"}) == "Read 3"
    assert next_name("Read {n}", {"Read 1", "Read 3"}) == "Read 4"
