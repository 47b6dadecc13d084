"""The keys that come most often, in bounded memory: counted exactly while there are few, then by what comes often."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from estimator.results.arrays import Ints

from .blocks import EventBlock, pick
from .byte_columns import ByteColumn

LIMIT_BYTES = 24 << 20
"""Memory for the keys of a table: what fits a processor's cache is counted fast."""
ENTRY_BYTES = 130
"""A counted key without its own bytes, measured."""
KEPT_PART = 8
"""Of the keys counted so far one in so many is kept: those that came most often."""
SLOT_BITS = 18
OFTEN = 8
"""Requests for one slot, of as many as there are slots, from which on its keys are counted."""
_COUNTED = 1 << 30
"""Added for a slot whose keys are counted."""
_EACH = 16
"""One key of so many tells the mean length."""


@dataclass
class BusiestKeys:
    """Counts of keys.

    Once there are too many, those that came most often stay, and another one is counted from the request on that is the
    `OFTEN`th for its slot of the last 2^`SLOT_BITS` requests at most. So of a key that has a share of 2 × `OFTEN` in
    2^`SLOT_BITS` requests (6 in 100,000) only requests before it was first noticed are missing.
    """

    limit_bytes: int = LIMIT_BYTES
    counts: Counter[bytes] = field(default_factory=Counter)
    total: int = 0
    _length_total: int = 0
    _seen: Ints | None = None
    """Requests by slot, since they were last set to zero; None while all keys are counted."""
    _seen_total: int = 0

    def add(self, events: EventBlock) -> None:
        """Count the keys of some requests."""
        self.total += len(events)
        self._length_total += _EACH * sum(map(len, events.keys[::_EACH]))
        if self._seen is None:
            self.counts.update(events.keys)
        else:
            self.counts.update(pick(events.keys, self._notice(self._seen, events.key_numbers)))
        if len(self.counts) > self._limit:
            self._keep_busiest()

    @property
    def _limit(self) -> int:
        return int(self.limit_bytes / (ENTRY_BYTES + self._length_total / max(self.total, 1)))

    def _notice(self, seen: Ints, numbers: Ints) -> Ints:
        """Return the places of the keys that are counted: their slots are, or have come often."""
        if self._seen_total > 1 << SLOT_BITS:
            seen &= _COUNTED
            self._seen_total = 0
        slots = _slots(numbers)
        np.add.at(seen, slots, np.int32(1))  # with another type it is ten times as slow
        self._seen_total += slots.size
        places = np.flatnonzero(seen[slots] >= OFTEN)
        seen[slots[places]] |= _COUNTED
        return places

    def _keep_busiest(self) -> None:
        """Drop keys that are not among the busiest."""
        self.counts = Counter(dict(self.counts.most_common(self._limit // KEPT_PART)))
        self._seen, self._seen_total = np.zeros(1 << SLOT_BITS, dtype=np.int32), 0
        self._seen[_slots(ByteColumn.from_cells(tuple(self.counts)).numbers())] = _COUNTED

    def busiest(self, number: int) -> list[tuple[bytes, int]]:
        """Return the keys that came most often, with their counts, the most frequent first."""
        return self.counts.most_common(number)


def _slots(numbers: Ints) -> Ints:
    return numbers >> (63 - SLOT_BITS)
