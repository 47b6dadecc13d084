"""What must hold of any design, on the crossed random ones: without drawing, each estimated twice or more."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from estimator.results import TablePart
from tests.contexts import context

from .designs import COUNTED, Design, design

FEW, MANY = range(12), range(12, 150)
SEEDS = [*FEW, *(pytest.param(seed, marks=pytest.mark.slow) for seed in MANY)]
ROUNDING = 1.005
"""What strata and integrals may be off by."""

SKEWED_OWNERS = ("owner, owner stated", "owner, none stated", "owner alone")

Data = dict[str, Any]


def part_of(data: Data) -> TablePart:
    part = estimate(from_data(data), context()).tables["t"]
    assert part.growth is not None
    return part


def changed_part(made: Design, change: Callable[[Data], None]) -> TablePart:
    """Return the estimate of a design in which something is changed."""
    data = deepcopy(made.data)
    change(data)
    return part_of(data)


def user_of(data: Data) -> Data:
    return next(field for field in data["fields"] if field["id"] == "user")


def rows_of(part: TablePart) -> float:
    assert part.growth is not None
    return float(part.growth.rows[-1])


def busiest_share(part: TablePart) -> float:
    assert part.traffic is not None
    return next(row.share for row in part.traffic.hot_rows if row.access == "write")


def figures(part: TablePart) -> dict[str, float]:
    """Return the figures that are compared: rows, bytes, sizes of rows, and what reads meet."""
    growth = part.growth
    assert growth is not None
    sizes = growth.kinds[0]
    found = {
        "rows": rows_of(part), "bytes": float(growth.logical_bytes[-1]), "median": float(sizes.median_bytes[-1]),
        "p99": float(sizes.p99_bytes[-1]), "busiest row": busiest_share(part),
    }  # fmt: skip
    for plan in part.reads:
        found |= {f"{plan.read} {name}": getattr(plan, name) for name in ("rows_scanned", "cells_returned")}
    return found


def assert_near(found: dict[str, float], expected: dict[str, float], share: float) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=share, abs=1e-9), name


def set_popularity(data: Data, law: Data) -> None:
    user_of(data)["popularity"] = law


@pytest.mark.parametrize("seed", SEEDS)
def test_a_vanishing_skew_is_even(seed: int) -> None:
    made = design(seed)
    even = changed_part(made, lambda data: set_popularity(data, {"kind": "uniform"}))
    skewed = changed_part(made, lambda data: set_popularity(data, {"kind": "zipf", "theta": 1e-7}))
    found, expected = figures(skewed), figures(even)
    if made.features["births"] == "births":  # of 8.5 values in use the even ones are 8.5, the ranked ones 8 and a part
        del found["busiest row"], expected["busiest row"]

    assert_near(found, expected, 0.02)


def enlarge(data: Data, times: float) -> None:
    """Make all of a design so many times as large: values, new ones, events."""
    for field in data["fields"]:
        if field.get("unique_within") is None and field["id"] != "number":
            field["distinct"] = round(field["distinct"] * times)
        if "growth_per_day" in field:
            field["growth_per_day"] *= times
    for activity in data["activities"]:
        if "rate_per_second" in activity:
            activity["rate_per_second"] *= times


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_jumps_where_values_become_too_many_to_be_listed(seed: int) -> None:
    made = design(seed)
    law, relation = made.features["popularity"], made.features["relation"]
    if relation == "counter" or (law == "latest" and relation.startswith("owner")):
        return  # nothing to enlarge; the newest of each of many owners are not listed
    is_even = law == "uniform" and relation not in SKEWED_OWNERS
    sizes = (60_000, 70_000) if is_even else (64_000, 67_000)  # a skew is another one among more values
    users = user_of(made.data)["distinct"]
    few, many = (changed_part(made, lambda data, to=to: enlarge(data, to / users)) for to in sizes)

    if not is_even:
        before, after = figures(few), figures(many)
        assert_near(after, before, 0.08)
        return
    assert rows_of(many) / rows_of(few) == pytest.approx(7 / 6, rel=0.02)
    if relation not in COUNTED:
        assert busiest_share(many) / busiest_share(few) == pytest.approx(6 / 7, rel=0.1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lifetime_never_adds_rows(seed: int) -> None:
    """Than if all values that there ever are were in use all the time, each as busy.

    Values that stay while others come may be named less often than those that go: the old ones keep the events of the
    first days, when few shared them. Of 26 values and 5.7 new ones a day, 112 ± 4 are drawn in a month if they stay,
    and 130 ± 1 if each goes after 4.5 days.
    """
    made = design(seed)
    user = user_of(made.data)
    if not user.get("growth_per_day"):
        return

    def even(data: Data) -> Data:
        set_popularity(data, {"kind": "uniform"})
        data["tables"][0]["history_months"] = 0  # nothing is older than the start
        return user_of(data)

    def stay(data: Data) -> None:
        values = even(data)
        values["distinct"] += round(values.pop("growth_per_day") * MONTH_DAYS)
        values.pop("lifetime_days", None)

    def go(data: Data) -> None:
        even(data)["lifetime_days"] = user["distinct"] / user["growth_per_day"]

    assert rows_of(changed_part(made, go)) <= rows_of(changed_part(made, stay)) * ROUNDING


def double(data: Data) -> None:
    for activity in data["activities"]:
        if "rate_per_second" in activity:
            activity["rate_per_second"] *= 2
        if activity.get("arrival", {}).get("kind") == "every":
            activity["arrival"]["seconds"] /= 2
    for read in data["tables"][0]["row_kinds"][0]["reads"]:
        read["rate_per_second"] *= 2
    for field in data["fields"]:
        if field["id"] == "number" and "growth_per_day" in field:
            field["growth_per_day"] *= 2  # as many numbers for each event


@pytest.mark.parametrize("seed", SEEDS)
def test_doubled_rates_double_traffic(seed: int) -> None:
    made = design(seed)
    once, twice = part_of(made.data), changed_part(made, double)

    assert once.traffic is not None
    assert twice.traffic is not None
    for name in ("writes_per_second", "reads_per_second"):
        before, after = (float(getattr(part.traffic.heat, name).sum()) for part in (once, twice))
        assert after == pytest.approx(2 * before, rel=1e-6), name
    assert rows_of(once) <= rows_of(twice) * ROUNDING
    assert rows_of(twice) <= 2 * rows_of(once) * ROUNDING


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_below_a_prefix_are_no_more_than_all_and_these_no_more_than_events(seed: int) -> None:
    made = design(seed)
    part = part_of(made.data)
    activity, months = made.data["activities"][0], 2 if made.features["history"] == "history" else 1
    shown = {row.access for row in part.traffic.hot_rows} if part.traffic else set()
    assert "write" in shown

    for plan in part.reads:
        assert plan.rows_returned <= plan.rows_scanned * ROUNDING
        assert plan.rows_scanned <= max(rows_of(part), 4.0) * ROUNDING, plan.read
    if "rate_per_second" in activity and not activity.get("peak_days") and "growth_per_month" not in activity:
        assert rows_of(part) <= activity["rate_per_second"] * 86_400 * 365.25 / 12 * months * ROUNDING


def add_owner(data: Data) -> None:
    values = {"kind": "pattern", "text": "o{n:02}"}
    data["fields"].append({"id": "owner", "name": "owner", "kind": "string", "distinct": 7, "values": values})
    user_of(data)["belongs_to"] = "owner"
    key = data["tables"][0]["row_kinds"][0]["key"]
    key.insert(0, {"id": "k-owner", "kind": "field", "field": "owner", "after": "#"})


def add_births(data: Data) -> None:
    user = user_of(data)
    user["growth_per_day"] = 0.001 * user["distinct"]


def add_lifetime(data: Data) -> None:
    add_births(data)
    user_of(data)["lifetime_days"] = 1_000


@pytest.mark.parametrize("seed", SEEDS)
def test_knowing_more_never_hides_a_hot_row(seed: int) -> None:
    made = design(seed)
    relation, law = made.features["relation"], made.features["popularity"]
    if relation == "counter" or law == "latest":
        return
    before = busiest_share(part_of(made.data))

    if made.features["births"] == "none":
        for known in (add_births, add_lifetime):  # a month makes 3 % more values, and a hot set one more
            assert busiest_share(changed_part(made, known)) >= before * 0.9, known.__name__
    if relation not in ("none", "unique within"):
        return
    assert busiest_share(changed_part(made, add_owner)) >= before / ROUNDING
    if law == "uniform" and made.features["arrival"] != "every":
        skewed = changed_part(made, lambda data: set_popularity(data, {"kind": "zipf", "theta": 0.9}))
        assert busiest_share(skewed) >= before / ROUNDING


def test_each_of_them_is_tried_on_some_designs() -> None:
    made = [design(seed) for seed in FEW]
    assert sum(each.features["births"] == "births" for each in made) >= 3
    assert sum(each.features["popularity"] == "uniform" for each in made) >= 2
    assert np.mean([each.features["relation"] in ("none", "unique within") for each in made]) > 0.2
