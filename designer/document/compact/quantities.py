"""Numbers with their units, both ways: `30d`, `20k/s`, `1.8kB`. A number alone has the unit of the document."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from designer.document.durations import MONTH_DAYS, YEAR_DAYS

Unit = Mapping[str, Fraction]
"""Words for a unit, the usual one first: how many of the document's units each is."""

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_CALENDAR = {"mo": int(MONTH_DAYS * _DAY), "y": int(YEAR_DAYS * _DAY)}
"""As durations have them, 365.25 days a year; written where the number is whole: 7y."""
_LENGTHS = {"d": _DAY, "h": _HOUR, "min": _MINUTE, "s": 1, **_CALENDAR}


def _lengths(seconds: int) -> Unit:
    """Return lengths of time in units of so many seconds, that unit first."""
    order = sorted(_LENGTHS, key=lambda word: _LENGTHS[word] != seconds)
    return {word: Fraction(_LENGTHS[word], seconds) for word in order}


def _rates(seconds: int) -> Unit:
    """Return rates per so many seconds, that one first."""
    words = sorted(("s", "min", "h", "d"), key=lambda word: _LENGTHS[word] != seconds)
    return {f"/{word}": Fraction(seconds, _LENGTHS[word]) for word in words}


UNITS: Mapping[str, Unit] = {
    "_per_second": _rates(1),
    "_per_day": _rates(_DAY),
    "_per_month": {"%/month": Fraction(1, 100)},
    "days": _lengths(_DAY),
    "_hours": _lengths(_HOUR),
    "seconds": _lengths(1),
    "_months": {"mo": Fraction(1), "y": Fraction(12)},
    "_bytes": {word: Fraction(1024**i) for i, word in enumerate(("B", "KiB", "MiB", "GiB", "TiB"))}
    | {word: Fraction(1000**i) for i, word in enumerate(("kB", "MB", "GB", "TB"), 1)},
    "_gib": {"GiB": Fraction(1), "TiB": Fraction(1024), "MiB": Fraction(1, 1024)},
    "gib_stored": {"GiB": Fraction(1), "TiB": Fraction(1024), "MiB": Fraction(1, 1024)},
    "_mib": {"MiB": Fraction(1), "GiB": Fraction(1024), "KiB": Fraction(1, 1024)},
    "_share": {"": Fraction(1), "%": Fraction(1, 100)},
    "presence": {"": Fraction(1), "%": Fraction(1, 100)},
    "cpu_target": {"": Fraction(1), "%": Fraction(1, 100)},
}
"""By the end of a field's name."""

COUNT: Unit = {"": Fraction(1)}
MULTIPLES: Mapping[str, int] = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_WITH_MULTIPLES = ("", "/s", "/min", "/h", "/d")
_NUMBER = re.compile(r"([+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?)(.*)", re.DOTALL)
_SHORT: Mapping[str, str] = {
    long: short
    for short, words in {
        "s": "second sec",
        "min": "minute min",
        "h": "hour hr",
        "d": "day",
        "w": "week",
        "mo": "month",
        "y": "year yr",
    }.items()
    for word in words.split()
    for long in (word, f"{word}s")
}
_LONG = re.compile(rf"(?<![a-z])(?<!%/)({'|'.join(sorted(_SHORT, key=len, reverse=True))})$")
"""Units as people write them out: `10 seconds`, `2 weeks`, `50k per day`."""
_PER = re.compile(" */ *| *per ")
DIGITS = 4
"""A mantissa of more digits is written without multiples and units."""


def unit_of(name: str) -> Unit:
    """Return the unit of a field by its name in the document."""
    return next((unit for end, unit in UNITS.items() if name.endswith(end)), COUNT)


def parse_quantity(text: str, unit: Unit) -> int | float | None:
    """Return the number in the document's unit; None if the text is no number of this unit.

    >>> parse_quantity("20k/s", unit_of("rate_per_second"))
    20000
    >>> parse_quantity("2 weeks", unit_of("lifetime_days"))
    14
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    # Fractions: 0.1 of a unit times 1024 must be the exact value that a person wrote.
    number, rest = Fraction(match[1]), _LONG.sub(lambda word: _SHORT[word[1]], _PER.sub("/", match[2].strip(" ")))
    if rest:
        factor = _factors(tuple(unit.items())).get(rest)
        if factor is None:
            return None
        number *= factor
    if number.denominator == 1:
        return int(number)
    try:
        return float(number)
    except OverflowError:
        return None


@lru_cache(maxsize=32)
def _factors(unit: tuple[tuple[str, Fraction], ...]) -> Mapping[str, Fraction]:
    factors = {word: size for word, size in unit if word}
    for word, size in unit:
        if word in _WITH_MULTIPLES:
            factors |= {f"{letter}{word}": size * many for letter, many in MULTIPLES.items() if letter or word}
    if "min" in factors:
        # "m" is a minute only where minutes are meant; months are "mo".
        factors["m"] = factors["min"]
    if "d" in factors:
        factors["w"] = factors["d"] * 7
    return factors | {letter: Fraction(many) for letter, many in MULTIPLES.items() if letter}


def unit_pattern(unit: Unit) -> str:
    """Return a pattern of what may stand behind a number of this unit: multiples, units, and units written out."""
    letters = f"[{''.join(MULTIPLES)}]"
    patterns = [letters]
    for word in dict.fromkeys((*unit, *(["m"] if "min" in unit else []), *(["w"] if "d" in unit else []))):
        words = [word.removeprefix("/"), *(long for long, short in _SHORT.items() if short == word.removeprefix("/"))]
        if word.startswith("/"):
            patterns.append(rf"{letters}? *(?:/| per) *(?:{'|'.join(words)})")
        elif word:
            patterns.append("|".join(words) if len(words) > 1 else re.escape(word).replace(r"\/", "/"))
    return "|".join(patterns)


def quantity_text(value: int | float, unit: Unit) -> str:
    """Return the text with the shortest number that is exactly this one; without a unit where none fits.

    >>> quantity_text(0.5, unit_of("lifetime_days"))
    '12h'
    """
    return _quantity_text(value, tuple(unit.items()))


def length_text(value: int | float, name: str) -> str:
    """Return a length of time as text with its unit, where the number of a field's own unit says less.

    It is empty where that number is as good: one of days that is no fraction, or of less than a minute in seconds.

    >>> length_text(1 / 24, "days"), length_text(86_400, "bucket_seconds"), length_text(30, "days")
    ('1h', '1d', '')
    """
    unit = unit_of(name)
    if set(unit) != set(_LENGTHS) or not value or (abs(value) >= 1 and unit["s"] != 1):
        return ""
    texts = (quantity_text(value, {word: size}) for word, size in unit.items() if size != 1)
    return min((text for text in texts if text[-1].isalpha() and "." not in text), key=len, default="")


@lru_cache(maxsize=4096, typed=True)
def _quantity_text(value: int | float, unit: tuple[tuple[str, Fraction], ...]) -> str:
    texts: list[tuple[bool, int, str]] = []
    for word, size in unit:
        for letter, many in MULTIPLES.items():
            short = _short(value, size * many) if not letter or word in _WITH_MULTIPLES else None
            if letter and short and short.startswith(("0", "-0")):
                continue  # a multiple of which there is less than one says nothing that the unit alone does not
            if short and (word not in _CALENDAR or _is_calendar(value, short, dict(unit))):
                # Rates are told per second where that needs no fraction, since people compare them so.
                is_per_second = word == "/s" and (bool(letter) or "." not in short)
                texts.append((not is_per_second, len(short + letter), f"{short}{letter}{word}"))
    in_order = sorted(texts, key=lambda candidate: candidate[:2])
    # Only a text that is read back as the same number is used: a file must not change a value by being written.
    return next((text for *_, text in in_order if parse_quantity(text, dict(unit)) == value), _plain(value))


def _is_calendar(value: int | float, short: str, unit: Unit) -> bool:
    """Return whether months and years are the better words: of a whole number of them that is none of days."""
    return "d" not in unit or (short.isdigit() and (Fraction(value) / unit["d"]).denominator > 1)


def _short(value: int | float, size: Fraction) -> str | None:
    """Return a mantissa of few digits; None where the number is too large or too small for one."""
    try:
        mantissa = f"{float(value / size if isinstance(value, float) else Fraction(value) / size):.{DIGITS}g}"
    except OverflowError:
        return None
    # A mantissa with an exponent and a unit behind it would be harder to read than the bare number.
    return None if "e" in mantissa else mantissa


def _plain(value: int | float) -> str:
    return str(value) if isinstance(value, int) else repr(value)
