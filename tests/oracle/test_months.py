"""Reads of a design that fills: what they take in each month by one estimate, beside what is drawn until then."""

from typing import Any

import numpy as np
import pytest

from estimator.engines import bigtable
from estimator.estimates.estimate import estimate
from estimator.kernels.traffic.node_time import scan_seconds
from tests.contexts import context

from .drawing import draw
from .test_drawing import spec_of, text

MONTHS = (1, 3, 6)
WORLDS = range(10)
OF_USER = {"binds": [{"field": "user"}]}
READS: dict[str, dict[str, Any]] = {"all": {}, "of-a-user": OF_USER, "a-span": OF_USER | {"time": {"days": 40}}}
LARGE = {"columns": [{"id": "c", "qualifier": "q", "value": {"typical_bytes": 200_000}}]}
"""Values so large that reading them takes more than finding them."""

DESIGNS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "fills": ([text("user", 8)], {}),
    "fills with skewed users": ([text("user", 20, popularity={"kind": "zipf", "theta": 1.1})], {}),
    "users come": ([text("user", 4, growth_per_day=0.2)], {}),
    "is collected after 50 days": ([text("user", 8)], {"table": {"gc": {"kind": "max_age", "age_days": 50}} | LARGE}),
    "comes ever faster": ([text("user", 8)], {"activity": {"growth_per_month": 0.2}}),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_reads_take_in_each_month_what_they_scan_in_worlds_drawn_until_then(name: str) -> None:
    fields, more = DESIGNS[name]
    reads = [{"id": read, "rate_per_second": 1.0} | asks for read, asks in READS.items()]
    more = {"table": LARGE} | more
    spec = spec_of(fields, ["user", "time millisecond"], rate_per_day=8, reads=reads, **more)
    spec = spec.with_horizon(MONTHS[-1])
    part = estimate(spec, context()).tables["t"]
    plans = {plan.read: (plan.bound, plan.open_at) for plan in part.reads}
    capacity = bigtable.instance_capacity(spec.instance)

    wrong = []
    for month in MONTHS:
        drawings = [draw(spec.with_horizon(month), seed, plans, has_rows_measured=False) for seed in WORLDS]
        for plan in part.reads:
            answers = [each.answers[plan.read] for each in drawings]
            scanned = np.array([np.mean([answer.bytes_scanned for answer in each]) for each in answers])
            mean, error = float(scanned.mean()), float(scanned.std(ddof=1) / len(scanned) ** 0.5)
            estimated = plan.over(MONTHS[-1]).node_seconds[month]
            low, high = (
                scan_seconds(capacity, mean * (1 + share) + 4 * error * sign)
                for share, sign in ((-0.03, -1), (0.03, 1))
            )
            if not low <= estimated <= high:
                wrong.append(f"{plan.read}, month {month}: {estimated}, drawn {low} to {high}")
    assert len(part.reads) == len(READS)
    assert not wrong, "\n".join(wrong)
