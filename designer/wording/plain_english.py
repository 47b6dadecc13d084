"""Says a message in English words, as the command line speaks: parameters are formatted by the unit at the end of their
names. Pages say the same suffixes in the reader's language (`designer.wording.formatting`).
"""

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from designer.document.money import Money
from designer.document.texts import Text

KIB = 1024
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")


def number(value: float | Decimal, decimals: int | None = None) -> str:
    """A number with thousands separators: three significant digits below 1,000 unless `decimals` says otherwise."""
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    value += 0  # no minus before zero
    magnitude = abs(float(value))
    if magnitude >= 1e15:
        return f"{value:.3g}"
    if magnitude >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}" if magnitude < 1 else f"{value:,.{2 if magnitude < 10 else 1}f}".rstrip("0").rstrip(".")


def size(value: float) -> str:
    """Bytes in binary units: 1536 is 1.5 KiB."""
    power = 0
    while abs(value) >= KIB and power < len(_BINARY) - 1:
        value /= KIB
        power += 1
    return f"{number(value, 0 if power == 0 else None)} {_BINARY[power]}"


def span(seconds: float) -> str:
    """A length of time in its natural unit."""
    for unit, length in (("year", 31_557_600), ("week", 604_800), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length and (unit != "week" or seconds % length == 0):
            count = number(seconds / length)
            return f"{count} {unit}{'' if count == '1' else 's'}"
    return f"{number(seconds)} s"


def times(value: float) -> str:
    """How many times as much; of what is hardly anything the digits say nothing."""
    return "< 0.01" if 0 < value < 0.01 else number(value)


def share(value: float) -> str:
    """A share as per cent; what is small but not nothing is not said to be 0 %, nor nearly all to be 100 %."""
    percent = round(value * 100, 9)
    if 0 < percent < 0.1:
        return "< 0.1 %"
    if 99.5 <= percent < 100:
        return "> 99 %"
    return f"{percent:.1f} %" if percent < 10 else f"{percent:,.0f} %"


def often(times_per_day: float) -> str:
    """How often something happens, told by days where it is less than once in one."""
    if not 0 < times_per_day < 1:
        return f"{number(times_per_day)} a day"
    days = float(f"{1 / times_per_day:.3g}")
    return "once a week" if days == 7 else f"once in {number(days)} days"


def rate(per_second: float) -> str:
    """How often a second; by hours or days what is seldom."""
    if 0 < per_second * 3_600 < 1:
        return often(per_second * 86_400)
    return f"{number(per_second * 3_600)}/h" if 0 < per_second < 0.05 else f"{number(per_second)}/s"


UNITS: Mapping[str, Callable[[Any], str]] = {
    "_share": share,
    "_bytes": size,
    "_usd": lambda value: f"${value:,.2f}",
    "_cu_per_second": lambda value: f"{number(value)} CU/s",
    "_cu": lambda value: f"{number(value)} CU",
    "_bytes_per_second": lambda value: f"{size(value)}/s",
    "_per_second": lambda value: rate(float(value)),
    "_per_minute": lambda value: f"{number(value)}/min",
    "_times_per_day": lambda value: often(float(value)),
    "_per_day": lambda value: f"{number(value)} a day",
    "_days": lambda value: span(value * 86_400),
    "_months": lambda value: f"{number(value)} month{'' if number(value) == '1' else 's'}",
    "_seconds": span,
    "_hours": lambda value: f"{number(value)} h",
    "_nodes": lambda value: f"{number(value)} node{'' if number(value) == '1' else 's'}",
    "_gib": lambda value: f"{number(value)} GiB",
    "_factor": lambda value: f"{times(value)}×",
}
"""How a parameter is said, by the end of its name."""


def said(name: str, value: Any) -> str:
    """One parameter in words, by its name's unit and its type; None is "unknown"."""
    if value is None:
        return "unknown"
    if isinstance(value, bytes):
        from designer.document.key import as_text

        return as_text(value)
    if isinstance(value, Money):
        return str(value)
    if isinstance(value, datetime.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, str | bool):
        return str(value)
    if isinstance(value, Text):
        return worded(value.message, value.params)
    if isinstance(value, tuple | list):
        return ", ".join(said(name, item) for item in value)
    for suffix, say in UNITS.items():
        if f"_{name}".endswith(suffix) and isinstance(value, int | float | Decimal):
            return say(value)
    return number(value) if isinstance(value, int | float | Decimal) else str(value)


def worded(message: str, params: Mapping[str, Any]) -> str:
    """The message with its parameters in words."""
    return message.format(**{name: said(name, value) for name, value in params.items()})
