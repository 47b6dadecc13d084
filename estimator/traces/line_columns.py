"""Lines that are written alike → where the cells of each column begin and end, for many lines at once.

A line that is not surely read as `csv` and `json` would is left out; `reading` then reads it alone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from estimator.results.arrays import Flags, Ints

from .byte_columns import ByteColumn, stands_at
from .events import LINE_MAX, Column, leaves
from .forms import TraceForm

Columns = tuple[Ints, Mapping[Column, ByteColumn]]
"""Places of lines, and the cells of these lines."""
_QUOTE, _SPACE, _BACKSLASH = ord('"'), ord(" "), ord("\\")
_FORMS = 4
"""So many forms of objects are looked for in a chunk."""
_REST = 16
"""The share of a chunk's lines for which another form is looked for: one line in so many."""
_NUMBER_LENGTH = 24
_SCALAR = re.compile(rb"true|false|-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,5})?")
_ESCAPED = re.compile(rb"(?:[^\\]+|\\[\\/bfnrt]|\\u[0-9a-fA-F]{4})*")
"""JSON's other values, and its texts with escapes of other letters than quotes."""
_NO_PLACES = np.zeros(0, dtype=np.int64)


# --- CSV ---


def csv_columns(chunk: bytes, starts: Ints, ends: Ints, form: TraceForm) -> Columns:
    """Return the cells of lines with as many cells as most, none of them with a quote inside quotes."""
    letters = np.frombuffer(chunk, dtype=np.uint8)
    delimiters, last = np.flatnonzero(letters == ord(form.delimiter)), max(map(max, form.cell_spans.values()))
    if b'"' in chunk:
        delimiters = _outside_quotes(delimiters, np.flatnonzero(letters == _QUOTE), starts)
    is_alike: Flags = (ends - starts < LINE_MAX) & _without(b"\r", chunk, starts, ends)
    usual, rest = divmod(delimiters.size, max(starts.size, 1))
    between = delimiters.reshape(-1, usual) if usual >= last and not rest else np.zeros((0, 1), dtype=np.int64)
    # As many in each line where the first of each so many is behind its beginning, and the last before its end.
    if not (len(between) and (between[:, 0] >= starts).all() and (between[:, -1] < ends).all()):
        counts = _count_by_line(delimiters, starts, len(chunk))
        usual = int(np.bincount(counts).argmax()) if counts.size else 0
        if usual < last:
            return np.zeros(0, dtype=np.int64), {}
        is_alike &= counts == usual
        # Lines with the usual number of delimiters fit one matrix of places; all others are read one by one.
        between = delimiters[np.repeat(counts == usual, counts)].reshape(-1, usual)
        between = between[is_alike[counts == usual]]
    elif not is_alike.all():
        between = between[is_alike]
    places = np.flatnonzero(is_alike)
    if b'"' not in chunk:
        return places, {
            name: ByteColumn(
                chunk,
                between[:, begin - 1] + 1 if begin else starts[places],
                np.ascontiguousarray(between[:, end]) if end < usual else ends[places],
            )
            for name, (begin, end) in form.cell_spans.items()
        }
    begins = np.column_stack([starts[places], between + 1])
    stops = np.column_stack([between, ends[places]])
    quotes = _count_by_line(np.flatnonzero(letters == _QUOTE), starts, len(chunk))[places]
    is_quoted = (stops - begins >= 2) & (letters[begins] == _QUOTE) & (letters[stops - 1] == _QUOTE)
    # Every quote of the line must be an outer one: then no cell has a quote inside quotes.
    is_plain = 2 * is_quoted.sum(axis=1) == quotes
    places, begins, stops = places[is_plain], (begins + is_quoted)[is_plain], (stops - is_quoted)[is_plain]
    return places, {
        name: ByteColumn(chunk, np.ascontiguousarray(begins[:, begin]), np.ascontiguousarray(stops[:, end]))
        for name, (begin, end) in form.cell_spans.items()
    }


def _outside_quotes(delimiters: Ints, quotes: Ints, starts: Ints) -> Ints:
    """Return the delimiters that have an even number of quotes before them in their line."""
    line_starts = starts[np.searchsorted(starts, delimiters, side="right") - 1]
    before = np.searchsorted(quotes, delimiters) - np.searchsorted(quotes, line_starts)
    return np.asarray(delimiters[before % 2 == 0])


def _count_by_line(places: Ints, starts: Ints, size: int) -> Ints:
    """Return how many of the places that were found lie in each line."""
    return np.diff(np.searchsorted(places, np.append(starts, size)))


def _without(sign: bytes, chunk: bytes, starts: Ints, ends: Ints) -> Flags:
    """Return which lines do not have a letter."""
    is_without = np.ones(starts.size, dtype=np.bool_)
    if sign in chunk:
        is_without[np.searchsorted(ends, np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == sign[0]))] = False
    return is_without


# --- JSON objects ---


@dataclass(frozen=True)
class _Value:
    """A value in lines of one form: behind how many quotes it begins."""

    name: str
    quotes: int
    is_text: bool
    skipped: int = 0
    """Bytes between the last quote and a number."""
    rest: int = 0
    """Bytes between a number and the next quote, or the end of the line."""


@dataclass(frozen=True)
class _ObjectForm:
    """Form of objects: the texts between their values, and these."""

    fixed: tuple[bytes, ...]
    values: tuple[_Value, ...]
    quotes: int


def json_columns(chunk: bytes, starts: Ints, ends: Ints, form: TraceForm) -> Columns:
    """Return the values of objects that are written like others of the chunk, without escapes."""
    letters = np.frombuffer(chunk, dtype=np.uint8)
    quotes = np.flatnonzero(letters == _QUOTE)
    counts = _count_by_line(quotes, starts, len(chunk))
    before = np.cumsum(counts) - counts
    # Without a backslash before it every quote begins or ends a text, so places of quotes divide the line.
    is_open = (ends - starts < LINE_MAX) & (counts > 0)
    if b'\\"' in chunk:
        is_open[np.searchsorted(ends, quotes[letters[quotes - 1] == _BACKSLASH])] = False
    is_open &= _printable_lines(chunk, letters, starts, ends)
    parts: list[Columns] = []
    for _ in range(_FORMS):
        remaining = np.flatnonzero(is_open)
        # A form that few lines have is not worth another pass over the chunk.
        if remaining.size * _REST < starts.size or not remaining.size:
            break
        first = int(remaining[0])
        shape = _object_form(chunk[starts[first] : ends[first]])
        is_open[first] = False
        if shape is None or not {form.columns[c] for c in form.columns if c not in ("bytes", "table")} <= {
            value.name for value in shape.values
        }:
            continue
        places = remaining[counts[remaining] == shape.quotes]
        bounds = quotes[before[places][:, np.newaxis] + np.arange(shape.quotes)]
        places, columns = _values_of(chunk, shape, (starts[places], bounds, ends[places]), places, form)
        is_open[places] = False
        parts.append((places, columns))
    return _join(parts, form, chunk)


def _printable_lines(chunk: bytes, letters: np.ndarray, starts: Ints, ends: Ints) -> Flags:
    """Return which lines are surely UTF-8 without control characters."""
    is_odd = letters < _SPACE
    is_clean = np.ones(starts.size, dtype=np.bool_)
    if int(np.count_nonzero(is_odd)) > starts.size:
        odd = np.flatnonzero(is_odd & (letters != ord("\n")))
        is_clean[np.searchsorted(ends, odd)] = False
    if not chunk.isascii():
        try:
            chunk.decode()
        except UnicodeDecodeError:
            is_clean[np.searchsorted(ends, np.flatnonzero(letters > 127))] = False
    return is_clean


def _object_form(line: bytes) -> _ObjectForm | None:
    """Return the form of a line; None for all but objects of texts and numbers with different names."""
    try:
        content = json.loads(line)
        names = [name for name, value in leaves(content) if not isinstance(value, list)]
    except (AttributeError, ValueError, RecursionError):
        return None
    fixed, values, last = list[bytes](), list[_Value](), 0
    matches = list(re.finditer(rb'"([^"]*)"(\s*:\s*)(?:"([^"]*)"|([^\s",{}\[\]]+))', line))
    if len(matches) != len(names):
        return None
    for name, match in zip(names, matches, strict=True):
        is_text = match[4] is None
        begin, end = match.span(3 if is_text else 4)
        after = re.compile(rb'[^"]*').match(line, end)
        assert after is not None
        rest = 0 if is_text else after.end() - end
        quotes = line.count(b'"', 0, begin)
        values.append(_Value(name, quotes, is_text, 0 if is_text else len(match[2]), rest))
        fixed.append(line[last:begin])
        last = end
    shape = _ObjectForm((*fixed, line[last:]), tuple(values), line.count(b'"'))
    return shape if _is_form_of(shape, content) else None


def _is_form_of(shape: _ObjectForm, content: Mapping[str, Any]) -> bool:
    """Return whether other values in the places of a form are, to the real parser, other values of its names alone."""
    others = {value.name: f"value {n}" if value.is_text else 10**9 + n for n, value in enumerate(shape.values)}
    texts = [*(str(other).encode() for other in others.values()), b""]
    try:
        read = json.loads(b"".join(part for pair in zip(shape.fixed, texts, strict=True) for part in pair))
    except ValueError:
        return False
    return len(others) == len(shape.values) and dict(leaves(read)) == {**dict(leaves(content)), **others}


def _are_of(regex: re.Pattern[bytes], column: ByteColumn, is_tried: Flags) -> Flags:
    """Return which of the cells to be tried match an expression."""
    is_such = np.zeros(len(column), dtype=np.bool_)
    places = np.flatnonzero(is_tried)
    is_such[places] = [match is not None for match in map(regex.fullmatch, column.take(places).cells())]
    return is_such


def _values_of(
    chunk: bytes, shape: _ObjectForm, lines: tuple[Ints, Ints, Ints], places: Ints, form: TraceForm
) -> Columns:
    """Return those of the lines that have this form, and their values."""
    starts, bounds, ends = lines
    begins, stops = list[Ints](), list[Ints]()
    for value in shape.values:
        begins.append(bounds[:, value.quotes - 1] + 1 + value.skipped)
        is_last = value.quotes == shape.quotes
        stops.append((ends if is_last else bounds[:, value.quotes]) - value.rest)
    is_such = np.ones(places.size, dtype=np.bool_)
    for fixed, begin, end in zip(shape.fixed, (starts, *stops), (*begins, ends), strict=True):
        # What stands between the values must be equal byte for byte; then the values are where the form says.
        is_such &= end - begin == len(fixed)
        at = np.flatnonzero(is_such)
        is_such[at] = stands_at(chunk, begin[at], fixed)
    columns: dict[str, ByteColumn] = {}
    names = {name: column for column, name in form.columns.items()}
    escapes = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == _BACKSLASH) if b"\\" in chunk else _NO_PLACES
    for value, begin, end in zip(shape.values, begins, stops, strict=True):
        column = ByteColumn(chunk, begin, end)
        if value.is_text and escapes.size:
            is_escaped = np.searchsorted(escapes, end) > np.searchsorted(escapes, begin)
            # A value that nobody asks for has to be valid all the same.
            is_valid = _are_of(_ESCAPED, column, is_such & is_escaped & (value.name not in names))
            is_such &= ~is_escaped | is_valid
        if not value.is_text:
            is_null = (end - begin == 4) & is_such
            at = np.flatnonzero(is_null)
            is_null[at] = stands_at(chunk, begin[at], b"null")
            is_valid = is_null | _are_numbers(column, may_have_point=names.get(value.name, "time") == "time")
            if value.name not in names:
                is_valid |= _are_of(_SCALAR, column, is_such & ~is_valid)
            is_such &= is_valid
            column = ByteColumn(chunk, begin, np.where(is_null, begin, end))
        columns[value.name] = column
    return places[is_such], {
        column: ByteColumn(chunk, source.starts[is_such], source.ends[is_such])
        for column, name in form.columns.items()
        if (source := columns.get(str(name))) is not None
    }


def _are_numbers(column: ByteColumn, *, may_have_point: bool) -> Flags:
    """Return which cells are numbers without sign and exponent, as JSON writes them."""
    is_number = np.zeros(len(column), dtype=np.bool_)
    valid = ByteColumn(column.buffer, column.starts, np.maximum(column.ends, column.starts))
    for places, letters in valid.letters_by_length(longest=_NUMBER_LENGTH):
        is_digit, points = letters - np.uint8(ord("0")) <= 9, letters == ord(".")
        is_valid = is_digit[0] & is_digit[-1] & (is_digit | points).all(axis=0)
        is_valid &= points.sum(axis=0) <= may_have_point
        # JSON allows no leading zeros, but 0.5 begins with one that a point follows.
        if len(letters) > 1:
            is_valid &= (letters[0] != ord("0")) | points[1]
        is_number[places] = is_valid
    return is_number


def _join(parts: list[Columns], form: TraceForm, chunk: bytes) -> Columns:
    """Return the lines of several forms in their order."""
    if not parts:
        return np.zeros(0, dtype=np.int64), {}
    places = np.concatenate([lines for lines, _ in parts])
    order = np.argsort(places, kind="stable")

    def bounds(column: Column) -> Iterator[Ints]:
        for lines, columns in parts:
            none = np.zeros(lines.size, dtype=np.int64)
            yield np.stack([columns[column].starts, columns[column].ends] if column in columns else [none, none])

    joined = {column: np.concatenate(list(bounds(column)), axis=1)[:, order] for column in form.columns}
    return places[order], {column: ByteColumn(chunk, begin, end) for column, (begin, end) in joined.items()}
