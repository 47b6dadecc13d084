"""What lint prints: each format as its reader wants it, nothing that steers a terminal or a log, and what is new."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from designer.document import Spec, dump
from designer.document.load import from_data
from designer.examples import example, examples
from designer.http.version import VERSION
from designer.wording.printable import printable
from estimator.advice.questions import lint
from estimator.advice.rules.shared.similar_findings import SAME_RULE, summarize
from estimator.presentation.lint_reports.baseline import read_baseline, without_baseline
from estimator.presentation.lint_reports.checked_design import CheckedDesign
from estimator.presentation.lint_reports.element_lines import lines_of_elements
from estimator.presentation.lint_reports.github import github_report
from estimator.presentation.lint_reports.gitlab import gitlab_report
from estimator.presentation.lint_reports.json_data import json_report
from estimator.presentation.lint_reports.junit import junit_report
from estimator.presentation.lint_reports.line_changes import FileLines, line_changes
from estimator.presentation.lint_reports.sarif import sarif_report
from estimator.presentation.lint_reports.text import text_report
from estimator.presentation.lint_reports.unchecked_file import FileProblem, UncheckedFile
from estimator.results import Finding, each_finding
from tests.cases import cases
from tests.contexts import context, estimate

HOSTILE = "::error::own\r\n::add-mask::x \x1b[31m\u202ered, a:b 100% ##[error]z <&>"


SLUGS = [each.slug for each in examples()]


def check(spec: Spec, file: str = "designs/a.json") -> CheckedDesign:
    found = lint(spec, estimate(spec), context())
    return CheckedDesign(file, spec, lines_of_elements(dump(spec), spec), found, ())


@cache
def checked_example(slug: str) -> CheckedDesign:
    return check(example(slug).spec)


@pytest.fixture(scope="module")
def hot() -> CheckedDesign:
    return check(example("timestamp-first").spec)


@pytest.fixture(scope="module")
def design_with_hostile_names() -> CheckedDesign:
    """A design whose names would be commands, codes and markup."""
    data = json.loads(dump(example("timestamp-first").spec))
    data["name"] = data["tables"][0]["name"] = HOSTILE
    return check(from_data(data), "designs/b,c:d%.json")


REPORTS = {
    "text": text_report,
    "json": json_report,
    "github": github_report,
    "gitlab": gitlab_report,
    "junit": junit_report,
    "sarif": sarif_report,
}


@pytest.mark.parametrize("name", REPORTS)
def test_no_name_reaches_a_terminal_or_starts_a_command(design_with_hostile_names: CheckedDesign, name: str) -> None:
    report = REPORTS[name]([design_with_hostile_names])

    assert "::error::own" in printable("x" + HOSTILE)  # it is a name that could
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", report)
    if name != "github":
        assert not re.search(r"^\s*::", report, flags=re.MULTILINE)
    if name in ("text", "github", "gitlab", "junit"):
        assert "##[" not in report


def test_github_shows_each_finding_at_its_line(design_with_hostile_names: CheckedDesign, hot: CheckedDesign) -> None:
    lines = github_report([hot, design_with_hostile_names]).splitlines()
    line = hot.line_of[next(f.at for f in hot.findings if f.rule == "K004")]

    form = r"::(error|warning|notice) file=[^,:\s]+,line=\d+,title=[A-Z]\d{3} [\w-]+::\S[^\r\n]*"
    assert all(re.fullmatch(form, each) for each in lines), lines
    assert f"::error file=designs/a.json,line={line},title=K004 timestamp-first::" in lines[0]
    assert any("file=designs/b%2Cc%3Ad%25.json," in each for each in lines)
    assert not any(re.search(r"%(?!25|2C|3A)", each) for each in lines)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_finding_has_one_severity_in_every_format(slug: str) -> None:
    checked = checked_example(slug)
    texts = re.findall(r"^ +([A-Z]\d{3}) (error|warning|question|note)  ", text_report([checked]), flags=re.MULTILINE)
    told = list(each_finding(checked.findings))
    [run] = json.loads(sarif_report([checked]))["runs"]
    levels = {"error": "error", "warning": "warning", "question": "note", "note": "note"}
    notices = {"error": "error", "warning": "warning", "note": "notice"}
    grades = {"error": "critical", "warning": "major", "note": "info"}
    cases = ElementTree.fromstring(junit_report([checked])).iter("testcase")
    failures = [case.find("failure") for case in cases if case.get("classname") != "keywright"]

    assert Counter((f.rule, f.severity) for f in _lines_of_text(checked.findings)) == Counter(texts)
    severities = [levels[finding.severity] for finding in told]
    assert [each["level"] for each in run["results"]] == severities
    shown = [level for finding, level in zip(told, severities, strict=True) if finding.ignored is None]
    commands = github_report([checked]).splitlines()[: len(shown)]
    assert [line.split()[0] for line in commands] == [f"::{notices[level]}" for level in shown]
    assert [each["severity"] for each in json.loads(gitlab_report([checked]))[: len(shown)]] == [
        grades[level] for level in shown
    ]
    assert [failure.get("type") for failure in failures if failure is not None] == [
        level for level in shown if level != "note"
    ]


def _lines_of_text(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield those that stand in a line of their own: parts of a summary are told by their names."""
    for finding in findings:
        if finding.ignored is None:
            yield finding
        yield from _lines_of_text(
            part for part in finding.under if not (finding.is_summary and part.rule == finding.rule)
        )


def test_the_parts_of_a_summary_are_as_grave_as_it(hot: CheckedDesign) -> None:
    worst = hot.findings[0]
    assert (worst.severity, worst.single_severity) == ("error", "warning")

    [summary] = summarize(hot.spec, [worst] * SAME_RULE, {"K004": "The row key starts with a time."})
    report = github_report([replace(hot, findings=(summary,))])

    assert summary.is_summary
    assert [
        level for level, rule in re.findall(r"^::(\w+) .*title=(\w+)", report, flags=re.MULTILINE) if rule == "K004"
    ] == [summary.severity] * SAME_RULE


def test_gitlab_gets_what_it_asks_for_with_fingerprints_of_their_own(hot: CheckedDesign) -> None:
    report = json.loads(gitlab_report([hot, replace(hot, file="./designs/z.json")]))

    assert {each["severity"] for each in report} <= {"info", "minor", "major", "critical", "blocker"}
    assert len({each["fingerprint"] for each in report}) == len(report) > 4
    assert {each["location"]["path"] for each in report} == {"designs/a.json", "designs/z.json"}
    assert all(each["location"]["lines"]["begin"] >= 1 and each["description"] for each in report)


def test_fingerprints_outlive_other_figures(hot: CheckedDesign) -> None:
    data = json.loads(dump(hot.spec))
    data["activities"][0]["arrival"]["seconds"] = 20
    busier = check(from_data(data))
    before, after = (json.loads(gitlab_report([each])) for each in (hot, busier))

    def names(report: list[dict[str, str]]) -> dict[str, str]:
        return {each["check_name"]: each["fingerprint"] for each in report}

    assert names(before)["K004 timestamp-first"] == names(after)["K004 timestamp-first"]
    assert before != after


def test_junit_counts_failures_and_passes_what_has_none(hot: CheckedDesign) -> None:
    quiet = replace(hot, file="quiet.json", findings=())
    suites = ElementTree.fromstring(junit_report([hot, quiet])).findall("testsuite")

    assert [suite.get("name") for suite in suites] == ["designs/a.json", "quiet.json"]
    for suite in suites:
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    assert suites[0].get("failures") != "0"
    assert suites[1].get("failures") == "0"


def test_sarif_of_a_run_in_which_a_rule_failed_is_of_no_successful_run(hot: CheckedDesign) -> None:
    [run] = json.loads(sarif_report([replace(hot, failures=("K004 could not be checked.",))]))["runs"]
    [invocation] = run["invocations"]
    [told] = invocation["toolExecutionNotifications"]

    assert invocation["executionSuccessful"] is False
    assert (told["level"], told["message"]["text"]) == ("error", "K004 could not be checked.")
    assert told["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "designs/a.json"}
    assert run["results"]


def test_every_format_names_what_could_not_be_checked(hot: CheckedDesign) -> None:
    designs = [replace(hot, failures=("K004 could not be checked.",), findings=())]
    unchecked = [
        UncheckedFile("b,1.json", (FileProblem(2, "line 2: invalid JSON"), FileProblem(7, "line 7: \x1b[31m")))
    ]
    [github, *more_commands] = github_report(designs, unchecked).splitlines()
    issues = json.loads(gitlab_report(designs, unchecked))
    suites = ElementTree.fromstring(junit_report(designs, unchecked))
    data = json.loads(json_report(designs, unchecked))
    [run] = json.loads(sarif_report(designs, unchecked))["runs"]
    [invocation] = run["invocations"]

    assert github == "::error file=designs/a.json,line=1,title=failed check::K004 could not be checked."
    assert more_commands == [
        "::error file=b%2C1.json,line=2,title=unusable file::line 2: invalid JSON",
        "::error file=b%2C1.json,line=7,title=unusable file::line 7: \\x1b[31m",
    ]
    assert [(each["check_name"], each["severity"], each["location"]) for each in issues] == [
        ("failed check", "blocker", {"path": "designs/a.json", "lines": {"begin": 1}}),
        ("unusable file", "blocker", {"path": "b,1.json", "lines": {"begin": 2}}),
        ("unusable file", "blocker", {"path": "b,1.json", "lines": {"begin": 7}}),
    ]
    assert len({each["fingerprint"] for each in issues}) == 3
    counts = [[suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")] for suite in suites]
    assert counts == [["designs/a.json", "1", "0", "1", "0"], ["b,1.json", "2", "0", "2", "0"]]
    assert [error.text for error in suites.iter("error")] == [
        "designs/a.json:1: K004 could not be checked.",
        "b,1.json:2: line 2: invalid JSON",
        "b,1.json:7: line 7: \\x1b[31m",
    ]
    assert data["failed"] == ["K004 could not be checked."]
    assert [(file["file"], [each["line"] for each in file["problems"]]) for file in data["unchecked"]] == [
        ("b,1.json", [2, 7])
    ]
    assert invocation["executionSuccessful"] is False
    places = [each["locations"][0]["physicalLocation"] for each in invocation["toolExecutionNotifications"]]
    assert [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places] == [
        ("designs/a.json", 1), ("b%2C1.json", 2), ("b%2C1.json", 7)
    ]  # fmt: skip


def test_several_designs_are_told_apart_by_their_files(hot: CheckedDesign) -> None:
    heads = [line for line in text_report([hot, replace(hot, file="b.json")]).splitlines() if line[:1].strip()]

    assert heads[0].startswith(f"designs/a.json ({hot.spec.name}): ")
    assert heads[1].startswith(f"b.json ({hot.spec.name}): ")
    assert text_report([hot]).startswith(f"{hot.spec.name}: ")


def test_sarif_names_the_version_and_each_result(hot: CheckedDesign) -> None:
    [run] = json.loads(sarif_report([hot, replace(hot, file="z.json")]))["runs"]
    fingerprints = {each["partialFingerprints"]["keywright/v1"] for each in run["results"]}

    assert run["tool"]["driver"]["version"] == VERSION
    assert len(fingerprints) == len(run["results"])


def test_a_baseline_hides_what_it_has_and_nothing_else(hot: CheckedDesign) -> None:
    baseline = read_baseline(json_report([hot]))
    same, elsewhere = without_baseline(hot, baseline), without_baseline(replace(hot, file="other.json"), baseline)

    assert (same.findings, same.known) == ((), len(hot.findings))
    assert "nothing found, 3 in the baseline" in text_report([same])
    assert elsewhere.findings == hot.findings


def test_a_finding_that_became_graver_or_has_a_new_consequence_is_new(hot: CheckedDesign) -> None:
    worst = hot.findings[0]
    assert worst.under
    milder = replace(worst, severity="note", own_severity="note")
    alone = replace(worst, under=())

    for earlier in (milder, alone):
        baseline = read_baseline(json_report([replace(hot, findings=(earlier, *hot.findings[1:]))]))
        assert without_baseline(hot, baseline).findings == (worst,)
    graver = read_baseline(json_report([replace(hot, findings=(replace(worst, own_severity="error"),))]))
    assert worst not in without_baseline(hot, graver).findings


def test_of_two_equal_findings_a_baseline_with_one_hides_one(hot: CheckedDesign) -> None:
    twice = replace(hot, findings=(hot.findings[1], hot.findings[1]))
    baseline = read_baseline(json_report([replace(hot, findings=hot.findings[1:2])]))

    assert without_baseline(twice, baseline).known == 1


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "keywright-lint/1"}', '{"format": "keywright-lint/1", "findings": [{"file": "a"}]}'],
)
def test_another_file_is_no_baseline(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_baseline(text)


@pytest.fixture(scope="module")
def unfinished() -> CheckedDesign:
    """A design of which nothing can be judged yet."""
    spec = from_data({"name": "Small", "tables": [{"id": "t", "name": "log"}, {"id": "u", "name": "copy"}]})
    found = estimate(spec)
    return replace(check(spec), findings=(), unknown=found.missing_inputs, missing=found.missing_inputs)


def test_a_design_that_says_too_little_is_not_called_fine(unfinished: CheckedDesign) -> None:
    assert text_report([unfinished]).splitlines() == [
        "Small: nothing can be judged yet",
        "",
        "  2 things are needed before load and cost can be judged:",
        "    “log” has no writes. (log)",
        "    “copy” has no writes. (copy)",
    ]


def test_every_format_says_what_is_missing(unfinished: CheckedDesign) -> None:
    said = "2 things are needed before load and cost can be judged: "
    said += "“log” has no writes. (log) “copy” has no writes. (copy)"
    line = unfinished.line_of["t"]
    [command] = github_report([unfinished]).splitlines()
    [issue] = json.loads(gitlab_report([unfinished]))
    [suite] = ElementTree.fromstring(junit_report([unfinished]))
    [run] = json.loads(sarif_report([unfinished]))["runs"]
    [told] = run["invocations"][0]["toolExecutionNotifications"]

    assert line > 1
    assert command == f"::notice file=designs/a.json,line={line},title=missing inputs::{said}"
    assert (issue["description"], issue["severity"], issue["location"]["lines"]["begin"]) == (said, "info", line)
    assert [(each.get("name"), each[0].tag, each[0].get("message")) for each in suite] == [
        ("missing inputs", "skipped", said)
    ]
    assert (suite.get("tests"), suite.get("skipped"), suite.get("failures")) == ("1", "1", "0")
    assert (told["message"]["text"], run["results"]) == (said, [])
    assert told["locations"][0]["physicalLocation"]["region"] == {"startLine": line}


def test_an_activity_without_a_rate_is_said_once_however_many_tables_it_writes() -> None:
    data = json.loads(dump(example("iot-fleet").spec))
    for activity in data["activities"]:
        activity.pop("rate_per_second", None)
    missing = estimate(from_data(data)).missing_inputs
    assert len({reason.at for reason in missing}) == len(missing) >= 1


@cases("sign", ["\u2028", "\u0085", "\f", "\x1c"])
@cases("end", ["\n", "\r\n"])
def test_lines_of_a_change_are_those_of_an_editor(sign: str, end: str) -> None:
    before, after = f"a{sign}b{end}c{end}d", f"a{sign}b{end}C{end}d"

    assert list(line_changes(before, after)) == [FileLines(2, 3, f"C{end}")]
    assert list(line_changes("", f"a{end}")) == [FileLines(1, 1, f"a{end}")]
    assert list(line_changes("a", "")) == [FileLines(1, 2, "")]
