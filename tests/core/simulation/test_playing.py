"""What changes in time: tablets of a new table, nodes that come late, a month of growth; and what is said of it."""

import datetime
import re

import numpy as np
import pytest

from designer.document.key import as_bytes
from designer.examples import example
from designer.wording.formatting import english
from estimator.advice.rules import RULES
from estimator.simulation import Parameters
from estimator.simulation.splits import propose_splits
from tests.contexts import plan
from tests.core.kernels.traffic.designs import design, field, of
from tests.core.kernels.traffic.test_partitions import TIME as TIME_COLUMN
from tests.core.kernels.traffic.test_partitions import cards
from tests.core.kernels.traffic.test_partitions import of as column
from tests.core.simulation.designs import START, ZIPF, run, sequence, users

HASHED = ({"kind": "hash", "fields": ["user"], "digits": 4, "after": "#"},)


def said(result) -> list[str]:
    return [english(each.message, each.params) for each in result.diagnoses]


def split_at(spec, keys):
    """The design with these split keys."""
    return spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"split_keys": tuple(keys)}),)})


def test_two_clusters_that_fare_alike_do_not_say_one_sentence_twice() -> None:
    one = users(lead=HASHED, per_second=70_000.0)
    (first,) = one.instance.clusters
    twins = (first, first.model_copy(update={"id": "twin", "name": "twin"}))

    found = said(
        run(one.model_copy(update={"instance": one.instance.model_copy(update={"clusters": twins})}), from_day=0)
    )

    assert [each.split(" starts")[0] for each in found].count("The new table “t”") == 1
    assert len(set(found)) == len(found)


def test_a_new_table_is_one_tablet_until_it_has_split_and_split_keys_spare_it_that() -> None:
    new = users(lead=HASHED, per_second=70_000.0)
    first = run(new, from_day=0)
    keys = [each.text for each in first.tables["t"].split_keys.keys]

    again = run(split_at(new, keys), from_day=0)

    assert first.tables["t"].tablets[0] == 1
    assert first.clusters[0].hottest[0] > 4 > 1 > first.clusters[0].hottest[8]
    assert "The new table “t” starts as one tablet." in said(first)[-1]
    assert len(keys) == 9
    assert again.tables["t"].tablets[0] == 10
    assert again.clusters[0].hottest[0] < 0.5
    assert again.clusters[0].refused.sum() == 0


def test_split_keys_cut_the_first_week_into_equal_parts() -> None:
    made = plan(users(lead=HASHED, popularity=ZIPF), Parameters())

    for wanted in (3, 16):
        splits = propose_splits(made, "t", wanted)
        shares = [splits.first_share, *(each.share for each in splits.keys)]
        assert wanted - 1 <= len(splits.keys) <= wanted  # the hottest user may fill two parts, and is not split
        assert min(shares) > 0
        assert sum(shares) == pytest.approx(1)
        assert max(shares) < 1.15 * max(1 / (wanted + 1), 0.13)
        assert splits.helpful
        assert [as_bytes(each.text) for each in splits.keys] == [each.key for each in splits.keys]
        assert all(len(each.key) <= 4 for each in splits.keys)  # no longer than they must be


def test_a_month_has_ranges_for_rows_that_are_gone_before_its_end() -> None:
    (table,) = plan(sequence(gc={"kind": "max_age", "age_days": 5}), Parameters(kind="month")).tables

    assert len(table.bounds) == 1023
    assert table.stored_share[:500].sum() < 1e-6 < table.stored_share[-200:].min()


def test_splits_do_not_spread_a_growing_end() -> None:
    for salt, helpful in ((0, False), (8, True)):
        made = plan(sequence(salt=salt), Parameters())

        splits = propose_splits(made, "t", 7)

        assert splits.helpful == helpful
        assert max(each.write_share for each in splits.keys) < 0.2  # over the whole week they do


@pytest.mark.parametrize(("date", "is_helpful"), [("%Y%m%d", False), ("%d%m%Y", False), ("%Y%m", True)])
def test_a_split_within_one_day_spreads_that_day_alone(date: str, is_helpful: bool) -> None:
    """One split key halves the week, within the users of its middle day; of a month it halves all writes."""
    day = {"kind": "time", "resolution": "day", "pattern": date, "after": "#"}
    spec = design(
        day, of("user", after="#"), {"kind": "time"}, fields=[field("user", 2_000)], per_second=40_000.0,
        value_bytes=300, start=START, horizon_months=1,
    )  # fmt: skip

    assert propose_splits(plan(spec, Parameters()), "t", 1).helpful is is_helpful


def test_split_keys_are_no_more_than_a_table_is_created_with_and_begin_with_what_there_is() -> None:
    order = field("order", 864_000_000, kind="integer", values={"kind": "range", "min": 1, "max": 10**12 - 1},
                  growth_per_day=864_000_000, assigned="sequential", lifetime_days=30)  # fmt: skip
    made = plan(
        design(of("order", transforms=[{"kind": "pad", "width": 12}], after=""), fields=[order], per_second=10_000.0,
               value_bytes=2_000, start=START, horizon_months=2, table={"history_months": 12}),
        Parameters(),
    )  # fmt: skip

    keys = [each.text for each in propose_splits(made, "t").keys]

    assert len(keys) == 100
    assert all(re.fullmatch("00[0-9]+", key) for key in keys)  # ids of one day and a week, and none below the first


def test_a_seldom_scan_that_fills_all_nodes_is_named() -> None:
    scan = {"id": "r", "name": "All users", "rate_per_second": 1e-4, "binds": []}
    nodes = {"kind": "fixed", "count": 2}
    many = [{"id": f"c{n}", "region": region, "nodes": nodes} for n, region in enumerate(("us-central1", "us-east1"))]
    asked = users(per_second=2_000.0, lead=HASHED, distinct=2_000_000_000, reads=[scan])
    asked = type(asked).model_validate({**asked.model_dump(), "instance": {"clusters": many}})

    once, alone = run(asked, assumptions={"scan_nodes": 100}), run(asked)
    found = [each for each in once.diagnoses if each.rule == "I006" and each.severity == "error"]

    # one request after the other keeps one of the two nodes busy for hours, and walks through the keys meanwhile
    assert [each for each in alone.diagnoses if each.rule == "I006" and each.severity == "error"] == []
    assert alone.clusters[0].refused.sum() == 0 < once.clusters[0].refused.sum()
    crowded = type(asked).model_validate({**asked.model_dump(), "instance": {"clusters": [many[0]]}})
    assert any("passes from node to node" in each for each in said(run(crowded)))
    assert alone.clusters[0].mean.max() < 0.8 < 2.5 < once.clusters[0].mean.max()
    assert alone.tables["t"].node_ns.sum() == once.tables["t"].node_ns.sum()
    assert found
    assert {each.at for each in found} == {"r"}
    assert "One “All users” alone uses a node for 2.66 hours." in english(found[0].message, found[0].params)


def test_nodes_of_an_autoscaler_help_twenty_minutes_late() -> None:
    profile = {"kind": "batch", "start_hour": 2, "hours": 4}
    scaled = users(
        per_second=3_000.0, lead=HASHED, activity={"profile": profile}, gc={"kind": "max_age", "age_days": 1}
    )
    nodes = {"kind": "autoscaling", "min": 1, "max": 10}
    clusters = [{"id": "main", "region": "us-central1", "nodes": nodes}]
    result = run(type(scaled).model_validate({**scaled.model_dump(), "instance": {"clusters": clusters}}))

    cluster = result.clusters[0]
    assert cluster.nodes[:9].max() < cluster.nodes[9]  # the batch begins in window 8, nodes come after it
    assert cluster.working[9] == cluster.working[8]  # and help two windows later
    assert cluster.working[10] == cluster.nodes[10] == cluster.nodes[9]
    assert cluster.nodes[24] > cluster.nodes[40]  # after the batch they go
    assert any("rises faster than nodes are added" in text for text in said(result))


def test_a_row_that_is_too_hot_is_said_with_its_rule_and_its_write() -> None:
    result = run(users(per_second=400_000.0, popularity=ZIPF, fixed=40))

    worst = result.diagnoses[0]
    text = said(result)[0]
    assert (worst.severity, worst.rule, worst.at) == ("error", "K014", "w")
    assert "12\u00a0% of writes go to one of 40 nodes from 00:00 to 24:00." in text
    assert (worst.first_window, worst.last_window) == (0, 95)
    key = result.tables["t"].hot_keys[0].key
    assert worst.first_range <= sum(bound <= key for bound in result.tables["t"].bounds) <= worst.last_range
    assert any("A row cannot be split" in each for each in said(result))


def test_the_largest_row_is_shown_where_its_entity_is_although_all_rows_are_alike() -> None:
    result = run(users())

    (told,) = [each for each in result.diagnoses if each.rule == "R001"]
    entity = str(told.params["entity"]).encode()
    assert told.first_range == sum(bound <= entity for bound in result.tables["t"].bounds) > 0


def test_a_scan_that_is_most_of_the_load_is_told_of_beside_the_hot_node() -> None:
    hour = {"id": "hour", "name": "An hour", "binds": [{"field": "user"}], "time": {"days": 1 / 24}}
    spoken = {
        rate: run(sequence(fixed=3, reads=[{**hour, "rate_per_second": rate}])).diagnoses for rate in (0.02, 0.005)
    }

    (told,) = [each for each in spoken[0.02] if each.at == "hour"]
    assert (told.rule, told.severity) == ("Q002", "warning")
    assert re.match(r"“An hour” causes \d\d\u00a0% of the load at 1,730 a day\.", english(told.message, told.params))
    assert not any(each.at == "hour" for each in spoken[0.005])


def test_a_growing_end_is_said_with_its_segment() -> None:
    whole, parts = run(sequence()), run(sequence(salt=2))

    assert (whole.diagnoses[0].rule, whole.diagnoses[0].at) == ("K004", "s0")
    assert re.match("9[0-9]\u00a0% of writes go to one of 10 nodes from 00:00 to 24:00", said(whole)[0])  # it moves on
    assert (parts.diagnoses[0].rule, parts.diagnoses[0].at) == ("K026", "s1")
    assert {each.rule for result in (whole, parts) for each in result.diagnoses} - {""} <= set(RULES)
    assert whole.tables["t"].patterns[0].name == "sequential"
    assert whole.tables["t"].patterns[0].at == "s0"


def test_a_growing_end_is_the_cause_although_it_has_just_gone_on_to_the_next_range() -> None:
    worst = run(example("timestamp-first").spec, assumptions={"balancing": 0}).diagnoses[0]

    assert (worst.rule, worst.severity) == ("K004", "error")


def test_a_partition_key_value_is_never_split_and_takes_what_the_service_allows() -> None:
    shops = run(cards(column("shop"), TIME_COLUMN, per_second=60_000.0))
    times = run(cards(TIME_COLUMN, column("card"), per_second=60_000.0))
    spread = run(cards(column("card"), TIME_COLUMN, per_second=60_000.0))

    service = shops.clusters[0]
    assert np.allclose(service.hottest, 1.5, rtol=0.01)  # a quarter of 60,000 writes, of the 10,000 that one may take
    assert np.allclose(service.refused_share, 0.25 / 3, rtol=0.03)
    assert (shops.diagnoses[0].rule, shops.diagnoses[0].at) == ("K013", "shop-s")
    assert (times.diagnoses[0].rule, times.diagnoses[0].at) == ("K004", "time-s")
    assert times.clusters[0].reachable.max() < 0.17
    assert [each.severity for each in spread.diagnoses] == ["note"]
    assert spread.tables["t"].split_keys.keys == ()
    assert spread.tables["t"].labels[5].startswith("(0000")
    assert (np.diff(spread.tables["t"].tablets) >= 0).all()


def test_a_load_in_key_order_is_said_to_be_one() -> None:
    arrival = {"kind": "backfill", "days": 10, "sorted": True}
    result = run(users(lead=HASHED, activity={"arrival": arrival}, gc={"kind": "max_versions", "versions": 1}))

    first = result.diagnoses[0]
    assert (first.rule, first.at) == ("I019", "w")
    last = result.diagnoses[-1]
    assert (last.severity, last.at) == ("note", "a")
    assert re.search(r"assumes .*/s for the whole period, with one pass through all keys per day\.", said(result)[-1])
    assert result.clusters[0].reachable.max() < 0.45
    assert (np.diff(result.tables["t"].writes.argmax(axis=0)) >= 0).all()


def test_a_quiet_day_is_said_to_be_one() -> None:
    result = run(users(lead=HASHED, per_second=100.0, gc={"kind": "max_versions", "versions": 1}))

    assert re.fullmatch(
        r"No node of main is overloaded: the hottest of 10 nodes reaches at most .*\u00a0% utilisation, at .*\.",
        *said(result),
    )
    assert result.diagnoses[0].severity == "note"


@pytest.fixture(scope="module")
def month():
    """Orders that are counted up, ten a second."""
    order = field("order", 1_000_000, kind="integer", assigned="sequential", growth_per_day=864_000)
    spec = design(
        of("order", after="", transforms=[{"kind": "pad", "width": 12}]), fields=[order], per_second=10.0,
        value_bytes=20_000, start=START, horizon_months=3, gc={"kind": "never"},
    )  # fmt: skip
    return run(spec, kind="month", from_day=0)


def test_a_month_sees_sequences_advance_and_data_grow(month) -> None:
    table = month.tables["t"]

    assert len(month.window_starts) == 720
    assert month.window_starts[-1] == datetime.datetime(2026, 2, 3, 23, tzinfo=datetime.UTC)
    at = table.writes.argmax(axis=0)
    assert (np.diff(at) >= 0).all()
    assert at[-1] - at[0] > 900
    days = table.days
    assert len(days.dates) == 30
    assert (np.diff(days.rows) > 800_000).all()
    assert days.rows[-1] == pytest.approx(30 * 864_000, rel=1e-3)
    assert (np.diff(days.physical_bytes) > 0).all()
    assert table.tablets[0] == 1 < table.tablets[-1]
    assert sum(days.stored_bytes.values())[-1] > 25e6 * 20_000


def test_any_day_of_a_month_is_played_at_fifteen_minutes() -> None:
    shown = users(activity={"growth_per_month": 1.0}, per_second=1_000.0)

    first, later = run(shown, from_day=0), run(shown, from_day=28)

    assert later.window_starts[0] == datetime.datetime(2026, 2, 2, tzinfo=datetime.UTC)
    assert first.events == pytest.approx(86_400_000, rel=1e-3)
    assert later.events == pytest.approx(86_400_000 * 2 ** (28 / 30.4375), rel=1e-3)


OFFICE = {"kind": "office", "start_hour": 8, "end_hour": 18, "rest_share": 0.0}


def test_a_simulated_day_stores_what_is_written_on_it_not_the_mean_of_its_month():
    once = run(users(per_second=20_000.0, distinct=1_000_000), from_day=0).tables["t"].days
    filled = run(sequence(per_second=20_000.0, gc={"kind": "max_age", "age_days": 3}), from_day=0).tables["t"].days

    assert [(date - once.dates[0]).days for date in once.dates] == [0, 1]
    assert once.rows == pytest.approx([0, 1_000_000])
    assert filled.rows == pytest.approx([0, 20_000 * 86_400])


@pytest.mark.parametrize(("day", "share"), [(0, 7 / 5), (6, 0.0)])
def test_a_simulated_sunday_is_no_mean_day(day, share):
    spec = sequence(per_second=100.0, activity={"profile": OFFICE}, gc=None)
    rows = run(spec, from_day=day).tables["t"].days.rows

    assert rows[1] - rows[0] == pytest.approx(share * 100 * 86_400)
