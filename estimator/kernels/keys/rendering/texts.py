"""A column of byte strings as one array: rows of bytes, zeros behind, and their lengths. And its exact byte order."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Bytes, Flags, Ints

Notation = Literal["d", "x", "X"]
NUMERALS: Mapping[Notation, bytes] = {"d": b"0123456789", "x": b"0123456789abcdef", "X": b"0123456789ABCDEF"}
"""The digits of each notation of numbers, in byte order."""


@dataclass(frozen=True)
class Texts:
    """Byte strings; what stands behind a string's length is zero.

    `data` uint8 (n, width), `length` int64 (n,). [bytes]
    """

    data: Bytes
    length: Ints

    def __len__(self) -> int:
        return len(self.length)

    @staticmethod
    def of(strings: Sequence[bytes]) -> "Texts":
        """Build texts from Python's bytes."""
        length = np.fromiter(map(len, strings), np.int64, len(strings))
        width = int(length.max(initial=0))
        # NumPy has no strings of length 0, so one column is made and then cut off.
        padded = np.array(strings, dtype=f"S{width or 1}").view(np.uint8)
        return Texts(padded.reshape(len(strings), width or 1)[:, :width], length)

    @staticmethod
    def from_fixed(data: Bytes) -> "Texts":
        """All of one length: uint8 (n, width)."""
        return Texts(data, np.full(len(data), data.shape[1], dtype=np.int64))

    @staticmethod
    def constant(text: bytes, n: int) -> "Texts":
        """Return the same string n times."""
        return Texts.from_fixed(np.broadcast_to(np.frombuffer(text, np.uint8), (n, len(text))))

    @cached_property
    def is_fixed(self) -> bool:
        """All are as long as the rows."""
        return bool((self.length == self.data.shape[1]).all())

    def take(self, places: Ints) -> "Texts":
        """Return the strings at these places."""
        width = self.data.shape[1]
        if width == 0 or len(self) == 0:
            return Texts(self.data[places], self.length[places])
        rows = np.ascontiguousarray(self.data).view(f"V{width}").reshape(-1).take(places)  # whole rows at once
        data = rows.view(np.uint8).reshape(-1, width)
        return Texts(data, np.full(len(data), width) if self.is_fixed else self.length[places])

    def tolist(self) -> list[bytes]:
        """Python's bytes."""
        width, joined = self.data.shape[1], np.ascontiguousarray(self.data).tobytes()
        if self.is_fixed:
            return (
                [joined[at : at + width] for at in range(0, width * len(self), width)] if width else [b""] * len(self)
            )
        ends = self.length.tolist()
        return [joined[row * width : row * width + size] for row, size in enumerate(ends)]

    def join(self) -> bytes:
        """All strings behind one another."""
        if self.is_fixed:
            return np.ascontiguousarray(self.data).tobytes()
        return self.data[np.arange(self.data.shape[1]) < self.length[:, None]].tobytes()

    def reverse(self) -> "Texts":
        """Every string backwards."""
        if self.is_fixed:
            return Texts(self.data[:, ::-1], self.length)
        place = self.length[:, None] - 1 - np.arange(self.data.shape[1])
        turned = np.take_along_axis(self.data, np.maximum(place, 0), axis=1)
        return Texts(np.where(place >= 0, turned, 0).astype(np.uint8), self.length)

    def truncate(self, maximum: int) -> "Texts":
        """Return the first `maximum` bytes of each string."""
        return Texts(self.data[:, :maximum], np.minimum(self.length, maximum))

    def order(self) -> tuple[Ints, Flags]:
        """(n,) places in byte order, stable, and (n,) True where a string differs from the one before it.

        Padded with zeros, strings compare as bytes do, but for trailing NULs: there the shorter one is first.
        """
        words = _words(self)
        if not words:
            place, new = np.arange(len(self)), _first(len(self))
        else:
            # Eight columns are compared as one big-endian integer; later words only refine groups that are still
            # equal.
            place = np.argsort(words[0], kind="stable")
            new = _change_flags(words[0][place])
        for word in (*words[1:], *(() if self.is_fixed else (self.length,))):
            if new.all():
                break
            place, new = _refine_order(place, new, word)
        return place.astype(np.int64), new


class Strings(Sequence[bytes]):
    """A column of texts read one by one as Python's bytes: bisection needs but a few of them."""

    def __init__(self, texts: Texts) -> None:
        self._joined, self._width = np.ascontiguousarray(texts.data).tobytes(), texts.data.shape[1]
        self._length = array("q", texts.length.astype(np.int64, copy=False).tobytes())
        """As fast to read as a list, and no integers of their own that a cache would have to weigh one by one."""

    def __len__(self) -> int:
        return len(self._length)

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # an index; slices are not needed
        start = place * self._width
        return self._joined[start : start + self._length[place]]


def _words(texts: Texts) -> list[NDArray[np.unsignedinteger]]:
    """Big-endian words of the columns in which strings differ at all: those alone decide their order."""
    data = texts.data
    if len(data) == 0:
        return []
    # Keys often share most of their bytes: ids "customer-000000…" differ in a few columns, which fit one word.
    differing = np.flatnonzero((data != data[0]).any(axis=0))
    n, width = len(data), len(differing)
    words: list[NDArray[np.unsignedinteger]] = []
    for start in range(0, width, 8):
        columns = differing[start : start + 8]
        size = next(size for size in (1, 2, 4, 8) if size >= len(columns))
        word = np.zeros((n, size), dtype=np.uint8)
        for at, column in enumerate(columns.tolist()):
            word[:, at] = data[:, column]
        words.append(word.view(f">u{size}").reshape(-1).astype(f"u{size}"))
    return words


def _first(n: int) -> Flags:
    new = np.zeros(n, dtype=np.bool_)
    new[:1] = True
    return new


def _change_flags(values: NDArray[np.generic]) -> Flags:
    new = _first(len(values))
    new[1:] = values[1:] != values[:-1]
    return new


def _refine_order(place: Ints, new: Flags, word: NDArray[np.generic]) -> tuple[Ints, Flags]:
    """Sort by one more word within the groups that are still equal."""
    # A string that begins a group and whose successor begins one as well is alone, and its place is final.
    single = new & np.append(new[1:], True)
    open_ = np.flatnonzero(~single)
    group = np.cumsum(new)[open_]
    values = word[place[open_]]
    inner = np.lexsort((values, group))
    place = place.copy()
    place[open_] = place[open_][inner]
    group, values = group[inner], values[inner]
    split = _first(len(open_))
    split[1:] = (group[1:] != group[:-1]) | (values[1:] != values[:-1])
    new = new.copy()
    new[open_] = split
    return place, new


def concatenate(parts: Sequence[Texts]) -> Texts:
    """Strings side by side: row i is part 0's row i, then part 1's, and so on."""
    if len(parts) == 1:
        return parts[0]
    data = np.concatenate([part.data for part in parts], axis=1)
    length = sum((part.length for part in parts[1:]), parts[0].length)
    if all(part.is_fixed for part in parts):
        return Texts(data, length)
    mask = np.concatenate([np.arange(p.data.shape[1]) < p.length[:, None] for p in parts], axis=1)
    packed = np.zeros((len(data), int(length.max(initial=0))), dtype=np.uint8)
    packed[np.arange(packed.shape[1]) < length[:, None]] = data[mask]
    return Texts(packed, length)


def append_delimiter(texts: Texts, after: bytes) -> Texts:
    """Each text with its delimiter."""
    return concatenate([texts, Texts.constant(after, len(texts))]) if after else texts


def decimal(numbers: Ints, width: int = 1) -> Texts:
    """Decimal text of integers, as `numerals`."""
    return numerals(numbers, width, "d")


def numerals(numbers: Ints, width: int, notation: Notation) -> Texts:
    """Digits of integers, zeros in front up to `width` (a minus sign counts as one, in front of the zeros)."""
    negative = numbers < 0
    signed = bool(negative.any())
    # The absolute value of the smallest int64 does not fit int64, but its bits viewed as uint64 are 2^63.
    size = np.abs(numbers).view(np.uint64) if signed else numbers.view(np.uint64)
    digits = len(f"{int(size.max(initial=0)):{notation}}")
    columns = max(digits, width)
    data = np.full((len(numbers), columns), ord("0"), dtype=np.uint8)
    write_numerals(data, size, columns - digits, digits, notation=notation)
    radix = len(NUMERALS[notation])
    if not signed and (width >= digits or _are_all_wide(size, digits, radix)):
        return Texts.from_fixed(data)
    # Numbers of digits by comparison with exact powers: a logarithm in float64 is wrong near 10^15 and above.
    powers = np.array([radix**k for k in range(1, digits)], dtype=np.uint64)
    length = np.maximum(1 + np.searchsorted(powers, size, side="right"), width - negative)
    shift = np.minimum(columns - length[:, None] + np.arange(columns), columns - 1)
    aligned_data = np.take_along_axis(data, shift, axis=1)
    aligned_data[np.arange(columns) >= length[:, None]] = 0
    plain = Texts(aligned_data[:, : int(length.max(initial=1))], length.astype(np.int64))
    if not signed:
        return plain
    sign = Texts(np.where(negative, ord("-"), 0).astype(np.uint8)[:, None], negative.astype(np.int64))
    return concatenate([sign, plain])


def write_numerals(
    data: Bytes, numbers: NDArray[np.uint64], first: int, digits: int, *, notation: Notation = "d"
) -> None:
    """Write the last `digits` digits of each number into columns first…first+digits-1. `data` as in `write_digits`."""
    if notation == "d":
        write_digits(data, numbers, first, digits)
        return
    letters = np.frombuffer(NUMERALS[notation], np.uint8)
    for place in range(digits):
        shift = 4 * (digits - 1 - place)
        data[:, first + place] = letters[(numbers >> np.uint64(shift)) & np.uint64(15)] if shift < 64 else ord("0")


def write_digits(data: Bytes, numbers: NDArray[np.uint64], first: int, digits: int) -> None:
    """Write the last `digits` digits of each number into columns first…first+digits-1.

    Digits are written four at a time from a table. `data` is uint8 (n, width), contiguous.
    """
    end, rest = first + digits, numbers
    while digits > 0:
        # Sorted or recent times often share their upper digits; these are written once for all rows.
        if len(rest) and rest[0] == rest[-1] and int(rest.min()) == int(rest.max()):
            data[:, first:end] = np.frombuffer(str(int(rest[0])).zfill(digits)[-digits:].encode(), np.uint8)
            return
        if digits > 8:
            above = rest // np.uint64(100_000_000)
            low = (rest - above * np.uint64(100_000_000)).astype(np.uint32)
        else:
            above, low = rest, rest.astype(np.uint32)
        # Two groups of four digits come from one 32-bit number, whose division is several times as fast as in 64 bits.
        upper = low // np.uint32(10_000)
        _write_four(data, (low - upper * np.uint32(10_000)).view(np.int32), max(end - 4, first), end)
        _write_four(data, upper.view(np.int32), max(end - 8, first), end - 4)
        end, digits, rest = end - 8, digits - 8, above


def _write_four(data: Bytes, four: NDArray[np.int32], start: int, stop: int) -> None:
    if start >= stop:
        return
    if stop - start < 4:
        data[:, start:stop] = _FOUR[four.astype(np.intp) % 10_000, 4 - (stop - start) :]
        return
    place = np.ndarray((len(data),), np.uint32, data.data, start, (data.shape[1],))
    place[:] = _FOUR_AT_ONCE.take(four.astype(np.intp))


def _are_all_wide(size: NDArray[np.uint64], digits: int, radix: int) -> bool:
    return digits == 1 or (len(size) > 0 and int(size.min()) >= radix ** (digits - 1))


_FOUR = np.frombuffer("".join(f"{n:04d}" for n in range(10_000)).encode(), np.uint8).reshape(-1, 4)
"""The four digits of each number below 10,000."""
_FOUR_AT_ONCE = np.ascontiguousarray(_FOUR).view(np.uint32).reshape(-1)
