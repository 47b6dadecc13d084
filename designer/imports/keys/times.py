"""A column of times: epoch numbers, reversed ones, readable dates; and how fine they are."""

import datetime
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from designer.document.key import LONG_MAX, complement_digits

FIRST, LAST = 1_072_915_200, 2_240_524_800
"""Seconds of the years 2004 and 2041: times of keys that are in use."""
MOST = 0.98
FEW = 8
"""Fewer values could be numbers by chance."""
UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000}
FIRST_DAY, LAST_DAY, DAYS = 17_897, 22_280, 1_500
"""Days since 1970 of the years 2019 to 2030: other numbers of five digits are no days; and so many lie together."""
LAST_PAST = LAST_DAY * 86_400
"""Newest first is an order of what has happened: Japan's mobile numbers 080… would all be of 2030 and later."""
MANY, SOME = 20, 500
"""From so many times on, the buckets that they all begin are theirs; and so many texts are read for that."""
FROM = (LONG_MAX, *(10**digits - 1 for digits in (10, 13, 16)), *(10**digits for digits in (10, 13, 16)))
"""What times are usually subtracted from, so that the newest sorts first."""

Span = tuple[float, float]
"""First and last time at which keys were used. [s since 1970]"""
NEAR_PATTERNS = ("%Y%m%d", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d%H", "%Y-%m-%dT%H", "%Y%m%d%H%M", "%Y%m", "%Y-%m")
DAY_S, MONTH_S, NEAR_S = 86_400, 31 * 86_400, 366 * 86_400

_STEPS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))

_DIRECTIVES = {
    "%Y": r"(?:19|20)\d\d", "%G": r"(?:19|20)\d\d", "%y": r"\d\d", "%m": r"(?:0[1-9]|1[0-2])",
    "%d": r"(?:0[1-9]|[12]\d|3[01])", "%j": r"(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])",
    "%H": r"(?:[01]\d|2[0-3])", "%M": r"[0-5]\d", "%S": r"[0-5]\d", "%f": r"\d{3}", "%V": r"(?:0[1-9]|[1-4]\d|5[0-3])",
    "%I": r"(?:0[1-9]|1[0-2])", "%p": r"(?:AM|PM)", "%B": r"[A-Z][a-z]+", "%b": r"[A-Z][a-z]{2}",
    "%a": r"[A-Z][a-z]{2}",
    "%-m": r"(?>1[0-2]|[1-9])", "%-d": r"(?>[12]\d|3[01]|[1-9])", "%-H": r"(?>1\d|2[0-3]|\d)",
    "%-V": r"(?>[1-4]\d|5[0-3]|[1-9])", "%%": "%",
}  # fmt: skip
_FINENESS = (
    ("millisecond", ("%f",)), ("second", ("%S",)), ("minute", ("%M",)), ("hour", ("%H", "%-H", "%I")),
    ("day", ("%d", "%-d", "%j", "%a")), ("week", ("%V", "%-V")),
    ("month", ("%m", "%-m", "%B", "%b")), ("year", ("%Y", "%G", "%y")),
)  # fmt: skip

_DATES = ("%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%Y.%m.%d", "%Y_%m_%d")
_CLOCKS = ("%H:%M:%S.%f", "%H:%M:%S", "%H:%M", "%H%M%S%f", "%H%M%S", "%H%M", "%H")
PATTERNS = (
    *_DATES,
    *(f"{date}{gap}{clock}{end}" for date in _DATES for gap in ("T", " ", "-", "_", "") for clock in _CLOCKS
      for end in ("", "Z")),
    "%Gw%V", "%GW%V", "%G-W%V", "%G-w%V", "%Y-%m", "%G-%V", "%Y%m", "%Y/%m", "%d-%m-%Y", "%d.%m.%Y", "%m-%d-%Y",
    "%Y-%j", "%Y%j", "%y%m%d", "%Y",
)  # fmt: skip
"""Readable times that are looked for, the usual ones first."""


def pattern_regex(pattern: str) -> str:
    """Return the regular expression of a date pattern's texts."""
    parts = re.split(r"(%-?.)", pattern)
    return "".join(_DIRECTIVES.get(part, re.escape(part)) for part in parts)


def reversed_pattern_regex(pattern: str) -> str:
    """Return the regular expression of a date pattern's texts with each digit d as 9 - d."""
    parts = re.split(r"(%-?.)", pattern)
    return "".join(_reversed_part_regex(part) for part in parts)


def _reversed_part_regex(part: str) -> str:
    if part in _DIRECTIVES and part != "%%":
        return rf"\d{{{_WIDTHS.get(part, 2)}}}"
    return re.escape(_complement("%" if part == "%%" else part))


_WIDTHS = {"%Y": 4, "%G": 4, "%j": 3, "%f": 3, "%b": 3, "%a": 3, "%%": 1}


def pattern_width(pattern: str) -> int | None:
    """Return how many letters a date pattern's texts have, also reversed; None where they differ."""
    parts = [part for part in re.split(r"(%-?.)", pattern) if part]
    if any(part == "%B" or part.startswith("%-") for part in parts):
        return None
    return sum(_WIDTHS.get(part, 2) if part in _DIRECTIVES else len(part) for part in parts)


def _complement(text: str) -> str:
    return complement_digits(text.encode("latin-1")).decode("latin-1")


@lru_cache(maxsize=1024)  # more than patterns: tried in their order, each would push out the next one
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern_regex(pattern))


def find_time(values: Sequence[str], near: Span | None = None) -> dict[str, Any] | None:
    """Return the time segment that describes a column, as data, or None if its values are not times.

    Few dates are known as such only where it is known when their keys were used.
    """
    if len(set(values)) < 2:
        return _near_date(values, near)
    # Dates before numbers: 20261128 is also a number of seconds in 1970.
    segment = _big_endian(values) or _formatted_time(values) or _near_date(values, near)
    return segment or ((_epoch(values) or _reversed_date(values)) if len(set(values)) >= FEW else None)


def _near_date(values: Sequence[str], near: Span | None) -> dict[str, Any] | None:
    """Dates about the time of use; a single one only if it is of that time."""
    different = set(values)
    if near is None or len(different) > DAYS:
        return None
    for pattern in NEAR_PATTERNS:
        if not all(map(_compile_pattern(pattern).fullmatch, different)):
            continue
        try:
            dates = [datetime.datetime.strptime(text, pattern).replace(tzinfo=datetime.UTC) for text in different]
        except ValueError:
            return None
        # Several dates that all lie about the time of use are dates; a single number of eight digits must be of that
        # very day.
        margin = NEAR_S if len(different) > 1 else DAY_S
        length = MONTH_S if pattern.endswith("%m") else DAY_S
        times = [date.timestamp() for date in dates]
        if near[0] - margin <= min(times) + length and max(times) <= near[1] + margin:
            return {"kind": "time", "resolution": _fineness(pattern), "pattern": pattern}
    return None


def _reversed_date(values: Sequence[str]) -> dict[str, Any] | None:
    """Dates with each digit d as 9 - d, year first."""
    # 9999 less a year from 2000 on begins with 79, less one of the last century with 80.
    if not all(value[:2] in ("79", "80") for value in values):
        return None
    segment = _formatted_time([_complement(value) for value in values])
    return segment and {**segment, "reversed": True}


def day_digits(values: Sequence[str], time: Mapping[str, Any]) -> list[str]:
    """Year, month and day of each as digits, as far as the time has them; empty where it has not even the year."""
    if not time.get("pattern"):
        return [_day(value, time) for value in values]
    if time.get("reversed"):
        values = [_complement(value) for value in values]
    order = [part for part in re.findall(r"%-?.", time["pattern"]) if part in ("%Y", "%m", "%d")]
    if order != ["%Y", "%m", "%d"][: len(order)]:
        return [""] * len(values)
    size = sum(_SIZES[part] for part in order)
    return [re.sub(r"\D", "", value)[:size] for value in values]


_SIZES = {"%Y": 4, "%m": 2, "%d": 2}


def _day(value: str, time: Mapping[str, Any]) -> str:
    raw = value.encode("latin-1")
    if not time.get("raw") and not value.isdecimal():
        return ""
    number = int.from_bytes(raw, "big") if time.get("raw") else int(value)
    moment = time.get("reverse_from", LONG_MAX) - number if time.get("reversed") else number
    seconds = moment * 86_400 if time["unit"] == "d" else moment // UNITS[time["unit"]]
    if not FIRST <= seconds <= LAST:
        return ""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y%m%d")


def split_times(values: Sequence[str], near: Span | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield times at the end or the beginning of a column without a delimiter.

    Each comes with its number of characters, which is negative at the end.
    """
    shortest = min(map(len, values))
    # The longest first: the last ten digits of milliseconds look like seconds.
    for width in (19, 16, 14, 13, 12, 10, 8):
        for size in (-width, width):
            part = [value[size:] if size < 0 else value[:size] for value in values]
            if shortest > width and (segment := _time_of_part(part, near)):
                yield size, segment


def _time_of_part(values: Sequence[str], near: Span | None) -> dict[str, Any] | None:
    return find_time(values, near) if len(set(values)) >= FEW else _near_date(values, near)


# --- numbers ----------------------------------------------------------------------------------------------------


def _epoch(values: Sequence[str]) -> dict[str, Any] | None:
    numbers = [int(value) for value in values if value.isdecimal() and value.isascii() and len(value) <= 19]
    if len(numbers) < MOST * len(values):
        return None
    widths = {len(value) for value in values if value.isdecimal()}
    return _number(numbers, lambda width: widths == {width})


def _big_endian(values: Sequence[str]) -> dict[str, Any] | None:
    """Eight big-endian bytes."""
    if any(len(value) != 8 for value in values) or all(value.isprintable() and value.isascii() for value in values):
        return None
    segment = _number([int.from_bytes(value.encode("latin-1"), "big") for value in values], lambda _: True)
    return segment and {**segment, "raw": True}


def _number(numbers: Sequence[int], wide: Callable[[int], bool]) -> dict[str, Any] | None:
    if wide(5) and all(FIRST_DAY <= number <= LAST_DAY for number in numbers) and max(numbers) - min(numbers) <= DAYS:
        return {"kind": "time", "unit": "d", "resolution": "day"}
    for unit, per_second in UNITS.items():
        if _is_plausible(numbers, per_second) and wide(len(str(FIRST * per_second))):
            return {"kind": "time", "unit": unit, **_bucket(numbers, per_second)}
        for top in FROM:
            times = [top - number for number in numbers]
            if _is_plausible(times, per_second, last=LAST_PAST) and wide(len(str(top))):
                reversal = {} if top == LONG_MAX else {"reverse_from": top}
                return {"kind": "time", "unit": unit, **_bucket(times, per_second), "reversed": True, **reversal}
    return None


def _is_plausible(times: Sequence[int], per_second: int, last: int = LAST) -> bool:
    return sum(FIRST <= time // per_second <= last for time in times) >= MOST * len(times)


def _bucket(times: Sequence[int], per_second: int) -> dict[str, Any]:
    """Return the resolution of times, or the length of the buckets at whose starts they all are."""
    # Times that are all multiples of a step were cut to it: the greatest common divisor finds the length of the bucket.
    resolution, step = _resolution(times, per_second), math.gcd(*times)
    length = next((seconds for name, seconds in _STEPS if name == resolution), None)
    if length is None or len(set(times)) < MANY or step // per_second <= length:
        return {"resolution": resolution}
    return {"bucket_seconds": step // per_second}


def _resolution(times: Sequence[int], per_second: int) -> str:
    step = math.gcd(*times)
    if step % (86_400 * per_second) == 0:
        days = [datetime.date.fromordinal(719_163 + time // (86_400 * per_second)) for time in times]
        if all((day.month, day.day) == (1, 1) for day in days):
            return "year"
        if all(day.day == 1 for day in days):
            return "month"
        # Weeks begin on Monday, as in ISO 8601; days since 1970 alone would make them begin on Thursday.
        return "week" if all(day.weekday() == 0 for day in days) else "day"
    for name, seconds in _STEPS:
        if step % (seconds * per_second) == 0:
            return name
    return "millisecond" if step % max(1, per_second // 1_000) == 0 else "microsecond"


# --- texts ------------------------------------------------------------------------------------------------------


def _formatted_time(values: Sequence[str]) -> dict[str, Any] | None:
    some = values[0]
    for pattern in PATTERNS:
        regex = _compile_pattern(pattern)
        if not regex.fullmatch(some):
            continue
        if sum(bool(regex.fullmatch(value)) for value in values) >= MOST * len(values) and _is_likely(values, pattern):
            return {"kind": "time", **_formatted_bucket(values, pattern), "pattern": pattern}
    return None


def _formatted_bucket(values: Sequence[str], pattern: str) -> dict[str, Any]:
    """Return the finest part that a pattern shows, or the length of the buckets at whose starts the texts all are."""
    resolution = _fineness(pattern)
    if resolution not in ("minute", "hour") or not set(_DIRECTIVE.findall(pattern)) <= set(_PLAIN):
        return {"resolution": resolution}
    try:
        texts = islice(dict.fromkeys(values), SOME)
        dates = [datetime.datetime.strptime(text, pattern).replace(tzinfo=datetime.UTC) for text in texts]
    except ValueError:
        return {"resolution": resolution}
    bucket = _bucket([int(date.timestamp()) for date in dates], 1)
    return bucket if "bucket_seconds" in bucket else {"resolution": resolution}


_DIRECTIVE, _PLAIN = re.compile("%-?."), ("%Y", "%m", "%d", "%H", "%M")


def _is_likely(values: Sequence[str], pattern: str) -> bool:
    """Digits alone could be any number: enough of them, and all of one quarter of a century."""
    different = set(values)
    if not all(value.isdecimal() for value in different):
        return True
    years = {int(value[:4]) for value in different} if pattern.startswith("%Y") else {2004}
    least = {"%Y": 3, "%y%m%d": FEW, "%Y%j": FEW}.get(pattern, 3)
    return len(different) >= least and min(years) >= 1990 and max(years) - min(years) <= 25 and max(years) <= 2060


def _fineness(pattern: str) -> str:
    return next(name for name, directives in _FINENESS if any(d in pattern for d in directives))
