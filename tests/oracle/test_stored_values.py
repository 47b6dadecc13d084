"""Pairs of values of which few come in a day: who has how much of what is stored, estimated beside what is drawn."""

from typing import Any

import pytest

from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import _hottest_range
from .drawing import draw
from .test_drawing import spec_of, text

LAWS: dict[str, dict[str, Any]] = {
    "skewed": {"kind": "zipf", "theta": 1.1},
    "celebrity": {"kind": "zipf", "theta": 0.9, "busiest": [0.3]},
    "hot set": {"kind": "hot_set", "value_share": 0.1, "traffic_share": 0.6},
    "weights": {"kind": "weights", "weights": [5, 3], "rest": 5},
}


def assert_busiest_range_agrees(law: dict[str, Any], cards: int, rate_per_day: int, worlds: int, **more: Any) -> None:
    fields = [text("seller", 12, popularity=law), text("card", cards)]
    spec = spec_of(fields, ["seller", "card", "time day"], rate_per_day=rate_per_day, **more)
    part = estimate(spec, context()).tables["t"]
    drawings = [draw(spec, seed, {}) for seed in range(worlds)]
    compared = _hottest_range(part, drawings, 1, is_skewed=True)
    assert compared.agrees, compared


@pytest.mark.parametrize("cards", [4_000, 60])
@pytest.mark.parametrize("law", LAWS)
def test_a_busy_value_has_rows_of_the_pairs_that_came(law: str, cards: int) -> None:
    """Busy sellers fill as many key ranges as they write: no range of equal bytes has much more than its part."""
    assert_busiest_range_agrees(LAWS[law], cards, 60, 16)


def test_values_of_which_each_pair_exists_have_as_many_rows() -> None:
    assert_busiest_range_agrees(LAWS["hot set"], 2, 1_000, 6, table={"gc": {"kind": "max_versions", "versions": 1}})
