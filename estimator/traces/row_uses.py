"""The largest rows of a log, and what is asked of a row after what: in bounded memory."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .blocks import NO_SIZE, OPERATION_NAMES, EventBlock

ROWS = 5
"""So many of the largest rows are kept."""
WINDOW_SECONDS = 3_600.0
"""A request so much later is none that follows."""
FOLLOWED_FIRST, FOLLOWED_PER_BLOCK = 2_000, 64
"""So many requests are followed of a short log, and of each block of a long one."""
WAITING_MAX, WAITING_BYTES = 5_000, 4 << 20
"""Rows that are waited for at a time, and bytes of their keys."""
STEPS = 20
"""Steps of a factor of two in which times between requests are counted."""
LEAST_SECONDS = 1e-3


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
        seen = set[bytes]()
        for place in places[np.argsort(-sizes[places], kind="stable")].tolist():
            key, size = events.keys[place], int(sizes[place])
            seen.add(key)
            if size > self.found.get(key, (NO_SIZE, ""))[0]:
                self.found[key] = size, OPERATION_NAMES[int(events.operations[place])]
            if len(seen) == ROWS:
                break
        self.found = dict(sorted(self.found.items(), key=lambda item: -item[1][0])[:ROWS])

    @property
    def rows(self) -> tuple[LargeRow, ...]:
        """The rows, the largest first."""
        return tuple(LargeRow(key, size, operation) for key, (size, operation) in self.found.items())


@dataclass(frozen=True)
class NextRequest:
    """How often one operation on a row is the next after another."""

    operation: str
    following: str
    """Empty: none within `WINDOW_SECONDS`."""
    share: float
    """Of the followed requests of `operation`."""
    median_seconds: float | None
    """Between both."""
    followed: int
    """Requests of `operation` that were followed: a sample, drawn alike from each part of the log."""


@dataclass
class RowSequences:
    """Requests that are followed until the next one for the same row: some of each block, drawn at random."""

    waiting: dict[bytes, tuple[int, float]] = field(default_factory=dict)
    waiting_bytes: int = 0
    followed: int = 0
    gaps: dict[tuple[int, int], Counter[int]] = field(default_factory=dict)
    """By both operations: how often there was so much time between them, by steps of a logarithm."""
    alone: Counter[int] = field(default_factory=Counter)
    """Requests that no other followed in time, by operation."""
    last_s: float = -np.inf
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def add(self, events: EventBlock) -> None:
        """Add some requests, in the order of the log."""
        self._give_up(float(events.times_s.min()))
        wanted = min(len(events), max(FOLLOWED_PER_BLOCK, FOLLOWED_FIRST - self.followed))
        chosen = set(self._random.choice(len(events), wanted, replace=False).tolist())
        rows = self.waiting.keys() | {events.keys[place] for place in chosen}
        is_such = np.fromiter(map(rows.__contains__, events.keys), dtype=np.bool_, count=len(events))
        for place in np.flatnonzero(is_such).tolist():
            key, kind, time_s = events.keys[place], int(events.operations[place]), float(events.times_s[place])
            self._end(key, kind, time_s)
            if place in chosen and len(self.waiting) < WAITING_MAX and self.waiting_bytes < WAITING_BYTES:
                self.waiting[key] = kind, time_s
                self.waiting_bytes += len(key)
                self.followed += 1
        self.last_s = max(self.last_s, float(events.times_s.max()))

    def _end(self, key: bytes, kind: int, time_s: float) -> None:
        """Count the request that follows the one that waits, if any."""
        begun = self.waiting.pop(key, None)
        if begun is None:
            return
        self.waiting_bytes -= len(key)
        seconds = abs(time_s - begun[1])
        if seconds > WINDOW_SECONDS:
            self.alone[begun[0]] += 1
        else:
            step = round(float(np.log2(max(seconds, LEAST_SECONDS))) * STEPS)
            self.gaps.setdefault((begun[0], kind), Counter())[step] += 1

    def _give_up(self, now_s: float) -> None:
        """Drop what has waited too long."""
        late = [key for key, (_, time_s) in self.waiting.items() if now_s - time_s > WINDOW_SECONDS]
        for key in late:
            kind, _ = self.waiting.pop(key)
            self.waiting_bytes -= len(key)
            self.alone[kind] += 1

    def next_requests(self) -> tuple[NextRequest, ...]:
        """Return what follows what; requests near the end of the log, whose next one may be missing, do not count."""
        alone = self.alone + Counter(
            kind for kind, time_s in self.waiting.values() if self.last_s - time_s > WINDOW_SECONDS
        )
        found = []
        for kind, name in enumerate(OPERATION_NAMES):
            after = {other: gaps for (first, other), gaps in self.gaps.items() if first == kind}
            total = sum(gaps.total() for gaps in after.values()) + alone[kind]
            for other, gaps in sorted(after.items(), key=lambda item: -item[1].total()):
                share = gaps.total() / total
                found.append(NextRequest(name, OPERATION_NAMES[other], share, _median_seconds(gaps), total))
            if alone[kind]:
                found.append(NextRequest(name, "", alone[kind] / total, None, total))
        return tuple(found)


def _median_seconds(gaps: Counter[int]) -> float:
    steps = np.array(sorted(gaps))
    passed = np.cumsum([gaps[step] for step in steps.tolist()])
    return float(2 ** (steps[int(np.searchsorted(passed, passed[-1] / 2))] / STEPS))
