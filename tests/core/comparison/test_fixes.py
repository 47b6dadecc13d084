"""What a fix adds: errors and warnings that the design has with it only."""

from dataclasses import replace

import pytest

from designer.document.design import Ignore
from designer.document.edits import Set
from designer.wording.formatting import english
from estimator.advice.rules import RULES
from estimator.comparison.fixes import added_findings, findings_added_by
from estimator.comparison.preview import preview, recommended_change
from estimator.results import Finding, each_finding
from tests.contexts import context, design_page
from tests.core.advice.rules.catalogue import MUST_BE_CAUGHT


@pytest.mark.parametrize(("rule", "added"), [("R003", ["I006"]), ("K004", [])])
def test_the_whole_design_is_checked_again_with_a_fix(rule, added):
    """Hours in place of days are small rows, and still written by one node: it no longer keeps up."""
    page = design_page(MUST_BE_CAUGHT["a readable day first"].spec())
    (fix,) = {f.rule: f.fix for f in each_finding(page.findings) if f.rule == rule}.values()

    more = findings_added_by(page.spec, page.findings, fix, context())
    trade = preview(page, fix).trade

    assert more is not None
    assert [one.rule for one in more] == added
    said = english(trade.message, trade.params) if trade else ""
    assert said == ("The fix adds 1 finding to review, listed below." if added else "")


def test_the_change_with_no_trade_is_recommended_with_what_it_does_to_the_load():
    page = design_page(MUST_BE_CAUGHT["a readable day first"].spec())

    remark, change = recommended_change(page)

    assert (remark.finding.rule, change.trade) == ("K004", None)
    busiest, *_ = change.figures
    assert english(busiest.name.message, busiest.name.params) == "Load of the busiest node"
    was, now = busiest.before.params["load_share"], busiest.after.params["load_share"]
    assert busiest.is_better
    assert busiest.difference.params["points"] == round(100 * (was - now)) > 0


def test_a_design_without_a_fix_has_no_recommended_change():
    assert recommended_change(design_page(RULES["K004"].good())) is None


def test_an_edit_that_does_not_apply_is_not_known_to_add_nothing():
    page = design_page(RULES["K004"].bad())

    assert (
        findings_added_by(page.spec, page.findings, Set(at="gone", name="name", value="a", was=""), context()) is None
    )


def _finding(severity, **more) -> Finding:
    return replace(design_page(RULES["K004"].bad()).findings[0], severity=severity, own_severity=None, under=(), **more)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ([], _finding("warning"), True),
        ([], _finding("note"), False),
        ([_finding("warning")], _finding("warning"), False),
        ([_finding("warning")], _finding("error"), True),
        ([_finding("question")], _finding("warning"), True),
        ([_finding("warning", at="elsewhere")], _finding("warning"), True),
        ([], _finding("error", ignored=Ignore(id="i", rule="K004", at="x", reason="Known.", owner="Ana")), False),
    ],
)
def test_open_errors_and_warnings_that_are_new_or_graver_are_added(before, after, counts):
    assert added_findings(before, [after]) == ((after,) if counts else ())
