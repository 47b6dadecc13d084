"""Times that the name of a part of a key says: `reverse_timestamp` is the newest first, `yyyymmdd` a day."""

import re
from collections.abc import Mapping
from typing import Any

from ..field_names import snake_case

_TIMES = re.compile(r"(.*_)?(time|timestamp|ts|millis|epoch)|.+_at")
_BACK = re.compile(
    r"(?:reversed?|rev|inverted|inverse|descending|desc)_?(?P<behind>.+)|r(?P<short>ts)|(?P<before>.+)_(?:reversed?|rev|desc)"
)
_OF = r"((event|log|created?|write|sample|partition|insert|ingest|order|reading|bucket|visit|trip|play)_)?"
"""What a date of an event is called by; other dates, such as of birth, are values."""
_DATES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (
        rf"{_OF}(y{{4}}[_-]?m{{2}}[_-]?d{{2}}|day|date|dt|(day|daily|date|time)_bucket|bucket_(start|time|date|ts))",
        {"resolution": "day", "pattern": "%Y%m%d"},
    ),
    (rf"{_OF}(y{{4}}[_-]?m{{2}}|month|year_month|month_bucket)", {"resolution": "month", "pattern": "%Y%m"}),
    (
        rf"{_OF}(y{{4}}_?m{{2}}_?d{{2}}_?h{{2}}|hour|(hour|hourly)_bucket|(day|date|ts|time)_hour)",
        {"resolution": "hour", "pattern": "%Y%m%d%H"},
    ),
    (rf"{_OF}(y{{4}}m{{2}}d{{2}}h{{2}}m{{2}}|minute|minute_bucket)", {"resolution": "minute", "pattern": "%Y%m%d%H%M"}),
    (rf"{_OF}(year_)?week(_bucket)?", {"resolution": "week", "pattern": "%Gw%V"}),
    (r"y{4}|year", {"resolution": "year", "pattern": "%Y"}),
)
"""Names of buckets of time, by which people mean the date as text."""


_MS = {"resolution": "millisecond", "unit": "ms"}
_US = {"resolution": "microsecond", "unit": "us"}
_S = {"resolution": "second", "unit": "s"}
_UNITS = {"ms": _MS, "millis": _MS, "us": _US, "micros": _US, "s": _S, "sec": _S, "seconds": _S}
"""Epoch times whose name says their unit: `ts_ms`."""


def parse_time_name(name: str) -> tuple[str, Mapping[str, Any] | None]:
    """Return the name of a time, and what it says besides: the newest first, a bucket; None if it says nothing.

    >>> parse_time_name("reverse_timestamp"), parse_time_name("yyyyMMdd")[1], parse_time_name("user")
    (('timestamp', {'reversed': True}), {'resolution': 'day', 'pattern': '%Y%m%d'}, ('user', None))
    """
    # yyyyMMdd is no camel case: its words are not to be parted.
    words = name.lower() if re.fullmatch(r"y+m+.*", name.lower()) else snake_case(name)
    match = _BACK.fullmatch(words)
    rest = next((part for part in match.groups() if part), "") if match is not None else ""
    back = {"reversed": True} if rest else {}
    bucket = next((part for names, part in _DATES if re.fullmatch(names, rest or words)), None)
    if bucket is not None:
        return rest or name, {**bucket, **back}
    if rest and _TIMES.fullmatch(rest):
        return rest, back
    unit = re.fullmatch(r"(?:.*_)?(?:time|timestamp|ts|epoch)_(ms|us|s|sec|seconds|millis|micros)", rest or words)
    if unit is not None:
        return rest or name, {**_UNITS[unit[1]], **back}
    return name, None
