"""The clock against a rate that is written out minute by minute and added up."""

import datetime

import numpy as np
import pytest

from designer.document import Spec
from designer.document.durations import MONTH_DAYS
from estimator.kernels.population.clock import event_curve
from tests.cases import cases

HISTORY, HORIZON = 14, 92
HOUR = np.arange(1440) / 60

PROFILES = {
    "flat": (None, lambda weekday: np.ones(1440)),
    "wave": (
        {"kind": "diurnal", "peak_to_mean": 1.6, "peak_hour": 20},
        lambda weekday: 1 + 0.6 * np.cos((HOUR + 1 / 120 - 20) * 2 * np.pi / 24),
    ),
    "office": (
        {"kind": "office", "start_hour": 9, "end_hour": 17, "rest_share": 0.1},
        lambda weekday: np.where((weekday < 5) & (HOUR >= 9) & (HOUR < 17), 1.0, 0.1),
    ),
    "batch": (
        {"kind": "batch", "start_hour": 23, "hours": 2},
        lambda weekday: np.where((HOUR >= 23) | (HOUR < 1), 1.0, 0.0),
    ),
    "wednesdays": (
        {"kind": "week", "hours": [float(h == 50) for h in range(168)]},
        lambda weekday: np.where((weekday == 2) & (HOUR >= 2) & (HOUR < 3), 1.0, 0.0),
    ),
}

PEAKS = {"none": {}, "sale": {40: 50.0}, "two": {-5: 3.0, 41: 0.0001, 42: 7.0}}


def design(profile, peaks, growth, per_second=0.5, start="2026-12-01"):
    date = datetime.date.fromisoformat(start)
    activity = {
        "id": "a",
        "rate_per_second": per_second,
        "profile": PROFILES[profile][0],
        "growth_per_month": growth,
        "peak_days": [
            {"name": str(day), "date": str(date + datetime.timedelta(days=day)), "factor": factor}
            for day, factor in PEAKS[peaks].items()
        ],
    }
    return Spec.model_validate({"start": start, "horizon_months": 3, "activities": [activity]})


def minutes_of(spec, profile, peaks):
    """Events in each minute from the history's beginning on: (minutes,)."""
    week = [PROFILES[profile][1](weekday) for weekday in range(7)]
    mean, first, growth = np.mean(week), spec.start.weekday(), spec.activities[0].growth_per_month
    days = []
    for day in range(-HISTORY, HORIZON):
        rate = spec.activities[0].rate_per_second * (1 + growth) ** (max(day + 0.5, 0) / MONTH_DAYS)
        days.append(rate * 60 * week[(first + day) % 7] / mean * PEAKS[peaks].get(day, 1.0))
    return np.concatenate(days)


@cases("growth", [0.0, 0.3, -0.5])
@cases("peaks", list(PEAKS))
@cases("profile", list(PROFILES))
def test_events_between_two_moments_are_the_sum_of_the_minutes_between_them(profile, peaks, growth):
    spec = design(profile, peaks, growth)
    upto = np.concatenate(([0.0], np.cumsum(minutes_of(spec, profile, peaks))))
    ticking = event_curve(spec, spec.activities[0], HISTORY, HORIZON, shaped=True)
    first = np.random.default_rng(1).integers(0, len(upto), 200)
    last = np.random.default_rng(2).integers(0, len(upto), 200)
    first, last = np.minimum(first, last), np.maximum(first, last)

    counted = ticking.between(first / 1440 - HISTORY, last / 1440 - HISTORY)

    assert counted == pytest.approx(upto[last] - upto[first], rel=1e-6, abs=upto[-1] * 1e-9)
    assert ticking.until(last / 1440 - HISTORY) == pytest.approx(upto[last], rel=1e-6)


@pytest.mark.parametrize("profile", list(PROFILES))
def test_at_a_random_moment_of_the_week_there_are_as_many_events_as_on_the_mean_of_its_moments(profile):
    spec = design(profile, "sale", 0.0)
    upto = np.concatenate(([0.0], np.cumsum(minutes_of(spec, profile, "sale"))))
    ticking = event_curve(spec, spec.activities[0], HISTORY, HORIZON)

    ends = np.arange(60 * 1440, 67 * 1440)  # a week of moments, 60 days before which lies the named day
    drawn = np.mean(upto[ends] - upto[ends - 35 * 1440])

    assert ticking.between(np.array(63.5 - HISTORY - 35), np.array(63.5 - HISTORY)) == pytest.approx(drawn, rel=0.01)


@pytest.mark.parametrize("profile", list(PROFILES))
def test_the_inverse_is_the_first_moment_at_which_so_many_events_have_come(profile):
    spec = design(profile, "two", 0.3)
    upto = np.concatenate(([0.0], np.cumsum(minutes_of(spec, profile, "two"))))
    ticking = event_curve(spec, spec.activities[0], HISTORY, HORIZON, shaped=True)
    asked = np.linspace(0, upto[-1] * 0.999, 50)

    found = ticking.inverse(asked)

    assert found == pytest.approx(np.interp(asked, upto, np.arange(len(upto))) / 1440 - HISTORY, abs=2 / 1440) or (
        ticking.until(found) == pytest.approx(asked, rel=1e-9)
    )
    assert np.all(ticking.until(found[1:] - 1e-3) < asked[1:])
    assert np.isinf(event_curve(design("flat", "none", -1.0), spec.activities[0], 1.0).inverse(np.array([1e18])))


BUCKETS = {"5 minutes": 5, "hour": 60, "day": 1440, "week": 7 * 1440}


@cases("growth", [0.0, 0.3])
@cases("peaks", ["none", "sale"])
@cases("length", list(BUCKETS))
@cases("profile", list(PROFILES))
def test_buckets_of_whole_weeks_are_those_that_are_counted(profile, length, peaks, growth):
    spec = design(profile, peaks, growth, start="2026-11-30")  # a Monday, so that weeks begin with the design
    minutes = minutes_of(spec, profile, peaks)[HISTORY * 1440 :][: 13 * 7 * 1440]
    counted = minutes.reshape(-1, BUCKETS[length]).sum(axis=1)

    ticking = event_curve(spec, spec.activities[0], HISTORY, HORIZON)
    buckets = ticking.buckets(BUCKETS[length] / 1440, np.zeros(1), np.array([91.0]))

    events, counts = buckets.events, buckets.counts[0]
    used = counted > counted.max() * 1e-4
    assert counts @ events == pytest.approx(counted.sum(), rel=0.01)
    assert counts[events > counted.max() * 1e-4].sum() == pytest.approx(used.sum(), rel=0.02)
    assert counts @ events**2 == pytest.approx((counted**2).sum(), rel=0.03)
    assert counts @ -np.expm1(-events / 20) == pytest.approx(-np.expm1(-counted / 20).sum(), rel=0.01)
    assert buckets.largest[0] == pytest.approx(counted.max(), rel=0.02 + growth * 7 / MONTH_DAYS)  # a random weekday


def test_an_hour_a_day_fills_one_hour_bucket_a_day_and_an_hour_a_week_one_a_week():
    end = np.array([30.4375])
    counts = {}
    for name in ("flat", "batch", "wednesdays"):
        spec = design(name, "none", 0.0)
        found = event_curve(spec, spec.activities[0], 30.4375).buckets(1 / 24, end - 28, end)
        counts[name] = (found.counts.sum(), found.largest[0] / (0.5 * 3600))

    assert counts["flat"] == pytest.approx((28 * 24, 1))
    assert counts["batch"] == pytest.approx((28 * 2, 12))
    assert counts["wednesdays"] == pytest.approx((4, 168))


def test_a_named_day_is_a_bucket_of_its_own_on_its_date():
    spec = design("flat", "sale", 0.0)
    ticking = event_curve(spec, spec.activities[0], 0.0)

    before, after = (ticking.buckets(1.0, np.zeros(1), np.array([end])) for end in (39.5, 41.5))

    assert before.largest[0] == pytest.approx(0.5 * 86_400)
    assert after.largest[0] == pytest.approx(50 * 0.5 * 86_400)
    assert after.counts.sum() == pytest.approx(41.5)
    assert ticking.between(np.array(39.5), np.array(41.5)) == pytest.approx((1 + 50) * 0.5 * 86_400)
    assert ticking.per_day(40) == pytest.approx(0.5 * 86_400)


def test_a_month_ends_at_any_hour_so_that_it_has_a_part_of_a_named_day():
    """Of all ends within half a day of its midnight half meet it, for a quarter of a day in the mean."""
    spec = design("flat", "sale", 0.0)
    ticking = event_curve(spec, spec.activities[0], 0.0)

    parts = (ticking.until(np.array([39.5, 40.0, 40.5, 41.5])) / 43_200 - [39.5, 40.0, 40.5, 41.5]) / 49
    assert parts == pytest.approx([0.0, 1 / 8, 1 / 2, 1.0])
    on_date = event_curve(spec, spec.activities[0], 0.0, shaped=True)
    assert on_date.between(np.array(40.0), np.array(41.0)) == pytest.approx(50 * 0.5 * 86_400)


def test_nothing_comes_in_a_week_of_zeros():
    never = {"id": "a", "rate_per_second": 1, "profile": {"kind": "week", "hours": [0.0] * 168}}
    spec = Spec.model_validate({"start": "2026-12-01", "activities": [never]})
    ticking = event_curve(spec, spec.activities[0], 5.0)

    assert ticking.between(np.array(-5.0), np.array(60.0)) == 0
    assert ticking.buckets(1.0, np.zeros(1), np.array([60.0])).counts.sum() == 0
    assert np.isinf(ticking.inverse(np.array([1.0])))
