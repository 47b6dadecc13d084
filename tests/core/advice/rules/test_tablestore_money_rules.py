"""Rules about what Tablestore refuses and bills: reservations, cold data, time to live, key columns, pages, filters."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from designer.document.key import LiteralSegment
from estimator.advice.rules import findings
from estimator.advice.rules.instance.cold_and_hot import cold_share
from estimator.advice.rules.shared.cards import BY_CARD, cards, column
from estimator.advice.rules.shared.examples import read_part
from estimator.results import BillLine, CapacityUnits, ColumnSize, Heat, PartitionLoad, UnitSide
from tests.cases import cases
from tests.core.advice.rules.made import TODAY, bill, cell, estimate, growth, plan, row_growth, row_size, traffic


def findings_of(code, spec, *, units=(), **parts):
    made = replace(estimate(spec, **parts), capacity_units=units)
    return [finding for finding in findings(spec, made, TODAY) if finding.rule == code]


def severities(code, spec, **parts):
    return [finding.severity for finding in findings_of(code, spec, **parts)]


def side(used=50.0, reserved=0.0, share=None, pays=None):
    per_second = np.array([used, used])
    return UnitSide(per_second, per_second, per_second, reserved, share, pays)


def units(*, reads=None, writes=None):
    return (CapacityUnits("table", "high_performance", reads or side(), writes or side(), ()),)


def line(item, cost):
    return BillLine(
        item=item, label="", params={}, at="table", sku=item, where="cn-hangzhou", quantity=Decimal(1), unit="",
        unit_price=None, price_source="", price_seen="", price_origin="book", cost=cost, low=cost, high=cost,
        formula="",
    )  # fmt: skip


# --- I017 ---------------------------------------------------------------------------------------------------------


def reserving(cu=1_000, **instance):
    return cards(settings={"reserved_read_cu": cu}, instance=instance)


@pytest.mark.parametrize(("share", "severity"), [(0.1555, ["warning"]), (0.156, []), (1.0, [])])
def test_a_reservation_below_break_even_is_found_and_says_what_metered_units_would_save(share, severity):
    spec = reserving()
    given = units(reads=side(reserved=1_000, share=share, pays=0.156))
    made = findings_of("I017", spec, units=given, bills=(bill(line("reserved_read", Decimal("100.00"))),))

    assert [finding.severity for finding in made] == severity
    if made:
        assert made[0].params["saving_cost"].amount == Decimal("0.32")
        assert made[0].params["pays_from_cu_per_second"] == 156


def test_without_both_prices_nobody_knows_whether_a_reservation_pays():
    assert not findings_of("I017", reserving(), units=units(reads=side(reserved=1_000, share=0.0, pays=None)))


@pytest.mark.parametrize(
    ("instance", "severity"),
    [
        ({"tablestore_type": "capacity"}, "error"),
        ({"clusters": [{"id": "c", "region": "ap-northeast-1"}]}, "warning"),
        ({"tablestore_type": "high_performance", "clusters": [{"id": "c", "region": "ap-northeast-1"}]}, None),
        ({}, None),
    ],
)
def test_reserved_throughput_needs_a_high_performance_instance(instance, severity):
    assert severities("I017", reserving(**instance), units=units()) == ([severity] if severity else [])


def test_a_table_reserves_100_000_units_at_most():
    assert [severities("I017", reserving(cu), units=units()) for cu in (100_000, 100_001)] == [[], ["error"]]


# --- I018 ---------------------------------------------------------------------------------------------------------


def heat(*ranges):
    """Ranges as pairs of stored share and load."""
    stored, load = (np.array([each[i] for each in ranges], dtype=np.float64) for i in (0, 1))
    zero = np.zeros((len(ranges), 1))
    return Heat.from_arrays((), (), 900.0, stored, zero, zero, load[:, None], zero)


def test_a_range_is_cold_below_a_twentieth_of_its_fair_load():
    assert cold_share(heat((0.5, 0.975), (0.5, 0.025))) == 0
    assert cold_share(heat((0.5, 0.976), (0.5, 0.024))) == 0.5
    assert cold_share(heat((0.5, 0.0), (0.5, 0.0))) == 0


@pytest.mark.parametrize(
    ("cold", "reserved", "partitions", "severity"),
    [(0.5, 1_000, 2, ["warning"]), (0.499, 1_000, 2, []), (0.5, 999, 2, []), (0.5, 1_000, 1, [])],
)
def test_mostly_cold_tables_with_a_high_reservation_on_several_partitions_are_found(
    cold, reserved, partitions, severity
):
    loaded = traffic(heat=heat((1 - cold, 1.0), (cold, 0.0)), partition=PartitionLoad(partitions=partitions))
    given = units(reads=side(reserved=reserved, share=1.0))

    made = findings_of("I018", cards(), units=given, traffic=loaded, growth=growth())

    assert [finding.severity for finding in made] == severity
    if made:
        assert made[0].params["cold_cu"] == 500


# --- I020 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ttl", "severity"), [(-1, []), (0, ["error"]), (86_399, ["error"]), (86_400, []), (None, [])])
def test_a_time_to_live_is_a_day_or_more_or_for_ever(ttl, severity):
    assert severities("I020", cards(settings={"ttl_seconds": ttl})) == severity


@pytest.mark.parametrize(
    ("versions", "held", "severity"),
    [(500, 500, []), (501, 500, ["note"]), (501, 500.5, ["warning"]), (501, None, ["warning"])],
)
def test_more_than_500_versions_are_a_warning_once_rows_hold_them(versions, held, severity):
    sizes = row_size(ColumnSize("amount", "family", cell(), 1.0, held)) if held is not None else None

    assert severities("I020", cards(settings={"max_versions": versions}), sizes=sizes) == severity


# --- I021 ---------------------------------------------------------------------------------------------------------


def literal(name):
    return column(name, {"id": f"{name}_part", "kind": "literal", "text": name})


def day(pattern):
    part = {"id": "day_part", "kind": "time", "resolution": "day", "pattern": pattern}
    return column("day", part, type="INTEGER")


COUNTER = column("number", type="INTEGER", auto_increment=True)


@cases(
    "columns, wrong",
    [
        (BY_CARD, 0),
        ((BY_CARD[0], literal("a"), literal("b"), literal("c")), 0),
        ((*BY_CARD, literal("a"), literal("b"), literal("c")), 1),
        ((BY_CARD[0], COUNTER), 0),
        ((COUNTER, BY_CARD[0]), 1),
        ((BY_CARD[0], COUNTER, {**COUNTER, "id": "second"}), 1),
        ((BY_CARD[0], {**COUNTER, "type": "STRING"}), 1),
        (({**BY_CARD[0], "type": "INTEGER"},), 1),
        ((BY_CARD[0], day("%Y%m%d")), 0),
        ((BY_CARD[0], day("%Y-%m-%d")), 1),
        ((BY_CARD[0], {**BY_CARD[1], "segments": (*BY_CARD[1]["segments"], literal("a")["segments"][0])}), 1),
    ],
)
def test_a_primary_key_is_one_to_four_columns_of_a_type_that_fits(columns, wrong):
    assert len(findings_of("I021", cards(*columns))) == wrong


def test_row_kinds_of_a_table_share_its_primary_key():
    spec = cards()
    (table,) = spec.tables
    (kind,) = table.row_kinds
    other = kind.model_copy(update={"id": "other", "key_columns": kind.key_columns[:1], "writes": (), "reads": ()})
    both = spec.model_copy(update={"tables": (table.model_copy(update={"row_kinds": (kind, other)}),)})

    assert [finding.at for finding in findings_of("I021", both)] == ["other"]


def test_a_row_key_that_is_not_divided_into_columns_is_found_and_no_key_at_all_is_left_to_others():
    spec = cards()
    (table,) = spec.tables
    text = LiteralSegment(id="text", text="a")

    def keyed(*key):
        kind = table.row_kinds[0].model_copy(update={"key": key, "key_columns": ()})
        return spec.model_copy(update={"tables": (table.model_copy(update={"row_kinds": (kind,)}),)})

    assert [len(findings_of("I021", each)) for each in (keyed(text), keyed())] == [1, 0]


# --- Q003, Q004 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "row_bytes", "access", "trips"),
    [
        (5_000, 100, "range", None), (5_001, 100, "range", 2), (1_024, 4_096, "prefix", None),
        (1_025, 4_096, "prefix", 2), (5_001, 100, "scan", None), (5_001, 100, "multi_point", None),
    ],
)  # fmt: skip
def test_a_range_longer_than_5000_rows_or_4_mb_takes_more_than_one_call(rows, row_bytes, access, trips):
    reads = (plan(access, rows_scanned=rows, rows_returned=rows, bytes_scanned=rows * row_bytes),)

    made = findings_of("Q003", cards(), reads=reads)

    assert [finding.params["trips"] for finding in made] == ([] if trips is None else [trips])


def test_batch_work_goes_through_its_pages_without_a_note():
    reads = (plan("range", rows_scanned=50_000.0, rows_returned=50_000.0, bytes_scanned=5e6),)

    assert not findings_of("Q003", cards(reads=(read_part(binds=("card",), latency="batch"),)), reads=reads)


def filtering_read(kept, *, used=1_000.0, per_second=10.0, **parts):
    """A read of 100 rows of 4 KiB that keeps so many."""
    reads = (plan("range", rows_scanned=100.0, rows_returned=kept, bytes_scanned=409_600.0, per_second=per_second),)
    return findings_of("Q004", cards(), reads=reads, units=units(reads=side(used=used)), **parts)


def test_a_filter_that_throws_away_half_of_the_units_is_found():
    assert [len(filtering_read(kept)) for kept in (51, 50)] == [0, 1]


@pytest.mark.parametrize(("used", "severity"), [(9_000.0, "warning"), (9_001.0, "note")])
def test_it_is_a_warning_from_a_tenth_of_the_tables_read_units(used, severity):
    (made,) = filtering_read(10, used=used)

    assert made.severity == severity
    assert made.params["wasted_cu_per_second"] == 900


def test_it_says_what_is_thrown_away_in_money_where_the_price_is_known():
    (made,) = filtering_read(10, used=1_800.0, bills=(bill(line("metered_read", Decimal("300.00"))),))
    (unpriced,) = filtering_read(10, used=1_800.0, bills=(bill(line("metered_read", None)),))
    (unrated,) = filtering_read(10, per_second=None)

    assert made.params["wasted_cost"].amount == Decimal("150.00")
    assert "wasted_cost" not in unpriced.message
    assert unrated.severity == "note"


# --- C005 ---------------------------------------------------------------------------------------------------------


def wide(count):
    named = {"id": "data", "qualifier_from": [{"id": "name_part", "kind": "time"}], "value": {"kind": "integer"}}
    one = ColumnSize("data", "family", cell(), 1.0, count)
    sizes = row_size(one)
    mean = sizes["rows"].bytes_stored
    return cards(attributes=(named,)), sizes, mean


@pytest.mark.parametrize(("count", "severity"), [(10_000, []), (10_001, ["warning"])])
def test_rows_of_more_than_10_000_attribute_columns_are_found(count, severity):
    spec, sizes, mean = wide(count)
    rows = growth(kinds=(row_growth(largest_bytes=np.array([0.0, mean])),))

    assert severities("C005", spec, sizes=sizes, growth=rows) == severity


def test_the_largest_row_counts_too():
    spec, sizes, mean = wide(5_000)
    kinds = (growth(kinds=(row_growth(largest_bytes=np.array([0.0, times * mean])),)) for times in (2.0, 2.1))

    assert [severities("C005", spec, sizes=sizes, growth=each) for each in kinds] == [[], ["warning"]]


def test_a_write_names_1024_columns_at_most():
    def sending(count):
        return cards(attributes=tuple({"id": f"c{i}", "qualifier": f"c{i}"} for i in range(count)))

    assert [severities("C005", sending(count)) for count in (1_024, 1_025)] == [[], ["error"]]
