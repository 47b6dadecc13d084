"""Findings as SARIF 2.1.0, which code-scanning services show beside the lines of a file.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (read 2026-11-20).
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from designer.document import Element, Model, Spec
from designer.document.base import Path, children
from designer.document.lines import index_lines
from designer.wording.formatting import english
from estimator.advice.rules import RULES, Rule
from estimator.results import Finding, each_finding

from .locations import element_path

LEVELS = {"error": "error", "warning": "warning", "question": "note", "note": "note"}
"""SARIF has no level for a question."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def lines_of_elements(text: str, spec: Spec) -> dict[str, int]:
    """Return the line of the file on which each element begins, by its id."""
    found = index_lines(text)
    return {element.id: found.line(path) or 1 for path, element in _elements(spec, ())}


def _elements(part: Model, path: Path) -> Iterator[tuple[Path, Element]]:
    for name, place, child in children(part):
        below = (*path, name) if place is None else (*path, name, place)
        if isinstance(child, Element):
            yield below, child
        yield from _elements(child, below)


def sarif(file: str, line_of: Mapping[str, int], spec: Spec, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return a SARIF log with one run; `line_of` maps an element to the line of the file where it starts.

    Consequences and the parts of summaries are separate results; accepted risks are suppressed results.
    """
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Keywright", "rules": [_rule(rule) for rule in RULES.values()]}},
                "results": [_result(file, line_of, spec, finding) for finding in each_finding(findings)],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.explanation.title},
        "fullDescription": {"text": rule.explanation.what},
        "help": {"text": f"{rule.explanation.why} {rule.explanation.instead}"},
        "helpUri": rule.explanation.sources[0].address,
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def address(file: str) -> str:
    """Return a file's name as a URI for SARIF, percent-encoded; relative if the name is relative."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _result(file: str, line_of: Mapping[str, int], spec: Spec, finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": LEVELS[finding.single_severity],
        "message": {"text": english(finding.message, finding.params)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": address(file)},
                    "region": {"startLine": line_of.get(finding.at, 1)},
                },
                "logicalLocations": [{"name": finding.at, "fullyQualifiedName": element_path(spec, finding.at)}],
            }
        ],
    }
    if finding.ignored:
        result["suppressions"] = [{"kind": "external", "justification": finding.ignored.reason}]
    return result
