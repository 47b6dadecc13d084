"""Findings as JSON, for programs."""

import json
from collections.abc import Sequence
from typing import Any

from designer.wording.formatting import english
from estimator.results import Finding, UnknownReason

from ..json_schema import COUNT, TEXT, document, list_of, object_of, or_null, schema_of
from ..plain_data import to_plain
from .checked_design import CheckedDesign, sentence
from .reported_rules import rule_of_code
from .unchecked_file import UncheckedFile

FORMAT = "keywright-lint/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""


def json_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return the findings of all designs, each with its file, and the files that could not be checked."""
    data = {
        "format": FORMAT,
        "files": [design.file for design in designs],
        "findings": [
            {"file": design.file, **finding_data(design, finding)} for design in designs for finding in design.findings
        ],
        "open": [{"file": design.file, **to_plain(reason)} for design in designs for reason in design.unknown],
        "failed": [failure for design in designs for failure in design.failures],
        "unchecked": [to_plain(file) for file in unchecked],
    }
    return json.dumps(data, indent=1)


def finding_data(design: CheckedDesign, finding: Finding) -> dict[str, Any]:
    """Return a finding as data: its sentences in English, its place and line, its consequences and answers alike."""
    return {
        **to_plain(finding),
        "title": rule_of_code(finding.rule).title,
        "sentence": sentence(finding),
        "place": design.place(finding),
        "line": design.line(finding),
        "fix_sentence": english(finding.fix_label, finding.params) if finding.fix is not None else "",
        "fix_adds": design.data_of_fix(finding),
        "choices": [
            {**to_plain(choice), "sentence": english(choice.label, choice.params)} for choice in finding.choices
        ],
        "under": [finding_data(design, consequence) for consequence in finding.under],
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    definitions: dict[str, Any] = {}
    schema_of(Finding, definitions)
    schema_of(UnknownReason, definitions)
    schema_of(UncheckedFile, definitions)
    added = object_of(**dict.fromkeys(("rule", "severity", "place", "sentence"), TEXT))
    more = {
        **dict.fromkeys(("title", "sentence", "place", "fix_sentence"), TEXT),
        "line": {**COUNT, "minimum": 1},
        "fix_adds": or_null(list_of(added)),
    }
    for name, extra in (("Finding", more), ("Choice", {"sentence": TEXT})):
        definitions[name] = object_of(**definitions[name]["properties"], **extra)
    file = object_of(file=TEXT)
    whole = object_of(
        files=list_of(TEXT),
        findings=list_of({"allOf": [file, {"$ref": "#/$defs/Finding"}]}),
        open=list_of({"allOf": [file, {"$ref": "#/$defs/UnknownReason"}]}),
        failed=list_of(TEXT),
        unchecked=list_of({"$ref": "#/$defs/UncheckedFile"}),
    )
    return document(FORMAT, "Output of `keywright lint --json`", whole, definitions)
