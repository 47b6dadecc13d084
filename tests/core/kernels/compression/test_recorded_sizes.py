"""The block model against the sizes of real files of the same cells (`record_sizes.py`).

LevelDB's compressed files are recorded but not held against: they keep the sequence number of every write, which the
model leaves out, because a table that has been compacted to the end has none. (With those numbers in it the model
met these files within 0.05 %.)
"""

import json
from pathlib import Path

import pytest

from estimator.kernels.compression import codecs, layout
from tests.core.kernels.compression.shapes import ALL, cells

RECORDED = json.loads(Path(__file__).with_name("recorded_sizes.json").read_text(encoding="utf-8"))["shapes"]


@pytest.mark.parametrize("shape", ALL)
def test_blocks_weigh_what_real_files_of_the_same_cells_weigh(shape):
    stored, real = cells(shape), RECORDED[shape]

    made = list(layout.blocks([layout.cell_key(*cell[:4]) for cell in stored], [cell[4] for cell in stored]))
    packed = [codecs.compress_block(block.raw) for block in made]

    beside = sum(block.index_bytes + layout.BLOCK_TRAILER_BYTES for block in made)
    plain = sum(block.stored_bytes for block in made)
    assert real["cells"] == len(stored) == made[-1].last
    assert plain == pytest.approx(real["leveldb_none"], rel=0.001)
    assert plain == pytest.approx(real["rocksdb_none"], rel=0.005)
    assert sum(each.snappy for each in packed) + beside == pytest.approx(real["rocksdb_snappy"], rel=0.02)
    assert sum(each.zstd for each in packed) + beside == pytest.approx(real["rocksdb_zstd"], rel=0.02)
