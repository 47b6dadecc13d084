"""Findings as SARIF 2.1.0, which code-scanning services show beside the lines of a file.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (read 2026-11-20).
"""

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from designer.http.version import VERSION
from designer.wording.formatting import english
from estimator.results import Finding

from .checked_design import CheckedDesign, each_single, sentence
from .fingerprints import fingerprints
from .line_changes import FileLines
from .reported_rules import ReportedRule, rules_of_reports
from .unchecked_file import FileProblem, UncheckedFile, each_obstacle

LEVELS = {"error": "error", "warning": "warning", "question": "note", "note": "note"}
"""SARIF has no level for a question."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return a SARIF log with one run by this version of Keywright.

    Consequences and the parts of summaries are separate results; accepted risks are suppressed results.
    A fix is told as the lines of the file that it changes, and in the property bag with what it adds.
    Inputs that a design lacks are notifications: no rule was broken, and not all could be judged. So are rules that
    failed and files that are no designs, and the run was then no success: a service must not take their findings for
    resolved.
    """
    pairs = list(each_single(designs))
    driver = {
        "name": "Keywright",
        "version": VERSION,
        "rules": [_rule(rule) for rule in rules_of_reports(finding.rule for _, finding in pairs)],
    }
    results = [
        _result(design, finding, fingerprint)
        for (design, finding), fingerprint in zip(pairs, fingerprints(pairs), strict=True)
    ]
    lacking = [_notification(design) for design in designs if design.missing]
    failed = [_failure(file, problem) for file, _, problem in each_obstacle(designs, unchecked)]
    notifications = [*failed, *lacking]
    invocations = {"invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": notifications}]}
    run = {"tool": {"driver": driver}, **(invocations if notifications else {}), "results": results}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1)


def _rule(rule: ReportedRule) -> dict[str, Any]:
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


def _notification(design: CheckedDesign) -> dict[str, Any]:
    message = f"{design.missing_text}: {' '.join(design.missing_reasons)}"
    location = {"artifactLocation": {"uri": address(design.file)}, "region": {"startLine": design.missing_line}}
    return {"level": "note", "message": {"text": message}, "locations": [{"physicalLocation": location}]}


def _failure(file: str, problem: FileProblem) -> dict[str, Any]:
    location = {"artifactLocation": {"uri": address(file)}, "region": {"startLine": problem.line}}
    return {"level": "error", "message": {"text": problem.text}, "locations": [{"physicalLocation": location}]}


def _fix(label: str, file: str, changes: Sequence[FileLines]) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {"startLine": change.first, "startColumn": 1, "endLine": change.end, "endColumn": 1},
            "insertedContent": {"text": change.text},
        }
        for change in changes
    ]
    change = {"artifactLocation": {"uri": address(file)}, "replacements": replacements}
    return {"description": {"text": label}, "artifactChanges": [change]}


def _result(design: CheckedDesign, finding: Finding, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": LEVELS[finding.severity],
        "message": {"text": sentence(finding)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": address(design.file)},
                    "region": {"startLine": design.line(finding)},
                },
                "logicalLocations": [{"name": finding.at, "fullyQualifiedName": design.place(finding)}],
            }
        ],
        "partialFingerprints": {"keywright/v1": fingerprint},
    }
    if finding.fix is not None:
        fix = english(finding.fix_label, finding.params)
        result["properties"] = {"fix": fix, "fixIsSafe": finding.fix_safe, "fixAdds": design.data_of_fix(finding)}
        if changes := design.fixed.get((finding.rule, finding.at)):
            result["fixes"] = [_fix(fix, design.file, changes)]
    if finding.ignored:
        result["suppressions"] = [{"kind": "external", "justification": finding.ignored.reason}]
    return result
