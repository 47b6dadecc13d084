"""Compressed size of cells on disk: an assumed share per kind of byte, with its range.

A measured share replaces it.
"""

from dataclasses import dataclass

from designer.document.texts import N_
from estimator.results import BytesByCause


@dataclass(frozen=True)
class CompressionGuess:
    """Compressed ÷ uncompressed: a guess, its range, and why."""

    typical: float
    low: float
    high: float
    reason: str


VALUES: dict[str, CompressionGuess] = {
    "random": CompressionGuess(1.0, 1.0, 1.02, N_("random bytes do not compress")),
    "text": CompressionGuess(0.5, 0.35, 0.7, N_("natural text in 64 KiB blocks, from a fast to a strong codec")),
    "json": CompressionGuess(0.3, 0.15, 0.5, N_("names repeat in every value")),
    "protobuf": CompressionGuess(0.65, 0.4, 0.9, N_("few repeated names, small numbers are already packed")),
    "small_integers": CompressionGuess(0.5, 0.25, 0.8, N_("few distinct bytes")),
    "integer": CompressionGuess(0.5, 0.3, 0.8, N_("leading bytes repeat")),
    "float": CompressionGuess(0.5, 0.35, 0.9, N_("readings have few decimals")),
    "enumeration": CompressionGuess(0.2, 0.05, 0.4, N_("few distinct values")),
    "empty": CompressionGuess(1.0, 1.0, 1.0, N_("nothing to compress")),
}
"""By kind of value. Guesses: Google publishes no ratio (bigtable overview, read 2026-11-20)."""

KEY_OF_FIRST_CELL = CompressionGuess(0.45, 0.25, 0.75, N_("adjacent rows share the start of their keys"))
KEY_OF_NEXT_CELL = CompressionGuess(0.03, 0.01, 0.10, N_("stored in full once per 16 cells, where it compresses well"))
NAMES = CompressionGuess(0.08, 0.03, 0.20, N_("family and qualifier repeat in every row"))
DATA_NAMES = CompressionGuess(0.5, 0.3, 0.8, N_("qualifiers made from data repeat less"))
TIMESTAMP = CompressionGuess(0.45, 0.25, 0.7, N_("the leading bytes of timestamps repeat"))
OVERHEAD = CompressionGuess(0.2, 0.1, 0.4, N_("lengths are small, repeated numbers"))
"""A sorted file of 64 KiB blocks stores of a key what differs from the one before, and a whole one each 16 cells
(LevelDB and RocksDB: uncompressed 0.33 to 1.30 times the naive size, measured 2026-11). Bigtable's own is unknown."""


def compressed_cell_bytes(
    cell: BytesByCause,
    cells_per_row: float,
    value_kind: str,
    *,
    qualifier_is_data: bool = False,
    uncompressed_from_bytes: float = 2**20,
) -> tuple[float, float, float]:
    """Physical bytes of one cell: typical, low, high.

    Parameters
    ----------
    cell : BytesByCause
        Logical bytes of the cell.
    cells_per_row
        How many cells share one key: only the first pays for it.
    value_kind
        A kind of value of the spec.
    """
    first = 1 / max(cells_per_row, 1.0)
    value = VALUES[value_kind] if cell.value <= uncompressed_from_bytes else VALUES["random"]
    names = DATA_NAMES if qualifier_is_data else NAMES

    def size(pick: str) -> float:
        def of(shrink: CompressionGuess) -> float:
            return float(getattr(shrink, pick))

        key = of(KEY_OF_FIRST_CELL) * first + of(KEY_OF_NEXT_CELL) * (1 - first)
        return (
            cell.key * key
            + cell.family * of(NAMES)
            + cell.qualifier * of(names)
            + cell.timestamp * of(TIMESTAMP)
            + cell.value * of(value)
            + cell.overhead * of(OVERHEAD)
        )

    return size("typical"), size("low"), size("high")
