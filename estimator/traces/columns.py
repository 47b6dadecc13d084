"""Cells of whole columns → values: for lines that are written alike, many at a time.

A value that is not read here is read again by itself, in `reading`, which also tells why it cannot be read: so nothing
here needs to be complete, only right.
"""

import math
import re
from collections.abc import Callable

import numpy as np

from designer.imports.shared.dates import MONTH_NAMES
from estimator.results.arrays import Flags, Floats, Ints

from .blocks import NO_SIZE, OPERATION_CODES
from .byte_columns import ByteColumn
from .events import (
    EPOCH_UNITS,
    FIRST_S,
    KEY_MAX,
    KEY_READERS,
    LAST_S,
    SIZE_DIGITS,
    KeyForm,
    read_operation,
    read_size,
    read_time,
)

_DATE = re.compile(
    rb"\[?(?P<year>\d{4})([-/]?)(?P<month>\d\d)\2(?P<day>\d\d)[T ](?P<hour>\d\d)(:?)(?P<minute>\d\d)"
    rb"(?:\6(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?(?: ?[+-][\d:]{2,5}|Z| UTC| GMT)?\]?"
)
_APACHE_DATE = re.compile(
    rb"\[?(?P<day>\d\d)/(?P<name>[A-Z][a-z]{2})/(?P<year>\d{4}):(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
    rb"(?: ?[+-]\d{4})?\]?"
)
"""Dates of which all with the same zone are read together, if `read_time` reads the first of them."""
_ZERO = np.uint8(ord("0"))
_MICROSECONDS = 1_000_000
_YEARS = 200
"""After 1970: more than times of requests may be."""
_NAMES = 16
"""So many different texts of a column are looked for in all its cells at once."""
_NUMBER_BYTES = 8
_EXACT_MAX, _LONG_DIGITS = 1 << 53, 18
"""A double holds each whole number up to so much, and an integer of 64 bits each with so many digits."""


def read_times(column: ByteColumn) -> Floats:
    """Return times; NaN for what is not read. [s since 1970]"""
    times, numbers = np.full(len(column), np.nan), np.full(len(column), np.nan)
    for places, letters in column.letters_by_length(longest=40):
        first = letters[:, 0].tobytes()
        # The first cell of a length decides how all of them are tried; those of another form become NaN and are read
        # alone.
        form = _DATE.fullmatch(first) or _APACHE_DATE.fullmatch(first)
        if form is not None:
            times[places] = _plausible_times(_dates_of_letters(letters, form))
        else:
            numbers[places] = _decimals_of_letters(letters, first.find(b"."))
    remaining = np.flatnonzero(np.isnan(times) & np.isnan(numbers))
    numbers[remaining] = [_number_or_nan(column[place]) for place in remaining.tolist()]
    return np.where(np.isnan(times), _times_of_numbers(numbers), times)


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


def _decimals_of_letters(letters: np.ndarray, point: int) -> Floats:
    """Return numbers of digits with a point at this place, or none (-1), to the last bit as `float`; NaN for others."""
    fraction = letters.shape[0] - point - 1 if point >= 0 else 0
    digits = np.delete(letters, point, axis=0) if point >= 0 else letters
    # An exact integer divided by an exact power of ten is rounded once, as `float` does.
    if not 0 < len(digits) <= (_LONG_DIGITS if fraction else _LONG_DIGITS + 1):
        return np.full(letters.shape[1], np.nan)
    is_read = _are_digits(digits)
    if point >= 0:
        is_read &= letters[point] == ord(".")
    # Nineteen digits fit 64 bits if they begin with less than 9, as epoch nanoseconds do until 2255.
    if len(digits) > _LONG_DIGITS:
        is_read &= digits[0] < ord("9")
    numbers = _integers(digits)
    if fraction:
        is_read &= numbers < _EXACT_MAX
    return np.where(is_read, numbers / 10.0**fraction, np.nan)


def _are_digits(letters: np.ndarray) -> Flags:
    # uint8 wraps below "0" to large numbers, so one comparison covers both sides.
    return (letters - _ZERO).max(axis=0) <= 9  # type: ignore[no-any-return]


def _integers(letters: np.ndarray) -> Ints:
    """Return the numbers of digits. Shape of the letters: (length, cells)."""
    numbers = np.zeros(letters.shape[1], dtype=np.int64)
    for digits in letters - _ZERO:
        numbers = numbers * 10 + digits
    return numbers


def _dates_of_letters(letters: np.ndarray, form: re.Match[bytes]) -> Floats:
    """Return the times of dates that are written as the first of them, in its zone. Shape: (length, dates)."""
    first, parts = form.string, form.groupdict()
    first_s = read_time(first.decode())
    if first_s is None:
        return np.full(letters.shape[1], np.nan)
    is_alike, is_fixed = np.ones(letters.shape[1], dtype=np.bool_), np.ones(len(first), dtype=np.bool_)
    spans = {name: slice(*form.span(name)) for name in parts if parts[name] is not None}
    for name, span in spans.items():
        is_fixed[span] = False
        if name != "name":
            is_alike &= _are_digits(letters[span])
    is_alike &= (letters[is_fixed] == np.frombuffer(first, dtype=np.uint8)[is_fixed][:, np.newaxis]).all(axis=0)
    none = np.zeros(letters.shape[1], dtype=np.int64)
    month = _months_of_letters(letters[spans["name"]]) if "name" in spans else _integers(letters[spans["month"]])
    days, is_day = _days_of(_integers(letters[spans["year"]]), month, _integers(letters[spans["day"]]))
    hour, minute = (_integers(letters[spans[name]]) for name in ("hour", "minute"))
    second = _integers(letters[spans["second"]]) if "second" in spans else none
    is_alike &= is_day & (hour < 24) & (minute < 60) & (second < 60)
    micros = none
    if "fraction" in spans:
        begin, end = form.span("fraction")
        micros = _integers(letters[begin : min(end, begin + 6)]) * 10 ** max(6 - (end - begin), 0)
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    # Whole microseconds and one division at the end are rounded as `datetime.timestamp` is, so that both readers
    # agree. All letters of the zone are those of the first date, and so is its distance from UTC.
    ahead = round(int(seconds[0]) + int(micros[0]) / _MICROSECONDS - first_s)
    return np.where(is_alike, ((seconds - ahead) * _MICROSECONDS + micros) / _MICROSECONDS, np.nan)


def _months_of_letters(letters: np.ndarray) -> Ints:
    """Return the numbers of months from their names; 0 for what is none."""
    months = np.zeros(letters.shape[1], dtype=np.int64)
    for number, name in enumerate(MONTH_NAMES, 1):
        months[(letters == np.frombuffer(name.encode(), dtype=np.uint8)[:, np.newaxis]).all(axis=0)] = number
    return months


def _days_of(year: Ints, month: Ints, day: Ints) -> tuple[Ints, Flags]:
    """Return days since 1970, and which of them there are."""
    # First days of all months, and of the one after the last, so that the length of a month is a difference.
    begins = np.arange(12 * _YEARS + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    months = (year - 1970) * 12 + month - 1
    is_day = (month >= 1) & (month <= 12) & (day >= 1) & (months >= 0) & (months < 12 * _YEARS)
    months = np.where(is_day, months, 0)
    days = begins[months] + day - 1
    return days, is_day & (days < begins[months + 1])


def read_operations(column: ByteColumn) -> Ints:
    """Return places in `OPERATION_NAMES`; -1 for what is not read."""
    codes, names = _number_texts(column)
    kinds = [OPERATION_CODES.get(read_operation(name.decode("utf-8", "replace")) or "", -1) for name in names]
    return np.array(kinds, dtype=np.int64)[codes]


def _number_texts(column: ByteColumn) -> tuple[Ints, list[bytes]]:
    """Return the place of each cell's text in a list of all different texts, and these."""
    codes, names = np.full(len(column), -1, dtype=np.int64), list[bytes]()
    for places, letters in column.rows_by_length(longest=64):
        texts = (
            _as_numbers(letters) if letters.shape[1] <= _NUMBER_BYTES else letters.view(f"S{letters.shape[1]}")[:, 0]
        )
        while places.size and len(names) < _NAMES:
            is_such = texts == texts[0]  # of one length: zeros at the end, which NumPy leaves out, are told by it
            codes[places[is_such]] = len(names)
            names.append(column[int(places[0])])
            places, texts = places[~is_such], texts[~is_such]
    remaining = np.flatnonzero(codes < 0).tolist()
    numbers = {name: code for code, name in enumerate(names)}
    for place in remaining:
        codes[place] = numbers.setdefault(column[place], len(numbers))
    return codes, list(numbers)


def _as_numbers(letters: np.ndarray) -> np.ndarray:
    """Return a number for each text of up to eight letters of one length, equal for equal texts: compared at once."""
    padded = np.zeros((len(letters), _NUMBER_BYTES), dtype=np.uint8)
    padded[:, : letters.shape[1]] = letters
    return padded.view(np.uint64)[:, 0]


def read_keys(column: ByteColumn, form: KeyForm) -> tuple[ByteColumn, Flags]:
    """Return keys, and which of them are read."""
    if form != "text" or b"\\" in column.buffer:
        reader, cells = KEY_READERS[form], column.cells()
        try:
            keys = list(map(reader, cells))
        except ValueError:
            keys = [_key_or_none(reader, cell) for cell in cells]
        column = ByteColumn.from_cells(keys)
    return column, (column.lengths > 0) & (column.lengths <= KEY_MAX)


def _key_or_none(reader: Callable[[bytes], bytes], cell: bytes) -> bytes:
    try:
        return reader(cell)
    except ValueError:
        return b""


def read_sizes(column: ByteColumn) -> Ints:
    """Return sizes; `NO_SIZE` for what is none. [B]"""
    sizes, is_read = np.full(len(column), NO_SIZE, dtype=np.int64), column.lengths == 0
    for places, letters in column.letters_by_length(longest=SIZE_DIGITS):
        is_number = _are_digits(letters)
        sizes[places] = np.where(is_number, _integers(letters), NO_SIZE)
        is_read[places] = is_number
    sizes_by_cell: dict[bytes, int | None] = {}
    for place in np.flatnonzero(~is_read).tolist():
        cell = column[place]
        if cell not in sizes_by_cell:
            sizes_by_cell[cell] = read_size(cell.decode("utf-8", "replace"))
        size = sizes_by_cell[cell]
        sizes[place] = NO_SIZE if size is None else size
    return sizes


def read_tables(column: ByteColumn) -> tuple[Ints, tuple[str, ...]]:
    """Return places in the names of tables, and these."""
    codes, names = _number_texts(column)
    return codes, tuple(name.decode("utf-8", "surrogateescape") for name in names)
