"""Parts that the writers of all languages share: names, and the functions of the runtime that a file takes along."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label

from ..shared.result import ExportRemarks
from .codes import KeyCode, SegmentCode
from .expressions import Call, Expression, KeyParameter
from .plan import NameBook
from .vectors import Argument

PARTS = "The values in a key; hashes, salts and values that cannot be decoded are the bytes in it."
CUTS = "A time is the one that the key shows."


class AnyKeyCode(Protocol):
    """Code for keys of bytes or of columns: its parts that both have."""

    @property
    def id(self) -> str:
        """Id of the row kind."""

    @property
    def segments(self) -> Sequence[SegmentCode]:
        """Segments of the key."""

    @property
    def parameters(self) -> Sequence[KeyParameter]:
        """Values that the key is made from."""

    @property
    def vectors(self) -> Sequence[tuple[tuple[Argument, ...], Any]]:
        """Arguments and their keys."""

    @property
    def refusals(self) -> Sequence[tuple[tuple[Argument, ...], str]]:
        """Arguments of which no key is made."""


AnyCode = TypeVar("AnyCode", bound=AnyKeyCode)


def needed_parts(parts: Mapping[str, str], functions: Iterable[str], names: str = r"\b_?[A-Za-z]\w*") -> list[str]:
    """Return the sources of these parts, and of all that they name, in the order of the parts."""
    needed: set[str] = set()
    waiting = list(functions)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [word for word in re.findall(names, parts[name]) if word in parts]
    return [source for name, source in parts.items() if name in needed]


def called_functions(key: KeyCode) -> Iterator[str]:
    """Yield the names of the functions of the runtime that the code of a row kind calls."""
    for segment in key.segments:
        yield from expression_calls(segment.make)
        if key.regex is not None:
            yield from expression_calls(segment.value.make)
    if any(not read.is_point for read in key.reads):
        yield "prefix_end"
    for read in key.all_reads:
        for segment in (*read.pieces, *([read.time] if read.time else [])):
            yield from expression_calls(segment.make)
        if read.values is not None:
            yield from expression_calls(read.values.make)
            yield "value_range"
    if any(read.time for read in key.all_reads):
        yield "time_range"
    if any(read.columns for read in key.reads):
        yield "padded_base64"
    if any(read.listed_salts for read in key.reads):
        yield "random_salt"
    if any(read.filter.age_us is not None for read in key.reads):
        yield "milliseconds"


def expression_calls(expression: Expression) -> Iterator[str]:
    """Yield the names of the functions that an expression calls."""
    if isinstance(expression, Call):
        yield expression.function
        for argument in expression.arguments:
            yield from expression_calls(argument)


def parameter_names(spec: Spec, parameters: Iterable[KeyParameter], *reserved: str) -> dict[KeyParameter, str]:
    """Return an identifier for each parameter, none of them reserved."""
    book = NameBook(*reserved)
    names = {}
    for parameter in parameters:
        label = element_label(spec, parameter.id) if parameter.id and parameter.type != "salt" else ""
        label = f"{parameter.bound} {label}".strip()
        candidate = {"time": f"{label} time us", "salt": "random number"}.get(parameter.type, label)
        names[parameter] = book.name(candidate, "value")
    return names


def camel_name(name: str) -> str:
    """Return a name without underlines, but for those before digits: different names stay different."""
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)


def pascal_name(name: str) -> str:
    """Return a name of words that begin with capital letters."""
    return camel_name(f"_{name}")


def keep_plain_letters(keys: Sequence[AnyCode], remarks: ExportRemarks, language: str) -> Iterator[AnyCode]:
    """Yield the keys that change the case of no letter beyond ASCII, and refuse the others."""
    for key in keys:
        values = [value for arguments, _ in key.vectors for value in arguments]
        changed = [name for segment in key.segments for name in _changed_functions(segment.make)]
        if changed and ("big_endian" in changed or not all(map(_is_ascii, values))):
            message = N_("{language} cannot change the case of letters beyond ASCII exactly")
            remarks.refuse(key.id, message, language=language)
        elif changed:
            plain = tuple(refusal for refusal in key.refusals if all(map(_is_ascii, refusal[0])))
            yield replace(key, refusals=plain)  # type: ignore[type-var]
        else:
            yield key


def _changed_functions(expression: Expression) -> Iterator[str]:
    """Yield the functions whose text a change of case takes, and the change itself."""
    if isinstance(expression, Call):
        if expression.function in ("lower", "upper"):
            yield from expression_calls(expression)
        for argument in expression.arguments:
            yield from _changed_functions(argument)


def _is_ascii(value: Argument) -> bool:
    return value.isascii() if isinstance(value, str | bytes) else True
