"""Times that the name of a part of a key says: `reverse_timestamp` is the newest first, `yyyymmdd` a day."""

import re
from collections.abc import Mapping
from typing import Any

_TIMES = re.compile(r"(.*_)?(time|timestamp|ts|millis|epoch)|.+_at")
_BACK = re.compile(
    r"(?:reversed?|rev|inverted|inverse|descending|desc)_?(?P<behind>.+)|r(?P<short>ts)|(?P<before>.+)_(?:reversed?|rev|desc)"
)
_OF = r"((event|log|created?|write|sample|partition|insert|ingest|order|reading|bucket|visit|trip|play)_)?"
"""What a date of an event is called by; other dates, such as of birth, are values."""
_DATES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (rf"{_OF}(y{{4}}[_-]?m{{2}}[_-]?d{{2}}|day|date|day_bucket)", {"resolution": "day", "pattern": "%Y%m%d"}),
    (rf"{_OF}(y{{4}}[_-]?m{{2}}|month|year_month|month_bucket)", {"resolution": "month", "pattern": "%Y%m"}),
    (rf"{_OF}(y{{4}}_?m{{2}}_?d{{2}}_?h{{2}}|hour|hour_bucket)", {"resolution": "hour", "pattern": "%Y%m%d%H"}),
    (r"y{4}|year", {"resolution": "year", "pattern": "%Y"}),
)
"""Names of buckets of time, by which people mean the date as text."""


def parse_time_name(name: str) -> tuple[str, Mapping[str, Any] | None]:
    """Return the name of a time, and what it says besides: the newest first, a bucket; None if it says nothing.

    >>> parse_time_name("reverse_timestamp"), parse_time_name("yyyyMMdd")[1], parse_time_name("user")
    (('timestamp', {'reversed': True}), {'resolution': 'day', 'pattern': '%Y%m%d'}, ('user', None))
    """
    found = _BACK.fullmatch(name.lower())
    rest = next((part for part in found.groups() if part), "") if found is not None else ""
    back = {"reversed": True} if rest else {}
    bucket = next((part for names, part in _DATES if re.fullmatch(names, rest or name.lower())), None)
    if bucket is not None:
        return rest or name, {**bucket, **back}
    if rest and _TIMES.fullmatch(rest):
        return rest, back
    return name, None
