"""Blocks taken from places of a table's key order against the whole of it, and what a measurement is remembered by."""

from dataclasses import replace

import numpy as np
import pytest

from designer.document import Spec
from estimator.advice.rules.shared.examples import DEVICE, NEWEST_ONLY, design, field_part, hash_part, time_part
from estimator.estimates.estimate import estimate
from estimator.kernels.compression import codecs, layout
from estimator.kernels.compression.blocks import sampled_blocks
from estimator.kernels.compression.content import TableContent
from estimator.kernels.compression.measure import measure, measure_content
from estimator.kernels.compression.measurements import Measurements
from estimator.kernels.compression.table_content import table_content
from estimator.kernels.compression.values import make_values
from estimator.kernels.keys import sample_blocks
from estimator.results import NotComputableError
from tests.contexts import context


def stored(**table):
    return design(field_part("device", "#"), time_part(), per_second=20, table={"history_months": 2, **table})


def changed(spec, change):
    data = spec.model_dump(mode="json", exclude_unset=True)
    change(data)
    return Spec.model_validate(data)


def content(spec):
    return table_content(spec, spec.tables[0])


@pytest.mark.parametrize(
    "key",
    [
        (field_part("device", "#"), time_part()),
        (hash_part("device", digits=4, after="#"), field_part("device", "#"), time_part(reversed=True)),
    ],
)
def test_blocks_at_equal_distances_are_like_a_file_of_all_rows(key):
    only = content(design(*key, per_second=0.005)).kinds[0]
    column = replace(only.columns[0], constant_time=True, value_kind="small_integers", typical_bytes=2.0, max_bytes=2.0)
    kind = replace(only, columns=(column,))
    rows = sorted(
        {row for block in sample_blocks(kind.pattern, kind.distribution, int(kind.rows)) for row in block.tolist()}
    )
    values = make_values("small_integers", len(rows), typical_bytes=2, max_bytes=2, seed=column.seed)
    keys = [layout.cell_key(row, column.family.encode(), column.qualifier, 0) for row in rows]

    packed = [(codecs.compress_block(block.raw), block) for block in layout.blocks(keys, values)]
    logical = sum(len(row) + len(column.family) + len(column.qualifier) + 20 + 2 for row in rows)
    whole = sum(each.zstd + block.index_bytes + layout.BLOCK_TRAILER_BYTES for each, block in packed) / logical

    assert len(rows) > 15_000
    assert len(packed) >= 8
    assert measure_content(TableContent((kind,), 1e12)).low_share == pytest.approx(whole, rel=0.02)


def test_blocks_of_large_rows_begin_in_each_column_as_often_as_it_has_bytes():
    spec = changed(
        design(field_part("device"), per_second=5_000, gc=None),
        lambda data: data["tables"][0]["families"][0].update(
            columns=[
                {"id": "a", "qualifier": "a", "value": {"kind": "random", "typical_bytes": 56}},
                {"id": "b", "qualifier": "b", "value": {"kind": "enumeration", "typical_bytes": 5}},
            ]
        ),
    )
    found = content(spec)
    kind = found.kinds[0]

    blocks = list(sampled_blocks(found, ((np.arange(40) + 0.5) / 40).tolist(), seed=0))
    full = [codecs.compress_block(each.block.raw).zstd > len(each.block.raw) / 2 for each in blocks]

    each = [len("d0000") + len("m") + 1 + 20 + column.typical_bytes for column in kind.columns]
    assert kind.columns[0].cells_per_row > 10_000
    assert np.mean(full) == pytest.approx(each[0] / sum(each), abs=0.05)


def test_long_keys_share_what_they_begin_with():
    long = b"x" * 600
    keys = [long, long + b"a", long + b"ab", long + b"b", b"y" * 700]

    assert layout.shared_bytes(keys).tolist() == [0, 600, 601, 600, 0]
    assert layout.shared_bytes([key[500:] for key in keys]).tolist() == [0, 100, 101, 100, 0]


def test_a_measurement_is_the_same_each_time_and_names_its_codecs():
    first, second = (measure_content(content(stored()), max_blocks=4) for _ in range(2))

    assert first == second
    assert first.blocks == 4
    assert first.low_share < first.high_share < first.uncompressed_share
    assert first.codecs.startswith("snappy, zstd 3 (cramjam ")


def test_a_table_of_one_block_is_measured_whole_and_says_no_spread():
    spec = design(field_part("device"), fields=({**DEVICE, "distinct": 20},), per_second=1e-4, gc=NEWEST_ONLY)

    made = measure(spec, "table")

    assert made.blocks == 1
    assert made.error_share is None


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["tables"][0].update(name="Another name", description="Another text"),
        lambda data: data["tables"].append({"id": "other", "name": "other"}),
        lambda data: data["activities"][0].update(rate_per_second=20.5),
    ],
)
def test_what_is_stored_is_the_same_under_other_names_and_a_slightly_other_rate(change):
    spec = stored()

    assert content(changed(spec, change)).sha256 == content(spec).sha256


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["tables"][0]["row_kinds"][0]["key"][0].update(after="/"),
        lambda data: data["tables"][0]["families"][0]["columns"][0].update(value={"kind": "random"}),
        lambda data: data["tables"][0]["families"][0]["columns"][0].update(qualifier="another"),
        lambda data: data["activities"][0].update(rate_per_second=80),
    ],
)
def test_another_key_value_qualifier_or_amount_is_another_content(change):
    spec = stored()

    assert content(changed(spec, change)).sha256 != content(spec).sha256


def test_the_live_path_takes_a_measurement_as_soon_as_it_is_there_and_never_makes_one():
    spec, none = stored(), context()
    before = estimate(spec, none).tables["table"].growth

    known = replace(none, measurements=Measurements.of(measure_content(content(spec), max_blocks=2)))
    after = estimate(spec, known).tables["table"].growth

    assert before.compression_origin == "guess"
    assert before.measured is None
    assert after.compression_origin == "measured"
    assert after.compressed_share_low == pytest.approx(after.measured.low_share)
    assert after.compressed_share_high == pytest.approx(after.measured.high_share)
    assert after.physical_bytes[-1] == pytest.approx(after.logical_bytes[-1] * after.measured.typical_share)


def test_a_ratio_that_a_person_entered_goes_first():
    spec = stored()
    known = context(measurements=Measurements.of(measure_content(content(spec), max_blocks=2)))

    entered = changed(spec, lambda data: data["tables"][0].update(compressed_share=0.7))
    growth = estimate(entered, known).tables["table"].growth

    assert growth.compression_origin == "you"
    assert growth.compressed_share == 0.7


def test_what_is_not_known_is_not_measured():
    with pytest.raises(NotComputableError, match="no rate"):
        measure(design(field_part("device", "#"), per_second=None), "table")
