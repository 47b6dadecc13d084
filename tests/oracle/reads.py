"""Requests: what a caller asks for, and which stored rows and cells the engine meets for it.

- A request draws the values that the caller knows: by the popularity that the read states for them, else as the writes
  draw them. Then values that are no longer in use are asked for too, as long as rows of them are stored, each as often
  as while it lived.
- Its span of time ends `age_days` before a moment that is drawn by the read's own shape of the day.
- The engine scans the rows whose keys have the known beginning that the planner chose; the rest of what the caller
  knows filters. Of the first n rows in key order no more is scanned than it takes to find n.
- A reader limits versions as the family does; what is only too old is read until it is collected.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.document import assumed
from designer.document.access import Bind, Read
from designer.document.activity import Activity, Flat
from designer.document.family import Gc
from designer.document.key import Segment, TimeSegment
from designer.document.popularity import Latest
from designer.document.shapes import week_hours

from .events import Event
from .storage import LENGTHS_BYTES, Key, Row, Stored, bucket_of, fields_of, is_expired
from .world import World, rank_at


@dataclass(frozen=True)
class Request:
    """One request: the values and times that its caller knows. [days since the start]"""

    values: dict[str, int]
    first_day: float | None
    last_day: float | None
    """The span of time, or one and the same exact time."""


@dataclass(frozen=True)
class Answer:
    """What the engine meets for one request; bytes as they are sent, without the lengths of stored cells."""

    rows_scanned: float
    rows_returned: float
    cells_returned: float
    bytes_scanned: float
    bytes_returned: float


def moment(read: Read, start: datetime.date, end_day: float, rng: np.random.Generator) -> float:
    """Draw when a request comes: within half a day of the end, by the hours of the read's shape."""
    hours = np.arange(np.floor((end_day - 0.5) * 24), np.ceil((end_day + 0.5) * 24))
    days = [start + datetime.timedelta(hours=int(hour) // 24 * 24) for hour in hours]
    shape = week_hours(read.profile or Flat())
    weights = np.array([shape[day.weekday() * 24 + int(hour) % 24] for day, hour in zip(days, hours, strict=True)])
    weights = weights * np.clip(np.minimum(hours + 1 - (end_day - 0.5) * 24, (end_day + 0.5) * 24 - hours), 0, 1)
    weights = weights if weights.sum() > 0 else np.ones(len(hours))
    hour = rng.choice(hours, p=weights / weights.sum())
    return float(np.clip((hour + rng.random()) / 24, end_day - 0.5, end_day + 0.5))


class Reader:
    """Makes requests of one read at one moment, and answers them from what is stored then."""

    def __init__(
        self, world: World, stored: Stored, activity: Activity, read: Read, events: list[tuple[Event, Key]],
        now: float, lag: float,
    ) -> None:  # fmt: skip
        self.world, self.stored, self.activity, self.read = world, stored, activity, read
        self.now, self.lag = now, lag
        there = ((key, row) for key, row in stored.rows.items() if stored.cells_of(row, now, lag))
        self.rows: dict[Key, Row] = dict(sorted(there, key=lambda item: _order(item[0])))
        """All rows that are there, in the order of their keys."""
        self.events = [event for event, key in events if key in self.rows]
        """Those that wrote them."""
        self._known_stored: dict[str, set[int]] = {}

    # --- what is asked for

    def request(self) -> Request | None:
        """Draw one request; None where nothing is stored that could be asked for."""
        values: dict[str, int] = {}
        for bind in self.read.binds:
            if bind.popularity is not None:
                values[bind.field] = self.world.populations[bind.field].drawn(bind.popularity, self.world.rng.random())
                self.world.add_owners(bind.field, values)
        unstated = [bind for bind in self.read.binds if bind.field not in values]
        if self.read.exact_time or any(self.world.counts(bind.field) for bind in unstated):
            return self._of_a_row(values)
        values |= self._as_written(unstated, values)
        if self.read.time is None:
            return Request(values, None, None)
        last = self.now - max(self.read.time.age_days, self.read.age_days or 0.0)
        return Request(values, last - self.read.time.days, last)

    def _of_a_row(self, values: dict[str, int]) -> Request | None:
        """Ask for what one write has made: a caller knows exact times and counted numbers from there."""
        events = [
            event for event in self.events if all(event.values.get(name) == number for name, number in values.items())
        ]
        if not events:
            return None
        event = events[int(self.world.rng.integers(len(events)))]
        known = {bind.field: event.values[bind.field] for bind in self.read.binds}
        time = event.shown_day if self.read.exact_time else None
        return Request(known, time, time)

    def _as_written(self, binds: list[Bind], values: dict[str, int]) -> dict[str, int]:
        mortal = [bind.field for bind in binds if self.world.fields[bind.field].lifetime_days is not None]
        given = values | {name: self._dead_or_alive(name) for name in mortal}
        drawn = self.world.draw(self.activity, [bind.field for bind in binds], given)
        return {bind.field: drawn[bind.field] for bind in binds}

    def _dead_or_alive(self, name: str) -> int:
        """Draw a value in use or one of which rows are stored, each as often as it was drawn while it lived."""
        population, owner = self.world.populations[name], self.world.fields[name].belongs_to
        law = self.world.stated(name, self.activity)
        if law is None and owner:
            return self._owned(name, owner)
        law = law or assumed(self.stored.spec, self.world.fields[name], "popularity")
        ranks = {number: rank for rank, number in enumerate(population.by_rank)}
        if not isinstance(law, Latest):
            ranks |= {number: rank for number, rank in population.rank_of_dead.items() if number in self._stored(name)}
        at_rank = defaultdict(list)
        for number, rank in ranks.items():
            at_rank[rank].append(number)
        while True:  # a rank as often as writes draw it times all who have held it
            holders = at_rank.get(rank_at(law, population.in_use, self.world.rng.random()), [])
            if self.world.rng.random() * max(map(len, at_rank.values())) < len(holders):
                return holders[int(self.world.rng.integers(len(holders)))]

    def _owned(self, name: str, owner: str) -> int:
        """Draw an owner as writes do, then evenly one of its values, in use or stored."""
        population = self.world.populations[name]
        known = self._stored(name) | set(population.by_rank)
        while True:
            drawn = self.world.draw(self.activity, [owner], {})[owner]
            values = sorted(number for number in known if population.owner_of[number] == drawn)
            if values:
                return values[int(self.world.rng.integers(len(values)))]

    def _stored(self, name: str) -> set[int]:
        """Return the values of which rows are stored."""
        if name not in self._known_stored:
            self._known_stored[name] = {event.values[name] for event in self.events}
        return self._known_stored[name]

    # --- what is met

    def answer(self, request: Request, bound: tuple[str, ...], open_at: str | None) -> Answer:
        """Scan the rows that have the known parts `bound`, and the known beginning of the part `open_at`."""
        segments = self.stored.kind.segments
        place_of = {segment.id: place for place, segment in enumerate(segments)}
        known = {segment.id: self._known(segment, request) for segment in segments}
        begins = [place_of[name] for name in bound]
        if open_at is not None and isinstance(segments[place_of[open_at]], TimeSegment):
            begins.append(place_of[open_at])
        found = list(self.rows)
        for place in begins:
            found = [key for key in found if known[segments[place].id](key[place])]
        matching = found
        for place, segment in enumerate(segments):
            matching = [key for key in matching if known[segment.id](key[place])]
        scanned, returned = found, matching
        if self.read.newest_rows is not None:
            returned = self._newest(matching, segments)
            if open_at is not None and _comes_first(segments[place_of[open_at]], bool(self.read.reverse)):
                order = found[::-1] if self.read.reverse else found
                scanned = order[: order.index(returned[-1]) + 1] if len(matching) > len(returned) else found
        return self._answer(scanned, returned)

    def _newest(self, keys: list[Key], segments: tuple[Segment, ...]) -> list[Key]:
        growing = [place for place, segment in enumerate(segments) if isinstance(segment, TimeSegment)]
        back = any(_comes_first(segments[place], False) for place in growing)
        ordered = keys if back else keys[::-1]
        return ordered[: self.read.newest_rows]

    def _known(self, segment: Segment, request: Request):
        """Return whether a part of a key is one that the caller may mean."""
        fields = fields_of(segment)
        if isinstance(segment, TimeSegment):
            if request.first_day is None:
                return lambda part: True
            first, last = bucket_of(segment, request.first_day), bucket_of(segment, request.last_day or 0.0)
            return lambda part: first <= abs(part) <= last
        if not fields or not all(name in request.values for name in fields):
            return lambda part: True
        place = self.stored.kind.segments.index(segment)
        wanted = self.stored.form.parts[place](Event(0.0, 0.0, request.values))
        return lambda part: part == wanted

    def _answer(self, scanned: list[Key], returned: list[Key]) -> Answer:
        wanted = self._columns_wanted()
        families = {self.stored.columns[name][0].id for name in wanted}
        touched = {name for name, (family, _) in self.stored.columns.items() if family.id in families}
        bytes_scanned = sum(
            self.stored.count_left(name, written, self.now, self.lag)
            * (self.stored.cell_bytes(key, name, qualifier) - LENGTHS_BYTES)
            for key in scanned
            for (name, qualifier), written in self.rows[key].cells.items()
            if name in touched
        )
        cells, size = 0, 0.0
        for key in returned:
            for (name, qualifier), written in self.rows[key].cells.items():
                count = self._read(self.stored.columns[name][0].gc, written) if name in wanted else 0
                cells += count
                size += count * (self.stored.cell_bytes(key, name, qualifier) - LENGTHS_BYTES)
        return Answer(len(scanned), len(returned), cells, bytes_scanned, size)

    def _columns_wanted(self) -> set[str]:
        read = self.read
        if read.columns:
            return set(read.columns)
        return {
            name for name, (family, _) in self.stored.columns.items() if not read.families or family.id in read.families
        }

    def _read(self, rule: Gc | None, written: list[float]) -> int:
        until_now = [day for day in reversed(written) if day <= self.now]
        seen = sum(not is_expired(rule, self.now - self.lag - day, newer) for newer, day in enumerate(until_now))
        return min(seen, self.read.newest_versions or seen)


def _order(key: Key) -> tuple[object, ...]:
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in key)


def _comes_first(segment: Segment, reverse: bool) -> bool:
    """Whether a scan in this direction meets the newest value of a part first."""
    return isinstance(segment, TimeSegment) and segment.reversed != reverse


def answers(reader: Reader, bound: tuple[str, ...], open_at: str | None, count: int) -> Iterator[Answer]:
    """Draw requests and answer them. Who knows a whole key asks for a row that is there."""
    for _ in range(count):
        request = reader.request()
        if request is not None:
            answer = reader.answer(request, bound, open_at)
            if answer.rows_scanned or open_at is not None:
                yield answer


__all__ = ["Answer", "Reader", "Request", "answers", "moment"]
