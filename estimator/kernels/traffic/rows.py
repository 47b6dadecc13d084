"""The busiest single row of a write or read, and what the row of the median entity gets."""

import math
from collections.abc import Sequence

import numpy as np

from designer.document.durations import DAY_SECONDS
from designer.document.key import Segment, segment_fields, shows_time
from designer.document.popularity import Latest
from estimator.kernels.keys import EventDistribution, KeyPattern, hottest_row, prefix_shares, row_classes
from estimator.results import EntityShares, HotRow, ReadPlan

from .operations import OperationRate

SHORT_BYTES = float(10 << 20)
"""A range of so many bytes lies in one tablet (our assumption: tablets hold tens of times as much)."""


def hot_row(
    flow: OperationRate,
    pattern: KeyPattern,
    distribution: EventDistribution,
    window: int,
    per_second: float,
    plan: ReadPlan | None,
    entities: EntityShares | None = None,
) -> HotRow | None:
    """Return the hottest row of a flow in its peak window; None for a read of many rows.

    Parameters
    ----------
    distribution : EventDistribution
        Over the windows of the day, or in one piece.
    window : int
        The peak window; 0 where the distribution has only one.
    per_second : float
        Rows written, or requests, then. [1/s]
    plan : ReadPlan, optional
        Of a read. One that asks for several keys meets the row with each of them.
    entities : EntityShares, optional
        Of a write, the shares of its entities, where the busiest row is theirs.
    """
    if plan is not None and plan.access not in ("point", "multi_point"):
        return _hot_range(flow, pattern, distribution, window, per_second, plan)
    keys = plan.ranges if plan is not None else 1.0
    busiest = None if entities is None else _busiest_share(entities)
    key, share = hottest_row(pattern, distribution, window, busiest)
    share = min(float(share), 1.0)
    rate = per_second * keys * share
    return HotRow(
        access=flow.id,
        key=pattern.readable_key(key),
        share=share,
        per_second=rate,
        # The node time of a request is that of all its keys, of which this row is one.
        node_share=rate * flow.seconds / keys,
        median_per_minute=per_second * keys * _median_share(pattern, distribution) * 60,
        span_seconds=_span_seconds(pattern, distribution, pattern.segments),
    )


def _hot_range(
    flow: OperationRate,
    pattern: KeyPattern,
    distribution: EventDistribution,
    window: int,
    per_second: float,
    plan: ReadPlan,
) -> HotRow | None:
    """Return the rows that requests with the busiest prefix read again and again; None where they are many, or new.

    A prefix of literals alone says nothing about who is busy.
    """
    segments = [segment.id for segment in pattern.segments]
    depth = segments.index(plan.open_at) if plan.open_at in segments else len(segments)
    is_bound = any(segment.id in plan.bound for segment in pattern.segments[:depth])
    is_one_range = plan.access in ("prefix", "range") and plan.refused is None and not pattern.inputs.columns
    if not (is_bound and is_one_range and 0 < plan.bytes_scanned <= SHORT_BYTES):
        return None
    law = EventDistribution(distribution.time.window(window), distribution.popularity)
    prefixes = prefix_shares(pattern, law, depth)
    # Sums over classes can exceed 1 by rounding.
    share = min(float(prefixes.shares[0]), 1.0)
    rate = per_second * share
    key = pattern.readable_key(prefixes.hottest_prefix)
    span = _span_seconds(pattern, distribution, pattern.segments[:depth])
    return HotRow(
        flow.id, key, share, rate, rate * flow.seconds, median_per_minute=0.0, is_range=True, span_seconds=span
    )


def _span_seconds(pattern: KeyPattern, distribution: EventDistribution, segments: Sequence[Segment]) -> float | None:
    """Return the length of a window of the day; None where these segments of a key do not change with time."""
    moving = pattern.inputs.per_event
    is_moving = any(shows_time(segment) or moving & set(segment_fields(segment)) for segment in segments)
    is_moving = is_moving or any(isinstance(law, Latest) for law in distribution.popularity.values())
    return DAY_SECONDS / distribution.time.count if is_moving else None


def _busiest_share(entities: EntityShares) -> float:
    """Return the share of the busiest entity: the median where chance decides whether it is there."""
    order = np.argsort(-entities.shares, kind="stable")
    upto = np.cumsum(entities.counts[order])
    # Counts are expected numbers of entities. With n expected above a share, one is there with probability 1 − e^−n,
    # which is a half at n = ln 2: the median of the maximum.
    return float(entities.shares[order][min(int(np.searchsorted(upto, math.log(2))), len(order) - 1)])


def _median_share(pattern: KeyPattern, distribution: EventDistribution) -> float:
    """Share of the events on the row of the entity in the middle, when entities stand by what they get."""
    classes = row_classes(pattern, distribution)
    if classes.has_row_per_event or len(classes.shares) == 0:
        return 0.0
    order = np.argsort(classes.shares)
    upto = np.cumsum(classes.counts[order])
    # Classes stand for many entities, so the median is where half of the entities is reached, not half of the classes.
    return float(classes.shares[order][np.searchsorted(upto, upto[-1] / 2)])
