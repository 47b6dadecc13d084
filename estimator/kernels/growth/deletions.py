"""Rows and cells that deletions leave of what is written, by the dates of both, and the markers of deletions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec
from designer.document.family import Column, Family
from estimator.engines import engine_of
from estimator.results import BytesByCause
from estimator.results.arrays import Floats

from .arrivals import Arrivals, KindArrivals
from .cells import cell

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
    again: Floats | None = None,
) -> Floats:
    """Share that deletions leave of what was written from one day to another.

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
    again : float64, shape (dates,)
        So many rows are written and deleted again and again, each as often. Else a row goes once and for good. [rows]

    Returns
    -------
    float64, shape (dates,)
        [1]
    """
    if not writes or not deletes:
        return np.ones_like(days)
    until = days if until is None else until
    edges = _edges(writes, deletes, first, days, until)
    written, deleted = (
        sum((flow.rows_between(ends[:-1], ends[1:]) for flow in flows), np.zeros_like(edges[1:]))
        for flows, ends in ((writes, edges), (deletes, np.minimum(edges, until)))
    )
    total = written.sum(axis=0)
    if again is not None:
        return _last_written_share(written / np.maximum(again, 1e-300), deleted / np.maximum(again, 1e-300))
    if rows is not None:
        written = written * np.divide(rows, total, out=np.zeros_like(total), where=total > 0)
        total = np.where(total > 0, rows, 0.0)
    # What is deleted where nothing is left does not count against what is written later.
    change = np.cumsum(written - deleted, axis=0)
    alive = change[-1] - np.minimum(change.min(axis=0), 0.0)
    return np.asarray(np.divide(alive, total, out=np.ones_like(total), where=total > 0))


def _last_written_share(written: Floats, deleted: Floats) -> Floats:
    """Share of rows whose last event is a write, of those that have a write: (dates,).

    `written`, `deleted`: expected events of one row in each span, both Poisson: (spans, dates).
    """
    events = written + deleted
    later = np.cumsum(events[::-1], axis=0)[::-1] - events
    of_events = np.divide(written, events, out=np.zeros_like(events), where=events > 0)
    alive = (of_events * -np.expm1(-events) * np.exp(-later)).sum(axis=0)
    there = -np.expm1(-written.sum(axis=0))
    return np.asarray(np.minimum(np.divide(alive, there, out=np.ones_like(there), where=there > 0), 1.0))


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
