"""Node counts that a reader can redo: load, storage, minimum, autoscaling over a week."""

import datetime
import math
from itertools import pairwise

import numpy as np
import pytest

from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import NEWEST_ONLY, design, field_part, read_part
from estimator.kernels.capacity.demand import build_demand
from estimator.kernels.capacity.failover import failovers_of, loads_after_loss
from estimator.kernels.capacity.nodes import autoscaled_nodes, nodes_of
from estimator.kernels.population.timeline import month_dates
from tests.contexts import estimate
from tests.core.kernels.pricing.parts import cluster, growth, hours, nodes_for, part, plan, spec_of, traffic


def auto(least=1, most=100, **more):
    return {"kind": "autoscaling", "min": least, "max": most} | more


def read(id="r", **more):  # noqa: A002
    return {"id": "t", "row_kinds": [{"id": "k", "reads": [{"id": id, "rate_per_second": 10} | more]}]}


def test_an_instance_without_clusters_is_computed_with_one_of_as_many_nodes_as_needed():
    found = nodes_for(spec_of(), part(grown=growth(0, 100), busy=traffic(0.0, 3.0)))

    assert [n.region for n in found] == ["us-central1"]
    assert found[0].needed_by_month[-1] == found[0].nodes_by_month[-1] == math.ceil(3 / 0.6)


def test_a_cluster_that_names_its_zone_alone_is_in_the_zones_region():
    placed = cluster() | {"region": "", "zone": "europe-west4-a"}
    found = nodes_for(spec_of(clusters=[placed]), part(grown=growth(0, 100), busy=traffic(0.0, 3.0)))

    assert [n.region for n in found] == ["europe-west4"]


def test_three_busy_nodes_at_60_percent_need_exactly_five():
    found = nodes_for(spec_of(clusters=[cluster()]), part(grown=growth(0, 1), busy=traffic(0.1 + 0.2, 3.0)))

    assert found[0].needed_by_month.tolist() == [1, 5]
    assert found[0].limited_by == "load"


def test_batch_work_alone_may_fill_nodes_to_90_percent():
    batch = nodes_for(
        spec_of(tables=[read(latency="batch")]), part(grown=growth(0, 1), busy=traffic(0.0, 9.0), reads=[plan()])
    )
    waiting = nodes_for(spec_of(tables=[read()]), part(grown=growth(0, 1), busy=traffic(0.0, 9.0), reads=[plan()]))

    assert batch[0].needed_by_month[-1] == 10
    assert waiting[0].needed_by_month[-1] == 15


def test_storage_asks_for_nodes_of_its_own():
    found = nodes_for(spec_of(clusters=[cluster()]), part(grown=growth(0, 7_000), busy=traffic(0.0, 0.1)))

    assert found[0].needed_by_month[-1] == math.ceil(7_000 / 3_072)
    assert found[0].limited_by == "storage"


def test_nodes_that_follow_the_load_bear_the_loss_of_another_cluster_and_those_set_by_hand_do_not():
    # 2 busy nodes of writes in both, 2 of reads: half each, and all of them in the one that is left
    given = part(grown=growth(0, 1), busy=traffic(0.0, 4.0), reads=[plan()])
    found = nodes_for(spec_of(tables=[read()], clusters=[cluster("c1"), cluster("c2", nodes=5)]), given)

    assert [one.load_by_month[-1] for one in found] == [3, 3]
    assert [one.needed_by_month[-1] for one in found] == [math.ceil(4 / 0.6), math.ceil(3 / 0.6)]
    assert found[0].explanation[0].value == 4


def test_twice_the_nodes_at_a_time_gives_even_counts():
    found = nodes_for(spec_of(clusters=[cluster(node_scaling=2)]), part(grown=growth(0, 1), busy=traffic(0.0, 3.0)))

    assert found[0].needed_by_month.tolist() == [2, 6]


def test_reads_count_where_they_are_routed_and_writes_everywhere():
    profiles = [{"id": "p", "routing": "single", "clusters": ["c1"]}]
    spec = spec_of(tables=[read(app_profile="p")], clusters=[cluster("c1"), cluster("c2")], app_profiles=profiles)

    found = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 6.0, read_share=0.5), reads=[plan()]))

    assert [n.load_by_month[-1] for n in found] == [6.0, 3.0]
    assert [n.needed_by_month[-1] for n in found] == [10, 5]


def test_reads_of_any_cluster_are_spread_evenly():
    spec = spec_of(tables=[read()], clusters=[cluster("c1"), cluster("c2")])

    found = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 6.0, read_share=0.5), reads=[plan()]))

    assert [n.load_by_month[-1] for n in found] == [4.5, 4.5]


def test_reads_are_served_in_the_readers_region_where_there_is_a_cluster():
    spec = spec_of(
        tables=[read(where={"region": "us-west1"})], clusters=[cluster("c1"), cluster("c2", region="us-west1")]
    )

    found = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 6.0, read_share=0.5), reads=[plan()]))

    assert [n.load_by_month[-1] for n in found] == [3.0, 6.0]


@pytest.mark.parametrize(
    ("where", "loads"),
    [
        ({"region": "europe-west2"}, [3.0, 6.0, 3.0]),  # London: Belgium is nearer than Iowa and Taiwan
        ({"zone": "europe-west1-b"}, [3.0, 6.0, 3.0]),
        ({"region": "us-west1"}, [6.0, 3.0, 3.0]),
        ({"region": "africa-south1"}, [4.0, 4.0, 4.0]),  # no cluster is in its part of the world
        ({"internet": "asia"}, [4.0, 4.0, 4.0]),
    ],
)
def test_reads_are_served_by_the_nearest_cluster_as_far_as_that_is_known(where, loads):
    regions = ("us-central1", "europe-west1", "asia-east1")
    spec = spec_of(tables=[read(where=where)], clusters=[cluster(name, region=name) for name in regions])

    found = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 6.0, read_share=0.5), reads=[plan()]))

    assert [n.load_by_month[-1] for n in found] == pytest.approx(loads)


def test_reads_through_data_boost_take_no_nodes():
    profiles = [{"id": "p", "routing": "single", "clusters": ["c1"], "data_boost": True}]
    spec = spec_of(tables=[read(app_profile="p")], clusters=[cluster("c1")], app_profiles=profiles)

    found = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 6.0, read_share=0.5), reads=[plan()]))

    assert found[0].load_by_month[-1] == 3.0


@pytest.mark.parametrize("clusters", [("c1",), ("c1", "c2")])
def test_a_read_through_data_boost_takes_nothing_off_a_read_beside_it(clusters):
    profiles = [{"id": "boost", "routing": "single", "clusters": ["c1"], "data_boost": True}]
    looked_up = read_part(id="seen", binds=("device",), rate_per_second=50_000)
    boosted = read_part(id="boosted", binds=("device",), rate_per_second=50_000, app_profile="boost")
    instance = {"clusters": [cluster(name, nodes=9) for name in clusters], "app_profiles": profiles}

    def demand(*reads):
        newest = {"write": {"mode": "overwrite"}, "gc": NEWEST_ONLY}
        spec = design(field_part("device"), per_second=10, reads=reads, instance=instance, **newest)
        return build_demand(spec, estimate(spec).tables)

    alone, beside = demand(looked_up), demand(looked_up, boosted)

    assert alone.load(0)[-1].max() > 1.0
    np.testing.assert_allclose(beside.load(0), alone.load(0), rtol=1e-12)
    assert failovers_of(beside) == failovers_of(alone)
    np.testing.assert_allclose(loads_after_loss(beside), loads_after_loss(alone), rtol=1e-12)


def test_a_cluster_for_batch_work_is_sized_by_its_hours_and_the_other_one_by_its_own():
    night = np.zeros(168)
    night.reshape(7, 24)[:, 1:5] = 1.0
    accesses = (
        hours("w", 1.0, 1.0),
        hours("lookup", 2.0, 2.0, is_write=False),
        hours("scan", 6.0, 6.0, week=night, is_write=False),
    )
    ids = {"lookup": "serving", "scan": "batch"}
    reads = [{"id": id_, "rate_per_second": 1.0, "app_profile": f"to-{to}"} for id_, to in ids.items()]
    spec = spec_of(
        tables=[{"id": "t", "row_kinds": [{"id": "k", "reads": reads}]}],
        clusters=[cluster("serving", nodes=9), cluster("batch", nodes=9)],
        app_profiles=[{"id": f"to-{to}", "routing": "single", "clusters": [to]} for to in ids.values()],
    )
    busy = traffic(9.0, 9.0, read_share=8 / 9, accesses=accesses)

    serving, batch = nodes_for(spec, part(grown=growth(0, 1), busy=busy, reads=[plan(id_) for id_ in ids]))

    # 1 of writes and 2 of lookups at every hour; 1 of writes and, from 1 to 5, 6 of the scan.
    assert serving.load_by_month[-1] == 3.0
    assert batch.load_by_month[-1] == 7.0


def test_tables_that_are_busy_at_different_hours_share_nodes():
    day, night = np.zeros(168), np.zeros(168)
    day[10::24], night[22::24] = 1, 1
    tables = [{"id": "t"}, {"id": "u"}]

    found = nodes_for(
        spec_of(tables=tables, clusters=[cluster()]),
        part("t", grown=growth(0, 1), busy=traffic(0.0, 6.0, week=day)),
        part("u", grown=growth(0, 1), busy=traffic(0.0, 6.0, week=night)),
    )

    assert found[0].load_by_month[-1] == 6.0


def test_fixed_nodes_stay_and_say_from_when_they_are_short():
    spec = spec_of(months=2, clusters=[cluster(nodes=2)])

    found = nodes_for(spec, part(grown=growth(0, 1, 2), busy=traffic(1.0, 0.9, 1.5)))[0]

    assert found.nodes_by_month.tolist() == [2, 2, 2]
    assert found.needed_by_month.tolist() == [2, 2, 3]
    assert found.short_from == datetime.date(2026, 2, 15)  # 1.2 busy nodes are as many as two may be, halfway
    assert found.short_hours_per_month == 730


def test_hours_short_are_those_of_the_weeks_shape():
    week = np.full(168, 0.1)
    week[:42] = 1.0

    found = nodes_for(
        spec_of(clusters=[cluster(nodes=2)]), part(grown=growth(0, 1), busy=traffic(0.0, 3.0, week=week))
    )[0]

    assert found.short_hours_per_month == pytest.approx(730 / 4)


def test_data_beyond_the_hard_limit_of_all_nodes_is_dated():
    spec = spec_of(months=2, clusters=[cluster(nodes=2)])

    found = nodes_for(spec, part(grown=growth(0, 10_000, 10_300), busy=traffic(0, 0, 0)))[0]

    assert found.full_from == datetime.date(2026, 2, 23)  # four fifths of February
    assert found.storage_share_by_month[1] == pytest.approx(10_000 / 10_240)


def test_an_autoscaler_has_its_own_targets_and_bounds():
    given = part(grown=growth(0, 1), busy=traffic(0.0, 6.0))

    assert nodes_for(spec_of(clusters=[cluster(nodes=auto(cpu_target=0.5))]), given)[0].nodes_by_month[-1] == 12
    capped = nodes_for(spec_of(clusters=[cluster(nodes=auto(1, 5))]), given)[0]
    assert capped.nodes_by_month[-1] == 5
    assert capped.needed_by_month[-1] == 10
    assert capped.short_from is not None


def test_an_autoscaled_month_costs_the_hours_of_its_week():
    week = np.full(168, 0.1)
    week[9:17] = 1.0

    found = nodes_for(
        spec_of(clusters=[cluster(nodes=auto())]), part(grown=growth(0, 1), busy=traffic(0.0, 6.0, week=week))
    )[0]

    hours = found.node_hours_by_month[-1] / 730 * 168
    plain = 8 * 10 + 160 * 1
    assert plain < hours <= plain + 4 + 9


def test_nodes_come_at_once_and_go_slowly():
    wanted = np.array([1.0] * 100 + [9] * 2 + [1] * 66)

    plan = autoscaled_nodes(wanted, 0.5)

    assert plan[99:106].tolist() == [1, 9, 9, 4, 2, 1, 1]


def test_a_week_runs_into_the_next():
    wanted = np.array([1.0] * 167 + [9])

    assert autoscaled_nodes(wanted, 0.5)[:4].tolist() == [4, 2, 1, 1]


def test_an_even_week_needs_no_more_than_it_asks_for():
    assert (autoscaled_nodes(np.full((3, 168), 4.0), 0.5) == 4).all()


def test_the_band_of_nodes_reaches_to_half_the_published_throughput():
    found = nodes_for(spec_of(clusters=[cluster()]), part(grown=growth(0, 1), busy=traffic(0.0, 3.0)))[0]

    assert (found.needed_low, found.needed_high) == (5, 10)


def test_the_five_lines_of_a_node_count_can_be_redone():
    found = nodes_for(spec_of(clusters=[cluster()]), part(grown=growth(0, 7_000), busy=traffic(0.0, 3.0)))[0]

    assert [a.value for a in found.explanation] == [3.0, 5.0, 3.0, 1.0, 5.0]
    assert all(a.formula.format(**a.params) for a in found.explanation)


def test_a_calibration_or_a_month_of_720_hours_is_respected():
    found = nodes_for(
        spec_of(month_hours=720, clusters=[cluster(nodes=2)]), part(grown=growth(0, 1), busy=traffic(0.0, 0.1))
    )

    assert found[0].node_hours_by_month.tolist() == [1440, 1440]


def test_infrequent_access_counts_against_the_tiered_limit():
    spec = spec_of(clusters=[cluster()])

    fast = nodes_for(spec, part(grown=growth(0, 30_000)))[0]
    tiered = nodes_for(spec, part(grown=growth(0, 30_000, infrequent_gib=[0, 28_000])))[0]

    assert fast.needed_by_month[-1] == 10
    assert tiered.needed_by_month[-1] == 1
    assert tiered.fast_share_by_month[-1] == pytest.approx(2_000 / 5_120)
    storage = tiered.explanation[2]
    assert "2,000 GiB on SSD ÷ 3,072 GiB and 30,000 GiB in total" in english(storage.formula, storage.params)


def test_what_stays_on_ssd_fills_a_node_long_before_the_tiered_limit():
    grown = growth(0, 10_000, infrequent_gib=[0, 4_000])

    found = nodes_for(spec_of(clusters=[cluster(nodes=1)]), part(grown=grown))[0]

    assert found.storage_share_by_month[-1] == pytest.approx(6_000 / 5_120)
    assert found.full_from == datetime.date(2026, 1, 27)


def january(*days_and_factors):
    return {datetime.date(2026, 1, day): factor for day, factor in days_and_factors}


def nodes_with_named_days(nodes, *days_and_factors, months=2, **more):
    """A cluster of 0.6 busy nodes of writes, with a multiple of them on days of January."""
    usual = [0.6] * (months + 1)
    written = hours("w", *usual, peak_factors=january(*days_and_factors), **more)
    busy = traffic(*usual, read_share=0.0, accesses=(written,))
    spec = spec_of(months=months, clusters=[cluster(nodes=nodes)])
    return nodes_for(spec, part(grown=growth(*[0] * (months + 1)), busy=busy))[0]


def test_a_named_peak_day_costs_an_autoscaled_cluster_one_day_and_its_way_down():
    found = nodes_with_named_days(auto(), (16, 10))

    assert found.needed_by_month.tolist() == [1, 10, 1]
    # 24 hours of 10 nodes for those of 1; half of the nodes may go in an hour, which leaves 5 and 2 of them for one
    # hour each.
    assert found.node_hours_by_month.tolist() == pytest.approx([730, 730 + 24 * 9 + 4 + 1, 730])


def test_each_named_day_of_a_month_has_the_nodes_of_its_own_load():
    found = nodes_with_named_days(auto(), (16, 10), (20, 3), (30, 0.5))

    # 10 nodes on the 16th and 3 on the 20th, which fall to 1 at once; a quiet day has the one that there is.
    assert found.node_hours_by_month[1] == pytest.approx(730 + 24 * 9 + 4 + 1 + 24 * 2)
    # From one named day to the next no node goes, so only the second has a way down.
    assert nodes_with_named_days(auto(), (20, 10), (21, 10)).node_hours_by_month[1] == pytest.approx(
        730 + 48 * 9 + 4 + 1
    )
    # More weeks with a named day than a month has: each day counts once.
    every = [(day, 3) for day in (2, 6, 13, 20, 27)]
    assert nodes_with_named_days(auto(), *every).node_hours_by_month[1] == pytest.approx(730 + 5 * 24 * 2)


def test_a_named_day_has_the_hours_of_its_weekday():
    weekdays = np.repeat([1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5], 24)

    # The 16th is a Friday, the 17th a Saturday with half of its load.
    friday, saturday = (nodes_with_named_days(auto(), (day, 10), week=weekdays) for day in (16, 17))

    assert [friday.needed_by_month[1], saturday.needed_by_month[1]] == [10, 5]


def test_named_days_of_two_tables_on_two_dates_are_not_added_up():
    spec = spec_of(clusters=[cluster()], tables=[{"id": id_, "row_kinds": [{"id": f"k{id_}"}]} for id_ in ("t", "u")])

    def nodes_of_two_tables(*days):
        parts = {
            table: part(
                table, grown=growth(0, 0),
                busy=traffic(0.6, 0.6, accesses=(hours("w" + table, 0.6, 0.6, peak_factors=january((day, 10))),)),
            )
            for table, day in zip("tu", days, strict=True)
        }  # fmt: skip
        return nodes_of(spec, build_demand(spec, parts))[0].needed_by_month[1]

    assert nodes_of_two_tables(16, 16) == 20
    # 6 busy nodes of one and 0.6 of the other, at 60 %.
    assert nodes_of_two_tables(16, 20) == 11


def test_a_named_day_of_a_load_that_ends_is_one_day_of_those_before_its_end():
    ends = {"running": (0.6, 0.6, 0.0), "ends_on": datetime.date(2026, 1, 21)}
    written = hours("w", 0.6, 0.0, 0.0, peak_factors=january((6, 10), (27, 10)), **ends)
    busy = traffic(0.6, 0.6, 0.0, read_share=0.0, accesses=(written,))
    found = nodes_for(spec_of(months=2, clusters=[cluster(nodes=auto())]), part(grown=growth(0, 0, 0), busy=busy))[0]

    assert found.node_hours_by_month[1] == pytest.approx(730 + 24 * 9 + 4 + 1)


def ending(nodes, ends_on="2026-01-11"):
    """A cluster of which 6 busy nodes of writes end within the first of two months."""
    spec = spec_of(
        months=2, clusters=[cluster(**({"nodes": nodes} if nodes else {}))],
        tables=[{"id": "t", "row_kinds": [{"id": "k", "writes": [{"id": "w", "activity": "a"}]}]}],
        activities=[{"id": "a", "rate_per_second": 1, "ends_on": ends_on}],
    )  # fmt: skip
    written = hours("w", 6.0, 0.0, 0.0, running=(6.0, 6.0, 0.0), ends_on=datetime.date.fromisoformat(ends_on))
    busy = traffic(6.0, 6.0, 0.0, read_share=0.0, accesses=(written,))
    return nodes_for(spec, part(grown=growth(0, 0, 0), busy=busy))[0]


def test_a_load_that_ends_needs_its_nodes_in_the_month_of_its_end():
    assert ending(None).needed_by_month.tolist() == [10, 10, 1]
    # Ten days of ten nodes, then one.
    assert ending(auto()).node_hours_by_month[1:].tolist() == pytest.approx([240 * 10 + 490, 730])


def test_nodes_are_short_in_the_hours_until_a_load_ends():
    short = ending(4)

    assert short.short_from == datetime.date(2026, 1, 1)
    assert short.short_hours_per_month == pytest.approx(240)


def test_nodes_are_short_on_the_named_peak_day_alone():
    found = nodes_with_named_days({"kind": "fixed", "count": 4}, (8, 3), (16, 10), (20, 2), months=3)

    # 4 nodes may have 2.4 busy ones; 6 on the 16th, and 1.8 and 1.2 on the others.
    assert found.short_from == datetime.date(2026, 1, 16)
    assert found.short_hours_per_month == pytest.approx(24)


def test_a_month_in_which_the_load_or_the_bytes_fall_has_the_nodes_of_its_beginning():
    spec = spec_of(clusters=[cluster()])

    load = nodes_for(spec, part(grown=growth(0, 0), busy=traffic(6.0, 0.6, accesses=(hours("w", 6.0, 0.6),))))[0]
    bytes_ = nodes_for(spec, part(grown=growth(9_000, 10), busy=traffic(0.0, 0.0)))[0]
    passing = nodes_for(spec, part(grown=growth(0, 0, passing_bytes=np.array([5_000 * 2.0**30]))))[0]

    assert load.needed_by_month.tolist() == [10, 10]
    assert bytes_.needed_by_month.tolist() == [3, 3]  # 9,000 ÷ 3,072
    assert passing.needed_by_month.tolist() == [1, 2]  # 5,000 ÷ 3,072


def test_nodes_are_billed_by_the_hours_of_each_month_of_the_calendar_where_that_is_chosen():
    spec = spec_of(month_hours="calendar", clusters=[cluster(nodes=2)])
    (there,) = nodes_for(spec, part(grown=growth(0, 1), busy=traffic(0.0, 0.1)))
    first, *months = there.node_hours_by_month / 2
    dates = month_dates(spec)

    assert months == [(after - before).days * 24 for before, after in pairwise(dates)]
    assert first == months[0]
    assert {672.0, 720.0, 744.0} >= set(months)


def quarters(*busy_quarters):
    """A week of quarters of an hour, of which some are busy each night from 02:00 on."""
    week = np.zeros((7, 24, 4))
    week[:, 2, busy_quarters] = 1.0
    return week.ravel()


def nodes_with_two_batches(nodes, **more):
    """A cluster on which a batch of 6 busy nodes runs from 02:00 to 02:15, and one of 3 from 02:30 to 02:45."""
    accesses = (hours("w", 6.0, 6.0, week=quarters(0)), hours("v", 3.0, 3.0, week=quarters(2), **more))
    busy = traffic(6.0, 6.0, read_share=0.0, accesses=accesses)
    spec = spec_of(clusters=[cluster(**({"nodes": nodes} if nodes else {}))])
    return nodes_for(spec, part(grown=growth(0, 0), busy=busy))[0]


def test_two_batches_in_different_quarters_of_an_hour_need_the_nodes_of_the_larger_one():
    assert nodes_with_two_batches(None).load_by_month.tolist() == [6, 6]
    # 6 ÷ 60 %; the sum of both would need 15.
    assert nodes_with_two_batches(None).needed_by_month.tolist() == [10, 10]


def test_an_autoscaled_cluster_bills_the_most_nodes_of_an_hour_and_then_its_way_down():
    found = nodes_with_two_batches(auto())

    # Each night one hour of 10 nodes, one of 5 and one of 2, for those of 1.
    assert found.node_hours_by_month[1] == pytest.approx(730 + 730 / 24 * (9 + 4 + 1))


def test_nodes_are_short_while_a_batch_runs_and_not_for_its_whole_hour():
    # 6 nodes may have 3.6 busy ones: enough for the batch of 3.
    found = nodes_with_two_batches({"kind": "fixed", "count": 6})

    assert found.short_hours_per_month == pytest.approx(730 / 24 / 4)


def test_a_named_day_of_one_batch_leaves_the_quarter_of_another_as_it_is():
    # Three times the 3 busy nodes of the second batch on one night: 9, beside which the first has gone.
    found = nodes_with_two_batches(None, peak_factors=january((16, 3)))

    assert found.load_by_month.tolist() == [6, 9]
    assert found.needed_by_month.tolist() == [10, 15]
