"""The comment of a pull request: what it says, and that no name in a design does anything in it."""

import re

import pytest
from markdown_it import MarkdownIt

from designer.document.edits import Edit, Move, Remove, Set
from estimator.comparison.designs import Comparison, align, compare
from estimator.comparison.designs.fail_conditions import parse_fail_condition, violated_conditions
from estimator.comparison.designs.github import MOST_CHARACTERS, escape, github_report, marker
from estimator.comparison.designs.nothing import NOTHING, empty_counterpart
from tests.core.comparison.made import compared, design, edited, side

NAMES = ("before.json", "designs/orders.keywright.yaml")
HOSTILE = (
    "a|b\n# @team <img src=x> `c` [d](//e) #12 GH-7 o/r#3 https://evil.example www.evil.example :boom: --> "
    "::error::x ##[group] $y$ ``` me@corp.example </details>"
)
GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def changed(*edits: Edit) -> Comparison:
    return compared(design(), edited(design(), *edits), alone=False)


@pytest.fixture(scope="module")
def hotter() -> Comparison:
    """The time in front, and ten times the rate of reads."""
    return changed(
        Move(at="s2", before="s1", was_before=None),
        Set(at="r", name="rate_per_second", value=50, was=5),
    )


def rows(report: str) -> list[list[str]]:
    """Return the cells of all tables."""
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in report.splitlines() if line.startswith("|")]


def test_the_first_sentence_is_the_verdict(hotter: Comparison) -> None:
    first, title, _, verdict, *_ = github_report(hotter, NAMES).splitlines()

    assert first == "<!-- keywright:designs/orders.keywright.yaml -->"
    assert title == "### Reports"
    assert re.fullmatch(
        r"\*\*\$[\d,]+\.\d\d → \$[\d,]+\.\d\d a month \(\+\$[\d,]+\.\d\d, \+[\d,]+.%\); "
        r"hottest node at the peak: [\d,]+.% → [\d,]+.%\*\*",
        verdict,
    )
    assert str(hotter.bill.difference) in verdict


def test_of_the_bill_only_changed_lines_are_shown_to_the_cent(hotter: Comparison) -> None:
    shown = rows(github_report(hotter, NAMES))
    start = next(n for n, row in enumerate(shown) if row[0] == "Cost a month")
    end = next(n for n, row in enumerate(shown) if row[0] == "**Total**")
    lines = shown[start + 2 : end]

    assert len(lines) == len(hotter.bill.changed_lines) < len(hotter.bill.lines)
    assert all(re.fullmatch(r"(–|[−+]?\$[\d,]+\.\d\d)", cell) for row in lines for cell in row[1:])
    assert all(before != after for _, before, after, _ in lines)
    assert shown[end][3] == f"**+{hotter.bill.difference}**"
    assert {row[0] for row in shown if row[0].startswith("Nodes at")} == {"Nodes at the end of the horizon"}


def test_findings_have_a_link_and_a_place_and_heat_is_a_strip(hotter: Comparison) -> None:
    assert hotter.together.came
    report = github_report(hotter, NAMES)

    assert report.count("\n- ") == len(hotter.together.came) + len(hotter.together.gone)
    for finding in hotter.together.came:
        found = re.search(rf"\[{finding.rule} [\w-]+\]\(https://[^) ]+\), (\S.*?): ", report)
        assert found is not None, finding.rule
    strips = re.findall(r"^(before| after)  ([⬜🟦🟩🟨🟧🟥]{32})$", report, flags=re.MULTILINE)
    assert [when.strip() for when, _ in strips] == ["before", "after"]
    assert strips[0][1] != strips[1][1]


def test_nothing_changed_is_said() -> None:
    report = github_report(changed(), NAMES)

    assert "Nothing changed in the design." in report
    assert "|" not in report


def test_no_name_does_anything_in_the_comment() -> None:
    named = [Set(at=at, name="name", value=HOSTILE[:60] if at == "x" else HOSTILE, was=was) for at, was in
             (("t", "readings"), ("", "Reports"), ("d", "device"))]  # fmt: skip
    before, after = (
        edited(design(), *named),
        edited(design(), *named, Set(at="a", name="rate_per_second", value=1, was=5000)),
    )
    report = github_report(compared(before, after, alone=False), (HOSTILE, HOSTILE), [HOSTILE])
    tokens = [part for token in GITHUB.parse(report) for part in (token, *(token.children or ()))]
    texts = [token.content for token in tokens if token.type == "text"]
    links = {token.attrs["href"] for token in tokens if token.type == "link_open"}
    html = {line for token in tokens if token.type.startswith("html") for line in re.findall("<[^>]*>", token.content)}

    assert sum("b" in text and "img" in text for text in texts) > 3
    assert all(str(link).startswith(("https://cloud.google.com/", "https://docs.cloud.google.com/")) for link in links)
    assert html <= {marker(HOSTILE), "<br>", "<sub>", "</sub>", "<details>", "</details>", "<summary>", "</summary>"}
    assert not any(re.search(r"@\w|#\d|GH-\d|://|www\.|:boom:", text) for text in texts)
    assert not any(token.type in ("image", "em_open", "s_open") for token in tokens)
    assert not re.search(r"^\s*::|##\[|\r", report, flags=re.MULTILINE)


def test_names_that_do_nothing_stay_as_they_are() -> None:
    for name in ("device#time, 3 × a.b (50 %) $12.00 for me", "high-performance", "a: b", "www"):
        assert escape(name) == name


@pytest.mark.parametrize("path", ["a-->b", "a--!>b", "x\ny", "-", "a--", "<!--"])
def test_no_path_ends_the_marker(path: str) -> None:
    shown = marker(path)

    assert re.fullmatch(r"<!-- keywright:[\w/.%-]+ -->", shown)
    assert "--" not in shown[4:-3]


def test_a_new_design_costs_all_it_costs_and_a_deleted_one_none() -> None:
    there = side(design())
    nothing = empty_counterpart(there, side)
    bill = there.estimate.bill
    assert bill is not None
    total = str(bill.money(bill.total))
    came = compare(nothing, there, alignment=align(nothing.spec, there.spec))
    gone = compare(there, nothing, alignment=align(there.spec, nothing.spec))
    new, old = github_report(came, (NOTHING, NAMES[1])), github_report(gone, (NAMES[1], NOTHING))

    assert f"**$0.00 → {total} a month (+{total})" in new
    assert f"**{total} → $0.00 a month (−{total}" in old
    assert new.startswith(marker(NAMES[1]))
    assert old.startswith(marker(NAMES[1]))
    assert f"<sub>{NOTHING} → Reports (" in new
    assert [change.change.sign for change in came.changes if change.change.what == "Table"] == ["added"]
    assert {change.change.sign for change in gone.changes} == {"removed"}
    assert "Findings that are gone" not in new
    assert len(came.together.came) == len(gone.together.gone)
    assert not violated_conditions(gone, (parse_fail_condition("cost"), parse_fail_condition("findings")))
    assert len(violated_conditions(came, (parse_fail_condition("cost:+1"),))) == 1


def test_a_design_that_lacks_inputs_says_so_first() -> None:
    report = github_report(changed(Set(at="a", name="rate_per_second", value=None, was=5000)), NAMES)

    assert "⚠️ 1 thing is needed before load and cost can be judged:" in report


def test_a_comment_has_room_for_what_it_says(hotter: Comparison) -> None:
    report = github_report(hotter, NAMES, ["x" * MOST_CHARACTERS])

    assert len(report) < MOST_CHARACTERS
    assert "A part is left out here" in report


def test_a_verdict_without_a_bill_is_one_sentence() -> None:
    report = github_report(changed(Remove(at="t")), NAMES)

    verdict = report.splitlines()[3]
    assert verdict.startswith("**The second design has no bill")
    assert "bill." not in verdict
