"""Load of requests under one key: rows in order, and ranges with equally many of them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import ne
from typing import Self

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
    even_counts: Floats = field(compare=False, repr=False)
    """The same, spread evenly by chance."""

    @classmethod
    def of_counts(cls, counts: Floats, even_counts: Floats, requests: int, busiest_row: int) -> Self:
        """Return the load of so many requests, of which so many are for the busiest row."""
        busiest, even = (float(array.max(axis=1).sum() / max(array.sum(), 1e-300)) for array in (counts, even_counts))
        return cls(requests, busiest, even, busiest_row / max(requests, 1), counts, even_counts)

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
    times_s: Floats = field(compare=False, repr=False)
    """Of the requests."""
    operation_codes: Ints = field(compare=False, repr=False)
    """Of the requests: places in `OPERATION_NAMES`."""
    logged_rows: "LoggedRows | None" = field(compare=False, repr=False)
    """Those that ranges divide, where they are not those of the requests."""
    scanned: ScannedRows | None = field(compare=False, repr=False)
    """None without scans."""

    @cached_property
    def there(self) -> RowsInTime:
        """The times at which the rows are there."""
        if self.scanned is not None and self.scanned.there is not None:
            return self.scanned.there
        if self.logged_rows is not None:
            return self.logged_rows.there
        rows = self.row_requests.size
        return RowsInTime.of_requests(self.places, self.times_s, self.operation_codes, rows)

    def hottest_ranges(self, number: int) -> tuple["BusyRange", ...]:
        """Return the ranges with the most requests, the busiest first."""
        per_range = np.sum([load.counts.sum(axis=0) for load in self.operations.values()], axis=0)[: len(self.bounds)]
        order = np.argsort(-per_range, kind="stable")[:number].tolist()
        ends = (*self.bounds[1:], b"")
        return tuple(BusyRange(self.bounds[n], ends[n], float(per_range[n] / per_range.sum())) for n in order)


@dataclass(frozen=True)
class LoggedRows:
    """Rows that came in a log, or a sample of them."""

    keys: Sequence[bytes]
    """In order."""
    there: RowsInTime
    share: float
    """Of all that came."""

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {key: place for place, key in enumerate(self.keys)}

    def find(self, keys: Sequence[bytes]) -> Ints:
        """Return the place of each key; of one that is no row of these, that of the last one before it."""
        places = self._places
        row_places = (places[key] if key in places else max(bisect_left(self.keys, key) - 1, 0) for key in keys)
        return np.fromiter(row_places, dtype=np.int64, count=len(keys))


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
    scans: tuple[Sequence[bytes], Floats], logged_rows: LoggedRows | None = None,
) -> KeyLoad:  # fmt: skip
    """Return the load of requests under a key; `scans` are the prefixes of those that scan, and their times.

    Ranges divide the rows of these requests, or the `logged_rows` ones of a longer log, of which these are a part.
    """
    firsts, at = np.zeros(0, dtype=np.int64), windows.places(times_s)
    if logged_rows is None:
        places, firsts = order_rows(keys)
        rows = firsts.size
    else:
        places, rows = logged_rows.find(keys), len(logged_rows.keys)
    names = {OPERATION_NAMES[code]: operations == code for code in np.unique(operations).tolist()}
    loads = {
        name: _range_load(places[is_such], at[is_such], rows, windows.count)
        for name, is_such in sorted(names.items(), key=lambda item: item[0])
    }
    number = min(RANGES, rows)
    # Rounded up, so that row r is in range r · number // rows, as requests are counted.
    edges = [-(-place * rows // number) for place in range(number)]
    bounds = tuple(keys[firsts[edge]] if logged_rows is None else logged_rows.keys[edge] for edge in edges)
    busiest = int(np.bincount(places).max(initial=0)) / max(len(keys), 1)
    load = KeyLoad(text, rows, busiest, loads, bounds, firsts, places, times_s, operations, logged_rows, None)
    prefixes = scans[0]
    if len(prefixes):
        # Only scans ask for all rows in order: to pick them costs more than all the rest.
        ordered = [keys[place] for place in firsts.tolist()] if logged_rows is None else logged_rows.keys
        spans = {prefix: span_of(prefix, ordered) for prefix in set(prefixes)}
        lows, highs = np.array([spans[prefix] for prefix in prefixes], dtype=np.int64).T
        scan_windows = windows.places(scans[1])
        scanned = ScannedRows(lows, highs, scan_windows, windows.middles(scan_windows), rows, load.there)
        load = replace(load, scanned=scanned)
        loads["scan"] = _scan_load(scanned, max(Counter(prefixes).values()), windows.count)
    return load


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
    number = max(min(RANGES, rows), 1)
    cells = windows * RANGES + places * number // rows
    counts = np.bincount(cells, minlength=window_count * RANGES).reshape(window_count, RANGES)
    random = np.random.default_rng(1)
    # Chance alone makes some range the busiest: of 64 ranges with 10 requests each one has about 18.
    even = random.multinomial(counts.sum(axis=1), np.full(number, 1 / number))
    even_counts = np.pad(even.astype(np.float64), ((0, 0), (0, RANGES - number)))
    busiest_row = int(np.bincount(places).max())
    return RangeLoad.of_counts(counts.astype(np.float64), even_counts, places.size, busiest_row)


def _scan_load(scanned: ScannedRows, busiest: int, window_count: int) -> RangeLoad:
    """Return the same for scans, of which `busiest` are for the prefix that is asked for most."""
    number = scanned.lows.size
    counts, even = (
        scans.spread(scans.windows, np.ones(number), RANGES, window_count) for scans in (scanned, scanned.anywhere())
    )
    return RangeLoad.of_counts(counts, even, number, busiest)
