"""Drift as a plan-like text, as JSON, as GitHub's commands and as SARIF."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document.texts import Text
from designer.wording.formatting import english
from designer.wording.printable import printable
from estimator.presentation.lint_reports.sarif import SCHEMA, address

from .differences import SIGNS, DefinitionDifference, Drift

FORMAT = "keywright-drift/1"
RULE = {
    "id": "drift",
    "name": "Drift",
    "shortDescription": {"text": "What runs is not what was designed."},
    "defaultConfiguration": {"level": "error"},
}


@dataclass(frozen=True)
class DriftReport:
    """Differences of one design, with its file and the lines of its elements."""

    file: str
    drift: Drift
    lines: Mapping[str, int]

    def line(self, difference: DefinitionDifference) -> int:
        """Return the line of the element, or the first."""
        return self.lines.get(difference.element, 1)


def _say(text: Text) -> str:
    return printable(english(text.message, text.params))


def as_text(report: DriftReport) -> str:
    """Return a line for each difference, as in a plan, and what was not compared."""
    return "\n".join(_lines(report))


def _lines(report: DriftReport) -> Iterator[str]:
    drift = report.drift
    for each in drift.differences:
        yield f"  {SIGNS[each.change]} {_say(each.text)}"
    count = len(drift.differences)
    yield {0: "No difference.", 1: "1 difference."}.get(count, f"{count} differences.")
    if drift.not_told:
        yield f"Not told by the files: {', '.join(map(_say, drift.not_told))}."
    for remark in drift.not_compared:
        yield f"Not compared: {printable(str(remark))}"


def as_json(report: DriftReport) -> str:
    """Return all of it as an object."""
    return json.dumps(as_data(report), ensure_ascii=False, indent=1)


def as_data(report: DriftReport) -> dict[str, Any]:
    """Return what differs, is not told and is not compared, as plain data."""
    differences = [
        {
            "place": each.path,
            "change": each.change,
            "designed": each.designed or None,
            "running": each.running or None,
            "element": each.element or None,
            "line": report.line(each),
            "text": _say(each.text),
        }
        for each in report.drift.differences
    ]
    return {
        "format": FORMAT,
        "design": report.file,
        "differences": differences,
        "not_told": [_say(each) for each in report.drift.not_told],
        "not_compared": [str(each) for each in report.drift.not_compared],
    }


def as_github(report: DriftReport) -> str:
    """Return a workflow command for each difference, which GitHub shows beside the line."""
    return "\n".join(
        f"::error file={_property(report.file)},line={report.line(each)},title=Drift::{_data(_say(each.text))}"
        for each in report.drift.differences
    )


def _data(text: str) -> str:
    return text.replace("%", "%25")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")


def as_sarif(report: DriftReport, *, version: str) -> str:
    """Return a SARIF log with a result for each difference."""
    results = [
        {
            "ruleId": RULE["id"],
            "level": "error",
            "message": {"text": _say(each.text)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": address(report.file)},
                        "region": {"startLine": report.line(each)},
                    },
                    "logicalLocations": [{"fullyQualifiedName": each.path}],
                }
            ],
            "partialFingerprints": {"keywright/v1": each.path},
        }
        for each in report.drift.differences
    ]
    driver = {"name": "Keywright", "version": version, "rules": [RULE]}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(log, indent=1)
