"""Bigtable's figures: read off their pages, not off the code."""

import pytest

from designer.document.instance import Calibration
from estimator.engines import GiB, MiB, bigtable


def test_every_limit_says_its_source_and_the_day_it_was_read():
    for name, limit in bigtable.LIMITS.items():
        assert limit.name == name
        assert limit.value > 0
        assert limit.source
        assert limit.read
        assert limit.written
        assert limit.title


def test_row_limits_are_100_and_256_binary_megabytes():
    assert bigtable.LIMITS["row_bytes_recommended"].value == 100 * MiB
    assert bigtable.LIMITS["row_bytes"].value == 256 * MiB
    assert not bigtable.LIMITS["row_bytes_recommended"].hard


def test_a_node_holds_5120_gib_on_ssd_and_16384_on_hdd():
    assert bigtable.LIMITS["node_bytes_ssd"].value == 5_120 * GiB
    assert bigtable.node_gib("hdd") == 16_384


@pytest.mark.parametrize(
    ("storage", "targets"), [("ssd", (4_096, 3_584, 3_072, 2_560)), ("hdd", (13_107, 11_468, 9_830, 8_192))]
)
def test_storage_targets_are_those_of_the_autoscaling_page(storage, targets):  # S1
    assert tuple(bigtable.storage_target_gib(storage, share) for share in (0.8, 0.7, 0.6, 0.5)) == targets


@pytest.mark.parametrize(("storage", "reads", "writes"), [("ssd", 17_000, 14_000), ("hdd", 500, 10_000)])
def test_node_time_of_1_kib_rows_is_what_the_performance_page_says(storage, reads, writes):
    capacity = bigtable.CAPACITIES[storage]

    assert 1 / capacity.read.node_seconds(1024) == pytest.approx(reads)
    assert 1 / capacity.write.node_seconds(1024) == pytest.approx(writes)


def test_ten_ssd_nodes_write_140_000_rows_a_second():  # S5
    assert 10 / bigtable.CAPACITIES["ssd"].write.node_seconds(1024) == pytest.approx(140_000)


def test_a_large_read_costs_its_bytes_and_not_a_multiple_of_small_reads():
    read = bigtable.CAPACITIES["ssd"].read

    assert read.seconds == pytest.approx(54.2e-6, rel=0.01)
    assert read.node_seconds(100 * 1024) < 100 * read.node_seconds(1024) / 10


def test_a_calibration_rescales_both_parts_of_node_time():
    seen = Calibration(nodes=2, cpu_share=0.5, reads_per_second=8_500)

    capacity = bigtable.capacity("ssd", seen)

    assert 1 / capacity.read.node_seconds(1024) == pytest.approx(8_500)
    assert 1 / capacity.write.node_seconds(1024) == pytest.approx(7_000)


def test_a_calibration_of_the_other_storage_changes_nothing():
    seen = Calibration(nodes=2, cpu_share=0.5, reads_per_second=8_500, storage="hdd")

    assert bigtable.capacity("ssd", seen) == bigtable.CAPACITIES["ssd"]


def test_a_cell_is_twenty_bytes_and_its_parts():
    assert bigtable.cell_bytes(10, 2, 3, 100) == 20 + 10 + 2 + 3 + 100
