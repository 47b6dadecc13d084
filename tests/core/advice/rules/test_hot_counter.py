"""A counter that everybody overwrites is one finding: the load on its row, and what it leaves uncollected below."""

from typing import Any

import pytest

from designer.document import Spec
from estimator.advice.questions import lint
from estimator.advice.rules.shared.examples import NEWEST_ONLY, design, field_part
from estimator.results import Finding
from tests.contexts import context, estimate


def _one_row(per_second: float, mode: str, gc: dict[str, Any]) -> Spec:
    total = {"id": "total", "kind": "literal", "text": "total"}
    return design(total, per_second=per_second, write={"mode": mode}, gc=gc)


def _grave(spec: Spec) -> list[Finding]:
    return [each for each in lint(spec, estimate(spec), context()) if each.severity in ("error", "warning")]


def test_a_hot_counter_is_one_finding_with_what_it_leaves_uncollected_below() -> None:
    [found] = _grave(_one_row(50_000, "overwrite", NEWEST_ONLY))

    assert found.rule == "K014"
    assert "R001" in {each.rule for each in found.under}


def test_a_row_that_grows_by_live_cells_is_a_finding_of_its_own() -> None:
    heads = {each.rule for each in _grave(_one_row(5_000, "new_cell", {"kind": "max_age", "age_days": 30}))}

    assert {"R001", "K014"} <= heads


def _states(rotation: dict[str, Any] | None) -> Spec:
    """Build a design in which each of a hundred sensors overwrites its state every other second."""
    sensor = {"id": "sensor", "name": "sensor", "distinct": 100, "popularity": {"kind": "uniform"}}
    return design(
        field_part("sensor"),
        fields=(sensor,),
        per_second=None,
        activity={"arrival": {"kind": "every", "seconds": 2, "field": "sensor"}},
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        column={"value": {"kind": "json", "typical_bytes": 1_000}},
        table={"rotation": rotation},
    )


def test_old_cells_gather_no_longer_than_a_row_s_table_is_written() -> None:
    (found,) = _grave(_states(None))
    assert found.rule == "K014"
    # 302,400 overwrites in a week, each a value of 1,000 B, a timestamp of 8 B, two names of a letter and a key of 9 B.
    assert found.params["garbage_bytes"] == pytest.approx(302_400 * 1_019, rel=1e-3)

    # 43,200 in a day are 44 MB, and the next table begins with new rows.
    assert _grave(_states({"period": "day", "kept_tables": 3})) == []
