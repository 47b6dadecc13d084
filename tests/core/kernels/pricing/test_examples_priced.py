"""The built-in designs through the whole pipeline: what their stories say they cost."""

from decimal import Decimal

import pytest

from designer.examples import example
from tests.contexts import estimate


def test_b1_the_tokyo_example_costs_exactly_623_dollars_in_every_month():
    found = estimate(example("ggen-tokyo").spec)

    assert {bill.total for bill in found.bills} == {Decimal("623.00")}
    assert {(line.item, line.cost) for line in found.bills[-1].lines} == {
        ("node", Decimal("612.00")),
        ("storage", Decimal("11.00")),
    }
    assert found.tables["articles"].growth.rows.max() <= 60_000_001


COMPOSITES = ["iot-fleet", "saas-tenants"]


@pytest.mark.parametrize("slug", COMPOSITES)
def test_rows_that_are_revisited_never_outnumber_their_entities(slug):
    for part in estimate(example(slug).spec).tables.values():
        for kind in part.growth.kinds:
            if kind.bucket_seconds is None:
                facts = part.keys[kind.row_kind]
                assert kind.rows <= facts.distinct_rows * (1 + facts.ids_error_share)


@pytest.mark.parametrize("slug", COMPOSITES)
def test_the_bill_of_a_real_design_adds_up_line_by_line(slug):
    for bill in estimate(example(slug).spec).bills:
        assert bill.low <= bill.total <= bill.high
        assert bill.total == sum((line.cost for line in bill.lines if line.cost is not None), Decimal(0))


def test_the_fleets_latest_rows_are_nearly_all_garbage_and_say_so():
    growth = estimate(example("iot-fleet").spec).tables["latest"].growth
    family = growth.families[0]

    assert family.uncollected_bytes / family.bytes_by_cause.total > 0.99
    # The row limit is tested with a week of it, twice the half week that is billed; nothing counts twice.
    billed_bytes = growth.logical_bytes[-1] / growth.rows[-1]
    assert growth.kinds[0].median_bytes[-1] == pytest.approx(2 * billed_bytes, rel=0.01)
