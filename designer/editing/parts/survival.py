"""Retention of one column's cells by their position among its versions.

It shows the effect of a garbage-collection rule. Cells that a rule no longer keeps are still stored and
billed until a compaction removes them, up to `LAG_DAYS` later.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from designer.document.collection import policy
from designer.document.family import Gc
from designer.document.texts import N_, Text

LAG_DAYS = 7.0
"""Cells may stay up to a week after they expired. Bigtable, "Garbage collection overview", read 2026-11-20."""


@dataclass(frozen=True)
class Lane:
    """Cells that stay equally long: those from the `first` newest to the `last` newest of a column."""

    first: int
    last: int | None
    """None: and all older ones."""
    until_days: float
    """Infinity is for ever, 0 is as soon as newer ones push a cell here. [day]"""

    @property
    def cells_text(self) -> Text:
        """Description of these cells."""
        if self.last is None:
            if self.first == 1:
                return Text(N_("all cells"))
            if self.first == 2:
                return Text(N_("all but the newest"))
            return Text(N_("older than the newest {versions}"), {"versions": self.first - 1})
        if self.first > 1:
            return Text(N_("newest {first} to {last}"), {"first": self.first, "last": self.last})
        return Text(N_("the newest {versions}"), {"versions": self.last}) if self.last > 1 else Text(N_("the newest"))

    @property
    def retention_text(self) -> Text:
        """Description of their retention time."""
        if math.isinf(self.until_days):
            return Text(N_("never expire"))
        if self.until_days == 0:
            return Text(N_("expire at once"))
        return Text(N_("expire after {age_days}"), {"age_days": self.until_days})


def lanes(gc: Gc | None) -> tuple[Lane, ...]:
    """Cells of a column from the newest on, those that stay equally long together.

    >>> from designer.document.family import MaxAge, MaxVersions, Union
    >>> lanes(Union(rules=(MaxVersions(versions=3), MaxAge(age_days=30))))
    (Lane(first=1, last=3, until_days=30.0), Lane(first=4, last=None, until_days=0.0))
    """
    return tuple(_lanes(gc))


def _lanes(gc: Gc | None) -> Iterator[Lane]:
    steps, first = policy(gc), 1
    for cap, until in reversed([*zip(steps.caps, steps.ages, strict=True)]):
        if cap >= first:
            yield Lane(first, None if math.isinf(cap) else int(cap), until)
        if math.isinf(cap):
            return
        first = int(cap) + 1
    yield Lane(first, None, 0.0)


@dataclass(frozen=True)
class LaneBar:
    """A lane as it is drawn: shares of the width, from age 0 on the left."""

    lane: Lane
    kept_share: float
    waiting_share: float
    """After that: gone by the rule, not yet collected."""


@dataclass(frozen=True)
class Timeline:
    """Bars over a common axis of ages."""

    bars: tuple[LaneBar, ...]
    ticks: tuple[tuple[float, float], ...]
    """Share of the width and age. [1], [day]"""


def timeline(gc: Gc | None) -> Timeline:
    """Return the timeline of a rule: the time that cells are retained, and then wait for collection."""
    rule_lanes = lanes(gc)
    ages = sorted({lane.until_days for lane in rule_lanes if 0 < lane.until_days < math.inf})
    width = max(1.25 * ((ages[-1] if ages else 0.0) + LAG_DAYS), 4 * LAG_DAYS)
    bars = tuple(
        LaneBar(lane, min(lane.until_days / width, 1.0), 0.0 if math.isinf(lane.until_days) else LAG_DAYS / width)
        for lane in rule_lanes
    )
    return Timeline(bars, tuple((age / width, age) for age in (0.0, *ages)))
