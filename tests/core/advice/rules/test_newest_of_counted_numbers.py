"""K015 where no time says what is newest, but a number that counts within a parent."""

import pytest

from designer.document import effective_value
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, read_part
from tests.contexts import TODAY, estimate


@pytest.mark.parametrize(
    ("transforms", "reverse", "found"),
    [
        (({"kind": "pad", "width": 8},), None, ["K015"]),
        (({"kind": "pad", "width": 8},), True, []),
        (({"kind": "descending", "top": 99_999_999}, {"kind": "pad", "width": 8}), None, []),
    ],
)
def test_the_newest_of_a_number_that_counts_within_a_parent_are_read_from_its_end(transforms, reverse, found):
    seq = {"id": "seq", "name": "seq", "kind": "integer", "assigned": "sequential", "unique_within": "device"}
    spec = design(
        field_part("device", "#"),
        field_part("seq", "", *transforms),
        fields=({**DEVICE, "distinct": 1_000, "popularity": {"kind": "uniform"}}, seq),
        per_second=100,
        reads=(read_part(binds=("device",), newest_rows=10, reverse=reverse),),
    )
    made = estimate(spec)

    assert [each.rule for each in findings(spec, made, TODAY) if each.rule == "K015"] == found
    assert (made.tables["table"].reads[0].rows_scanned == pytest.approx(10)) is not bool(found)
    numbers = effective_value(spec, spec.find("seq"), "distinct")
    assert numbers == pytest.approx(100 * 86_400 * 365.25 / 1_000, rel=0.01)  # of one device in a year
