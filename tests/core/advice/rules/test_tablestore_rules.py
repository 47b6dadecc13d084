"""R007 and R008 on figures made by hand, and what K002, K005, Q001 and K007 say of Tablestore designs."""

import datetime

import numpy as np
import pytest

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import RULES
from estimator.advice.rules.shared.examples import (
    DEVICE,
    field_part,
    key_column,
    read_part,
    tablestore_design,
    time_part,
)
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.results import ColumnFacts, PartitionLoad
from tests.core.advice.rules.asked import found, severities
from tests.core.advice.rules.made import front, growth, plan, row_growth, segment, traffic
from tests.core.advice.rules.pipeline import worst

GiB = 2**30
TILL = {**DEVICE, "id": "till", "name": "till", "belongs_to": "shop", "values": {"kind": "pattern", "text": "t{n:04}"}}
SHOP = {**DEVICE, "id": "shop", "name": "shop", "distinct": 40}
ORDER = {
    **DEVICE, "id": "order", "name": "order", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 10**12},
    "assigned": "sequential", "growth_per_day": 1e6, "popularity": {"kind": "latest"},
}  # fmt: skip
TIME = key_column("time", time_part(), type="INTEGER")
OF_TILL = read_part(binds=("till",), time={"days": 1})


def sales(*lead, reads=(OF_TILL,), **settings):
    return tablestore_design(key_column("lead", *lead), TIME, fields=(SHOP, TILL, DEVICE), reads=reads, **settings)


def on_one_value(**more):
    return traffic(partition=PartitionLoad(hottest="t0001", largest="t0007", **more))


# --- R007 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "expected"), [(10 * GiB + 1, ["warning"]), (10 * GiB, []), (GiB, [])])
def test_a_partition_key_value_warns_above_ten_gigabytes(held, expected):
    made = on_one_value(largest_bytes=float(held), largest_share=0.5)

    assert severities(sales(field_part("till")), "R007", traffic=made, growth=growth()) == expected


def test_the_day_on_which_it_passes_lies_within_its_month():
    dates = tuple(datetime.date(2026, month, 1) for month in (1, 2, 3))
    grown = growth(dates=dates, physical_bytes=np.array([0.0, 10.0, 30.0]) * GiB)
    made = on_one_value(largest_bytes=15.0 * GiB, largest_share=0.5)

    (finding,) = found(sales(field_part("till")), "R007", traffic=made, growth=grown)

    assert finding.params["date"] == datetime.date(2026, 2, 15)  # 20 GiB in all, the middle between 10 and 30
    assert "Rows with t0007 in the partition key lead of events exceed 10 GiB on 15 Feb 2026." in english(
        finding.message, finding.params
    )


def test_a_value_of_a_day_exceeds_the_limit_in_its_day_and_no_other_date_is_said():
    made = on_one_value(largest_bytes=15.0 * GiB, largest_share=0.5)
    day = {**time_part(), "id": "day", "pattern": "%Y%m%d", "resolution": "day"}

    (finding,) = found(sales(day), "R007", traffic=made, growth=growth())

    said = english(finding.message, finding.params)
    assert (
        "Rows with one value in the partition key lead of events exceed 10 GiB: those with t0007 reach 15 GiB." in said
    )
    assert finding.params["date"] is None


def shops(*later):
    asked = (read_part(binds=("shop", "till"), time={"days": 1}),)
    return tablestore_design(
        key_column("lead", field_part("shop")), *later, TIME, fields=(SHOP, TILL, DEVICE), reads=asked
    )


def test_a_further_column_that_readers_know_is_offered_where_it_separates():
    spec = shops(key_column("till", {**field_part("till"), "id": "till_second"}))
    facts = (segment("shop_part", distinct=40.0), segment("till_second", distinct=1_000.0))
    made = on_one_value(largest_bytes=100.0 * GiB)

    (finding,) = found(spec, "R007", facts=facts, traffic=made, growth=growth())
    mended, _ = apply(spec, finding.fix)

    assert [s.field for s in mended.tables[0].row_kinds[0].key_columns[0].segments] == ["shop", "till"]
    (still_large,) = found(spec, "R007", facts=facts, growth=growth(), traffic=on_one_value(largest_bytes=300.0 * GiB))
    assert still_large.fix is None  # a shop has 25 tills
    assert found(shops(), "R007", facts=facts[:1], traffic=made, growth=growth())[0].fix is None


# --- R008 -----------------------------------------------------------------------------------------------------


def useless(spec, **more):
    return severities(spec, "R008", traffic=on_one_value(**more))


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ({"per_second": 1_000.0}, "warning"),
        ({"largest_bytes": 10.0 * GiB}, "warning"),
        ({"per_second": 999.0, "largest_bytes": 9.9 * GiB}, "note"),
    ],
)
def test_what_the_first_field_determines_separates_nothing(load, expected):
    assert useless(sales(field_part("till", ","), field_part("shop")), **load) == [expected]


def test_a_twentieth_more_values_are_enough():
    def receipts(distinct):
        printer = {**DEVICE, "id": "printer", "name": "printer", "belongs_to": "till", "distinct": distinct}
        lead = key_column("lead", field_part("till", ","), field_part("printer"))
        return tablestore_design(lead, TIME, fields=(SHOP, TILL, printer), reads=(OF_TILL,))

    assert useless(receipts(1_050), per_second=5_000.0) == []
    assert useless(receipts(1_049), per_second=5_000.0) == ["warning"]


def test_what_really_differs_is_quiet():
    month = {**time_part(resolution="month", pattern="%Y%m"), "id": "month_part"}
    for lead in (
        (field_part("shop", ","), field_part("till")),
        (field_part("till", ","), field_part("device")),
        (field_part("till"), field_part("shop"), month),
    ):
        assert useless(sales(*lead), per_second=5_000.0) == []
    assert useless(sales(field_part("till")), per_second=5_000.0) == []


# --- K002 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("longest", "expected"), [(1_024, []), (1_025, ["error"])])
def test_each_column_of_text_holds_a_kilobyte(longest, expected):
    columns = (
        ColumnFacts("lead_column", "lead", "STRING", ("till_part",), 1, 40.0, longest),
        ColumnFacts("time_column", "time", "INTEGER", ("time_part",), 8, 8.0, 8),
    )

    assert severities(sales(field_part("till")), "K002", columns=columns) == expected


# --- messages and fixes in the words of partitions -------------------------------------------------------------


def test_a_counted_partition_key_gets_a_hash_before_it():
    asked = (read_part(binds=("order",)),)
    spec = tablestore_design(
        key_column("order", field_part("order"), type="INTEGER"), TIME, fields=(ORDER,), reads=asked
    )
    made = traffic(fronts=(front("order_part", 0.2, per_second=2_000.0),))

    (finding,) = found(spec, "K005", facts=(segment("order_part", "sequence"),), traffic=made)
    mended, _ = apply(spec, finding.fix)

    column = mended.tables[0].row_kinds[0].key_columns[0]
    assert (column.type, [s.kind for s in column.segments]) == ("STRING", ["hash", "field"])
    assert key_summary(compile_pattern(mended, "rows")).samples
    assert "in one partition" in english(finding.message, finding.params)


def test_a_scan_is_told_in_capacity_units():
    scanned = plan("scan", rows_scanned=1e6, node_seconds=0.02, per_second=10.0)

    (finding,) = found(sales(field_part("till")), "Q001", reads=(scanned,), traffic=traffic())

    assert "At 10/s, that uses 2,000 CU/s, 40\u00a0% of the table's load." in english(finding.message, finding.params)


def test_a_number_that_the_service_counts_is_never_given_twice():
    asked = (read_part(binds=("device",), newest_rows=5, reverse=True),)
    counted = {"id": "seq_column", "name": "seq", "type": "INTEGER", "auto_increment": True}
    spec = tablestore_design(key_column("device", field_part("device")), counted, per_second=50_000, reads=asked)

    assert worst(spec, "K012") is None


@pytest.mark.parametrize(("node_share", "expected"), [(1.0, ["warning"]), (0.999, ["note"]), (0.09, [])])
def test_ten_thousand_capacity_units_on_one_value_warn_with_few_operations(node_share, expected):
    made = on_one_value(per_second=50.0, node_share=node_share)

    assert severities(sales(field_part("till")), "K013", traffic=made) == expected


def test_what_hurts_is_told_in_operations_of_that_weight():
    (finding,) = found(
        sales(field_part("till")), "K013", traffic=on_one_value(per_second=400.0, node_share=2.0, share=0.1)
    )

    said = english(finding.message, finding.params)
    assert "(400/s, 20,000 CU/s)" in said
    assert "The threshold is 200/s per value." in said


def test_rules_for_tablestore_say_so():
    assert RULES["R007"].engines == RULES["R008"].engines == ("tablestore",)


# --- F011 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "asked", "mode", "fixed"),
    [
        ({"ttl_seconds": 30 * 86_400}, {"time": {"days": 30}}, "append_row", None),
        ({"ttl_seconds": 30 * 86_400}, {"time": {"days": 60}}, "append_row", ("ttl_seconds", 60 * 86_400)),
        ({"ttl_seconds": 30 * 86_400}, {"time": {"days": 40_000}}, "append_row", ("ttl_seconds", -1)),  # 109 years
        ({"ttl_seconds": -1}, {"time": {"days": 60}}, "append_row", None),
        ({"max_versions": 1}, {"newest_versions": 3}, "overwrite", ("max_versions", 3)),
        ({"max_versions": 3}, {"newest_versions": 3}, "overwrite", None),
        ({}, {"newest_versions": 3}, "append_row", None),  # each row has one version
    ],
)
def test_a_table_that_keeps_less_than_its_reads_ask_for_is_an_error(settings, asked, mode, fixed):
    spec = sales(
        field_part("till"), table={"tablestore": settings}, write={"mode": mode}, per_second=50,
        reads=(read_part(binds=("till",), **asked),),
    )  # fmt: skip
    grown = growth(kinds=(row_growth(events_per_row=100.0),))

    gaps = found(spec, "F011", growth=grown)

    assert [one.severity for one in gaps] == ([] if fixed is None else ["error"])
    if fixed is not None:
        mended, _ = apply(spec, gaps[0].fix)
        assert (fixed[0], getattr(mended.tables[0].tablestore, fixed[0])) == fixed
        assert found(mended, "F011", growth=grown) == []


def test_it_says_what_a_time_to_live_takes_from_whom():
    spec = sales(
        field_part("till"), table={"tablestore": {"ttl_seconds": 30 * 86_400}}, per_second=50, start="2026-01-01",
        reads=(read_part(binds=("till",), time={"days": 40}),),
    )  # fmt: skip

    (finding,) = found(spec, "F011")

    assert english(finding.message, finding.params) == (
        "events keeps data for 30 days, but look up requires 40 days. 25\u00a0% of that period is missing, and results "
        "are incomplete from 31 Jan 2026."
    )
