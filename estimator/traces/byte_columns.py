"""Texts of a whole column, by where they stand in a buffer: taken, compared and hashed many at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Flags, Ints

from .events import KEY_MAX

Hashes = NDArray[np.uint64]
_SPACE = ord(" ")
_LENGTHS = 16
"""Cells of so many lengths are read together; the others one by one."""
_WORD = 8
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], dtype=np.uint64)
"""Of the first letters of a word, by how many these are: its lowest bytes."""
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
"""Of splitmix64 (S. Vigna, 2015): odd, so that nothing is lost by them."""
_SHIFTS = np.uint64(32), np.uint64(30), np.uint64(27), np.uint64(31)
_SPARSE = 8
"""Cells in a buffer of so many times their length are copied where they are to stay."""


@dataclass(frozen=True)
class ByteColumn:
    """Cells in a buffer, by where they begin and end."""

    buffer: bytes
    starts: Ints
    ends: Ints
    _places: dict[bytes, Ints] = field(default_factory=dict, repr=False, compare=False)
    """Where letters stand that were looked for, for all columns of this buffer."""

    def __reduce__(self) -> tuple[type, tuple[bytes, Ints, Ints]]:
        return ByteColumn, (self.buffer, self.starts, self.ends)

    @classmethod
    def from_cells(cls, cells: Sequence[bytes]) -> "ByteColumn":
        """Return a column of these cells."""
        lengths = np.fromiter(map(len, cells), dtype=np.int64, count=len(cells))
        ends = np.cumsum(lengths, dtype=np.int64)
        return cls(b"".join(cells), ends - lengths, ends)

    @classmethod
    def join(cls, columns: Sequence["ByteColumn"]) -> "ByteColumn":
        """Return the cells of several columns behind each other."""
        packed = [column.pack() for column in columns]
        before = np.cumsum([0, *(len(column.buffer) for column in packed)]).tolist()
        starts = [column.starts + shift for column, shift in zip(packed, before, strict=False)]
        ends = [column.ends + shift for column, shift in zip(packed, before, strict=False)]
        return cls(b"".join(column.buffer for column in packed), np.concatenate(starts), np.concatenate(ends))

    def __len__(self) -> int:
        return self.starts.size

    def __getitem__(self, place: int) -> bytes:
        return self.buffer[self.starts[place] : self.ends[place]]

    def take(self, places: Ints | Flags) -> "ByteColumn":
        """Return the cells at these places, or for which this is true."""
        return self.between(self.starts[places], self.ends[places])

    def between(self, starts: Ints, ends: Ints) -> "ByteColumn":
        """Return other cells of the same buffer."""
        return ByteColumn(self.buffer, starts, ends, self._places)

    def places_of(self, letter: bytes) -> Ints:
        """Return where a letter stands in the buffer."""
        if letter not in self._places:
            self._places[letter] = np.flatnonzero(self.letters == letter[0])
        return self._places[letter]

    def pack(self) -> "ByteColumn":
        """Return the same cells in a buffer that is not much longer than they are."""
        is_sparse = len(self.buffer) > _SPARSE * max(int(self.lengths.sum()), 1)
        return ByteColumn.from_cells(self.cells()) if is_sparse else self

    @property
    def letters(self) -> NDArray[np.uint8]:
        """The buffer."""
        return np.frombuffer(self.buffer, dtype=np.uint8)

    def last_letters(self) -> NDArray[np.uint8]:
        """Return the last letter of each cell, of which none is empty."""
        return self.letters[self.ends - 1]

    @property
    def lengths(self) -> Ints:
        """Bytes of each cell."""
        return self.ends - self.starts

    def cells(self) -> list[bytes]:
        """Return the cells one by one."""
        result = np.full(len(self), b"", dtype=np.object_)
        is_left = self.lengths > 0
        for places, letters in self.rows_by_length(KEY_MAX):
            # Void records become bytes objects of their full length; the dtype S would drop zeros at the end of a key.
            result[places] = letters.view(f"V{letters.shape[1]}")[:, 0].astype(np.object_)
            is_left[places] = False
        for place in np.flatnonzero(is_left).tolist():
            result[place] = self[place]
        return result.tolist()

    def hashes(self) -> Hashes:
        """Return a number for each cell: equal for equal cells; for others so with a chance of 2^-64.

        Of 10^8 different cells, any two have the same with a chance of 0.03 %: what is counted by hashes is exact.
        """
        lengths = self.lengths
        hashes: Hashes = (lengths.astype(np.uint64) + np.uint64(1)) * _FACTORS[0]
        for offset in range(0, int(lengths.max(initial=0)), _WORD):
            is_longer = lengths > offset
            at: Ints | slice = slice(None) if is_longer.all() else np.flatnonzero(is_longer)
            words = _words_at(self.buffer, self.starts[at] + offset)
            words &= _MASKS[np.minimum(lengths[at] - offset, _WORD)]
            hashes[at] = _mix((hashes[at] ^ words) * _FACTORS[0], _SHIFTS[0])
        return _mix(_mix(_mix(hashes, _SHIFTS[1]) * _FACTORS[1], _SHIFTS[2]) * _FACTORS[2], _SHIFTS[3])

    def without_space(self) -> "ByteColumn":
        """Return the cells without one space before each."""
        # A cell can begin at the very end of the buffer, where one more letter keeps the index valid.
        letters = np.frombuffer(self.buffer + b"\n", dtype=np.uint8)
        begins = (letters[self.starts] == _SPACE) & (self.ends > self.starts)
        return self.between(self.starts + begins, self.ends)

    def letters_by_length(self, longest: int) -> Iterator[tuple[Ints, np.ndarray]]:
        """Yield places of cells of one length and their letters, shape (length, cells): of the usual lengths."""
        for places, letters in self.rows_by_length(longest):
            yield places, np.ascontiguousarray(letters.T)

    def rows_by_length(self, longest: int) -> Iterator[tuple[Ints, np.ndarray]]:
        """Yield the same with shape (cells, length)."""
        lengths = self.lengths
        counts = np.bincount(np.clip(lengths, 0, longest + 1), minlength=1)[: longest + 1]
        counts[0] = 0
        distinct = np.flatnonzero(counts)
        # Cells of one length form a matrix without padding. Times and numbers of a log have few lengths.
        for length in distinct[np.argsort(-counts[distinct], kind="stable")][:_LENGTHS].tolist():
            is_only = counts[length] == len(self)
            places = np.arange(len(self)) if is_only else np.flatnonzero(lengths == length)
            # A record of so many bytes from each place of the buffer on: taken in half the time of a matrix of letters.
            number = len(self.buffer) - length + 1
            records = np.ndarray((number,), dtype=f"V{length}", buffer=self.buffer, strides=(1,))
            taken = records[self.starts if is_only else self.starts[places]]
            yield places, taken.view(np.uint8).reshape(-1, length)


def _words_at(buffer: bytes, begins: Ints) -> Hashes:
    """Return the eight letters from each place on as a number, zeros behind the end of the buffer."""
    buffer = buffer if len(buffer) >= _WORD else buffer.ljust(_WORD, b"\0")
    last = len(buffer) - _WORD
    words: Hashes = np.ndarray((last + 1,), dtype="<u8", buffer=buffer, strides=(1,))
    behind = np.flatnonzero(begins > last)
    if not behind.size:
        return words[begins]
    # A word that would reach behind the buffer is read before its end, and shifted.
    result = words[np.minimum(begins, last)]
    result[behind] >>= (8 * np.minimum(begins[behind] - last, _WORD - 1)).astype(np.uint64)
    return result


def stands_at(buffer: bytes, begins: Ints, text: bytes) -> Flags:
    """Return at which of these places a text stands; behind each are as many letters."""
    if len(text) == 1:
        return np.asarray(np.frombuffer(buffer, dtype=np.uint8)[begins] == text[0])
    is_such = np.ones(begins.size, dtype=np.bool_)
    for offset in range(0, len(text), _WORD):
        part = text[offset : offset + _WORD]
        number = np.uint64(int.from_bytes(part, "little"))
        is_such &= (_words_at(buffer, begins + offset) & _MASKS[len(part)]) == number
    return is_such


def _mix(hashes: Hashes, shift: np.uint64) -> Hashes:
    return hashes ^ (hashes >> shift)


def are_sampled(hashes: Hashes, halvings: int) -> Flags:
    """Return which hashes are in a sample that was halved so often: those with the smallest numbers."""
    return hashes >> np.uint64(64 - halvings) == 0 if halvings else np.ones(hashes.size, dtype=np.bool_)
