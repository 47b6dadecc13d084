"""Figures of two simulations side by side, made by hand: swapped sides swap the judgement, nothing equal is told."""

from decimal import Decimal
from itertools import product

import pytest

from designer.wording.formatting import Text, english
from estimator.comparison.simulations import Difference, describe
from estimator.presentation.run_page import Vital

UNITS = {
    "hottest": "share", "refused": "operations", "reachable": "factor", "nodes": "nodes", "row": "nodes",
    "range": "nodes", "cost": "cost",
}  # fmt: skip
LESS_IS_BETTER = {"reachable": False}
VALUES = {"cost": (Decimal("10.00"), Decimal("10.01"), Decimal(5000))}
PLAIN = (0.0, 0.02, 1.0, 1.001, 1.2, 500.0)
OPPOSITE = {"better": "worse", "worse": "better", "": ""}


def vital(name: str, value: float | Decimal | None, *, at_least: bool = False) -> Vital:
    return Vital(name, Text(name), value, UNITS[name], LESS_IS_BETTER.get(name, True), at_least)


def pairs() -> list[Difference]:
    return [
        Difference(vital(name, one), vital(name, other))
        for name in UNITS
        for one, other in product(VALUES.get(name, PLAIN), repeat=2)
    ]


def swap(difference: Difference) -> Difference:
    return Difference(difference.second, difference.first, difference.comparable)


def test_swapped_sides_negate_the_difference_and_swap_the_judgement() -> None:
    for one in pairs():
        other = swap(one)
        assert (one.by, one.kind, one.relative_distance) == (-other.by, OPPOSITE[other.kind], other.relative_distance)
        assert (one.is_equal, one.is_slight, one.is_idle) == (other.is_equal, other.is_slight, other.is_idle)


def test_equal_figures_are_neither_better_nor_worse_and_are_not_told() -> None:
    equal = tuple(one for one in pairs() if one.first.value == one.second.value)

    assert equal
    assert {one.kind for one in equal} == {""}
    assert describe(equal, "USD") == ()


def test_every_cent_of_the_bill_is_told_and_a_thousandth_of_a_load_is_not() -> None:
    cent = Difference(vital("cost", Decimal("10.00")), vital("cost", Decimal("10.01")))
    slight = Difference(vital("nodes", 1.0), vital("nodes", 1.001))

    (told,) = describe((cent, slight), "USD")

    assert english(told.message, told.params) == "The second costs $0.010 a month more."


@pytest.mark.parametrize(
    ("name", "first", "second", "sentence"),
    [
        ("refused", 500.0, 0.0, "The second rejects 500 fewer operations."),
        ("reachable", 1.2, 1.0, "The second has less headroom: it can reach 1× its load, the first 1.2×."),
        ("nodes", 1.0, 500.0, "The maximum of the second is 499 nodes higher."),
        ("cost", Decimal(5000), Decimal("10.00"), "The second costs $4,990 a month less."),
    ],
)
def test_a_difference_is_one_sentence(name: str, first: float, second: float, sentence: str) -> None:
    (told,) = describe((Difference(vital(name, first), vital(name, second)),), "USD")

    assert english(told.message, told.params) == sentence


@pytest.mark.parametrize("at_least", [(True, False), (False, True), (True, True)])
def test_a_bill_with_an_open_line_on_either_side_is_compared_by_what_has_a_price(at_least: tuple[bool, bool]) -> None:
    one, other = (
        vital("cost", value, at_least=open_) for value, open_ in zip((Decimal(1), Decimal(3)), at_least, strict=True)
    )

    (told,) = describe((Difference(one, other),), "USD")

    assert english(told.message, told.params) == "Among lines with a price, the second costs $2.00 a month more."


def test_without_a_figure_or_in_another_unit_there_is_no_difference() -> None:
    unknown = Difference(vital("nodes", 3.0), vital("nodes", None))
    units = Difference(vital("row", 3.0), Vital("row", Text("row"), 3.0, "share", True))

    assert [(one.by, one.kind) for one in (unknown, units)] == [(None, ""), (None, "")]
    assert describe((unknown, units), "USD") == ()


def test_rejections_of_different_loads_are_not_judged() -> None:
    refused = Difference(vital("refused", 500.0), vital("refused", 0.0), comparable=False)

    assert (refused.by, refused.kind) == (-500.0, "")


def test_a_row_that_keeps_no_node_busy_is_no_news() -> None:
    idle = Difference(vital("row", 0.0), vital("row", 0.02))
    busy = Difference(vital("row", 1.0), vital("row", 500.0))

    assert (idle.kind, busy.kind) == ("", "worse")
