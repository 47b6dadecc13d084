"""Time in keys: buckets of a resolution, epoch numbers and readable text, for one time in plain Python."""

import datetime
import re

from designer.document.hashes import encode_hash, hash_digest
from designer.document.key import LONG_MAX, TimeSegment, complement_digits

DAY_US = 86_400_000_000
FIXED_US = {
    "microsecond": 1, "millisecond": 1_000, "second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000,
    "day": DAY_US, "week": 7 * DAY_US,
}  # fmt: skip
"""Resolutions of one length. [microseconds]"""

UNIT_US = {
    "us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": DAY_US,
}  # fmt: skip
"""Units of epoch numbers, but for numbers of buckets. [microseconds]"""

MONDAY_US = -3 * DAY_US
"""1970-01-01 was a Thursday: weeks begin on Monday, three days before."""

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DIRECTIVE = re.compile(r"%(-[mdHV]|[YymdHIpMSfjGVBba%])")


def bucket_us(bucket: str) -> int | None:
    """Return the length of a bucket in microseconds; None for months and years, which differ."""
    if bucket[0].isdigit():
        return int(bucket[:-1]) * 1_000_000
    return FIXED_US.get(bucket)


def first_start_us(bucket: str) -> int:
    """Return the start of the bucket with the number 0, in microseconds since 1970."""
    return MONDAY_US if bucket == "week" else 0


def bucket_place(time_us: int, bucket: str) -> int:
    """Return the number of the bucket that a time is in, counted from the one that 1970 began in."""
    size = bucket_us(bucket)
    if size is not None:
        # Floor division also rounds times before 1970 down to the start of their bucket.
        return (time_us - first_start_us(bucket)) // size
    at = from_micros(time_us)
    return at.year - 1970 if bucket == "year" else (at.year - 1970) * 12 + at.month - 1


def place_start(place: int, bucket: str) -> int:
    """Return the start of the bucket with a number, in microseconds since 1970: the inverse."""
    size = bucket_us(bucket)
    if size is not None:
        return place * size + first_start_us(bucket)
    year, month = (place, 0) if bucket == "year" else divmod(place, 12)
    return to_micros(EPOCH.replace(year=1970 + year, month=1 + month))


def bucket_start(time_us: int, bucket: str) -> int:
    """Return the start of the bucket that a time is in, in microseconds since 1970."""
    return place_start(bucket_place(time_us, bucket), bucket)


def bucket_end(start_us: int, bucket: str) -> int:
    """Return the start of the next bucket, in microseconds since 1970."""
    return place_start(bucket_place(start_us, bucket) + 1, bucket)


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
    place = bucket_place(time_us, segment.bucket)
    number = place if segment.unit == "bucket" else place_start(place, segment.bucket) // UNIT_US[segment.unit]
    return reverse_from(segment) - number if segment.reversed else number


def time_of_number(segment: TimeSegment, number: int) -> int:
    """Return the time that a whole number in the key stands for, in microseconds since 1970."""
    number = reverse_from(segment) - number if segment.reversed else number
    return place_start(number, segment.bucket) if segment.unit == "bucket" else number * UNIT_US[segment.unit]


def time_text(segment: TimeSegment, time_us: int) -> bytes:
    """Return the bytes of a time segment: of its bucket, or of a hash of that.

    Raises
    ------
    ValueError
        If a reversed time would be negative, or a raw one does not fit.
    """
    text = plain_time_text(segment, time_us)
    if segment.hash is None:
        return text
    return encode_hash(hash_digest(segment.hash, text), segment.hash_form)[: segment.hash_digits]


def plain_time_text(segment: TimeSegment, time_us: int) -> bytes:
    """Return the bytes of a time segment as they are before they are hashed; raise ValueError as `time_text`."""
    if segment.pattern:
        text = format_time(segment.pattern, bucket_start(time_us, segment.bucket))
        return complement_digits(text) if segment.reversed else text
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
