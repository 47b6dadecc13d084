"""A day's shape as bars: what they show, and what edited bars mean."""

from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from designer.document.activity import Profile
from designer.document.shapes import week_hours
from designer.editing.parts.profile import apply_action, bars, edited_copy, peak, read_value
from estimator.kernels.population.profile import profile_week
from tests.cases import cases

WEEK = {"kind": "week", "hours": [100] * 9 + [300] * 9 + [100] * 150}
PROFILES: list[dict[str, Any]] = [
    {"kind": "flat"},
    {"kind": "diurnal", "peak_to_mean": 1.0},
    {"kind": "diurnal", "peak_to_mean": 1.8, "peak_hour": 20},
    {"kind": "diurnal", "peak_to_mean": 5, "peak_hour": 3.5},
    {"kind": "office", "start_hour": 22, "end_hour": 6.5, "rest_share": 0.1},
    {"kind": "batch", "start_hour": 23, "hours": 2.25},
    WEEK,
    {"kind": "week", "hours": [0] * 168},
]


@cases("value", PROFILES)
def test_bars_have_the_heights_that_the_estimate_computes_with(value: dict[str, Any]) -> None:
    profile: Any = TypeAdapter[Profile](Profile).validate_python(value)

    assert week_hours(profile) == pytest.approx(profile_week(profile), abs=1e-9)


def sent(name: str, hours: Any) -> dict[str, list[str]]:
    return {f"{name}.{place}": [str(height)] for place, height in enumerate(hours)}


def test_untouched_bars_leave_the_profile_that_was_chosen() -> None:
    office = {"kind": "office", "start_hour": 9.0, "end_hour": 18.0, "rest_share": 0.05}
    shown = sent("bar", bars(office).hours) | sent("hour", bars(office).hours)

    assert read_value(office | {"end_hour": 17.0}, office, shown) == office | {"end_hour": 17.0}
    assert read_value(None, None, sent("bar", [100] * 24)) is None


def test_an_edited_bar_makes_a_week_of_its_own() -> None:
    edited_day = [100] * 23 + [250]

    assert read_value(None, None, sent("bar", edited_day)) == {"kind": "week", "hours": edited_day * 7}
    assert edited_copy(None, sent("bar", edited_day) | sent("hour", [100] * 24)) == "bar"
    assert edited_copy(None, sent("bar", [100] * 24) | sent("hour", edited_day)) == "hour"


def test_bars_that_were_stored_are_shown_as_they_stand() -> None:
    assert bars(WEEK).hours == tuple(WEEK["hours"])
    assert bars({"kind": "week", "hours": [0.5] * 84 + [1.5] * 84}).hours == (50,) * 84 + (150,) * 84


def test_numbers_that_are_no_bars_stay_as_they_were_typed_and_give_way_to_a_preset() -> None:
    own = {"kind": "week", "hours": ([12_000.0] * 23 + [0.5]) * 7}
    shown = sent("bar", bars(own).hours) | sent("hour", bars(own).numbers)

    assert bars(own).numbers == tuple(own["hours"])  # type: ignore[arg-type]
    assert read_value({"kind": "flat"}, own, shown) == {"kind": "flat"}
    assert edited_copy(own, shown | {"bar.3": ["50"], "hour.3": ["50"]}) == "bar"  # a drawn bar sets its number, too
    assert edited_copy(own, shown | {"hour.3": ["9,000"]}) == "hour"


def test_choosing_a_week_begins_with_the_bars_that_were_shown() -> None:
    batch = {"kind": "batch", "start_hour": 0.0, "hours": 12.0}

    assert read_value({"kind": "week", "hours": [1] * 168}, batch, {}) == {
        "kind": "week",
        "hours": ([200] * 12 + [0] * 12) * 7,
    }
    assert read_value({"kind": "week", "hours": [1] * 168}, WEEK, {}) == WEEK


def test_what_is_no_number_stays_what_was_typed() -> None:
    week = read_value(None, None, sent("hour", [100] * 22 + ["inf", "lots"]))

    assert week is not None
    assert week["hours"][22:24] == ["inf", "lots"]


def test_all_days_become_the_mean_day() -> None:
    days = [70.0] * 24 + [0.0] * 144

    alike = apply_action({"kind": "week", "hours": days}, "alike")

    assert alike == {"kind": "week", "hours": [10] * 168} or np.allclose(alike["hours"], 100)  # type: ignore[index]


def test_the_busiest_hour_is_the_first_of_the_highest() -> None:
    found = peak({"kind": "week", "hours": [0] * 30 + [5, 5] + [0] * 136})

    assert (found.hour, found.factor) == (30, 84)
