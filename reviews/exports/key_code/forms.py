"""Forms of a key's segments: the texts that each may have, so that a key that is made is cut as it was made.

Patterns are regular expressions of text as Latin-1, in words that all languages share.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.field import Enumeration, Field, Pattern, Random, Range
from designer.document.hashes import ALPHABETS
from designer.document.key import (
    BigEndian,
    Bucket,
    Case,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Offset,
    ReverseDigits,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
    as_bytes,
)
from designer.imports.keys.fit import MOST_LISTED, UUID, number_regex
from designer.imports.keys.times import pattern_regex, reversed_pattern_regex
from estimator.kernels.keys.rendering.clock import reverse_from
from estimator.kernels.keys.rendering.render import salt_width

from .expressions import Call, Expression, parameter_of

PERCENT = "(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*"
_PERCENT_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%")
# Atomic: without it, a number could give back digits to a segment behind it, and a key be cut in two ways.
_NUMBER = r"(?>-?\d+)"
_NUMBER_LETTERS = frozenset(b"-0123456789")
_CENTURIES = r"(?:19|20)\d\d"
"""Of the years that an import takes for dates; a key may show any."""


@dataclass(frozen=True)
class SegmentForm:
    """Texts of a segment."""

    pattern: str = ".*"
    """With DOTALL."""
    is_fixed: bool = False
    """Each text tells where it ends, whatever follows."""
    misfit: str = ""
    """Of a text that the pattern does not take; empty: what makes the segment makes no other text."""
    letters: frozenset[int] | None = None
    """Bytes of its texts; None: any."""

    def is_apart(self, stop: bytes) -> bool:
        """Return whether a delimiter shows where the texts end, whatever they are."""
        if self.is_fixed:
            return True
        if self.pattern == PERCENT:
            return not _PERCENT_LETTERS.issuperset(stop)
        return bool(stop) and self.letters is not None and stop[0] not in self.letters


OPEN = SegmentForm()


def stops(key: Sequence[Segment]) -> tuple[bytes, ...]:
    """Return what stands behind each segment in every key: its delimiter, or the literal that follows."""
    delimiters = list[bytes]()
    behind = b""
    # From behind, as a literal ends the segment before it, also across several literals.
    for segment in reversed(key):
        stop = as_bytes(segment.after) or behind
        delimiters.append(stop)
        behind = as_bytes(segment.text) + as_bytes(segment.after) if isinstance(segment, LiteralSegment) else b""
        behind = behind or (stop if isinstance(segment, LiteralSegment) else b"")
    return tuple(reversed(delimiters))


def segment_forms(spec: Spec, key: Sequence[Segment]) -> tuple[SegmentForm, ...]:
    """Return the form of each segment."""
    last = len(key) - 1
    # With nothing behind a segment, only its own form shows where it ends.
    return tuple(
        _form(spec, segment, is_open=place < last and not stop)
        for place, (segment, stop) in enumerate(zip(key, stops(key), strict=True))
    )


def key_pattern(spec: Spec, key: Sequence[Segment]) -> str | None:
    """Return the expression that cuts keys, with a group for each segment; None: nothing shows where one ends.

    Of one segment that nothing ends, the end shows where all behind it have lengths of their own.
    """
    forms = segment_forms(spec, key)
    text, is_cut_from_behind = "", False
    for place, (segment, form, stop) in enumerate(zip(key, forms, stops(key), strict=True)):
        is_last = place == len(key) - 1 and not stop
        if is_last or form.is_apart(stop):
            pattern = form.pattern
            if is_cut_from_behind and not form.is_fixed:
                return None
        elif is_cut_from_behind:
            return None
        elif stop:
            # Up to the first delimiter and no further: `.*?` would go past it where the rest then fits better.
            pattern = f"(?>(?:(?!{re.escape(stop.decode('latin-1'))}).)*)"
        else:
            # From here on every segment must have a length of its own, or nothing tells where this one ends.
            pattern, is_cut_from_behind = ".*?", True
        text += f"({pattern}){re.escape(as_bytes(segment.after).decode('latin-1'))}"
    return text


def _form(spec: Spec, segment: Segment, *, is_open: bool) -> SegmentForm:
    match segment:
        case LiteralSegment():
            return SegmentForm(re.escape(as_bytes(segment.text).decode("latin-1")), is_fixed=True)
        case TimeSegment(hash=str()):
            return _hash(segment.hash_form, segment.hash_digits)
        case TimeSegment():
            return _time(segment)
        case HashSegment():
            return _hash(segment.form, segment.digits)
        case SaltSegment():
            return _digits(salt_width(segment))
        case FieldSegment():
            return _transform_form(segment.transforms, is_open=is_open) or _plain(spec, segment.field, is_open=is_open)
        case DerivedSegment():
            return _transform_form(segment.transforms, is_open=is_open) or OPEN
    return OPEN


def _hash(form: str, digits: int) -> SegmentForm:
    letters = re.escape(ALPHABETS[form].decode("latin-1"))  # type: ignore[index]
    return SegmentForm(rf"[{letters}]{{{digits}}}", is_fixed=True)


def _digits(width: int, misfit: str = "") -> SegmentForm:
    return SegmentForm(rf"\d{{{width}}}", is_fixed=True, misfit=misfit)


def _time(segment: TimeSegment) -> SegmentForm:
    if segment.pattern:
        is_even = not re.search("%-|%B", segment.pattern)  # one digit or two, and names of any length
        pattern = reversed_pattern_regex(segment.pattern) if segment.reversed else pattern_regex(segment.pattern)
        # The importer's pattern takes years from 1900 on, to know a date when it sees one; a key may show any year.
        return SegmentForm(pattern.replace(_CENTURIES, r"\d{4}"), is_even)
    if segment.raw:
        return SegmentForm(".{8}", is_fixed=True)
    if segment.reversed:
        return _digits(len(str(reverse_from(segment))))
    pattern = number_regex(segment)
    lengths = re.findall(r"\d+", pattern)
    misfit = f"the number of the time has other than {' to '.join(dict.fromkeys(lengths))} digits"
    if len(set(lengths)) == 1:
        return _digits(int(lengths[0]), misfit)
    return SegmentForm(pattern, misfit=misfit, letters=_NUMBER_LETTERS)


def _transform_form(transforms: Sequence[Transform], *, is_open: bool) -> SegmentForm | None:
    """Return the form that the last transforms give; None without a transform."""
    for place in reversed(range(len(transforms))):
        match transforms[place]:
            case ZeroPad(width=width):
                return _digits(width)
            case Hexadecimal(width=width):
                cases = [transform.to for transform in transforms[place:] if isinstance(transform, Case)]
                is_upper = cases[-1:] == ["upper"]
                return SegmentForm(f"[0-9{'A-F' if is_upper else 'a-f'}]{{{width}}}", is_fixed=True)
            case BigEndian(length=length):
                return SegmentForm(f".{{{length}}}", is_fixed=True)
            case PercentEncoding() if place == len(transforms) - 1:
                return SegmentForm(PERCENT, letters=_PERCENT_LETTERS)
            case Truncate(length=length) if is_open and place == len(transforms) - 1:
                return SegmentForm(f".{{{length}}}", is_fixed=True, misfit=f"the text is shorter than {length} bytes")
            # These turn a text around without changing its length, so the form is that of the transform before.
            case ReverseDigits() | Case() if _keeps_length(transforms[:place]):
                continue
        return OPEN
    return None


def _keeps_length(transforms: Sequence[Transform]) -> bool:
    """Return whether these transforms end in digits or bytes of one length, at most turned around."""
    for transform in reversed(transforms):
        if isinstance(transform, ZeroPad | Hexadecimal):
            return True
        if not isinstance(transform, ReverseDigits | Case):
            return False
    return False


def _plain(spec: Spec, name: str, *, is_open: bool) -> SegmentForm:
    field: Field = spec.find(name)
    parameter, kind = parameter_of(spec, name).type, effective_value(spec, field, "kind")
    if parameter in ("integer", "time"):
        return SegmentForm(_NUMBER, letters=_NUMBER_LETTERS)
    if parameter == "boolean":
        return SegmentForm("(?:true|false)", is_fixed=True)
    if kind == "integer":
        return SegmentForm(_NUMBER, misfit="the value is not a whole number", letters=_NUMBER_LETTERS)
    match field.values:
        case None if kind == "uuid":
            return SegmentForm(UUID, is_fixed=True, misfit="the value is not a UUID")
        case Enumeration(items=items) if is_open and len(items) <= MOST_LISTED:
            texts = sorted(item.value.encode() for item in items)
            # In sorted order, a text stands right before those that it begins, so neighbours are enough to compare.
            is_apart = not any(other.startswith(text) for text, other in itertools.pairwise(texts))
            # The longest of texts that begin alike comes first, as alternatives are tried in order.
            pattern = f"(?:{'|'.join(re.escape(text.decode('latin-1')) for text in reversed(texts))})"
            return SegmentForm(pattern, is_fixed=is_apart, misfit="the value is not listed in the design")
        case Random(min=least, max=most) as random if least == most and (
            kind == "bytes" or (is_open and random.letters.isascii())
        ):
            return SegmentForm(f".{{{least}}}", is_fixed=True, misfit=f"the value is not {least} bytes long")
        case Pattern() as counter if is_open and counter.split()[1]:
            before, width, after = counter.split()
            pattern = rf"{_quote(before)}\d{{{width}}}{_quote(after)}"
            return SegmentForm(pattern, is_fixed=True, misfit=f"the value does not follow {counter.text}")
    return OPEN


@dataclass(frozen=True)
class ValueOrder:
    """A segment whose texts sort as the values do, so that those from one to another are one range of keys."""

    is_backwards: bool
    is_fixed: bool
    """All texts have one length."""
    stop: bytes
    """What stands behind them."""
    digits: int = 0
    """Of numbers that are not padded, and sort as all have so many."""


def value_order(spec: Spec, key: Sequence[Segment], place: int) -> ValueOrder | None:
    """Return the order of a segment's texts; None where a range of values is no range of keys."""
    segment, stop = key[place], stops(key)[place]
    form, is_last = segment_forms(spec, key)[place], place == len(key) - 1
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return None
    field: Field = spec.find(segment.field)
    if parameter_of(spec, segment.field).type == "integer":
        return _number_order(segment, field, form, stop)
    if isinstance(segment, DerivedSegment) or effective_value(spec, field, "kind") in ("integer", "float", "boolean"):
        return None
    is_kept = all(isinstance(transform, Truncate) for transform in segment.transforms)
    # Else a text sorts before or after longer ones by the segment behind it.
    is_ended = form.is_fixed or bool(stop) or is_last
    return ValueOrder(is_backwards=False, is_fixed=form.is_fixed, stop=stop) if is_kept and is_ended else None


def _number_order(
    segment: FieldSegment | DerivedSegment, field: Field, form: SegmentForm, stop: bytes
) -> ValueOrder | None:
    if isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket):
        return None
    transforms = [transform for transform in segment.transforms if not isinstance(transform, Case)]
    if not transforms and isinstance(segment, FieldSegment) and isinstance(field.values, Range):
        digits = len(str(field.values.max))
        is_even = field.values.min >= 0 and len(str(field.values.min)) == digits
        return ValueOrder(is_backwards=False, is_fixed=True, stop=stop, digits=digits) if is_even else None
    if not transforms or not isinstance(transforms[-1], ZeroPad | Hexadecimal | BigEndian):
        return None
    if not all(isinstance(transform, Offset | Descending) for transform in transforms[:-1]):
        return None
    # Counted down twice is counted up.
    turns = sum(isinstance(transform, Descending) for transform in transforms)
    return ValueOrder(is_backwards=turns % 2 == 1, is_fixed=form.is_fixed, stop=stop)


def _quote(text: str) -> str:
    return re.escape(text.encode().decode("latin-1"))


def checked_expression(spec: Spec, key: Sequence[Segment], place: int, expression: Expression) -> Expression:
    """Return the expression of a segment, with a check where it may make a text that is not cut as it was made."""
    form, stop = segment_forms(spec, key)[place], stops(key)[place]
    # Of a text alone, atomic groups change nothing, and not every language has them.
    pattern = form.pattern.replace("(?>", "(?:") if form.misfit else ""
    until = b"" if form.is_apart(stop) else stop
    return Call("fit", (expression, pattern, form.misfit, until)) if pattern or until else expression
