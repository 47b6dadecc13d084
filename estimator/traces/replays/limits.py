"""Factor by which the requests of a log could grow under a key before something is full.

A row, the growing end of a prefix, and a short range that is read as a whole are what no split divides. Rows are those
that came in the log; a scan takes its node time in all rows that it passes.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from designer.document import Spec
from estimator.kernels.traffic.rows import SHORT_BYTES
from estimator.results import Estimate, TableTraffic
from estimator.results.arrays import Floats, Ints

from ..blocks import OPERATION_CODES
from ..hours import busiest_hour_rate
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
    loads = [_row_peak(taken, seconds, replayed, work), *_short_range_peaks(seconds, replayed, work)]
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


def _row_peak(taken: Floats, seconds: float, replayed: Replay, work: ReplayedWork) -> float:
    """Return the most node time per time that one row takes in a window: of its own requests, and its part of scans."""
    load, times = replayed.loads[-1], replayed.events.times_s
    if load.scanned is None or "scan" not in work.seconds:
        return _peak(load.places, times, taken, seconds, replayed)
    rows, scanned = load.rows + 1, load.scanned
    own, own_of = np.unique(_windows(times, seconds, replayed) * rows + load.places, return_inverse=True)
    own_taken = np.bincount(own_of.reshape(-1), weights=taken)
    at = _windows(work.times_s["scan"], seconds, replayed) * rows
    met = np.fmax(work.scanned_rows, 1.0)
    each = np.where(scanned.highs > scanned.lows, work.seconds["scan"] / met, 0.0)
    edges, edge_of = np.unique(np.concatenate([at + scanned.lows, at + scanned.highs]), return_inverse=True)
    # Scans add their time per row from their first row on and take it back behind their last: a running sum over these
    # edges is the time in each row, without listing all rows that scans pass.
    passing = np.cumsum(np.bincount(edge_of.reshape(-1), weights=np.concatenate([each, -each])))
    before = np.searchsorted(edges, own, side="right") - 1
    # A row's own requests, and what the scans that pass it take there.
    own_taken += np.where(before >= 0, passing[before], 0.0)
    return max(float(own_taken.max()), float(passing.max())) / _length(seconds, replayed)


def _short_range_peaks(seconds: float, replayed: Replay, work: ReplayedWork) -> Iterator[float]:
    """Yield the node time per time of the busiest prefix whose rows lie in one tablet."""
    if "scan" not in work.seconds:
        return
    is_short = work.scanned_bytes <= SHORT_BYTES
    prefixes = [prefix for scan in replayed.scans for prefix in scan.prefixes]
    numbers = {prefix: number for number, prefix in enumerate(dict.fromkeys(prefixes))}
    names = np.array([numbers[prefix] for prefix in prefixes])
    if is_short.any():
        times = work.times_s["scan"][is_short]
        yield _peak(names[is_short], times, work.seconds["scan"][is_short], seconds, replayed)


def _windows(times_s: Floats, seconds: float, replayed: Replay) -> Ints:
    return ((times_s - replayed.first_s) // seconds).astype(np.int64)


def _length(seconds: float, replayed: Replay) -> float:
    # Of a sample only this share of the load is seen, so time is scaled by it instead of the load.
    return min(seconds, max(replayed.span_seconds, 1.0)) * replayed.sampled_share


def _peak(names: Ints, times_s: Floats, taken: Floats, seconds: float, replayed: Replay) -> float:
    """Return the most node time per time that one name takes in a window; `names` are numbers, of each request."""
    windows = _windows(times_s, seconds, replayed)
    # A pair of window and name as one number: a table of all pairs could have billions of cells.
    _, places = np.unique(windows * (int(names.max()) + 1) + names, return_inverse=True)
    return float(np.bincount(places, weights=taken).max()) / _length(seconds, replayed)
