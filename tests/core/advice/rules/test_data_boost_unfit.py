"""I028: what a read through Data Boost is charged for, and what it may miss."""

import pytest

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.questions import lint
from estimator.advice.rules import findings
from estimator.advice.rules.instance.data_boost_unfit import RULE
from estimator.advice.rules.shared.examples import field_part, read_part, readings, time_part
from tests.contexts import context
from tests.contexts import estimate as whole_estimate
from tests.core.advice.rules.made import TODAY, estimate, plan

PROFILE = {"id": "boost", "name": "boost", "routing": "single", "clusters": ["cluster"], "data_boost": True}


def of(**read):
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        reads=(read_part(binds=("device",), app_profile="boost", **read),),
        instance={"clusters": [{"id": "cluster", "name": "main", "region": "us-central1"}], "app_profiles": [PROFILE]},
    )


def found(spec, **figures):
    made = estimate(spec, reads=(plan("range", **figures),))
    return [f for f in findings(spec, made, TODAY) if f.rule == RULE.code]


@pytest.mark.parametrize(("per_second", "expected"), [(17.0, ["warning"]), (16.0, [])])
def test_minimum_charges_worth_a_node_warn(per_second, expected):
    # 60 SPU-seconds are 0.06 seconds of a node: 16.7 requests a second pay for one.
    assert [f.severity for f in found(of(), per_second=per_second, node_seconds=0.0001)] == expected


def test_long_requests_pay_for_what_they_take():
    assert found(of(), per_second=100.0, node_seconds=0.06) == []


def test_both_prices_are_said():
    (finding,) = found(of(), per_second=500.0, node_seconds=0.00006)

    assert english(finding.message, finding.params) == (
        "look up on events uses Data Boost at 500/s. Each request is charged for at least 60 SPU-seconds. Together "
        "that is the charge for 30 nodes, but the requests take only the time of 0.03 nodes."
    )


def test_a_read_of_its_own_writes_may_miss_them():
    spec = of(sees_own_write=True)

    (finding,) = found(spec, per_second=0.001, node_seconds=0.1)

    assert "may miss the writes of the last 35 minutes" in english(finding.message, finding.params)
    assert found(apply(spec, finding.fix)[0], per_second=0.001, node_seconds=0.1) == []


def test_a_read_for_which_somebody_waits_is_not_for_data_boost():
    spec = of(latency="sensitive")

    (finding,) = found(spec, per_second=0.001, node_seconds=0.1)

    assert english(finding.message, finding.params).startswith("look up on events is latency-sensitive, but it uses Da")
    assert found(apply(spec, finding.fix)[0], per_second=0.001, node_seconds=0.1) == []


def test_nobody_is_said_to_wait_where_the_design_does_not_say_it():
    assert found(of(), per_second=0.001, node_seconds=0.1) == []
    assert found(of(latency="batch"), per_second=0.001, node_seconds=0.1) == []


def scan(*, is_boosted, share, columns):
    """Build a design of a job that reads all rows every four hours and keeps a part of them, or of their columns."""
    json = {"kind": "json", "typical_bytes": 400}
    names = ("all",) if not columns else ("report", "state")
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=1_000,
        family={"columns": [{"id": name, "qualifier": name, "value": json} for name in names]},
        reads=(
            read_part(
                rate_per_second=1 / 14_400, latency="batch", match_share=share, columns=columns,
                app_profile="boost" if is_boosted else None,
            ),
        ),
        instance={"app_profiles": (PROFILE,), "clusters": ({"id": "cluster", "region": "us-central1"},)},
    )  # fmt: skip


@pytest.mark.parametrize("is_boosted", [True, False])
@pytest.mark.parametrize(
    ("share", "columns", "rules"), [(0.01, (), {"Q001", "C012", "F008"}), (1.0, ("state",), {"F008"})]
)
def test_what_a_read_wastes_through_data_boost_is_charged_and_takes_no_nodes(is_boosted, share, columns, rules):
    spec = scan(is_boosted=is_boosted, share=share, columns=columns)

    heads = [one for one in lint(spec, whole_estimate(spec), context()) if one.rule in rules]

    said = {one.rule: english(one.message, one.params) for head in heads for one in (head, *head.under)}
    assert said.keys() >= rules
    assert len(heads) == 1  # what a filter drops is one cause
    for rule in rules:
        assert ("Data Boost charges the time of" in said[rule]) is is_boosted
        assert ("of the table's load" in said[rule]) is (rule == "Q001" and not is_boosted)
