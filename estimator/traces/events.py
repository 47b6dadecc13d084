"""Lines of an access log → events: CSV with or without a header, or a JSON object a line.

A column is known by its name (`time`, `operation`, `key`, `bytes`, `table` and what they are often called), or else by
its contents. What cannot be read is counted and shown with its line, and nothing else of the log is lost by it.
"""

import base64
import binascii
import csv
import datetime
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from designer.document.texts import N_
from designer.imports.keys import unescape

KeyForm = Literal["text", "hex", "base64"]
Column = Literal["time", "operation", "key", "bytes", "table"]

NAMES: Mapping[Column, tuple[str, ...]] = {
    "time": ("time", "timestamp", "ts", "@timestamp", "datetime", "date", "at"),
    "operation": ("operation", "op", "method", "verb", "action", "command", "cmd", "type"),
    "key": ("key", "row_key", "rowkey", "row", "row key"),
    "bytes": ("bytes", "value_bytes", "value_size", "size", "value size", "length"),
    "table": ("table", "table_id", "table_name"),
}
"""What columns are called, in small letters; the first of each is the name for `--columns`."""
READS = frozenset(
    ("read", "get", "gets", "mget", "multiget", "scan", "query", "lookup", "select", "readrow", "readrows", "r")
)
WRITES = frozenset(
    (
        *("write", "put", "set", "add", "insert", "update", "upsert", "append", "replace", "cas", "incr", "increment"),
        *("mutate", "mutaterow", "mutaterows", "w"),
    )
)
DELETES = frozenset(("delete", "del", "remove", "deleterow", "droprowrange"))
OPERATIONS = {
    **dict.fromkeys(READS, "read"), **dict.fromkeys(WRITES, "write"), **dict.fromkeys(DELETES, "delete"),
}  # fmt: skip
"""Kinds of operations by their names in logs, in small letters without `_` and spaces."""
DELIMITERS = ("\t", ",", ";", "|", " ")
FIRST_LINES = 1_000
"""So many lines tell how a log is written."""
USUAL = 0.95
"""A column is of a kind where so many of its values are."""
LINE_MAX = 1 << 16
"""Bytes of a line; a longer one is not read."""
SIZE_DIGITS = 12
"""A longer number is no size in bytes."""
KEY_MAX = 4096
"""Bytes of a row key that Bigtable takes (quotas, read 2026-11-20)."""
NAMES_MAX = 1_000
"""So many names of operations are remembered."""
SHOWN = 10
"""So many unread lines are shown of each reason."""
FIRST_S, LAST_S = 631_152_000.0, 4_102_444_800.0
"""1990 and 2100: other numbers are no times of requests. [s since 1970]"""
EPOCH_UNITS = ((1e11, 1.0), (1e14, 1e-3), (1e17, 1e-6), (math.inf, 1e-9))
"""Epoch numbers below a bound, and their unit: seconds until the year 5138, then ms, µs and ns."""

TOO_LONG, NO_OBJECT = N_("longer than 64 KiB"), N_("not a JSON object")
NO_TIME, NO_OPERATION, NO_KEY = N_("no time"), N_("unknown operation"), N_("no row key")
FEW_COLUMNS = N_("fewer columns than the first lines")


class TraceFormError(ValueError):
    """A log that cannot be read: a sentence; `message` and `params` are for translation."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message, self.params = message, params
        super().__init__(message.format(**params))


@dataclass(frozen=True)
class TraceForm:
    """How a log is written: its columns by name (of a JSON object) or place."""

    columns: Mapping[Column, str | int]
    delimiter: str = ""
    """Empty for JSON objects."""
    has_header: bool = False
    keys: KeyForm = "text"
    is_padded: bool = False
    """True if a space follows each delimiter."""


@dataclass
class UnreadLines:
    """Lines that tell no event, by reason: how many, and the numbers of the first."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, list[int]] = field(default_factory=dict)
    is_cut: bool = False
    """True if the log is longer than what may be read of it."""

    def add(self, reason: str, line: int) -> None:
        """Count a line, by its number from 1."""
        self.counts[reason] += 1
        numbers = self.first.setdefault(reason, [])
        if len(numbers) < SHOWN:
            numbers.append(line)


def find_form(first: Sequence[bytes], *, columns: Sequence[str] = (), keys: KeyForm = "text") -> TraceForm:
    """Return the form of a log by its first lines; `columns` names the columns in their order instead.

    Raises
    ------
    TraceFormError
        If there is no column of times or of keys.
    """
    lines = [line for line in first[:FIRST_LINES] if line.strip()]
    if not lines:
        raise TraceFormError(N_("the log is empty"))
    if lines[0].lstrip()[:1] == b"[" and not columns:
        raise TraceFormError(N_("the log is a JSON array: write one object a line, as jq -c '.[]' does"))
    if lines[0].lstrip()[:1] == b"{":
        return TraceForm(_json_columns(lines), keys=keys)
    texts = [line.decode("utf-8", "surrogateescape").rstrip("\r\n") for line in lines]
    if columns:
        return _stated_form(texts, columns, keys)
    for delimiter in DELIMITERS:
        found = _header_columns(split_cells(texts[0], delimiter))
        if "time" in found and "key" in found:
            return TraceForm(found, delimiter, True, keys, _is_padded(texts, delimiter))
    for delimiter in DELIMITERS:
        found = _guess_columns([split_cells(text, delimiter) for text in texts])
        if "time" in found and "key" in found:
            return TraceForm(found, delimiter, False, keys, _is_padded(texts, delimiter))
    raise TraceFormError(N_("no column of times and of row keys was found: name the columns in their order"))


def split_cells(text: str, delimiter: str) -> list[str]:
    """Return the cells of a line of CSV; none if it cannot be read."""
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader((text,), delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration):
        return []


def _stated_places(columns: Sequence[str]) -> dict[Column, int]:
    unknown = [name for name in columns if name not in (*NAMES, "-")]
    if unknown:
        message = N_("{name} is no column; use {names}, or - for one that is not needed")
        raise TraceFormError(message, name=f'"{unknown[0]}"', names=", ".join(NAMES))
    places: dict[Column, int] = {name: n for n, name in enumerate(columns) if name != "-"}  # type: ignore[misc]
    if "time" not in places or "key" not in places:
        raise TraceFormError(N_("the columns need time and key"))
    return places


def _stated_form(texts: Sequence[str], columns: Sequence[str], keys: KeyForm) -> TraceForm:
    places = _stated_places(columns)
    delimiter = next((d for d in DELIMITERS if len(split_cells(texts[0], d)) >= len(columns)), "")
    if not delimiter:
        raise TraceFormError(N_("the first line has fewer than {count} columns"), count=len(columns))
    first = split_cells(texts[0], delimiter)
    has_header = read_time(first[places["time"]]) is None
    return TraceForm(places, delimiter, has_header, keys, _is_padded(texts, delimiter))


def _is_padded(texts: Sequence[str], delimiter: str) -> bool:
    """Return whether a space follows each delimiter; no key begins with it then."""
    behind = [cell for text in texts for cell in split_cells(text, delimiter)[1:]]
    return not delimiter.isspace() and bool(behind) and all(cell.startswith(" ") for cell in behind)


def named_columns(names: Sequence[str], stated: Sequence[str] = ()) -> dict[Column, str | int]:
    """Return the columns of a table that names them, or of one whose columns are stated in their order.

    Raises
    ------
    TraceFormError
        If there is no column of times or of keys.
    """
    if stated:
        places = _stated_places(stated)
        if max(places.values()) >= len(names):
            raise TraceFormError(N_("the table has fewer than {count} columns"), count=len(stated))
        return {column: names[place] for column, place in places.items()}
    found = _by_name({name.strip().lower(): name for name in names})
    if "time" not in found or "key" not in found:
        raise TraceFormError(N_("the table has no columns of time and key: name the columns in their order"))
    return found


def _json_columns(lines: Sequence[bytes]) -> dict[Column, str | int]:
    names: dict[str, str] = {}
    for line in lines:
        found = read_object(line)
        if not isinstance(found, str):
            names |= {name.lower(): name for name in found}
    columns = _by_name(names)
    if "time" not in columns or "key" not in columns:
        raise TraceFormError(N_("the JSON objects have no time and key"))
    return columns


def _header_columns(cells: Sequence[str]) -> dict[Column, str | int]:
    return _by_name({cell.strip().lower(): place for place, cell in enumerate(cells)})


def _by_name(known: Mapping[str, Any]) -> dict[Column, str | int]:
    found = {column: next((known[name] for name in names if name in known), None) for column, names in NAMES.items()}
    return {column: place for column, place in found.items() if place is not None}


def _guess_columns(rows: Sequence[Sequence[str]]) -> dict[Column, str | int]:
    """Return the columns of a log without a header, by their contents."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    cells = [[row[place] for row in rows if len(row) == width] for place in range(width)]
    found: dict[Column, str | int] = {}
    tests: tuple[tuple[Column, Callable[[str], bool]], ...] = (
        ("time", lambda cell: read_time(cell) is not None),
        ("operation", lambda cell: read_operation(cell) is not None),
    )
    for column, is_such in tests:
        fitting = (n for n in range(width) if n not in found.values() and _share(cells[n], is_such) >= USUAL)
        place = next(fitting, None)
        if place is not None:
            found[column] = place
    left = [place for place in range(width) if place not in found.values()]
    if left:
        key = max(left, key=lambda place: (len(set(cells[place])), sum(map(len, cells[place]))))
        found["key"] = key
        sizes = (n for n in left if n != key and _share(cells[n], lambda cell: read_size(cell) is not None) >= USUAL)
        if (size := next(sizes, None)) is not None:
            found["bytes"] = size
    return found


def _share(cells: Sequence[str], is_such: Callable[[str], bool]) -> float:
    return sum(map(is_such, cells)) / len(cells) if cells else 0.0


# --- one value ---


def read_size(text: str) -> int | None:
    """Return a size in bytes; None for what is none. [B]"""
    number = text.strip().removesuffix(".0")  # as tables with gaps are written
    is_size = number.isdecimal() and number.isascii() and len(number) <= SIZE_DIGITS
    return int(number) if is_size else None


def read_time(text: str) -> float | None:
    """Return a time in seconds since 1970: of an epoch number, or an ISO 8601 date (UTC where it has no zone). [s]"""
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        return _read_date(text)
    for bound, unit in EPOCH_UNITS:
        if number < bound:
            return _plausible(number * unit)
    return None


def _read_date(text: str) -> float | None:
    if len(text) < len("2026-01-01T00") or not text[:4].isdecimal():
        return None
    try:
        date = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return _plausible((date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).timestamp())


def _plausible(time_s: float) -> float | None:
    return time_s if FIRST_S <= time_s < LAST_S else None


def read_operation(text: str) -> str | None:
    """Return the kind of an operation: `read`, `write` or `delete`."""
    return OPERATIONS.get(text.strip().lower().rpartition(".")[2].replace("_", "").replace(" ", ""))


KEY_READERS: Mapping[KeyForm, Callable[[bytes], bytes]] = {
    "text": unescape,
    "hex": lambda text: binascii.unhexlify(text[2:] if text[:2] in (b"0x", b"0X") else text),
    "base64": lambda text: base64.b64decode(text.replace(b"-", b"+").replace(b"_", b"/"), validate=True),
}


Row = Mapping[Any, str] | Sequence[str]


def read_object(line: bytes) -> Mapping[str, str] | str:
    """Return the values of an object, or why there are none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return NO_OBJECT
    if not isinstance(found, dict):
        return NO_OBJECT
    return defaultdict(str, {name: "" if value is None else str(value) for name, value in found.items()})
