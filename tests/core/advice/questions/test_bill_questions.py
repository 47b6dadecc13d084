"""Questions about assumed values that decide much of the bill: which are asked, and that answers do what they say."""

from decimal import Decimal
from functools import cache

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import from_data
from designer.document.money import Money
from designer.examples import example
from estimator.advice.questions.bill_questions import LEAST_SHARE, BillQuestion, bill_questions
from tests.contexts import context, estimate


@cache
def _orders() -> Spec:
    """A design of which only a key and a rate are known."""
    return from_data({
        "start": "2026-11-22",
        "fields": [{"id": "o", "name": "order_id"}],
        "activities": [{"id": "a", "name": "ordered", "rate_per_second": 10_000}],
        "tables": [{
            "id": "t", "name": "orders",
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "o"}], "writes": [
                {"id": "w", "activity": "a"},
            ]}],
            "families": [{"id": "f", "name": "f", "gc": {"kind": "max_age", "age_days": 30}, "columns": [
                {"id": "c", "qualifier": "body"},
            ]}],
        }],
        "instance": {"clusters": [{"id": "cluster", "region": "us-central1"}]},
    })  # fmt: skip


def _asked(spec: Spec) -> tuple[BillQuestion, ...]:
    return bill_questions(spec, estimate(spec), context())


def _total(spec: Spec) -> Decimal:
    bill = estimate(spec).bill
    assert bill is not None
    return bill.total


def test_compression_and_sizes_are_asked_for_by_what_they_decide() -> None:
    asked = _asked(_orders())

    assert {(one.at, one.field) for one in asked} == {("t", "compressed_share"), ("c", "value")}
    assert [one.swing for one in asked] == sorted((one.swing for one in asked), reverse=True)
    assert all(one.swing >= _total(_orders()) * LEAST_SHARE for one in asked)


@pytest.mark.parametrize("field", ["compressed_share", "value"])
def test_an_answer_costs_what_the_question_says_and_ends_it(field: str) -> None:
    spec = _orders()
    [question] = [one for one in _asked(spec) if one.field == field]
    answers = [apply(spec, choice.edit)[0] for choice in question.choices[:3]]
    costs = sorted(map(_total, answers))
    told = question.message.params["low_rounded_cost"], question.message.params["high_rounded_cost"]

    assert all(isinstance(one, Money) for one in told)
    assert [float(one.amount) for one in told] == pytest.approx([float(costs[0]), float(costs[-1])], rel=0.01)
    assert costs[0] < _total(spec) < costs[-1]
    assert all(field not in [one.field for one in _asked(answer)] for answer in answers)


def test_no_size_is_offered_above_the_largest_that_is_known() -> None:
    orders = _orders().tables[0]
    (family,) = orders.families
    (column,) = family.columns
    known = column.model_copy(update={"value": column.value.model_copy(update={"max_bytes": 40})})
    table = orders.model_copy(update={"families": (family.model_copy(update={"columns": (known,)}),)})
    spec = _orders().model_copy(update={"tables": (table,)})
    [question] = [one for one in _asked(spec) if one.field == "value"]

    assert [choice.params["typical_bytes"] for choice in question.choices] == [15, 30]
    assert all(apply(spec, choice.edit) for choice in question.choices)


def test_nothing_is_asked_where_storage_is_little_of_the_bill_or_everything_is_known() -> None:
    assert _asked(example("ggen-tokyo").spec) == ()
    assert _asked(example("one-counter-row").spec) == ()


def test_nothing_is_asked_where_the_bill_lacks_a_line() -> None:
    activity = _orders().activities[0].model_copy(update={"rate_per_second": None})
    unknown = _orders().model_copy(update={"activities": (activity,)})

    assert "missing" in [line.price_origin for line in estimate(unknown).bill.lines]  # type: ignore[union-attr]
    assert _asked(unknown) == ()
