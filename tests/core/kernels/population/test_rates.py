"""Rates of activities and reads: one growth law."""

import numpy as np
import pytest

from designer.document import Spec
from estimator.kernels.population.rates import activity_rate, activity_rates, monthly_rates, read_rate, read_rates
from estimator.results import NotComputableError


def activity(**parts):
    spec = Spec.model_validate({"fields": [{"id": "f", "distinct": 100}], "activities": [{"id": "a", **parts}]})
    return spec, spec.activities[0]


def test_a_rate_grows_by_the_month():
    assert activity_rate(*activity(rate_per_second=10, growth_per_month=0.1), 2) == pytest.approx(12.1)


def test_a_month_has_the_events_of_its_named_days_and_of_the_days_until_the_end():
    sales = [{"name": name, "date": date, "factor": 3} for name, date in (("a", "2026-02-02"), ("b", "2026-02-20"))]
    parts = {"rate_per_second": 2, "ends_on": "2026-02-11", "peak_days": sales}
    spec = Spec.model_validate({"start": "2026-01-01", "horizon_months": 3, "activities": [{"id": "a", **parts}]})

    rates = monthly_rates(spec, spec.activities[0])

    assert rates.at_ends.tolist() == [2, 2, 0, 0]
    assert rates.lasting.tolist() == [2, 2, 2, 2]
    # Months of 730 hours: ten days, one of them three times as busy; the second sale is after the end.
    assert rates.running_share == pytest.approx([1, 240 / 730, 0])
    assert rates.mean == pytest.approx([2, 2 * (240 + 2 * 24) / 730, 0])


def test_every_value_once_per_interval_is_a_rate():
    assert activity_rate(*activity(arrival={"kind": "every", "seconds": 10, "field": "f"})) == pytest.approx(10)


def test_an_activity_without_a_rate_says_so():
    with pytest.raises(NotComputableError) as error:
        activity_rate(*activity(name="ping"))
    assert error.value.because.at == "a"


def test_a_read_without_a_rate_is_unknown_and_not_zero():
    spec = Spec.model_validate({"tables": [{"id": "t", "row_kinds": [{"id": "k", "reads": [{"id": "r"}]}]}]})

    assert read_rate(spec, spec.tables[0].row_kinds[0].reads[0]) is None


@pytest.mark.parametrize("growth_per_month", [-1, -0.5, 0, 0.1, 10])
def test_activities_and_reads_grow_by_the_same_law(growth_per_month):
    rate = {"rate_per_second": 4, "growth_per_month": growth_per_month}
    reads = [{"id": "r", **rate}]
    spec = Spec.model_validate(
        {"activities": [{"id": "a", **rate}], "tables": [{"id": "t", "row_kinds": [{"id": "k", "reads": reads}]}]}
    )
    months = np.arange(13, dtype=np.float64)

    written = activity_rates(spec, spec.activities[0], months)

    assert written.tolist() == read_rates(spec, spec.find("r"), months).tolist()
    assert written.tolist() == pytest.approx([4 * (1 + growth_per_month) ** month for month in range(13)])
    assert activity_rate(spec, spec.activities[0], -3) == read_rate(spec, spec.find("r"), -3) == 4
