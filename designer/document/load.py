"""Text → `Spec`, or `Unusable` with sentences that name line and place. Nothing is guessed and nothing is clipped here.

Refused is only what makes arithmetic or references meaningless; engine limits and unfinished designs are not.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from . import ids
from .design import FORMAT, Spec
from .lines import depth, lines
from .texts import N_, Text, said
from .upgrades import upgraded
from .validation_errors import Problem, Unusable, problems

MAX_BYTES = 2_000_000
MAX_DEPTH = 64
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_file(path: FilePath | str) -> Spec:
    """Load a design document from a file.

    Raises
    ------
    Unusable
        If the file cannot be read or used.
    """
    path = FilePath(path)
    try:
        with path.open("rb") as file:
            return load(file.read(MAX_BYTES + 1), name=str(path))
    except FileNotFoundError:
        raise _unusable(said(N_("file not found")), str(path)) from None
    except IsADirectoryError:
        raise _unusable(said(N_("this is a directory; specify a file")), str(path)) from None
    except OSError as error:
        message = N_("the file cannot be read ({reason})")
        raise _unusable(said(message, reason=error.strerror or str(error)), str(path)) from None


def load(text: str | bytes, *, name: str = "") -> Spec:
    """Load a design document from JSON text; fill in missing ids and upgrade older formats.

    Raises
    ------
    Unusable
        With every problem found, each with its line and place; `name` (a file's) precedes them.
    """
    text = _decoded(text, name)
    data = _parsed(text, name)
    if not isinstance(data, dict):
        raise _unusable(said(N_("a design is a JSON object: {{ … }}")), name)
    number = data.get("format", FORMAT)
    if type(number) is int and number > FORMAT:
        message = N_("the format {number} is newer than {known}, the newest format that this version supports")
        raise _located([Problem(("format",), said(message, number=number, known=FORMAT))], text, name)
    try:
        return from_data(data)
    except Unusable as unusable:
        raise _located(unusable.problems, text, name) from None


def from_data(data: dict[str, Any]) -> Spec:
    """Load a design document from JSON data, and fill missing ids into that data.

    Raises
    ------
    Unusable
        With the places of the problems, but without lines.
    """
    data = upgraded(data)
    ids.fill(data)
    try:
        return Spec.model_validate(data)
    except ValidationError as error:
        raise Unusable(problems(error)) from None


def _decoded(text: str | bytes, name: str) -> str:
    if len(text) > MAX_BYTES or (isinstance(text, str) and len(text.encode(errors="replace")) > MAX_BYTES):
        raise _unusable(said(N_("the design is larger than {most} MB"), most=MAX_BYTES // 1_000_000), name)
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        message = N_("not UTF-8 text: contains the byte {byte}")
        raise _unusable(said(message, byte=f"0x{text[error.start]:02x}"), name, line=line) from None


class _Doubled(Exception):
    pass


def _parsed(text: str, name: str) -> Any:
    if depth(text) > MAX_DEPTH:
        message = N_("lists and objects are nested more than {most} levels deep")
        raise _unusable(said(message, most=MAX_DEPTH), name)
    try:
        data = json.loads(text, object_pairs_hook=_object)
    except _Doubled:
        raise _doubled(text, name) from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise _unusable(said(N_("the file is empty")), name) from None
        message = N_("invalid JSON: {problem} (column {column})")
        reason = said(message, problem=error.msg[:1].lower() + error.msg[1:], column=error.colno)
        raise _unusable(reason, name, line=error.lineno) from None
    except ValueError:  # Python reads no integer of more than 4,300 digits
        raise _unusable(said(N_("contains a number with thousands of digits")), name) from None
    if _SURROGATE.search(text):
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = N_("contains an unpaired surrogate ({code}): write both halves, or the character")
            raise _unusable(said(message, code=f"\\u{ord(error.object[error.start]):x}"), name) from None
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Doubled
    return found


def _doubled(text: str, name: str) -> Unusable:
    """Build the error for duplicate keys in one object (the text after them may be invalid)."""
    where = lines(text)
    message = N_("duplicate key; the first is on line {first}")
    return Unusable(
        [Problem(path, said(message, first=where.of[path]), line) for path, line in where.doubled], name=name
    )


def _located(found: Iterable[Problem], text: str, name: str) -> Unusable:
    found = tuple(found)
    where = lines(text, [problem.path for problem in found])
    placed = [Problem(problem.path, problem.text, where.line(problem.path)) for problem in found]
    return Unusable(sorted(placed, key=lambda problem: problem.line or 0), name=name)


def _unusable(text: Text, name: str, *, line: int | None = None) -> Unusable:
    return Unusable([Problem((), text, line)], name=name)
