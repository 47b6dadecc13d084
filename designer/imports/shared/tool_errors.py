"""Error messages that tools print instead of an answer, and that are pasted as if they were one."""

import re
from collections.abc import Iterator
from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

_LOG = r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d "
_ERRORS = (
    ("gcloud", re.compile(r"ERROR: (?:\(gcloud[\w.-]*\)|gcloud crashed) (?P<said>.+)")),
    ("Terraform", re.compile(r"(?:[│|]\s*)?Error: (?P<said>.+)")),
    ("cbt", re.compile(rf"{_LOG}(?P<said>(?!-\w+ flag unset).+)")),
    ("Python", re.compile(r"(?P<said>Traceback \(most recent call last\):)")),
    ("the shell", re.compile(r"(?:-?(?:ba|z|da|k|fi)?sh: .{0,80}?)?(?P<said>\S{1,80}: (?:command )?not found.*)")),
)
"""Of each tool the line that says what went wrong (cbt 1.23, gcloud 528, Terraform 1.11, seen 2026-11-27)."""
_NOISE = re.compile(rf"(?:{_LOG}-\w+ flag unset.*|[╷╵│|]?|.{{0,200}}[$#>]\s*\w.*|.{{0,200}}[$#]\s*)")
"""What stands around it: notices, frames, prompts with commands."""
_FOR_PEOPLE = (
    re.compile(r"[A-Z][A-Z_]*(?: {2,}[A-Z][A-Z_]*)+ *\r?\n"),  # the head of a table of gcloud
    re.compile(r"NAME *\r?\n(?:[\w.-]{1,50} *\r?\n)*[\w.-]{0,50} *\Z"),  # … of tables, which has one column
    re.compile(r"[┌╔+][─═-]{3}"),  # … with [box]
    re.compile(r"(?:---\n)?[a-zA-Z.]+: {2,}projects/"),  # --format=flattened
)
_GCLOUD_COMMAND = re.compile(r"(?:.{0,200}[$#>]\s)?gcloud .{0,300}\n\s*")
MOST_LINES = 60


def refuse_text_for_people(text: str) -> None:
    """Raise InvalidDocumentError if the text is a table that gcloud prints for people, in which cells have no end."""
    begun = text.lstrip()[:1_500]
    if command := _GCLOUD_COMMAND.match(begun):
        begun = begun[command.end() :]
    if any(pattern.match(begun) for pattern in _FOR_PEOPLE):
        message = N_("this is what gcloud prints for people: run the command with --format=json")
        raise InvalidDocumentError([Problem((), build_text(message), 1)])


def refuse_tool_error(text: str) -> None:
    """Raise InvalidDocumentError if the text is an error of a tool and nothing else, with what it says."""
    lines = text.splitlines()[:MOST_LINES]
    first = next(_telling_lines(lines), None)
    if first is None:
        return
    number, line = first
    for tool, pattern in _ERRORS:
        match = pattern.fullmatch(line)
        # cbt logs errors in the form of its notices, and they may stand above real output.
        if match and (tool != "cbt" or all(pattern.fullmatch(other) for _, other in _telling_lines(lines))):
            error_text = lines[-1].strip() if tool == "Python" else match["said"]  # which ends with the error
            raise _refusal(tool, error_text, number)


def refuse_api_error(data: Any) -> None:
    """Raise InvalidDocumentError if JSON is an error of Google's APIs, as curl gets it."""
    error = data.get("error") if isinstance(data, dict) else None
    if isinstance(error, dict) and isinstance(error.get("message"), str) and "code" in error:
        raise _refusal("the API", error["message"], 1)


def _refusal(tool: str, error_text: str, line: int) -> InvalidDocumentError:
    message = N_("this is an error of {tool}, not its output: {said}")
    return InvalidDocumentError([Problem((), build_text(message, tool=tool, said=error_text[:300]), line)])


def _telling_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if not _NOISE.fullmatch(line.strip()[:1_000]):
            yield number, line.strip()[:1_000]
