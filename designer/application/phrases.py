"""Amounts in a sentence as people write it: how often, how long kept, how far back, how fast; the words that remain."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from designer.document.durations import DAY_SECONDS, MONTH_DAYS, YEAR_DAYS

from .quantities import (
    COUNT,
    FOREVER,
    NUMBER,
    PER_SECOND,
    SECONDS,
    TIME,
    UnreadableError,
    parse_count,
    parse_rate,
    parse_seconds,
)

UNKNOWN = "?"
"""Stands in an optional slot that the sentence speaks of without saying how much: `between two dates`."""

_WORD_NUMBER = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_DIGITS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_LENGTH = rf"(?:(?:{NUMBER}|{_WORD_NUMBER}|an?)[\s\-]*)?(?:{TIME})"
_FULL_LENGTH = rf"(?:(?:{NUMBER}|{_WORD_NUMBER})[\s\-]*|(?:an?|1)\s+)(?:{TIME})"
_WORD = r"[^\W\d_][\w'\-]*"
_OF = r"(?:\s+of(?!\s+(?:an?|one|each|every|any)\s))?"
"""Before what there are several of; `of a sensor` says by what they are found."""
_START, _ABOUT = r"(?<![\w/.,])", r"(?:(?:at|@|about|around|approximately|roughly|some|~)\s*)*"
_PER = r"(?:\s*/\s*|\s+(?:per|an?|each|every)\s+)"
_TIMES = rf"once|twice|thrice|(?:{COUNT}|{_WORD_NUMBER})(?:\s*x|\s+times)"
_ADVERBS: Mapping[str, float] = {
    "hourly": 3600.0, "daily": DAY_SECONDS, "nightly": DAY_SECONDS, "weekly": 7 * DAY_SECONDS,
    "monthly": MONTH_DAYS * DAY_SECONDS, "yearly": YEAR_DAYS * DAY_SECONDS,
}  # fmt: skip

_HAVING = r"(?:(?:with|have|has)\s+)?"
_DATES = r"(?:dates?|times?|timestamps?|days|weeks|months|years|hours|moments|points\s+in\s+time)"
_MOMENTS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    "|thursday|friday|saturday|sunday|now|today|yesterday|midnight|noon|start|end|begin|beginning|from|to|date|time"
)
_INSTANT = rf"(?:the\s+|an?\s+)?(?:t\d|\d{{4}}|{_MOMENTS})(?:\s+(?:date|time|day))?"
_WITHIN = "(?:with(?:in)?|in|under|below|less than|at most|<|max|(?:may|must|can|could|should) take|p99|latency)"
_PER_ONE = r"(?:\s*/\s*|\s+(?:per|an?)\s+)"
_KEPT = rf"(?P<kept>{_FULL_LENGTH})"
_IS = r"(?:and\s+)?(?:(?:is|are|be)\s+)?"
_SPAN = rf"(?P<span>{_LENGTH})"
_PHRASES: tuple[tuple[str, str], ...] = (
    ("kept", rf"{_IS}(?:kept|stored|retained|saved)\s+(?:(?:for\s+)?{_KEPT}|(?P<forever>for\s?ever))"),
    ("kept", rf"(?:expires?|(?:(?:is|are|be)\s+)?(?:deleted|removed|expired))?\s*(?:after|older\s+than)\s+{_KEPT}"),
    ("kept", rf"{_HAVING}(?:an?\s+)?(?:ttl|retention(?:\s+(?:time|period))?)\s*(?:of|is|:|=)?\s*{_KEPT}"),
    ("kept", rf"{_HAVING}{_KEPT}\s+(?:(?:of\s+)?retention|ttl)"),
    ("kept", rf"(?<=keep\s)(?:the\s+last\s+)?{_KEPT}\s+of"),
    ("kept", rf"(?:(?<=store\s)|(?<=retain\s))(?:the\s+last\s+)?{_KEPT}\s+of"),
    ("span", rf"(?:(?:in|of|over|during|from|for|within)\s+)?(?:the\s+)?(?:last|past|previous)\s+{_SPAN}{_OF}"),
    ("span", r"(?:on|in|of)\s+(?:an?|one)\s+(?:given\s+|single\s+|certain\s+)?(?P<span>hour|day|week|month|year)"),
    ("span", rf"(?:an?\s+)?(?:whole|full|entire)\s+{_SPAN}\s+of"),
    ("span", rf"(?:over\s+(?P<span>{_FULL_LENGTH})|(?P<length>{_FULL_LENGTH})\s+(?:worth\s+)?of)"),
    ("span", r"this\s+(?P<span>hour|day|week|month|year)"),
    ("span", rf"since\s+(?P<unknown>{_WORD}|\d+)(?:\s+(?:at\s+)?\d[\w:]*)?"),
    ("span", rf"between\s+(?P<unknown>(?:two|2)\s+{_DATES}|{_INSTANT}\s+and\s+{_INSTANT})"),
    ("span", r"(?P<today>today)"),
    ("span", r"(?P<unknown>yesterday)"),
    ("span", r"(?:in|over|for|within)\s+an?\s+(?P<unknown>(?:time|date)\s+(?:range|window|interval))"),
    ("within", rf"(?:{_WITHIN}\s*)+(?P<within>{_FULL_LENGTH})"),
    ("kept", rf"(?:(?:keep|store|retain|hold)\s+(?:it|them|these)\s+)?for\s+{_KEPT}"),
    ("kept", rf"{_KEPT}(?=\s*[.]?$)"),
    ("kept", rf"(?:keep|store|retain|hold)(?:\s+(?:it|them|this|these|all))?\s+(?:for\s+)?{_KEPT}"),
    ("kept", r"(?P<forever>for\s?ever)"),
    ("rate", rf"{_ABOUT}(?P<times>{_TIMES}){_PER}{_SPAN}"),
    ("rate", rf"{_ABOUT}(?P<count>{COUNT})\s*(?:{PER_SECOND})(?![a-z])"),
    ("rate", rf"{_ABOUT}(?P<count>{COUNT})(?P<noun>(?:\s+{_WORD}){{0,3}}?){_PER_ONE}(?P<unit>{TIME})"),
    ("rate", rf"(?:every|each)\s+{_SPAN}"),
    ("rate", rf"(?P<adverb>{'|'.join(_ADVERBS)})(?=\s*(?:$|[,.;|]))"),
)  # fmt: skip
"""What is taken out of a sentence, in this order; the first group says what."""
_PATTERNS = tuple((kind, re.compile(_START + pattern + r"(?!\w)")) for kind, pattern in _PHRASES)
_NO_COUNT = re.compile(r"(?:last|latest|newest|recent|top|past|first)\s*$")
"""Before a number that says how many are shown."""
_KEEPING = re.compile(r"\s*(?:we\s+)?(?:keep|retain|store|hold)\s")
"""Before a length of time at the end, which is how long something is kept."""
_SIZE = re.compile(
    rf"{_START}(?:(?:of|with)\s+)?(?:(?:about|around|~)\s*)?(?:{NUMBER})\s*(?:[kmgtp]i?b|bytes?)(?:\s+each)?(?!\w)"
)
SIZE = "size"
"""Type of a word that is a size."""
_NIGHT = re.compile(r"(?<= )(?:a|per|each|every) night(?!\w)")
_READS = frozenset(("reads", "read", "queries", "query", "lookups", "gets"))
_NO_NOUNS = _READS | {"requests", "request", "writes", "write", "operations", "ops", "times"}

"""Nouns of a rate that say nothing of what is stored."""
_TOKEN = re.compile(
    rf"(?P<count>(?:{COUNT})(?!\w))|(?P<word>{_WORD})|(?P<stop>[,;:.!?–—|]|(?<=\s)-(?=\s))|(?P<other>\S)"
)


@dataclass(frozen=True)
class TypedWord:
    """One word, number or mark of a sentence, and where it begins."""

    text: str
    at: int
    type: str = "word"


@dataclass(frozen=True)
class Frequency:
    """A frequency: a number in a period; of each of several things, if given as times a period or as an interval."""

    count: str
    seconds: float
    noun: tuple[TypedWord, ...] = ()
    is_interval: bool = False
    is_times: bool = False
    is_read: bool = False
    """True if it counts reads: `100 reads/s`, `100 qps`."""
    is_write: bool = False

    @property
    def per_second(self) -> float:
        """Times per second."""
        return float(_DIGITS.get(self.count) or parse_count(self.count)) / self.seconds

    def as_rate(self) -> str:
        """Return the text of a slot for a rate."""
        for unit, seconds in _UNITS:
            if seconds == self.seconds:
                return f"{_DIGITS.get(self.count) or format_count(self.count)}/{unit}"
        per_second = self.per_second
        unit, seconds = next((pair for pair in _UNITS if per_second * pair[1] >= 1), _UNITS[-1])
        return f"{per_second * seconds:.4g}/{unit}"

    def as_interval(self) -> str:
        """Return the text of a slot for the time between two."""
        length = 1 / self.per_second
        units = (("day" if length == DAY_SECONDS else "days", DAY_SECONDS), ("h", 3600.0), ("min", 60.0), ("s", 1.0))
        unit, seconds = next((unit for unit in units if length >= unit[1]), ("ms", 1e-3))
        return f"{length / seconds:.4g} {unit}"


_UNITS = (
    ("s", 1.0), ("min", 60.0), ("h", 3600.0), ("day", DAY_SECONDS), ("week", 7 * DAY_SECONDS),
    ("month", MONTH_DAYS * DAY_SECONDS), ("year", YEAR_DAYS * DAY_SECONDS),
)  # fmt: skip


@dataclass
class Amounts:
    """The amounts that a sentence says; "" where it says none."""

    kept: str = ""
    span: str = ""
    within: str = ""
    rate: Frequency | None = None
    clauses: list[list[TypedWord]] = field(default_factory=list)
    """The other words, between commas and other marks."""
    unread: list[TypedWord] = field(default_factory=list)
    """What no slot holds, such as a size."""
    is_for: bool = False
    """True if the length is said by “for”: of a read it is the span, of a write how long records are kept."""

    @property
    def states_retention(self) -> bool:
        """True if the sentence says how long something is kept."""
        return bool(self.kept)


def read_amounts(text: str) -> Amounts:
    """Return the amounts of a sentence in lower case, and its other words."""
    amounts = Amounts()
    # Before everything else: "5 MB" would otherwise be read as five minutes or five million.
    for size in _SIZE.finditer(text):
        amounts.unread.append(TypedWord(size[0], size.start(), SIZE))
    text = _SIZE.sub(lambda size_match: " " * len(size_match[0]), text)
    text = _NIGHT.sub(lambda night: night[0].replace("night", "day  "), text)
    for kind, pattern in _PATTERNS:
        match = next((candidate for candidate in pattern.finditer(text) if _is_amount(kind, candidate, text)), None)
        if match is not None and not getattr(amounts, kind):
            _take(amounts, kind, match)
            # Blanks in its place, so that the places of the other words stay those of the typed text.
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    clause: list[TypedWord] = []
    for token in _TOKEN.finditer(text):
        if token["stop"]:
            amounts.clauses.append(clause)
            clause = []
        else:
            clause.append(TypedWord(token[0], token.start(), token.lastgroup or "other"))
    amounts.clauses = [words for words in (*amounts.clauses, clause) if words]
    return amounts


def _is_amount(kind: str, match: re.Match[str], text: str) -> bool:
    """Return whether a match can be read, and is no number of records that are shown."""
    groups = match.groupdict()
    if groups.get("count") is not None and _NO_COUNT.search(text[: match.start()]):
        return False
    is_bare = groups.get("kept") == match[0]
    # A length of time at the end says how long something is kept only in a sentence about keeping.
    if is_bare and not _KEEPING.match(text):
        return False
    try:
        lengths = [_length(groups[name]) for name in ("kept", "span", "length", "within") if groups.get(name)]
        rate = _frequency(match) if kind == "rate" else None
        return all(parse_seconds(length) for length in lengths) and (rate is None or parse_rate(rate.as_rate()) > 0)
    except UnreadableError:
        return False


def _take(amounts: Amounts, kind: str, match: re.Match[str]) -> None:
    """Note one amount."""
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    if kind == "rate":
        amounts.rate = _frequency(match)
    elif kind == "span":
        length = groups.get("span") or groups.get("length") or ("day" if "today" in groups else "")
        amounts.span = _length(length) if length else UNKNOWN
    elif kind == "within":
        amounts.within = _length(groups["within"])
    else:
        amounts.is_for = match[0].startswith("for ")
        amounts.kept = FOREVER if "forever" in groups else _length(groups["kept"])


def _frequency(match: re.Match[str]) -> Frequency:
    """Return how often a match says that something happens.

    Raises
    ------
    UnreadableError
        If a number or a unit cannot be read.
    """
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    if "adverb" in groups:
        return Frequency("1", _ADVERBS[groups["adverb"]], is_interval=True)
    if "count" in groups:
        start = match.start("noun") if "noun" in groups else 0
        words = [
            TypedWord(word_match[0], start + word_match.start())
            for word_match in re.finditer(_WORD, groups.get("noun", ""))
        ]
        noun = () if len(words) == 1 and words[0].text in _NO_NOUNS else tuple(words)
        is_read = any(word.text in _READS for word in words) or match[0].endswith("qps")
        return Frequency(
            groups["count"],
            SECONDS[groups.get("unit", "s")],
            noun,
            is_read=is_read,
            is_write="writes" in groups.get("noun", ""),
        )
    seconds = parse_seconds(_length(groups["span"]))
    if "times" not in groups:
        return Frequency("1", seconds, is_interval=True)
    times = groups["times"]
    count = {"once": "1", "twice": "2", "thrice": "3"}.get(times) or re.sub(r"\s*(?:x|times)$", "", times)
    return Frequency(count, seconds, is_interval=times in ("once", "twice", "thrice"), is_times=True)


def _length(text: str) -> str:
    """Return a length of time as a slot has it: `two weeks` → `2 weeks`, `a year` → `year`."""
    words = re.sub(r"^an?\s+", "", text.replace("-", " ").strip())
    first, _, rest = words.partition(" ")
    return f"{_DIGITS[first]} {rest.strip()}" if first in _DIGITS else words


def format_count(count: str) -> str:
    """Return a count as people write millions: `10m` → `10M`, `1b` → `1B`."""
    return count[:-1] + count[-1].upper() if count.endswith(("m", "b", "g")) else count
