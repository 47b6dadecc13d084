"""What the clusters that are left have to do, by hand: writes everywhere, reads where they are routed."""

import numpy as np
import pytest

from estimator.kernels.capacity.demand import build_demand
from estimator.kernels.capacity.failover import failovers_of
from tests.core.kernels.pricing.parts import cluster, part, plan, spec_of, traffic

READ = {"id": "r", "rate_per_second": 1.0}


def failovers(*clusters, read=READ, load=4.0, read_share=0.5, profiles=(), **more):
    table = {"id": "t", "name": "t", "row_kinds": [{"id": "k", "reads": [read]}]}
    spec = spec_of(tables=[table], clusters=list(clusters), app_profiles=list(profiles))
    found = failovers_of(
        build_demand(spec, {"t": part(busy=traffic(load, load, read_share=read_share, **more), reads=(plan(),))})
    )
    return {one.cluster: (one.lost, one.automatic_nodes, one.load_nodes) for one in found}


def test_a_single_cluster_has_none():
    assert failovers(cluster("a")) == {}


def test_of_two_each_takes_all_reads_and_goes_on_writing():
    assert failovers(cluster("a"), cluster("b")) == {"a": ("b", 4.0, 4.0), "b": ("a", 4.0, 4.0)}


def test_of_three_the_two_that_are_left_share_the_reads():
    # 2 busy nodes of writes each, and half of 2 busy nodes of reads
    found = failovers(cluster("a"), cluster("b"), cluster("c"))

    assert {(automatic, whole) for _, automatic, whole in found.values()} == {(3.0, 3.0)}


def test_reads_of_one_region_go_to_the_other_when_it_is_lost():
    near = {**READ, "where": {"region": "us-west1"}}

    found = failovers(cluster("a", "us-west1"), cluster("b", "us-central1"), read=near)

    assert found == {"a": ("b", 4.0, 4.0), "b": ("a", 4.0, 4.0)}


def test_a_pinned_read_moves_only_by_hand():
    pinned = {"id": "p", "routing": "single", "clusters": ["a"]}

    found = failovers(cluster("a"), cluster("b"), read={**READ, "app_profile": "p"}, profiles=[pinned])

    assert found == {"a": ("b", 4.0, 4.0), "b": ("a", 2.0, 4.0)}


def test_work_on_data_boost_needs_no_node():
    boost = {"id": "p", "routing": "single", "clusters": ["a"], "data_boost": True}

    found = failovers(cluster("a"), cluster("b"), read={**READ, "app_profile": "p"}, profiles=[boost])

    assert found["b"] == ("a", 2.0, 2.0)


def test_the_busiest_hour_of_the_week_counts():
    week = np.full(168, 0.25)
    week[20] = 1.0

    assert failovers(cluster("a"), cluster("b"), week=week)["a"][2] == pytest.approx(4.0)
