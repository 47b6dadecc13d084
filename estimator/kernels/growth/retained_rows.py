"""Rows and cells of one row kind that are stored on given days."""

import math
from collections.abc import Callable

import numpy as np

from designer.document import Spec, assumed
from designer.document.family import Column, Family
from estimator.results.arrays import Floats

from .arrivals import Flow, KindFlows
from .bucketed_rows import bucket_rows_stored, kept_in_buckets, rows_in_buckets, written
from .cells import qualifiers
from .collection import Policy, kept_of_full_rows, kept_versions, policy, stricter

_ONE = Policy((math.inf,), (1.0,))


def column_policy(family: Family, column: Column) -> Policy:
    """Return the policy that collects a column's cells.

    An aggregate or a constant timestamp additionally leaves only one cell per qualifier.
    """
    steps = policy(family.gc)
    return stricter(steps, _ONE) if merges(family, column) else steps


def merges(family: Family, column: Column) -> bool:
    """Each write meets the same cell, so that nothing old is left to collect."""
    return family.kind != "ordinary" or column.timestamp == "constant"


def retention_days(flows: KindFlows) -> float:
    """Return the age in days from which a row of this kind has no cell left; infinity if some cell stays."""
    bounds = [column_policy(f, c).age_bound_days for flow in flows.writing for f, c in flow.columns]
    return max(bounds, default=math.inf)


def rows_stored(flows: KindFlows, days: Floats, *, lag_days: float) -> Floats:
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
        Expected rows. Rows that are revisited count once: 1 - exp(-events) of each entity (and bucket). [rows]
    """
    first = days - (retention_days(flows) + lag_days)
    if not flows.writing:
        return np.zeros_like(days)
    if flows.per_event:
        made = sum((flow.rows_between(first, days) for flow in flows.creating), np.zeros_like(days))
        return made * _surviving(flows)
    factor = flows.entities(days)
    if len({len(flow.spread.counts) for flow in flows.writing}) != 1:
        each = [rows_stored(_alone(flows, flow), days, lag_days=lag_days) for flow in flows.writing]
        return np.asarray(np.max(each, axis=0), dtype=np.float64)
    regular = all(flow.regular for flow in flows.writing)
    if math.isinf(flows.span_days):
        per_entity = _per_entity(flows.writing, lambda flow: flow.rows_between(first, days), factor)
        rows: Floats = (written(per_entity, regular=regular) * flows.writing[0].spread.counts).sum(axis=1) * factor
    else:
        rows = bucket_rows_stored(flows, days, first, factor, regular=regular)
    return rows * _surviving(flows)


def _alone(flows: KindFlows, flow: Flow) -> KindFlows:
    return KindFlows(
        flows.kind,
        flows.key_bytes,
        (flow,),
        flows.deleting,
        flows.span_days,
        flows.entity_days,
        flows.entity_factor,
        flows.row_bytes,
    )


def _per_entity(flows: tuple[Flow, ...], events: Callable[[Flow], Floats], factor: Floats) -> Floats:
    """Events of all flows on one entity of each class: (days, classes)."""
    total: Floats = sum((events(flow)[:, None] * flow.spread.shares for flow in flows), np.zeros(1)) / factor[:, None]
    return total


def _surviving(flows: KindFlows) -> float:
    """Share of rows that deletions of rows leave, at the rates of the end."""
    created = sum(flow.clock.per_day(math.inf) * flow.rows_per_event for flow in flows.creating)
    gone = sum(
        flow.clock.per_day(math.inf) * flow.rows_per_event
        for flow in flows.deleting
        if flow.write.mode in ("delete_row", "delete_prefix")
    )
    return _left(created, gone, again=not flows.per_event and math.isinf(flows.span_days))


def _left(written: float, gone: float, *, again: bool) -> float:
    """Share left when so much is written and so much deleted a day; `again`: what is deleted is written anew."""
    if written <= 0 or gone <= 0:
        return 1.0
    return written / (written + gone) if again else max(0.0, 1 - gone / written)


def cells_left(flows: KindFlows, family: Family, column: Column) -> float:
    """Share of a column's cells that deletions of rows, families and cells leave."""
    written = sum(flow.clock.per_day(math.inf) * flow.rows_per_event for flow in flows.flows_into(column))
    gone = sum(
        flow.clock.per_day(math.inf) * flow.rows_per_event
        for flow in flows.deleting
        if flow.write.mode in ("delete_cell", "delete_family") and any(c.id == column.id for _, c in flow.columns)
    )
    return _surviving(flows) * _left(written, gone, again=not flows.per_event)


def cells_stored(
    spec: Spec, flows: KindFlows, family: Family, column: Column, days: Floats, *, lag_days: float, steps: Policy
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
    into = flows.flows_into(column)
    if not into:
        return np.zeros_like(days)
    presence = float(assumed(spec, column, "presence"))
    lag = 0.0 if merges(family, column) else lag_days
    then = days - lag
    ages = np.array(steps.ages)
    factor = flows.entities(days)
    recent = sum((flow.rows_between(then, days) for flow in into), np.zeros_like(days)) * presence
    names = qualifiers_per_row(spec, column, into, flows.span_days)

    def younger(flow: Flow) -> Floats:
        return flow.rows_between(then[:, None] - ages, then[:, None]) * presence

    def kept_of(some: tuple[Flow, ...]) -> Floats:
        return _kept(
            flows, some, younger, factor, days, then, names=names, steps=steps, presence=presence, regular=regular
        )

    regular = all(flow.regular for flow in into)
    if flows.per_event:
        made = sum(flow.clock.per_day(math.inf) * flow.rows_per_event for flow in flows.creating)
        writes = sum(flow.clock.per_day(math.inf) * flow.rows_per_event for flow in into)
        each = np.array(writes * presence / made / min(names, 1e6) if made > 0 else 1.0)
        total = sum((younger(flow) for flow in into), np.zeros(1))
        creates = any(flow in flows.creating for flow in into)
        once = creates and writes <= made * (1 + 1e-9)
        kept = kept_of_full_rows(total, np.broadcast_to(each, total.shape[:-1]), steps, regular=once or regular)
    elif len({len(flow.spread.counts) for flow in into}) == 1:
        kept = _kept(
            flows, into, younger, factor, days, then, names=names, steps=steps, presence=presence, regular=regular
        )
    else:
        kept = sum(
            (
                _kept(
                    flows,
                    (flow,),
                    younger,
                    factor,
                    days,
                    then,
                    names=names,
                    steps=steps,
                    presence=presence,
                    regular=regular,
                )
                for flow in into
            ),
            np.zeros_like(days),
        )
    return (recent + kept) * cells_left(flows, family, column)


def qualifiers_per_row(spec: Spec, column: Column, into: tuple[Flow, ...], span_days: float) -> float:
    """Different qualifiers in one row: one, unless they are made from data or each write makes a new one."""
    if not column.qualifier_from and any(flow.write.mode == "new_column" for flow in into):
        return math.inf
    return qualifiers(spec, column, span_days)


def _kept(
    flows: KindFlows,
    into: tuple[Flow, ...],
    younger: Callable[[Flow], Floats],
    factor: Floats,
    days: Floats,
    then: Floats,
    *,
    names: float,
    steps: Policy,
    presence: float,
    regular: bool,
) -> Floats:
    """Live cells of all entities together: (days,)."""
    if all(math.isinf(cap) or cap == 0 for cap in steps.caps) or math.isinf(names):
        alive = sum(1 for cap in steps.caps if cap > 0)
        total = (
            sum((younger(flow)[:, alive - 1] for flow in into), np.zeros_like(days)) if alive else np.zeros_like(days)
        )
        return np.asarray(total, dtype=np.float64)
    counts = into[0].spread.counts
    scale = (factor * names)[:, None, None]
    each = sum((younger(flow)[:, None, :] * flow.spread.shares[:, None] for flow in into), np.zeros(1)) / scale
    lived = days - min(flow.clock.begin_day for flow in into)
    kept = (kept_versions(each, steps, regular=regular) * counts).sum(axis=1)
    if flows.span_days < float(lived.max()):
        resting = kept_in_buckets(
            rows_in_buckets(into, flows.span_days), then, presence / (factor * names), steps, regular=regular
        )
        kept = np.where(lived > flows.span_days, resting, kept)
    return np.asarray(kept * factor * names, dtype=np.float64)
