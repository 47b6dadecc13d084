"""Times that the keys of stored rows show, where a backfill has written some of them: they are before the writes."""

import numpy as np

from designer.document import effective_value
from designer.document.durations import DAY_SECONDS
from estimator.results.arrays import Floats, distinct

from ..population.key_parts import horizon_days
from ..population.shown_clock import ShownClock
from ..population.timeline import month_dates
from .scope import StoredRows
from .storage_age import date_seconds


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
