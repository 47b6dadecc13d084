"""A counter that everybody overwrites is one finding: the load on its row, and what it leaves uncollected below."""

from typing import Any

from designer.document import Spec
from estimator.advice.questions import lint
from estimator.advice.rules.shared.examples import NEWEST_ONLY, design
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
