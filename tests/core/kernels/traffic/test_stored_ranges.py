"""Key ranges hold equal bytes where these come as the day, the week and named days bring them."""

import datetime

import numpy as np
import pytest

from tests.core.kernels.traffic.designs import DIURNAL, MONTH, TIME, design, field, of, traffic_of

KEPT_DAYS, RANGES = 33.5, 1024
"""A month, and half a week until it is collected."""

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
