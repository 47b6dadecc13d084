"""What an existing cluster carried rescales nodes and bytes, is said, and is not used where it makes no sense."""

import dataclasses

import numpy as np
import pytest

from designer.wording.formatting import english
from estimator.engines import GiB, bigtable
from estimator.estimates.calibration import calibrate
from estimator.kernels.pricing import cluster_nodes
from estimator.kernels.pricing.bigtable import bands
from estimator.kernels.traffic.load import tablet_count
from estimator.price_books.shelf import load_book
from tests.contexts import instance_estimate
from tests.core.kernels.pricing.parts import cluster, growth, part, spec_of, traffic

CARRIED = {"nodes": 2, "cpu_share": 0.5, "reads_per_second": 8_500}
"""One busy node for half of the published reads: ×0.5."""


def grown(*gib, share=0.5, rows=100.0, **more):
    """Physical GiB of twice as many logical ones, with a band from compression (0.4 to 0.75) and a tenth of garbage."""
    made = growth(*gib)
    return dataclasses.replace(
        made,
        rows=np.full(len(gib), rows),
        logical_bytes=made.physical_bytes / share,
        physical_bytes_low=made.physical_bytes * 0.8 * 0.9,
        physical_bytes_high=made.physical_bytes * 1.5 * 1.1,
        compressed_share=share,
        compressed_share_low=share * 0.8,
        compressed_share_high=share * 1.5,
        compression_origin="guess",
        changed_bytes_per_day=float(GiB),
        **more,
    )


def outcome(*parts, tables=None, **seen):
    spec = spec_of(tables=tables, calibration=CARRIED | seen)
    return calibrate(spec, {p.table: p for p in parts or (part(grown=grown(0, 10)),)})


def reasons(*parts, **more):
    return [english(because.message, because.params) for because in outcome(*parts, **more).because]


# --- throughput -----------------------------------------------------------------------------------------------


def test_a_calibration_says_what_was_carried_and_how_it_compares():
    found = outcome(writes_per_second=3_500, cpu_share=0.75)

    assert [one.of for one in found.done] == ["throughput"]
    assert english(found.done[0].message, found.done[0].params) == (
        "Calibrated: 2 nodes at 75\u00a0% CPU served 8,500/s reads and 3,500/s writes, 0.5× the published figures."
    )
    assert found.because == ()


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ({"cpu_share": 0}, "has idle nodes (0 % CPU)"),
        ({"reads_per_second": 0}, "The calibration has no reads or writes"),
        ({"storage": "hdd"}, "was measured on HDD, but the instance uses SSD"),
        ({"nodes": 1, "reads_per_second": 1_000_000}, "is not used: a node would serve 118× the published figures"),
    ],
)
def test_a_calibration_that_makes_no_sense_is_said_and_not_used(seen, said):
    found = outcome(**seen)

    assert found.done == ()
    assert said in english(found.because[0].message, found.because[0].params)
    assert (
        bigtable.capacity("ssd", spec_of(calibration=CARRIED | seen).instance.calibration) == bigtable.CAPACITIES["ssd"]
    )


@pytest.mark.parametrize(("reads", "used"), [(850_000.0, True), (850_001.0, False), (340.0, True), (339.9, False)])
def test_up_to_fifty_times_more_or_less_is_a_measurement(reads, used):
    assert bool(outcome(nodes=1, cpu_share=1, reads_per_second=reads).done) is used


def test_no_calibration_says_nothing():
    assert calibrate(spec_of(), {}).done == calibrate(spec_of(), {}).because == ()


def test_the_five_lines_and_the_band_of_nodes_follow_the_calibration():
    parts = {"t": part(grown=growth(0, 1), busy=traffic(0.0, 3.0))}

    found = cluster_nodes(spec_of(clusters=[cluster()], calibration=CARRIED), parts)[0]

    assert len(found.explanation) == 5
    assert "reads and writes use 3 nodes, each calibrated to 0.5× the published throughput" in english(
        found.explanation[0].formula, found.explanation[0].params
    )
    assert (found.needed_low, found.needed_by_month[-1], found.needed_high) == (
        5,
        5,
        6,
    )  # 3 ÷ 1.15, 3, 3 ÷ 0.85 at 60 %


def test_the_throughput_of_a_calibrated_node_moves_the_bill_less():
    parts = {"t": part(grown=growth(0, 1), busy=traffic(0.0, 30.0))}

    def swing(**instance):
        spec = spec_of(clusters=[cluster()], **instance)
        one = next(s for s in bands(spec, parts, load_book()) if s.name == "throughput")
        return one.high - one.low, english(one.label, one.params)

    published, calibrated_ = swing(), swing(calibration=CARRIED)

    assert calibrated_[0] < published[0]
    assert published[1] == "Node throughput: 50\u00a0% to 100\u00a0% of published"
    assert calibrated_[1] == "Throughput of a node: 85\u00a0% to 115\u00a0% of the calibrated value"


# --- bytes on disk --------------------------------------------------------------------------------------------


def test_gib_on_disk_of_what_is_stored_at_the_start_rescale_all_bytes_on_disk():
    found = outcome(part(grown=grown(10, 20)), gib_stored=5)

    made = found.parts["t"].growth
    assert (made.physical_bytes / GiB).tolist() == [5, 10]
    assert (made.logical_bytes / GiB).tolist() == [20, 40]
    assert (made.compressed_share, made.compressed_share_low, made.compressed_share_high) == (0.25, 0.25, 0.25)
    assert made.compression_origin == "calibrated"
    assert made.changed_bytes_per_day == GiB / 2
    assert english(found.done[1].message, found.done[1].params) == (
        "Calibrated: the data on the start date takes 5 GiB on disk, 25\u00a0% of 20 GiB uncompressed, "
        "0.5× the modelled size."
    )


def test_as_many_tablets_stand_there_as_the_bytes_on_disk_then_fill():
    before = part(grown=grown(10, 20), busy=traffic(0.0, 1.0))

    found = outcome(before, gib_stored=5).parts["t"].traffic

    assert found.tablets == tablet_count(10 * GiB)
    assert before.traffic.tablets == 1


def test_of_the_band_only_what_is_not_collected_remains():
    made = outcome(part(grown=grown(10, 20)), gib_stored=5).parts["t"].growth

    assert made.physical_bytes_low / made.physical_bytes == pytest.approx([0.9, 0.9])
    assert made.physical_bytes_high / made.physical_bytes == pytest.approx([1.1, 1.1])


def test_gib_of_so_many_rows_are_laid_against_the_models_mean_row():
    found = outcome(part(grown=grown(0, 20)), gib_stored=5, rows_stored=50)

    assert found.parts["t"].growth.compressed_share == 0.25
    assert (
        "Calibrated: 50 rows take 5 GiB on disk, 25\u00a0% of 20 GiB uncompressed, 0.5× the modelled size."
        in english(found.done[1].message, found.done[1].params)
    )


def test_tables_with_measured_figures_of_their_own_keep_them():
    tables = [{"id": "t", "name": "t"}, {"id": "own", "compressed_share": 0.5}]

    found = outcome(part(grown=grown(10, 20)), part("own", grown=grown(4, 8)), tables=tables, gib_stored=9)

    assert found.parts["t"].growth.physical_bytes[0] == 5 * GiB
    assert found.parts["own"].growth.physical_bytes[0] == 4 * GiB


@pytest.mark.parametrize(
    ("parts", "seen", "said"),
    [
        ((part(grown=grown(0, 10)),), {"gib_stored": 5}, "No data is stored on the start date"),
        (
            (part(grown=grown(0, 10, rows=0.0)),),
            {"gib_stored": 5, "rows_stored": 10},
            "No data is stored on the start date",
        ),
        ((part(),), {"gib_stored": 5}, "the size of “t” is unknown"),
        (
            (part(grown=grown(10, 10)),),
            {"gib_stored": 41},
            "is not used: bytes on disk would be 205\u00a0% of their logical size",
        ),
        (
            (part(grown=grown(10, 10)),),
            {"gib_stored": 0},
            "is not used: bytes on disk would be 0\u00a0% of their logical size",
        ),
        (
            (part(grown=grown(10, 10)),),
            {"gib_stored": 5, "tables": [{"id": "t", "gib_stored": 10}]},
            "Every table has measured figures",
        ),
    ],
)
def test_gib_that_cannot_be_compared_are_said_and_not_used(parts, seen, said):
    assert said in reasons(*parts, **seen)[0]
    assert outcome(*parts, **seen).parts["t"] is parts[0]


@pytest.mark.parametrize(("gib", "used"), [(40, True), (40.01, False), (0.2, True), (0.19, False)])
def test_from_a_hundredth_to_twice_the_logical_size_is_a_measurement(gib, used):
    assert len(outcome(part(grown=grown(10, 10)), gib_stored=gib).done) == 1 + used


def test_gib_alone_need_no_reads_and_writes():
    assert reasons(part(grown=grown(10, 10)), gib_stored=5, reads_per_second=0) == []


def test_an_estimate_bills_calibrated_bytes_and_says_so():
    spec = spec_of(clusters=[cluster(nodes=1)], calibration=CARRIED | {"gib_stored": 5})

    found = instance_estimate(spec, {"t": part(grown=grown(10, 20))})

    assert [one.of for one in found.calibrations] == ["throughput", "compression"]
    assert next(line.quantity for line in found.bill.lines if line.item == "storage") == 7.5
    assert "Uncollected garbage: none to one week" in {one.label for one in bands(spec, found.tables, load_book())}
    storage = found.nodes[0].explanation[2]
    assert english(storage.formula, storage.params) == "10 GiB, as calibrated, ÷ 3,072 GiB, rounded up"
