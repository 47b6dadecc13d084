"""Distributions of writes and reads over times and values, with which keys are queried."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from designer.document import effective_value
from designer.document.access import Read, Write
from designer.document.activity import Activity, Backfill
from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment, segment_fields
from designer.document.popularity import Latest, Popularity
from designer.document.rotation import TablePeriod
from estimator.kernels.keys import EventDistribution, KeyPattern, TimeDistribution
from estimator.kernels.keys.distribution.classes import bucket_seconds
from estimator.kernels.keys.values.popularity import top_share
from estimator.results import ReadPlan
from estimator.results.arrays import Floats

from ..population.timeline import month_dates
from .scope import StoredRows, bind_of
from .storage_age import date_seconds
from .stored_values import row_popularity, shown_rows

LAGS = (0.0, 0.5, 1.5, 3.0, 6.0)
"""Bounds of the pieces of an exponential lateness, in its means; beyond the last is a quarter of a per cent."""


@dataclass(frozen=True)
class ReferenceDay:
    """The shown day cut into windows."""

    start_s: float
    windows: int

    @property
    def edges_s(self) -> Floats:
        """(windows + 1,) seconds since 1970 UTC."""
        return self.parts(self.windows)

    @property
    def end_s(self) -> float:
        """The next midnight, in seconds since 1970 UTC."""
        return self.start_s + DAY_SECONDS

    def parts(self, count: int) -> Floats:
        """Return the day cut into `count` parts: (count + 1,) seconds since 1970 UTC."""
        return self.start_s + np.linspace(0.0, DAY_SECONDS, count + 1)


def window_count(pattern: KeyPattern, day: ReferenceDay) -> int:
    """Parts of the day in which keys differ: all windows, the buckets of a coarse time, or one where nothing moves.

    Fields that gain a few values a day hold still for a day.
    """
    if pattern.inputs.per_event or any(shape.kind == "timestamp" for shape in pattern.shapes.values()):
        return day.windows
    bucket_s = bucket_seconds(pattern)
    return 1 if bucket_s is None else int(min(max(DAY_SECONDS // bucket_s, 1), day.windows))


def has_time_in_key(pattern: KeyPattern) -> bool:
    """Return True if the key shows time: a timestamp, or a number that is counted as events come."""
    return bucket_seconds(pattern) is not None or bool(pattern.inputs.per_event)


def write_distribution(
    stored_rows: StoredRows, pattern: KeyPattern, write: Write, day: ReferenceDay
) -> EventDistribution:
    """Return the distribution of a write on the reference day.

    It has one window per window of the day, or one in all if time changes nothing. A backfill writes each row once:
    values are as frequent as they have rows. A write that updates rows goes to those of its span of ages.
    """
    spec = stored_rows.spec
    activity: Activity = spec.find(write.activity or "")
    popularity = stored_rows.popularities(activity)
    if isinstance(activity.arrival, Backfill):
        return EventDistribution(
            TimeDistribution.windows(day.start_s - activity.arrival.days * DAY_SECONDS, day.start_s),
            popularity if stored_rows.has_row_per_event else _row_popularity(stored_rows),
        )
    edges = day.parts(window_count(pattern, day))
    if write.row_age_days is not None and stored_rows.kind.updating_writes:
        # An update goes to rows created at any time of its span before it, not to the newest: it does not follow the
        # front.
        start = edges[:-1, None] - min(write.row_age_days, stored_rows.time.span_days) * DAY_SECONDS
        return EventDistribution(
            TimeDistribution(start, edges[1:, None], np.ones(start.shape)),
            stored_rows.draw_popularities if stored_rows.has_row_per_event else _row_popularity(stored_rows),
        )
    return EventDistribution(
        arrival_distribution(edges, float(effective_value(spec, activity, "lateness_seconds"))), popularity
    )


def arrival_distribution(edges_s: Floats, mean_s: float) -> TimeDistribution:
    """Event times of what arrives in each window, when events arrive so much later on average (exponentially)."""
    if mean_s <= 0:
        return TimeDistribution(edges_s[:-1, None], edges_s[1:, None], np.ones((len(edges_s) - 1, 1)))
    lag = np.array(LAGS)
    # P(l1 ≤ L < l2) = e^−l1 − e^−l2 for an exponential lateness in units of its mean, cut off at 6 means and scaled to
    # 1.
    weight = -np.diff(np.exp(-lag))
    weight /= weight.sum()
    # What arrives in a window with a lag of l1…l2 happened between its start − l2 and its end − l1. Shape (windows,
    # lags).
    start, end = edges_s[:-1, None] - lag[1:] * mean_s, edges_s[1:, None] - lag[:-1] * mean_s
    return TimeDistribution(start, end, np.broadcast_to(weight, start.shape).copy())


def stored_distribution(stored_rows: StoredRows, day_end_s: float) -> EventDistribution:
    """Return the distribution of the bytes at the end of the reference day, over times and values.

    If each event makes a row, or rows fill with what they get, popular values hold more; otherwise those that have
    more rows.
    """
    return EventDistribution(_pieces(stored_rows, day_end_s), stored_popularity(stored_rows))


def stored_popularity(stored_rows: StoredRows) -> Mapping[str, Popularity]:
    """Return the spread of stored bytes over values, where it differs from the fields' own popularity."""
    if stored_rows.has_row_per_event or stored_rows.has_growing_rows:
        return stored_rows.draw_popularities
    return _row_popularity(stored_rows)


def _row_popularity(stored_rows: StoredRows) -> dict[str, Popularity]:
    """Return the spread of rows over values where events share rows."""
    return {field: row_popularity(stored_rows, field) for field in stored_rows.all_fields}


def _pieces(stored_rows: StoredRows, end_s: float) -> TimeDistribution:
    if stored_rows.history_days:
        start_s = date_seconds(month_dates(stored_rows.spec)[0])
        days, rows = shown_rows(stored_rows, (end_s - start_s) / DAY_SECONDS)
        edges, weight = days * DAY_SECONDS + start_s, rows / max(float(rows.sum()), 1e-300)
        return TimeDistribution(edges[None, :-1], edges[None, 1:], weight[None, :])
    edges, weight = stored_rows.time.until(end_s, to_the_minute=stored_rows.shows_time)
    return TimeDistribution(edges[None, :-1], edges[None, 1:], weight[None, :])


def read_distribution(
    stored_rows: StoredRows,
    pattern: KeyPattern,
    read: Read,
    plan: ReadPlan,
    day: ReferenceDay,
    newest_days: float | None,
) -> EventDistribution:
    """Return the distribution of the rows that a read meets on the reference day.

    Fields that find rows are as popular as the read states; all others are as stored. Times are the requested span,
    at its age when it is requested; the newest rows span `newest_days`.
    """
    stored_at = stored_distribution(stored_rows, day.start_s + DAY_SECONDS)
    bound_segments = [segment for segment in pattern.segments if segment.id in plan.bound]
    popularity = dict(stored_at.popularity)
    for field in sorted({field for segment in bound_segments for field in segment_fields(segment)}):
        bind = bind_of(read, field)
        if bind is not None:
            popularity[field] = bind.popularity or stored_rows.write_popularity(field)
    # A backfill without time in the key needs no windows; otherwise keys differ only from bucket to bucket.
    parts = window_count(pattern, day)
    if parts == 1 and not has_time_in_key(pattern):
        return EventDistribution(stored_at.time, popularity)
    opened = next((segment for segment in pattern.segments if segment.id == plan.open_at), None)
    ranged = isinstance(opened, TimeSegment) and plan.access in ("range", "multi_range")
    is_told = read.time is not None or read.exact_time
    timed = ranged or any(
        isinstance(s, TimeSegment) and (is_told or not isinstance(s, TablePeriod)) for s in bound_segments
    )
    span = _span(stored_rows, read, has_time=timed, newest_days=newest_days)
    if span is not None:
        edges, (age, days) = day.parts(parts), span
        start, end = edges[:-1] - (age + days) * DAY_SECONDS, edges[1:] - age * DAY_SECONDS
        return EventDistribution(TimeDistribution(start[:, None], end[:, None], np.ones((parts, 1))), popularity)
    return EventDistribution(_creation_times(stored_rows, pattern, popularity, day) or stored_at.time, popularity)


def _span(
    stored_rows: StoredRows, read: Read, *, has_time: bool, newest_days: float | None
) -> tuple[float, float] | None:
    """Return age and length of the span of times that a read meets, in days; None for any stored time."""
    age = float(effective_value(stored_rows.spec, read, "age_days"))
    if newest_days is not None:
        return _clip_to_stored(stored_rows, max(read.time.age_days, age) if read.time else age, newest_days)
    if not has_time:
        return None
    if read.time is not None and not read.exact_time:
        return _clip_to_stored(stored_rows, max(read.time.age_days, age), read.time.days)
    # Times even between now and twice the mean age have that mean.
    return _clip_to_stored(stored_rows, 0.0, 2 * age)  # a known time of this mean age


def _clip_to_stored(stored_rows: StoredRows, age_days: float, days: float) -> tuple[float, float]:
    """Return the part of a span within the stored time; of a span before it, the oldest thousandth."""
    longest = stored_rows.shown_span_days
    age = min(age_days, 0.999 * longest)
    return age, min(days, longest - age)


def _creation_times(
    stored_rows: StoredRows, pattern: KeyPattern, popularity: Mapping[str, Popularity], day: ReferenceDay
) -> TimeDistribution | None:
    """Return the times at which requested values were created, if a field gets a new one with each event."""
    for field in sorted(pattern.inputs.per_event):
        law, shape = popularity.get(field, pattern.shapes[field].popularity), pattern.shapes[field]
        if isinstance(law, Latest):
            span_s = stored_rows.time.span_days * DAY_SECONDS
            # The skew by age is steep near now, so the pieces grow geometrically from a minute on.
            ages = np.concatenate(([0.0], np.geomspace(min(60.0, span_s / 2), span_s, 24)))
            # Values come at an even rate, so an age of the share x of the span has the x newest of all values.
            values = max(shape.growth_per_day * span_s / DAY_SECONDS, 2.0)
            share = np.diff(top_share(law, ages[1:] / span_s * values, values), prepend=0.0)
            start, end = day.edges_s[:-1, None] - ages[1:], day.edges_s[1:, None] - ages[:-1]
            return TimeDistribution(start, end, np.broadcast_to(share / share.sum(), start.shape).copy())
    return None
