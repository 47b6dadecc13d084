"""Small designs with an even clock, and events drawn one by one: what populations are held against."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from designer.document import Spec
from estimator.results.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Buckets:
    events: Floats
    counts: Floats
    active_days: Floats


@dataclass(frozen=True, eq=False)
class EvenClock:
    """The same rate at every moment."""

    per_day: float
    begin_day: float = 0.0
    week: None = None
    day_over: None = None

    @property
    def to_the_hour(self) -> "EvenClock":
        return self

    def between(self, first: Floats, last: Floats) -> Floats:
        days = np.maximum(last, self.begin_day) - np.maximum(first, self.begin_day)
        return np.maximum(days, 0.0) * self.per_day

    def buckets(self, length_days: float, first: Floats, last: Floats) -> Buckets:
        days = np.maximum(last, self.begin_day) - np.maximum(first, self.begin_day)
        return Buckets(np.array([self.per_day * length_days]), (days / length_days)[:, None], np.array([length_days]))


def design(fields: list[dict[str, Any]], key: list[dict[str, Any]], per_day: float, **activity: Any) -> Spec:
    """Return a design of one table into which one activity appends rows."""
    kind = {"id": "rows", "key": key, "writes": [{"id": "write", "activity": "event"}]}
    return Spec.model_validate(
        {
            "format": 1,
            "fields": fields,
            "activities": [{"id": "event", "rate_per_second": per_day / 86_400, **activity}],
            "tables": [{"id": "table", "row_kinds": [kind]}],
        }
    )


def field(name: str, distinct: int, **more: Any) -> dict[str, Any]:
    """Return a field of texts."""
    return {"id": name, "name": name, "kind": "string", "distinct": distinct, **more}


def of(name: str, **more: Any) -> dict[str, Any]:
    """Return a segment that shows a field."""
    return {"id": f"at-{name}", "kind": "field", "field": name, "after": "#", **more}


def time(resolution: str) -> dict[str, Any]:
    """Return a segment that shows a bucket of time."""
    return {"id": "at-time", "kind": "time", "resolution": resolution}


UNIFORM: dict[str, Any] = {"kind": "uniform"}


def zipf(theta: float) -> dict[str, Any]:
    """Return a skewed popularity."""
    return {"kind": "zipf", "theta": theta}


def clocks(spec: Spec) -> dict[str, EvenClock]:
    """Return an even clock for each write of the only row kind, by its id."""
    writes = spec.tables[0].row_kinds[0].writes
    return {write.id: EvenClock(float(spec.find(write.activity).rate_per_second) * 86_400) for write in writes}


def draw_zipf(rng: np.random.Generator, theta: float, values: int, events: int) -> Ints:
    """Return values drawn with shares proportional to rank ** -theta; 0 draws evenly."""
    weights = np.arange(1, values + 1, dtype=np.float64) ** -theta
    return rng.choice(values, size=events, p=weights / weights.sum())


def count_distinct(*columns: Any) -> int:
    """Return how many different rows columns make."""
    numbers, sizes = np.zeros(1, dtype=np.int64), 1
    for column in columns:
        values = np.asarray(column, dtype=np.int64)
        low, size = int(values.min()), int(np.ptp(values)) + 1
        sizes *= size
        assert sizes < 2**63, "rows have a number each"
        numbers = numbers * size + (values - low)
    return len(np.unique(numbers))
