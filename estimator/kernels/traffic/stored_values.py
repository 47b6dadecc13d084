"""Spread of stored rows over a field's values, and over the times that their keys show.

Busier values have more rows, as far as keys are not written again. What a backfill writes is of times before it.
"""

from collections.abc import Callable
from typing import assert_never

import numpy as np

from designer.document import effective_value, owner_id
from designer.document.durations import DAY_SECONDS
from designer.document.key import FieldSegment
from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf
from estimator.kernels.keys.values.zeta import zipf_sum
from estimator.results.arrays import Floats, distinct

from ..population.key_parts import horizon_days
from ..population.shown_clock import ShownClock
from ..population.timeline import month_dates
from .scope import StoredRows
from .storage_age import date_seconds

LEAST_SKEW = 0.01
"""A flatter law is an even one."""
_STEPS = 30


def row_popularity(stored_rows: StoredRows, field: str) -> Popularity:
    """Return the spread of rows over the values of a field.

    Where few of the keys exist that there could be, a value has rows in proportion to its events; where each of them
    exists, values have as many. Owners and what they own have as many as there are values.
    """
    law = stored_rows.write_popularity(field)
    bound = frozenset(s.id for s in stored_rows.kind.segments if isinstance(s, FieldSegment) and s.field == field)
    if isinstance(law, Uniform | Latest) or not bound or not _stands_alone(stored_rows, field):
        return stored_rows.entity_popularity(field)
    below = stored_rows.values_per_owner(bound, {})
    events, total = below.asked / np.maximum(below.count, 1e-300), max(float(below.rows @ below.count), 1e-300)
    order = np.argsort(events)

    def rows_of(shares: Floats) -> Floats:
        """Return the share of all rows that each value with such a share of the events has."""
        return np.interp(shares, events[order], below.rows[order] / total)

    values = max(round(stored_rows.values(field)), 1)
    match law:
        case Zipf():
            return _flatter(law, rows_of, values)
        case HotSet():
            hot = max(round(law.value_share * values), 1)
            share = hot * float(rows_of(np.array(law.traffic_share / hot)))
            return law.model_copy(update={"traffic_share": min(share, law.traffic_share)})
        case Weights():
            weights = np.array(law.weights[:values])
            rows = rows_of(weights / (float(weights.sum()) + law.rest * (len(weights) < values)))
            rest = max(1 - float(rows.sum()), 0.0) if law.rest else 0.0
            return Weights(weights=tuple(rows.tolist()), rest=rest)
        case _:
            assert_never(law)


def _stands_alone(stored_rows: StoredRows, field: str) -> bool:
    """Return whether a field's values neither come and go nor are of others, or have others."""
    spec, own = stored_rows.spec, stored_rows.spec.find(field)
    is_still = own.growth_per_day is None and own.lifetime_days is None
    owns = any(owner_id(spec, name) == field for name in stored_rows.all_fields)
    return is_still and not owns and owner_id(spec, field) is None and own.unique_within is None


def _flatter(law: Zipf, rows_of: Callable[[Floats], Floats], values: int) -> Popularity:
    """Return the Zipf law by which the busiest value, and the first of the others, have their rows."""
    others = max(values - len(law.busiest), 1)
    listed = np.sort(rows_of(np.array(law.busiest)))[::-1]
    top = tuple((listed / max(float(listed.sum()), 1.0)).tolist())  # interpolated, they may add up to a little more
    first = (1 - sum(law.busiest)) / float(zipf_sum(np.array(float(others)), law.theta))
    share = float(rows_of(np.array(first))) / max(1 - sum(top), 1e-300)
    low, high = 0.0, law.theta
    for _ in range(_STEPS):
        middle = (low + high) / 2
        is_flatter = 1 / float(zipf_sum(np.array(float(others)), middle)) < share
        low, high = (middle, high) if is_flatter else (low, middle)
    if high < LEAST_SKEW and not top:
        return Uniform()
    return Zipf(theta=max(high, LEAST_SKEW), busiest=top)


def shown_rows(stored_rows: StoredRows, end_day: float) -> tuple[Floats, Floats]:
    """Return the times of the rows that are stored on a day, in proportion: days, and rows of times between them."""
    start_s = date_seconds(month_dates(stored_rows.spec)[0])
    months = (stored_rows.time.edges_s - start_s) / DAY_SECONDS
    parts = (clock.parts for clock in stored_rows.shown_clocks(end_day).values() if isinstance(clock, ShownClock))
    days = distinct(np.concatenate([*parts, months[months < end_day]]))
    return days, _rows_between(stored_rows, days, end_day)


def share_of_span(stored_rows: StoredRows, age_days: float, days: float) -> float:
    """Return the share of rows that show a time in a span of `days` that ended `age_days` before the end. [1]"""
    if not stored_rows.history_days:
        return stored_rows.time.share(age_days, days)
    end_day = horizon_days(stored_rows.spec)
    last = end_day - age_days
    total = float(shown_rows(stored_rows, end_day)[1].sum())
    inside = float(_rows_between(stored_rows, np.array([last - days, last]), end_day)[0])
    return inside / total if total > 0 else 0.0


def share_beside_row(stored_rows: StoredRows, days: float) -> float:
    """Return the share of rows in a bucket of `days`, in the mean over rows: a caller knows the time of one of them."""
    edges, rows = shown_rows(stored_rows, horizon_days(stored_rows.spec))
    densities, total = rows / np.diff(edges), float(rows.sum())
    return min(days * float(densities @ rows) / total**2, 1.0) if total > 0 else 0.0


def _rows_between(stored_rows: StoredRows, days: Floats, end_day: float) -> Floats:
    """Return the rows of times between days, in proportion: (days - 1,)."""
    spec, writes = stored_rows.spec, stored_rows.kind.creating_writes
    per_event = {write.id: float(effective_value(spec, write, "rows_per_event")) for write in writes}
    clocks = stored_rows.shown_clocks(end_day).items()
    return sum((clock.between(days[:-1], days[1:]) * per_event[write] for write, clock in clocks), np.zeros(1))
