"""Cells of rows that are created by one event each and updated for some days after."""

import itertools
import math

import numpy as np

from estimator.results.arrays import Floats

from ..population.poisson import capped_mean
from .arrivals import Arrivals, KindArrivals, Names
from .collection import Policy

PIECES = 12
"""Pieces of each span of ages in which the chance of an update grows or falls evenly."""


def kept_of_updated(
    flows: KindArrivals, into: tuple[Arrivals, ...], then: Floats, steps: Policy, presence: float, names: Names
) -> Floats:
    """Return the cells that a policy keeps of a column that updates write, with or without each row's own: (dates,).

    An update comes to a row at a random age. Of a row created a days ago are younger than A those between a - A and a
    days after, so many Poisson; and its own cell where a ≤ A. Each goes to one of the column's names.

    Parameters
    ----------
    then : float64, shape (dates,)
        [day]
    presence
        Share of the writes that have the column. [1]
    names
        Qualifiers of the column in one row.
    """
    total, newer = np.zeros_like(then), 0.0
    for age, cap in zip(steps.ages, steps.caps, strict=True):
        if cap == 0:
            break
        total = total + _younger(flows, into, then, age, cap, presence, names)
        if newer > 0:
            total = total - _younger(flows, into, then, newer, cap, presence, names)
        newer = age
    return np.maximum(total, 0.0)


def _younger(
    flows: KindArrivals, into: tuple[Arrivals, ...], then: Floats, age: float, cap: float, presence: float, names: Names
) -> Floats:
    """Return the cells younger than an age that are among the newest of their column, over all rows: (dates,)."""
    if math.isinf(cap):
        return sum((flows.rows_since(flow, then - age, then) for flow in into), np.zeros_like(then)) * presence
    again = [flow for flow in into if flow in flows.updating_writes]
    rows_per_day = sum(flow.event_curve.per_day(math.inf) * flow.rows_per_event for flow in flows.row_creating_writes)
    slots = names.slots(max(float(flow.write.row_age_days or 0.0) for flow in again))
    name_count, name_share = names.count * slots, names.share / slots
    total = np.zeros_like(then)
    for creating in flows.row_creating_writes:
        own_age = age - flows.sooner_days(creating) if creating in into else 0.0
        for first, last in itertools.pairwise(_age_edges(flows, again, age, own_age)):
            means = (
                sum(_updates(flows, flow, age, first, last) for flow in again) * presence / max(rows_per_day, 1e-300)
            )
            alone, fewer = (capped_mean(np.array(means) * name_share, cap - own) for own in (0, 1))
            # The edges are cut at this age, so a piece lies on one side of it as a whole.
            own = float(first < own_age) * presence
            # Its own cell takes one version of one of the names.
            row_cells = float(name_count @ alone) + own * (1 - float((name_count * name_share) @ (alone - fewer)))
            total = total + creating.rows_between(then - last, then - first) * row_cells
    return total


def _updates(flows: KindArrivals, flow: Arrivals, age: float, first: float, last: float) -> float:
    """Return the updates a day, of all rows, that rows between two ages have and that are younger than an age."""
    most, middle = float(flow.write.row_age_days or 0.0), first if math.isinf(last) else (first + last) / 2
    # Updates fall evenly on the first `most` days of a row: of those, what is past and not too old.
    share = max(min(middle, most) - max(middle - (age - flows.sooner_days(flow)), 0.0), 0.0) / most
    return flow.event_curve.per_day(math.inf) * flow.rows_per_event * share


def _age_edges(flows: KindArrivals, again: list[Arrivals], age: float, own_age: float) -> list[float]:
    """Return ages of rows between which the number of their young updates changes evenly, cut into pieces."""
    turns = {0.0, own_age}
    for flow in again:
        most, young = float(flow.write.row_age_days or 0.0), max(age - flows.sooner_days(flow), 0.0)
        turns |= {most, young, most + young}
    ends = sorted(turn for turn in turns if turn >= 0)
    edges = [ends[0]]
    for first, last in itertools.pairwise(ends):
        edges += [last] if math.isinf(last) else np.linspace(first, last, PIECES + 1)[1:].tolist()
    return edges
