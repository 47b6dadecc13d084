"""Findings as JUnit's XML, which most CI systems show as tests: a finding is a test that fails.

There is no standard: these are the elements that the JUnit plugin of Jenkins reads, and `file`, which GitLab reads.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from designer.wording.printable import printable
from estimator.results import each_finding

from .checked_design import CheckedDesign, rule_text, sentence
from .unchecked_file import UncheckedFile, each_obstacle

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

FAILING = ("error", "warning")


def junit_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return a suite for each file; questions and notes pass, accepted findings and missing inputs are skipped.

    What could not be checked is a test with an error, which is worse than a failure.
    """
    from xml.etree import ElementTree  # here, as no other format needs it

    root = ElementTree.Element("testsuites", name="keywright")
    for design in designs:
        _add_suite(root, design)
    for file in unchecked:
        suite = ElementTree.SubElement(root, "testsuite", name=printable(file.file))
        _add_errors(suite, [], [file])
        _set_counts(suite)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _add_suite(root: "Element", design: CheckedDesign) -> None:
    from xml.etree.ElementTree import SubElement

    suite = SubElement(root, "testsuite", name=printable(design.file))
    findings = list(each_finding(design.findings))
    for finding in findings:
        name = printable(design.place(finding))
        file = printable(design.file)
        case = SubElement(suite, "testcase", classname=rule_text(finding), name=name, file=file)
        text = printable(sentence(finding))
        if finding.ignored:
            SubElement(case, "skipped", message=printable(finding.ignored.reason))
        elif finding.severity in FAILING:
            failure = SubElement(case, "failure", type=finding.severity, message=text)
            failure.text = f"{file}:{design.line(finding)}: {text}"
        else:
            SubElement(case, "system-out").text = f"{finding.severity}: {text}"
    if design.missing:
        notice = printable(f"{design.missing_text}: {' '.join(design.missing_reasons)}")
        case = SubElement(suite, "testcase", classname="keywright", name="missing inputs")
        SubElement(case, "skipped", message=notice)
    elif not findings and not design.failures:
        SubElement(suite, "testcase", classname="keywright", name="all rules")
    _add_errors(suite, [design], [])
    _set_counts(suite)


def _add_errors(suite: "Element", designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile]) -> None:
    from xml.etree.ElementTree import SubElement

    for path, title, problem in each_obstacle(designs, unchecked):
        file, text = printable(path), printable(problem.text)
        case = SubElement(suite, "testcase", classname="keywright", name=title, file=file)
        SubElement(case, "error", type=title, message=text).text = f"{file}:{problem.line}: {text}"


def _set_counts(suite: "Element") -> None:
    suite.set("tests", str(len(suite)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
