"""Totals, bands and limits of demand whose answer is plain."""

import datetime
from decimal import Decimal

import numpy as np
import pytest

from estimator.engines import MiB
from estimator.kernels.pricing import compute_costs
from estimator.kernels.pricing.bigtable import bands, entity_limits, last_total, limits
from estimator.kernels.pricing.limit_headroom import Limit, first_exceeded_limit
from estimator.kernels.pricing.sensitivities import Input, rank_inputs
from estimator.price_books.shelf import load_book
from estimator.results import RowGrowth
from tests.core.kernels.pricing.parts import cluster, growth, part, spec_of, traffic


def bands_of_parts(spec, *parts):
    return {s.name: s for s in rank_inputs(bands(spec, {p.table: p for p in parts}, load_book()))}


def exceeded_limit(spec, now, then, factor=10.0):
    return first_exceeded_limit(limits(spec, {"t": now}), limits(spec, {"t": then}), factor)


def row(largest, *, before=None, events=100.0):
    """A row kind whose largest row has so many MiB at the end, and had so many half a year before."""
    sizes = np.array([0.0 if before is None else before, largest]) * MiB
    return RowGrowth(
        row_kind="k", dates=(datetime.date(2026, 7, 2), datetime.date(2027, 1, 1)), median_bytes=sizes, p99_bytes=sizes,
        largest_bytes=sizes, largest_entity="e1", bucket_seconds=None, events_per_row=events, rows=1.0, crossings=(),
    )  # fmt: skip


def test_the_input_that_moves_the_bill_most_comes_first_and_what_does_not_move_it_is_left_out():
    def asked(name, low, high):
        return Input(name, "", name, {}, Decimal(low), Decimal(high))

    found = rank_inputs([asked("a", 5, 7), asked("b", 9, 4), asked("c", 3, 3)])

    assert [(one.name, one.low, one.high) for one in found] == [("b", 4, 9), ("a", 5, 7)]


def test_compression_moves_the_bill_by_its_own_range():
    found = bands_of_parts(spec_of(clusters=[cluster(nodes=1)]), part(grown=growth(100, 100, band=(0.5, 2.0))))[
        "compression"
    ]

    assert found.high - found.low == Decimal("25.50")


def test_throughput_reaches_from_as_published_to_half_of_it():
    found = bands_of_parts(spec_of(clusters=[cluster()]), part(grown=growth(0, 0), busy=traffic(6.0, 6.0)))[
        "throughput"
    ]

    assert (found.low, found.high) == (Decimal("4745.00"), Decimal("9490.00"))


def test_without_tables_there_is_nothing_to_rank():
    spec = spec_of()

    assert list(bands(spec, {}, load_book())) == []
    assert last_total(spec, {}, load_book()) is None


def test_the_total_is_the_last_bill_or_that_with_as_many_nodes_as_are_needed():
    spec, given = spec_of(clusters=[cluster(nodes=2)]), {"t": part(grown=growth(0, 0), busy=traffic(6.0, 6.0))}

    assert last_total(spec, given, load_book()) == compute_costs(spec, given, load_book()).bills[-1].total
    assert last_total(spec, given, load_book()) == Decimal("0.65") * 730 * 2
    assert last_total(spec, given, load_book(), with_enough=True) == Decimal("0.65") * 730 * 10


# --- limits ---------------------------------------------------------------------------------------------------


def test_too_few_nodes_break_where_their_target_is_reached():
    spec = spec_of(clusters=[cluster(nodes=2)])

    found = exceeded_limit(
        spec, part(grown=growth(0, 0), busy=traffic(0.6, 0.6)), part(grown=growth(0, 0), busy=traffic(6.0, 6.0))
    )

    assert found.limit.params["needed_nodes"] == 10
    assert found.limit.at == "c1"
    assert found.headroom == pytest.approx(2)


def test_what_follows_the_need_does_not_break():
    now, then = (part(grown=growth(0, 0), busy=traffic(load, load)) for load in (0.6, 6.0))

    assert exceeded_limit(spec_of(clusters=[cluster()]), now, then) is None


def test_an_autoscaler_breaks_at_its_maximum():
    spec = spec_of(clusters=[cluster(nodes={"kind": "autoscaling", "min": 1, "max": 5})])
    now, then = (part(grown=growth(0, 0), busy=traffic(load, load)) for load in (0.6, 6.0))

    assert exceeded_limit(spec, now, then).limit.params["most_nodes"] == 5
    assert exceeded_limit(spec, now, then).headroom == pytest.approx(5)


def test_the_limit_with_the_least_room_is_named():
    now = part(grown=growth(0, 0, kinds=(row(100),)), busy=traffic(0.6, 0.6, indivisible=[{"w": 0.8}]))
    then = part(grown=growth(0, 0, kinds=(row(1000),)), busy=traffic(6.0, 6.0, indivisible=[{"w": 8.0}]))

    found = exceeded_limit(spec_of(clusters=[cluster()]), now, then)

    assert "cannot be split" in found.limit.message
    assert found.limit.params["node_share"] == pytest.approx(8.0)


def in_two_clusters(*reads):
    """A design of two clusters, each with a profile, and reads through one of them or none."""
    profiles = [{"id": f"p{n}", "routing": "single", "clusters": [f"c{n}"]} for n in (1, 2)]
    routed = [{"id": id_, "rate_per_second": 1, "app_profile": profile} for id_, profile in reads]
    tables = [{"id": "t", "row_kinds": [{"id": "k", "reads": routed}]}]
    return spec_of(tables=tables, clusters=[cluster("c1"), cluster("c2")], app_profiles=profiles)


@pytest.mark.parametrize(
    ("rows", "busiest"),
    [
        # Read in c1 at 0.4 nodes and in c2 at 0.3, and half of the third read in each: 0.1.
        ([{"r1": 0.4, "r2": 0.3, "r3": 0.2}], 0.5),
        # Writes come to both.
        ([{"r1": 0.4, "r2": 0.3, "w": 0.25}], 0.65),
        # The busiest of several rows in any cluster: 0.45 of the second in c2, and 0.4 of the first in c1.
        ([{"r1": 0.4, "r2": 0.3}, {"r2": 0.45}], 0.45),
    ],
)
def test_what_cannot_be_split_is_that_of_one_cluster(rows, busiest):
    spec = in_two_clusters(("r1", "p1"), ("r2", "p2"), ("r3", None))
    given = {"t": part(grown=growth(0, 0), busy=traffic(0.6, 0.6, indivisible=rows))}

    def used(factor=1.0):
        return [one.used for one in entity_limits(spec, given, factor) if "cannot be split" in one.message]

    assert used() == pytest.approx([busiest])
    # The largest entity ten times as large: its row is ten times as busy in that cluster.
    assert used(10.0) == pytest.approx([10 * busiest])


def test_a_row_that_keeps_its_size_does_not_break():
    now, then = (part(grown=growth(0, 0, kinds=(row(100),)), busy=traffic(load, load)) for load in (0.6, 6.0))

    assert exceeded_limit(spec_of(clusters=[cluster()]), now, then) is None


def test_a_largest_entity_ten_times_as_large_may_pass_the_row_limit():
    def ten_times(**of_row):
        given = {"t": part(grown=growth(0, 0, kinds=(row(**of_row),)), busy=traffic(0.6, 0.6))}
        spec = spec_of(clusters=[cluster()])
        return first_exceeded_limit(limits(spec, given), entity_limits(spec, given, 10.0), 10.0)

    big = ten_times(largest=30)
    assert (big.limit.params["limit_bytes"], big.limit.params["row_bytes"]) == (256 * MiB, 300 * MiB)
    assert big.limit.at == "k"
    assert ten_times(largest=20) is None
    assert ten_times(largest=100, events=1.0) is None  # a row of one event is as large as before


@pytest.mark.parametrize(
    ("now", "then", "factor", "room"),
    [
        (10, 100, 10, 5.0),  # in proportion
        (10, 1_000, 10, 50**0.5 / 10**0.5),  # with the square
        (60, 100, 10, 50 / 60),  # already beyond
        (0, 100, 10, 0.5),  # from nothing: as it is then
        (10, 100, 1, 0.5),  # a year later
    ],
)
def test_room_follows_what_is_used_from_now_to_then(now, then, factor, room):
    def used(amount):
        return [Limit("a", "too much", amount, 50.0, {})]

    assert first_exceeded_limit(used(now), used(then), factor).headroom == pytest.approx(room)
    assert first_exceeded_limit(used(now), used(50), factor) is None
