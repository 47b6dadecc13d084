"""Cells of whole columns → values: for lines that are written alike, many at a time.

A value that is not read here is read again by itself, in `reading`, which also tells why it cannot be read: so nothing
here needs to be complete, only right.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints

from .blocks import NO_SIZE, OPERATION_CODES
from .events import EPOCH_UNITS, FIRST_S, KEY_MAX, KEY_READERS, LAST_S, KeyForm, read_operation, read_size

ISO = b"0000-00-00T00:00:00"
_ZERO = ord("0")
_UTC_SIGNS = (b"", b"Z", b"+00:00")
_FRACTIONS = (0, 3, 6, 9)
"""Digits of a second; those after the sixth are cut off."""
_MICROSECONDS = 1_000_000


def read_times(cells: Sequence[bytes]) -> Floats:
    """Return times; NaN for what is not read. [s since 1970]"""
    try:
        return _times_of_numbers(np.array(list(map(float, cells)), dtype=np.float64))
    except ValueError:
        times = _read_dates(cells)
    places = np.flatnonzero(np.isnan(times))
    times[places] = _times_of_numbers(np.array([_number_or_nan(cells[place]) for place in places.tolist()]))
    return times


def _number_or_nan(cell: bytes) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _times_of_numbers(numbers: Floats) -> Floats:
    times, is_open = np.full(numbers.size, np.nan), np.ones(numbers.size, dtype=np.bool_)
    for bound, unit in EPOCH_UNITS:
        is_such = is_open & (numbers < bound)
        times[is_such] = numbers[is_such] * unit
        is_open &= ~is_such
    return _plausible_times(times)


def _plausible_times(times: Floats) -> Floats:
    return np.where((times >= FIRST_S) & (times < LAST_S), times, np.nan)


def _read_dates(cells: Sequence[bytes]) -> Floats:
    """Return the times of ISO 8601 dates with seconds, in UTC, written like the first."""
    times = np.full(len(cells), np.nan)
    lengths = np.fromiter(map(len, cells), dtype=np.int64, count=len(cells))
    for length in np.unique(lengths).tolist()[:8]:
        places = np.flatnonzero(lengths == length)
        if length >= len(ISO):
            alike = cells if places.size == len(cells) else [cells[place] for place in places.tolist()]
            letters = np.frombuffer(b"".join(alike), dtype=np.uint8).reshape(len(alike), length)
            times[places] = _dates_of_letters(letters, alike[0])
    return _plausible_times(times)


def _dates_of_letters(letters: np.ndarray, first: bytes) -> Floats:
    """Return the times of dates with the form of the first. Shape of the letters: (dates, length)."""
    fraction = 0
    if first[19:20] == b".":
        fraction = next((n for n, sign in enumerate(first[20:]) if sign not in b"0123456789"), len(first) - 20)
    end = 20 + fraction if fraction else 19
    if first[end:] not in _UTC_SIGNS or fraction not in _FRACTIONS:
        return np.full(len(letters), np.nan)
    is_digit = np.zeros(len(first), dtype=np.bool_)
    is_digit[[n for n, sign in enumerate(ISO) if sign == _ZERO]] = True
    is_digit[20:end] = True
    digits = letters.astype(np.int64) - _ZERO
    is_alike = (letters[:, ~is_digit] == np.frombuffer(first, dtype=np.uint8)[~is_digit]).all(axis=1)
    is_alike &= ((digits[:, is_digit] >= 0) & (digits[:, is_digit] <= 9)).all(axis=1)
    if any(first[n] != ISO[n] for n in (4, 7, 13, 16)) or first[10:11] not in (b"T", b" "):
        return np.full(len(letters), np.nan)

    def number(begin: int, stop: int) -> Ints:
        return digits[:, begin:stop] @ 10 ** np.arange(stop - begin - 1, -1, -1)

    year, month, day = number(0, 4), number(5, 7), number(8, 10)
    hour, minute, second = number(11, 13), number(14, 16), number(17, 19)
    months = ((year - 1970) * 12 + np.clip(month, 1, 12) - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + day - 1
    is_alike &= (month >= 1) & (month <= 12) & (day >= 1) & (hour < 24) & (minute < 60) & (second < 60)
    is_alike &= days < (months + 1).astype("datetime64[D]").astype(np.int64)
    micros = number(20, min(end, 26)) * 10 ** max(6 - fraction, 0) if fraction else np.zeros(year.size, dtype=np.int64)
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return np.where(is_alike, (seconds * _MICROSECONDS + micros) / _MICROSECONDS, np.nan)


def read_operations(cells: Sequence[bytes]) -> Ints:
    """Return places in `OPERATION_NAMES`; -1 for what is not read."""
    kinds = {cell: read_operation(cell.decode("utf-8", "replace")) for cell in set(cells)}
    known = {cell: OPERATION_CODES.get(kind or "", -1) for cell, kind in kinds.items()}
    return _look_up(known, cells)


def read_keys(cells: Sequence[bytes], form: KeyForm) -> tuple[list[bytes], Flags]:
    """Return keys, and which of them are read."""
    reader = KEY_READERS[form]
    keys: list[bytes]
    if form == "text" and b"\\" not in b"".join(cells):
        keys = list(cells)
    else:
        try:
            keys = list(map(reader, cells))
        except ValueError:
            keys = [_key_or_none(reader, cell) for cell in cells]
    lengths = np.fromiter(map(len, keys), dtype=np.int64, count=len(keys))
    return keys, (lengths > 0) & (lengths <= KEY_MAX)


def _key_or_none(reader: Callable[[bytes], bytes], cell: bytes) -> bytes:
    try:
        return reader(cell)
    except ValueError:
        return b""


def read_sizes(cells: Sequence[bytes]) -> Ints:
    """Return sizes; `NO_SIZE` for what is none. [B]"""
    sizes = {cell: read_size(cell.decode("utf-8", "replace")) for cell in set(cells)}
    known = {cell: NO_SIZE if size is None else size for cell, size in sizes.items()}
    return _look_up(known, cells)


def _look_up(known: Mapping[bytes, int], cells: Sequence[bytes]) -> Ints:
    return np.fromiter(map(known.__getitem__, cells), dtype=np.int64, count=len(cells))


def read_tables(cells: Sequence[bytes]) -> tuple[Ints, tuple[str, ...]]:
    """Return places in the names of tables, and these."""
    codes = {cell: code for code, cell in enumerate(dict.fromkeys(cells))}
    names = tuple(cell.decode("utf-8", "surrogateescape") for cell in codes)
    return _look_up(codes, cells), names
