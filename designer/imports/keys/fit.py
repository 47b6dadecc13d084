"""Match of a pattern with keys, and the cuts that it makes.

Each segment is a regular expression that never backtracks; most consist of parts that are found in many keys at once.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from designer.document import Spec
from designer.document.durations import bucket_length_seconds
from designer.document.encodings import Hexadecimal, PercentEncoding
from designer.document.field import Enumeration, Field, Random
from designer.document.field import Pattern as Counter
from designer.document.guesses import effective_value
from designer.document.hashes import ALPHABETS, HashForm
from designer.document.key import (
    BigEndian,
    Case,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    Truncate,
    ZeroPad,
    as_bytes,
    as_text,
)

from .key_parts import ANY, DIGITS, FixedText, FormedText, KeyPart, LetterRun
from .lines import LONGEST
from .times import FIRST, FROM, LAST, pattern_regex, pattern_width, reversed_pattern_regex

LOOKED_AT = 50_000
LOOKED_AT_SLOWLY, SHORT = 2_000, 256
"""Keys, and bytes of them, where a text ends at no delimiter: all ends of it have to be tried."""
MOST_LISTED = 100
SHOWN = 5
_DIGITS = {"s": 10, "ms": 13, "us": 16, "m": 8, "h": 6, "d": 5}
_LOOSE = ".+?"
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

T = TypeVar("T")
Piece = tuple[int, str, str]
"""Place of the segment, text, delimiter."""


@dataclass(frozen=True)
class Fit:
    """Result of matching a pattern with keys."""

    checked_count: int
    matching_count: int
    cut: tuple[tuple[Piece, ...], ...]
    """Some keys that it fits, evenly from among all."""
    mismatches: tuple[str, ...]
    """Some that it does not fit."""

    @property
    def share(self) -> float:
        """Of the keys that fit."""
        return self.matching_count / self.checked_count if self.checked_count else 0.0


def sample_evenly(keys: Sequence[T], limit: int) -> Sequence[T]:
    """Return at most so many of them, evenly spread."""
    return [keys[place * len(keys) // limit] for place in range(limit)] if len(keys) > limit else keys


def match_keys(spec: Spec, segments: Sequence[Segment], keys: Sequence[bytes]) -> Fit:
    """Match a pattern with keys, and return the cuts that it makes."""
    regex = key_regex(spec, segments)
    loose = any(_LOOSE in part for part in _regex_parts(spec, segments, ()))
    # A text without an end tries each length in each key, so the time grows with the square of the length.
    some = sample_evenly(keys, LOOKED_AT_SLOWLY if loose else LOOKED_AT)
    longest = SHORT if loose else LONGEST
    tried = ((key, regex.fullmatch(key.decode("latin-1"))) for key in some if len(key) <= longest)
    matches = [(match, key) for key, match in tried if match]
    fitting = {key for _, key in matches}
    unfit = [key for key in some if key not in fitting]
    pieces = tuple(_pieces(match, segments) for match, _ in sample_evenly(matches, SHOWN)) if segments else ()
    return Fit(len(some), len(matches) if segments else 0, pieces, tuple(map(as_text, sample_evenly(unfit, SHOWN))))


def key_regex(spec: Spec, segments: Sequence[Segment]) -> re.Pattern[str]:
    """Return the regular expression of a pattern's keys as latin-1 text, with a group for each segment."""
    return re.compile(_regex_text(spec, segments, range(len(segments))), re.DOTALL)


def key_values_regex(spec: Spec, segments: Sequence[Segment], places: Collection[int]) -> bytes:
    """Return the regular expression of a pattern's keys, with a group for each segment at these places."""
    return _regex_text(spec, segments, places).encode("latin-1")


def key_lines_regex(spec: Spec, segments: Sequence[Segment], places: Collection[int]) -> bytes:
    """Return the same for keys without line ends, one a line: a segment that extends to one letter ends at its line."""
    text = _regex_text(spec, segments, places)
    for after in {re.escape(letter) for segment in segments if len(letter := _as_latin1(segment.after)) == 1}:
        text = text.replace(_run_until(after).regex, LetterRun(rf"[^{after}\n]").regex)
    return text.encode("latin-1")


def key_parts(spec: Spec, segments: Sequence[Segment]) -> tuple[tuple[KeyPart, ...], ...] | None:
    """Return the parts of each segment, without its delimiter; None if one of them needs an expression."""
    forms = [
        _value_form(spec, segment, re.escape(_as_latin1(segment.after)), last=place == len(segments) - 1)
        for place, segment in enumerate(segments)
    ]
    parts = tuple(form for form in forms if not isinstance(form, str))
    return parts if len(parts) == len(forms) else None


def _regex_text(spec: Spec, segments: Sequence[Segment], places: Collection[int]) -> str:
    parts = list(_regex_parts(spec, segments, places))
    loose = sum(_LOOSE in part for part in parts)
    return "".join(parts) if loose <= 1 else r"(?!)"  # of two nobody knows where one ends


def _pieces(match: re.Match[str], segments: Sequence[Segment]) -> tuple[Piece, ...]:
    texts = [as_text(text.encode("latin-1")) for text in match.groups()]
    return tuple((n, text, s.after) for n, (text, s) in enumerate(zip(texts, segments, strict=True)))


def _regex_parts(spec: Spec, segments: Sequence[Segment], places: Collection[int]) -> Iterator[str]:
    for place, segment in enumerate(segments):
        after = re.escape(_as_latin1(segment.after))
        form = _value_form(spec, segment, after, last=place == len(segments) - 1)
        value = form if isinstance(form, str) else "".join(part.regex for part in form)
        yield f"({value}){after}" if place in places else f"(?:{value}){after}"


def _as_latin1(text: str) -> str:
    return as_bytes(text).decode("latin-1")


ValueForm = tuple[KeyPart, ...] | str
"""Parts of a text, or its regular expression where it has none."""


def _value_form(spec: Spec, segment: Segment, after: str, *, last: bool) -> ValueForm:
    """Return the form of a segment's texts.

    A segment of unknown length extends to the first delimiter.
    """
    match segment:
        case LiteralSegment():
            return (FixedText(_as_latin1(segment.text)),)
        case TimeSegment(hash=str()):
            return (_hash_run(segment.hash_form, segment.hash_digits),)
        case TimeSegment():
            return _time_form(segment)
        case HashSegment():
            return (_hash_run(segment.form, segment.digits),)
        case SaltSegment():
            return (LetterRun.of_width(DIGITS, len(str(segment.modulo - 1))),)
        case FieldSegment():
            return _field_form(spec, segment, after, last=last)
    return _open_ended_form(after, last=last)


def _hash_run(form: HashForm, digits: int) -> LetterRun:
    letters = re.escape(ALPHABETS[form].decode("latin-1"))
    return LetterRun.of_width(f"[{letters}]", digits)


def _open_ended_form(after: str, *, last: bool) -> ValueForm:
    if last and not after:
        return (LetterRun(ANY),)
    if len(after.removeprefix("\\")) == 1:
        return (_run_until(after),)
    return rf"(?>(?:(?!{after}).)+)" if after else _LOOSE


def _run_until(after: str) -> LetterRun:
    """Return a run up to a letter: a class is several times as fast as a lookahead before each letter."""
    return LetterRun(f"[^{after}]")


def _time_form(segment: TimeSegment) -> ValueForm:
    if segment.pattern:
        regex = reversed_pattern_regex(segment.pattern) if segment.reversed else pattern_regex(segment.pattern)
        width = pattern_width(segment.pattern)
        return regex if width is None else (FormedText(regex, width),)
    if segment.raw:
        return (LetterRun.of_width(ANY, 8),)
    if segment.reversed:
        return (LetterRun.of_width(DIGITS, len(str(segment.reverse_from or FROM[0]))),)
    return (_number_run(segment),)


def number_regex(segment: TimeSegment) -> str:
    """Return the regular expression of a present time's number, neither reversed nor raw."""
    return _number_run(segment).regex


def _number_run(segment: TimeSegment) -> LetterRun:
    if segment.unit != "bucket":
        return LetterRun.of_width(DIGITS, _DIGITS[segment.unit])
    least, most = (len(str(int(second // bucket_length_seconds(segment.bucket)))) for second in (FIRST, LAST))
    return LetterRun(DIGITS, least, most)


def _field_form(spec: Spec, segment: FieldSegment, after: str, *, last: bool) -> ValueForm:
    field: Field = spec.find(segment.field)
    for transform in reversed(segment.transforms):
        match transform:
            # At least the width, not exactly: a number that outgrew its padding is still that number.
            case ZeroPad():
                return (LetterRun(DIGITS, transform.width, None if after or last else transform.width),)
            case Hexadecimal():
                letters = "[0-9A-F]" if Case(to="upper") in segment.transforms else "[0-9a-f]"
                return (LetterRun(letters, transform.width, None if after or last else transform.width),)
            case BigEndian():
                return (LetterRun.of_width(ANY, transform.length),)
            case PercentEncoding():
                return "(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*"
            case Truncate() if not after and not last:
                return (LetterRun.of_width(ANY, transform.length),)
            case Truncate():
                return _open_ended_form(after, last=last)
    if segment.transforms:
        return _open_ended_form(after, last=last)
    kind = effective_value(spec, field, "kind")
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    match field.values:
        case Enumeration(items=items) if not after and not last and len(items) <= MOST_LISTED:
            # The longest first, as an alternative that fits ends the search.
            texts = sorted((item.value.encode().decode("latin-1") for item in items), key=len, reverse=True)
            return f"(?:{'|'.join(map(re.escape, texts))})"
        case Random(min=least, max=most) if least == most:
            return (LetterRun.of_width(ANY, least),)
        case Counter() as counter if not after and not last:
            before, width, behind = counter.split()
            return (FixedText(before), LetterRun(DIGITS, width or 1, width or None), FixedText(behind))
    return _open_ended_form(after, last=last)


_BY_KIND: Mapping[str, ValueForm] = {
    "integer": (LetterRun(DIGITS, has_sign=True),), "uuid": (FormedText(UUID, 36),), "boolean": "(?:true|false)",
}  # fmt: skip
