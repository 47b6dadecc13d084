"""Tablets on nodes: greedy placement, what cannot be split, how far the load can grow."""

import datetime
from dataclasses import replace

import numpy as np
import pytest

from estimator.kernels.capacity.placement import (
    TableService,
    assign_greedily,
    first_ranges_of_tablets,
    place_tablets,
    reachable_throughput,
)
from estimator.results import Heat, IndivisibleLoad, TableTraffic
from tests.contexts import estimate
from tests.core.kernels.traffic.designs import NEWEST, design, field, of, traffic_of

MONDAY = datetime.date(2026, 12, 28)


def table(load, *, tablets=1, indivisible=()):
    load = np.asarray(load, dtype=np.float64)
    ranges, windows = load.shape
    zero = np.zeros((ranges, windows))
    heat = Heat.from_arrays((), (), 900.0, np.full(ranges, 1 / ranges), zero, zero, load, zero)
    return TableService(
        "t",
        TableTraffic(
            day=MONDAY, heat=heat, writes=(), fronts=(), hot_rows=(), leads=(), patterns=(), tablets=tablets,
            hottest_range_share=0.0, hottest_range=0, indivisible_node_share=0.0, indivisible=indivisible,
            week_node_share=np.zeros(168), node_share_by_month=np.zeros(13), read_node_share_by_month=np.zeros(13),
        ),
    )  # fmt: skip


def solid(kind, **node_share):
    return (IndivisibleLoad(kind, {access: np.array([share]) for access, share in node_share.items()}),)


def test_an_even_load_uses_all_nodes():
    placed = place_tablets("c", [table(np.full((1000, 4), 0.002), tablets=100)], 4)

    assert placed.utilisation.shape == (4, 4)
    assert placed.effective_nodes == pytest.approx(4)
    assert placed.hottest_node_share == pytest.approx(0.25)
    assert placed.peak_utilisation == pytest.approx(0.5)
    assert placed.reachable_factor == pytest.approx(2)
    assert placed.limited_by == "cluster"


def test_all_load_is_placed_once():
    load = np.random.default_rng(7).random((1024, 96)) / 300
    placed = place_tablets("c", [table(load, tablets=300)], 7)

    assert placed.utilisation.sum(axis=0) == pytest.approx(load.sum(axis=0))


def test_greedy_is_within_a_third_of_the_best():
    load = np.array([7, 6, 5, 4, 3, 3.0])
    home = assign_greedily(load, 3)

    assert np.bincount(home, load).max() <= (28 / 3) * (4 / 3)


def test_a_small_table_is_one_tablet_on_one_node():
    placed = place_tablets("c", [table(np.full((1000, 1), 5e-5))], 3)

    assert placed.hottest_node_share == 1
    assert placed.effective_nodes == pytest.approx(1)


def test_tablets_are_cut_by_size_and_where_they_are_busy_by_load():
    by_size = table(np.full((1000, 1), 1e-6), tablets=10)
    by_load = table(np.full((1000, 1), 1e-3), tablets=1)

    assert len(first_ranges_of_tablets(by_size)) == 10
    assert len(first_ranges_of_tablets(by_load)) == 10  # one busy node, a tenth each
    no_finer_than_ranges = table(np.full((1000, 1), 1e-3), tablets=10_000)
    assert len(first_ranges_of_tablets(no_finer_than_ranges)) == 1000


def test_a_hot_row_limits_however_many_nodes_there_are():
    hot = table(np.full((100, 1), 0.02), indivisible=solid("row", w=0.5))

    assert reachable_throughput([hot], 100) == (2.0, "row", "t")
    assert reachable_throughput([hot], 3)[1] == "cluster"


def test_a_front_is_told_from_a_row_and_the_worst_table_is_named():
    moving = replace(table(np.full((10, 1), 0.2), indivisible=solid("front", w=1.25)), table="moving")
    calm = table(np.full((10, 1), 0.01))

    assert reachable_throughput([calm, moving], 50) == (0.8, "front", "moving")


def test_reads_that_another_cluster_serves_do_not_count():
    here = table(np.zeros((10, 2)))
    zero = np.zeros((10, 2))
    heat = Heat.from_arrays((), (), 900.0, np.full(10, 0.1), zero, zero, zero, np.full((10, 2), 0.1))
    half = TableService("t", replace(here.traffic, heat=heat), served={"": 0.5})

    assert place_tablets("c", [half], 1).peak_utilisation == pytest.approx(0.5)


def test_no_load_reaches_any_throughput():
    placed = place_tablets("c", [table(np.zeros((10, 2)))], 2)

    assert placed.reachable_factor == float("inf")
    assert placed.peak_utilisation == 0


def test_a_load_that_wanders_keeps_one_node_busy_at_a_time():
    placed = place_tablets("c", [table(np.eye(4) * 0.5, tablets=4)], 4)

    assert placed.hottest_node_share == pytest.approx(0.25)
    assert placed.effective_nodes == pytest.approx(1)
    assert placed.peak_utilisation == pytest.approx(0.5)


@pytest.mark.parametrize(("nodes", "limited_by"), [(7, "cluster"), (8, "row")])
def test_with_zipf_the_hottest_row_limits_from_h_nodes_on(nodes, limited_by):
    """H(1000, 0.99) = 7.729 nodes' worth of load is reached when the hottest row fills one (Brooker 2023)."""
    popular = field("device", 1_000, popularity={"kind": "zipf", "theta": 0.99})
    spec = design(of("device", ""), fields=[popular], write={"mode": "overwrite"}, gc=NEWEST)
    factor, by, _ = reachable_throughput([TableService("t", traffic_of(spec))], nodes)

    assert by == limited_by
    traffic = traffic_of(spec)
    assert factor * traffic.node_share_by_month[-1] == pytest.approx(min(nodes, 7.728953), rel=1e-3)


def test_absurdly_many_nodes_take_no_memory():
    placed = place_tablets("c", [table(np.full((1000, 2), 1e-3), tablets=100)], 50_000_000)

    assert placed.nodes == 50_000_000
    assert len(placed.utilisation) == 1024
    assert placed.effective_nodes == pytest.approx(100, rel=0.05)


def test_a_hot_row_loads_only_the_clusters_that_serve_its_reads():
    """One row is read 10,000 times a second in one cluster and 100 times in the other: 1 % of the load is there.

    Both reads are alike, and one write in 1,000 s counts in both. What cannot be split was that of both in each.
    """
    profiles = [{"id": f"only_{place}", "routing": "single", "clusters": [place]} for place in ("west", "east")]
    read = {"binds": [{"field": "device"}], "time": None}
    spec = design(
        of("device", ""),
        fields=[field("device", 1)],
        per_second=0.001,
        write={"mode": "overwrite"},
        gc=NEWEST,
        reads=[
            {**read, "rate_per_second": 10_000, "app_profile": "only_west"},
            {**read, "rate_per_second": 100, "app_profile": "only_east"},
        ],
        instance={
            "clusters": [{"id": place, "region": "us-central1", "nodes": {"kind": "fixed", "count": 10}}
                         for place in ("west", "east")],
            "app_profiles": profiles,
        },
    )  # fmt: skip
    here, there = estimate(spec).placements

    assert here.limited_by == there.limited_by == "row"
    assert there.reachable_factor == pytest.approx(100 * here.reachable_factor, rel=1e-3)
    assert there.peak_utilisation == pytest.approx(here.peak_utilisation / 100, rel=1e-3)
    assert there.reachable_factor * there.peak_utilisation == pytest.approx(1, rel=1e-3)
