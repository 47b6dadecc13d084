"""Proposed split keys: where a new table is to be split so that its first load and its first week are spread."""

import math

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.key import as_text
from estimator.kernels.keys import EventDistribution, KeyPattern, TimeDistribution, equal_bounds, range_shares
from estimator.kernels.population.timeline import month_dates
from estimator.kernels.traffic.distributions import ReferenceDay, stored_distribution, write_distribution
from estimator.kernels.traffic.storage_age import date_seconds
from estimator.results.arrays import Floats

from .plan import Plan, PlannedTable
from .ranges import has_history
from .results import SplitKey, Splits
from .servers import servers_of

WEEK_DAYS = 7
NOTHING = 1e-9
"""A part with so little of the load needs no tablet of its own."""
MOST = 100
"""Split keys that a table can be created with ("Create and manage tables", read 2026-11-21)."""

HELPFUL = 0.5
"""Splits help where in an hour less than half of the writes goes to one part: a growing end stays in one of them."""


def propose_splits(plan: Plan, table_id: str, count: int | None = None) -> Splits:
    """Keys that cut a table's first load and first week of writes into equal parts.

    Parameters
    ----------
    count
        How many; unset: one less than the nodes that the design needs, and at least what the first load asks for.
    """
    table = next(table for table in plan.tables if table.table.id == table_id)
    if not servers_of(plan.spec).can_be_split_at_first():
        return Splits((), 1.0, helpful=False)
    stored, write_parts = _stored_parts(plan, table), _written_parts(plan, table, 0.0, WEEK_DAYS)
    if not stored and not write_parts:
        return Splits((), 1.0, helpful=False)
    parts = _mix_parts(stored, write_parts)
    split_count = default_split_count(plan, table) if count is None else max(min(count, MOST), 0)
    bounds = _shorten_bounds(parts, equal_bounds(parts, split_count + 1)) if split_count > 0 else ()
    # A key with no load before it would make an empty tablet.
    bounds = tuple(key for key, before in zip(bounds, _shares(parts, bounds), strict=False) if before > NOTHING)
    share, of_stored, of_written = (_shares(source, bounds) for source in (parts, stored, write_parts))
    keys = tuple(
        SplitKey(key, as_text(key), float(share[i + 1]), float(of_stored[i + 1]), float(of_written[i + 1]))
        for i, key in enumerate(bounds)
    )
    busiest = _busiest_at_a_time(plan, table, bounds) if write_parts else float(share.max(initial=0.0))
    return Splits(keys, float(share[0]), helpful=len(bounds) > 0 and busiest < max(HELPFUL, 1.5 / (len(bounds) + 1)))


def _busiest_at_a_time(plan: Plan, table: PlannedTable, bounds: tuple[bytes, ...]) -> float:
    """Return the share of an hour's writes that goes to one part, in the mean over the days of the first week."""
    # Over a week a growing end passes all parts and looks spread; an hour shows whether it stays in one. One hour alone
    # may be the one in which it passes a split key: of a key that begins with the day, the middle of the week.
    hours = (_written_parts(plan, table, day + 0.5, 1 / 24) for day in range(WEEK_DAYS))
    return float(np.mean([_shares(parts, bounds).max() for parts in hours]))


def default_split_count(plan: Plan, table: PlannedTable) -> int:
    """One less than the nodes of the largest cluster, or than the tablets of the first load: so each node has one."""
    nodes = max((float(n.nodes_by_month.max()) for n in plan.estimate.nodes), default=1.0)
    growth = table.part.growth
    first = float(growth.physical_bytes[0]) if growth is not None and len(growth.physical_bytes) else 0.0
    tablets = first / plan.parameters.assumption("tablet_bytes")
    return int(min(max(math.ceil(nodes), math.ceil(tablets), 1) - 1, MOST)) or 1


Parts = list[tuple[KeyPattern, EventDistribution, float]]


def _stored_parts(plan: Plan, table: PlannedTable) -> Parts:
    """Return the content at the start, by row kind."""
    if not has_history(plan.spec, table.table):
        return []
    start = date_seconds(month_dates(plan.spec)[0])
    weight = {kind: stored_rows.size.rows * stored_rows.size.bytes_stored for kind, stored_rows in table.stored.items()}
    total = sum(weight.values())
    if total <= 0:
        return []
    return [
        (
            table.patterns[kind],
            _clip_before(_first_second(plan.spec, table, kind), stored_distribution(stored_rows, start)),
            weight[kind] / total,
        )
        for kind, stored_rows in table.stored.items()
        if weight[kind] > 0
    ]


def _first_second(spec: Spec, table: PlannedTable, kind: str) -> float:
    """Since when there can be rows: the history's beginning, and not before the first number of a sequence."""
    pattern = table.patterns[kind]
    shapes = [pattern.shapes[field] for field in pattern.inputs.per_event]
    # Counted back at its rate, a sequence reaches 0 at this time, and no row can be older.
    since = [
        shape.start_s - shape.distinct / shape.growth_per_day * DAY_SECONDS for shape in shapes if shape.is_sequential
    ]
    if months := float(effective_value(spec, table.table, "history_months") or 0):
        since.append(date_seconds(month_dates(spec)[0]) - months * MONTH_DAYS * DAY_SECONDS)
    return max(since, default=-math.inf)


def _clip_before(first_s: float, law: EventDistribution) -> EventDistribution:
    """Return the distribution without what would have been written before there was anything."""
    start, end, weight = law.time.start_s[0], law.time.end_s[0], law.time.weight[0]
    weights = np.clip((end - first_s) / np.maximum(end - start, 1e-9), 0.0, 1.0) * weight
    if not weights.any() or weights.sum() > 1 - 1e-9:
        return law
    has_weight = weights > 0
    time = TimeDistribution(
        np.maximum(start, first_s)[None, has_weight], end[None, has_weight], weights[None, has_weight] / weights.sum()
    )
    return EventDistribution(time, law.popularity)


def _written_parts(plan: Plan, table: PlannedTable, after_days: float, days: float) -> Parts:
    """Return the writes of `days` days by write, weighted by their node time.

    The span begins `after_days` after the start.
    """
    start = date_seconds(month_dates(plan.spec)[0]) + after_days * DAY_SECONDS
    parts = []
    for flow in table.flows:
        write = flow.flow.write
        if write is None or write.deletes:
            continue
        stored = table.stored[flow.flow.kind.id]
        law = write_distribution(stored, flow.pattern, write, ReferenceDay(start, 1))
        span = EventDistribution(TimeDistribution.windows(start, start + days * DAY_SECONDS), law.popularity)
        parts.append((flow.pattern, span, float(flow.flow.per_second_by_month[0]) * flow.flow.seconds))
    total = sum(weight for _, _, weight in parts)
    return [(pattern, law, weight / total) for pattern, law, weight in parts if weight > 0] if total > 0 else []


def _mix_parts(stored: Parts, write_parts: Parts) -> Parts:
    """Half each, where there are both."""
    if not stored or not write_parts:
        return stored or write_parts
    return [(p, law, w / 2) for p, law, w in (*stored, *write_parts)]


def _shares(parts: Parts, bounds: tuple[bytes, ...]) -> Floats:
    return sum(
        (weight * range_shares(pattern, law, bounds)[0] for pattern, law, weight in parts), np.zeros(len(bounds) + 1)
    )


WORSE = 1.1
"""Shorter keys may make the largest part so much larger."""


def _shorten_bounds(parts: Parts, bounds: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the same places by fewer bytes, as long as no part becomes much larger."""
    bounds = tuple(bytes(bound) for bound in bounds)
    if not bounds:
        return bounds
    most = float(_shares(parts, bounds).max()) * WORSE
    longest = max(map(len, bounds))
    for size in range(1, longest):
        # Short keys are easier to read and to type; if two become equal, the length is too small.
        short_bounds = tuple(sorted({bound[:size] for bound in bounds}))
        if len(short_bounds) == len(bounds) and float(_shares(parts, short_bounds).max()) <= most:
            return short_bounds
    return bounds


__all__ = ["default_split_count", "propose_splits"]
