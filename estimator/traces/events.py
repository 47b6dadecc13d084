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
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from designer.document.texts import N_
from designer.imports.keys import unescape
from designer.imports.shared.dates import parse_date

KeyForm = Literal["text", "hex", "base64"]
Column = Literal["time", "operation", "key", "bytes", "table"]

NAMES: Mapping[Column, tuple[str, ...]] = {
    "time": ("time", "timestamp", "ts", "@timestamp", "datetime", "date", "at", "when", "event_time"),
    "operation": ("operation", "op", "method", "verb", "action", "command", "cmd", "type", "request"),
    "key": ("key", "row_key", "rowkey", "row", "row key"),
    "bytes": (
        *("bytes", "value_bytes", "value_size", "size", "value size", "length", "len", "payload_size"),
        *("payload_bytes", "size_bytes"),
    ),
    "table": ("table", "table_id", "table_name"),
}
"""What columns are called, in small letters; the first of each is the name for `--columns`."""
READS = frozenset(
    (
        *("read", "get", "gets", "mget", "multiget", "query", "lookup", "select", "readrow", "readrows", "r"),
        *("getrow", "batchgetrow", "getitem", "batchgetitem", "exists"),
        *("batchget", "batchread", "bulkread", "mread", "find", "fetch", "head", "executequery", "transactgetitems"),
        *("hget", "hmget", "hgetall"),
    )
)
WRITES = frozenset(
    (
        *("write", "put", "set", "add", "insert", "update", "upsert", "append", "replace", "cas", "incr", "increment"),
        *("mutate", "mutaterow", "mutaterows", "checkandmutaterow", "readmodifywriterow", "putrow", "updaterow", "w"),
        *("batchwriterow", "putitem", "updateitem", "checkandput", "checkandmutate", "touch"),
        *("writerow", "writerows", "batchput", "batchwrite", "bulkmutate", "mput", "mset", "readmodifywrite", "save"),
        *("prepend", "decr", "decrement", "create", "patch", "merge", "store", "transactwriteitems"),
        *("setex", "setnx", "hset", "hmset"),
    )
)
DELETES = frozenset(
    (
        *("delete", "del", "remove", "deleterow", "deleterows", "deletefromrow", "droprowrange", "deleteitem"),
        *("d", "checkanddelete", "erase", "unlink", "hdel"),
    )
)
SCANS = frozenset(
    (
        *("scan", "scanrows", "scanrange", "rangescan", "prefixscan", "tablescan", "range", "getrange", "readrange"),
        *("rangeread", "prefixread", "readprefix", "prefix"),
    )
)
OPERATIONS = {
    **dict.fromkeys(READS, "read"), **dict.fromkeys(WRITES, "write"), **dict.fromkeys(DELETES, "delete"),
    **dict.fromkeys(SCANS, "scan"),
}  # fmt: skip
"""Kinds of operations by their names in logs, in small letters without `_`, `-` and spaces."""
_SIGNS = str.maketrans("", "", "_- ")
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

_NO_FRACTION = re.compile(r"\.0{1,9}\Z")
TOO_LONG, NO_OBJECT = N_("longer than 64 KiB"), N_("not a JSON object")
NO_TIME, NO_OPERATION, NO_KEY = N_("no time"), N_("unknown operation"), N_("no row key")
FEW_COLUMNS, OPEN_QUOTE = N_("fewer columns than the first lines"), N_("a quoted text does not end in its line")


class TraceFormError(ValueError):
    """A log that cannot be read: a sentence; `message` and `params` are for translation."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message, self.params = message, params
        super().__init__(message.format(**params))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.message, **self.params), ()


@dataclass
class UnreadLines:
    """Lines that tell no event, by reason: how many, and the numbers of the first."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, list[int]] = field(default_factory=dict)
    is_cut: bool = False
    """True if the log is longer than what may be read of it."""
    read_share: float = 1.0
    """So much of the file was read then, from its beginning, as far as whoever reads it says."""
    columns: dict[Column, str] = field(default_factory=dict)
    """How the log that was begun last is read: what its columns are called, or their numbers from 1."""
    lines: int = 0
    """All that were read: each is a request, a header, blank, or counted in `counts`."""
    headers: int = 0
    blank: int = 0
    sizes: int = 0
    """Requests whose size is no number of bytes: they count without one."""
    likely_keys: KeyForm = "text"
    """How the keys of the log that was begun last seem to be written, where they were read as text."""
    has_no_zone: bool = False
    """True if times of the log that was begun last are dates without a zone."""

    @property
    def requests(self) -> int:
        """Lines that tell a request."""
        return self.lines - self.headers - self.blank - self.counts.total()

    def add(self, reason: str, line: int) -> None:
        """Count a line, by its number from 1."""
        self.counts[reason] += 1
        numbers = self.first.setdefault(reason, [])
        if len(numbers) < SHOWN:
            numbers.append(line)


# --- one value ---


def split_cells(text: str, delimiter: str) -> list[str]:
    """Return the cells of a line of CSV; none if it cannot be read."""
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader((text,), delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration):
        return []


def read_size(text: str) -> int | None:
    """Return a size in bytes; None for what is none. [B]"""
    number = _NO_FRACTION.sub("", text.strip())  # as tables with gaps are written
    is_size = number.isdecimal() and number.isascii() and len(number) <= SIZE_DIGITS
    return int(number) if is_size else None


def read_time(text: str) -> float | None:
    """Return a time in seconds since 1970: of an epoch number, or a date (UTC where it has no zone). [s]

    Dates are written as in ISO 8601, also with slashes, with ` UTC` or the name of a zone behind their offset; or as in
    Apache's logs.
    """
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        return _read_date(text)
    # The magnitude tells the unit: 1.7e9 is a time in seconds, 1.7e12 in milliseconds, 1.7e15 in microseconds.
    for bound, unit in EPOCH_UNITS:
        if number < bound:
            return _plausible(number * unit)
    return None


def _read_date(text: str) -> float | None:
    date = parse_date(text)
    if date is None:
        return None
    return _plausible((date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).timestamp())


def _plausible(time_s: float) -> float | None:
    return time_s if FIRST_S <= time_s < LAST_S else None


def read_operation(text: str) -> str | None:
    """Return the kind of an operation: `read`, `write`, `delete` or `scan`."""
    name = text.strip().lower()
    last = (name if " " in name else name.rpartition("/")[2]).rpartition(".")[2]
    return OPERATIONS.get(last.translate(_SIGNS)) or OPERATIONS.get(name.partition(" ")[0])  # INSERT INTO, GET /row


def _read_hex(text: bytes) -> bytes:
    """Return the bytes of hexadecimal digits, also as 0x75 73, 75:73 or \\x75\\x73."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        plain = text[2:] if text[:2] in (b"0x", b"0X") else text.replace(b"\\x", b"")
        return binascii.unhexlify(plain.replace(b":", b"").replace(b" ", b""))


def _read_base64(text: bytes) -> bytes:
    """Return the bytes of base64, of either alphabet, with or without signs that fill up its end."""
    text = text.replace(b"-", b"+").replace(b"_", b"/")
    return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)


KEY_READERS: Mapping[KeyForm, Callable[[bytes], bytes]] = {
    "text": unescape,
    "hex": _read_hex,
    "base64": _read_base64,
}


Row = Mapping[Any, str] | Sequence[str]


def read_object(line: bytes) -> Mapping[str, str] | str:
    """Return the values of an object, those of an object in it by both names, as in `request.key`; or why none."""
    try:
        content = json.loads(line)
        if not isinstance(content, dict):
            return NO_OBJECT
        return defaultdict(str, {name: _cell_text(value) for name, value in leaves(content)})
    except (ValueError, RecursionError):
        return NO_OBJECT


def leaves(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of an object and of the objects in it, with their names."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _cell_text(value: Any) -> str:
    return "" if value is None or isinstance(value, list) else str(value)
