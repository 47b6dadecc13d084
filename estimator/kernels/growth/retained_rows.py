"""Rows and cells of one row kind that are stored on given days."""

import math
from collections.abc import Callable, Iterable

import numpy as np

from designer.document import Spec, effective_value
from designer.document.family import Column, Family
from estimator.engines import engine_of
from estimator.results.arrays import Floats

from ..population.counts import Counts
from .arrivals import Arrivals, KindArrivals
from .cells import CELL_DELETES, ROW_DELETES
from .collection import Policy, kept_in_full_rows, policy, stricter_policy
from .deletions import remaining_share, share_since_deletion
from .updates import kept_of_updated

_ONE = Policy((math.inf,), (1.0,))


def column_policy(family: Family, column: Column, ahead_days: float) -> Policy:
    """Return the policy that collects a column's cells, by the age of their write.

    An aggregate or a constant timestamp additionally leaves only one cell per qualifier. `ahead_days`: how long after
    the write the timestamps of cells lie.
    """
    steps = policy(family.gc).shifted(ahead_days)
    return stricter_policy(steps, _ONE) if has_single_version(family, column) else steps


def has_single_version(family: Family, column: Column) -> bool:
    """Each write meets the same cell, so that nothing old is left to collect."""
    return family.kind != "ordinary" or column.timestamp == "constant"


def retention_days(flows: KindArrivals) -> float:
    """Return the age in days from which a row of this kind has no cell left; infinity if some cell stays."""
    bounds = [column_policy(f, c, flow.ahead_days).age_bound_days for flow in flows.writes for f, c in flow.columns]
    rotation_days = math.inf if flows.kept is None else flows.kept.age_days(over=1.0)
    return min(flows.updated_days(max(bounds, default=math.inf)), rotation_days)


def _mean_over_period(flows: KindArrivals, days: Floats, count: Callable[[KindArrivals, Floats], Floats]) -> Floats:
    """Return what is counted on some days, where tables rotate in the mean over the moments of a period: (days,)."""
    if flows.kept is None:
        return count(flows, days)
    return np.array(
        [
            sum(
                weight * float(count(flows.since_day(since), np.array([day]))[0])
                for since, weight in flows.kept.oldest_days(day)
            )
            for day in days.tolist()
        ]
    )


HISTORY_PARTS = 24
"""Parts into which the part of a backfill's history is cut of which cells may be kept."""


def _mean_over_history(
    flows: KindArrivals, columns: Iterable[Column], kept_days: float, count: Callable[[KindArrivals], Floats]
) -> Floats:
    """Return what is counted of writes, in the mean of the history where backfills stamp these columns by its events.

    Cells of long ago are old when they are written, so that collection, which goes by timestamps, may take them at
    once. `kept_days`: the greatest age that decides what is kept.
    """
    most_days = max((flow.history_days for flow in flows.writes), default=0.0)
    if most_days <= 0 or any(column.timestamp != "event" for column in columns):
        return count(flows)
    # What is older than that is collected alike, however old it is.
    young = min(kept_days / most_days, 1.0)
    shares = (np.arange(HISTORY_PARTS) + 0.5) * (young / HISTORY_PARTS)
    mean = sum(count(flows.of_history(share)) for share in shares.tolist()) / HISTORY_PARTS
    return np.asarray(young * mean + (1 - young) * count(flows.of_history((1 + young) / 2)))


def stored_row_count(flows: KindArrivals, days: Floats, *, lag_days: float) -> Floats:
    """Rows that hold at least one cell.

    Parameters
    ----------
    flows : KindFlows
    days : float64, shape (days,)
        Since the start. [day]
    lag_days
        How long a row stays after its last cell expired. [day]

    Returns
    -------
    float64, shape (days,)
        Expected rows; those that are written again count once. [rows]
    """
    columns = [column for flow in flows.writes if flow.history_days > 0 for _, column in flow.columns]
    return _mean_over_history(
        flows,
        columns,
        retention_days(flows),
        lambda stamped: _mean_over_period(stamped, days, lambda there, on: _row_count(there, on, lag_days)),
    )


def _row_count(flows: KindArrivals, days: Floats, lag_days: float) -> Floats:
    if not flows.writes:
        return np.zeros_like(days)
    # A row without live cells is there until they are collected, and is counted and paid for until then.
    first = days - (retention_days(flows) + lag_days)
    if flows.has_row_per_event:
        # What is too old as it is written waits to be collected, too.
        rows = sum(
            (
                flows.rows_since(flow, np.minimum(first, days - lag_days - flows.sooner_days(flow)), days)
                for flow in flows.row_creating_writes
            ),
            np.zeros_like(days),
        )
        rows = np.minimum(rows, _most_rows(flows))
        return rows * _surviving_share(flows, (), first, days) * _undropped_share(flows, first, days)
    making = tuple(flow for flow in flows.writes if flow not in flows.updating_writes)
    count = flows.counts(making, by_age=True).distinct(first, days)
    return count * _surviving_share(flows, making, first, days, count) * _undropped_share(flows, first, days, count)


def _most_rows(flows: KindArrivals) -> float:
    """Return how many rows there can be of a load that writes each combination once; infinity of other writes."""
    rows = flows.shape.rows
    if rows.bucket_days is not None or rows.every_event or not math.isinf(rows.turnover.written_at_birth):
        return math.inf
    return float(rows.strata.total_count.sum())


MOMENTS = 32
"""Spans into which the time of what is stored is cut, where ranges of it are dropped now and then."""


def _undropped_share(flows: KindArrivals, first: Floats, days: Floats, rows: Floats | None = None) -> Floats:
    """Share of what was written from one day to another that is not under a prefix which was dropped since: (days,).

    `rows`: so many that are written again and again, which come back after a drop.
    """
    drops = [(flow.event_curve.per_day(math.inf), flow.drops) for flow in flows.deletes if flow.drops is not None]
    if not drops:
        return np.ones_like(days)

    def dropped(days: Floats) -> Floats:
        return sum((per_day * share(days) for per_day, share in drops), np.zeros_like(days))

    created = flows.row_creating_writes
    if rows is not None and math.isinf(flows.span_days):
        rows_per_day = sum(flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in created)
        return rows_per_day / np.maximum(rows_per_day + dropped(days) * rows, 1e-300)
    begin = min((flow.event_curve.begin_day for flow in created), default=0.0)
    edges = np.linspace(np.clip(first, begin, days), days, MOMENTS + 1)
    row_counts = sum((flow.rows_between(edges[:-1], edges[1:]) for flow in created), np.zeros_like(edges[1:]))
    # A prefix has a smaller share as values come, so what each span loses is summed from the last one back.
    lost = dropped((edges[:-1] + edges[1:]) / 2) * np.diff(edges, axis=0)
    remaining = np.exp(lost / 2 - np.cumsum(lost[::-1], axis=0)[::-1])
    total = row_counts.sum(axis=0)
    return np.where(total > 0, (row_counts * remaining).sum(axis=0) / np.maximum(total, 1e-300), 1.0)


def _row_deletes(flows: KindArrivals) -> tuple[Arrivals, ...]:
    """Return the deletions that take a row: of single ones, and of all cells where a row is nothing without them."""
    columns = {name for flow in flows.writes for name in flow.column_ids}
    return tuple(
        flow
        for flow in flows.deletes
        if (flow.mode in ROW_DELETES and flow.drops is None)
        or (flow.mode in CELL_DELETES and not flows.row_bytes and columns <= flow.column_ids)
    )


def _is_written_again(flows: KindArrivals) -> bool:
    """Return whether a row is written as long as its values are in use, and so is back after it was deleted."""
    rows = flows.shape.rows
    return not flows.has_row_per_event and rows.bucket_days is None and math.isfinite(rows.turnover.written_at_birth)


def _surviving_share(
    flows: KindArrivals, making: tuple[Arrivals, ...], first: Floats, days: Floats, rows: Floats | None = None
) -> Floats:
    """Share of rows made from one day to another that deletions leave: (days,).

    `rows`: so many that several of the writes `making` them come to.
    """
    deletes = _row_deletes(flows)
    if not deletes or rows is None or not _is_written_again(flows):
        kept_days = retention_days(flows)
        return remaining_share(flows.row_creating_writes, deletes, first, days, rows=rows, kept_days=kept_days)
    # A row that is written again after it was deleted is back, so few are missing where writes are frequent.
    counts, once = flows.counts(making, by_age=True), [(flow, 1.0) for flow in deletes]
    return share_since_deletion(counts, making, once, first, days, 1.0, until=days)


def _remaining_cell_share(
    flows: KindArrivals, column: Column, first: Floats, days: Floats, until: Floats, rows: Floats | None
) -> Floats:
    """Share of a column's cells that deletions of rows, families and cells leave, once and for good: (days,).

    `rows`: so many that several writes come to.
    """
    of_rows = tuple(flow for flow in flows.deletes if flow.mode in ROW_DELETES and flow.drops is None)
    of_cells = tuple(flow for flow in flows.deletes if flow.mode in CELL_DELETES and column.id in flow.column_ids)
    kept_days = float(np.max(days - first))
    rows_left = remaining_share(
        flows.row_creating_writes, of_rows, first, days, until=until, rows=rows, kept_days=kept_days
    )
    cells_left = remaining_share(flows.arrivals_into(column), of_cells, first, days, until=until, kept_days=kept_days)
    return rows_left * cells_left


def _cells_since_deletion(
    flows: KindArrivals, into: tuple[Arrivals, ...], column: Column, counts: Counts, then: Floats, until: Floats
) -> Callable[[Floats, float], Floats]:
    """Return the function from a day and a number of versions to the share of cells written since they were deleted."""
    deletes = list[tuple[Arrivals, Floats | float]]()
    for flow in flows.deletes:
        if flow.mode == "delete_cell" and column.id in flow.column_ids:
            deletes.append((flow, 1.0))
        elif (flow.mode == "delete_family" and column.id in flow.column_ids) or (
            flow.mode in ROW_DELETES and flow.drops is None
        ):
            rows, cells = flows.shape.rows.strata, counts.strata
            deletes.append((flow, float(cells.total_count.sum()) / max(float(rows.total_count.sum()), 1.0)))

    def share(first: Floats, cap: float) -> Floats:
        return share_since_deletion(counts, into, deletes, first, then, cap, until=until)

    return share if deletes else lambda first, _: np.ones_like(first)


def stored_cell_count(
    spec: Spec, flows: KindArrivals, family: Family, column: Column, days: Floats, *, lag_days: float, steps: Policy
) -> Floats:
    """Cells of one column in all rows of the kind.

    Parameters
    ----------
    days : float64, shape (days,)
        Since the start. [day]
    lag_days
        How long an expired cell stays uncollected: what came in these days is all there, older cells are what the
        policy had left then. [day]
    steps : Policy
        What is collected (`column_policy`, or what readers want).

    Returns
    -------
    float64, shape (days,)
        Expected cells. [cells]
    """

    def count(there: KindArrivals, on: Floats) -> Floats:
        return _cell_count(spec, there, family, column, on, lag_days=lag_days, steps=steps)

    kept_days = max((age for age in steps.ages if age < math.inf), default=0.0)
    return _mean_over_history(flows, [column], kept_days, lambda stamped: _mean_over_period(stamped, days, count))


def _cell_count(
    spec: Spec, flows: KindArrivals, family: Family, column: Column, days: Floats, *, lag_days: float, steps: Policy
) -> Floats:
    into = flows.arrivals_into(column)
    if not into:
        return np.zeros_like(days)
    presence = float(effective_value(spec, column, "presence"))
    # What is written over in place leaves nothing that waits to be collected.
    lag = 0.0 if has_single_version(family, column) else lag_days
    then = days - lag
    # All that came within the lag is there, whatever the policy keeps of it.
    recent = sum((flow.rows_between(then, days) for flow in into), np.zeros_like(days)) * presence
    # What is deleted stays until it is collected, as what expires, and what came within the lag is there already.
    waits = engine_of(spec).KEEPS_DELETE_MARKERS
    until = days - lag_days if waits else days
    counts = flows.counts(into, column, presence=presence, by_age=True)
    is_again = bool(flows.deletes) and _is_written_again(flows)
    since_deletion = _cells_since_deletion(flows, into, column, counts, then, until) if is_again else None
    if flows.has_row_per_event:
        cells = _kept_of_events(flows, into, column, then, steps, presence)
    elif flows.has_new_name_each(column):
        cells = _younger(flows, into, then, steps.age_bound_days) * presence
        cells = cells * since_deletion(then - steps.age_bound_days, math.inf) if since_deletion else cells
    else:
        cells = _live_cells(counts, then, steps, since_deletion)
    if not flows.deletes:
        return recent + cells
    first = then - min(steps.age_bound_days, math.inf if flows.kept is None else flows.kept.age_days(over=1.0))
    rows = None
    if not flows.has_row_per_event:
        rows = flows.counts(into, by_age=True).distinct(then - retention_days(flows), then)
    remaining = np.ones(1) if is_again else _remaining_cell_share(flows, column, first, then, until, rows)
    remaining = remaining * _undropped_share(flows, first, np.minimum(then, until), rows)
    return recent * (1.0 if waits else remaining) + cells * remaining


def _younger(flows: KindArrivals, into: tuple[Arrivals, ...], then: Floats, days: float) -> Floats:
    """Return rows written in so many days before: (days,)."""
    return sum((flows.rows_since(flow, then - days, then) for flow in into), np.zeros_like(then))


def _live_cells(
    counts: Counts, then: Floats, steps: Policy, since_deletion: Callable[[Floats, float], Floats] | None
) -> Floats:
    """Cells that a policy keeps: (days,).

    Of the writes to one cell, those among the newest `cap` that are younger than an age are E min(N, cap) of that time.
    """

    def count(age: float, cap: float) -> Floats:
        cells = counts.count_capped_events(then - age, then, cap)
        return cells if since_deletion is None else cells * since_deletion(then - age, cap)

    total, newer = np.zeros_like(then), 0.0
    for age, cap in zip(steps.ages, steps.caps, strict=True):
        # Caps fall with age: what is older is collected, however few newer versions there are.
        if cap == 0:
            break
        total = total + count(age, cap)
        if newer > 0:
            total = total - count(newer, cap)
        newer = age
    return np.maximum(total, 0.0)


def _kept_of_events(
    flows: KindArrivals, into: tuple[Arrivals, ...], column: Column, then: Floats, steps: Policy, presence: float
) -> Floats:
    """Cells that a policy keeps where each row is of one event, which other writes come to: (days,)."""
    if any(flow in flows.updating_writes for flow in into):
        return kept_of_updated(flows, into, then, steps, presence, flows.names(column))
    younger = sum(
        (flows.rows_since(flow, then[:, None] - np.array(steps.ages), then[:, None]) for flow in into), np.zeros(1)
    )
    rows_per_day = sum(flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in flows.row_creating_writes)
    writes = sum(flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in into)
    names = math.inf if flows.has_new_name_each(column) else flows.names(column).total(flows.span_days)
    # More names than that leave none with a second version, and an infinite number would leave 0 ÷ 0.
    row_cells = np.array(writes * presence / rows_per_day / min(names, 1e6) if rows_per_day > 0 else 1.0)
    # One write a row, the one that made it, is a fixed number, not a random one.
    once = any(flow in flows.row_creating_writes for flow in into) and writes <= rows_per_day * (1 + 1e-9)
    regular = once or all(flow.is_regular for flow in into)
    # What comes after each row has been written once is written over it.
    row_cells = row_cells * np.maximum(younger.max(axis=-1) / _most_rows(flows), 1.0)
    total = younger * presence
    return kept_in_full_rows(total, np.broadcast_to(row_cells, total.shape[:-1]), steps, regular=regular)
