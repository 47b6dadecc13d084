"""One column of the keys → the segments that it seems to be, each with the field that it would be of."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any
from urllib.parse import unquote

from designer.document.key import as_text
from designer.document.texts import N_, Text

from . import cuts, times
from .counting import ValueCount, count_numbers, count_values
from .encoded_numbers import decimal_text, find_encoded_numbers

MOST = 0.97
"""A column is of a kind where so many of its values are."""
FEW_VALUES, TIMES_EACH = 40, 8
"""An enumeration has so few values, each seen so often on average."""
MANY = 10
"""So many texts that differ in a number only are counted, not listed."""

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_LABELS = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+){1,8}")
_TOPS = frozenset((
    "com", "org", "net", "io", "dev", "app", "jp", "de", "uk", "fr", "cn", "us", "eu", "edu", "gov", "info",
    "co", "ai", "cloud", "biz", "tv", "me",
))  # fmt: skip
_PATTERN = re.compile(r"([^\d]*)(\d+)([^\d]*)")
_REGION = re.compile(
    r"(?:us|eu|europe|asia|ap|sa|me|af|africa|australia|northamerica|southamerica|cn)-[a-z]+-?\d+[a-z]?"
)
_HEX = re.compile(r"[0-9a-f]+")
_SIGNED = re.compile(r"0|-?[1-9][0-9]{0,17}")
_LONGEST_NUMBER = 18
_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")
"""Phone numbers in the international form: at most 15 digits, of which no country's begin with 0 (ITU-T E.164)."""


@dataclass(frozen=True)
class SegmentDraft:
    """A segment to be: its data without ids, the field that it is of, and what was seen."""

    segment: dict[str, Any]
    values: list[str]
    """As they stand in the keys, without the delimiter."""
    what: Text
    field: dict[str, Any] | None = None
    stem: str = ""
    """What the field could be called."""
    count: ValueCount | None = None
    is_certain: bool = False
    """Nobody would take it for anything else: a time, a uuid, a domain."""

    @property
    def texts(self) -> list[str]:
        """The values as a hash would take them: numbers without the zeros in front."""
        transforms = self.segment.get("transforms", ())
        # Programs hash a value before they encode it for the key.
        if transforms and transforms[0]["kind"] == "percent":
            return [unquote(value) for value in self.values]
        if not transforms or transforms[0]["kind"] not in ("pad", "hex", "big_endian", "descending"):
            return self.values
        return [decimal_text(value, transforms) for value in self.values]

    def with_delimiter(self, after: str) -> "SegmentDraft":
        """Return a copy with a delimiter after it."""
        return replace(self, segment={**self.segment, "after": as_text(after.encode("latin-1"))})


def draft_segments(values: list[str], *, only_column: bool, near: times.Span | None = None) -> list[SegmentDraft]:
    """Return the segments of one column of keys that were used at times `near`.

    With `only_column`, the key has no other column, so weak delimiters count as well.
    """
    # Before times: 8613812345678 would be a time subtracted from a constant, but no time is written with a plus sign.
    if len(different := Counter(values)) > 1 and _share(different, _PHONE) >= MOST:
        return _draft_phones(values)
    whole_draft = draft_segment(values, near)
    # A uuid or a date holds delimiters of its own and is not cut further.
    if whole_draft.is_certain:
        return [whole_draft]
    for cut in cuts.cut_column(values):
        inner = [draft_segment(column, near) for column in cut.columns]
        if (only_column or len(cut.columns[0]) == len(values)) and (
            only_column or any(draft.is_certain for draft in inner)
        ):
            parts = [draft_segments(column, only_column=False, near=near) for column in cut.columns]
            return [d for part, after in zip(parts, cut.after, strict=True) for d in _end_with(part, after)]
    return list(_split_times(values, whole_draft, near))


def _draft_phones(values: list[str]) -> list[SegmentDraft]:
    """Return the plus sign and the digits, which are text: their number differs from country to country."""
    numbers = [value.removeprefix("+") for value in values]
    lengths, different = [len(number) for number in numbers], Counter(numbers)
    field_data = {
        "kind": "string",
        "values": {"kind": "random", "min": min(lengths), "max": max(lengths), "alphabet": "0-9"},
    }
    plus = SegmentDraft({"kind": "literal", "text": "+"}, ["+"] * len(values), _observation("literal"))
    return [plus, _field(numbers, different, "phone", field_data, is_certain=True)]


def _end_with(parts: list[SegmentDraft], after: str) -> list[SegmentDraft]:
    return [*parts[:-1], parts[-1].with_delimiter(after)]


def _split_times(values: list[str], field_draft: SegmentDraft, near: times.Span | None) -> Iterator[SegmentDraft]:
    """Yield a time at the beginning or end of the column and the rest; else the column unchanged."""
    if (
        field_draft.segment["kind"] == "field"
        and field_draft.segment.get("transforms", ()) == ()
        and len(set(values)) > times.FEW
    ):
        for size, time in times.split_times(values, near):
            head, tail = [value[:size] for value in values], [value[size:] for value in values]
            whole = _time(tail if size < 0 else head, time)
            yield from (draft_segment(head, near), whole) if size < 0 else (whole, draft_segment(tail, near))
            return
    yield field_draft


def draft_segment(values: list[str], near: times.Span | None = None) -> SegmentDraft:
    """Return the one segment that best describes a column."""
    different = Counter(values)
    time = times.find_time(values, near)
    if time is None and len(different) == 1 and len(values) > 1:
        return SegmentDraft(
            {"kind": "literal", "text": as_text(values[0].encode("latin-1"))}, values, _observation("literal")
        )
    if time is not None:
        return _time(values, time)
    # From the most special form to the most general one: a date is also a number, a number also a text.
    if _share(different, _UUID) >= MOST:
        return _field(values, different, "uuid", {"kind": "uuid"}, is_certain=True)
    if (domain := _domain(values, different)) is not None:
        return domain
    number = _encoded_number(values, different) or _number(values, different)
    if number is not None:
        return number
    # Before lists of values: user1, user2, … are a counter even where each was seen often.
    if len(different) >= MANY and (counter := _counter(values, different)) is not None:
        return counter
    if _has_few_values(values, different):
        return _enumeration(values, different)
    return _counter(values, different) or _text(values, different)


def _time(values: list[str], time: dict[str, Any]) -> SegmentDraft:
    what = "date" if time.get("pattern") else "newest first" if time.get("reversed") else "time"
    return SegmentDraft(time, values, _observation(what), is_certain=True)


def _share(values: Counter[str], regex: re.Pattern[str]) -> float:
    return sum(n for value, n in values.items() if regex.fullmatch(value)) / values.total()


def _field(
    values: list[str], different: Counter[str], stem: str, value_data: dict[str, Any], *, is_certain: bool = False,
    transforms: Sequence[dict[str, Any]] = (), count: ValueCount | None = None, message: str = "",
) -> SegmentDraft:  # fmt: skip
    segment: dict[str, Any] = {"kind": "field"}
    if transforms:
        segment["transforms"] = list(transforms)
    count = count or count_values(different)
    return SegmentDraft(segment, values, _observation(message or stem), {**value_data}, stem, count, is_certain)


def _domain(values: list[str], different: Counter[str]) -> SegmentDraft | None:
    if _share(different, _LABELS) < MOST:
        return None
    # The top level stands last in a domain, and first in a reversed one.
    for end, transforms in ((-1, ()), (0, ({"kind": "reverse_domain"},))):
        tops = sum(n for value, n in different.items() if value.split(".")[end] in _TOPS)
        if tops >= MOST * len(values):
            what = "reversed domain" if transforms else "domain"
            field_data: dict[str, Any] = {"kind": "domain"}
            if _has_few_values(values, different):
                names = {".".join(name.split(".")[::-1]) if transforms else name: n for name, n in different.items()}
                field_data["values"] = _enumeration_data(names)
            return _field(values, different, "domain", field_data, is_certain=True, transforms=transforms, message=what)
    return None


def _number(values: list[str], different: Counter[str]) -> SegmentDraft | None:
    if _share(different, _SIGNED) >= MOST and any(value.startswith("-") for value in different):
        return _draft_signed(values, different)
    if _share(different, re.compile(r"[0-9]{1,18}")) < MOST:
        return None
    texts = [value for value in different if value.isdecimal() and len(value) <= _LONGEST_NUMBER]
    width, numbers = max(map(len, texts)), sorted(map(int, texts))
    # One width alone may be chance; only a zero in front shows that numbers are padded.
    padded = len(set(map(len, texts))) == 1 and any(value.startswith("0") for value in texts) and width > 1
    if not padded and any(value.startswith("0") and value != "0" for value in texts):
        return None  # zeros in front of some: a text
    count = count_numbers(different, numbers[0], numbers[-1])
    transforms = ({"kind": "pad", "width": width},) if padded else ()
    values_: dict[str, Any]
    if count is not None:
        # Numbers far from one began elsewhere, as order numbers do; near it they began at 0 or 1, of which the first
        # were just not in the sample.
        first = numbers[0] if numbers[0] > numbers[-1] - numbers[0] + 5 else min(numbers[0], 1)
        values_ = {"kind": "range", "min": first, "max": first + count.estimate - 1}
        what = "padded counter" if padded else "counter"
    else:
        count = count_values(different)
        # Numbers of one length without zeros in front are drawn from those of that length.
        low = 0 if padded or len(set(map(len, texts))) > 1 else 10 ** (width - 1)
        values_ = {"kind": "range", "min": low, "max": 10**width - 1}
        what = "padded number" if padded else "number"
    most = int(values_["max"]) - int(values_["min"]) + 1
    count = replace(count, estimate=min(count.estimate, most))
    field_data = {"kind": "integer", "values": values_}
    return _field(values, different, "id", field_data, transforms=transforms, count=count, message=what)


def _encoded_number(values: list[str], different: Counter[str]) -> SegmentDraft | None:
    encoding = find_encoded_numbers(different)
    if encoding is None:
        return None
    numbers = [encoding.read(value) for value in different]
    low, high = min(numbers), max(numbers)
    count = count_numbers(different, low, high) or count_values(different)
    most = max(high, low + count.estimate - 1)
    field_data = {"kind": "integer", "values": {"kind": "range", "min": min(low, 1), "max": most}}
    count = replace(count, estimate=min(count.estimate, most - min(low, 1) + 1))
    message = encoding.transforms[0]["kind"]
    return _field(values, different, "id", field_data, transforms=encoding.transforms, count=count, message=message)


def _draft_signed(values: list[str], different: Counter[str]) -> SegmentDraft:
    """Numbers on both sides of zero, as far as they were seen."""
    numbers = [int(value) for value in different if _SIGNED.fullmatch(value)]
    low, high, count = min(numbers), max(numbers), count_values(different)
    count = replace(count, estimate=min(count.estimate, high - low + 1))
    field_data = {"kind": "integer", "values": {"kind": "range", "min": low, "max": high}}
    return _field(values, different, "number", field_data, is_certain=True, count=count)


def _enumeration(values: list[str], different: Counter[str]) -> SegmentDraft:
    stem = "region" if _share(different, _REGION) >= MOST else "kind"
    field_data = {"kind": "string", "values": _enumeration_data(different)}
    return _field(values, different, stem, field_data, message="enumeration")


def _has_few_values(values: list[str], different: Counter[str]) -> bool:
    return len(different) <= FEW_VALUES and len(values) >= TIMES_EACH * len(different)


def _enumeration_data(weights: Mapping[str, int]) -> dict[str, Any]:
    """Return an enumeration of the values, weighted by their frequency."""
    return {
        "kind": "enumeration",
        "items": [{"value": _decode(value), "weight": times} for value, times in sorted(weights.items())],
    }


def _counter(values: list[str], different: Counter[str]) -> SegmentDraft | None:
    """Texts that differ in a number only: `user000123`."""
    parts = [match.groups() for value in different if (match := _PATTERN.fullmatch(value))]
    if len(parts) < MOST * len(different):
        return None
    (before, behind), times_ = Counter((a, c) for a, _, c in parts).most_common(1)[0]
    numerals = [n for a, n, c in parts if (a, c) == (before, behind)]
    # Braces would be read as the counter's place in the pattern.
    if not before + behind or times_ < MOST * len(different) or set("{}") & set(before + behind):
        return None
    width = len(numerals[0]) if len(set(map(len, numerals))) == 1 else 0
    if not width and any(n.startswith("0") and n != "0" for n in numerals):
        return None
    numbers = sorted(map(int, numerals))
    if numbers[-1] >= 10**_LONGEST_NUMBER:
        return None
    most = 10**width if width else 10**_LONGEST_NUMBER
    count = count_numbers(different, numbers[0], numbers[-1]) or count_values(different)
    count = replace(count, estimate=max(count.seen, min(count.estimate, most)))
    pattern = f"{before}{{n:0{width}}}{behind}" if width else f"{before}{{n}}{behind}"
    stem = _decode(before.strip("_-. ").lower()) if len(before.strip("_-. ")) >= 3 else "id"
    field_data = {
        "kind": "string",
        "values": {"kind": "pattern", "text": _decode(pattern), "start": min(numbers[0], 1)},
    }
    return _field(values, different, stem, field_data, count=count, message="text with a counter")


_PERCENT = re.compile(r"(?:[A-Za-z0-9._~-]|%[2-7][0-9A-F])*")


def _text(values: list[str], different: Counter[str]) -> SegmentDraft:
    encoded = any("%" in value for value in different) and all(map(_PERCENT.fullmatch, different))
    if encoded:
        plain = _plain_text(values, Counter({unquote(value): times for value, times in different.items()}))
        stem = "path" if any("%2F" in value for value in different) else plain.stem
        return replace(plain, segment={**plain.segment, "transforms": [{"kind": "percent"}]}, stem=stem)
    return _plain_text(values, different)


def _plain_text(values: list[str], different: Counter[str]) -> SegmentDraft:
    lengths = [len(value) for value in different]
    count = count_values(different)
    if not all(value.isascii() and value.isprintable() for value in different):
        return _non_ascii(values, different, lengths, count)
    least, most = min(lengths), max(lengths)
    letters = "".join(sorted(set("".join(different))))
    hexadecimal = least == most and _HEX.fullmatch(letters) is not None and most >= 4
    field_data = {
        "kind": "string",
        "values": {
            "kind": "random", "min": least, "max": most, "typical": round(sum(lengths) / len(lengths), 1),
            "alphabet": "0-9a-f" if hexadecimal else _alphabet(letters, sum(lengths)),
        },
    }  # fmt: skip
    what = "token" if hexadecimal else "text in parts" if set(letters) & set(cuts.STRONG) else "text"
    stem = "token" if hexadecimal else "id" if set(letters) & set(digits) else "name"
    return _field(values, different, stem, field_data, count=count, message=what)


def _non_ascii(values: list[str], different: Counter[str], lengths: list[int], count: ValueCount) -> SegmentDraft:
    """Return a draft for values that are not ASCII: text in another script, or bytes."""
    try:
        # Keys stand here as one character a byte; text in another script is UTF-8 in these bytes.
        texts = [value.encode("latin-1").decode() for value in different]
    except UnicodeDecodeError:
        texts = []
    if texts and all(text.isprintable() for text in texts):
        letters = "".join(sorted({letter for text in texts for letter in text}))[:500]
        # A hyphen inside of an alphabet is a range; at its end it is itself.
        alphabet = letters.replace("-", "") + ("-" if "-" in letters else "")
        sizes = [len(text) for text in texts]
        random = {"kind": "random", "min": min(sizes), "max": max(sizes), "alphabet": alphabet}
        return _field(values, different, "name", {"kind": "string", "values": random}, count=count, message="text")
    random = {"kind": "random", "min": min(lengths), "max": max(lengths)}
    return _field(values, different, "raw", {"kind": "bytes", "values": random}, count=count, message="bytes")


ALL_SEEN = 30
"""Of so many characters for each one that there could be, one that was not among them is none of theirs."""


def _alphabet(letters: str, observed: int) -> str:
    """Return the character classes of these letters, in the form `a-z0-9_`.

    A class with many observed characters is narrowed to the observed ones: `0-9a-f`.
    """
    parts = []
    for span in (ascii_lowercase, ascii_uppercase, digits):
        own = "".join(letter for letter in span if letter in letters)
        if own:
            parts.append(_character_ranges(own) if observed >= ALL_SEEN * len(span) else f"{span[0]}-{span[-1]}")
    others = "".join(letter for letter in letters if not letter.isalnum() and letter != "-")
    return "".join(parts) + others + ("-" if "-" in letters else "")


def _character_ranges(letters: str) -> str:
    """Characters in their order, those that follow each other as a range: `0-9bce-h`."""
    runs: list[str] = []
    for letter in letters:
        if runs and ord(letter) == ord(runs[-1][-1]) + 1:
            runs[-1] += letter
        else:
            runs.append(letter)
    return "".join(run if len(run) < 3 else f"{run[0]}-{run[-1]}" for run in runs)


def _decode(text: str) -> str:
    return text.encode("latin-1").decode(errors="replace")


WHAT = {
    "literal": N_("same in all keys"), "date": N_("a readable time"), "time": N_("a time as a number"),
    "newest first": N_("a time as a number, newest first"), "uuid": N_("UUIDs"),
    "phone": N_("phone numbers"), "domain": N_("domains"), "reversed domain": N_("domains with reversed labels"),
    "padded counter": N_("a zero-padded counter"),
    "counter": N_("a counter"), "padded number": N_("zero-padded numbers"), "number": N_("numbers"),
    "enumeration": N_("a few distinct values"), "text with a counter": N_("text with a counter"), "text": N_("text"),
    "text in parts": N_(
        "text with a varying number of parts: if there are several row kinds, propose each key from its own sample"
    ),
    "token": N_("hexadecimal digits"), "bytes": N_("raw bytes"), "hex": N_("hexadecimal numbers"),
    "big_endian": N_("numbers as raw bytes"), "descending": N_("numbers subtracted from a constant"),
}  # fmt: skip
"""What a column was found to be."""


def _observation(name: str) -> Text:
    return Text(WHAT[name])
