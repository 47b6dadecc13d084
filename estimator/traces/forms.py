"""The first lines of an access log → how it is written: which columns it has, and where."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.document.texts import N_, TextList
from designer.imports.shared.appearance import appearance
from designer.imports.shared.dates import parse_date

from .events import (
    DELIMITERS,
    FIRST_LINES,
    KEY_READERS,
    NAMES,
    USUAL,
    Column,
    KeyForm,
    TraceFormError,
    read_object,
    read_operation,
    read_size,
    read_time,
    split_cells,
)

EXAMPLE = "time=when,key=row"
"""How columns are told by their names."""
KEYS_MIN = 10
"""So many different texts are no names of results."""
LIKELY_MIN, LIKELY_BYTES = 20, 3
"""So many keys, each of so many bytes, tell how they seem to be written."""
TIME_CELLS_MAX = 3
"""Of a log with spaces between: a date, a time of day and a zone."""
_ARRAY = re.compile(rb"\s*\[\s*([{\[\"]|$)")
_FRACTION = re.compile(r"[+-]?\d*\.\d+")


@dataclass(frozen=True)
class TraceForm:
    """Form of a log: its columns by name (of a JSON object) or place."""

    columns: Mapping[Column, str | int]
    delimiter: str = ""
    """Empty for JSON objects."""
    has_header: bool = False
    keys: KeyForm = "text"
    is_padded: bool = False
    """True if a space follows each delimiter."""
    header: tuple[str, ...] = ()
    """Cells of the first line, if it names the columns."""
    likely_keys: KeyForm = "text"
    """How keys that are read as text seem to be written."""
    has_no_zone: bool = False
    """True if times are dates without a zone."""
    time_cells: int = 1
    """Where spaces are between cells, so many are a time, as of `2026-09-21 14:13:20 +0900`; they count as one."""

    def split(self, text: str) -> list[str]:
        """Return the cells of a line of CSV, a time as one of them."""
        cells = split_cells(text, self.delimiter)
        return (
            cells
            if self.time_cells == 1 or not cells
            else _join_time(cells, int(self.columns["time"]), self.time_cells)
        )

    @property
    def cell_spans(self) -> dict[Column, tuple[int, int]]:
        """The first and the last cell between delimiters that each column has."""
        time, more = int(self.columns["time"]), self.time_cells - 1
        firsts = {column: int(place) + more * (int(place) > time) for column, place in self.columns.items()}
        return {column: (first, first + more * (column == "time")) for column, first in firsts.items()}

    @property
    def column_names(self) -> dict[Column, str]:
        """Names of the columns, or their numbers from 1."""
        return {column: self._name(place) for column, place in self.columns.items()}

    def _name(self, place: str | int) -> str:
        if isinstance(place, str):
            return place
        return self.header[place].strip() if self.header else str(place + 1)


def find_form(first: Sequence[bytes], *, columns: Sequence[str] = (), keys: KeyForm = "text") -> TraceForm:
    """Return the form of a log by its first lines; `columns` tells the columns instead, in their order or by name.

    Raises
    ------
    TraceFormError
        If there is no column of times or of keys.
    """
    lines = [line for line in first[:FIRST_LINES] if line.strip()]
    form = _find_form(lines, columns, keys)
    if form.has_header and form.delimiter == " ":  # which names a time once, whatever it is written in
        rows = [split_cells(line.decode("utf-8", "replace").rstrip("\r\n"), " ") for line in lines[1:]]
        form = replace(form, time_cells=max(_count_time_cells(rows, int(form.columns["time"])), 1))
    return with_looks(form, _cells_of(form, lines, "time"), _cells_of(form, lines, "key"))


def with_looks(form: TraceForm, times: Sequence[str], keys: Sequence[str]) -> TraceForm:
    """Return a form with what its first cells look like: how keys are written, and whether times name no zone."""
    forms: tuple[KeyForm, ...] = ("hex", "base64")
    likely: KeyForm = next((name for name in forms if form.keys == "text" and _are_texts(keys, name)), "text")
    texts = [cell.strip() for cell in times if not cell.strip().isdecimal()]  # digits alone are an epoch
    dates = [date for text in texts if (date := parse_date(text)) is not None]
    has_no_zone = form.has_no_zone or any(date.tzinfo is None for date in dates)
    return replace(form, likely_keys=likely, has_no_zone=has_no_zone)


def _cells_of(form: TraceForm, lines: Sequence[bytes], column: Column) -> list[str]:
    """Return what the first lines have in a column, the header left out."""
    place, texts = form.columns[column], [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines]
    if not form.delimiter:
        return [content[place] for line in lines if not isinstance(content := read_object(line), str)]  # type: ignore[index]
    rows = map(form.split, texts[form.has_header :])
    return [row[int(place)] for row in rows if len(row) > int(place)]


def _are_texts(cells: Sequence[str], form: KeyForm) -> bool:
    """Return whether cells seem to be text that was written in this form: each becomes printable when it is read."""
    if len(cells) < LIKELY_MIN:
        return False
    try:
        texts = [KEY_READERS[form](cell.strip().encode("ascii")) for cell in cells]
    except ValueError:
        return False
    return all(len(text) >= LIKELY_BYTES and text.isascii() and text.decode().isprintable() for text in texts)


def _find_form(lines: Sequence[bytes], columns: Sequence[str], keys: KeyForm) -> TraceForm:
    if not lines:
        raise TraceFormError(N_("the log is empty"))
    if _ARRAY.match(lines[0]) and not columns:
        raise TraceFormError(N_("the log is a JSON array: write one object a line, as jq -c '.[]' does"))
    if len(lines) == 1 and b"\r" in lines[0].rstrip():
        raise TraceFormError(N_("its lines end in a carriage return alone: write line feeds, as tr '\\r' '\\n' does"))
    column_names = _column_names(columns)
    if lines[0].lstrip()[:1] == b"{":
        if columns and not column_names:
            raise TraceFormError(N_("the columns of JSON objects are told by their names: {example}"), example=EXAMPLE)
        return TraceForm(_json_columns(lines, column_names), keys=keys)
    texts = [line.decode("utf-8", "surrogateescape").rstrip("\r\n") for line in lines]
    if column_names:
        return _named_form(texts, column_names, keys)
    if columns:
        return _stated_form(texts, columns, keys)
    for delimiter in DELIMITERS:
        cells = split_cells(texts[0], delimiter)
        column_places = _header_columns(cells)
        if "time" in column_places and "key" in column_places:
            _require_once(cells, column_places.values())
            return TraceForm(column_places, delimiter, True, keys, _is_padded(texts, delimiter), tuple(cells))
    for delimiter in DELIMITERS:
        rows, time_cells = _rows_with_times(texts, delimiter)
        first_cells, column_places = rows[0], _guess_columns(rows[1:] or rows)
        if (
            "time" in column_places
            and "key" in column_places
            and max(map(int, column_places.values())) < len(first_cells)
        ):
            has_header = len(rows) > 1 and read_time(first_cells[int(column_places["time"])]) is None
            header = tuple(first_cells) if has_header else ()
            for column, place in _header_columns(header).items():
                if place not in column_places.values():
                    column_places[column] = place
            is_padded = _is_padded(texts, delimiter)
            return TraceForm(column_places, delimiter, has_header, keys, is_padded, header, time_cells=time_cells)
    message = N_(
        "no columns of times and row keys were found; the file looks like {looks}: name the columns in their order"
    )
    raise TraceFormError(message, looks=appearance("\n".join(texts)))


def _rows_with_times(texts: Sequence[str], delimiter: str) -> tuple[list[list[str]], int]:
    """Return the cells of lines, times as one of them, and how many cells a time has in the file."""
    rows = [split_cells(text, delimiter) for text in texts]
    if delimiter != " ":
        return rows, 1
    place, count = next(_times_in(rows[1:] or rows), (0, 1))
    is_time = read_time(" ".join(rows[0][place : place + count])) is not None
    return [rows[0] if not is_time else _join_time(rows[0], place, count)] + [
        _join_time(row, place, count) for row in rows[1:]
    ], count


def _times_in(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yield each place at which most rows have a time, and in how many cells."""
    for place in range(min(map(len, rows))):
        if count := _count_time_cells(rows, place):
            yield place, count


def _count_time_cells(rows: Sequence[Sequence[str]], place: int) -> int:
    """Return how many cells from a place on are the time of most rows, at most; 0 where none are."""
    for count in range(TIME_CELLS_MAX, 0, -1):
        texts = [" ".join(row[place : place + count]) if len(row) >= place + count else "" for row in rows]
        if _share(texts, lambda text: read_time(text) is not None) >= USUAL:
            return count
    return 0


def _join_time(cells: Sequence[str], place: int, count: int) -> list[str]:
    """Return cells with those of a time as one."""
    return [*cells[:place], " ".join(cells[place : place + count]), *cells[place + count :]]


def _stated_places(columns: Sequence[str]) -> dict[Column, int]:
    unknown = [name for name in columns if name not in (*NAMES, "-")]
    if unknown:
        message = N_("{name} is no column; use {names}, or - for one that is not needed")
        raise TraceFormError(message, name=f'"{unknown[0]}"', names=TextList(NAMES))
    places: dict[Column, int] = {name: n for n, name in enumerate(columns) if name != "-"}  # type: ignore[misc]
    if "time" not in places or "key" not in places:
        raise TraceFormError(N_("the columns need time and key"))
    return places


def _stated_form(texts: Sequence[str], columns: Sequence[str], keys: KeyForm) -> TraceForm:
    places = _stated_places(columns)
    delimiter = next((d for d in DELIMITERS if len(split_cells(texts[0], d)) >= len(columns)), "")
    if not delimiter:
        raise TraceFormError(N_("the first line has fewer than {count} columns"), count=len(columns))
    rows, time_cells = [split_cells(text, delimiter) for text in texts], 1
    if delimiter == " ":
        time_cells = max(_count_time_cells(rows[1:] or rows, places["time"]), 1)
    first = rows[0]
    has_header = read_time(" ".join(first[places["time"] : places["time"] + time_cells])) is None
    header = tuple(first) if has_header else ()
    return TraceForm(places, delimiter, has_header, keys, _is_padded(texts, delimiter), header, time_cells=time_cells)


def told_columns(text: str) -> tuple[str, ...]:
    """Return the columns that a text tells, with commas between."""
    return tuple(column for part in text.split(",") if (column := part.strip()))


def _column_names(columns: Sequence[str]) -> dict[Column, str]:
    """Return the names of columns that are told as `time=when`; none if columns are told by their order.

    Raises
    ------
    TraceFormError
        If some are told in one way and some in the other, or time or key is missing.
    """
    if not any("=" in column for column in columns):
        return {}
    pairs = [column.partition("=") for column in columns]
    if not all(sign and name.strip() for _, sign, name in pairs):
        raise TraceFormError(N_("specify all columns by name, or all in order"))
    _stated_places([column.strip() for column, _, _ in pairs])
    return {column.strip(): name.strip() for column, _, name in pairs}  # type: ignore[misc]


def _named_form(texts: Sequence[str], column_names: Mapping[Column, str], keys: KeyForm) -> TraceForm:
    for delimiter in DELIMITERS:
        cells = split_cells(texts[0], delimiter)
        places = {cell.strip(): place for place, cell in enumerate(cells)}
        if all(name in places for name in column_names.values()):
            column_places: dict[Column, str | int] = {column: places[name] for column, name in column_names.items()}
            _require_once(cells, column_places.values())
            return TraceForm(column_places, delimiter, True, keys, _is_padded(texts, delimiter), tuple(cells))
    raise TraceFormError(N_("the first line does not name the columns {names}"), names=TextList(column_names.values()))


def _require_once(cells: Sequence[str], places: Iterable[str | int]) -> None:
    """Raise an error if a name stands for two columns."""
    names = [cell.strip().lower() for cell in cells]
    for place in places:
        if names.count(names[int(place)]) > 1:
            message = N_("two columns are called {name}: specify the columns in their order")
            raise TraceFormError(message, name=f'"{names[int(place)]}"')


def _is_padded(texts: Sequence[str], delimiter: str) -> bool:
    """Return whether a space follows each delimiter; no key begins with it then."""
    behind = [cell for text in texts for cell in split_cells(text, delimiter)[1:]]
    return not delimiter.isspace() and bool(behind) and all(cell.startswith(" ") for cell in behind)


def named_columns(names: Sequence[str], stated: Sequence[str] = ()) -> dict[Column, str | int]:
    """Return the columns of a table that names them, or of one whose columns are stated in their order.

    Raises
    ------
    TraceFormError
        If there is no column of times or of keys, or a name stands for two.
    """
    columns = _named_columns(names, stated)
    _require_once(names, [names.index(str(name)) for name in columns.values()])
    return columns


def _named_columns(names: Sequence[str], stated: Sequence[str]) -> dict[Column, str | int]:
    if column_names := _column_names(stated):
        if missing := [name for name in column_names.values() if name not in names]:
            raise TraceFormError(N_("the table has no columns {names}"), names=TextList(missing))
        return dict(column_names)
    if stated:
        places = _stated_places(stated)
        if max(places.values()) >= len(names):
            raise TraceFormError(N_("the table has fewer than {count} columns"), count=len(stated))
        return {column: names[place] for column, place in places.items()}
    columns = _by_name({name.strip().lower(): name for name in names})
    if "time" not in columns or "key" not in columns:
        message = N_("the table has no columns of time and key among {names}: name them, as in {example}")
        raise TraceFormError(message, names=TextList(names), example=EXAMPLE)
    return columns


def _json_columns(lines: Sequence[bytes], column_names: Mapping[Column, str]) -> dict[Column, str | int]:
    if column_names:
        return dict(column_names)
    names: dict[str, str] = {}
    for line in lines:
        content = read_object(line)
        if not isinstance(content, str):
            names |= {name.lower(): name for name in content}
    columns = _by_name(_beside_keys(names) | names)
    if "time" not in columns or "key" not in columns:
        message = N_("the JSON objects have no time and key: name the columns, as in {example}")
        raise TraceFormError(message, example=EXAMPLE)
    return columns


def _beside_keys(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names in the object that has the row keys, if it is in another and the only such one."""
    prefixes = {name.removesuffix(end) for name in names for end in NAMES["key"] if name.endswith(f".{end}")}
    inside = (name for name in names if len(prefixes) == 1 and name.startswith(tuple(prefixes)))
    return {name.removeprefix(min(prefixes)): names[name] for name in inside}


def _header_columns(cells: Sequence[str]) -> dict[Column, str | int]:
    return _by_name({cell.strip().lower(): place for place, cell in enumerate(cells)})


def _by_name(places_by_name: Mapping[str, Any]) -> dict[Column, str | int]:
    columns = {
        column: next((places_by_name[name] for name in names if name in places_by_name), None)
        for column, names in NAMES.items()
    }
    return {column: place for column, place in columns.items() if place is not None}


def _guess_columns(rows: Sequence[Sequence[str]]) -> dict[Column, str | int]:
    """Return the columns of a log without a header, by their contents."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    cells = [[row[place] for row in rows if len(row) == width] for place in range(width)]
    columns: dict[Column, str | int] = {}
    tests: tuple[tuple[Column, Callable[[str], bool]], ...] = (
        ("time", lambda cell: read_time(cell) is not None),
        ("operation", lambda cell: read_operation(cell) is not None),
    )
    for column, is_such in tests:
        fitting = (n for n in range(width) if n not in columns.values() and _share(cells[n], is_such) >= USUAL)
        place = next(fitting, None)
        if place is not None:
            columns[column] = place
    remaining = [place for place in range(width) if place not in columns.values()]
    if remaining:
        filled = {n: [cell for cell in cells[n] if cell.strip()] for n in remaining}
        sizes = [n for n in remaining if _share(filled[n], lambda cell: read_size(cell) is not None) >= USUAL]
        columns["key"] = key = _key_column(filled, sizes, has_operation="operation" in columns)
        if (size := next((n for n in sizes if n != key), None)) is not None:
            columns["bytes"] = size
    return columns


def _key_column(cells: Mapping[int, Sequence[str]], sizes: Sequence[int], *, has_operation: bool) -> int:
    """Return the place of the row keys: of what differs most from line to line.

    Sizes and durations often differ more than keys do, of which some are busy; so a column of numbers is that of the
    keys only if no text can be.
    """
    distinct = {place: len(set(cells[place])) for place in cells}
    fractions = [n for n in cells if n not in sizes and _share(cells[n], _is_number) >= USUAL]
    texts = [n for n in cells if n not in sizes and n not in fractions]
    most = max(distinct.values())
    # Names of results are few, however many lines there are.
    keys = [n for n in texts if distinct[n] >= KEYS_MIN or 2 < distinct[n] >= most / 2]
    if not keys and len(sizes) == 1:
        # A few keys before their sizes, which is the usual order. Where nothing else is the operation, the text may be.
        before = (n for n in texts if n < sizes[0] and set(cells[n]) - {"-"})
        keys = [n for n in before if has_operation or all(map(_has_digit, cells[n]))][:1]
    choice = keys or [n for n in cells if n not in fractions] or list(cells)
    return max(choice, key=lambda place: (distinct[place], sum(map(len, cells[place]))))


def _is_number(cell: str) -> bool:
    return read_size(cell) is not None or _FRACTION.fullmatch(cell.strip()) is not None


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _share(cells: Sequence[str], is_such: Callable[[str], bool]) -> float:
    return sum(map(is_such, cells)) / len(cells) if cells else 0.0
