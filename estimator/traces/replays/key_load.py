"""Load of requests under one key: rows in order, and ranges with equally many of them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import ne

import numpy as np

from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Floats, Ints

from ..blocks import OPERATION_NAMES
from .scanned_rows import RowsInTime, ScannedRows

PADDED_BYTES = 64 << 20
"""Keys are put in order in an array as wide as the longest, if it has no more bytes."""
RANGES = 64


@dataclass(frozen=True)
class RangeLoad:
    """Distribution of the requests of one operation over ranges of rows."""

    requests: int
    busiest_share: float
    """Share of the requests in a window of time that are for its busiest range, as a mean over all requests."""
    even_share: float
    """The same if requests were spread evenly by chance."""
    busiest_row_share: float
    """Of scans: of the busiest prefix."""
    counts: Floats = field(compare=False, repr=False)
    """(windows, ranges) requests; a scan counts in parts where its rows are."""

    @property
    def window_requests(self) -> tuple[int, ...]:
        """Requests in each window of time."""
        return tuple(np.rint(self.counts.sum(axis=1)).astype(np.int64).tolist())


@dataclass(frozen=True)
class KeyLoad:
    """The load under one key."""

    key: str
    rows: int
    busiest_row_share: float
    operations: dict[str, RangeLoad]
    bounds: tuple[bytes, ...] = field(compare=False, repr=False)
    """First key of each range; there are as many ranges as rows where rows are few."""
    row_requests: Ints = field(compare=False, repr=False)
    """A request for each row, by its place, in the order of rows."""
    places: Ints = field(compare=False, repr=False)
    """Of the row of each request, in the order of rows."""
    there: RowsInTime = field(compare=False, repr=False)
    scanned: ScannedRows | None = field(compare=False, repr=False)
    """None without scans."""

    def hottest_ranges(self, number: int) -> tuple["BusyRange", ...]:
        """Return the ranges with the most requests, the busiest first."""
        per_range = np.sum([load.counts.sum(axis=0) for load in self.operations.values()], axis=0)[: len(self.bounds)]
        order = np.argsort(-per_range, kind="stable")[:number].tolist()
        ends = (*self.bounds[1:], b"")
        return tuple(BusyRange(self.bounds[n], ends[n], float(per_range[n] / per_range.sum())) for n in order)


@dataclass(frozen=True)
class BusyRange:
    """A range of rows, and its share of all requests of the log."""

    first: bytes
    end: bytes
    """First key after it; empty: the last range."""
    share: float


@dataclass(frozen=True)
class TimeWindows:
    """Windows of equal length from the first request on."""

    first_s: float
    seconds: float
    count: int

    def places(self, times_s: Floats) -> Ints:
        """Return the window of each time."""
        return ((times_s - self.first_s) // self.seconds).astype(np.int64)

    def middles(self, places: Ints) -> Floats:
        """Return the middle of each window. [s since 1970]"""
        return np.asarray(self.first_s + (places + 0.5) * self.seconds)


def load_under(
    text: str, keys: Sequence[bytes], operations: Ints, times_s: Floats, windows: TimeWindows,
    scans: tuple[Sequence[bytes], Floats],
) -> KeyLoad:  # fmt: skip
    """Return the load of requests under a key; `scans` are the prefixes of those that scan, and their times."""
    places, firsts = order_rows(keys)
    rows, at = firsts.size, windows.places(times_s)
    there = RowsInTime.of_requests(places, times_s, operations, rows)
    names = {OPERATION_NAMES[code]: operations == code for code in np.unique(operations).tolist()}
    loads = {
        name: _range_load(places[is_such], at[is_such], rows, windows.count)
        for name, is_such in sorted(names.items(), key=lambda item: item[0])
    }
    prefixes, scanned = scans[0], None
    if len(prefixes):
        ordered = [keys[place] for place in firsts.tolist()]
        spans = {prefix: span_of(prefix, ordered) for prefix in set(prefixes)}
        lows, highs = np.array([spans[prefix] for prefix in prefixes], dtype=np.int64).T
        scan_windows = windows.places(scans[1])
        scanned = ScannedRows(lows, highs, scan_windows, windows.middles(scan_windows), rows, there)
        loads["scan"] = _scan_load(scanned, max(Counter(prefixes).values()), windows.count)
    number = min(RANGES, rows)
    # Rounded up, so that row r is in range r · number // rows, as requests are counted.
    bounds = tuple(keys[firsts[-(-place * rows // number)]] for place in range(number))
    busiest = int(np.bincount(places).max()) / len(keys)
    return KeyLoad(text, rows, busiest, loads, bounds, firsts, places, there, scanned)


def span_of(prefix: bytes, rows: Sequence[bytes]) -> tuple[int, int]:
    """Return the place of the first row with this prefix, and of the first one behind them all."""
    # The first key behind all with the prefix is the prefix with its last byte raised by one; 0xFF cannot be raised,
    # so the byte before it is. Nothing but 0xFF reaches to the end.
    begun = prefix.rstrip(b"\xff")
    end = bisect_left(rows, begun[:-1] + bytes((begun[-1] + 1,))) if begun else len(rows)
    return bisect_left(rows, prefix), end


def order_rows(keys: Sequence[bytes]) -> tuple[Ints, Ints]:
    """Return the place of each key among all different ones in byte order, and where each of these comes first."""
    if max(map(len, keys)) * len(keys) <= PADDED_BYTES:
        order, is_new = Texts.of(keys).order()
    else:  # some are far longer than most
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
        is_new = np.array([True, *map(ne, (keys[n] for n in order[1:].tolist()), (keys[n] for n in order.tolist()))])
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.cumsum(is_new) - 1
    return places, order[is_new]


def _range_load(places: Ints, windows: Ints, rows: int, window_count: int) -> RangeLoad:
    """Return the mean share of the busiest range, weighed by requests, and what it were by chance alone."""
    number = min(RANGES, rows)
    cells = windows * RANGES + places * number // rows
    found = np.bincount(cells, minlength=window_count * RANGES).reshape(window_count, RANGES)
    random = np.random.default_rng(1)
    # Chance alone makes some range the busiest: of 64 ranges with 10 requests each one has about 18.
    even = random.multinomial(found.sum(axis=1), np.full(number, 1 / number))
    busiest_row = int(np.bincount(places).max()) / places.size
    return RangeLoad(places.size, _busiest_share(found), _busiest_share(even), busiest_row, found.astype(np.float64))


def _scan_load(scanned: ScannedRows, busiest: int, window_count: int) -> RangeLoad:
    """Return the same for scans, of which `busiest` are for the prefix that is asked for most."""
    number = scanned.lows.size
    found, even = (
        one.spread(one.windows, np.ones(number), RANGES, window_count) for one in (scanned, scanned.anywhere())
    )
    return RangeLoad(number, _busiest_share(found), _busiest_share(even), busiest / number, found)


def _busiest_share(counts: Ints | Floats) -> float:
    return float(counts.max(axis=1).sum() / counts.sum())
