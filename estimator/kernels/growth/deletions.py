"""Rows and cells that deletions leave of what is written, by the dates of both, and the markers of deletions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec
from designer.document.family import Column, Family
from estimator.engines import engine_of
from estimator.results import BytesByCause
from estimator.results.arrays import Floats

from ..population.counts import Counts
from ..population.poisson import clumped_mean, normal_cdf
from ..population.quadrature import gauss
from ..population.sizes import key_classes
from .arrivals import Arrivals, KindArrivals
from .cells import cell

STEPS = 24
"""Spans of the time for which rows are kept, in each of which deletions take as many of each…"""
LIVES = 3
"""…over so many such times: what was before is forgotten by then."""
MOST_LAG_DAYS = 7.0
"""Cells are collected up to a week after they expire: so long, what was written counts. [day]"""
MOST_BY_CHANCE = 1 / 3
"""Of rows that also expire, chance decides where no more than this share is left; above it, what comes and goes."""
SPANS = 32
"""Spans into which the horizon is cut, in each of which writes and deletions come evenly."""


def remaining_share(
    writes: Sequence[Arrivals],
    deletes: Sequence[Arrivals],
    first: Floats,
    days: Floats,
    *,
    until: Floats | None = None,
    rows: Floats | None = None,
    kept_days: float = math.inf,
) -> Floats:
    """Share that deletions leave of what was written from one day to another, of which each goes once and for good.

    Each takes one of those that are there, any of them as often.

    Parameters
    ----------
    writes, deletes
        Deletions of single rows or cells, each of one that these writes made.
    first, days : float64, shape (dates,)
        [day]
    until : float64, shape (dates,)
        Last day whose deletions count; `days` unless given. [day]
    rows : float64, shape (dates,)
        So many were made, where one takes several writes. [rows]
    kept_days
        After so long they expire, and are not deleted any more. [day]

    Returns
    -------
    float64, shape (dates,)
        [1]
    """
    if not writes or not deletes:
        return np.ones_like(days)
    until = days if until is None else until
    edges = _edges(writes, deletes, first, days, until)
    written, deleted = _rows_by_span(writes, edges), _rows_by_span(deletes, np.minimum(edges, until))
    total = all_written = written.sum(axis=0)
    if rows is not None:
        written = written * np.divide(rows, total, out=np.zeros_like(total), where=total > 0)
        total = np.where(total > 0, rows, 0.0)
    # What is deleted where nothing is left does not count against what is written later.
    change = np.cumsum(written - deleted, axis=0)
    alive = change[-1] - np.minimum(change.min(axis=0), 0.0)
    begin = min(flow.event_curve.begin_day for flow in writes)
    most = total * (MOST_BY_CHANCE if math.isfinite(kept_days) else 1.0)
    rows_per_write = np.divide(total, all_written, out=np.ones_like(total), where=all_written > 0)
    come, go = _net_rows(writes, deletes, edges, until, rows_per_write)
    alive = np.maximum(alive, np.minimum(_left_by_chance(come, go), most))
    share = np.divide(alive, total, out=np.ones_like(total), where=total > 0)
    if math.isfinite(kept_days) and (expiring := days - kept_days > begin).any():
        within = _share_while_expiring(writes, deletes, first, days, until, kept_days, rows_per_write)
        share = np.where(expiring, np.maximum(within, share), share)
    return np.asarray(share)


def _net_rows(
    writes: Sequence[Arrivals], deletes: Sequence[Arrivals], edges: Floats, until: Floats, rows_per_write: Floats
) -> tuple[Floats, Floats]:
    """Return the rows that activities add, and those that others take: two of (dates,).

    Where each event writes a row and deletes one, chance adds and takes none.
    """
    come, go = np.zeros_like(until), np.zeros_like(until)
    for activity in {flow.write.activity for flow in (*writes, *deletes)}:
        written, deleted = (
            _rows_by_span([flow for flow in flows if flow.write.activity == activity], ends).sum(axis=0)
            for flows, ends in ((writes, edges), (deletes, np.minimum(edges, until)))
        )
        net = written * rows_per_write - deleted
        come, go = come + np.maximum(net, 0.0), go + np.maximum(-net, 0.0)
    return come, go


def _left_by_chance(written: Floats, deleted: Floats) -> Floats:
    """Return how many are left of so many that come while about as many go, both by chance. [rows]

    A walk by steps of one, up and down, that does not fall below 0: in the mean as a Brownian motion's reflection, and
    no more than a queue has in the long run: of c that come a day and g that go, c ÷ (g - c), or g ÷ (c - g) more than
    what does not go, as so many deletions find nothing.
    """
    drift, variance = written - deleted, np.maximum(written + deleted, 1e-300)
    ratio = drift / np.sqrt(variance)
    chance = normal_cdf(ratio)
    density = np.sqrt(variance / (2 * math.pi)) * np.exp(-(ratio**2) / 2)
    slow = np.abs(ratio) < 1e-3
    overshoot = np.where(slow, density, variance / np.where(slow, 1.0, 2 * drift) * (2 * chance - 1))
    walk = density + drift * chance + overshoot
    queue = np.minimum(written, deleted) / np.maximum(np.abs(drift), 1e-9)
    return np.asarray(np.clip(walk, np.maximum(drift, 0.0), np.maximum(drift, 0.0) + queue))


def _share_while_expiring(
    writes: Sequence[Arrivals], deletes: Sequence[Arrivals], first: Floats, days: Floats, until: Floats,
    kept_days: float, rows_per_write: Floats,
) -> Floats:  # fmt: skip
    """Share left of what was written in a time, in which what comes is deleted or expires: (dates,).

    What is deleted was written at any time of what is there: what would have expired soon goes in the stead of others.
    """
    step = kept_days / STEPS
    begin = min(flow.event_curve.begin_day for flow in writes)
    counted = np.ceil(np.max(days - np.maximum(first, days - LIVES * kept_days - MOST_LAG_DAYS)) / step).astype(int)
    spans = counted + LIVES * STEPS
    edges = np.maximum(days - step * np.arange(spans, -1, -1)[:, None], begin)
    written = _rows_by_span(writes, edges) * rows_per_write
    deleted = _rows_by_span(deletes, np.minimum(edges, until))
    left = np.zeros_like(written)
    for place in range(spans):
        left[place] = written[place]
        live = left[max(place - STEPS + 1, 0) : place + 1]
        live *= np.maximum(1 - deleted[place] / np.maximum(live.sum(axis=0), 1e-300), 0.0)
    total = written[-counted:].sum(axis=0)
    return np.asarray(np.divide(left[-counted:].sum(axis=0), total, out=np.ones_like(total), where=total > 0))


def share_since_deletion(
    counts: Counts,
    writes: Sequence[Arrivals],
    deletes: Sequence[tuple[Arrivals, Floats | float]],
    first: Floats,
    days: Floats,
    cap: float,
    *,
    until: Floats,
) -> Floats:
    """Share of what is written again and again, at most `cap` of each, that was written since it was deleted last.

    Deletions go to keys as writes do: who is written most is deleted most.

    Parameters
    ----------
    counts : Counts
        Of what the writes make.
    deletes
        Each with how many of what is counted one deletion takes, (dates,). [1]
    first, days, until : float64, shape (dates,)
        As above. [day]
    cap
        1 counts rows, infinity cells. [1]

    Returns
    -------
    float64, shape (dates,)
        [1]
    """
    edges = _edges(writes, [flow for flow, _ in deletes], first, days, until)
    keys, events = key_classes(counts, edges[0], days)
    written, all_events = _rows_by_span(writes, edges), (keys * events).sum(axis=1)
    deleted = sum((_rows_by_span([flow], np.minimum(edges, until)) * taken for flow, taken in deletes), np.zeros(1))
    writes_of_one = (written / np.maximum(written.sum(axis=0), 1e-300))[:, :, None] * events
    deletes_of_one = (deleted / np.maximum(all_events, 1e-300))[:, :, None] * events
    writes_later, deletes_later = np.zeros_like(events), np.zeros_like(events)
    left = np.zeros_like(events)
    for written_once, deleted_once in zip(writes_of_one[::-1], deletes_of_one[::-1], strict=True):
        # Of when the last deletion comes within a span, seen from its end, the chance is an exponential's.
        none = np.exp(-deleted_once)
        for point, weight in zip(*gauss(6), strict=True):
            chance = (1 + none) / 2 + (1 - none) / 2 * point
            part = np.divide(-np.log(chance), deleted_once, out=np.zeros_like(chance), where=deleted_once > 0)
            since = _mean_up_to(counts, writes_later + written_once * part, cap)
            left += np.exp(-deletes_later) * (1 - none) / 2 * weight * since
        writes_later, deletes_later = writes_later + written_once, deletes_later + deleted_once
    every = _mean_up_to(counts, writes_later, cap)
    left += np.exp(-deletes_later) * every
    total = (keys * every).sum(axis=1)
    return np.asarray(np.divide((keys * left).sum(axis=1), total, out=np.ones_like(total), where=total > 0))


def _mean_up_to(counts: Counts, events: Floats, cap: float) -> Floats:
    return np.minimum(events, cap) if counts.regular else clumped_mean(events, cap, counts.clump)


def _rows_by_span(flows: Sequence[Arrivals], edges: Floats) -> Floats:
    """Return the row mutations between days in order: (spans, dates)."""
    return sum((flow.rows_between(edges[:-1], edges[1:]) for flow in flows), np.zeros_like(edges[1:]))


def _edges(
    writes: Sequence[Arrivals], deletes: Sequence[Arrivals], first: Floats, days: Floats, until: Floats
) -> Floats:
    """Return days in order between which rates are nearly constant: (edges, dates)."""
    begin = min(flow.event_curve.begin_day for flow in writes)
    start = np.clip(first, begin, days)
    turns = np.array([0.0, *_turns((*writes, *deletes))])
    spans = np.linspace(np.maximum(start, np.minimum(days, 0.0)), days, SPANS + 1)
    return np.sort(
        np.concatenate((start[None], np.clip(until, start, days)[None], np.clip(turns[:, None], start, days), spans)),
        axis=0,
    )


def _turns(flows: Sequence[Arrivals]) -> Iterator[float]:
    """Yield the days on which a rate jumps."""
    for flow in flows:
        course = flow.event_curve.course
        yield from (flow.event_curve.begin_day, course.end_day)
        yield from (day + more for day in course.factors for more in (-0.5, 0.5, 1.5))


def markers_of(
    spec: Spec, flows: KindArrivals, columns: Sequence[tuple[Family, Column]]
) -> Iterator[tuple[Arrivals, Family, Column, BytesByCause]]:
    """Yield each deletion with the markers that it leaves in a row: a cell's, or one per family of all its cells.

    A marker is a cell without a value, and one of a family has no qualifier either, as in HBase. A dropped range of
    rows leaves none in them.

    Parameters
    ----------
    columns
        Those that the row kind has cells of.
    """
    if not engine_of(spec).KEEPS_DELETE_MARKERS:
        return
    for flow in flows.deletes:
        if flow.mode == "delete_prefix":
            continue
        marked = columns if flow.mode == "delete_row" else flow.columns
        if flow.mode != "delete_cell":
            marked = tuple({family.id: (family, column) for family, column in marked}.values())
        for family, column in marked:
            marker = replace(cell(spec, family, column, flows.key_bytes), value=0.0)
            yield flow, family, column, marker if flow.mode == "delete_cell" else replace(marker, qualifier=0.0)
