"""Tablestore's figures: read off its pages, not off the code."""

import pytest

from designer.document.instance import TABLESTORE_CAPACITY_ONLY
from estimator.engines import ENGINES, GiB, KiB, MiB, tablestore
from tests.cases import cases


def test_every_limit_says_its_source_and_the_day_it_was_read():
    for name, limit in ENGINES["tablestore"].LIMITS.items():
        assert limit.name == name
        assert limit.value > 0
        assert limit.source
        assert limit.read
        assert limit.written
        assert limit.title


@cases("name, value", [
        ("key_columns", 4), ("key_value_bytes", 1 * KiB), ("cell_bytes", 2 * MiB), ("columns_per_write", 1_024),
        ("columns_recommended", 10_000), ("page_rows", 5_000), ("page_bytes", 4 * MiB), ("reserved_cu", 100_000),
        ("versions_recommended", 500), ("ttl_seconds_min", 86_400), ("partition_operations", 1_000),
        ("partition_key_cu", 10_000), ("partition_key_bytes_recommended", 10 * GiB),
    ])  # fmt: skip
def test_limits_are_those_of_the_pages(name, value):
    assert tablestore.LIMITS[name].value == value


@pytest.mark.parametrize(("size", "units"), [(0, 1), (102.4, 1), (4_096, 1), (4_097, 2), (7.6 * 1024, 2)])
def test_an_operation_takes_whole_units_of_4_kib_and_at_least_one(size, units):
    assert tablestore.units(size) == units


def test_high_performance_is_not_assumed_of_regions_that_were_seen_without_it():
    assert not tablestore.HIGH_PERFORMANCE & TABLESTORE_CAPACITY_ONLY
    assert "ap-northeast-1" in TABLESTORE_CAPACITY_ONLY
