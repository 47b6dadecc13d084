"""Factor by which the requests of a log could grow under a key, and the number of rows that their reads scan.

A row and the growing end of a prefix are what no split divides. Rows are those that came in the log.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import Segment
from designer.document.table import RowKind
from designer.wording import element_label
from estimator.results import Estimate, ReadPlan, TableTraffic
from estimator.results.arrays import Ints

from .blocks import OPERATION_NAMES, EventBlock
from .key_writing import KeyWriter
from .replay import Replay, ReplayedKind

POINTS = ("point", "multi_point")


@dataclass(frozen=True)
class ComparedScan:
    """The rows that one read scans: in the log, and in the model."""

    read: str
    name: str
    replayed_rows: float | None
    """Mean over the log's reads; None where the log cannot tell."""
    modelled_rows: float


def scanned_rows(
    spec: Spec, kinds: Sequence[RowKind], plans: Sequence[ReadPlan], replayed: Replay
) -> Iterator[ComparedScan]:
    """Yield the rows that each read would scan for the requests of the log, beside the model's."""
    by_id = {plan.read: plan for plan in plans}
    rows = [replayed.keys[place] for place in replayed.loads[-1].row_requests.tolist()]
    for key, read in ((kind.key, read) for kind in kinds for read in kind.reads):
        part = next(part for part in replayed.parts if part.key == key)
        asked = replace(part, requests=part.requests.of_operation("read"))
        plan = by_id.get(read.id)
        if plan is not None and plan.refused is None:
            found = _mean_rows(spec, read, plan, replayed, rows, asked) if asked.requests.keys else None
            yield ComparedScan(read.id, element_label(spec, read.id), found, plan.rows_scanned)


def _mean_rows(
    spec: Spec, read: Read, plan: ReadPlan, replayed: Replay, rows: Sequence[bytes], asked: ReplayedKind
) -> float | None:  # fmt: skip
    """Return the mean number of rows under the prefixes that the read knows; None where a log cannot tell it.

    A part of a log has not all rows; a range of times or values, and several keys in one call, are in no line of it.
    """
    if plan.access in POINTS:
        return 1.0 if plan.ranges <= 1 else None
    if plan.access not in ("prefix", "range", "scan") or read.time is not None or plan.ranges > 1:
        return None
    if replayed.requests < replayed.total or any(bind.is_range or bind.prefix for bind in read.binds):
        return None
    known = [segment for segment in asked.key if segment.id in plan.bound]
    if list(asked.key[: len(known)]) != known:
        return None
    most = read.newest_rows or read.row_limit
    counts = _rows_below(_prefixes(spec, known, asked), rows)
    return float(np.mean(counts if most is None or plan.filtered else np.minimum(counts, most)))


def _prefixes(spec: Spec, segments: Sequence[Segment], part: ReplayedKind) -> list[bytes]:
    """Return the beginnings of the requests' keys: what these segments make."""
    writer, requests = KeyWriter(spec, segments, part.source), part.requests
    made = writer.write(requests.values, requests.times_us, requests.events.keys)
    return [key for key in made if key is not None]  # all of them: these segments are the beginning of their keys


def _rows_below(prefixes: Sequence[bytes], rows: Sequence[bytes]) -> list[int]:
    found = {prefix: _place_behind(prefix, rows) - bisect_left(rows, prefix) for prefix in set(prefixes)}
    return [found[prefix] for prefix in prefixes]


def _place_behind(prefix: bytes, rows: Sequence[bytes]) -> int:
    """Return the place of the first row behind all with this prefix."""
    begun = prefix.rstrip(b"\xff")
    return bisect_left(rows, begun[:-1] + bytes((begun[-1] + 1,))) if begun else len(rows)


def reachable_factor(
    spec: Spec, made: Estimate, table: str, replayed: Replay, node_seconds: Mapping[str, float]
) -> tuple[float, float] | None:
    """Return by how much the load could grow before something is full: of the log, and of the model.

    Other tables have the model's load. None where the design has several clusters or none with nodes.
    """
    traffic = made.tables[table].traffic
    if traffic is None or len(made.placements) != 1:
        return None
    placement = made.placements[0]
    seconds = min(replayed.window_seconds, max(replayed.span_seconds, 1.0)) * replayed.sampled_share
    events, places = replayed.events, replayed.loads[-1].places
    loads = [_peak(places, events, replayed, node_seconds), *_front_peaks(spec, traffic, replayed, node_seconds)]
    others = sum(
        float(part.traffic.heat.node_share_of_windows.max())
        for name, part in made.tables.items()
        if name != table and part.traffic is not None
    )
    whole = _peak(np.zeros_like(places), events, replayed, node_seconds) / seconds + others
    least = min(1 / (max(loads) / seconds), placement.nodes / whole) if max(loads) > 0 else float("inf")
    return least, float(placement.reachable_factor)


def _front_peaks(
    spec: Spec, traffic: TableTraffic, replayed: Replay, node_seconds: Mapping[str, float]
) -> Iterator[float]:
    """Yield the node time of the busiest growing end of each prefix that the model says grows."""
    growing = {front.segment for front in traffic.fronts}
    for part in replayed.parts:
        written = replace(part, requests=part.requests.of_operation("write"))
        places = [place for place, segment in enumerate(part.key) if segment.id in growing]
        for place in places if written.requests.keys else ():
            prefixes = _prefixes(spec, part.key[:place], written)
            codes = {prefix: code for code, prefix in enumerate(dict.fromkeys(prefixes))}
            numbers = np.array([codes[prefix] for prefix in prefixes])
            yield _peak(numbers, written.requests.events, replayed, node_seconds)


def _peak(names: Ints, events: EventBlock, replayed: Replay, node_seconds: Mapping[str, float]) -> float:
    """Return the most node time that one name takes in a window; `names` are numbers, of each request. [s]"""
    windows = ((events.times_s - replayed.first_s) // replayed.window_seconds).astype(np.int64)
    taken = np.array([node_seconds.get(name, 0.0) for name in OPERATION_NAMES])[events.operations]
    _, places = np.unique(windows * (int(names.max()) + 1) + names, return_inverse=True)
    return float(np.bincount(places, weights=taken).max())
