"""Readable times whose text does not sort as time does: two moments that show it."""

import datetime
from collections.abc import Sequence
from functools import lru_cache

from designer.document.key import TimeSegment
from estimator.kernels.keys.rendering import clock


def _utc_us(*parts: int) -> int:
    return clock.to_micros(datetime.datetime(*parts, tzinfo=datetime.UTC))  # type: ignore[misc,arg-type]


_STEPS: tuple[tuple[str, int, int], ...] = (
    ("year", _utc_us(2026, 12, 31), _utc_us(2027, 1, 1)),
    ("year", _utc_us(2025, 12, 22), _utc_us(2025, 12, 29)),
    ("month", _utc_us(2027, 1, 31), _utc_us(2027, 2, 1)),
    ("month", _utc_us(2027, 3, 31), _utc_us(2027, 4, 1)),
    ("month", _utc_us(2027, 9, 30), _utc_us(2027, 10, 1)),
    ("year", _utc_us(2027, 1, 1), _utc_us(2027, 1, 4)),
    ("month", _utc_us(2027, 3, 1), _utc_us(2027, 3, 8)),
    ("day", _utc_us(2027, 2, 9), _utc_us(2027, 2, 10)),
    ("hour", _utc_us(2027, 2, 9, 9), _utc_us(2027, 2, 9, 10)),
    ("hour", _utc_us(2027, 2, 9, 12), _utc_us(2027, 2, 9, 13)),
    ("hour", _utc_us(2027, 2, 9, 11), _utc_us(2027, 2, 9, 13)),
    ("minute", _utc_us(2027, 2, 9, 0, 59), _utc_us(2027, 2, 9, 1, 0)),
    ("minute", _utc_us(2027, 2, 9, 0, 9, 59), _utc_us(2027, 2, 9, 0, 10)),
)
"""Two moments each, the earlier first, at the turn of something; and the unit that must be shown, or a coarser one.

Years turn with the calendar's and with the week's year; a week, a day, an hour go from one digit to two; noon passes.
"""

_UNITS = ("year", "month", "day", "hour", "minute")
_SHOWS = {
    "Y": "year", "y": "year", "G": "year", "m": "month", "b": "month", "B": "month", "j": "month", "V": "month",
    "d": "day", "a": "day", "H": "hour", "I": "hour", "p": "hour", "M": "minute", "S": "minute", "f": "minute",
}  # fmt: skip
"""What a directive shows, as far as a cycle is concerned: a day of the year or a week turns over with the year."""

Shown = tuple[tuple[str, str, str], ...]


def misordered_texts(times: Sequence[TimeSegment]) -> tuple[str, str] | None:
    """Texts of an earlier and a later moment that sort the other way; None where text order is time order.

    A time without its year (or month, or day) is judged within one year (or month, or day): what repeats is not a
    matter of order.
    """
    return _cached_misordered_texts(tuple((time.pattern, time.bucket, time.after) for time in times))


@lru_cache(maxsize=256)
def _cached_misordered_texts(key: Shown) -> tuple[str, str] | None:
    names = {name.lstrip("-") for pattern, _, _ in key for name in clock.DIRECTIVE.findall(pattern)}
    units = [_UNITS.index(_SHOWS[name]) for name in names if name in _SHOWS]
    for unit, earlier, later in _STEPS:
        if units and _UNITS.index(unit) >= min(units):
            first, second = _text(key, earlier), _text(key, later)
            if first.encode() > second.encode():
                return first, second
    return None


def _text(key: Shown, time_us: int) -> str:
    return "".join(
        clock.format_time(pattern, clock.bucket_start(time_us, bucket)).decode() + after
        for pattern, bucket, after in key
    )
