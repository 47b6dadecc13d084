"""Two bills beside each other, over neighbouring examples: lines add up, and sides swap."""

import datetime
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from designer.examples import example, examples
from estimator.advice.rules import findings
from estimator.comparison.designs import DesignWithEstimate, align, compare
from estimator.comparison.designs.bills import BillDifference, bill_difference
from estimator.comparison.designs.fail_conditions import FailCondition, violated_conditions
from estimator.results import Estimate
from tests.contexts import estimate

PAIRS = list(pairwise(one.slug for one in examples()))
GATES = ("cost", "findings", "errors", "warnings", "notes", "keys", "scans")


@pytest.fixture(scope="module")
def estimates() -> dict[str, Estimate]:
    return {one.slug: estimate(example(one.slug).spec) for one in examples()}


@pytest.fixture(scope="module")
def differences(estimates: dict[str, Estimate]) -> list[tuple[BillDifference, BillDifference]]:
    """Neighbouring examples with a bill in one currency, both ways."""
    found = [
        (bill_difference(estimates[one], estimates[other]), bill_difference(estimates[other], estimates[one]))
        for one, other in PAIRS
    ]
    return [(there, back) for there, back in found if there.state == "compared"]


def test_the_differences_of_the_lines_add_up_to_that_of_the_bills(differences) -> None:
    assert len(differences) > 20
    for there, _ in differences:
        assert there.difference is not None
        known = [line.difference for line in there.lines if line.difference is not None]
        assert sum(known, Decimal(0)) == there.difference.amount
        if not there.open_lines:
            assert there.difference.amount == there.after.total - there.before.total


def test_every_line_of_both_bills_is_in_one_pair(differences) -> None:
    for there, _ in differences:
        assert sorted(id(line.old) for line in there.lines if line.old) == sorted(map(id, there.before.lines))
        assert sorted(id(line.new) for line in there.lines if line.new) == sorted(map(id, there.after.lines))


def test_swapped_bills_negate_every_line(differences) -> None:
    for there, back in differences:
        forward = {(id(line.old), id(line.new)): line.difference for line in there.lines}
        backward = {(id(line.new), id(line.old)): line.difference for line in back.lines}
        assert forward.keys() == backward.keys()
        assert all(backward[pair] == (None if amount is None else -amount) for pair, amount in forward.items())
        assert (there.open_lines, len(there.changed_lines)) == (back.open_lines, len(back.changed_lines))


def test_bills_in_two_currencies_are_not_subtracted(estimates) -> None:
    one = estimates["iot-fleet"]
    other = replace(one, bills=tuple(replace(bill, currency="CNY") for bill in one.bills))

    found = bill_difference(one, other)

    assert (found.state, found.difference, found.share, found.lines) == ("currencies", None, None, ())
    assert [note.message for note in found.notes] == ["The bills are in {first} and {second} and are not converted."]


@pytest.mark.parametrize(
    ("has", "state", "note"),
    [
        ((False, True), "none_before", "The first design has no bill."),
        ((True, False), "none_after", "The second design has no bill."),
        ((False, False), "none", "Neither design has a bill."),
    ],
)
def test_a_design_without_a_bill_has_no_difference_and_says_which(estimates, has, state, note) -> None:
    one = estimates["iot-fleet"]
    sides = [one if bill else replace(one, bills=()) for bill in has]

    found = bill_difference(*sides)

    assert (found.state, found.difference, found.share) == (state, None, None)
    assert [text.message for text in found.notes] == [note]


@pytest.mark.parametrize("slug", ["iot-fleet", "timestamp-first", "campus-orders"])
def test_a_design_beside_itself_violates_no_limit(estimates, slug: str) -> None:
    spec, made = example(slug).spec, estimates[slug]
    side = DesignWithEstimate(spec, made, findings(spec, made, datetime.date(2026, 11, 21)))

    found = compare(side, side, alignment=align(spec, spec))

    assert violated_conditions(found, tuple(map(FailCondition, GATES))) == ()
