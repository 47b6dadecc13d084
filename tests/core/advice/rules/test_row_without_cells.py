"""R011: rows that are written without a cell."""

from typing import Any

import pytest

from designer.document import Spec
from designer.document.edits import Batch, Edit, Insert, Move, Remove, Set, apply
from designer.document.load import from_data
from estimator.advice.rules import findings
from estimator.advice.rules.rows.row_without_cells import RULE
from tests.core.advice.rules.made import TODAY, estimate


def ids_of(spec: Spec) -> list[str]:
    return [finding.at for finding in findings(spec, estimate(spec), TODAY) if finding.rule == RULE.code]


def spec_of(*kinds: dict[str, Any]) -> Spec:
    family = {"id": "f", "name": "d", "columns": [{"id": "c", "qualifier": "v"}]}
    return from_data({
        "activities": [{"id": "a", "name": "events", "rate_per_second": 1}],
        "tables": [
            {"id": "t", "name": "t", "row_kinds": kinds, "families": [family]},
            {"id": "u", "name": "u", "row_kinds": [{"id": "l", "name": "l"}]},
        ],
    })  # fmt: skip


KIND: dict[str, Any] = {"id": "k", "name": "k", "writes": [{"id": "w", "name": "w", "activity": "a"}]}
DELETE = {**KIND, "writes": [{"id": "w", "name": "w", "activity": "a", "mode": "delete_row"}]}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Set(at="t", name="name", value="readings", was="t"), []),
        (Move(at="f", parent="u", was_parent="t"), ["k"]),  # its last family moves to a table without writes
        (Set(at="c", name="qualifier", value="w", was="v"), []),
        (Remove(at="c"), ["k"]),
        (Remove(at="f"), ["k"]),
    ],
)
def test_rows_that_are_written_need_a_column(edit: Edit, expected: list[str]) -> None:
    after, _ = apply(spec_of(KIND), edit)

    assert ids_of(after) == expected


def test_rows_that_are_only_deleted_and_rows_of_another_engine_need_none() -> None:
    emptied, _ = apply(spec_of(DELETE), Remove(at="c"))
    assert ids_of(emptied) == []
    bare, _ = apply(spec_of(KIND), Remove(at="c"))
    assert ids_of(bare.model_copy(update={"engine": "tablestore"})) == []


def test_of_several_writes_the_one_whose_columns_are_in_another_table_is_named() -> None:
    write = {"id": "x", "name": "x", "activity": "a", "columns": ["o"]}
    other = Insert(parent="u", list="families", element={"id": "g", "columns": [{"id": "o"}]})
    elsewhere, _ = apply(spec_of(KIND), Batch(edits=(other, Insert(parent="k", list="writes", element=write))))

    assert ids_of(elsewhere) == ["x"]
