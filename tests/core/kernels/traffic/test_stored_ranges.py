"""Key ranges hold equal bytes where these come as the day, the week and named days bring them."""

import datetime

import numpy as np
import pytest

from designer.memory import Cache
from estimator.estimates.estimate import table_estimate
from tests.core.kernels.traffic.designs import DIURNAL, MONTH, TIME, design, field, of, traffic_of

KEPT_DAYS, RANGES = 33.5, 1024
"""A month, and half a week until it is collected."""

WEEK = {"kind": "max_age", "age_days": 7}

HOUR = np.arange(24 * 40)
"""Of the forty days before the end of the shown day, the oldest first."""

START = datetime.date(2026, 1, 1)

SHAPES = {
    "flat": ({}, lambda hour, day: 1.0),
    "diurnal": ({"profile": DIURNAL}, lambda hour, day: 1 + 0.8 * np.cos((hour + 0.5 - 20) * np.pi / 12)),
    "batch": ({"profile": {"kind": "batch", "start_hour": 1, "hours": 1}}, lambda hour, day: 24.0 * (hour == 1)),
    "office": (
        {"profile": {"kind": "office", "start_hour": 8, "end_hour": 18, "rest_share": 0.1}},
        lambda hour, day: 1.0 if 8 <= hour < 18 and day.weekday() < 5 else 0.1,
    ),
    "a named day": (
        {"peak_days": [{"name": "sale", "date": "2026-12-10", "factor": 30.0}]},
        lambda hour, day: 30.0 if day == datetime.date(2026, 12, 10) else 1.0,
    ),
}


@pytest.mark.parametrize("keys", ["time first", "four devices first"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_range_takes_as_much_of_a_day_as_it_holds(shape, keys):
    activity, rate = SHAPES[shape]
    key = [TIME, of("device", "")] if keys == "time first" else [of("device"), TIME]
    traffic = traffic_of(design(*key, fields=[field("device", 4)], activity=activity, gc=MONTH, start=str(START)))

    first = datetime.datetime.combine(traffic.day, datetime.time()) - datetime.timedelta(days=39)
    moments = [first + datetime.timedelta(hours=int(hour)) for hour in HOUR]
    rates = np.array([rate(moment.hour, moment.date()) for moment in moments])
    stored, day = rates[-round(KEPT_DAYS * 24) :].sum(), rates[-24:].sum()
    written = traffic.heat.writes_per_second.sum(axis=1)
    assert written.max() / written.sum() == pytest.approx(stored / RANGES / day, rel=0.1)
    assert traffic.heat.stored_share == pytest.approx(1 / RANGES, rel=0.05)


def test_ranges_are_remembered_while_rows_lie_where_they_lay():
    cache = Cache(1 << 28)

    def heat(**more):
        spec = design(of("device"), TIME, fields=[field("device", 4)], start=str(START), **more)
        return table_estimate(spec, spec.tables[0], cache=cache).traffic.heat, traffic_of(spec).heat

    first, other_rate, shorter_time = (heat(**more) for more in ({}, {"per_second": 70}, {"gc": WEEK}))

    assert other_rate[0].bounds is first[0].bounds
    assert shorter_time[0].bounds != first[0].bounds
    for remembered, fresh in (other_rate, shorter_time):
        assert remembered.bounds == fresh.bounds
        np.testing.assert_array_equal(remembered.stored_share, fresh.stored_share)
        np.testing.assert_array_equal(remembered.writes_per_second, fresh.writes_per_second)
