"""Questions in place of findings that depend on assumed values: which, about what, how weighed, and their answers."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from designer.document import Spec, fingerprint
from designer.document.dump import to_plain_data
from designer.document.edits import apply
from designer.document.load import from_data
from designer.document.money import Money
from estimator.advice.questions import RuleFailure, lint
from estimator.advice.questions.open_guesses import ORDER, open_guesses
from estimator.advice.rules import RULES, findings
from estimator.presentation.assumed_range import range_texts
from estimator.results import Finding
from tests.contexts import TODAY, context, estimate

EVEN = {"kind": "uniform"}
NEWEST = {"kind": "max_versions", "versions": 1}


def _design(*, per_second: float = 2_000, mode: str | None = "overwrite", **tenant: Any) -> Spec:
    """Rows of tenants, overwritten; what is not said of the tenant is assumed."""
    return from_data(
        {
            "fields": [{"id": "tenant", "name": "tenant", **tenant}],
            "activities": [{"id": "a", "name": "saved", "rate_per_second": per_second}],
            "tables": [
                {
                    "id": "t",
                    "name": "profiles",
                    "row_kinds": [
                        {
                            "id": "k",
                            "key": [{"id": "s", "kind": "field", "field": "tenant"}],
                            "writes": [{"id": "w", "activity": "a", "mode": mode}],
                        }
                    ],
                    "families": [{"id": "f", "name": "f", "gc": NEWEST, "columns": [{"id": "c", "qualifier": "c"}]}],
                }
            ],
            "instance": {"clusters": [{"id": "cluster", "region": "us-central1"}]},
        }
    )


def _linted(spec: Spec, **options: Any) -> tuple[Finding, ...]:
    return lint(spec, estimate(spec, **options), context())


def _questions(spec: Spec) -> list[Finding]:
    return [each for each in _linted(spec) if each.severity == "question"]


def _grave(spec: Spec) -> set[str]:
    return _codes(_linted(spec))


def _codes(found: tuple[Finding, ...]) -> set[str]:
    """Rules of errors and warnings, consequences included."""
    return {each.rule for head in found for each in (head, *head.under) if each.severity in ("error", "warning")}


def _raw(spec: Spec) -> set[str]:
    return _codes(findings(spec, estimate(spec), TODAY))


def test_what_only_an_assumed_skew_breaks_is_a_question_about_it() -> None:
    spec = _design(distinct=10_000)

    [question] = _questions(spec)

    assert "K014" in _raw(spec)
    assert _grave(spec) == set()
    assert (question.rule, question.at, question.field) == ("G001", "tenant", "popularity")
    assert "K014" in {each.rule for each in question.under}
    assert {each.severity for each in question.under} == {"question"}


def test_what_is_said_stays_an_error_or_a_warning() -> None:
    said = _design(distinct=10_000, popularity={"kind": "zipf", "theta": 0.9})

    assert _questions(said) == []
    assert _grave(said) == _raw(said) != set()


def test_what_even_values_break_too_stays_whatever_is_assumed() -> None:
    busy = _design(distinct=10, per_second=20_000)  # 2,000 a second on each row

    assert "K014" in _grave(busy)


def test_an_assumed_number_is_asked_for_where_more_values_would_do() -> None:
    spec = _design(popularity=EVEN, per_second=5_000)

    [question] = _questions(spec)

    assert (question.rule, question.at, question.field) == ("G002", "tenant", "distinct")
    assert _grave(spec) == set()


def test_an_answer_is_an_edit_that_settles_the_question() -> None:
    for spec in (_design(distinct=10_000), _design(popularity=EVEN, per_second=5_000)):
        [question] = _questions(spec)
        for choice in question.choices:
            answered, _ = apply(spec, choice.edit)

            assert fingerprint(answered) != fingerprint(spec)
            assert [each for each in _questions(answered) if each.rule == question.rule] == []


def test_answers_decide_between_nothing_and_what_hangs_on_the_question() -> None:
    spec = _design(distinct=10_000)
    [question] = _questions(spec)

    after = [_grave(apply(spec, choice.edit)[0]) for choice in question.choices]

    assert after[0] == set()  # even
    assert all("K014" in each for each in after[1:])


@pytest.mark.parametrize("code", ORDER)
def test_every_kind_of_question_has_answers_of_which_one_clears_it(code: str) -> None:
    spec = RULES[code].bad()
    [question] = [each for each in _linted(spec) if each.rule == code]

    left = []
    for choice in question.choices:
        answered, _ = apply(spec, choice.edit)
        found = _linted(answered)
        assert code not in {each.rule for each in found}
        left.append(
            {each.rule for each in found if each.severity in ("error", "warning")} & {f.rule for f in question.under}
        )
    assert set() in left


def test_money_that_hangs_on_the_answer_is_in_the_question() -> None:
    spec = _design(mode=None, distinct=10_000, popularity=EVEN, per_second=20_000)
    [question] = [each for each in _questions(spec) if each.rule == "G003"]
    added, _ = apply(spec, question.choices[0].edit)
    totals = [bill.total for bill in (estimate(spec).bill, estimate(added).bill) if bill is not None]

    swing = question.params["rounded_cost"]

    assert isinstance(swing, Money)
    assert swing.amount == pytest.approx(abs(totals[0] - totals[1]), rel=Decimal("0.01"))
    assert swing.amount > 1_000
    assert "a month" in question.message


def test_questions_come_after_warnings_and_those_with_more_findings_first() -> None:
    spec = _design(distinct=10_000)
    two = spec.model_copy(update={"fields": (*spec.fields, spec.fields[0].model_copy(update={"id": "other"}))})
    order = [each.severity for each in _linted(two)]

    assert order == sorted(order, key=["error", "warning", "question", "note"].index)


def test_accepting_what_hangs_on_a_question_keeps_being_used() -> None:
    ignore = {"id": "i", "rule": "K014", "at": "w", "reason": "Known.", "owner": "Ana"}
    spec = _design(distinct=10_000)
    spec = from_data({**spec.model_dump(mode="json", exclude_unset=True), "ignores": [ignore]})

    found = _linted(spec)

    assert "A001" not in {each.rule for each in found}


def test_a_question_can_be_accepted() -> None:
    ignore = {"id": "i", "rule": "G001", "at": "tenant", "reason": "No data yet.", "owner": "Ana"}
    spec = from_data({**_design(distinct=10_000).model_dump(mode="json", exclude_unset=True), "ignores": [ignore]})

    [question] = [each for each in _linted(spec) if each.rule == "G001"]

    assert question.ignored is not None


def test_fully_specified_designs_are_not_judged_twice() -> None:
    spec = _design(distinct=10_000, popularity={"kind": "zipf", "theta": 0.9})

    assert open_guesses(spec, {"t"}) == ()


def test_a_rule_that_fails_with_other_values_keeps_its_finding(monkeypatch):
    design, rule = _design(), RULES["K014"]
    assert "K014" not in _grave(design)

    def breaks_when_even(spec, made):
        if spec.find("tenant").popularity is not None:
            raise ZeroDivisionError
        yield from rule.check(spec, made)

    breaks_when_even.__module__ = rule.check.__module__  # a rule has the name and the docstring of its module
    monkeypatch.setitem(RULES, "K014", replace(rule, check=breaks_when_even))
    failures: list[RuleFailure] = []
    found = lint(design, estimate(design), context(), failures)

    assert "K014" in _codes(found)
    assert [failure.rule.code for failure in failures] == ["K014"]


def _prefixes(**place: Any) -> Spec:
    """Trips below one of many places, all of a place's read at once."""
    spec = _design(per_second=5_000, mode="append_row", distinct=50_000, **place)
    kind = spec.tables[0].row_kinds[0]
    key = ({"id": "s", "kind": "field", "field": "tenant", "after": "#"}, {"id": "when", "kind": "time"})
    reads = [{"id": "r", "rate_per_second": 200_000, "binds": [{"field": "tenant"}]}]
    data = to_plain_data(spec)
    data["tables"][0]["row_kinds"] = [{**to_plain_data(kind), "key": list(key), "reads": reads}]
    data["tables"][0]["families"][0]["gc"] = {"kind": "max_age", "age_days": 30}
    return from_data(data)


def test_an_assumed_skew_never_refuses_a_design_it_asks() -> None:
    spec, said = _prefixes(), _prefixes(popularity={"kind": "zipf", "theta": 0.9})
    made, refused = estimate(spec), estimate(said)

    [question] = [each for each in _linted(spec) if each.severity == "question"]

    assert refused.bill is None
    assert made.bill is not None
    assert made.bill.total == estimate(_prefixes(popularity=EVEN)).bill.total
    assert made.tables["t"].assumed_even == ("tenant",)
    assert (question.rule, question.at) == ("G001", "tenant")
    assert "I026" in {each.rule for each in question.under}
    assert "G001" not in {each.rule for each in _linted(said)}
    assert "even" in range_texts(spec, made, None)
