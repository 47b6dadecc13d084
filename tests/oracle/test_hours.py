"""Batches and named days by the hour at which a month ends: estimated beside what is drawn."""

from typing import Any

import pytest

from .test_drawing import spec_of, text
from .test_small_cases import THREE_DAYS, assert_agree


def batch(hour: int, **more: Any) -> dict[str, Any]:
    return {"profile": {"kind": "batch", "start_hour": hour, "hours": 2}} | more


def assert_rows_agree(key: Any, activity: dict[str, Any], *, worlds: int = 100) -> None:
    spec = spec_of([text("user", 5)], ["user", key], activity=activity, rate_per_day=20)
    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows, worlds, share=0.004)


@pytest.mark.parametrize("hour", [1, 20])
def test_a_batch_early_in_the_day_has_come_once_more_at_most_hours_and_a_late_one_once_less(hour: int) -> None:
    every = {"arrival": {"kind": "every", "field": "user", "seconds": 86_400 / 4}}

    assert_rows_agree("time millisecond", batch(hour, **every), worlds=60)


@pytest.mark.parametrize("hour", [1, 20])
@pytest.mark.parametrize("key", ["time day", THREE_DAYS], ids=["days", "three days"])
def test_a_bucket_that_a_batch_fills_is_there_from_its_hour_on(key: Any, hour: int) -> None:
    assert_rows_agree(key, batch(hour))


def test_the_last_day_has_rows_of_the_values_that_came_until_any_hour_of_it() -> None:
    assert_rows_agree("time day", {})


@pytest.mark.parametrize("date", ["2026-04-01", "2026-04-30"], ids=["first", "last"])
def test_of_a_named_day_at_either_end_comes_what_its_hours_have(date: str) -> None:
    sale = {"peak_days": [{"name": "sale", "date": date, "factor": 20}]}

    assert_rows_agree("time millisecond", batch(1, **sale), worlds=40)
    assert_rows_agree("time millisecond", sale, worlds=40)
