"""Expressions that make a segment's bytes from parameters, without the words of any programming language."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.field import Field, Pattern, Range
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
    ReverseDomain,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
    as_bytes,
)
from designer.document.texts import N_
from designer.wording import element_label
from estimator.kernels.keys.rendering.clock import reverse_from
from estimator.kernels.keys.rendering.render import salt_width

TIME = "time"
"""What errors call a time of no field."""
BEGINNING = "beginning of"
NO_NUMBER = N_("code cannot compute the number of a value from its text")


class NoCodeError(Exception):
    """A key that code cannot make, with the element and a message."""

    def __init__(self, at: str, message: str) -> None:
        super().__init__(message)
        self.at, self.message = at, message


@dataclass(frozen=True)
class KeyParameter:
    """A value that a key is made from; `id` is its field or its salt, or empty for the time of the event."""

    id: str
    type: str
    """text, bytes, integer, boolean, time (microseconds since 1970) or salt."""
    bound: str = ""
    """from or to: an end of a range of values, which is included; `BEGINNING`: what a text begins with."""


@dataclass(frozen=True)
class Call:
    """A function of the runtime with its arguments."""

    function: str
    arguments: tuple["Expression", ...]
    is_number: bool = False


Expression = Call | KeyParameter | int | str | bytes | None


def parameter_of(spec: Spec, name: str) -> KeyParameter:
    """Return the parameter that carries a field's value."""
    field: Field = spec.find(name)
    kind = effective_value(spec, field, "kind")
    if kind == "timestamp" and field.values is None:
        return KeyParameter(name, "time")
    if kind in ("integer", "timestamp") and (field.values is None or isinstance(field.values, Range)):
        return KeyParameter(name, "integer")
    return KeyParameter(name, {"bytes": "bytes", "boolean": "boolean"}.get(kind, "text"))


def segment_parameters(spec: Spec, segment: Segment) -> tuple[KeyParameter, ...]:
    """Return what a segment is made from."""
    match segment:
        case TimeSegment():
            return (KeyParameter(segment.field or "", "time"),)
        case HashSegment():
            return tuple(parameter_of(spec, name) for name in segment.fields) or (KeyParameter("", "time"),)
        case SaltSegment():
            return tuple(parameter_of(spec, name) for name in segment.fields) or (KeyParameter(segment.id, "salt"),)
        case FieldSegment() | DerivedSegment():
            return (parameter_of(spec, segment.field),)
    return ()


def name_parameters(spec: Spec, parameters: Sequence[KeyParameter], expression: Expression) -> Expression:
    """Return an expression whose errors name the fields that it is made from."""
    if not parameters or any(parameter.type == "salt" for parameter in parameters):
        return expression
    return Call("of", (error_name(spec, parameters), expression))


def error_name(spec: Spec, parameters: Sequence[KeyParameter]) -> str:
    """Return what an error begins with: the fields that a segment is made from."""
    return ", ".join(element_label(spec, parameter.id) if parameter.id else TIME for parameter in parameters)


def replace_parameter(expression: Expression, parameter: KeyParameter, other: KeyParameter) -> Expression:
    """Return an expression that is made from another parameter."""
    if isinstance(expression, Call):
        arguments = tuple(replace_parameter(argument, parameter, other) for argument in expression.arguments)
        return Call(expression.function, arguments, expression.is_number)
    return other if expression == parameter else expression


def segment_expression(spec: Spec, segment: Segment) -> Expression:
    """Return the expression of a segment's bytes, without its delimiter.

    Raises
    ------
    NoCodeError
        If the segment needs more than the values of its fields.
    """
    match segment:
        case LiteralSegment():
            return as_bytes(segment.text)
        case TimeSegment():
            return _time(segment)
        case FieldSegment():
            return _text(_apply_transforms(_value(spec, segment.field), segment.transforms))
        case HashSegment():
            own = _text(Call("milliseconds", (KeyParameter("", "time"),), is_number=True))
            hashed = _join_values(spec, segment.fields) if segment.fields else own
            return Call("hash_text", (hashed, segment.algorithm, segment.form, segment.digits))
        case SaltSegment():
            width = salt_width(segment)
            if segment.fields:
                return Call("salt", (_join_values(spec, segment.fields), segment.modulo, width))
            return Call("random_salt", (KeyParameter(segment.id, "salt"), segment.modulo, width))
        case DerivedSegment():
            return _text(_apply_transforms(_derived_value(spec, segment), segment.transforms))
    raise NoCodeError(segment.id, N_("code cannot make this segment"))


def _time(segment: TimeSegment) -> Call:
    if segment.hash is not None:
        plain = _time(segment.model_copy(update={"hash": None}))
        return Call("hash_text", (plain, segment.hash, segment.hash_form, segment.hash_digits))
    time = KeyParameter(segment.field or "", "time")
    if segment.pattern:
        return Call("date_text", (time, segment.bucket, segment.pattern, int(segment.reversed)))
    top = reverse_from(segment) if segment.reversed else None
    return Call("time_text", (time, segment.bucket, segment.unit, top, int(segment.raw)))


def _value(spec: Spec, name: str) -> Call:
    parameter = parameter_of(spec, name)
    match parameter.type:
        case "time":
            return Call("milliseconds", (parameter,), is_number=True)
        case "integer":
            return Call("whole", (parameter,), is_number=True)
    return Call(parameter.type, (parameter,))


def _derived_value(spec: Spec, segment: DerivedSegment) -> Call:
    value, field = _value(spec, segment.field), spec.find(segment.field)
    if not isinstance(segment.how, Bucket):
        part = segment.how
        return Call("part", (_text(value), part.start, part.length, part.before))
    if not value.is_number and isinstance(field.values, Pattern):
        before, _, after = field.values.split()
        if effective_value(spec, field, "kind") == "integer":
            before = after = ""  # all of the text is the number
        value = Call("counter", (value, before.encode(), after.encode()), is_number=True)
    if not value.is_number and effective_value(spec, field, "kind") != "integer":
        raise NoCodeError(segment.id, NO_NUMBER)
    return Call("bucket", (_number(value), segment.how.size), is_number=True)


def _join_values(spec: Spec, names: Sequence[str]) -> Call:
    return Call("join", tuple(_text(_value(spec, name)) for name in names))


def _text(value: Call) -> Call:
    return Call("decimal", (value,)) if value.is_number else value


def _number(value: Call) -> Call:
    return value if value.is_number else Call("number", (value,), is_number=True)


def _apply_transforms(value: Call, transforms: Sequence[Transform]) -> Call:
    for transform in transforms:
        value = _transform_once(value, transform)
    return value


def _transform_once(value: Call, transform: Transform) -> Call:
    match transform:
        case ZeroPad():
            return Call("pad", (_text(value), transform.width))
        case ReverseDigits():
            return Call("reverse", (_text(value),))
        case ReverseDomain():
            return Call("reverse_domain", (_text(value),))
        case Case():
            return Call(transform.to, (_text(value),))
        case Truncate():
            return Call("truncate", (_text(value), transform.length))
        case Offset():
            return Call("offset", (_number(value), transform.by), is_number=True)
        case Descending():
            return Call("descending", (_number(value), transform.top), is_number=True)
        case BigEndian():
            return Call("big_endian", (_number(value), transform.length))
        case Hexadecimal():
            return Call("hexadecimal", (_number(value), transform.width))
        case PercentEncoding():
            return Call("percent", (_text(value),))
