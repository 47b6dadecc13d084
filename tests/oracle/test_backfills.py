"""Backfills: rows that are written now and show times of the past, estimated beside what is drawn."""

from typing import Any

import numpy as np
import pytest

from designer.document.dump import to_plain_data
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .drawing import draw
from .test_drawing import spec_of, text

WORLDS = range(24)
HISTORY: dict[str, Any] = {"arrival": {"kind": "backfill", "days": 60}}
SPANS = {"day": (1, 0), "week": (7, 0), "old week": (7, 40), "week before the start": (7, 75)}
READS = [
    {"id": name.replace(" ", "-"), "binds": [{"field": "user"}], "time": {"days": days, "age_days": age_days}}
    for name, (days, age_days) in SPANS.items()
]


def backfill(key: str = "time millisecond", *, rate_per_day: float = 40, users: int = 5, **more: Any):
    """A table of events by user that a backfill of 60 days writes for a month."""
    more = {"activity": HISTORY, "reads": READS} | more
    return spec_of([text("user", users)], ["user", key], rate_per_day=rate_per_day, **more)


def backfill_beside_live_events(months: int = 1, table: dict[str, Any] | None = None, **history: Any):
    """The same, of events that come now, and of a backfill that may end."""
    live = backfill(rate_per_day=20, activity={}, **({"table": table} if table else {}))
    data: Any = to_plain_data(live)
    data["horizon_months"] = months
    data["activities"].append({"id": "past", "rate_per_second": 30 / 86_400} | HISTORY | history)
    data["tables"][0]["row_kinds"][0]["writes"].append({"id": "load", "activity": "past", "mode": "overwrite"})
    return from_data(data)


@pytest.mark.parametrize(
    "spec",
    [
        backfill(),
        backfill("time day", users=1_000),
        backfill(activity=HISTORY | {"growth_per_month": 1.0}),
        backfill_beside_live_events(),
        backfill_beside_live_events(3),
        backfill_beside_live_events(2, ends_on="2026-04-11"),
        backfill_beside_live_events(2, table={"gc": {"kind": "max_age", "age_days": 10}}),
    ],
    ids=["history alone", "days", "grows", "beside live events", "three months", "has ended", "is collected"],
)
def test_reads_of_a_span_meet_the_rows_that_show_its_times(spec) -> None:
    part = estimate(spec, context()).tables["t"]
    plans = {plan.read: (plan.bound, plan.open_at) for plan in part.reads}
    drawings = [draw(spec, seed, plans, has_rows_measured=False) for seed in WORLDS]

    wrong = []
    for plan in part.reads:
        rows = [np.mean([answer.rows_scanned for answer in drawing.answers[plan.read]]) for drawing in drawings]
        mean, error = float(np.mean(rows)), float(np.std(rows, ddof=1)) / len(rows) ** 0.5
        # Half a row in one of the worlds is nothing that they tell.
        if abs(plan.rows_scanned - mean) > 4 * error + 0.02 * mean + 0.5 / len(rows):
            wrong.append(f"{plan.read}: {plan.rows_scanned}, drawn {mean} ± {error}")
    assert len(part.reads) == len(SPANS)
    assert not wrong, "\n".join(wrong)


def test_the_last_hour_is_hardly_there_and_a_day_of_the_history_is() -> None:
    """2,400 rows a day are of 60 days: 40 of each. Of the last hour's those are there that were written in it, too."""
    spans = {"hour": {"days": 1 / 24}, "day": {"days": 1, "age_days": 40}}
    reads = [{"id": name, "binds": [{"field": "user"}], "time": time} for name, time in spans.items()]
    spec = backfill(rate_per_day=2_400, users=1, reads=reads)
    hour, day = (plan.rows_scanned for plan in estimate(spec, context()).tables["t"].reads)

    # 40 ÷ 24 of an hour by a day of writing: 1 / 24 of a day, of which half came before the time that they show.
    assert hour == pytest.approx(40 / 24 / 24 / 2, rel=0.05)
    # From 41 to 40 days ago: 40 of what was written on each of the month's 30.4 days.
    assert day == pytest.approx(40 * 30.4375, rel=0.01)
