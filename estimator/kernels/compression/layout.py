"""Cells as a sorted-table file holds them before compression: blocks of prefix-coded keys.

The format is LevelDB's and RocksDB's. Bigtable's own is not public: that it is of the same family is an assumption
(docs/decisions/0011).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from estimator.results.arrays import Ints

BLOCK_BYTES = 64 << 10
"""Where a block is closed: typically 64 KB, says Bigtable's paper (Chang et al., OSDI 2006, section 4)."""

RESTART = 16
"""Every 16th key of a block stands in full: the interval that LevelDB and RocksDB have unless told otherwise."""

SEQUENCE_BYTES = 8
"""What an inner key has behind the key: sequence number and kind."""

TRAILER = b"\x01" + bytes(SEQUENCE_BYTES - 1)
"""Kind "value", sequence number 0: what is left of it once a file has been compacted to the end."""

AT_ONCE, WIDE_BYTES = 4096, 512
"""So many keys are compared at a time; one by one where some are wider than this."""

BLOCK_TRAILER_BYTES = 5
"""Kind of compression and checksum. With the four bytes of the count of restarts: nine a block."""


@dataclass(frozen=True)
class DataBlock:
    """One block: cells first…last-1 of those that it was cut from."""

    first: int
    last: int
    raw: bytes
    index_bytes: int
    """Its entry in the file's index."""

    @property
    def stored_bytes(self) -> int:
        """On disk without compression."""
        return len(self.raw) + BLOCK_TRAILER_BYTES + self.index_bytes


def cell_key(row: bytes, family: bytes, qualifier: bytes, timestamp_us: int) -> bytes:
    """Return a cell's key as bytes that sort as stored: row, family, qualifier, newest first.

    The real separator of the parts is not public; a zero byte is the least that keeps the order.
    """
    return b"%b\0%b\0%b\0%b" % (row, family, qualifier, (2**64 - 1 - timestamp_us).to_bytes(8, "big"))


def blocks(keys: Sequence[bytes], values: Sequence[bytes]) -> Iterator[DataBlock]:
    """Sorted cells cut into blocks one after the other; the last one may be short.

    Parameters
    ----------
    keys
        Distinct keys of cells (`cell_key`), ascending, without what an inner key adds.
    values
        As many.
    """
    sizes = CellSizes.of(keys, values)
    first = 0
    while first < len(keys):
        last = sizes.block_end(first)
        yield DataBlock(first, last, _encode_block(keys, values, sizes, first, last), _index_bytes(keys, last))
        first = last


def first_block(keys: Sequence[bytes], values: Sequence[bytes], *, whole: bool = True) -> DataBlock | None:
    """Return the block that the cells begin with; None if there are no cells.

    If it has to be `whole`, return None also where the cells are too few.
    """
    if not keys:
        return None
    sizes = CellSizes.of(keys, values)
    last = sizes.block_end(0)
    if whole and sizes.block_bytes(0, last) < BLOCK_BYTES:
        return None
    return DataBlock(0, last, _encode_block(keys, values, sizes, 0, last), _index_bytes(keys, last))


@dataclass(frozen=True)
class CellSizes:
    """Bytes that each cell takes: int64 (cells,) each."""

    shared_key_bytes: Ints
    """Bytes that the key begins with as the one before. [bytes]"""
    encoded_entry_bytes: Ints
    """The entry with its key prefix-coded. [bytes]"""
    full_entry_bytes: Ints
    """The entry with its key in full. [bytes]"""

    @staticmethod
    def of(keys: Sequence[bytes], values: Sequence[bytes]) -> "CellSizes":
        """Sizes of cells in order."""
        shared = shared_bytes(keys)
        inner = np.fromiter(map(len, keys), np.int64, len(keys)) + SEQUENCE_BYTES
        value = np.fromiter(map(len, values), np.int64, len(values))
        sized = value + _varint_bytes(value)
        coded = _varint_bytes(shared) + _varint_bytes(inner - shared) + inner - shared + sized
        # In full, the shared length is 0 and takes one byte.
        return CellSizes(shared, coded, 1 + _varint_bytes(inner) + inner + sized)

    def block_end(self, first: int) -> int:
        """Return the place behind the cell that fills the block which begins at a cell."""
        count = 512  # looked at first: most blocks end within
        while True:
            last = min(first + count, len(self.encoded_entry_bytes))
            full = np.flatnonzero(self._bytes_before(first, last) >= BLOCK_BYTES)
            # The block closes behind the cell that reaches its size, so a cell is never divided.
            if len(full):
                return first + int(full[0]) + 1
            if last == len(self.encoded_entry_bytes):
                return last
            count *= 4

    def block_bytes(self, first: int, last: int) -> int:
        """Return the uncompressed size of a block of these cells, in bytes."""
        return int(self._bytes_before(first, last)[-1])

    def restart_offsets(self, first: int, last: int) -> Ints:
        """Return the offsets in such a block at which keys are stored in full, in bytes."""
        entries = self._entries(first, last)
        return np.asarray((np.cumsum(entries) - entries)[::RESTART])

    def _entries(self, first: int, last: int) -> Ints:
        whole = np.arange(last - first) % RESTART == 0
        return np.where(whole, self.full_entry_bytes[first:last], self.encoded_entry_bytes[first:last])

    def _bytes_before(self, first: int, last: int) -> Ints:
        restarts = np.arange(last - first) // RESTART + 1
        # Behind the entries stand four bytes per restart and four for their number.
        return np.asarray(np.cumsum(self._entries(first, last)) + 4 * restarts + 4)


def shared_bytes(keys: Sequence[bytes]) -> Ints:
    """Return the number of leading bytes that each key shares with the previous one; 0 for the first.

    >>> shared_bytes([b"a#1", b"a#12", b"b"]).tolist()
    [0, 3, 0]
    """
    out = np.zeros(len(keys), dtype=np.int64)
    for start in range(0, len(keys) - 1, AT_ONCE):
        some = keys[start : start + AT_ONCE + 1]
        length = np.fromiter(map(len, some), np.int64, len(some))
        width = int(length.max()) + 1
        # 4,096 keys of 100 KB would be a table of 400 MB.
        if width > WIDE_BYTES:
            out[start + 1 : start + len(some)] = [_common_prefix_bytes(key, other) for key, other in pairwise(some)]
            continue
        table = np.frombuffer(b"".join(key.ljust(width, b"\0") for key in some), np.uint8).reshape(-1, width)
        differ = table[1:] != table[:-1]
        # A sentinel for equal rows: without a True, `argmax` would return 0. Padding can also agree with a NUL in the
        # other key, hence the minimum of the lengths.
        differ[:, -1] = True
        out[start + 1 : start + len(some)] = np.minimum(differ.argmax(axis=1), np.minimum(length[1:], length[:-1]))
    return out


def _common_prefix_bytes(key: bytes, other: bytes) -> int:
    """Return the number of leading bytes that both have in common."""
    low, high = 0, min(len(key), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if key[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _encode_block(keys: Sequence[bytes], values: Sequence[bytes], sizes: CellSizes, first: int, last: int) -> bytes:
    parts: list[bytes] = []
    cuts = sizes.shared_key_bytes[first:last].copy()
    cuts[::RESTART] = 0
    for key, value, shared_bytes in zip(keys[first:last], values[first:last], cuts.tolist(), strict=True):
        parts += (
            _header(shared_bytes, len(key) + SEQUENCE_BYTES - shared_bytes, len(value)),
            key[shared_bytes:],
            TRAILER,
            value,
        )
    restarts = sizes.restart_offsets(first, last)
    return b"".join(parts) + np.append(restarts, len(restarts)).astype("<u4").tobytes()


@lru_cache(maxsize=65_536)
def _header(shared: int, unshared: int, value: int) -> bytes:
    return varint(shared) + varint(unshared) + varint(value)


def varint(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first.

    >>> varint(300).hex()
    'ac02'
    """
    if number < 0x80:
        return number.to_bytes(1, "little")
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _varint_bytes(number: Ints) -> Ints:
    """Length of `varint` of numbers below 2^63."""
    bounds = np.array([1 << 7 * groups for groups in range(1, 9)], dtype=np.int64)
    return np.asarray(np.searchsorted(bounds, number, side="right") + 1)


def _index_bytes(keys: Sequence[bytes], last: int) -> int:
    """Return the size of the index entry for the block that ends before cell `last`.

    The entry holds the shortest key that separates the block from the next, three lengths, the block's offset and
    length, and a restart.
    """
    separator = len(keys[last - 1])
    if last < len(keys):
        common = int(shared_bytes(keys[last - 1 : last + 1])[1])
        separator = min(separator, common + 1)
    return separator + SEQUENCE_BYTES + 3 + 8 + 4
