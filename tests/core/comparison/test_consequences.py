"""What changes lead to: stored keys, reads, findings, money that adds up."""

from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter

from designer.document.edits import Insert, Move, Remove, Set
from designer.document.family import Gc
from designer.document.money import Money
from designer.wording.formatting import english
from estimator.comparison.designs import Comparison, DescribedChange, align, compare
from estimator.comparison.designs.change_messages import consequences
from estimator.comparison.designs.fail_conditions import (
    InvalidFailConditionError,
    parse_fail_condition,
    violated_conditions,
)
from estimator.comparison.designs.figures import rows
from estimator.comparison.designs.github import github_report
from estimator.comparison.designs.plain_data import as_data
from estimator.comparison.designs.report import as_text
from estimator.comparison.designs.stored_data import keeps_less
from tests.cases import cases
from tests.core.comparison.made import compared, design, edited, side

SWAPPED = (
    Move(at="s2", before="s1", was_before=None),
    Set(at="s2", name="after", value="#", was=""),
    Set(at="s1", name="after", value="", was="#"),
)
"""The time in front."""
REWRITE = "all stored keys of readings must be rewritten ({device}#{time} becomes {time}#{device})"
GC = {"kind": "max_age", "age_days": 90}


def after(*edits) -> Comparison:
    return compared(design(), edited(design(), *edits))


def leads_to(told: DescribedChange) -> list[str]:
    return [english(one.text.message, one.text.params) for one in consequences(told.stored, told.step.effects)]


@pytest.fixture(scope="module")
def swapped() -> Comparison:
    doubled = Set(at="a", name="rate_per_second", value=20_000, was=5000)
    return after(*SWAPPED, doubled, Set(at="", name="name", value="Swapped", was="Reports"))


def test_a_key_is_one_decision_and_every_stored_key_of_it_is_rewritten(swapped: Comparison) -> None:
    keys = [told for told in swapped.changes if told.change.what == "Key segment"]
    assert [told.companions for told in keys] == [(4, 5), (3, 5), (3, 4)]
    assert (
        leads_to(keys[0])[0]
        == "all stored keys of readings must be rewritten ({device}#{time} becomes {time}#{device})"
    )
    assert any(line.startswith("a device's day: range") for line in leads_to(keys[0]))
    assert any("new findings: K004" in line for line in leads_to(keys[0]))
    assert keys[0].consequences >= {"data", "reads", "findings"}


def test_a_name_leads_to_nothing(swapped: Comparison) -> None:
    assert [leads_to(told) for told in swapped.changes if told.change.what == "Design"] == [[]]


def test_the_money_of_the_steps_adds_up_to_the_difference_of_the_bills(swapped: Comparison) -> None:
    each = {told.step.changes: told.step.effects.money for told in swapped.changes}
    total = swapped.bill.difference
    assert total is not None
    assert total.amount > 0
    assert sum((money.amount for money in each.values() if money), Decimal(0)) == total.amount
    assert sum(line.difference or 0 for line in swapped.bill.lines) == total.amount


def test_a_line_that_loses_its_price_is_in_no_amount_and_the_steps_still_add_up() -> None:
    oregon = Set(at="main", name="region", value="us-west1", was="us-central1")
    hdd = Set(at="", name="instance.storage", value="hdd", was=None)
    more = Set(at="a", name="rate_per_second", value=6000, was=5000)
    found = compared(design(), edited(design(), oregon, hdd, more))
    (storage,) = [line for line in found.bill.lines if line.line.item == "storage"]
    assert storage.old
    assert storage.old.where != storage.line.where
    assert storage.difference is None
    assert found.bill.difference is not None
    assert found.bill.difference.amount == sum(line.difference or 0 for line in found.bill.lines)
    each = {told.step.changes: told.step.effects.money for told in found.changes}
    assert sum(money.amount for money in each.values() if money) == found.bill.difference.amount
    assert "Lines without a price, excluded from the difference: 1." in as_text(found, ("a", "b"))
    reasons = [
        english(why.message, why.params) for why in violated_conditions(found, (parse_fail_condition("cost:+1000000"),))
    ]
    assert reasons == ["the bill gains lines without a price, so its rise is not known: Storage in main"]
    assert rows((found.before, found.after))[0].cells[1].more is None


def test_findings_that_another_step_takes_back_are_not_told() -> None:
    salted = Insert(
        parent="k", list="key", element={"id": "s0", "kind": "salt", "modulo": 16, "after": "#"}, before="s1"
    )
    found = after(salted, Remove(at="r"))
    net = {f.rule for f in found.together.came}
    assert all({f.rule for f in told.step.effects.came} <= net for told in found.changes)


def test_renamed_families_and_tighter_rules_say_what_becomes_of_stored_cells() -> None:
    found = after(
        Set(at="f", name="name", value="n", was="m"),
        Set(at="f", name="gc", value={"kind": "max_age", "age_days": 89}, was=GC),
        Set(at="c", name="qualifier", value="u", was="v"),
        Set(at="t", name="name", value="cells", was="readings"),
    )
    assert [english(t.message, t.params) for told in found.changes for t in told.stored] == [
        "tables cannot be renamed: copy the rows to a new table",
        "column families cannot be renamed: rewrite the cells into a new family",
        "stored cells that exceed the new rule are deleted",
        "stored cells stay in place and must be rewritten",
    ]


AGE, VERSIONS = {"kind": "max_age", "age_days": 30}, {"kind": "max_versions", "versions": 2}
EITHER, BOTH = ({"kind": kind, "rules": [AGE, VERSIONS]} for kind in ("union", "intersection"))


@cases("was, now, less", [
        (None, AGE, True), (AGE, None, False), (AGE, EITHER, True), (EITHER, AGE, False), (AGE, BOTH, False),
        (BOTH, AGE, True), (None, BOTH, True), (BOTH, EITHER, True), (EITHER, BOTH, False), (AGE, VERSIONS, True),
        ({"kind": "union", "rules": [VERSIONS, AGE]}, EITHER, False), ({"kind": "never"}, None, False),
        (VERSIONS, {"kind": "max_versions", "versions": 1}, True),
        ({"kind": "max_versions", "versions": 1}, VERSIONS, False),
    ])  # fmt: skip
def test_a_rule_keeps_less_if_it_deletes_any_cell_that_the_other_keeps(was: Any, now: Any, less: bool) -> None:
    rules = TypeAdapter(Gc | None)
    assert keeps_less(rules.validate_python(was), rules.validate_python(now)) is less


def test_an_accepted_risk_neither_comes_nor_goes() -> None:
    swapped = edited(design(), *SWAPPED)
    ignore = {"id": "i", "rule": "K004", "at": "s2", "reason": "small", "owner": "Ana"}
    found = compared(swapped, edited(swapped, Insert(parent="", list="ignores", element=ignore)))
    (told,) = found.changes
    (line,) = leads_to(told)
    assert line.startswith("newly accepted findings: K004")  # and what follows from it


def test_what_an_existing_instance_cannot_become_is_said() -> None:
    found = compared(
        design(),
        edited(
            design(),
            Set(at="", name="instance.storage", value="hdd", was=None),
            Set(at="main", name="region", value="us-west1", was="us-central1"),
        ),
        alone=False,
    )
    assert [english(t.message, t.params).split(":")[0] for told in found.changes for t in told.stored] == [
        "the storage type of an instance cannot be changed",
        "clusters cannot be moved",
    ]


@pytest.mark.parametrize(("days", "deleted"), [(90, False), (91, False), (89, True)])
def test_only_a_tighter_rule_deletes_cells(days: int, deleted: bool) -> None:
    gc = {"kind": "max_age", "age_days": days}
    found = compared(design(), edited(design(), Set(at="f", name="gc", value=gc, was=GC)), alone=False)
    assert bool([told for told in found.changes if told.stored]) is deleted


def test_without_computing_on_the_way_all_changes_are_one_step() -> None:
    found = compared(design(), edited(design(), *SWAPPED, Remove(at="r")), alone=False)
    assert len({told.step.changes for told in found.changes}) == 1
    assert found.changes[0].step.effects.money == found.bill.difference


def test_when_no_more_is_computed_what_is_left_is_one_step() -> None:
    left = iter([1])
    before, following = (
        design(),
        edited(design(), *SWAPPED, Remove(at="r"), Set(at="f", name="name", value="n", was="m")),
    )
    alignment = align(before, following)
    compute = lambda spec: side(spec) if next(left, None) else None  # noqa: E731
    found = compare(side(before), side(following), alignment=alignment, compute=compute)
    each = {told.step.changes: told.step.effects.money for told in found.changes}
    assert len(each) == 2
    assert found.bill.difference is not None
    assert sum(money.amount for money in each.values() if money) == found.bill.difference.amount


def test_another_engine_is_one_step_and_bills_in_two_currencies_are_never_converted() -> None:
    book = Set(at="", name="engine", value="tablestore", was="bigtable")
    found = compared(design(), edited(design(), book, Set(at="a", name="rate_per_second", value=6000, was=5000)))
    assert {told.step.changes for told in found.changes} == {(0, 1)}
    if found.bill.state == "currencies":
        assert found.bill.difference is None
        assert found.bill.lines == ()
        assert "are not converted." in as_text(found, ("a", "b"))
    else:
        assert found.bill.difference is None or found.bill.books[0] != found.bill.books[1]


def test_limits_fail_on_what_they_name(swapped: Comparison) -> None:
    def broken(*words: str) -> list[str]:
        return [
            english(t.message, t.params) for t in violated_conditions(swapped, tuple(map(parse_fail_condition, words)))
        ]

    more = swapped.bill.difference
    assert more is not None
    assert swapped.bill.before is not None
    exactly = f"cost:+{more.amount}"
    assert broken(exactly) == []
    assert len(broken(f"cost:+{more.amount - Decimal('0.01')}")) == len(broken("cost")) == 1
    per_cent = more.amount / swapped.bill.before.total * 100
    assert broken(f"cost:+{per_cent + 1:.2f}%") == []
    assert len(broken(f"cost:{per_cent - 1:.2f}%")) == 1
    assert broken("keys") == [REWRITE]
    assert any("K004" in line for line in broken("warnings"))
    assert set(broken("errors")) <= set(broken("warnings")) <= set(broken("notes")) == set(broken("findings"))


@cases("word", [
        "", "costs", "cost ", "cost:", "cost:%", "cost:-5", "cost:5%%", "cost:5 %", "cost:.", "cost:1.2.3", "cost:1e3",
        "cost:nan", "cost:५", "cost,errors", "error", "errors:5", "Keys", "keys\n",
    ])  # fmt: skip
def test_what_is_no_limit_is_refused_with_what_is(word: str) -> None:
    with pytest.raises(InvalidFailConditionError, match="cost:\\+5%"):
        parse_fail_condition(word)


def test_a_bill_that_is_gone_fails_the_limit_of_cost() -> None:
    found = compared(design(), edited(design(), Remove(at="t")), alone=False)
    (why,) = violated_conditions(found, (parse_fail_condition("cost"),))
    assert english(why.message, why.params) == "the bills cannot be compared: The second design has no bill."


def test_the_three_forms_say_the_same(swapped: Comparison) -> None:
    text, markdown, data = as_text(swapped, ("a", "b")), github_report(swapped, ("a", "b")), as_data(swapped)
    more = swapped.bill.difference
    assert isinstance(more, Money)
    for shown in (text, markdown):
        assert "Reports" in shown
        assert str(more) in shown
        assert "K004" in shown
    assert data["bill"]["difference"] == {"amount": str(more.amount), "currency": "USD"}
    assert [change["sign"] for change in data["changes"]] == ["changed", "changed", "moved", "changed", "changed"]
