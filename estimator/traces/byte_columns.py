"""Cells of a column in one buffer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Flags, Ints

_LENGTHS = 16
"""Cells of so many lengths are read together; the others one by one."""
LETTERS_MAX = 4_096
"""Longer cells are taken one by one."""
_SPACE = ord(" ")
_WORD = 8
_FACTOR, _SHIFT = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(29)
"""2⁶⁴ divided by the golden ratio, as in multiplicative hashing (D. Knuth, The Art of Computer Programming 3, 6.4)."""


@dataclass(frozen=True)
class ByteColumn:
    """Cells in a buffer, by where they begin and end."""

    buffer: bytes
    starts: Ints
    ends: Ints

    @classmethod
    def from_cells(cls, cells: Sequence[bytes]) -> "ByteColumn":
        """Return a column of these cells."""
        lengths = np.fromiter(map(len, cells), dtype=np.int64, count=len(cells))
        ends = np.cumsum(lengths, dtype=np.int64)
        return cls(b"".join(cells), ends - lengths, ends)

    def __len__(self) -> int:
        return self.starts.size

    def __getitem__(self, place: int) -> bytes:
        return self.buffer[self.starts[place] : self.ends[place]]

    @property
    def lengths(self) -> Ints:
        """Bytes of each cell."""
        return self.ends - self.starts

    def cells(self) -> list[bytes]:
        """Return the cells one by one."""
        found = np.full(len(self), b"", dtype=np.object_)
        is_left = self.lengths > 0
        for places, letters in self.rows_by_length(LETTERS_MAX):
            found[places] = letters.view(f"V{letters.shape[1]}")[:, 0].astype(np.object_)
            is_left[places] = False
        for place in np.flatnonzero(is_left).tolist():
            found[place] = self[place]
        return found.tolist()

    def select(self, places: Ints | Flags) -> "ByteColumn":
        """Return the cells at these places, in this order."""
        return ByteColumn(self.buffer, self.starts[places], self.ends[places])

    def numbers(self) -> Ints:
        """Return a number from 0 to 2⁶³ - 1 of each cell: nearly always another of another cell; high bits vary most.

        They are the same in each process.
        """
        lengths, buffer = self.lengths, self.buffer + bytes(_WORD)
        words = np.ndarray(len(buffer) - _WORD + 1, dtype="<u8", buffer=buffer, strides=(1,))
        numbers, shortest = lengths.astype(np.uint64) * _FACTOR, int(lengths.min(initial=_WORD))
        for begin in range(0, int(lengths.max(initial=0)), _WORD):
            places: Ints | slice = slice(None) if begin < shortest else np.flatnonzero(lengths > begin)
            word = words[self.starts[places] + begin]
            if begin + _WORD > shortest:
                word <<= (8 * np.maximum(begin + _WORD - lengths[places], 0)).astype(np.uint64)
            word ^= numbers[places]
            word *= _FACTOR
            word ^= word >> _SHIFT
            numbers[places] = word
        return (numbers * _FACTOR >> np.uint64(1)).astype(np.int64)

    def without_space(self) -> "ByteColumn":
        """Return the cells without one space before each."""
        letters = np.frombuffer(self.buffer + b"\n", dtype=np.uint8)
        begins = (letters[self.starts] == _SPACE) & (self.ends > self.starts)
        return ByteColumn(self.buffer, self.starts + begins, self.ends)

    def letters_by_length(self, longest: int) -> Iterator[tuple[Ints, np.ndarray]]:
        """Yield places of cells of one length and their letters, shape (length, cells): of the usual lengths."""
        for places, letters in self.rows_by_length(longest):
            yield places, np.ascontiguousarray(letters.T)

    def rows_by_length(self, longest: int) -> Iterator[tuple[Ints, np.ndarray]]:
        """Yield the same with shape (cells, length)."""
        lengths, letters = self.lengths, np.frombuffer(self.buffer, dtype=np.uint8)
        counts = np.bincount(np.clip(lengths, 0, longest + 1), minlength=1)[: longest + 1]
        counts[0] = 0
        found = np.flatnonzero(counts)
        for length in found[np.argsort(-counts[found], kind="stable")][:_LENGTHS].tolist():
            places = np.flatnonzero(lengths == length)
            yield places, np.lib.stride_tricks.sliding_window_view(letters, length)[self.starts[places]]
