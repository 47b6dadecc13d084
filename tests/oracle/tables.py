"""The tables that rows are written to: one, or a set of which a new one begins with each period.

What a spec says of rotation means this.

- A write goes to the table of the period in which it comes. Periods are mean ones; the horizon ends anywhere in one.
- So many tables are kept, with the one that is being written. As a new one begins, the oldest is dropped with all that
  is in it, collected or not. An event whose key has a row in another table is not lost.
- A request asks each of the tables whose period its time meets; where it knows no time, each that is there. A limit of
  rows is of each table's scan, and of what is returned of all. The newest rows that a scan meets first are asked of the
  newest table, and what is missing of the one before it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from designer.document.rotation import Rotation

from .events import Event
from .reads import Answer, Reader, Request
from .storage import Key, Stored

PERIOD_DAYS = {"day": 1.0, "week": 7.0, "month": 365.25 / 12}


@dataclass
class OneTable:
    """One table with the events that wrote it."""

    stored: Stored
    written: list[tuple[Event, Key]] = field(default_factory=list)


class Tables:
    """All tables that were ever written; `there` are those that nobody has dropped."""

    def __init__(self, rotation: Rotation | None, make: Callable[[], Stored], rng: np.random.Generator) -> None:
        self.rotation, self.make = rotation, make
        self.moved_days = rng.uniform(0, PERIOD_DAYS[rotation.period]) if rotation else 0.0
        self.all: dict[int, OneTable] = {}

    def end_period(self, day: float) -> None:
        """Let a period end on a day."""
        assert self.rotation is not None
        self.moved_days = -day % PERIOD_DAYS[self.rotation.period] - 1e-6

    def number(self, day: float) -> int:
        """Return the number of the period that a day is in."""
        return int((day + self.moved_days) // PERIOD_DAYS[self.rotation.period]) if self.rotation else 0

    def at(self, day: float) -> OneTable:
        """Return the table that is written on a day."""
        number = self.number(day)
        if number not in self.all:
            self.all[number] = OneTable(self.make())
        return self.all[number]

    def there(self, now: float) -> Mapping[int, OneTable]:
        """Return the tables that are there, by the numbers of their periods."""
        kept = self.rotation.kept_tables if self.rotation else None
        newest = self.number(now)
        return {number: table for number, table in self.all.items() if kept is None or newest - number < kept}

    @property
    def lost_on(self) -> list[float]:
        """When an event was lost. [day]"""
        return [day for table in self.all.values() for day in table.stored.lost_on]


def answers(
    tables: Tables, readers: Mapping[int, Reader], bound: tuple[str, ...], open_at: str | None, count: int
) -> Iterator[Answer]:
    """Draw requests and answer them. Who knows a whole key asks for a row that is there."""
    for _ in range(count):
        reader = _asking(readers)
        request = reader.request() if reader else None
        if request is None:
            continue
        asked = list(_asked_tables(tables, readers, request))
        if reader.meets_newest_first(open_at):
            answer = _newest_of(readers, sorted(asked, reverse=True), request, bound, open_at)
        else:
            answer = _sum([readers[n].answer(request, bound, open_at) for n in asked])
        limit = reader.read.newest_rows or reader.read.row_limit
        if limit is not None:
            answer = answer._replace(rows_returned=min(answer.rows_returned, limit))
        if answer.rows_scanned or open_at is not None:
            yield answer


def _newest_of(
    readers: Mapping[int, Reader], numbers: list[int], request: Request, bound: tuple[str, ...], open_at: str | None
) -> Answer:
    """Ask one table after the other, from the newest back, for as many rows as are missing yet."""
    found = list[Answer]()
    for number in numbers:
        missing = int((readers[number].read.newest_rows or 0) - sum(each.rows_returned for each in found))
        if missing > 0:
            found.append(readers[number].wanting(missing).answer(request, bound, open_at))
    return _sum(found)


def _asking(readers: Mapping[int, Reader]) -> Reader | None:
    """Draw whose row a caller may know: of a table as often as it was written."""
    several = list(readers.values())
    if len(several) < 2:
        return several[0] if several else None
    upto = np.cumsum([len(reader.snapshot.events) for reader in several])
    return (
        several[int(np.searchsorted(upto, several[0].world.rng.uniform(0, upto[-1]), side="right"))]
        if upto[-1]
        else None
    )


def _asked_tables(tables: Tables, readers: Mapping[int, Reader], request: Request) -> Iterator[int]:
    for number in readers:
        if (
            request.first_day is None
            or request.last_day is None
            or tables.number(request.first_day) <= number <= tables.number(request.last_day)
        ):
            yield number


def _sum(answers: list[Answer]) -> Answer:
    return Answer(*map(sum, zip(*answers, strict=True))) if answers else Answer(0, 0, 0, 0, 0)
