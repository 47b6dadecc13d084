"""Python's functions of ranges of keys, and those that turn parts of a key back into values."""

PARSING = r"""
def _prefix_end(prefix: bytes) -> bytes:
    # The first key behind all keys with this prefix; b"" is the end of the table.
    cut = prefix.rstrip(b"\xff")
    return cut[:-1] + bytes([cut[-1] + 1]) if cut else b""


def _time_range(prefix: bytes, start: bytes, end: bytes, after: bytes) -> tuple[bytes, bytes]:
    # Both times are included; a key that counts time down begins with the later one.
    if len(start) != len(end):
        raise ValueError("the times have different numbers of digits, so their keys are not one range")
    first, last = sorted((start, end))
    return prefix + first + after, _prefix_end(prefix + last + after)


def _value_range(prefix: bytes, low: bytes, high: bytes | None, stop: bytes, is_fixed: bool) -> tuple[bytes, bytes]:
    # Both bounds are included. A text that the upper one begins with is less than it, whatever stands behind it.
    if high is None:
        return prefix + low, _prefix_end(prefix)
    if low > high:
        raise ValueError("the range ends before it begins")
    if is_fixed:
        return prefix + low, _prefix_end(prefix + high + stop)
    if not stop:
        return prefix + low, prefix + high + b"\0"
    ends = [_prefix_end(prefix + high[:size] + stop) for size in range(len(high) + 1)]
    return prefix + low, b"" if b"" in ends else max(ends)


def _padded_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _text_of(text: bytes) -> str:
    return text.decode()


def _boolean_of(text: bytes) -> bool:
    if text not in (b"true", b"false"):
        raise ValueError(f"{text!r} is neither true nor false")
    return text == b"true"


def _unescape(text: bytes) -> bytes:
    return unquote_to_bytes(text)


def _number_of_digits(text: bytes) -> int:
    # Hexadecimal.
    if re.fullmatch(b"-?[0-9A-Fa-f]+", text) is None:
        raise ValueError(f"{text!r} is no hexadecimal number")
    return int(text, 16)


def _number_of_bytes(data: bytes, is_signed: int) -> int:
    return int.from_bytes(data, "big", signed=bool(is_signed))


def _time_of_number(number: int, bucket: str, unit: str) -> int:
    # Microseconds since 1970.
    if unit != "bucket":
        return number * _unit(unit)
    if bucket in ("month", "year") and not -99_999 < number < 99_999:
        raise ValueError(f"{number} is not in the years 1 to 9999")
    return _start(number, bucket)


def _time_of_date(text: bytes, pattern: str, is_reversed: int) -> int:
    digits = text.translate(bytes.maketrans(b"0123456789", b"9876543210")) if is_reversed else text
    at, found = 0, {"Y": 1970, "m": 1, "d": 1, "j": 1, "H": 0, "M": 0, "S": 0, "f": 0}
    for piece in re.findall("%[YmdjHMSf]|.", pattern, re.DOTALL):
        end = at + len(piece.encode())
        if piece[0] == "%":
            end = at + {"Y": 4, "f": 3, "j": 3}.get(piece[1], 2)
            found[piece[1]] = int(digits[at:end])
        at = end
    date = _EPOCH.replace(year=found["Y"], month=found["m"], day=found["d"], hour=found["H"], minute=found["M"],
                          second=found["S"], microsecond=found["f"] * 1000)
    time_us = (date - _EPOCH) // datetime.timedelta(microseconds=1) + (found["j"] - 1) * 86_400_000_000
    if _date_text(time_us, "microsecond", pattern, is_reversed) != text:
        raise ValueError(f"{text!r} is no date")
    return time_us
"""
