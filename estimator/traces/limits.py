"""Factor by which the requests of a log could grow under a key before something is full.

A row and the growing end of a prefix are what no split divides. Rows are those that came in the log.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from designer.document import Spec
from estimator.results import Estimate, TableTraffic
from estimator.results.arrays import Floats, Ints

from .blocks import OPERATION_CODES
from .hours import busiest_hour_rate
from .replay import Replay
from .replayed_work import ReplayedWork, prefixes_of


def reachable_factor(
    spec: Spec, made: Estimate, table: str, replayed: Replay, work: ReplayedWork
) -> tuple[float, float] | None:
    """Return by how much the load could grow before something is full: of the log, and of the model.

    The table's load is that of the log's busiest hour, or of its busiest window if all requests are replayed. Other
    tables have the model's load. None where the design has several clusters or none with nodes.
    """
    traffic = made.tables[table].traffic
    if traffic is None or len(made.placements) != 1:
        return None
    placement, seconds = made.placements[0], peak_seconds(traffic, replayed)
    taken = request_seconds(replayed, work)
    loads = [_peak(replayed.loads[-1].places, replayed.events.times_s, taken, seconds, replayed)]
    loads += _front_peaks(spec, traffic, replayed, work, seconds)
    others = sum(
        float(part.traffic.heat.node_share_of_windows.max())
        for name, part in made.tables.items()
        if name != table and part.traffic is not None
    )
    whole = busiest_hour_rate(work.total_by_hour(), replayed.log_first_s, replayed.log_last_s)
    if replayed.is_whole:
        times, all_taken = np.concatenate([*work.times_s.values()]), np.concatenate([*work.seconds.values()])
        whole = max(whole, _peak(np.zeros(times.size, dtype=np.int64), times, all_taken, seconds, replayed))
    least = min([placement.nodes / (whole + others), *(1 / load for load in loads if load > 0)], default=float("inf"))
    return least, float(placement.reachable_factor)


def peak_seconds(traffic: TableTraffic, replayed: Replay) -> float:
    """Return the length of the windows in which peaks are looked for: the model's, or longer ones for a sample. [s]"""
    window = replayed.window_seconds
    return min(window, traffic.heat.window_seconds) if replayed.is_whole else window


def request_seconds(replayed: Replay, work: ReplayedWork) -> Floats:
    """Return the node time of each replayed request for a whole key, in their order."""
    codes = replayed.events.operations
    taken = np.zeros(codes.size)
    for name, seconds in work.seconds.items():
        if name != "scan":
            taken[codes == OPERATION_CODES[name]] = seconds
    return taken


def _front_peaks(
    spec: Spec, traffic: TableTraffic, replayed: Replay, work: ReplayedWork, seconds: float
) -> Iterator[float]:
    """Yield the node time per time of the busiest growing end of each prefix that the model says grows."""
    growing = {front.segment for front in traffic.fronts}
    start, taken = 0, work.seconds.get("write", np.zeros(0))
    for part in replayed.parts:
        written = replace(part, requests=part.requests.of_operation("write"))
        count = len(written.requests.keys)
        mine, start = taken[start : start + count], start + count
        places = [place for place, segment in enumerate(part.key) if segment.id in growing]
        for place in places if mine.size else ():
            prefixes = prefixes_of(spec, place, written)
            codes = {prefix: code for code, prefix in enumerate(dict.fromkeys(prefixes))}
            numbers = np.array([codes[prefix] for prefix in prefixes])
            yield _peak(numbers, written.requests.events.times_s, mine, seconds, replayed)


def _peak(names: Ints, times_s: Floats, taken: Floats, seconds: float, replayed: Replay) -> float:
    """Return the most node time per time that one name takes in a window; `names` are numbers, of each request."""
    windows = ((times_s - replayed.first_s) // seconds).astype(np.int64)
    _, places = np.unique(windows * (int(names.max()) + 1) + names, return_inverse=True)
    length = min(seconds, max(replayed.span_seconds, 1.0)) * replayed.sampled_share
    return float(np.bincount(places, weights=taken).max()) / length
