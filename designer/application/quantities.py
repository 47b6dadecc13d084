"""Counts, lengths of time, rates and names as people write them in a sentence, in English or Japanese."""

import math
import re
from collections.abc import Callable, Mapping

from designer.document.durations import DAY_SECONDS, MONTH_DAYS, YEAR_DAYS
from designer.document.texts import N_, Text

_ASCII = str.maketrans("０１２３４５６７８９／．，　", "0123456789/., ")
NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_FACTORS: Mapping[str, float] = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9,
    "千": 1e3, "万": 1e4, "億": 1e8,
}  # fmt: skip
SECONDS: Mapping[str, float] = {
    "milliseconds": 1e-3, "millisecond": 1e-3, "msec": 1e-3, "ms": 1e-3, "ミリ秒": 1e-3,
    "seconds": 1.0, "second": 1.0, "secs": 1.0, "sec": 1.0, "s": 1.0, "秒": 1.0,
    "minutes": 60.0, "minute": 60.0, "mins": 60.0, "min": 60.0, "分": 60.0,
    "hours": 3600.0, "hour": 3600.0, "hrs": 3600.0, "hr": 3600.0, "h": 3600.0, "時間": 3600.0,
    "days": DAY_SECONDS, "day": DAY_SECONDS, "d": DAY_SECONDS, "日間": DAY_SECONDS, "日": DAY_SECONDS,
    "weeks": 7 * DAY_SECONDS, "week": 7 * DAY_SECONDS, "w": 7 * DAY_SECONDS, "週間": 7 * DAY_SECONDS,
    "months": MONTH_DAYS * DAY_SECONDS, "month": MONTH_DAYS * DAY_SECONDS, "か月": MONTH_DAYS * DAY_SECONDS,
    "years": YEAR_DAYS * DAY_SECONDS, "year": YEAR_DAYS * DAY_SECONDS, "yr": YEAR_DAYS * DAY_SECONDS,
    "y": YEAR_DAYS * DAY_SECONDS, "年間": YEAR_DAYS * DAY_SECONDS, "年": YEAR_DAYS * DAY_SECONDS,
}  # fmt: skip
"""Units of time; `m` is none, because it stands for minutes and for months."""


def _any_of(words: Mapping[str, float]) -> str:
    """Return the pattern of any of the words, longest first; an ASCII word ends where its letters end."""
    alternatives = sorted(words, key=lambda word: (-len(word), word))
    # The longest first, as an alternative that fits ends the search: "min" would leave "utes". Japanese has no spaces
    # between words.
    return "|".join(f"{word}(?![A-Za-z])" if word.isascii() else word for word in alternatives)


COUNT = rf"(?:{NUMBER})(?:\s*(?:{_any_of(_FACTORS)}))?"
TIME = _any_of(SECONDS)
_PER = r"\s*(?:/|per\s+|an?\s+|times\s+(?:an?|per)\s+|回\s*/)\s*"
PER_SECOND = "rps|qps|tps|ops|wps"
"""Abbreviations of requests, queries, transactions, operations and writes per second."""
FOREVER = "forever"
"""In the slot of how long something is kept."""
_DURATION = rf"(?:(?:{NUMBER})\s*)?(?:{TIME})"
PATTERNS: Mapping[str, re.Pattern[str]] = {
    "count": re.compile(COUNT, re.IGNORECASE),
    "duration": re.compile(_DURATION, re.IGNORECASE),
    "retention": re.compile(rf"{_DURATION}|for\s?ever(?![A-Za-z])|無期限", re.IGNORECASE),
    "rate": re.compile(
        rf"(?P<count>{COUNT})(?:{_PER}(?P<unit>{TIME})|\s*(?:{PER_SECOND})(?![A-Za-z]))|毎(?P<every>秒|分|時|日)\s*(?P<times>{COUNT})\s*回?",
        re.IGNORECASE,
    ),
}  # fmt: skip
_PARTS = re.compile(rf"(?P<number>{NUMBER})?\s*(?P<unit>\D*)$", re.IGNORECASE)
_EVERY: Mapping[str, float] = {"秒": 1.0, "分": 60.0, "時": 3600.0, "日": DAY_SECONDS}
MOST_COUNT, MOST_PER_SECOND, MOST_SECONDS = 1e12, 1e9, 1e9
"""No count, rate or length of time (32 years) that a sentence says is larger."""

EXPECTED: Mapping[str, str] = {
    "count": N_("a count such as 200,000 or 20k"),
    "duration": N_("a length of time such as 10 s, 5 min, 1 h or 90 days"),
    "retention": N_("a length of time such as 90 days, or forever"),
    "rate": N_("a rate such as 50/s or 5/min"),
    "name": N_("a name such as device"),
    "names": N_("names such as one device, one channel and one user, or one of 200k channels"),
}
"""What may stand in a slot, by its type."""


class UnreadableError(ValueError):
    """Error for a slot whose text does not say what the slot needs; `text` is the message."""

    def __init__(self, value: str, slot_type: str) -> None:
        super().__init__(value)
        expected = Text(EXPECTED[slot_type])
        self.text = Text(N_("“{value}” is not understood. Enter {expected}."), {"value": value, "expected": expected})


def as_ascii(text: str) -> str:
    """Return the text with full-width digits and signs as ASCII, character by character."""
    return text.translate(_ASCII)


def parse_count(text: str) -> int:
    """Return a count: `200,000`, `20k`, `1.5 million`, `20万`.

    Raises
    ------
    UnreadableError
        If the text is not a count of at least one.
    """
    number = _amount(_match("count", text), text)
    if not 1 <= number <= MOST_COUNT:
        raise UnreadableError(text, "count")
    return round(number)


def parse_seconds(text: str) -> float:
    """Return a length of time in seconds: `10 s`, `1h`, `90 days`, `hour`, `10秒`.

    Raises
    ------
    UnreadableError
        If the text is not a length of time.
    """
    parts = _PARTS.match(_match("duration", text)[0])
    assert parts is not None
    seconds = float((parts["number"] or "1").replace(",", "")) * SECONDS[parts["unit"].strip().lower()]
    if not 0 < seconds <= MOST_SECONDS:
        raise UnreadableError(text, "duration")
    return seconds


def parse_retention(text: str) -> float:
    """Return how long something is kept in seconds, infinity for `forever`.

    Raises
    ------
    UnreadableError
        If the text is not a length of time.
    """
    length = _match("retention", text)[0]
    return math.inf if PATTERNS["duration"].fullmatch(length) is None else parse_seconds(length)


def parse_rate(text: str) -> float:
    """Return a rate per second: `50/s`, `5/min`, `20k per hour`, `毎秒50回`.

    Raises
    ------
    UnreadableError
        If the text is not a rate.
    """
    match = _match("rate", text)
    count = _match("count", match["count"] or match["times"])
    seconds = _EVERY[match["every"]] if match["every"] else SECONDS[(match["unit"] or "s").lower()]
    per_second = _amount(count, text) / seconds
    if not 0 < per_second <= MOST_PER_SECOND:
        raise UnreadableError(text, "rate")
    return per_second


def _match(slot_type: str, text: str) -> re.Match[str]:
    match = PATTERNS[slot_type].fullmatch(as_ascii(text).strip())
    if match is None:
        raise UnreadableError(text, slot_type)
    return match


def _amount(match: re.Match[str], text: str) -> float:
    parts = _PARTS.match(match[0])
    if parts is None or parts["number"] is None:
        raise UnreadableError(text, "count")
    number = float(parts["number"].replace(",", "")) * _FACTORS.get(parts["unit"].strip().lower(), 1.0)
    # Hundreds of digits make infinity as a float, which passes no comparison as expected.
    if not math.isfinite(number):
        raise UnreadableError(text, "count")
    return number


# --- names ------------------------------------------------------------------------------------------------------

_ARTICLE = re.compile(
    r"(?:one|an?|the|each|its|their|every)\s+|(?:一つの|[1１](?:つ|人|台|件|個|社|本|店)の|各)\s*", re.IGNORECASE
)
_AND = re.compile(r"\s*(?:,(?!\d)|、|・)\s*(?:and\s+)?|\s+and\s+|\s*と\s*", re.IGNORECASE)
_ONE_OF = re.compile(
    rf"(?:one|any|each)\s+of\s+(?P<count>{COUNT})\s+(?P<name>.+)"
    rf"|(?P<number>{COUNT})(?:つ|人|台|件|個|社|本|店)?の?\s*(?P<noun>\D+?)の?(?:うち|中)の?\s*(?:一|[1１])(?:つ|人|台|件|個|社|本|店)",
    re.IGNORECASE,
)
"""A known field with how many values it has: `one of 200k channels`, `20万人のユーザーのうち1人`."""
_NAME = re.compile(r"[^\W\d_][\w\-]{0,39}(?: [^\W\d_][\w\-]{0,39}){0,3}")
_NO_NAMES = frozenset((
    "all", "and", "by", "each", "every", "for", "from", "in", "is", "it", "kept", "last", "next", "of", "past", "per",
    "show", "the", "to", "today", "tomorrow", "within", "yesterday",
))  # fmt: skip
_ID = re.compile(r"[ _\-]*(?:id|key|number|番号)$", re.IGNORECASE)


def parse_name(text: str) -> str:
    """Return a name in the singular, in lower case and without an article or “id”: `Devices` → `device`.

    Raises
    ------
    UnreadableError
        If the text is not a name.
    """
    bare = _ARTICLE.sub("", text.strip(), count=1) if _ARTICLE.match(text.strip()) else text.strip()
    if _NAME.fullmatch(bare) is None or not _NO_NAMES.isdisjoint(bare.lower().split()):
        raise UnreadableError(text, "name")
    short = _ID.sub("", bare) or bare
    return re.sub(r"[\s\-]+", "_", singular(short.lower().strip()))


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names of a list, each once: `one channel and one of 5M users` → `("channel", "user")`.

    Raises
    ------
    UnreadableError
        If a part of the list is not a name.
    """
    try:
        return tuple(dict.fromkeys(parse_name(_split_count(part)[1]) for part in _AND.split(text.strip())))
    except UnreadableError:
        raise UnreadableError(text, "names") from None


def parse_distinct(text: str) -> dict[str, int]:
    """Return how many values the names of a list have, where it says so: `one of 5M users` → `{"user": 5_000_000}`.

    Raises
    ------
    UnreadableError
        If a part of the list is no name, or a number is no count.
    """
    parts = [_split_count(part) for part in _AND.split(text.strip())]
    return {parse_name(name): parse_count(count) for count, name in parts if count}


def _split_count(text: str) -> tuple[str, str]:
    """Return the number of values that a known field has, "" where the text says none, and its name."""
    match = _ONE_OF.fullmatch(as_ascii(text).strip())
    if match is None:
        return "", text
    return match["count"] or match["number"], match["name"] or match["noun"]


_SINGULARS: Mapping[str, str] = {
    "caches": "cache", "calories": "calorie", "children": "child", "cookies": "cookie", "data": "data", "dns": "dns",
    "gps": "gps", "indices": "index", "movies": "movie", "people": "person", "selfies": "selfie", "series": "series",
    "sms": "sms", "statuses": "status", "taxis": "taxi", "telemetry": "telemetry", "traffic": "traffic",
}  # fmt: skip
"""Nouns whose ending does not tell their singular."""
_PLURALS: Mapping[str, str] = {singular: plural for plural, singular in _SINGULARS.items()}


def singular(word: str) -> str:
    """Return an English noun in the singular, by its ending; any other word is unchanged."""
    *_, last = re.split(r"[\s\-_]", word)
    if last in _SINGULARS:
        return word.removesuffix(last) + _SINGULARS[last]
    for ending, singular in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + singular
    return word.removesuffix("s") if word.endswith("s") and not word.endswith(("ss", "us", "is", "news")) else word


def plural(name: str) -> str:
    """Return an English noun in the plural; any other name is unchanged."""
    if not name.isascii():
        return name
    *_, last = re.split(r"[\s\-_]", name)
    if last in _PLURALS:
        return name.removesuffix(last) + _PLURALS[last]
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def begins_with_vowel(name: str) -> bool:
    """Return whether a name takes “an”, by its sound: `order`, `hour` and `sms`, but not `user` and `one-time code`."""
    first = re.split(r"[\s\-_]", name.lower(), maxsplit=1)[0]
    if first.isascii() and first.isalpha() and not set("aeiouy") & set(first):
        return first[0] in "fhlmnrsx"  # read letter by letter: an SMS, a VM
    return first.startswith(_SILENT_H) or (first[:1] in tuple("aeiou") and _SOUNDS_AS_YOU_OR_WON.match(first) is None)


_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_SOUNDS_AS_YOU_OR_WON = re.compile(r"u[bknrt]i|us|url|ufo|eu|ewe|one|once")


PARSERS: Mapping[str, Callable[[str], object]] = {
    "count": parse_count, "duration": parse_seconds, "retention": parse_retention, "rate": parse_rate,
    "name": parse_name, "names": parse_names,
}  # fmt: skip
