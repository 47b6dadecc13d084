"""Node time of the busiest moments of a log: of the table, of a range, a row, a prefix, a growing end.

Requests are added in parts, so that a log of any length can be; each part is replayed under the same key.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from designer.document import Spec
from estimator.kernels.traffic.rows import SHORT_BYTES
from estimator.results import TableTraffic
from estimator.results.arrays import Floats, Ints

from ..blocks import OPERATION_CODES
from .heaviest import HeaviestNames, hash_names
from .key_load import RANGES
from .replay import Replay, ReplayedKind
from .replayed_work import ReplayedWork, prefixes_of

MOMENTS_MAX = 4_000_000
"""Of a log with more seconds, moments are as long as windows."""


@dataclass
class PeakTotals:
    """Node time in windows of time, of names that no split divides, and in moments."""

    window_seconds: float
    """Length of the windows in which peaks are looked for: the model's, or longer ones for a sample."""
    first_s: float
    span_seconds: float
    sampled_share: float = 1.0
    moment_seconds: float = 1.0
    by_moment: Floats = field(default_factory=lambda: np.zeros(0))
    by_window: Floats = field(default_factory=lambda: np.zeros(0))
    by_range: Floats = field(default_factory=lambda: np.zeros((0, RANGES)))
    names: HeaviestNames = field(default_factory=HeaviestNames)
    """Rows, short prefixes and growing ends."""
    passing_seconds: float = 0.0
    """Of the scans that pass one row in a window."""

    @classmethod
    def for_replay(cls, traffic: TableTraffic, replayed: Replay, *, is_whole: bool) -> "PeakTotals":
        """Return totals, without any yet, for the requests of a log or a sample of them."""
        window, span = replayed.window_seconds, replayed.span_seconds
        seconds = min(window, traffic.heat.window_seconds) if is_whole else window
        moment = 1.0 if is_whole and span < MOMENTS_MAX else seconds
        windows, begin = int(span // seconds) + 1, 0.0 if moment == 1 else replayed.first_s
        moments = int((replayed.first_s + span - begin) // moment) - int((replayed.first_s - begin) // moment) + 1
        share = 1.0 if is_whole else replayed.sampled_share
        ranges = np.zeros((windows, RANGES))
        return cls(seconds, replayed.first_s, span, share, moment, np.zeros(moments), np.zeros(windows), ranges)

    @property
    def length_seconds(self) -> float:
        """Time that node time of a window is divided by, less where requests are a sample."""
        return min(self.window_seconds, max(self.span_seconds, 1.0)) * self.sampled_share

    @property
    def busiest_moment(self) -> float:
        """Busy nodes of the busiest moment."""
        length = 1.0 if self.moment_seconds == 1 else self.length_seconds
        return float(self.by_moment.max()) / length

    @property
    def busiest_window(self) -> float:
        """Busy nodes of the busiest window."""
        return float(self.by_window.max()) / self.length_seconds

    @property
    def busiest_range(self) -> float:
        """Busy nodes of the busiest range in its busiest window."""
        return float(self.by_range.max()) / self.length_seconds

    @property
    def busiest_name(self) -> float:
        """Busy nodes of the busiest row, short prefix or growing end in its busiest window."""
        return max(self.names.most_seconds, self.passing_seconds) / self.length_seconds

    def add(self, spec: Spec, traffic: TableTraffic, replayed: Replay, work: ReplayedWork) -> None:
        """Add replayed requests with their node time."""
        load, node_seconds, times = replayed.loads[-1], request_seconds(replayed, work), replayed.events.times_s
        groups = load.places * min(RANGES, load.rows) // load.rows
        cells = self._windows(times) * RANGES + groups
        self.by_range += np.bincount(cells, weights=node_seconds, minlength=self.by_range.size).reshape(-1, RANGES)
        if load.scanned is not None and "scan" in work.seconds:
            at = self._windows(work.times_s["scan"])
            self.by_range += load.scanned.spread(at, work.seconds["scan"], RANGES, self.by_window.size)
        if work.seconds:
            all_times, all_taken = (
                np.concatenate([*by_operation.values()]) for by_operation in (work.times_s, work.seconds)
            )
            self.by_window += np.bincount(self._windows(all_times), all_taken, minlength=self.by_window.size)
            begin = 0.0 if self.moment_seconds == 1 else self.first_s
            first = int((self.first_s - begin) // self.moment_seconds)
            moments = ((all_times - begin) // self.moment_seconds).astype(np.int64) - first
            self.by_moment += np.bincount(moments, all_taken, minlength=self.by_moment.size)
        self._add_rows(node_seconds, replayed, work)
        self._add_short_ranges(replayed, work)
        for tag, part, mine in _growing(traffic, replayed, work):
            names = hash_names(prefixes_of(spec, int(tag.rpartition(b"/")[2]), part), tag)
            self.names.add(names, self._windows(part.requests.events.times_s), mine)

    def _windows(self, times_s: Floats) -> Ints:
        return ((times_s - self.first_s) // self.window_seconds).astype(np.int64)

    def _add_rows(self, node_seconds: Floats, replayed: Replay, work: ReplayedWork) -> None:
        """Add the node time of rows: of their own requests, and their part of the scans that pass them."""
        load, at, rows = replayed.loads[-1], self._windows(replayed.events.times_s), replayed.loads[-1].rows + 1
        hashes = replayed.key_hashes
        if load.scanned is None or "scan" not in work.seconds:
            self.names.add(hashes, at, node_seconds)
            return
        scanned = load.scanned
        own, firsts, own_of = np.unique(at * rows + load.places, return_index=True, return_inverse=True)
        own_taken: Floats = np.zeros(own.size)
        np.add.at(own_taken, own_of.reshape(-1), node_seconds)
        scans_at = self._windows(work.times_s["scan"]) * rows
        row_counts = np.fmax(work.scanned_rows, 1.0)
        row_seconds = np.where(scanned.highs > scanned.lows, work.seconds["scan"] / row_counts, 0.0)
        edges, edge_of = np.unique(
            np.concatenate([scans_at + scanned.lows, scans_at + scanned.highs]), return_inverse=True
        )  # fmt: skip
        passing = np.cumsum(np.bincount(edge_of.reshape(-1), weights=np.concatenate([row_seconds, -row_seconds])))
        before = np.searchsorted(edges, own, side="right") - 1
        own_taken += np.where(before >= 0, passing[before], 0.0)
        self.names.add(hashes[firsts], own // rows, own_taken)
        self.passing_seconds = max(self.passing_seconds, float(passing.max()))

    def _add_short_ranges(self, replayed: Replay, work: ReplayedWork) -> None:
        """Add the node time of prefixes whose rows lie in one tablet."""
        if "scan" not in work.seconds:
            return
        is_short = work.scanned_bytes <= SHORT_BYTES
        prefixes = [prefix for scan in replayed.scans for prefix in scan.prefixes]
        names, times = hash_names(prefixes, b"prefix")[is_short], work.times_s["scan"][is_short]
        self.names.add(names, self._windows(times), work.seconds["scan"][is_short])


def request_seconds(replayed: Replay, work: ReplayedWork) -> Floats:
    """Return the node time of each replayed request for a whole key, in their order."""
    codes = replayed.events.operations
    node_seconds = np.zeros(codes.size)
    for name, seconds in work.seconds.items():
        if name != "scan":
            node_seconds[codes == OPERATION_CODES[name]] = seconds
    return node_seconds


def _growing(
    traffic: TableTraffic, replayed: Replay, work: ReplayedWork
) -> Iterator[tuple[bytes, ReplayedKind, Floats]]:
    """Yield a name for each growing end that the model has, the writes to it, and their node time."""
    growing = {front.segment for front in traffic.fronts}
    start, node_seconds = 0, work.seconds.get("write", np.zeros(0))
    for number, part in enumerate(replayed.parts):
        writes = replace(part, requests=part.requests.of_operation("write"))
        count = len(writes.requests.keys)
        mine, start = node_seconds[start : start + count], start + count
        places = [place for place, segment in enumerate(part.key) if segment.id in growing]
        for place in places if mine.size else ():
            yield b"front %d/%d" % (number, place), writes, mine
