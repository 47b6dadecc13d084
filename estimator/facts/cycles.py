"""Names of time buckets that come round again: a week without its year, an hour without its day."""

from collections.abc import Iterable, Mapping

from designer.document.durations import RESOLUTION_SECONDS, bucket_length_seconds
from designer.document.key import DIRECTIVE, Resolution, TimeSegment

_SHOWS: Mapping[str, str] = {
    "%Y": "year", "%G": "year", "%y": "year", "%m": "month", "%b": "month", "%B": "month", "%V": "week",
    "%j": "day of the year", "%d": "day of the month", "%a": "day of the week", "%H": "hour", "%I": "hour",
    "%M": "minute", "%S": "second", "%f": "millisecond",
}  # fmt: skip
"""What each part of a readable time shows."""

_DAYS = ("day of the month", "day of the year", "day of the week")
_WITHIN: Mapping[str, tuple[Resolution, tuple[str, ...], Resolution]] = {
    "month": ("month", ("year",), "year"),
    "week": ("week", ("year",), "year"),
    "day of the year": ("day", ("year",), "year"),
    "day of the month": ("day", ("month",), "month"),
    "day of the week": ("day", ("week", "day of the month", "day of the year"), "week"),
    "hour": ("hour", _DAYS, "day"),
    "minute": ("minute", ("hour",), "hour"),
    "second": ("second", ("minute",), "minute"),
    "millisecond": ("millisecond", ("second",), "second"),
}
"""How long each is, what must stand beside it, and after how long it repeats without that."""

_DATES: Mapping[Resolution, str] = {
    "year": "%Y",
    "month": "%Y%m",
    "day": "%Y%m%d",
    "hour": "%Y%m%d%H",
    "minute": "%Y%m%d%H%M",
}
"""What tells one such cycle from all others."""


def time_parts(segments: Iterable[TimeSegment]) -> frozenset[str]:
    """Return the parts of time that readable times show together, as far as their buckets let them differ."""
    parts = set[str]()
    for segment in segments:
        for directive in DIRECTIVE.findall(segment.pattern):
            name = _SHOWS.get(directive.replace("%-", "%"), "")
            if name and _covers_bucket(name, segment.bucket):
                parts.add(name)
    return frozenset(parts)


def _covers_bucket(name: str, bucket: str) -> bool:
    """Return True if a part of time is at least as long as a bucket."""
    return name == "year" or RESOLUTION_SECONDS[_WITHIN[name][0]] >= bucket_length_seconds(bucket)


def repeat_period(segments: Iterable[TimeSegment]) -> Resolution | None:
    """Return the shortest time after which one time's text repeats in a key; None if never.

    The segments show one and the same time. A number of seconds never repeats.
    """
    times = tuple(segments)
    if any(not segment.pattern for segment in times):
        return None
    names = time_parts(times)
    open_ = [_WITHIN[name][2] for name in names if name in _WITHIN and not names & set(_WITHIN[name][1])]
    return min(open_, key=lambda resolution: RESOLUTION_SECONDS[resolution], default=None)


def dated_pattern(segment: TimeSegment) -> str | None:
    """Return the pattern with what it lacks in front; None if it shows something longer than the cycle."""
    repeats, names = repeat_period((segment,)), time_parts((segment,))
    if repeats is None or repeats not in _DATES:
        return None
    if any(_covers_bucket(name, repeats) for name in names):
        return None
    if repeats != "year" or "week" not in names:
        return _DATES[repeats] + segment.pattern
    return ("%Gw" if segment.pattern.startswith("%") else "%G-") + segment.pattern
