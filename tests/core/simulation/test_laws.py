"""What must hold of every run: λ* and nodes, salts, hashes, rows that no node count helps, and the live estimate."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from estimator.kernels.capacity.placement import TableService, place_tablets
from estimator.kernels.keys.values.zeta import zipf_sum
from estimator.results import Heat
from estimator.simulation import Parameters
from estimator.simulation.assumptions import TOLERANCE
from estimator.simulation.counting import expected_counts
from estimator.simulation.playing import play
from estimator.simulation.points import find_points
from tests.contexts import estimate, plan
from tests.core.kernels.traffic.designs import field, of
from tests.core.simulation.designs import ZIPF, run, sequence, users

HASHED = ({"kind": "hash", "fields": ["user"], "digits": 4, "after": "#"},)


def test_what_can_be_reached_never_falls_with_more_nodes() -> None:
    reachable = [
        run(users(per_second=200_000.0, popularity=ZIPF, fixed=nodes)).clusters[0].reachable for nodes in (3, 10, 40)
    ]

    assert all((more >= fewer).all() for fewer, more in pairwise(reachable))
    assert reachable[1].min() > 2 * reachable[0].min()  # the cluster is what is full
    assert reachable[2].min() == pytest.approx(reachable[1].min(), rel=0.2)  # the hottest row is


@pytest.mark.parametrize("popularity", [None, ZIPF])
def test_the_balancer_stays_within_its_tolerance_of_what_can_be_reached(popularity: object) -> None:
    cluster = run(users(per_second=150_000.0, popularity=popularity, fixed=20)).clusters[0]

    settled = slice(8, None)
    assert (cluster.reached[settled] <= cluster.reachable[settled] * (1 + 1e-9)).all()
    assert (cluster.reached[settled] * TOLERANCE >= cluster.reachable[settled]).all()


def test_a_salt_spreads_a_sequence_over_as_many_fronts() -> None:
    plain, salted = sequence(), sequence(salt=8)
    made = plan(salted, Parameters())
    fronts = [point for point in find_points(made, made.tables[0]) if point.what == "front"]

    assert len(fronts) == 8
    assert all(np.allclose(front.share["w"], 1 / 8) for front in fronts)
    first, second = run(plain), run(salted)
    assert second.clusters[0].reachable.min() == pytest.approx(8 * first.clusters[0].reachable.min(), rel=0.02)
    assert (np.count_nonzero(first.tables["t"].writes, axis=0) <= 2).all()
    assert 8 <= np.count_nonzero(second.tables["t"].writes, axis=0).min() <= 16


def test_hashing_never_lowers_the_hottest_row() -> None:
    plain, hashed = (run(users(popularity=ZIPF, lead=lead)).tables["t"].hot_keys for lead in ((), HASHED))

    assert [key.share for key in hashed] == pytest.approx([key.share for key in plain])
    assert hashed[0].text.endswith(plain[0].text)


def test_the_hottest_keys_have_the_shares_of_zipfs_law() -> None:
    keys = run(users(popularity=ZIPF)).tables["t"].hot_keys

    total = float(zipf_sum(2_000, 0.99))
    assert [key.share for key in keys] == pytest.approx([rank**-0.99 / total for rank in range(1, 21)])


def test_a_row_above_what_a_node_can_do_stays_hot_whatever_the_nodes() -> None:
    runs = [run(users(per_second=400_000.0, popularity=ZIPF, fixed=nodes)) for nodes in (40, 400)]

    row = runs[0].tables["t"].hot_keys[0].node_share
    assert row > 2
    for each in runs:
        assert (each.clusters[0].hottest > 0.98 * row).all()
        assert each.clusters[0].refused.min() > 0
        assert each.clusters[0].reachable.max() < 1.02 / row


TENANTS = field("tenant", 4, values={"kind": "pattern", "text": "t{n}"}, popularity=ZIPF)


@pytest.mark.parametrize(
    "spec",
    [users(popularity=ZIPF, fixed=4), sequence(lead=(of("tenant"),), fields=(TENANTS,), fixed=3)],
    ids=["rows", "fronts"],
)
def test_without_splits_balancing_and_chance_a_run_is_the_live_estimate(spec: object) -> None:
    made = plan(spec, Parameters(assumptions={"splitting": 0, "balancing": 0}))
    result, live = play(made, expected_counts(made)), estimate(spec)

    traffic, table = live.tables["t"].traffic, result.tables["t"]
    heat = traffic.heat
    assert table.bounds == heat.bounds
    assert np.allclose(table.node_ns / 900e9, heat.node_share, rtol=1e-5, atol=1e-6)
    assert np.allclose(table.writes / 900, heat.writes_per_second, rtol=0, atol=1e-3)
    cluster = result.clusters[0]
    assert cluster.reachable.min() == pytest.approx(live.placements[0].reachable_factor, rel=1e-3)


def test_without_splits_and_balancing_tablets_stand_where_the_live_estimate_places_them() -> None:
    spec = sequence(lead=(of("tenant"),), fields=(TENANTS,), fixed=3)
    result = run(spec, assumptions={"splitting": 0, "balancing": 0})  # drawn, so that no two tablets are equally busy

    traffic, table = estimate(spec).tables["t"].traffic, result.tables["t"]
    heat, none = traffic.heat, np.zeros(table.node_ns.shape)
    heat = Heat.from_arrays(
        heat.bounds, heat.window_starts, heat.window_seconds, heat.stored_share, none, none, table.node_ns / 900e9,
        heat.read_node_share,
    )  # fmt: skip
    counted = replace(traffic, heat=heat)
    placed = place_tablets("main", [TableService("t", counted)], 3)
    assert np.allclose(result.clusters[0].hottest, placed.utilisation.max(axis=0))
    assert result.clusters[0].moves.sum() == 0


def test_every_operation_comes_to_a_node_or_is_refused() -> None:
    crowded = users(per_second=40_000.0, fixed=1)
    once, again = run(crowded), run(crowded, retries=True)

    load = once.clusters[0].mean
    assert load.min() > 2
    assert np.allclose(once.clusters[0].refused_share, 1 - 1 / load)
    assert np.allclose(once.clusters[0].refused, once.tables["t"].writes.sum(axis=0) * (1 - 1 / load), atol=1)
    assert again.clusters[0].hottest[10] > 1.5 * once.clusters[0].hottest[10]  # what was refused comes on top
