"""Findings as JUnit's XML, which most CI systems show as tests: a finding is a test that fails.

There is no standard: these are the elements that the JUnit plugin of Jenkins reads, and `file`, which GitLab reads.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from designer.wording.printable import printable
from estimator.results import each_finding

from .checked_design import CheckedDesign, rule_text, sentence

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

FAILING = ("error", "warning")


def junit_report(designs: Sequence[CheckedDesign]) -> str:
    """Return a suite for each file; questions and notes pass, accepted findings and missing inputs are skipped."""
    from xml.etree import ElementTree  # here, as no other format needs it

    root = ElementTree.Element("testsuites", name="keywright")
    for design in designs:
        _add_suite(root, design)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _add_suite(root: "Element", design: CheckedDesign) -> None:
    from xml.etree.ElementTree import SubElement

    suite = SubElement(root, "testsuite", name=printable(design.file))
    failures = skipped = 0
    findings = list(each_finding(design.findings))
    for finding in findings:
        name = printable(design.place(finding))
        file = printable(design.file)
        case = SubElement(suite, "testcase", classname=rule_text(finding), name=name, file=file)
        text = printable(sentence(finding))
        if finding.ignored:
            SubElement(case, "skipped", message=printable(finding.ignored.reason))
            skipped += 1
        elif finding.severity in FAILING:
            failure = SubElement(case, "failure", type=finding.severity, message=text)
            failure.text = f"{file}:{design.line(finding)}: {text}"
            failures += 1
        else:
            SubElement(case, "system-out").text = f"{finding.severity}: {text}"
    if design.missing:
        notice = printable(f"{design.missing_text}: {' '.join(design.missing_reasons)}")
        case = SubElement(suite, "testcase", classname="keywright", name="missing inputs")
        SubElement(case, "skipped", message=notice)
        skipped += 1
    elif not findings:
        SubElement(suite, "testcase", classname="keywright", name="all rules")
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failures))
    suite.set("skipped", str(skipped))
