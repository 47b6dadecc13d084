"""Mean stored bytes of a month: the integral of what is stored over it, not the mean of its ends."""

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from estimator.kernels.growth.model import build_stored_table
from estimator.kernels.growth.table import compute_growth
from tests.core.kernels.growth.designs import design, shape

AGE = {"gc": {"kind": "max_age", "age_days": 3}}
EITHER = {
    "gc": {"kind": "union", "rules": [{"kind": "max_age", "age_days": 20}, {"kind": "max_versions", "versions": 2}]}
}
SALE = {"peak_days": [{"name": "sale", "date": "2026-03-10", "factor": 50.0}]}

DESIGNS = {
    "an age": ({"family": AGE}, {"per_event": True}),
    "a named day": ({"family": AGE, "activity": SALE}, {"per_event": True}),
    "growth": ({"activity": {"growth_per_month": 1.0}, "family": AGE}, {"per_event": True}),
    "rows that fill in a minute": ({"write": {"mode": "overwrite"}}, {"shares": [0.02], "counts": [50]}),
    "rows that fill in weeks": ({"write": {"mode": "overwrite"}}, {"shares": [1e-6], "counts": [1e6]}),
    "an age or versions": (
        {"family": EITHER, "write": {"mode": "new_cell"}},
        {"shares": [0.3, 1e-4], "counts": [2, 4000]},
    ),
    "a history": ({"family": AGE, "table": {"history_months": 0.1}}, {"per_event": True}),
}


def test_a_table_that_keeps_three_days_is_full_after_six_and_a_half():
    spec = design(family=AGE)
    growth = compute_growth(spec, spec.tables[0], shape(spec, per_event=True))[0]
    first = growth.mean_ratio[0] * (growth.physical_bytes[0] + growth.physical_bytes[1]) / 2

    assert first == pytest.approx(growth.physical_bytes[1] * (1 - 6.5 / 2 / MONTH_DAYS))
    assert growth.mean_ratio[1:] == pytest.approx(1.0)


def test_what_comes_and_goes_within_a_month_is_stored_in_it():
    spec = design(family=AGE, activity={"ends_on": "2026-01-11"}, spec={"horizon_months": 3})
    growth = compute_growth(spec, spec.tables[0], shape(spec, per_event=True))[0]
    lasting = design(family=AGE)
    full = compute_growth(lasting, lasting.tables[0], shape(lasting, per_event=True))[0].physical_bytes[1]

    # Ten days are written, and each cell stays for 6.5 days: as if the full table stood for ten days.
    assert growth.passing_bytes[0] == pytest.approx(full * 10 / MONTH_DAYS, rel=1e-3)
    assert growth.passing_bytes[1:] == pytest.approx(0.0)
    assert growth.physical_bytes == pytest.approx(0.0)
    assert growth.mean_ratio == pytest.approx(1.0)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_mean_of_a_month_is_that_of_its_moments(name):
    given, shaped = DESIGNS[name]
    spec = design(spec={"horizon_months": 4}, **given)
    table, shapes = spec.tables[0], shape(spec, **shaped)
    growth = compute_growth(spec, table, shapes)[0]
    history_days = 0.1 * MONTH_DAYS if "table" in given else 0.0

    def mean(month):
        moments = np.append((month + (np.arange(150) + 0.5) / 150) * MONTH_DAYS, 4 * MONTH_DAYS)
        stored = build_stored_table(spec, table, shapes, moments, history_days=history_days, only_expected=True)
        return stored.physical_bytes()[:-1].mean()

    ends = (growth.physical_bytes[1:] + growth.physical_bytes[:-1]) / 2
    assert growth.mean_ratio * ends == pytest.approx([mean(month) for month in range(4)], rel=0.005)


def test_cold_bytes_have_a_mean_of_their_own():
    spec = design(table={"infrequent_access_days": 30})
    growth = compute_growth(spec, spec.tables[0], shape(spec, per_event=True))[0]
    second = growth.infrequent_mean_ratio[1] * growth.infrequent_bytes[2] / 2

    left = 2 * MONTH_DAYS - 33.5  # days of the second month in which something is cold
    assert second == pytest.approx(growth.infrequent_bytes[2] * left / MONTH_DAYS / 2, rel=0.01)
