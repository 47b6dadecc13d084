"""Functions that a Python module of keys takes along: those that it calls, each with the ones that they call."""

from collections.abc import Iterable

from .python_parsing import PARSING
from .writing import needed_parts

RUNTIME = r"""
def _of(name: str, make: typing.Callable[[], bytes]) -> bytes:
    # An error begins with the field that it is about.
    try:
        return make()
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from error


def _fit(text: bytes, pattern: str, misfit: str, stop: bytes) -> bytes:
    # Only a key that is cut as it was made is made.
    if pattern and re.fullmatch(pattern, text.decode("latin-1"), re.DOTALL) is None:
        raise ValueError(f"{misfit}: {text!r}")
    if stop and (text + stop).find(stop) != len(text):
        raise ValueError(f"{text!r} contains the delimiter {stop!r}")
    return text


def _text(value: str) -> bytes:
    return value.encode()


def _bytes(value: bytes) -> bytes:
    return value


def _boolean(value: bool) -> bytes:
    return b"true" if value else b"false"


def _whole(value: int) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _milliseconds(time_us: int) -> int:
    return time_us // 1000


def _decimal(value: int) -> bytes:
    return b"%d" % value


def _number(text: bytes) -> int:
    return int(text)


def _join(*texts: bytes) -> bytes:
    return b"".join(texts)


def _counter(text: bytes, before: bytes, after: bytes) -> int:
    if not (text.startswith(before) and text.endswith(after)):
        raise ValueError(f"{text!r} has another form")
    return int(text[len(before) : len(text) - len(after)])


def _bucket(number: int, size: int) -> int:
    return number // size


def _part(text: bytes, start: int, length: int | None, before: str) -> bytes:
    # Counted in characters, not in bytes.
    chars = text.decode(errors="surrogateescape")
    if before:
        chars = chars.split(before, 1)[0]
    return chars[start : None if length is None else start + length].encode(errors="surrogateescape")


def _pad(text: bytes, width: int) -> bytes:
    if re.fullmatch(b"[0-9]{1,%d}" % width, text) is None:
        raise ValueError(f"{text!r} does not fit into {width} digits without a sign")
    return text.zfill(width)


def _reverse(text: bytes) -> bytes:
    return text[::-1]


def _reverse_domain(text: bytes) -> bytes:
    return b".".join(reversed(text.split(b".")))


def _lower(text: bytes) -> bytes:
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def _upper(text: bytes) -> bytes:
    return text.decode(errors="surrogateescape").upper().encode(errors="surrogateescape")


def _truncate(text: bytes, length: int) -> bytes:
    return text[:length]


def _offset(number: int, by: int) -> int:
    return number + by


def _descending(number: int, top: int) -> int:
    if number > top:
        raise ValueError(f"{number} is more than {top}, from which it is subtracted")
    return top - number


def _subtract(number: int, top: int) -> int:
    return top - number


def _big_endian(number: int, length: int) -> bytes:
    if not 0 <= number < 1 << 8 * length:
        raise ValueError(f"{number} does not fit into {length} unsigned bytes")
    return number.to_bytes(length, "big")


def _hexadecimal(number: int, width: int) -> bytes:
    if not 0 <= number < 16**width:
        raise ValueError(f"{number} does not fit into {width} hexadecimal digits without a sign")
    return b"%0*x" % (width, number)


def _percent(text: bytes) -> bytes:
    return quote_from_bytes(text, safe="").encode()


def _hash_text(data: bytes, algorithm: str, form: str, length: int) -> bytes:
    digest = _digest(data, algorithm)
    if form == "hex":
        return digest.hex().encode()[:length]
    if form == "raw":
        return digest[:length]
    encode = base64.b64encode if form == "base64" else base64.urlsafe_b64encode
    return encode(digest).rstrip(b"=")[:length]


def _digest(data: bytes, algorithm: str) -> bytes:
    if algorithm == "crc32":
        return zlib.crc32(data).to_bytes(4, "big")
    if algorithm == "fnv1a":
        number = 0xCBF29CE484222325
        for byte in data:
            number = (number ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        return number.to_bytes(8, "big")
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()


def _salt(data: bytes, modulo: int, width: int) -> bytes:
    # The first eight bytes of the MD5, big-endian, modulo the number of salts.
    number = int.from_bytes(_digest(data, "md5")[:8], "big")
    return b"%0*d" % (width, number % modulo)


def _random_salt(number: int, modulo: int, width: int) -> bytes:
    return b"%0*d" % (width, number % modulo)


def _place(time_us: int, bucket: str) -> int:
    if bucket in ("month", "year"):
        at = _date(time_us)
        return at.year - 1970 if bucket == "year" else (at.year - 1970) * 12 + at.month - 1
    size, first = _length(bucket)
    return (time_us - first) // size


def _start(place: int, bucket: str) -> int:
    if bucket in ("month", "year"):
        year, month = (place, 0) if bucket == "year" else divmod(place, 12)
        at = _EPOCH.replace(year=1970 + year, month=1 + month)
        return (at - _EPOCH) // datetime.timedelta(microseconds=1)
    size, first = _length(bucket)
    return place * size + first


def _length(bucket: str) -> tuple[int, int]:
    # Microseconds of a bucket, and the start of bucket 0: weeks begin on Monday.
    if bucket[0].isdigit():
        return int(bucket[:-1]) * 1_000_000, 0
    day = 86_400_000_000
    sizes = {"microsecond": 1, "millisecond": 1_000, "second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000}
    return {**sizes, "day": day, "week": 7 * day}[bucket], -3 * day if bucket == "week" else 0


def _date(time_us: int) -> datetime.datetime:
    return _EPOCH + datetime.timedelta(microseconds=time_us)


def _unit(unit: str) -> int:
    day = 86_400_000_000
    return {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": day}[unit]


def _time_text(time_us: int, bucket: str, unit: str, top: int | None, raw: int) -> bytes:
    place = _place(time_us, bucket)
    number = place if unit == "bucket" else _start(place, bucket) // _unit(unit)
    if number < 0:
        raise ValueError(f"the time {time_us} begins before 1970 and would not sort as times do")
    if top is not None:
        number = top - number
        if number < 0:
            raise ValueError(f"{top} is less than the time that is subtracted from it")
    if raw:
        if number >= 1 << 63:
            raise ValueError(f"{number} does not fit into 64 bits")
        return number.to_bytes(8, "big")
    return b"%d" % number if top is None else b"%0*d" % (len(str(top)), number)


def _date_text(time_us: int, bucket: str, pattern: str, is_reversed: int) -> bytes:
    # UTC, whatever the zone and the language of the machine.
    at = _date(_start(_place(time_us, bucket), bucket))
    text = re.sub("%(-[mdHV]|[YymdHIpMSfjGVBba%])", lambda match: _directive(match[1], at), pattern).encode()
    return text.translate(bytes.maketrans(b"0123456789", b"9876543210")) if is_reversed else text


def _directive(name: str, at: datetime.datetime) -> str:
    months = (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    )
    year, week, _ = at.isocalendar()
    plain = {"m": at.month, "d": at.day, "H": at.hour, "V": week}
    if name.startswith("-"):
        return str(plain[name[1]])
    texts = {
        "%": "%", "Y": f"{at.year:04d}", "y": f"{at.year % 100:02d}", "I": f"{(at.hour + 11) % 12 + 1:02d}",
        "p": "AM" if at.hour < 12 else "PM", "M": f"{at.minute:02d}", "S": f"{at.second:02d}",
        "f": f"{at.microsecond // 1000:03d}", "j": f"{at.timetuple().tm_yday:03d}", "G": f"{year:04d}",
        "B": months[at.month - 1], "b": months[at.month - 1][:3],
        "a": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[at.weekday()],
    }
    return f"{plain[name]:02d}" if name in plain else texts[name]
"""


def runtime_parts(functions: Iterable[str]) -> list[str]:
    """Return the source of these functions, and of all that they call, in the order of the runtime."""
    parts = {
        part.split("(")[0].removeprefix("def "): part
        for part in f"{RUNTIME.strip()}\n\n\n{PARSING.strip()}".split("\n\n\n")
    }
    return needed_parts(parts, (f"_{name}" for name in functions if name != "integer_of"))
