"""Text (JSON, or YAML in compact form) → `Spec`, or `InvalidDocumentError` with sentences that name line and place.

Nothing is guessed and nothing is clipped here.
Refused is only what makes arithmetic or references meaningless; engine limits and unfinished designs are not.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from . import ids
from .base import Path, path_text
from .design import FORMAT, Spec
from .lines import depth, index_lines
from .texts import N_, Text, build_text
from .upgrades import upgrade
from .validation_errors import InvalidDocumentError, Problem, problems

if TYPE_CHECKING:
    from .compact import CompactText

MAX_BYTES = 2_000_000
MAX_DEPTH = 64
COMPACT_SUFFIXES = (".yaml", ".yml")
_COMPACT = re.compile(r"^(format:[ \t]*\d|(activities|tables):[ \t]*(#.*)?$)", re.MULTILINE)
_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)
"""A line of YAML that is no comment."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_file(path: FilePath | str) -> Spec:
    """Load a design document from a file.

    Raises
    ------
    InvalidDocumentError
        If the file cannot be read or used.
    """
    path = FilePath(path)
    try:
        with path.open("rb") as file:
            return load(file.read(MAX_BYTES + 1), name=str(path))
    except FileNotFoundError:
        raise _document_error(build_text(N_("file not found")), str(path)) from None
    except IsADirectoryError:
        raise _document_error(build_text(N_("this is a directory; specify a file")), str(path)) from None
    except OSError as error:
        message = N_("the file cannot be read ({reason})")
        raise _document_error(build_text(message, reason=error.strerror or str(error)), str(path)) from None


def load(text: str | bytes, *, name: str = "") -> Spec:
    """Load a design document from JSON or compact text; fill in missing ids and upgrade older formats.

    Raises
    ------
    InvalidDocumentError
        With every problem found, each with its line and place; `name` (a file's) precedes them.
    """
    text = _decode(text, name)
    if is_compact(text, name):
        return load_compact(text, name)[0]
    data = parse_json(text, name=name)
    if not isinstance(data, dict):
        raise _document_error(build_text(N_("a design is a JSON object: {{ … }}")), name)
    try:
        _refuse_newer(data)
        return from_data(data)
    except InvalidDocumentError as unusable:
        raise _error_with_lines(unusable.problems, text, name) from None


def is_compact(text: str, name: str = "") -> bool:
    """Return whether a text is meant as YAML: by its file's name, else by a line that only such a text has."""
    # A name decides: JSON is also valid YAML, and an error should be told in the language of the file.
    if name.endswith((*COMPACT_SUFFIXES, ".json")):
        return name.endswith(COMPACT_SUFFIXES)
    return not text.lstrip().startswith(("{", "[")) and _COMPACT.search(text) is not None


def load_compact(text: str, name: str = "") -> "tuple[Spec, CompactText]":
    """Load a design document from compact text, with the places of its parts in the text.

    Raises
    ------
    InvalidDocumentError
        With every problem found, each with its line and column.
    """
    from .compact import CompactError, read_compact

    # Set before the attempt: an error in reading the YAML itself leaves no places.
    text, compact = _decode(text, name), None
    # YAML takes a file of comments alone for a valid empty value, which would be an empty design.
    if not _CONTENT.search(text):
        raise _document_error(build_text(N_("the file is empty")), name)
    try:
        compact = read_compact(text)
        _refuse_surrogates(compact.data, text, name)
        # Before validation: a newer format has keys that would each be called unknown.
        _refuse_newer(compact.data)
        return from_data(compact.finish()), compact
    except CompactError as error:
        problem = Problem((), build_text(error.message, **error.params), error.line, error.column)
        raise InvalidDocumentError([problem], name=name) from None
    except InvalidDocumentError as unusable:
        problems = [problem if compact is None else _place_problem(problem, compact) for problem in unusable.problems]
        raise InvalidDocumentError(sorted(problems, key=lambda p: (p.line or 0, p.column or 0)), name=name) from None


def line_index(text: str, name: str = "") -> Callable[[Path], int | None]:
    """Return a function from the path of a part to its line in the text of a valid document."""
    if not is_compact(text, name):
        return index_lines(text).line
    from .compact import read_compact

    return read_compact(text).line


def _place_problem(problem: Problem, compact: "CompactText") -> Problem:
    """Return a problem with its place in a compact text, in the names that the text has."""
    text = compact.unknown_keys.get(problem.path, problem.text)
    if "first" in text.params:  # the place of another part
        # The message quotes a path of the document; the reader sees the names of the compact text.
        names = {path_text(path): compact.name_path(path) for path in compact.places}
        text = Text(text.message, {**text.params, "first": names.get(text.params["first"], text.params["first"])})
    line, column = (problem.line, problem.column) if problem.line else compact.place(problem.path) or (1, 1)
    return Problem(problem.path, text, line, column, compact.name_path(problem.path))


def _refuse_newer(data: dict[str, Any]) -> None:
    number = data.get("format", FORMAT)
    # type() and not isinstance(): true is an int in Python, and validation tells that better.
    if type(number) is int and number > FORMAT:
        message = N_("the format {number} is newer than {known}, the newest format that this version supports")
        raise InvalidDocumentError([Problem(("format",), build_text(message, number=number, known=FORMAT))])


def from_data(data: dict[str, Any]) -> Spec:
    """Load a design document from JSON data, and fill missing ids into that data.

    Raises
    ------
    InvalidDocumentError
        With the places of the problems, but without lines.
    """
    data = upgrade(data)
    data.pop("$schema", None)  # for editors: it says nothing about the design
    ids.fill(data)
    try:
        return Spec.model_validate(data)
    except ValidationError as error:
        raise InvalidDocumentError(problems(error)) from None


def _decode(text: str | bytes, name: str) -> str:
    # A text counts its characters, of which each is up to four bytes; bytes are measured cheaply first.
    if len(text) > MAX_BYTES or (isinstance(text, str) and len(text.encode(errors="replace")) > MAX_BYTES):
        raise _document_error(build_text(N_("the design is larger than {most} MB"), most=MAX_BYTES // 1_000_000), name)
    if isinstance(text, str):
        # A byte order mark, as Windows editors write it; json.loads refuses it.
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        message = N_("not UTF-8 text: contains the byte {byte}")
        raise _document_error(build_text(message, byte=f"0x{text[error.start]:02x}"), name, line=line) from None


class _DuplicateKeyError(Exception):
    pass


def parse_json(text: str, *, name: str = "") -> Any:
    """Return the data of a JSON text.

    Raises
    ------
    InvalidDocumentError
        If it is no JSON, nested too deeply, or no text that can be stored; `name` (a file's) precedes the problem.
    """
    # Before json.loads, which would end in RecursionError for a text of nothing but brackets.
    if depth(text) > MAX_DEPTH:
        message = N_("lists and objects are nested more than {most} levels deep")
        raise _document_error(build_text(message, most=MAX_DEPTH), name)
    try:
        # Python keeps the last of two equal keys in silence, so that a part of the design would vanish.
        data = json.loads(text, object_pairs_hook=_build_object)
    except _DuplicateKeyError:
        raise _duplicate_key_error(text, name) from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise _document_error(build_text(N_("the file is empty")), name) from None
        message = N_("invalid JSON: {problem} (column {column})")
        reason = build_text(message, problem=error.msg[:1].lower() + error.msg[1:], column=error.colno)
        raise _document_error(reason, name, line=error.lineno) from None
    except ValueError:  # Python reads no integer of more than 4,300 digits
        raise _document_error(build_text(N_("contains a number with thousands of digits")), name) from None
    _refuse_surrogates(data, text, name)
    return data


def _refuse_surrogates(data: Any, text: str, name: str) -> None:
    # Only a text with such an escape can hold half a character; encoding every document again would be for nothing.
    if _SURROGATE.search(text):
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = N_("contains an unpaired surrogate ({code}): write both halves, or the character")
            raise _document_error(build_text(message, code=f"\\u{ord(error.object[error.start]):x}"), name) from None


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise _DuplicateKeyError
    return result


def _duplicate_key_error(text: str, name: str) -> InvalidDocumentError:
    """Build the error for duplicate keys in one object (the text after them may be invalid)."""
    where = index_lines(text)
    message = N_("duplicate key; the first is on line {first}")
    return InvalidDocumentError(
        [Problem(path, build_text(message, first=where.by_path[path]), line) for path, line in where.duplicates],
        name=name,
    )


def _error_with_lines(problems: Iterable[Problem], text: str, name: str) -> InvalidDocumentError:
    problems = tuple(problems)
    # Read a second time only on an error: json.loads gives no places.
    where = index_lines(text, [problem.path for problem in problems])
    line_problems = [Problem(problem.path, problem.text, where.line(problem.path)) for problem in problems]
    return InvalidDocumentError(sorted(line_problems, key=lambda problem: problem.line or 0), name=name)


def _document_error(text: Text, name: str, *, line: int | None = None) -> InvalidDocumentError:
    return InvalidDocumentError([Problem((), text, line)], name=name)
