"""Rows of time buckets against events drawn one by one, where the day, the week, growth or a named day shape them."""

import datetime
from functools import cache

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from estimator.kernels.growth.arrivals import kind_arrivals
from estimator.kernels.growth.collection import policy
from estimator.kernels.growth.retained_rows import column_policy, stored_cell_count, stored_row_count
from estimator.kernels.growth.rowsize import row_events
from estimator.kernels.population.clock import event_curve
from tests.core.kernels.growth.designs import design, shape

ENTITIES, PER_DAY, MONTHS, LAG = 40, 400.0, 3, 3.5
DAYS = int(MONTHS * MONTH_DAYS)
START = datetime.date(2026, 12, 1)
SHARES = np.arange(1, ENTITIES + 1) ** -0.9 / np.sum(np.arange(1, ENTITIES + 1) ** -0.9)
HOUR = np.arange(DAYS * 24)
HOUR_OF_WEEK = (HOUR + START.weekday() * 24) % 168

WORLDS = {
    "flat": ({}, np.ones(len(HOUR))),
    "an hour a day": ({"profile": {"kind": "batch", "start_hour": 1, "hours": 1}}, 24.0 * (HOUR % 24 == 1)),
    "an hour a week": (
        {"profile": {"kind": "week", "hours": [float(h == 50) for h in range(168)]}},
        168.0 * (HOUR_OF_WEEK == 50),
    ),
    "office": (
        {"profile": {"kind": "office", "start_hour": 8, "end_hour": 18, "rest_share": 0.1}},
        np.where((HOUR % 24 >= 8) & (HOUR % 24 < 18) & (HOUR_OF_WEEK < 120), 1.0, 0.1) / ((50 + 118 * 0.1) / 168),
    ),
    "growing": ({"growth_per_month": 0.5}, 1.5 ** (HOUR / 24 / MONTH_DAYS)),
    "a named day": (
        {"peak_days": [{"name": "sale", "date": str(START + datetime.timedelta(days=72)), "factor": 20.0}]},
        np.where(HOUR // 24 == 72, 20.0, 1.0),
    ),
}
GC = {
    "all": None,
    "20 days": {"kind": "max_age", "age_days": 20},
    "2 versions": {"kind": "max_versions", "versions": 2},
    "either": {
        "kind": "union",
        "rules": [{"kind": "max_age", "age_days": 20}, {"kind": "max_versions", "versions": 2}],
    },
}


@cache
def draw_times(world):
    """Times of every entity's events in ascending order, in 14 trials."""
    rng = np.random.default_rng(5)
    return [[draw_entity(rng, share * PER_DAY / 24 * WORLDS[world][1]) for share in SHARES] for _ in range(14)]


def draw_entity(rng, rates):
    counts = rng.poisson(rates)
    return np.sort(np.repeat(HOUR, counts) / 24 + rng.uniform(0, 1 / 24, counts.sum()))


def count_stored(times_of_entities, bucket_days, gc, end):
    """Rows, cells and events of the rows that are there at a moment, the garbage of `LAG` days with them."""
    steps, rows, cells, events = policy(gc), 0, 0, []
    for times in times_of_entities:
        buckets = np.floor(times / bucket_days).astype(int)
        whole = np.bincount(buckets, minlength=int(DAYS / bucket_days) + 2)
        before = np.searchsorted(times, end)
        seen, bucket = times[:before][::-1], buckets[:before][::-1]
        place = np.arange(len(seen)) - np.searchsorted(-bucket, -bucket)  # newest first within its row
        fresh = seen > end - LAG
        late = np.bincount(bucket[fresh], minlength=len(whole))
        age = end - LAG - seen
        cap = np.array(steps.caps)[np.minimum(np.searchsorted(steps.ages, age), len(steps.caps) - 1)]
        cap = np.where(age > steps.ages[-1], 0, cap)
        kept = fresh | ((place - late[bucket]) < cap)
        cells += int(kept.sum())
        there = np.flatnonzero(np.bincount(bucket[kept], minlength=len(whole)))
        rows += len(there)
        events += whole[there].tolist()
    return rows, cells, events


def modelled(settings, bucket_days, gc, end):
    spec = design(
        activity={"rate_per_second": PER_DAY / 86_400, **settings}, write={"mode": "new_cell"},
        family={} if gc is None else {"gc": gc}, spec={"horizon_months": MONTHS, "start": str(START)},
    )  # fmt: skip
    table, given = spec.tables[0], shape(spec, shares=SHARES, counts=np.ones(ENTITIES), bucket_days=bucket_days)
    clocks = {"a": event_curve(spec, spec.activities[0], 0.0)}
    flows = kind_arrivals(spec, table, table.row_kinds[0], given["k"], clocks)
    family, days = table.families[0], np.array([end])
    steps = column_policy(family, family.columns[0], 0.0)
    rows = stored_row_count(flows, days, lag_days=LAG)
    cells = stored_cell_count(spec, flows, family, family.columns[0], days, lag_days=LAG, steps=steps)
    events = [float(each["w"][0]) for each in row_events(flows, days, lag_days=LAG)]
    return float(rows[0]), float(cells[0]), events


@pytest.mark.parametrize("bucket_days", [1 / 24, 1.0, 7.0])
@pytest.mark.parametrize("gc", list(GC))
@pytest.mark.parametrize("world", list(WORLDS))
def test_rows_cells_and_sizes_are_those_of_events_drawn_one_by_one(world, gc, bucket_days):
    """At 14 moments of one week: a month ends at any of them in the model."""
    settings, middle = WORLDS[world][0], DAYS - 4.0
    given = design(family={} if GC[gc] is None else {"gc": GC[gc]}).tables[0].families[0].gc
    trials = [
        count_stored(times, bucket_days, given, middle - 3.5 + 0.25 + each / 2)
        for each, times in enumerate(draw_times(world))
    ]

    rows, cells, (median, p99, largest) = modelled(settings, bucket_days, GC[gc], middle)

    assert rows == pytest.approx(np.mean([trial[0] for trial in trials]), rel=0.03)
    assert cells == pytest.approx(np.mean([trial[1] for trial in trials]), rel=0.03)
    events = np.concatenate([trial[2] for trial in trials])
    assert median == pytest.approx(np.median(events), rel=0.1, abs=1)
    assert p99 == pytest.approx(np.quantile(events, 0.99), rel=0.1, abs=1)
    assert largest == pytest.approx(np.mean([max(trial[2]) for trial in trials]), rel=0.1, abs=1)
