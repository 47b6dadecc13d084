"""Months of the calendar are longer or shorter than the mean one: what a read finds does not follow from that."""

import pytest

from tests.contexts import table_estimate
from tests.core.kernels.traffic.designs import TIME, design, field, of

LAST_HOUR = {"name": "hour", "rate_per_second": 50, "time": {"days": 1 / 24}}
FOR_EVER = {"kind": "max_age", "age_days": 36_500}


def rows_of_the_last_hour(start: str) -> float:
    """Return the rows that a read returns at the end of the first month of a table."""
    spec = design(
        of("device"), TIME, fields=[field("device", 1_000)], per_second=50.0, reads=[LAST_HOUR], gc=FOR_EVER,
        start=start, horizon_months=1,
    )  # fmt: skip
    return table_estimate(spec, spec.tables[0]).reads[0].rows_returned


@pytest.mark.parametrize("start", ["2026-12-01", "2027-02-01"])
def test_the_last_hour_holds_what_comes_in_an_hour_however_long_the_month_is(start: str) -> None:
    assert rows_of_the_last_hour(start) == pytest.approx(rows_of_the_last_hour("2027-04-01"), rel=1e-3)
