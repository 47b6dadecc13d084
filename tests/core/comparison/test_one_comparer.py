"""One comparer of designs: previews of fixes say what `diff` says, and comparisons obey the laws of differences."""

import datetime
from itertools import pairwise
from typing import Any

import pytest

from designer.document import Spec, fingerprint
from designer.document.edits import Set, apply
from designer.examples import example, examples
from designer.wording.formatting import english
from estimator.advice.rules import RULES, findings
from estimator.comparison.designs import Comparison, DesignWithEstimate, Effects, align, compare
from estimator.comparison.designs.change_messages import consequences
from estimator.comparison.designs.changes import batch
from estimator.comparison.designs.effects import effects
from estimator.comparison.designs.plain_data import as_data
from estimator.comparison.designs.report import side_titles
from estimator.comparison.preview import preview
from tests.contexts import design_page, estimate
from tests.core.comparison.made import compared, design, edited

SLUGS = [each.slug for each in examples()]


def fixes(code: str) -> Any:
    page = design_page(RULES[code].bad())
    return page, [one.finding.fix for one in page.all_remarks.values() if one.finding.rule == code and one.finding.fix]


def diff(before: Spec, after: Spec) -> Comparison:
    alignment, today = align(before, after), datetime.datetime.now(datetime.UTC).date()

    def side(spec: Spec) -> DesignWithEstimate:
        made = estimate(spec)
        return DesignWithEstimate(spec, made, findings(spec, made, today))

    return compare(side(before), side(alignment.spec), alignment=alignment)


def named(made: Effects) -> dict[str, Any]:
    return {
        "reads": [one.name for one in made.reads],
        "gone": sorted((one.rule, one.severity) for one in made.gone),
        "came": sorted((one.rule, one.severity) for one in made.came),
        "heat": [one.name for one in made.heat],
        "money": made.money,
    }


@pytest.mark.parametrize("code", RULES)
def test_the_preview_of_a_fix_names_what_diff_names(code):
    page, offered = fixes(code)

    for fix in offered[:1]:
        shown = preview(page, fix)
        found = diff(page.spec, shown.after.spec)
        assert named(shown.effects) == named(found.together)
        assert [one.finding.rule for one in shown.resolved_findings] == [one.rule for one in shown.effects.gone]


@pytest.fixture(scope="module")
def sides() -> dict[str, DesignWithEstimate]:
    return {slug: _side(example(slug).spec) for slug in SLUGS}


def _side(spec: Spec) -> DesignWithEstimate:
    made = estimate(spec)
    return DesignWithEstimate(spec, made, findings(spec, made, datetime.date(2026, 11, 21)))


def test_a_design_is_no_different_from_itself(sides):
    for side in sides.values():
        found = compare(side, side, alignment=align(side.spec, side.spec))
        assert (found.changes, found.together.is_empty, found.bill.changed_lines) == ((), True, ())


def test_swapped_sides_negate_the_money_and_swap_the_findings(sides):
    for one, other in pairwise(sides.values()):
        there, back = effects(one, other), effects(other, one)
        assert (there.came, there.gone) == (back.gone, back.came)
        assert (there.money is None) == (back.money is None)
        if there.money and back.money:
            assert there.money.amount == -back.money.amount


def test_the_edits_of_all_changes_replay(sides):
    for one, other in pairwise(sides.values()):
        alignment = align(one.spec, other.spec)
        found = compare(one, DesignWithEstimate(alignment.spec, other.estimate, other.findings), alignment=alignment)
        edit = batch(one.spec, alignment.spec, [told.change for told in found.changes])
        assert fingerprint(apply(one.spec, edit)[0]) == fingerprint(alignment.spec)
        hashes = [fingerprint(one.spec), fingerprint(other.spec)]
        told = as_data(found)
        assert [told["before"]["sha256"], told["after"]["sha256"]] == hashes
        assert [title[-13:-1] for title in side_titles(found, ("", ""))] == [sha256[:12] for sha256 in hashes]


def test_larger_values_change_what_is_read_and_the_load():
    before = design()
    small = edited(before, Set(at="c", name="value.typical_bytes", value=200, was=1000))
    large = edited(small, Set(at="c", name="value.typical_bytes", value=4000, was=200))

    found = compared(small, large, alone=False).together

    texts = [english(one.text.message, one.text.params) for one in consequences((), found)]
    assert [one.read for one in found.reads] == ["r"]
    assert found.reads[0].is_worse
    assert [one.table for one in found.heat] == ["t"]
    assert any(text.startswith("a device's day: ") for text in texts)
    assert any(text.startswith("peak load of readings: ") for text in texts)
