"""Time in keys: buckets of a resolution, epoch numbers and readable text, for one time in plain Python."""

import datetime
import re

from designer.document.key import LONG_MAX, TimeSegment

DAY_US = 86_400_000_000
FIXED_US = {
    "microsecond": 1, "millisecond": 1_000, "second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000,
    "day": DAY_US, "week": 7 * DAY_US,
}  # fmt: skip
"""Resolutions of one length. [microseconds]"""

UNIT_US = {"us": 1, "ms": 1_000, "s": 1_000_000}
MONDAY_US = -3 * DAY_US
"""1970-01-01 was a Thursday: weeks begin on Monday, three days before."""

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DIRECTIVE = re.compile(r"%(-[mdHV]|[YymdHIpMSfjGVBba%])")


def bucket_start(time_us: int, resolution: str) -> int:
    """Return the start of the bucket that a time is in, in microseconds since 1970."""
    if resolution in FIXED_US:
        size = FIXED_US[resolution]
        offset = MONDAY_US if resolution == "week" else 0
        return (time_us - offset) // size * size + offset
    at = from_micros(time_us)
    return to_micros(at.replace(month=1 if resolution == "year" else at.month, day=1, hour=0, minute=0, second=0,
                             microsecond=0))  # fmt: skip


def bucket_end(start_us: int, resolution: str) -> int:
    """Return the start of the next bucket, in microseconds since 1970."""
    if resolution in FIXED_US:
        return start_us + FIXED_US[resolution]
    at = from_micros(start_us)
    if resolution == "year":
        return to_micros(at.replace(year=at.year + 1))
    return to_micros(at.replace(year=at.year + at.month // 12, month=at.month % 12 + 1))


def from_micros(time_us: int) -> datetime.datetime:
    """Microseconds since 1970 as a UTC datetime."""
    return EPOCH + datetime.timedelta(microseconds=time_us)


def to_micros(at: datetime.datetime) -> int:
    """Return a UTC datetime as microseconds since 1970."""
    return (at - EPOCH) // datetime.timedelta(microseconds=1)


def reverse_from(segment: TimeSegment) -> int:
    """Return the number that a reversed time is subtracted from: Long.MAX_VALUE unless it is set."""
    return LONG_MAX if segment.reverse_from is None else segment.reverse_from


def epoch_number(segment: TimeSegment, time_us: int) -> int:
    """Return the whole number in the key, reversed or not."""
    number = bucket_start(time_us, segment.resolution) // UNIT_US[segment.unit]
    return reverse_from(segment) - number if segment.reversed else number


def time_text(segment: TimeSegment, time_us: int) -> bytes:
    """Return the bytes of a time segment.

    Raises
    ------
    ValueError
        If a reversed time would be negative, or a raw one does not fit.
    """
    if segment.pattern:
        return format_time(segment.pattern, bucket_start(time_us, segment.resolution))
    number = epoch_number(segment, time_us)
    if segment.reversed and number < 0:
        raise ValueError(f"{reverse_from(segment)} is less than the time that is subtracted from it")
    if segment.raw:
        return (number & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "big")
    return b"%0*d" % (len(str(reverse_from(segment))), number) if segment.reversed else b"%d" % number


def format_time(pattern: str, time_us: int) -> bytes:
    """Return a time formatted by a readable pattern."""
    at = from_micros(time_us)
    return DIRECTIVE.sub(lambda match: directive(match[1], at), pattern).encode()


def directive(name: str, at: datetime.datetime) -> str:
    """One directive of a readable pattern."""
    plain = {"m": at.month, "d": at.day, "H": at.hour, "V": at.isocalendar()[1]}
    if name.startswith("-"):
        return str(plain[name[1]])
    if name in plain:
        return f"{plain[name]:02d}"
    match name:
        case "%":
            return "%"
        case "Y":
            return f"{at.year:04d}"
        case "y":
            return f"{at.year % 100:02d}"
        case "I":
            return f"{(at.hour + 11) % 12 + 1:02d}"
        case "p":
            return "AM" if at.hour < 12 else "PM"
        case "M":
            return f"{at.minute:02d}"
        case "S":
            return f"{at.second:02d}"
        case "f":
            return f"{at.microsecond // 1000:03d}"
        case "j":
            return f"{at.timetuple().tm_yday:03d}"
        case "G":
            return f"{at.isocalendar()[0]:04d}"
        case "B":
            return MONTHS[at.month - 1]
        case "b":
            return MONTHS[at.month - 1][:3]
        case "a":
            return DAYS[at.weekday()]
    raise ValueError(f"%{name} is no directive")
