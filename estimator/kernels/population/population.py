"""The population of a key: which keys exist, how busy they are, how they come and go."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.access import Write
from designer.document.key import Segment
from estimator.results.arrays import Floats

from .buckets import Borders
from .counts import Counts
from .events import NOT_COUNTED, BucketBorders, EventClock, Events, OwnNumbers, WriteLaw
from .key_parts import KeyParts
from .strata import Strata
from .told_apart import tell_apart
from .turnover import STILL, Turnover


@dataclass(frozen=True, eq=False)
class Population:
    """The keys that some writes make of what their events draw, or keys with qualifiers: all but the clock."""

    strata: Strata
    """Combinations of everything but time, in use at the end of the horizon."""
    writes: Mapping[str, WriteLaw]
    """By write id."""
    turnover: Turnover = STILL
    bucket_days: float | None = None
    """How long one key receives at most, where it shows the time or a number that moves on. [day]"""
    time_borders: Borders | None = None
    """Where time buckets begin, where that is known and not each midnight."""
    cut: BucketBorders | None = None
    """By the longer of both where it shows both."""
    time_seconds: float | None = None
    """Length of the time bucket in the key."""
    every_event: bool = False
    """Each event is taken to make a key of its own."""
    own_numbers: OwnNumbers = NOT_COUNTED
    most_events: float = math.inf
    """Of about the fullest key. [events]"""

    def counts(self, clocks: Mapping[str, EventClock], *, share: float = 1.0) -> Counts:
        """Return the counts of the keys that writes make, by their ids; each event makes `share` of its keys."""
        events = []
        for write, clock in clocks.items():
            law = self.writes[write]
            events.append(Events(clock, law.per_event * share, law.law, law.actors, law.clump, law.burst, law.grown))
        return Counts(
            self.strata,
            tuple(events),
            self.turnover,
            self.bucket_days,
            self.time_borders,
            self.cut,
            every_event=self.every_event,
            own_numbers=self.own_numbers,
        )

    def shares(self, write: str) -> tuple[Floats, Floats]:
        """Return the share of a write's events on one combination, and how many there are, by strata.

        Where values come fast, it is the share of a day's events on those of a day.
        """
        share, count = self.strata.share[self.writes[write].law], self.strata.total_count
        if self.turnover.latest is not None:
            keys, part, _ = self.turnover.of_latest(1.0, 1.0)
            return np.outer(part, share).ravel(), np.outer(keys, count).ravel()
        steps = self.time_seconds is None and self.bucket_days is not None
        per_day = max(1.0 / self.bucket_days, 1.0) if steps and self.bucket_days else 1.0
        return share / per_day, count * per_day


def population(
    spec: Spec, segments: Sequence[Segment], writes: Sequence[Write], *, texts: Mapping[str, float] | None = None
) -> Population:
    """Return the population of the keys that segments make of the events of some writes.

    Parameters
    ----------
    segments
        Of a key, with those of a qualifier behind them where cells are meant.
    writes
        Those that make them; each names an activity.
    texts : mapping of segment id to float
        Different texts of segments that show a part of a value only, where known. [texts]
    """
    parts = KeyParts(spec, tell_apart(spec, segments, texts=texts), tuple(writes))
    return Population(
        strata=parts.strata,
        writes=parts.laws(),
        turnover=parts.turnover(parts.told.fields),
        bucket_days=parts.bucket_days,
        time_borders=parts.told.time_borders,
        cut=parts.cut,
        time_seconds=parts.told.time_seconds,
        every_event=parts.every_event,
        own_numbers=parts.own_numbers,
        most_events=parts.most_events,
    )
