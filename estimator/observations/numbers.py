"""Numbers, times and keys as the cloud's own JSON writes them."""

import base64
import binascii
import datetime
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from designer.imports.keys import unescape
from designer.imports.shared.dates import parse_date

LARGEST = 1e18
_DIGITS = re.compile(r"\d{1,19}")


def read_number(value: Any) -> float | None:
    """Return a number of 0 or more, which JSON may hold as text; None for anything else."""
    if isinstance(value, str) and len(value) <= 40:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value <= LARGEST else None


def read_count(value: Any) -> float | None:
    """Return a whole number of 0 or more."""
    if isinstance(value, str):
        return float(value) if _DIGITS.fullmatch(value.strip()) else None
    number = read_number(value)
    return number if number is not None and number == int(number) else None


def read_instant(value: Any) -> datetime.datetime | None:
    """Return a time as RFC 3339 writes it, in UTC; digits beyond microseconds are dropped."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    instant = parse_date(value)
    if instant is None:
        return None
    try:
        return (instant if instant.tzinfo else instant.replace(tzinfo=datetime.UTC)).astimezone(datetime.UTC)
    except OverflowError:
        return None


def _read_hex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text.strip().removeprefix("0x"))
    except ValueError:
        return None


def _read_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None


KEY_READERS: Mapping[str, Callable[[str], bytes | None]] = {
    "text": lambda text: unescape(text.encode()),
    "hex": _read_hex,
    "base64": _read_base64,
}
"""How sampled row keys may be written."""
