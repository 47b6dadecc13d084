"""Q008 on whole estimates of small designs."""

import pytest

from designer.document.design import Spec
from designer.document.edits import apply
from estimator.advice.rules import findings
from estimator.advice.rules.reads.newest_columns_last import RULE
from estimator.advice.rules.shared.edits import change
from tests.contexts import estimate
from tests.core.advice.rules.made import TODAY


def found(spec: Spec):
    return [f for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def with_newest(columns: int) -> Spec:
    spec = RULE.bad()
    return apply(spec, change(spec.tables[0].row_kinds[0].reads[0], "newest_columns", columns))[0]


def test_newest_columns_that_sort_last_say_what_is_returned():
    (finding,) = found(RULE.bad())

    assert finding.params["wanted"] == 5
    assert finding.params["cells"] > 1_000


@pytest.mark.parametrize(("share", "count"), [(0.49, 1), (0.51, 0)])
def test_from_twice_the_cells_that_are_wanted_on_it_is_found(share: float, count: int):
    (finding,) = found(RULE.bad())

    assert len(found(with_newest(round(finding.params["cells"] * share)))) == count
