"""Values that a segment of a key tells once the key is cut: expressions of its bytes, in no language's words."""

from dataclasses import dataclass

from designer.document import Spec
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.key import (
    BigEndian,
    Case,
    FieldSegment,
    Offset,
    ReverseDigits,
    ReverseDomain,
    Segment,
    TimeSegment,
    Transform,
    ZeroPad,
)
from estimator.kernels.keys.rendering.clock import reverse_from
from estimator.kernels.keys.rendering.date_order import is_read_back

from .expressions import Call, Expression, KeyParameter, parameter_of

CUT = KeyParameter("", "cut")
"""The bytes of the segment."""


@dataclass(frozen=True)
class ValueCode:
    """Values that a segment stands for: a text, bytes, integer, boolean or time, or its bytes as they stand."""

    type: str
    make: Expression


AS_IT_STANDS = ValueCode("bytes", CUT)


class _LostError(Exception):
    """A transform that cannot be turned back."""


def segment_value(spec: Spec, segment: Segment) -> ValueCode:
    """Return the value that a segment's bytes tell; the bytes where it cannot be turned back."""
    match segment:
        case TimeSegment():
            return _time(segment)
        case FieldSegment():
            try:
                return _field(spec, segment)
            except _LostError:
                return AS_IT_STANDS
    return AS_IT_STANDS


def _time(segment: TimeSegment) -> ValueCode:
    if segment.hash is not None:
        return AS_IT_STANDS
    if segment.pattern:
        if not is_read_back(segment.pattern):
            return AS_IT_STANDS
        return ValueCode("time", _whole(Call("time_of_date", (CUT, segment.pattern, int(segment.reversed)))))
    number = Call("number_of_bytes", (CUT, 1), is_number=True) if segment.raw else _number(CUT)
    if segment.reversed:
        number = Call("subtract", (number, reverse_from(segment)), is_number=True)
    return ValueCode("time", _whole(Call("time_of_number", (number, segment.bucket, segment.unit), is_number=True)))


def _field(spec: Spec, segment: FieldSegment) -> ValueCode:
    type_ = parameter_of(spec, segment.field).type
    value: Expression = CUT
    transforms = segment.transforms
    for place in reversed(range(len(transforms))):
        is_behind_digits = place > 0 and isinstance(transforms[place - 1], Hexadecimal)
        if not (isinstance(transforms[place], Case) and is_behind_digits):  # such digits are read in either case
            value = _undo(transforms[place], value, is_number=type_ in ("integer", "time"))
    match type_:
        case "integer":
            return ValueCode("integer", _whole(_number(value)))
        case "time":
            return ValueCode("time", _whole(Call("time_of_number", (_number(value), "millisecond", "ms"))))
        case "text" | "boolean":
            return ValueCode(type_, Call(f"{type_}_of", (value,)))
    return ValueCode("bytes", value)


def _undo(transform: Transform, value: Expression, *, is_number: bool) -> Expression:
    if isinstance(value, Call) and value.is_number and not isinstance(transform, ZeroPad | Offset | Descending):
        raise _LostError  # the text that the number was read from
    match transform:
        case ReverseDigits():
            return Call("reverse", (value,))
        case ReverseDomain():
            return Call("reverse_domain", (value,))
        case PercentEncoding():
            return Call("unescape", (value,))
    if not is_number:
        raise _LostError  # of a text, zeros in front or a sign would be lost
    match transform:
        case ZeroPad():
            return value
        case Offset():
            return Call("offset", (_number(value), -transform.by), is_number=True)
        case Descending():
            return Call("subtract", (_number(value), transform.top), is_number=True)
        case Hexadecimal():
            return Call("number_of_digits", (value,), is_number=True)
        case BigEndian():
            return Call("number_of_bytes", (value, 0), is_number=True)
    raise _LostError


def _number(value: Expression) -> Call:
    return value if isinstance(value, Call) and value.is_number else Call("number", (value,), is_number=True)


def _whole(number: Call) -> Call:
    return Call("integer_of", (number,))
