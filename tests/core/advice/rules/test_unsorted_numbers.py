"""K009 and what follows from it: numbers of different lengths that are read by a range."""

import pytest

from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from tests.contexts import TODAY, estimate
from tests.core.advice.rules.asked import mended


@pytest.mark.parametrize(("kind", "pair"), [("integer", "10 sorts before 9"), ("float", "10.0 sorts before 9.0")])
def test_a_range_of_numbers_that_the_key_does_not_sort_is_one_finding_with_its_cause(kind, pair):
    height = {
        "id": "height", "name": "height", "kind": kind, "distinct": 1_000, "assigned": "arbitrary",
        "values": {"kind": "range", "min": 0, "max": 2_000},
    }  # fmt: skip
    bind = {"field": "height", "from_value": "9", "to_value": "10"}
    spec = design(field_part("height", "#"), time_part(), fields=(height,), reads=(read_part(binds=(bind,)),))

    every = findings(spec, estimate(spec), TODAY)
    (finding,) = (each for each in every if each.rule in ("K009", "Q001"))

    assert (finding.rule, [each.rule for each in finding.under][:1]) == ("K009", ["Q001"])
    assert pair in english(finding.message, finding.params)
    padded = mended(spec, finding)
    assert not {"K009", "Q001"} & {each.rule for each in findings(padded, estimate(padded), TODAY)}
