"""What moves the bill and what breaks first, against demand whose answer is plain."""

import dataclasses
import datetime
from decimal import Decimal

import numpy as np
import pytest

from estimator.engines import MiB
from estimator.kernels.pricing import money, outlooks, sensitivities
from estimator.price_books.shelf import load_book
from estimator.results import RowGrowth
from tests.core.kernels.pricing.parts import cluster, growth, part, plan, spec_of, traffic


def ranked(spec, *parts):
    return {(s.name, s.at): s for s in sensitivities(spec, {p.table: p for p in parts}, load_book())}


def looked(spec, *parts):
    return {o.name: o for o in outlooks(spec, {p.table: p for p in parts}, load_book())}


def row(largest, *, before=None, events=100.0):
    """A row kind whose largest row has so many MiB at the end, and had so many half a year before."""
    sizes = np.array([0.0 if before is None else before, largest]) * MiB
    return RowGrowth(
        row_kind="k", dates=(datetime.date(2026, 7, 2), datetime.date(2027, 1, 1)), median_bytes=sizes, p99_bytes=sizes,
        largest_bytes=sizes, largest_entity="e1", bucket_seconds=None, events_per_row=events, rows=1.0, crossings=(),
    )  # fmt: skip


def test_the_input_that_moves_the_bill_most_comes_first():
    found = sensitivities(
        spec_of(clusters=[cluster()]),
        {"t": part(grown=growth(1000, 1000, band=(0.99, 1.01)), busy=traffic(30.0, 30.0))},
        load_book(),
    )

    widths = [s.high - s.low for s in found]
    assert widths == sorted(widths, reverse=True)
    assert found[0].name == "rate"


def test_half_and_double_the_rate_of_nodes_that_follow_the_load():
    rate = ranked(spec_of(clusters=[cluster()]), part(grown=growth(0, 0), busy=traffic(6.0, 6.0)))["rate", ""]

    assert (rate.low, rate.high) == (Decimal("0.65") * 730 * 5, Decimal("0.65") * 730 * 20)


def test_what_does_not_move_the_bill_is_left_out():
    found = ranked(spec_of(clusters=[cluster(nodes=3)]), part(grown=growth(0, 0), busy=traffic(6.0, 6.0)))

    assert found == {}


def test_bytes_there_at_the_start_do_not_move_with_the_rate():
    rate = ranked(spec_of(clusters=[cluster(nodes=1)]), part(grown=growth(100, 200)))["rate", ""]

    base = Decimal("474.50")
    # The month's average: 100 at the start, and half of 50 or of 200 more.
    assert rate.low - base == Decimal("21.25")
    assert rate.high - base == Decimal("34.00")


def test_compression_moves_the_bill_by_its_own_range():
    found = ranked(spec_of(clusters=[cluster(nodes=1)]), part(grown=growth(100, 100, band=(0.5, 2.0))))[
        "compression", ""
    ]

    assert found.high - found.low == Decimal("25.50")


def test_throughput_reaches_from_as_published_to_half_of_it():
    found = ranked(spec_of(clusters=[cluster()]), part(grown=growth(0, 0), busy=traffic(6.0, 6.0)))["throughput", ""]

    assert (found.low, found.high) == (Decimal("4745.00"), Decimal("9490.00"))


def test_growth_is_ranked_where_something_grows():
    reads = [{"id": "r", "rate_per_second": 1, "growth_per_month": 0.2}]
    tables = [{"id": "t", "row_kinds": [{"id": "k", "reads": reads}]}]
    spec = spec_of(months=2, tables=tables, clusters=[cluster()])

    found = ranked(spec, part(grown=growth(0, 0, 0), busy=traffic(6.0, 12.0, 24.0), reads=[plan()]))["growth", ""]

    # Busy nodes at the end of the last month: 24 is four times the start; half the growth is twice it, double 16 times.
    assert found.low == Decimal("0.65") * 730 * 20
    assert found.high == Decimal("0.65") * 730 * 160


def test_the_largest_tables_are_ranked_by_themselves():
    tables = [{"id": f"t{i}", "name": f"t{i}"} for i in range(6)]
    parts = [part(f"t{i}", grown=growth(0, 0), busy=traffic(3.0 * i, 3.0 * i)) for i in range(6)]

    found = ranked(spec_of(tables=tables, clusters=[cluster()]), *parts)

    assert {at for name, at in found if name == "rate"} == {"", "t5", "t4", "t3"}


def test_without_tables_there_is_nothing_to_rank():
    spec = spec_of()

    assert sensitivities(spec, {}, load_book()) == ()
    assert outlooks(spec, {}, load_book()) == ()


# --- a bigger world -------------------------------------------------------------------------------------------


def test_ten_times_the_traffic_is_priced_with_the_nodes_that_it_needs():
    found = looked(spec_of(clusters=[cluster(nodes=2)]), part(grown=growth(0, 0), busy=traffic(0.6, 0.6)))

    assert found["traffic_x10"].cost == Decimal("0.65") * 730 * 10
    assert found["traffic_x10"].params["needed_nodes"] == 10
    assert found["traffic_x10"].at == "c1"
    assert found["traffic_x10"].params["room_factor"] == pytest.approx(2)


def test_what_follows_the_need_does_not_break():
    found = looked(spec_of(clusters=[cluster()]), part(grown=growth(0, 0), busy=traffic(0.6, 0.6)))

    assert found["traffic_x10"].breaks is None


def test_an_autoscaler_breaks_at_its_maximum():
    nodes = {"kind": "autoscaling", "min": 1, "max": 5}
    found = looked(spec_of(clusters=[cluster(nodes=nodes)]), part(grown=growth(0, 0), busy=traffic(0.6, 0.6)))

    assert found["traffic_x10"].params["most_nodes"] == 5
    assert found["traffic_x10"].params["room_factor"] == pytest.approx(5)


def test_the_limit_with_the_least_room_is_named():
    given = part(grown=growth(0, 0, kinds=(row(100),)), busy=traffic(0.6, 0.6, indivisible=0.8))

    found = looked(spec_of(clusters=[cluster()]), given)

    assert "cannot be split" in found["traffic_x10"].breaks
    assert found["traffic_x10"].params["node_share"] == pytest.approx(8.0)


def test_a_largest_entity_ten_times_as_large_may_pass_the_row_limit():
    big = looked(spec_of(clusters=[cluster()]), part(grown=growth(0, 0, kinds=(row(30),)), busy=traffic(0.6, 0.6)))
    small = looked(spec_of(clusters=[cluster()]), part(grown=growth(0, 0, kinds=(row(20),)), busy=traffic(0.6, 0.6)))

    assert big["entity_x10"].params["limit_bytes"] == 256 * MiB
    assert big["entity_x10"].params["row_bytes"] == 300 * MiB
    assert big["entity_x10"].at == "k"
    assert small["entity_x10"].breaks is None


def test_rows_of_one_event_do_not_grow_with_traffic():
    given = part(grown=growth(0, 0, kinds=(row(100, events=1.0),)), busy=traffic(0.6, 0.6))

    assert looked(spec_of(clusters=[cluster()]), given)["traffic_x10"].breaks is None


def test_one_more_year_goes_on_as_before():
    spec = spec_of(months=12, clusters=[cluster(nodes=2)])
    given = part(
        grown=growth(*range(0, 130, 10), kinds=(row(200, before=150),)),
        busy=traffic(*[0.1 * 1.1**m for m in range(13)]),
    )

    found = looked(spec, given)["year_more"]

    assert "largest row" in found.breaks
    storage = Decimal(115 + 12 * 10)
    nodes = int(np.ceil(0.1 * 1.1**24 / 0.6))
    assert found.cost == Decimal("0.65") * 730 * nodes + storage * Decimal("0.17")


def test_everything_together_is_the_same_as_one_by_one():
    spec = spec_of(months=2, clusters=[cluster()])
    parts = {"t": part(grown=growth(0, 50, 90, band=(0.5, 1.5)), busy=traffic(0.5, 2.0, 5.0))}

    together = money(spec, parts, load_book())

    assert together.sensitivities == sensitivities(spec, parts, load_book())
    assert together.outlooks == outlooks(spec, parts, load_book())
    assert [b.month for b in together.bills] == [0, 1]


def test_what_if_changes_nothing_of_what_was_given():
    spec, given = spec_of(clusters=[cluster()]), part(grown=growth(10, 20), busy=traffic(1.0, 2.0))
    before = given.growth.physical_bytes.copy(), given.traffic.node_share_by_month.copy()

    money(spec, {"t": given}, load_book())

    assert (given.growth.physical_bytes == before[0]).all()
    assert (given.traffic.node_share_by_month == before[1]).all()
    assert dataclasses.is_dataclass(given)
