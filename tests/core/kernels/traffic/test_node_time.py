"""Node time against what Google publishes per node."""

import pytest

from designer.document import Spec
from designer.document.family import Family, MaxAge, MaxVersions
from designer.document.table import Table
from estimator.engines import bigtable
from estimator.kernels.traffic.node_time import (
    change_stream_factor,
    collection_factor,
    read_seconds,
    scan_seconds,
    write_seconds,
)

SSD, HDD = bigtable.CAPACITIES["ssd"], bigtable.CAPACITIES["hdd"]


def test_ten_ssd_nodes_write_140_000_rows_of_one_kib():
    assert 10 / write_seconds(SSD, 1024) == pytest.approx(140_000)


def test_write_capacity_doubles_with_the_nodes_of_a_cluster_only():
    three = 3 / write_seconds(SSD, 1024)

    assert 6 / write_seconds(SSD, 1024) == pytest.approx(2 * three)
    assert three == pytest.approx(42_000)  # every write is done in every cluster: a second one adds nothing


def test_single_rows_are_read_at_the_published_rates():
    assert 1 / read_seconds(SSD, 1024) == pytest.approx(17_000)
    assert 1 / read_seconds(HDD, 1024) == pytest.approx(500)
    assert 1 / write_seconds(HDD, 1024) == pytest.approx(10_000)


def test_a_large_row_costs_its_bytes_and_not_as_many_reads_as_it_has_kib():
    assert read_seconds(SSD, 100 * 1024) < 100 * read_seconds(SSD, 1024) / 5
    assert scan_seconds(SSD, 220e6) == pytest.approx(1, abs=1e-3)


def test_a_scan_is_cheaper_than_reading_its_rows_one_by_one():
    assert scan_seconds(SSD, 1000 * 1024) < read_seconds(SSD, 1000 * 1024, rows=1000) / 10


def test_read_modify_write_is_both():
    both = write_seconds(SSD, 1024, mode="increment")

    assert both == pytest.approx(write_seconds(SSD, 1024) + read_seconds(SSD, 1024))


def test_cells_beyond_the_first_cost_their_own_time():
    assert read_seconds(SSD, 1024, cells=101) - read_seconds(SSD, 1024) == pytest.approx(100 * SSD.cell_seconds)
    assert write_seconds(SSD, 1024, cells=101) - write_seconds(SSD, 1024) == pytest.approx(100 * SSD.cell_seconds)


def test_a_change_stream_that_is_read_adds_a_quarter_to_writes():
    assert change_stream_factor(Table(id="t")) == 1
    assert change_stream_factor(Table(id="t", change_stream_days=1)) == pytest.approx(1.25)


def test_counting_versions_costs_writes_more_where_the_table_is_replicated():
    one, two = (Spec.model_validate({"instance": {"clusters": [{"id": f"c{i}"} for i in range(n)]}}) for n in (1, 2))
    counted = [Family(id="f", gc=MaxVersions(versions=1))]
    aged = [Family(id="f", gc=MaxAge(age_days=1))]

    assert collection_factor(two, counted, per_event=False) > 1
    assert collection_factor(one, counted, per_event=False) == 1
    assert collection_factor(two, aged, per_event=False) == 1
    assert collection_factor(two, counted, per_event=True) == 1
