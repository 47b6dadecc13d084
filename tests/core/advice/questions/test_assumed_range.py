"""The range of the bill and of the load if assumed values differ: what it contains, when it is told, in which words."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from designer.document import Spec
from designer.examples import example
from designer.wording.formatting import english
from estimator.advice.questions.assumed_range import assumed_range
from estimator.presentation.assumed_range import range_texts
from estimator.presentation.design_page import analyze
from estimator.results import AssumedRange
from reviews.links.exclusions import Exclusions
from reviews.links.redaction import page_without
from tests.contexts import context, estimate
from tests.designs import scanned_profiles


def _range(spec: Spec) -> AssumedRange | None:
    return assumed_range(spec, estimate(spec), context())


STATED = {"distinct": 1_000, "popularity": {"kind": "zipf", "theta": 0.9}, "assigned": "arbitrary"}


@pytest.mark.parametrize(
    "stated", [{"distinct": 100}, {"distinct": 10_000}, {"popularity": {"kind": "uniform"}}, {"assigned": "arbitrary"}]
)
def test_the_range_contains_the_bill_of_a_design_that_states_another_value(stated: dict[str, Any]) -> None:
    found, other = _range(scanned_profiles()), estimate(scanned_profiles(**stated))

    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert other.bill is not None
    assert found.low - 1 <= other.bill.total <= found.high + 1


def test_the_range_contains_the_one_of_what_is_stored() -> None:
    made, found = estimate(scanned_profiles()), _range(scanned_profiles())

    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert made.bill is not None
    assert found.low <= made.bill.low <= made.bill.high <= found.high


def test_nothing_is_told_where_no_assumed_value_matters() -> None:
    assert _range(scanned_profiles(**STATED)) is None
    assert _range(example("hash-only").spec) is None


def test_it_is_computed_once() -> None:
    spec, once = scanned_profiles(), context()
    made = estimate(spec)

    assert assumed_range(spec, made, once) is assumed_range(spec, made, once)


def test_the_words_have_few_digits_and_say_what_cannot_be_served() -> None:
    spec = scanned_profiles()
    made, found = estimate(spec), AssumedRange(Decimal("1623.45"), Decimal(319_000), 0.4, 2.5)

    served, unserved = (range_texts(spec, made, one) for one in (found, replace(found, is_served=False)))

    assert {name: english(text.message, text.params) for name, text in served.items()} == {
        "bill": "$1,620–$319,000 if assumed values differ",
        "load": "busiest node at 40\u00a0%–250\u00a0% if assumed values differ",
    }
    text = unserved["bill"]
    assert english(text.message, text.params) == "from $1,620, or more than can be served, if assumed values differ"
    assert range_texts(spec, made, None) == {}


def test_a_visitor_who_sees_no_cost_sees_no_range_of_it() -> None:
    spec, once = scanned_profiles(), context()
    analysis = analyze(spec, once)

    assert page_without(spec, analysis, Exclusions(cost=True), once).assumed_range is None
    assert page_without(spec, analysis, Exclusions(samples=True), once).assumed_range == _range(spec)
