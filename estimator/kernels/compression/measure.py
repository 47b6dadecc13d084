"""Compression of a table: sampled blocks of its content, compressed by real codecs until they agree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from estimator.results import Measurement
from estimator.results.arrays import Floats

from . import codecs
from .blocks import SampledBlock, sampled_blocks
from .cells import value_size
from .content import TableContent
from .layout import BLOCK_BYTES, BLOCK_TRAILER_BYTES
from .table_content import table_content

BLOCKS_FIRST, BLOCKS_MOST = 32, 128
"""Blocks at the beginning, doubled while they disagree."""

BYTES_MOST = int(BLOCKS_MOST * BLOCK_BYTES * 1.1)
"""Where values are large a block is one value: there are fewer of them, so that no more bytes are made."""

SPREAD_MOST = 0.01
"""Standard error of the mean ratio ÷ the ratio at which to stop."""


@dataclass(frozen=True)
class Ratios:
    """Sizes on disk ÷ logical bytes, one of each per block: float64 (blocks,)."""

    snappy: Floats
    zstd: Floats
    uncompressed: Floats

    @staticmethod
    def of(samples: Sequence[SampledBlock]) -> "Ratios":
        """Every block compressed by every codec, in the order of how far into a row they begin."""
        samples = sorted(samples, key=lambda sample: sample.inside)
        logical = np.array([sample.logical_bytes for sample in samples], dtype=np.float64)
        beside = np.array([sample.block.index_bytes + BLOCK_TRAILER_BYTES for sample in samples])
        packed = [codecs.compress_block(sample.block.raw) for sample in samples]
        return Ratios(
            (np.array([block.snappy for block in packed]) + beside) / logical,
            (np.array([block.zstd for block in packed]) + beside) / logical,
            np.array([sample.block.stored_bytes for sample in samples]) / logical,
        )

    @property
    def error_share(self) -> float | None:
        """Standard error of the mean between blocks ÷ the mean, of the codec with more of it; of one block unknown.

        Blocks are taken at even distances, so their differences from the next are what is left to chance (Wolter,
        Introduction to Variance Estimation, 2007, section 8.2): in a large row neighbours are of one column.
        """
        count = len(self.snappy)
        if count < 2:
            return None
        return max(
            # E (x1 − x2)² = 2σ² for neighbours without a trend, so σ / √n is estimated by √(mean difference² / 2n). A
            # trend through the table, which even spacing captures, does not count as error.
            math.sqrt(float(np.mean(np.diff(ratio) ** 2)) / 2 / count) / float(ratio.mean())
            for ratio in (self.snappy, self.zstd)
        )


def measure(spec: Spec, table: str) -> Measurement:
    """Return the compression of a table of a document, by the table's id.

    Raises
    ------
    NotComputableError
        If what the table stores is not known, or nothing is.
    """
    return measure_content(table_content(spec, spec.find(table)))


def measure_content(content: TableContent, *, max_blocks: int = BLOCKS_MOST) -> Measurement:
    """Return the compression of a table's content; deterministic, and takes about a second at most.

    Places are equally spaced among the table's bytes in key order; each doubling puts new ones between the old.

    Raises
    ------
    ValueError
        If no key can be made.
    """
    there = max(int(content.logical_bytes // BLOCK_BYTES), 1)
    # A value larger than a block is a block of its own, so the bytes that are made limit the number of blocks.
    largest = max(BLOCK_BYTES, *(value_size(column)[0] for kind in content.kinds for column in kind.columns))
    count = min(BLOCKS_FIRST, max_blocks, there, int(BYTES_MOST / largest))
    places = (np.arange(count) + 0.5) / count
    sampled: list[SampledBlock] = []
    while True:
        sampled += sampled_blocks(content, places.tolist(), seed=len(sampled))
        ratios = Ratios.of(sampled)
        made_bytes = sum(len(sample.block.raw) for sample in sampled)
        agreed = ratios.error_share is not None and ratios.error_share < SPREAD_MOST
        if agreed or 2 * count > min(max_blocks, there) or 2 * made_bytes > BYTES_MOST:
            return _to_measurement(content, ratios)
        # The first places are the middles of 1/32; then their edges; from there on the middles between all that were
        # taken.
        places = np.arange(count) / count if len(places) == count else (np.arange(count) + 0.5) / count
        count *= 2


def _to_measurement(content: TableContent, ratios: Ratios) -> Measurement:
    ends = float(ratios.zstd.mean()), float(ratios.snappy.mean())
    return Measurement(
        content=content.sha256,
        low_share=min(ends),
        high_share=max(ends),
        uncompressed_share=float(ratios.uncompressed.mean()),
        error_share=ratios.error_share,
        blocks=len(ratios.zstd),
        codecs=codecs.codec_versions(),
    )
