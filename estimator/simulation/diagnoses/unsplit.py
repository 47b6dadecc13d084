"""Load that cannot be split and exceeds one node: a row, an append point, a partition-key value."""

from collections.abc import Iterator

import numpy as np

from designer.document.key import TimeSegment, as_text
from estimator.results.arrays import Floats

from .. import sentences
from ..plan import PlannedTable
from ..points import Point
from ..results import Diagnosis
from .played_run import HOT, PlayedRun
from .spans import time_of


def indivisible_loads(run: PlayedRun) -> Iterator[Diagnosis]:
    """Yield the worst of each kind in each table."""
    for table in run.plan.tables:
        worst: dict[str, tuple[Floats, Point]] = {}
        for point in run.points[table.table.id]:
            load = run.point_load(table, point)
            if float(load.max()) > HOT and (
                point.what not in worst or float(load.max()) > float(worst[point.what][0].max())
            ):
                worst[point.what] = (load, point)
        for load, point in worst.values():
            yield _indivisible_diagnosis(run, table, point, load)


def _indivisible_diagnosis(run: PlayedRun, table: PlannedTable, point: Point, load: Floats) -> Diagnosis:
    peak, over = int(load.argmax()), np.flatnonzero(load > HOT)
    over_one = float(load[peak]) > 1
    rule, at = cause(table, point)
    params = {
        "key": as_text(table.patterns[point.row_kind].readable_key(point.key)),
        "load_nodes": float(load[peak]),
        "load_share": float(load[peak]),
        "reachable_share": min(1 / float(load[peak]), 1.0),
        "at_time": time_of(run.plan, peak),
    }
    message = (sentences.UNSPLIT if over_one else sentences.NEARLY_UNSPLIT)[point.what]
    if run.has_partitions and point.what == "front":
        message = sentences.PARTITION_END
    places = point.place[over]
    return Diagnosis(
        message=message, params=params,
        severity="error" if over_one else "warning",
        table=table.table.id, first_range=int(places.min()), last_range=int(places.max()),
        first_window=int(over[0]), last_window=int(over[-1]), rule=rule, at=at,
    )  # fmt: skip


def busiest_point(run: PlayedRun, table: PlannedTable, first: int, last: int, window: int) -> Point | None:
    """Return what takes most node time in a window of what cannot be split in some ranges."""
    inside = [
        point
        for point in run.points[table.table.id]
        if first <= point.place[window] <= last or (point.what == "front" and not point.segment)  # it walks
    ]
    return max(inside, key=lambda candidate: float(run.point_load(table, candidate)[window]), default=None)


def cause(table: PlannedTable, point: Point | None) -> tuple[str, str]:
    """Return the rule that explains more, and the element that it concerns."""
    if point is None:
        segments = table.display_pattern.segments
        return ("K013", segments[0].id) if segments else ("", "")
    if point.what == "front" and not point.segment:
        return "I019", next(iter(point.share))
    if point.what == "front":
        pattern = table.patterns[point.row_kind]
        segment = next(s for s in pattern.segments if s.id == point.segment)
        if not point.whole:
            return "K026", segment.id
        return ("K004" if isinstance(segment, TimeSegment) else "K005"), segment.id
    if point.what == "partition":
        return "K013", next(s.id for s in table.patterns[point.row_kind].segments)
    return "K014", max(point.share, key=lambda name: float(point.share[name].max()))
