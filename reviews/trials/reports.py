"""Results of trials as plain data, with their schema, and read back."""

import json
import re
import string
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from designer.wording.formatting import english
from estimator.presentation.json_schema import document, schema_of, single_numbers

from .results import FORMAT, MESSAGES, TrialFinding, TrialResult

BYTES_MAX = 2_000_000
LARGEST = 2**63 - 1
SURROGATES = re.compile("[\ud800-\udfff]")
_READER = TypeAdapter(TrialResult)


class UnreadResultError(ValueError):
    """Content that is no result of a trial."""


def as_data(result: TrialResult) -> dict[str, Any]:
    """Return a result as plain data, its findings with their sentences."""
    data: dict[str, Any] = json.loads(_READER.dump_json(result))
    for entry, finding in zip(data["findings"], result.findings, strict=True):
        entry["text"] = finding_text(finding)
    return data


def as_json(result: TrialResult) -> str:
    """Return a result as JSON."""
    return json.dumps(as_data(result), ensure_ascii=False, indent=1)


def finding_text(finding: TrialFinding) -> str:
    """Return the sentence of a finding in English."""
    return english(finding.text.message, finding.text.params)


def read_result(raw: bytes) -> TrialResult:
    """Return the result that the command has written.

    Raises
    ------
    UnreadResultError
        If it is none.
    """
    if len(raw) > BYTES_MAX:
        raise UnreadResultError
    try:
        return read_data(json.loads(raw))
    except (ValueError, RecursionError) as error:
        raise UnreadResultError from error


def read_data(data: Any) -> TrialResult:
    """Return the result in plain data.

    Raises
    ------
    UnreadResultError
        If there is none, a finding lacks a part of its sentence, or a value can be neither stored nor shown.
    """
    try:
        result = _READER.validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        raise UnreadResultError from error
    if any(set(parameter_names(MESSAGES[finding.kind])) - finding.params.keys() for finding in result.findings):
        raise UnreadResultError
    if not _is_storable(asdict(result)):
        raise UnreadResultError
    return result


def _is_storable(data: Any) -> bool:
    """Return whether all numbers have an end and fit in 64 bits, and all texts can be encoded."""
    if isinstance(data, Mapping):
        return all(_is_storable(part) for entry in data.items() for part in entry)
    if isinstance(data, (list, tuple)):
        return all(map(_is_storable, data))
    if isinstance(data, (int, float)):
        return abs(data) <= LARGEST
    return not (isinstance(data, str) and SURROGATES.search(data))


def parameter_names(message: str) -> list[str]:
    """Return the names of a message's parameters."""
    return [name for _, name, _, _ in string.Formatter().parse(message) if name]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a result."""
    definitions: dict[str, Any] = {}
    whole = schema_of(TrialResult, definitions)
    body = definitions.pop(whole["$ref"].rsplit("/", 1)[1])
    finding = definitions[TrialFinding.__name__]
    finding["properties"]["text"] = {"type": "string"}
    finding["required"].append("text")
    for name, added in (("TriedTable", "definitions"), ("TriedDefinition", "found")):
        definitions[name]["required"].remove(added)  # results of before have none
    return document(FORMAT, "Output of `keywright try --json`", body, single_numbers(definitions))
