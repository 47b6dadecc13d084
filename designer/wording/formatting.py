"""Numbers, dates and messages as people read them: the suffix of a name says the unit. Knows no Django.

Pages, terminals, mails and documents all write them so: `format_value("stored_bytes", 5e9)` is "4.66 GiB", and
`english(N_("{age_days} kept"), {"age_days": 7})` is "7 days kept": a template never writes the unit after a parameter.
A float is computed and has three significant digits, as modelled money has; an integer was counted or entered and is
exact, and so is billed money.
English is written here; Babel, which takes long to load, is for other languages alone.
"""

import datetime
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from designer.document.durations import MONTH_DAYS, YEAR_DAYS
from designer.document.key import as_text, shorten_middle
from designer.document.money import SYMBOLS, Currency, Money
from designer.document.texts import Text, TextList

from .plurals import COUNTED, agreeing

Number = float | Decimal
Translate = Callable[[str, Mapping[str, Any]], str]
"""Puts a message and its parameters into words of one language."""


_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_DURATIONS = (
    ("year", 31_557_600.0),
    ("day", 86_400.0),
    ("hour", 3_600.0),
    ("minute", 60.0),
    ("second", 1.0),
    ("millisecond", 1e-3),
    ("microsecond", 1e-6),
)
_SYMBOLS = {"millisecond": "ms", "microsecond": "μs"}
"""Units that every language writes in this way."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ROUNDED_FROM = 100
"""Bills to compare (`rounded_cost`) have no cents from here on."""
_COMPACT = ((1e12, "T"), (1e9, "bn"), (1e6, "M"))
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MOMENTS = {
    "month": ("yMMM", "{month} {at:%Y}"),
    "weekday": ("E", "{weekday}"),
    "weekhour": ("EHm", "{weekday} {at:%H:%M}"),
    "dayofmonth": ("MMMd", "{at.day} {month}"),
    "shortday": ("Md", "{at.day} {month}"),
    "clock": ("Hm", "{at:%H:%M}"),
    "second": ("", "{at.day} {month} {at:%Y %H:%M:%S}"),
}
"""How a date or time is written where only a part of it matters, by the suffix of its name: for Babel, in English."""


def at_least(amount: str, is_bound: object = True) -> str:
    """Return an amount, marked if it is a lower bound; no line ends between mark and amount."""
    return f"≥\u00a0{amount}" if is_bound else amount


def comma(locale: str) -> str:
    """Return what stands between the parts of a list."""
    return "、" if locale == "ja" else ", "


def number(value: Number, locale: str = "en", *, digits: int = 3) -> str:
    """Integers exact (from a million on: 1.23M); others with so many significant digits."""
    if isinstance(value, float) and not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "–"
    size = abs(float(value))
    if size >= 1e15:
        mantissa, _, exponent = f"{float(value):.2e}".partition("e")
        return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}"
    if size >= 1_000_000:
        return _compact(value, locale, digits)
    if isinstance(value, int | Decimal) or not size:
        return _decimal(value, locale, max(0, -_exponent(value)) if isinstance(value, Decimal) else 0)
    rounded = _significant(value, digits)
    # Rounding can lift a number to the next form: 999,999.6 is 1M and not 1,000,000.
    if abs(rounded) >= 1_000_000:
        return _compact(rounded, locale, digits)
    return _decimal(rounded, locale, max(0, digits - 1 - math.floor(math.log10(abs(rounded)))))


NO_CHANGE = 0.0005
"""What is less is shown as none."""


def signed_change(change: float, locale: str = "en") -> str:
    """Return by which share a figure rose or fell, with its sign; times from a tenfold rise or a fall to a tenth on."""
    if not -0.9 < change < 9:
        return format_value("factor", change + 1, locale)
    sign = "" if abs(change) < NO_CHANGE else "+" if change > 0 else "−"
    return sign + format_value("change", change if sign else 0, locale)


def exact_number(value: Number) -> Number:
    """Return a number that was entered so that it is written in full: as an integer, else as a decimal."""
    return int(value) if value == int(value) else Decimal(str(value))


def _exponent(value: Decimal) -> int:
    return int(value.normalize().as_tuple().exponent)


def _significant(value: Number, digits: int) -> float:
    return float(f"{float(value):.{digits}g}")


def _decimal(value: Number, locale: str, decimals: int) -> str:
    if locale != "en":
        from babel.numbers import format_decimal

        return str(format_decimal(value, locale=locale, format=f"#,##0.{'#' * decimals}" if decimals else None))
    text = f"{Decimal(str(value)):,.{decimals}f}"
    # -0.001 would become "-0".
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("-")  # nothing is below zero that rounds to it
    return text.rstrip("0").rstrip(".") if decimals else text


def _compact(value: Number, locale: str, digits: int) -> str:
    value = _significant(value, digits)
    if locale != "en":
        from babel.numbers import format_compact_decimal

        return str(format_compact_decimal(value, locale=locale, fraction_digits=digits - 1))
    least, letter = next(step for step in _COMPACT if abs(value) >= step[0])
    return _decimal(_significant(value / least, digits), locale, digits - 1) + letter


def _bytes(value: Number, locale: str) -> str:
    size, step = float(value), 0
    # From 1000 and not from 1024, so that never more than three digits stand before the point.
    while abs(size) >= 1000 and step < len(_BINARY) - 1:
        size, step = size / 1024, step + 1
    return f"{number(size, locale)} {_BINARY[step]}"


TIB_FROM_GIB = 1000


def _gib(value: Number, locale: str) -> str:
    """Return GiB, TiB from about one of them; whole GiB are limits of an engine or were entered, and are exact."""
    if value >= TIB_FROM_GIB and value != int(value):
        return f"{number(float(value) / 1024, locale)} TiB"
    return f"{number(int(value) if value == int(value) else value, locale)} GiB"


def _share(value: Number, locale: str) -> str:
    # Nine digits remove what floating point adds, as in 0.07 * 100 = 7.000000000000001.
    percent, sign = round(float(value) * 100, 9), "%" if locale == "ja" else "\u00a0%"
    if 0 < percent < 0.1:
        return f"<\u00a0{number(0.1, locale)}{sign}"
    if 99.5 <= percent < 100:
        return f">\u00a0{number(99, locale)}{sign}"
    return f"{number(percent, locale, digits=2 if percent < 100 else 3)}{sign}"


def _change(value: Number, locale: str) -> str:
    """Return by how much of itself a figure rose, or fell (below 0), without its sign.

    A change is written in figures alone: beside a sign "> 99 %" and "< 0.1 %" are not read as what they are. A rise can
    be 100 % and more; a fall is 100 % only to nothing.
    """
    percent, sign = round(abs(float(value)) * 100, 9), "%" if locale == "ja" else "\u00a0%"
    if value < 0 and 99.5 <= percent < 100:
        return f"{number(min(percent, 99.99), locale, digits=4)}{sign}"
    return f"{number(percent, locale, digits=2 if percent < 100 else 3)}{sign}"


def _money(currency: Currency, value: Number, locale: str, *, decimals: int | None = None) -> str:
    exact = Decimal(str(value)).normalize()
    if decimals is None:
        decimals = max(2, -int(exact.as_tuple().exponent)) if isinstance(value, Decimal) else 2
        if not isinstance(value, Decimal) and 0 < abs(float(value)) < 0.1:
            decimals = 1 - math.floor(math.log10(abs(float(value))))
    decimals = min(decimals, 12)
    if locale == "en":
        return f"{'−' if exact < 0 else ''}{SYMBOLS[currency]}{abs(exact):,.{decimals}f}"
    from babel.numbers import format_currency

    pattern = f"¤#,##0.{'0' * decimals}" if decimals else "¤#,##0"
    # Always as dollars, whose sign is then replaced: Babel writes others in ways that differ by language (CN¥, 元).
    text = format_currency(value, "USD", pattern, locale=locale, currency_digits=False)
    return str(text).replace("US$", "$").replace("$", SYMBOLS[currency]).replace("-", "−")


def _modelled_money(value: Money, locale: str) -> str:
    """Return money in three significant digits."""
    amount = _significant(value.amount, 3)
    if 10 <= abs(amount) <= CEILINGS[value.currency.lower()]:
        return _money(value.currency, amount, locale, decimals=0)
    return _with_bound(value.currency.lower(), amount, locale)


def _per(unit: str, unit_ja: str) -> Callable[[Number, str], str]:
    return lambda value, locale: f"{number(value, locale)}{unit_ja if locale == 'ja' else unit}"


def _factor(value: Number, locale: str) -> str:
    """Return a factor as text; values below 0.01 become "< 0.01×"."""
    return f"< {number(0.01, locale)}×" if 0 < float(value) < 0.01 else f"{number(value, locale)}×"


def _is_short(value: float) -> bool:
    """Return whether a number is shown as it is, not rounded."""
    return math.isclose(float(_significant(value, 3)), value, rel_tol=1e-9)


def _per_second(value: Number, locale: str) -> str:
    if 0 < float(value) * 3600 < 1:
        return _frequency(float(value) * 86_400, locale)
    if 0 < float(value) < 0.05:
        return _per("/h", "/時")(float(value) * 3600, locale)
    if 0 < float(value) < 1 and not _is_short(float(value)) and _is_short(float(value) * 60):
        return _per("/min", "/分")(float(value) * 60, locale)  # as it was entered
    return _per("/s", "/秒")(value, locale)


def _duration(unit: str, value: Number, locale: str) -> str:
    """Return a span of time; whole units were entered or are limits, and are exact."""
    # A whole number was entered and is shown in full.
    figure = value if value == int(value) and abs(float(value)) < 1_000_000 else _significant(value, 3)
    if locale != "en":
        from babel.units import format_unit

        length: Literal["short", "long"] = "short" if locale == "ja" or unit in _SYMBOLS else "long"
        return str(format_unit(figure, f"duration-{unit}", length, locale=locale))
    count = _decimal(figure, locale, 3)
    return f"{count} {_SYMBOLS.get(unit) or _count_noun(unit, count)}"


def _frequency(value: Number, locale: str) -> str:
    """Return a frequency, in days if it is less than once a day."""
    if not 0 < float(value) < 1:
        return _per(" a day", "/日")(value, locale)
    days = float(f"{1 / float(value):.3g}")
    if days == 7:
        return "週 1 回" if locale == "ja" else "once a week"
    return f"{number(days, locale)} 日に 1 回" if locale == "ja" else f"once in {number(days, locale)} days"


def _seconds(value: Number, locale: str) -> str:
    for unit, seconds in _DURATIONS:
        if abs(float(value)) >= seconds:
            return _duration(unit, float(value) / seconds, locale)
    return _duration("second", 0, locale)


def _days(value: Number, locale: str) -> str:
    """Return a number of days; whole months and years, which are entered as such, stay these."""
    if value and abs(float(value)) < 1:
        return _seconds(float(value) * 86_400, locale)
    for unit, days in (("year", YEAR_DAYS), ("month", MONTH_DAYS)):
        if value and float(value) / days == int(float(value) / days):
            return _duration(unit, float(value) / days, locale)
    return _duration("day", value, locale)


def _hours(value: Number, locale: str) -> str:
    """Return a number of hours, of less than one in a shorter unit."""
    if value and abs(float(value)) < 1:
        return _seconds(float(value) * 3_600, locale)
    return _duration("hour", value, locale)


def _nodes(value: Number, locale: str) -> str:
    count = number(value, locale)
    return f"{count} ノード" if locale == "ja" else f"{count} {_count_noun('node', count)}"


def _count_noun(noun: str, count: str, plural: str = "") -> str:
    return noun if count.removeprefix("-") == "1" else plural or f"{noun}s"


def _count_of(noun: str, plural: str, japanese: str, counter: str, value: Number, locale: str) -> str:
    count = number(value, locale)
    return f"{japanese} {count} {counter}" if locale == "ja" else f"{count} {_count_noun(noun, count, plural)}"


def _date(suffix: str, value: datetime.date, locale: str) -> str:
    skeleton, english_form = _MOMENTS.get(suffix, ("", ""))
    if locale == "en":
        has_clock = isinstance(value, datetime.datetime)
        form = english_form or ("{at.day} {month} {at:%Y %H:%M}" if has_clock else "{at.day} {month} {at:%Y}")
        return form.format(at=value, month=_MONTHS[value.month - 1], weekday=_WEEKDAYS[value.weekday()])
    from babel.dates import format_date, format_datetime, format_skeleton

    if skeleton:
        return str(format_skeleton(skeleton, value, locale=locale))
    if isinstance(value, datetime.datetime):
        return str(format_datetime(value, "y/MM/dd HH:mm" + ":ss" * (suffix == "second"), locale=locale))
    return str(format_date(value, "medium", locale=locale))


SUFFIXES: dict[str, Callable[[Number, str], str]] = {
    "bytes": _bytes,
    "gib": _gib,
    "share": _share,
    "change": _change,
    **{currency.lower(): partial(_money, currency) for currency in SYMBOLS},
    "cu_per_second": lambda value, locale: f"{number(value, locale)} CU/{'秒' if locale == 'ja' else 's'}",
    "cu": lambda value, locale: f"{number(value, locale)} CU",
    "bytes_per_second": lambda value, locale: f"{_bytes(value, locale)}/{'秒' if locale == 'ja' else 's'}",
    "per_second": _per_second,
    "per_minute": _per("/min", "/分"),
    "times_per_day": _frequency,
    "per_day": _per(" a day", "/日"),
    "per_month": _per(" a month", "/月"),
    "seconds": _seconds,
    "hours": _hours,
    "days": _days,
    "months": lambda value, locale: _duration("month", value, locale),
    "nodes": _nodes,
    "distinct": lambda value, locale: number(value if value >= 100 else round(value), locale),
    "factor": _factor,
    **{f"count_{name}": partial(_count_of, *nouns) for name, nouns in COUNTED.items()},
}
"""How a number is written, by the suffix of its name; any other number is written plain."""


_MONEY_SYMBOLS = {currency.lower(): symbol for currency, symbol in SYMBOLS.items()}
CEILINGS: dict[str, float] = {
    "bytes": 1e3 * 2**60,
    "gib": 1e3 * 2**30,
    "bytes_per_second": 2**60,
    "share": 1e4,
    "change": 1e4,
    **dict.fromkeys(_MONEY_SYMBOLS, 1e12),
    "cu_per_second": 1e12,
    "per_second": 1e12,
    "seconds": 1e3 * 31_557_600,
    "nodes": 1e6,
}
"""Above these, by suffix, nothing exists: a figure that is larger is shown as more than this."""


def _with_bound(suffix: str, value: Number, locale: str) -> str:
    """Return the value with its unit, or that it exceeds all that exists."""
    write, ceiling = SUFFIXES[suffix], CEILINGS.get(suffix, math.inf)
    if abs(float(value)) > ceiling:
        symbol = _MONEY_SYMBOLS.get(suffix)
        limit = _join_counters(write(ceiling, locale)) if symbol is None else f"{symbol}{number(ceiling, locale)}"
        return f"> {limit}" if value > 0 else f"< −{limit}"
    return number(value, locale) if not math.isfinite(value) else _join_counters(write(value, locale))


def format_value(name: str, value: Any, locale: str = "en") -> str:
    """Return the value as text, with the unit of the name's suffix (`_bytes`, `_share`, `_usd`, `_days` …).

    Money, dates, keys (bytes), lists and texts keep their own form; None is an en dash.
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, Money):
        if value.is_modelled:
            return _modelled_money(value, locale)
        if name.endswith("rounded_cost") and ROUNDED_FROM <= abs(value.amount) <= CEILINGS[value.currency.lower()]:
            return _money(value.currency, round(value.amount), locale, decimals=0)
        return _with_bound(value.currency.lower(), value.amount, locale)
    if isinstance(value, bytes):
        return as_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.date):
        return _date(name.rpartition("_")[2], value, locale)
    if isinstance(value, tuple | list):
        return comma(locale).join(format_value(name, item, locale) for item in value)
    if not isinstance(value, int | float | Decimal):  # a NumPy number
        value = value.item()
    for suffix in SUFFIXES:
        if name == suffix or name.endswith(f"_{suffix}"):
            return _with_bound(suffix, value, locale)
    return number(value, locale)


def format_message(
    message: str, params: Mapping[str, Any], locale: str = "en", translate: Callable[[str], str] | None = None
) -> str:
    """Return a message of the core in words: translated first, then filled with its formatted parameters."""

    def shown(name: str, value: Any) -> str:
        if isinstance(value, Text):
            return format_message(value.message, value.params, locale, translate)
        if isinstance(value, tuple | list):
            return comma(locale).join(shown(name, item) for item in value)
        return (
            shorten_middle(format_value(name, value, locale))
            if isinstance(value, bytes)
            else format_value(name, value, locale)
        )

    template = translate(message) if translate and message else message
    texts = {name: shown(name, value) for name, value in params.items()}
    if locale == "en":
        return agreeing(template, texts.items()).format(**texts)
    if locale == "ja":
        template = re.sub(_SPACED_PARAMETER, lambda match: _add_spaces(match, params, texts), template)
    return _join_counters(template.format(**texts))


def _add_spaces(match: re.Match[str], params: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """Return a parameter without spaces between Japanese and Japanese, but around names, which they set apart."""
    name = match["name"]
    if isinstance(params.get(name, ""), str | TextList):
        return match[0]
    text = texts[name]
    before = "" if re.match(_JAPANESE, text) else match["before"] or ""
    after = "" if re.match(_JAPANESE, text[-1:]) else match["after"] or ""
    return f"{before}{{{name}}}{after}"


# Texts, which `re` compiles at their first use and remembers: no English text needs them.
_JAPANESE = r"[\u3040-\u30ff\u4e00-\u9fff]"
_SPACED_PARAMETER = rf"(?:(?<={_JAPANESE})(?P<before> ))?\{{(?P<name>\w+)\}}(?:(?P<after> )(?={_JAPANESE}))?"


def _join_counters(text: str) -> str:
    """Return a text without spaces between Japanese large numbers and what they count: 3600万行, but 120 行."""
    return re.sub(_BEFORE_COUNTER, "", text)


_BEFORE_COUNTER = r"(?<=\d[万億兆]) (?=[\u3040-\u30ff\u4e00-\u9fff])"


def english(message: str, params: Mapping[str, Any]) -> str:
    """Return the message in English."""
    return format_message(message, params)


def english_text(text: Text | str) -> str:
    """Return a text in English; one without parameters as it is."""
    return english(text.message, text.params) if isinstance(text, Text) else text


__all__ = ["Text", "Translate", "english", "english_text", "exact_number", "format_message", "format_value", "number"]
