"""Capacity units of single operations, as the API reference has them."""

import pytest

from estimator.engines.capacity_units import (
    Units,
    pages,
    range_read_units,
    read_units,
    round_trips,
    row_read_units,
    write_units,
)
from estimator.results import ReadPlan


def plan(*, access="range", rows=1.0, scanned=1_000.0, ranges=1.0, returned=1_000.0):
    """How a read is served."""
    return ReadPlan(
        read="r", row_kind="k", access=access, bound=(), open_at=None, filtered=(), ranges=ranges, rows_scanned=rows,
        rows_returned=rows, cells_returned=rows, bytes_scanned=scanned, bytes_returned=returned, bytes_wanted=returned,
        node_seconds=0.0, per_second=None, rows_total=None,
    )  # fmt: skip


def test_ten_rows_of_330_bytes_in_one_range_read_take_one_unit():  # T9
    assert range_read_units(10, 330) == 1


def test_a_filter_over_100_rows_of_200_kb_takes_50_units_whatever_it_returns():  # T9
    assert range_read_units(100, 200 * 1024 / 100) == 50
    assert read_units(plan(access="range", rows=100, scanned=200 * 1024, returned=20 * 1024)) == 50


def test_rows_by_their_key_are_rounded_up_each_on_its_own_and_a_missing_one_costs_one():
    assert row_read_units(330, rows=10) == 10
    assert read_units(plan(access="multi_point", rows=8, ranges=10, scanned=8 * 5_000)) == 8 * 2 + 2


@pytest.mark.parametrize(
    ("mode", "units"),
    [
        ("append_row", Units(0, 2)),
        ("overwrite", Units(0, 2)),
        ("increment", Units(0, 2)),
        ("check_and_mutate", Units(1, 2)),
        ("read_modify_write", Units(3, 2)),
        ("delete_row", Units(0, 1)),
        ("delete_prefix", Units(0, 1)),
    ],
)
def test_a_write_takes_units_of_its_key_and_attributes_and_a_condition_reads_the_key(mode, units):
    assert write_units(mode, 100, 4_096) == units


def test_a_write_of_exactly_4_kib_takes_one_unit_and_one_byte_more_takes_two():
    assert write_units("append_row", 96, 4_000).write == 1
    assert write_units("append_row", 97, 4_000).write == 2


def test_a_page_of_a_range_read_ends_at_5000_rows_or_4_mb():
    assert [pages(rows, 100) for rows in (1, 5_000, 5_001)] == [1, 1, 2]
    assert [pages(rows, 4_096) for rows in (1_024, 1_025)] == [1, 2]
    assert pages(3, 5 * 2**20) == 3


def test_each_page_is_rounded_up():
    assert range_read_units(5_001, 1) == 2 + 1
    assert range_read_units(0, 0) == 1


def test_several_ranges_are_read_one_by_one():
    several = plan(access="multi_range", rows=40, scanned=40 * 330, ranges=4)

    assert (read_units(several), round_trips(several)) == (4, 4)


def test_a_batch_of_101_keys_takes_two_calls():
    assert [round_trips(plan(access="multi_point", rows=n, ranges=n)) for n in (1, 100, 101)] == [1, 1, 2]
