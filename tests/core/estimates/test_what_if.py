"""What other inputs do to the bill: the same as the design with these inputs."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from designer.document import Spec
from designer.examples import example, examples
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.estimates.variants import faster, grows, new_with_events
from estimator.estimates.what_if import TABLES_AGAIN, alike
from tests.contexts import estimate, what_if

CHOSEN = ("campus-colon", "iot-fleet", "machine-metrics", "timestamp-first", "sequential-id", "table-per-customer")
"""Partitions, growth, several tables, a time at the front, ids that are new with each event, shared events."""
SLUGS = [
    pytest.param(found.slug, marks=() if found.slug in CHOSEN else pytest.mark.slow)
    for found in examples()
    if found.spec.tables
]


def written_ten_times_as_often(slug):
    """The file of a built-in design with other numbers: rates, intervals, and ids that are new with each event."""
    path = Path(__file__).parents[3] / "designer" / "examples" / f"{slug}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    for activity in data.get("activities", []):
        if "rate_per_second" in activity:
            activity["rate_per_second"] *= 10
        if activity.get("arrival", {}).get("kind") == "every":
            activity["arrival"]["seconds"] /= 10
    for one in (one for table in data["tables"] for kind in table["row_kinds"] for one in kind.get("reads", [])):
        if "rate_per_second" in one:
            one["rate_per_second"] *= 10
    spec = example(slug).spec
    counted = new_with_events(spec, [kind for table in spec.tables for kind in table.row_kinds])
    for field in data.get("fields", []):
        if field["id"] in counted and "growth_per_day" in field:
            field["growth_per_day"] *= 10
    for cluster in data.get("instance", {}).get("clusters", []):  # as many nodes as are needed
        if (cluster.get("nodes") or {}).get("kind") == "fixed":
            del cluster["nodes"]
    return Spec.model_validate(data)


@pytest.mark.parametrize("slug", SLUGS)
def test_ten_times_the_traffic_costs_what_the_design_with_ten_times_the_rates_costs(slug):
    spec = example(slug).spec
    found = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}["traffic_x10"]

    other = estimate(written_ten_times_as_often(slug))

    assert float(found.cost) == pytest.approx(float(other.bill.total), rel=0.001)


def fleet(**more):
    asked = read_part(binds=("device",), time={"days": 1}, rate_per_second=100)
    device = {
        "id": "device", "name": "device", "values": {"kind": "pattern", "text": "d{n:04}"}, "distinct": 1_000,
        "popularity": {"kind": "uniform"},
    }  # fmt: skip
    return design(field_part("device", "#"), time_part(), fields=(device,), per_second=1_000, reads=(asked,), **more)


def test_an_input_moves_the_bill_from_the_design_with_its_low_to_that_with_its_high_value():
    spec = fleet()
    found = {one.name: one for one in what_if(spec, estimate(spec)).sensitivities}

    def total(**changed):
        data = spec.model_dump(mode="json", exclude_unset=True)
        data["activities"][0]["rate_per_second"] *= changed.get("rate", 1)
        data["tables"][0]["row_kinds"][0]["reads"][0]["rate_per_second"] *= changed.get("rate", 1)
        data["tables"][0]["families"][0]["columns"][0]["value"]["typical_bytes"] *= changed.get("size", 1)
        return estimate(Spec.model_validate(data)).bill.total

    for name in ("rate", "size"):
        assert (found[name].low, found[name].high) == (total(**{name: 0.5}), total(**{name: 2}))


def test_growth_moves_the_bill_in_its_logarithm():
    growing = {"growth_per_month": 0.21}
    spec = fleet(activity=growing)
    found = {one.name: one for one in what_if(spec, estimate(spec)).sensitivities}

    slow, fast = (estimate(fleet(activity={"growth_per_month": 1.21**power - 1})).bill.total for power in (0.5, 2))
    assert (float(found["growth"].low), float(found["growth"].high)) == pytest.approx(
        (float(slow), float(fast)), rel=1e-3
    )
    assert grows(spec)
    assert not grows(fleet())
    assert "growth" not in {one.name for one in what_if(fleet(), estimate(fleet())).sensitivities}


def test_a_year_more_is_the_design_with_a_longer_horizon():
    spec = fleet(activity={"growth_per_month": 0.1}, gc={"kind": "never"})
    found = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}["year_more"]

    longer = estimate(spec.model_copy(update={"horizon_months": 24}))

    assert float(found.cost) == pytest.approx(float(longer.bill.total), rel=1e-3)


def test_the_limit_that_breaks_first_is_that_of_the_larger_design():
    """A day's row of one device has 86.4 events a second · 150 bytes; a hundred devices, 30 MB a row."""
    spec = fleet()
    (kind,) = estimate(spec).tables["table"].growth.kinds
    found = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}

    assert float(kind.largest_bytes[-1]) < 1_000  # a row an event
    assert found["traffic_x10"].breaks is None


def test_a_row_that_fills_with_the_traffic_is_named_with_the_multiple_at_which_it_breaks():
    day = {**time_part(), "resolution": "day", "pattern": "%Y%m%d"}
    device = {"id": "device", "name": "device", "distinct": 100, "popularity": {"kind": "uniform"}}
    spec = design(field_part("device", "#"), day, fields=(device,), per_second=200, write={"mode": "new_cell"})
    (kind,) = estimate(spec).tables["table"].growth.kinds

    found = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}["traffic_x10"]

    assert "largest row" in found.breaks
    assert found.params["room_factor"] == pytest.approx(256 * 2**20 / kind.largest_bytes[-1], rel=0.02)


# --- many tables ----------------------------------------------------------------------------------------------


def tables(count):
    data = fleet().model_dump(mode="json", exclude_unset=True)
    (table,) = data["tables"]
    data["tables"] = [json.loads(json.dumps(table).replace('"id": "', f'"id": "t{n}-')) for n in range(count)]
    return Spec.model_validate(data)


def test_tables_that_share_events_are_faster_one_by_one():
    spec = tables(2)
    found = what_if(spec, estimate(spec))
    rates = {one.at: one for one in found.sensitivities if one.name == "rate"}

    assert set(rates) == {"", "t0-table", "t1-table"}
    whole, one = (rates[at].high - rates[at].low for at in ("", "t0-table"))
    assert Decimal("0.4") * whole < one < Decimal("0.6") * whole
    alone = faster(spec, 2.0, {"t0-table"})
    assert [activity.rate_per_second for activity in alone.activities] == [1_000, 2_000]


def test_of_many_tables_the_largest_are_estimated_again_and_the_others_change_alike():
    spec = tables(TABLES_AGAIN + 2)
    found = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}["traffic_x10"]

    faster_all = estimate(faster(spec, 10.0, {table.id for table in spec.tables}))

    assert float(found.cost) == pytest.approx(float(faster_all.bill.total), rel=0.02)


def test_a_part_that_is_not_estimated_again_changes_as_the_others_do():
    now = estimate(fleet()).tables["table"]
    then = estimate(faster(fleet(), 3.0, {"table"})).tables["table"]
    year = estimate(fleet().model_copy(update={"horizon_months": 24})).tables["table"]

    assert alike(now, [now], [then]).growth.physical_bytes == pytest.approx(then.growth.physical_bytes)
    assert alike(now, [now], [then]).traffic.node_share_by_month == pytest.approx(then.traffic.node_share_by_month)
    assert alike(now, [now, now], [year, year]).growth.physical_bytes == pytest.approx(year.growth.physical_bytes)


def test_a_named_day_of_the_others_is_no_load_of_a_whole_month():
    date = estimate(fleet()).tables["table"].growth.dates[-2].isoformat()
    sale = fleet(activity={"peak_days": [{"name": "sale", "date": date, "factor": 10}]})
    now = estimate(sale).tables["table"]
    year = estimate(sale.model_copy(update={"horizon_months": 24})).tables["table"]

    # A year later the last month has no named day, and as much as now: not a tenth of it.
    changed = alike(now, [now, now], [year, year]).traffic
    for hours, later in zip(changed.accesses, year.traffic.accesses, strict=True):
        assert hours.usual_by_month[-1] == pytest.approx(later.usual_by_month[-1], rel=0.01)
        assert hours.peak_factors == later.peak_factors
    assert changed.week_node_share == pytest.approx(year.traffic.week_node_share, rel=0.01)


def test_what_cannot_be_split_changes_with_the_load():
    now = estimate(fleet()).tables["table"]
    then = estimate(faster(fleet(), 3.0, {"table"})).tables["table"]

    peaks, before = ([load.peak() for load in part.traffic.indivisible] for part in (alike(now, [now], [then]), now))
    # Three times the reads, of nearly three times the rows.
    factor = then.traffic.week_node_share.mean() / now.traffic.week_node_share.mean()
    assert factor == pytest.approx(9, rel=0.01)
    assert before
    assert peaks == pytest.approx([factor * peak for peak in before], rel=1e-6)
