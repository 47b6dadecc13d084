"""Drift as a plan-like text, as JSON, and as findings for the reports that `lint` prints."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document import Spec
from designer.document.texts import Text
from designer.wording.formatting import english_text
from designer.wording.printable import printable, printable_json
from estimator.presentation.json_schema import COUNT, TEXT, document, list_of, object_of, or_null
from estimator.presentation.lint_reports.checked_design import CheckedDesign
from estimator.presentation.lint_reports.reported_rules import DRIFT, rule_of_code
from estimator.results import Finding

from .differences import SIGNS, DefinitionDifference, Drift

FORMAT = "keywright-drift/1"


@dataclass(frozen=True)
class DriftReport:
    """Differences of one design, with its file and the lines of its elements."""

    file: str
    drift: Drift
    lines: Mapping[str, int]

    def line(self, difference: DefinitionDifference) -> int:
        """Return the line of the element, or the first."""
        return self.lines.get(difference.element, 1)


def _translate(text: Text) -> str:
    return printable(english_text(text))


def as_text(report: DriftReport) -> str:
    """Return a line for each difference, as in a plan, and what was not compared."""
    return "\n".join(_lines(report))


def _lines(report: DriftReport) -> Iterator[str]:
    drift = report.drift
    for difference in drift.differences:
        yield f"  {SIGNS[difference.change]} {_translate(difference.text)}"
    count = len(drift.differences)
    yield {0: "No difference.", 1: "1 difference."}.get(count, f"{count} differences.")
    for beyond in drift.not_designed:
        yield f"Beyond the design: {_translate(beyond.text)}"
    if drift.not_told:
        yield f"Not in the files: {', '.join(map(_translate, drift.not_told))}."
    for remark in drift.not_compared:
        yield f"Not compared: {printable(str(remark))}"


def as_json(report: DriftReport) -> str:
    """Return all of it as an object."""
    return printable_json(json.dumps(as_data(report), ensure_ascii=False, indent=1))


def as_data(report: DriftReport) -> dict[str, Any]:
    """Return what differs, is not told and is not compared, as plain data."""
    differences = [
        {
            "place": difference.path,
            "change": difference.change,
            "designed": difference.designed or None,
            "running": difference.running or None,
            "element": difference.element or None,
            "line": report.line(difference),
            "text": _translate(difference.text),
        }
        for difference in report.drift.differences
    ]
    return {
        "format": FORMAT,
        "design": report.file,
        "differences": differences,
        "not_designed": [
            {
                "place": difference.path,
                "running": difference.running,
                "element": difference.element or None,
                "text": _translate(difference.text),
            }
            for difference in report.drift.not_designed
        ],
        "not_told": [_translate(text) for text in report.drift.not_told],
        "not_compared": [str(refusal) for refusal in report.drift.not_compared],
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    texts = dict.fromkeys(("place", "text"), TEXT)
    unknown = dict.fromkeys(("designed", "running", "element"), or_null(TEXT))
    difference = object_of(**texts, **unknown, change={"enum": list(SIGNS)}, line={**COUNT, "minimum": 1})
    whole = object_of(
        design=TEXT,
        differences=list_of({"$ref": "#/$defs/Difference"}),
        not_designed=list_of({"$ref": "#/$defs/UndesignedSetting"}),
        **dict.fromkeys(("not_told", "not_compared"), list_of(TEXT)),
    )
    undesigned = object_of(**dict.fromkeys(("place", "running", "text"), TEXT), element=or_null(TEXT))
    definitions = {"Difference": difference, "UndesignedSetting": undesigned}
    return document(FORMAT, "Output of `keywright drift --json`", whole, definitions)


def as_checked_design(report: DriftReport, spec: Spec) -> CheckedDesign:
    """Return the differences as findings, for the reports that `lint` prints."""
    return CheckedDesign(report.file, spec, report.lines, tuple(map(_finding, report.drift.differences)), ())


def _finding(difference: DefinitionDifference) -> Finding:
    text, severity = difference.text, rule_of_code(DRIFT).severity
    return Finding(
        DRIFT, severity, difference.element, difference.path, text.message, text.params, None, None, False, ""
    )  # fmt: skip
