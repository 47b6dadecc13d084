"""The largest rows of a log, and what is asked of a row after what: in bounded memory."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from estimator.results.arrays import Ints

from .blocks import NO_SIZE, OPERATION_NAMES, EventBlock
from .byte_columns import Hashes

ROWS = 5
"""So many of the largest rows are kept."""
WINDOW_SECONDS = 3_600.0
"""A request so much later is none that follows."""
FOLLOWED_FIRST, FOLLOWED_PER_BLOCK = 2_000, 64
"""So many requests are followed of a short log, and of each block of a long one."""
WAITING_MAX = 5_000
"""Rows that are waited for at a time."""
_FILTER_BITS = 20
_FILTER_SHIFT = np.uint64(64 - _FILTER_BITS)
"""Of a hash, to tell rows that are surely not waited for: of the others hardly any is not."""
STEPS = 20
"""Steps of a factor of two in which times between requests are counted."""
LEAST_SECONDS = 1e-3
NEVER = 1e-9
"""A smaller share is none."""


class LargeRow(NamedTuple):
    """A row, by the largest request for it."""

    key: bytes
    bytes: int
    operation: str


@dataclass
class LargestRows:
    """The rows with the largest requests."""

    found: dict[bytes, tuple[int, str]] = field(default_factory=dict)

    def add(self, events: EventBlock) -> None:
        """Add some requests."""
        sizes = events.value_bytes
        full = len(self.found) == ROWS
        least = min(size for size, _ in self.found.values()) if full else NO_SIZE
        places = np.flatnonzero(sizes > least)
        visited = set[bytes]()
        for place in places[np.argsort(-sizes[places], kind="stable")].tolist():
            key, size = events.key_column[place], int(sizes[place])
            visited.add(key)
            if size > self.found.get(key, (NO_SIZE, ""))[0]:
                self.found[key] = size, OPERATION_NAMES[int(events.operations[place])]
            if len(visited) == ROWS:
                break
        self.found = dict(sorted(self.found.items(), key=lambda item: -item[1][0])[:ROWS])

    @property
    def rows(self) -> tuple[LargeRow, ...]:
        """The rows, the largest first."""
        return tuple(LargeRow(key, size, operation) for key, (size, operation) in self.found.items())


@dataclass(frozen=True)
class NextRequest:
    """Frequency with which one operation on a row is the next after another."""

    operation: str
    following: str
    """Empty: none within `WINDOW_SECONDS`."""
    share: float
    """Of the followed requests of `operation`."""
    median_seconds: float | None
    """Between both."""
    followed: int
    """Requests of `operation` that were followed: a sample of each part of the log."""
    window_seconds: float
    """So long the next request is waited for; in a short log as long as that is."""


@dataclass
class RowSequences:
    """Requests that are followed until the next one for the same row: some of each block, drawn at random."""

    waiting: dict[int, tuple[int, float]] = field(default_factory=dict)
    """Operations and times of requests, by the hashes of their rows."""
    followed: int = 0
    gaps: dict[tuple[int, int], Counter[int]] = field(default_factory=dict)
    """By both operations: how often there was so much time between them, by steps of a logarithm."""
    alone: Counter[int] = field(default_factory=Counter)
    """Requests that no other followed in time, by operation."""
    first_s: float = np.inf
    last_s: float = -np.inf
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def add(self, events: EventBlock, hashes: Hashes) -> None:
        """Add some requests with the hashes of their keys, in the order of the log."""
        begin_s = float(events.times_s.min())
        self.first_s = min(self.first_s, begin_s)
        self._give_up(begin_s)
        # The first requests of a log would all be of its first minutes; some of each block represent the whole time.
        sample_size = min(len(events), max(FOLLOWED_PER_BLOCK, FOLLOWED_FIRST - self.followed))
        chosen = self._random.choice(len(events), sample_size, replace=False)
        is_followed = np.zeros(len(events), dtype=np.bool_)
        is_followed[chosen] = True
        for place in self._places_of_rows(hashes, chosen).tolist():
            row, kind, time_s = int(hashes[place]), int(events.operations[place]), float(events.times_s[place])
            self._end(row, kind, time_s)
            if is_followed[place] and len(self.waiting) < WAITING_MAX:
                self.waiting[row] = kind, time_s
                self.followed += 1
        self.last_s = max(self.last_s, float(events.times_s.max()))

    def _places_of_rows(self, hashes: Hashes, chosen: Ints) -> Ints:
        """Return the requests for rows that are waited for, or of the chosen ones, and hardly any others."""
        waiting = np.fromiter(self.waiting, dtype=np.uint64, count=len(self.waiting))
        rows = np.concatenate([waiting, hashes[chosen]])
        may_wait = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
        may_wait[rows >> _FILTER_SHIFT] = True
        return np.flatnonzero(may_wait[hashes >> _FILTER_SHIFT])

    def _end(self, row: int, kind: int, time_s: float) -> None:
        """Count the request that follows the one that waits, if any."""
        begun = self.waiting.pop(row, None)
        if begun is None:
            return
        seconds = abs(time_s - begun[1])
        if seconds > WINDOW_SECONDS:
            self.alone[begun[0]] += 1
        else:
            self.gaps.setdefault((begun[0], kind), Counter())[_step(seconds)] += 1

    def _give_up(self, now_s: float) -> None:
        """Drop what has waited too long."""
        late = [row for row, (_, time_s) in self.waiting.items() if now_s - time_s > WINDOW_SECONDS]
        for row in late:
            kind, _ = self.waiting.pop(row)
            self.alone[kind] += 1

    def next_requests(self) -> tuple[NextRequest, ...]:
        """Return what follows what."""
        return tuple(request for kind in range(len(OPERATION_NAMES)) for request in self._next_of(kind))

    def _next_of(self, kind: int) -> Iterator[NextRequest]:
        """Yield what follows one operation.

        Rows that still wait at the end of the log count for as long as they waited (O. Aalen, S. Johansen, 1978):
        without them requests that come late would seem to come less often, and those of a short log never.
        """
        after = {other: gaps for (first, other), gaps in self.gaps.items() if first == kind}
        waited = [self.last_s - time_s for waiting_kind, time_s in self.waiting.values() if waiting_kind == kind]
        alone = self.alone[kind] + sum(seconds > WINDOW_SECONDS for seconds in waited)
        if not after and not alone:
            return
        ended = sum(after.values(), Counter[int]())
        # Those that still wait leave the group at risk when the log ends, without an event (right-censoring).
        exits = ended + Counter(_step(seconds) for seconds in waited if seconds <= WINDOW_SECONDS)
        at_risk, waits, shares = exits.total() + alone, 1.0, dict.fromkeys(after, 0.0)
        window, followed = min(WINDOW_SECONDS, self.last_s - self.first_s), at_risk
        for step in sorted(exits):
            for other, gaps in after.items():
                # Cumulative incidence: the chance to have waited until now, times the rate of this kind among those
                # still waiting.
                shares[other] += waits * gaps[step] / at_risk
            waits *= 1 - ended[step] / at_risk
            at_risk -= exits[step]
        name = OPERATION_NAMES[kind]
        for other, share in sorted(shares.items(), key=lambda item: -item[1]):
            seconds = _median_seconds(after[other])
            yield NextRequest(name, OPERATION_NAMES[other], share, seconds, followed, window)
        if waits > NEVER:
            yield NextRequest(name, "", waits, None, followed, window)


def _step(seconds: float) -> int:
    return round(float(np.log2(max(seconds, LEAST_SECONDS))) * STEPS)


def _median_seconds(gaps: Counter[int]) -> float:
    steps = np.array(sorted(gaps))
    totals = np.cumsum([gaps[step] for step in steps.tolist()])
    return float(2 ** (steps[int(np.searchsorted(totals, totals[-1] / 2))] / STEPS))
