"""Growth against events played one by one: every row, cell and version counted, garbage collected by hand."""

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from estimator.kernels.growth.arrivals import kind_arrivals
from estimator.kernels.growth.collection import policy
from estimator.kernels.growth.retained_rows import column_policy, stored_cell_count, stored_row_count
from estimator.kernels.growth.rowsize import row_events
from estimator.kernels.population.clock import event_curve
from tests.core.kernels.growth.designs import design, shape

ENTITIES, PER_DAY = 80, 120.0
DAYS = 3 * MONTH_DAYS
WEIGHTS = np.arange(1, ENTITIES + 1) ** -0.9
SHARES = WEIGHTS / WEIGHTS.sum()


def played(rng, bucket_days, gc, lag_days):
    """Rows and cells at the end, and events of each row: Poisson events of each entity, its rows, its versions."""
    steps = policy(gc)
    rows, cells, events = 0, 0, []
    counts = rng.poisson(SHARES * PER_DAY * DAYS)
    for count in counts:
        times = np.sort(rng.uniform(0, DAYS, count))
        offset = rng.uniform(0, bucket_days or 1) if steps.age_bound_days < DAYS else 0.0
        bucket = np.zeros(count) if bucket_days is None else (times + offset) // bucket_days
        for one in np.unique(bucket):
            mine = times[bucket == one][::-1]  # newest first
            events.append(len(mine))
            then = DAYS - lag_days
            fresh, old = mine[mine > then], mine[mine <= then]
            age, place = then - old, np.arange(len(old))
            cap = np.array(steps.caps)[np.searchsorted(steps.ages, age, side="left")] if len(old) else np.zeros(0)
            kept = len(fresh) + int((place < cap).sum())
            cells += kept
            rows += kept > 0
    return rows, cells, events


def modelled(bucket_days, gc, lag_days):
    spec = design(
        activity={"rate_per_second": PER_DAY / 86_400}, write={"mode": "new_cell"},
        family={} if gc is None else {"gc": gc}, spec={"horizon_months": 3},
    )  # fmt: skip
    table, given = spec.tables[0], shape(spec, shares=SHARES, counts=np.ones(ENTITIES), bucket_days=bucket_days)
    clocks = {"a": event_curve(spec, spec.activities[0], 0.0, DAYS)}
    flows = kind_arrivals(spec, table, table.row_kinds[0], given["k"], clocks)
    family, end = table.families[0], np.array([DAYS])
    column = family.columns[0]
    rows = stored_row_count(flows, end, lag_days=lag_days)
    cells = stored_cell_count(
        spec, flows, family, column, end, lag_days=lag_days, steps=column_policy(family, column, 0.0)
    )
    return float(rows[0]), float(cells[0]), [float(each["w"][0]) for each in row_events(flows, end, lag_days=lag_days)]


def age(days):
    return {"kind": "max_age", "age_days": days}


def versions(count):
    return {"kind": "max_versions", "versions": count}


POLICIES = [
    None,
    versions(3),
    age(20),
    {"kind": "union", "rules": [versions(3), age(20)]},
    {"kind": "intersection", "rules": [versions(3), age(20)]},
]


@pytest.mark.parametrize("lag_days", [0.0, 3.5])
@pytest.mark.parametrize("bucket_days", [None, 1.0, 7.0])
@pytest.mark.parametrize("gc", POLICIES)
def test_rows_and_cells_agree_with_events_played_one_by_one(gc, bucket_days, lag_days):
    spec = design(family={} if gc is None else {"gc": gc})
    rows, cells, _ = played(np.random.default_rng(11), bucket_days, spec.tables[0].families[0].gc, lag_days)

    found_rows, found_cells, _ = modelled(bucket_days, gc, lag_days)

    assert found_rows == pytest.approx(rows, rel=0.05)
    assert found_cells == pytest.approx(cells, rel=0.05)


@pytest.mark.parametrize("bucket_days", [None, 1.0])
def test_row_sizes_agree_with_events_played_one_by_one(bucket_days):
    _, _, events = played(np.random.default_rng(12), bucket_days, None, 0.0)

    median, p99, largest = modelled(bucket_days, None, 0.0)[2]

    assert median == pytest.approx(np.median(events), rel=0.05, abs=1)
    assert p99 == pytest.approx(np.quantile(events, 0.99, method="inverted_cdf"), rel=0.05, abs=1)
    assert largest == pytest.approx(max(events), rel=0.10)
