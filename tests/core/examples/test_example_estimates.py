"""Published figures that built-in designs come to."""

from decimal import Decimal

import pytest

from designer.examples import example
from tests.contexts import estimate


def test_one_node_in_tokyo_comes_to_623_dollars_in_every_month():
    bills = estimate(example("ggen-tokyo").spec).bills

    assert len(bills) == 12
    for bill in bills:
        assert {line.item: line.cost for line in bill.lines} == {"node": Decimal("612.00"), "storage": Decimal("11.00")}
        assert all(line.price_origin == "you" and "G-gen" in line.price_source for line in bill.lines)
        assert bill.total == Decimal("623.00")


@pytest.mark.parametrize("slug", ["balloons-new-columns", "balloons-new-cells"])
def test_a_balloons_week_has_10080_readings(slug: str):
    part = estimate(example(slug).spec).tables["readings"]

    assert part.growth is not None
    assert part.growth.kinds[0].events_per_row == pytest.approx(10_080, rel=1e-4)


def test_reading_a_balloons_week_returns_its_readings_as_columns_as_it_does_as_versions():
    columns, versions = (
        {plan.read: plan for plan in estimate(example(f"balloons-new-{kind}").spec).tables["readings"].reads}
        for kind in ("columns", "cells")
    )

    assert columns["read-week"].cells_returned == pytest.approx(versions["read-week"].cells_returned, rel=0.06)
    for read in ("read-week", "read-month"):
        assert columns[read].cells_returned > 0.8 * 4 * 10_080  # four cells a reading
    four_weeks = 28 * 1_440 * 4  # a range of columns begins and ends within a week, all versions of a row do not
    assert columns["read-month"].cells_returned == pytest.approx(four_weeks, rel=1e-3)
    assert versions["read-month"].cells_returned > 1.1 * four_weeks


def test_serialised_readings_store_a_cell_where_unserialised_ones_store_four():
    serialised, unserialised = (
        estimate(example(f"balloons-{name}").spec).tables["readings"] for name in ("serialised", "unserialised")
    )

    assert serialised.growth is not None and unserialised.growth is not None  # noqa: PT018
    assert serialised.growth.families[0].cells_per_row == pytest.approx(1, rel=1e-4)
    assert unserialised.growth.families[0].cells_per_row == pytest.approx(4, rel=1e-4)
    assert serialised.growth.rows[-1] == pytest.approx(unserialised.growth.rows[-1])
    assert serialised.growth.logical_bytes[-1] < unserialised.growth.logical_bytes[-1] / 2


def test_the_first_timestamps_load_is_one_front_and_the_machines_are_300_000():
    good = estimate(example("machine-metrics").spec).tables["metrics"].traffic
    bad = estimate(example("timestamp-first").spec).tables["metrics"].traffic

    assert good is not None and bad is not None  # noqa: PT018
    assert good.fronts[0].effective == pytest.approx(300_000)
    assert bad.fronts[0].effective == pytest.approx(1)
    assert good.fronts[0].per_second * 300_000 == pytest.approx(bad.fronts[0].per_second, rel=0.01)


def test_four_tenths_of_the_audit_log_are_one_tenants():
    traffic = estimate(example("saas-tenants").spec).tables["audit"].traffic

    assert traffic is not None
    lead = next(lead for lead in traffic.leads if lead.depth == 1)
    assert lead.hottest_share == pytest.approx(0.4, abs=0.01)
    assert lead.hottest == b"t0001#"
