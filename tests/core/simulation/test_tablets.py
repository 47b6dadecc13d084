"""Single steps: tablets that split and merge, tablets that move, nodes that come and go, and what cannot be split."""

import numpy as np
import pytest

from designer.document.instance import Autoscaling, Cluster, FixedNodes
from estimator.engines import GiB
from estimator.kernels.capacity.nodes import SizingRule
from estimator.kernels.keys import EventDistribution, range_shares
from estimator.simulation import Parameters
from estimator.simulation.balance import move_tablets, place_tablets
from estimator.simulation.points import find_points
from estimator.simulation.scaling import scaler
from estimator.simulation.tablets import TabletRules, resplit, steady_tablets, with_cuts
from tests.contexts import plan
from tests.core.kernels.traffic.designs import design, field, of
from tests.core.simulation.designs import START, ZIPF

RULES = TabletRules(bytes=4.0 * GiB, split=0.1, merge=0.02, ways=4.0, merge_windows=3, splitting=True)
QUIET, EMPTY = np.zeros(8), np.zeros(8)


def one_tablet():
    return steady_tablets(EMPTY, QUIET, RULES)


def test_a_busy_tablet_splits_at_equal_load_into_so_many_at_most() -> None:
    load = np.array([0.05, 0.05, 0.3, 0.05, 0.05, 0.1, 0.1, 0.1])

    first = resplit(one_tablet(), load, EMPTY, EMPTY, RULES)
    last = first
    for _ in range(5):
        last = resplit(last, load, EMPTY, EMPTY, RULES)

    assert first.count(EMPTY, RULES) == 4
    assert np.add.reduceat(load, first.first).max() <= 0.35
    assert last.loads(load, EMPTY).max() <= 0.1 + 1e-9
    assert last.loads(load, EMPTY).sum() == pytest.approx(load.sum())
    assert last.pieces[2] == 3


def test_a_row_is_never_split_and_stays_whole_in_one_tablet() -> None:
    load, row = np.array([0.0, 0, 0, 0.9, 0, 0, 0, 0]), np.array([0.0, 0, 0, 0.6, 0, 0, 0, 0])

    tablets = one_tablet()
    for _ in range(8):
        tablets = resplit(tablets, load, row, EMPTY, RULES)

    loads = tablets.loads(load, row)
    assert loads.max() == pytest.approx(0.6)
    assert np.sort(loads)[-2] <= 0.1
    assert loads.sum() == pytest.approx(0.9)


def test_a_full_tablet_splits_by_its_size() -> None:
    stored = np.full(8, 2.0 * GiB)

    tablets = resplit(one_tablet(), QUIET, EMPTY, stored, RULES)

    assert tablets.first.tolist() == [0, 2, 4, 6]


def test_tablets_merge_when_they_have_long_been_cold_but_not_beyond_their_size() -> None:
    tablets = with_cuts(one_tablet(), np.arange(8))
    small, large = np.full(8, 0.1 * GiB), np.full(8, 3.0 * GiB)

    seen = []
    for _ in range(6):
        tablets = resplit(tablets, np.full(8, 0.001), EMPTY, small, RULES)
        seen.append(len(tablets.first))
    kept = with_cuts(one_tablet(), np.arange(8))
    for _ in range(6):
        kept = resplit(kept, np.full(8, 0.001), EMPTY, large, RULES)

    assert seen[:3] == [8, 8, 4]
    assert seen[-1] == 1
    assert len(kept.first) == 8


def test_nothing_moves_within_the_slack_and_the_largest_that_fits_moves_first() -> None:
    load = np.array([0.3, 0.2, 0.1, 0.1, 0.1])
    even, uneven = np.array([0, 1, 1, 1, 0]), np.array([0, 0, 0, 0, 1])

    kept, none = move_tablets(load, even, 2, slack=0.1, maximum=10)
    after, moves = move_tablets(load, uneven, 2, slack=0.1, maximum=10)

    assert none == 0
    assert kept.tolist() == even.tolist()
    assert moves == 1
    assert np.bincount(after, load).max() == pytest.approx(0.4)


def test_moving_never_makes_the_busiest_node_busier_and_leaves_nodes_that_are_gone() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        load = rng.pareto(1.5, 40) / 10
        home = rng.integers(0, 8, 40)

        stay, _ = move_tablets(load, home, 8, slack=0.05, maximum=16)
        fewer, _ = move_tablets(load, home, 5, slack=0.05, maximum=16)

        before = np.bincount(home, load, minlength=8)
        assert np.bincount(stay, load, minlength=8).max() <= before.max() + 1e-12
        assert fewer.max() < 5


def test_a_greedy_start_is_within_four_thirds_of_the_best() -> None:
    rng = np.random.default_rng(4)
    for nodes in (2, 5, 12):
        load = rng.pareto(2.5, 300)

        [home] = place_tablets([load], nodes)

        least = max(load.sum() / nodes, load.max())
        assert np.bincount(home, load, minlength=nodes).max() <= 4 / 3 * least


def autoscaled(nodes, *, step=1, load=0.5):
    rule = SizingRule(
        0.6, 2_560.0, 5_120.0, 32_768.0, min_nodes=step, max_nodes=float(getattr(nodes, "max", np.inf)), step=step
    )
    return scaler(
        Cluster(id="c", nodes=nodes), rule, needed=3.0, load=load, stored_bytes=0.0, window_seconds=900.0,
        useful_seconds=1_200.0, down_share_per_hour=0.5, down_wait_seconds=1_800.0,
    )  # fmt: skip


def test_an_autoscaler_adds_at_once_and_removes_slowly() -> None:
    nodes = autoscaled(Autoscaling(min=1, max=20))
    assert nodes.nodes == 1

    nodes.decide(0, 5.7, 0.0)
    grown = nodes.nodes, nodes.working_nodes(1), nodes.working_nodes(2)
    for window in range(1, 9):
        nodes.decide(window, 0.5, 0.0)
        if window == 2:
            soon = nodes.nodes

    assert grown == (10, 1, 10)  # 5.7 ÷ 0.6, and helpful after twenty minutes, which end within window 1
    assert soon == 8  # at most 1 - 0.5^(1/4) of them in a quarter of an hour, once half an hour has been quiet
    assert 1 <= nodes.nodes < soon


def test_an_autoscaler_keeps_to_its_bounds_its_steps_and_its_storage() -> None:
    bounded, stepped = autoscaled(Autoscaling(min=1, max=4)), autoscaled(Autoscaling(min=2, max=20), step=2)

    bounded.decide(0, 50.0, 0.0)
    stepped.decide(0, 1.3, 0.0)
    filled = autoscaled(Autoscaling(min=1, max=20))
    filled.decide(0, 0.1, 7_700 * GiB)
    cold = autoscaled(Autoscaling(min=1, max=20))
    cold.decide(0, 0.1, 7_700 * GiB, 5_200 * GiB)  # in infrequent access, which the storage target is not of

    assert cold.nodes == 1
    assert bounded.nodes == 4
    assert stepped.nodes == 4
    assert filled.nodes == 4  # 7,700 ÷ 2,560
    assert autoscaled(FixedNodes(count=7)).nodes == 7
    assert autoscaled(None).nodes == 3


def test_the_share_of_a_point_is_that_of_its_key_alone() -> None:
    days = {"kind": "time", "resolution": "day", "pattern": "%Y%m%d"}
    spec = design(
        {"kind": "hash", "fields": ["user"], "digits": 2, "after": "#"}, of("user"), days,
        fields=[field("user", 500, popularity=ZIPF)], per_second=100_000.0, write={"mode": "new_column"}, start=START,
        horizon_months=1, value_bytes=100,
    )  # fmt: skip
    made = plan(spec, Parameters())
    [flow] = made.flows
    law = made.distribution(flow, 0)

    points = find_points(made, made.tables[0])

    assert len(points) == 64
    for point in points[:5]:
        alone = range_shares(
            flow.pattern, EventDistribution(law.time.window(0), law.popularity), [point.key, point.key + b"\0"]
        )[0, 1]
        assert point.share["w"] == pytest.approx(np.full(96, alone))
        assert made.tables[0].bounds[point.place[0] - 1] <= point.key < made.tables[0].bounds[point.place[0]]
