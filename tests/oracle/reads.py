"""Requests: what a caller asks for, and which stored rows and cells the engine meets for it.

- A request draws the values that the caller knows: by the popularity that the read states for them, else as the writes
  draw them, an owner with one of its values where those decide. Then values that are no longer in use are asked for
  too, as long as rows of them are stored, each as often as while it lived.
- It comes on the day around the end of the horizon, half a day before the mean end to half a day after it, at an hour
  that is drawn by the read's own shape (decision 100). It knows the values in use at that moment. Its span of time ends
  `age_days` before.
- The engine scans the rows whose keys have the known beginning that the planner chose; the rest of what the caller
  knows filters. Of the first n rows in key order no more is scanned than it takes to find n.
- A reader limits versions as the family does; what is only too old is read until it is collected.
- The newest rows are those of the newest times that keys show, wherever these stand; of one and the same time any of
  them, but for numbers that count within a parent. Where keys show no time, they are those of the largest such numbers.
  Where an ascending bucket of time stands before a part in which the newest comes first, the newest bucket is asked
  first, then the one before it. Where it stands before a part that is no time, the newest rows lie anywhere in it: each
  bucket is read whole. Where only salts stand between, the first rows of each salt of a bucket are read.
- Of a hash of a bucket of time a caller knows those of all buckets that the span meets, of a hash of the time itself
  only that of an exact one.
- Of a row's columns the engine returns those whose qualifiers the caller knows or has a range of, of values or of
  time, and the first n in the order of their qualifiers: these are the newest where qualifiers sort so. Else it returns
  all, as no filter takes the last.
"""

import datetime
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple, TypeGuard

import numpy as np

from designer.document.access import Bind, Read
from designer.document.activity import Activity, Profile
from designer.document.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    sorts_backwards,
)
from designer.document.popularity import Latest
from designer.document.shapes import week_hours

from .events import Event
from .storage import (
    LENGTHS_BYTES,
    Key,
    Row,
    Stored,
    bucket_of,
    count_unexpired,
    fields_of,
    hash_of_bucket,
    hash_of_moment,
    newest_first,
    start_day,
)
from .world import World, ranks_of


@dataclass(frozen=True)
class Request:
    """One request: the values and times that its caller knows. [days since the start]"""

    values: dict[str, int]
    first_day: float | None
    last_day: float | None
    """The span of time, or one and the same exact time."""


class Answer(NamedTuple):
    """What the engine meets for one request; bytes as they are sent, without the lengths of stored cells."""

    rows_scanned: float
    rows_returned: float
    cells_returned: float
    bytes_scanned: float
    bytes_returned: float


def moment(profile: Profile, start: datetime.date, end_day: float, rng: np.random.Generator) -> float:
    """Draw when a request comes: within half a day of the end, by the hours of a shape."""
    hours = np.arange(np.floor((end_day - 0.5) * 24), np.ceil((end_day + 0.5) * 24))
    days = [start + datetime.timedelta(hours=int(hour) // 24 * 24) for hour in hours]
    shape = week_hours(profile)
    weights = np.array([shape[day.weekday() * 24 + int(hour) % 24] for day, hour in zip(days, hours, strict=True)])
    weights = weights * np.clip(np.minimum(hours + 1 - (end_day - 0.5) * 24, (end_day + 0.5) * 24 - hours), 0, 1)
    weights = weights if weights.sum() > 0 else np.ones(len(hours))
    hour = rng.choice(hours, p=weights / weights.sum())
    return float(np.clip((hour + rng.random()) / 24, end_day - 0.5, end_day + 0.5))


@dataclass(frozen=True)
class Exactly:
    """The caller knows a part of the key."""

    part: object

    def holds(self, part: object) -> bool:
        """Whether a part may be meant."""
        return part == self.part


@dataclass(frozen=True)
class Between:
    """The caller knows from when to when the time lies: of a part of the key that is negated, the negated buckets."""

    first: int
    last: int

    def holds(self, part: object) -> bool:
        """Whether a part may be meant."""
        return self.first <= int(str(part)) <= self.last


@dataclass(frozen=True)
class OneOf:
    """The caller knows some parts: the hash of each bucket that a span of time meets."""

    parts: frozenset[object]

    def holds(self, part: object) -> bool:
        """Whether a part may be meant."""
        return part in self.parts


class Anything:
    """The caller knows nothing."""

    def holds(self, part: object) -> bool:
        """Whether a part may be meant: it may."""
        return True


class CellsOfColumn(NamedTuple):
    """What a row has of one column."""

    name: str
    qualifier: Key
    count: int
    """Cells that a reader sees, all versions of them."""
    bytes_each: float
    """As they are sent."""


class Snapshot:
    """The rows that are there at one moment, in the order of their keys, and the events that wrote them."""

    def __init__(self, stored: Stored, written: Iterable[tuple[Event, Key]], now: float, lag: float) -> None:
        self.stored, self.now, self.lag = stored, now, lag
        there = ((key, row) for key, row in stored.rows.items() if stored.is_there(row, now, lag))
        self.rows: dict[Key, Row] = dict(sorted(there, key=lambda item: order_of(item[0])))
        self.events = [event for event, key in written if key in self.rows]
        self._by_parts: dict[tuple[int, ...], dict[Key, list[Key]]] = {}
        self._values: dict[str, set[int]] = {}
        self._cells: dict[Key, list[CellsOfColumn]] = {}

    def cells_of(self, key: Key) -> list[CellsOfColumn]:
        """Return what a row has of each of its columns, in the order of their qualifiers."""
        if key not in self._cells:
            cells = sorted(self.rows[key].cells.items(), key=lambda item: (item[0][0], order_of(item[0][1])))
            key_bytes = self.stored.form.bytes_of(key)
            self._cells[key] = [
                CellsOfColumn(
                    name,
                    qualifier,
                    self._readable_count(self.rows[key], name, written),
                    self.stored.cell_bytes(key_bytes, name, qualifier) - LENGTHS_BYTES,
                )
                for (name, qualifier), written in cells
            ]
        return self._cells[key]

    def _readable_count(self, row: Row, name: str, written: list[float]) -> int:
        gone = bisect_right(written, row.deleted_until(name, self.now))
        until_now = newest_first(written[gone : bisect_right(written, self.now)])
        return count_unexpired(self.stored.columns[name][0].gc, until_now, self.now - self.lag)

    def rows_with(self, places: tuple[int, ...], parts: Key) -> list[Key]:
        """Return the keys that have these parts at these places, in order."""
        if places not in self._by_parts:
            found = self._by_parts[places] = defaultdict(list)
            for key in self.rows:
                found[tuple([key[place] for place in places])].append(key)
        return self._by_parts[places].get(parts, [])

    def values_of(self, name: str) -> set[int]:
        """Return the values of a field of which rows are stored."""
        if name not in self._values:
            self._values[name] = {event.values[name] for event in self.events}
        return self._values[name]


class Reader:
    """Makes requests of one read at one moment, and answers them from what is stored then."""

    def __init__(self, world: World, snapshot: Snapshot, activity: Activity, read: Read) -> None:
        self.world, self.snapshot, self.activity, self.read = world, snapshot, activity, read
        self.stored, self.now = snapshot.stored, snapshot.now
        self._newest_columns = {
            name: read.newest_columns if parts and _comes_first(parts[0], False) else None
            for name, parts in ((name, column.qualifier_from) for name, (_, column) in self.stored.columns.items())
        }
        """Of each column how many of its newest are returned, where not all are."""
        self._scanned_bytes: dict[Key, float] = {}

    def wanting(self, newest: int) -> "Reader":
        """Return a reader of as many newest rows."""
        return Reader(self.world, self.snapshot, self.activity, self.read.model_copy(update={"newest_rows": newest}))

    def meets_newest_first(self, open_at: str | None) -> bool:
        """Whether the newest rows are wanted, and a scan of what is below the known parts meets them first."""
        opened = next((segment for segment in self.stored.kind.segments if segment.id == open_at), None)
        return self.read.newest_rows is not None and opened is not None and self._comes_first(opened)

    # --- what is asked for

    def request(self) -> Request | None:
        """Draw one request; None where nothing is stored that could be asked for."""
        values: dict[str, int] = {}
        binds = [bind for bind in self.read.binds if not bind.is_range]
        if len(binds) < len(self.read.binds) and not binds:
            return Request(values, None, None)
        for bind in binds:
            if bind.popularity is not None:
                values[bind.field] = self.world.populations[bind.field].drawer(bind.popularity, self.world.rng)()
                self.world.add_owners(bind.field, values)
        unstated = [bind for bind in binds if bind.field not in values]
        if self.read.exact_time or any(self.world.counts(bind.field) for bind in unstated):
            return self._of_a_row(values)
        values |= self._as_written(unstated, values)
        if self.read.time is None:
            return Request(values, None, None)
        last = self.now - max(self.read.time.age_days, self.read.age_days or 0.0)
        return Request(values, last - self.read.time.days, last)

    def _of_a_row(self, values: dict[str, int]) -> Request | None:
        """Ask for what one write has made: a caller knows exact times and counted numbers from there."""
        events = [event for event in self.snapshot.events if values.items() <= event.values.items()]
        if not events:
            return None
        event = events[int(self.world.rng.integers(len(events)))]
        known = {bind.field: event.values[bind.field] for bind in self.read.binds if not bind.is_range}
        time = event.shown_day if self.read.exact_time else None
        return Request(known, time, time)

    def _as_written(self, binds: list[Bind], values: dict[str, int]) -> dict[str, int]:
        """Draw an event's fields as writes do: of a value that the event draws its owner follows, bound or not."""
        mortal = [bind.field for bind in binds if self.world.fields[bind.field].lifetime_days is not None]
        given = values | {name: self._dead_or_alive(name) for name in mortal}
        names = dict.fromkeys([*(bind.field for bind in binds), *self.stored.form.fields, *self.stored.owned_fields])
        drawn = self.world.draw(self.activity, [name for name in names if not self.world.counts(name)], given)
        return {bind.field: drawn[bind.field] for bind in binds}

    def _dead_or_alive(self, name: str) -> int:
        """Draw a value in use or one of which rows are stored, each as often as it was drawn while it lived."""
        population, owner = self.world.populations[name], self.world.fields[name].belongs_to
        if owner and self.world.stated(name, self.activity) is None:
            return self._owned(name, owner)
        law = self.world.law(name, self.activity)
        if isinstance(law, Latest):  # by age, and none that is dead
            return population.drawer(law, self.world.rng)()
        ranks = {number: rank for rank, number in enumerate(population.by_rank)}
        ranks |= {
            number: rank for number, rank in population.rank_of_dead.items() if number in self.snapshot.values_of(name)
        }
        at_rank = defaultdict(list)
        for number, rank in ranks.items():
            at_rank[rank].append(number)
        rank_at, most = ranks_of(law), max(map(len, at_rank.values()))
        while True:  # a rank as often as writes draw it times all who have held it
            holders = at_rank.get(rank_at(population.in_use, self.world.rng.random()), [])
            if self.world.rng.random() * most < len(holders):
                return holders[int(self.world.rng.integers(len(holders)))]

    def _owned(self, name: str, owner: str) -> int:
        """Draw an owner as writes do, then evenly one of its values, in use or stored."""
        population = self.world.populations[name]
        known = self.snapshot.values_of(name) | set(population.by_rank)
        while True:
            drawn = self.world.draw(self.activity, [owner], {})[owner]
            values = sorted(number for number in known if population.owner_of[number] == drawn)
            if values:
                return values[int(self.world.rng.integers(len(values)))]

    # --- what is met

    def answer(self, request: Request, bound: tuple[str, ...], open_at: str | None) -> Answer:
        """Scan the rows that have the known parts `bound`, and the known beginning of the part `open_at`."""
        segments = self.stored.kind.segments
        known = [self._known(segment, request) for segment in segments]
        begun = [place for place, s in enumerate(segments) if s.id in bound or s.id == open_at]
        exact = tuple(place for place in begun if isinstance(known[place], Exactly))
        scanned = self.snapshot.rows_with(exact, tuple(known[place].part for place in exact))
        for place in set(begun).difference(exact):
            scanned = [key for key in scanned if known[place].holds(key[place])]
        returned = scanned
        for place, part in enumerate(known):
            if not isinstance(part, Anything) and place not in begun:
                returned = [key for key in returned if part.holds(key[place])]
        if self.read.newest_rows is not None:
            matching, returned = set(returned), self._newest(returned, segments)
            opened = next((segment for segment in segments if segment.id == open_at), segments[0])
            if (bucket := self._bucket_before_salts(opened, bound)) is not None:
                scanned = self._until_found_in_salts(scanned, matching, bucket, segments.index(opened))
            elif (bucket := self._mixed_bucket_before(opened, bound)) is not None:
                scanned = self._until_bucket_found(scanned, matching, bucket, self.read.newest_rows)
            elif (bucket := self._bucket_before(opened, bound)) is not None:
                order = sorted(scanned, key=lambda key: self._bucket_order(key, bucket))
                scanned = self._until_found(order, matching, 0, self.read.newest_rows)
            elif self._comes_first(opened) and self._is_one_run(segments.index(opened)):
                order = scanned[::-1] if self.read.reverse else scanned
                scanned = self._until_found(order, matching, segments.index(opened), self.read.newest_rows)
        if self.read.row_limit is not None:
            order = scanned[::-1] if self.read.reverse else scanned
            place = next((place for place, segment in enumerate(segments) if segment.id == open_at), len(segments))
            matching = set(returned)
            scanned = self._until_found(order, matching, place, self.read.row_limit)
            returned = [key for key in scanned if key in matching][: self.read.row_limit]
        return self._answer(request, scanned, returned)

    def _bucket_before(self, opened: Segment, bound: tuple[str, ...]) -> int | None:
        """Return the place of an ascending bucket of time right before a part in which the newest comes first."""
        segments = self.stored.kind.segments
        before = segments.index(opened) - 1
        bucket = segments[before]
        unknown = before >= 0 and isinstance(bucket, TimeSegment) and not bucket.reversed and bucket.id not in bound
        return before if unknown and not self.read.reverse and _comes_first(opened, reverse=False) else None

    def _is_one_run(self, place: int) -> bool:
        """Whether rows from this part of the key on are in the order of their finest time, one way."""
        behind = self.stored.kind.segments[place:]
        times = [segment for segment in behind if _shows_time(segment)]
        if not times or not _shows_time(behind[0]):
            return True
        ways = {segment.reversed for segment in times}
        return len(ways) == 1 and times == list(behind[: len(times)])

    def _mixed_bucket_before(self, opened: Segment, bound: tuple[str, ...]) -> int | None:
        """Return the place of an unknown bucket of time right before a part, in which rows are not in one run."""
        before = self.stored.kind.segments.index(opened) - 1
        bucket = self.stored.kind.segments[before]
        if before < 0 or not _shows_time(bucket) or bucket.id in bound or self._is_one_run(before):
            return None
        return None if self._bucket_before(opened, bound) is not None else before

    def _bucket_before_salts(self, opened: Segment, bound: tuple[str, ...]) -> int | None:
        """Return the place of an unknown bucket of time from which only unknown salts part the newest rows."""
        segments = self.stored.kind.segments
        before = place = segments.index(opened) - 1
        while before > 0 and isinstance(segments[before], SaltSegment) and segments[before].id not in bound:
            before -= 1
        is_bucket = before >= 0 and _shows_time(segments[before]) and segments[before].id not in bound
        return before if is_bucket and before < place and self._comes_first(opened) else None

    def _until_found_in_salts(self, keys: list[Key], matching: set[Key], bucket: int, opened: int) -> list[Key]:
        """Return the first n keys of each salt of the newest buckets, of as many as it takes to find n rows."""
        segment, limit = self.stored.kind.segments[bucket], self.read.newest_rows or 1
        assert _shows_time(segment)
        by_bucket, met = defaultdict[int, list[Key]](list), list[Key]()
        for key in keys[::-1] if self.read.reverse else keys:
            by_bucket[int(str(key[bucket])) * (1 if segment.reversed else -1)].append(key)
        for _, each in sorted(by_bucket.items()):
            if sum(key in matching for key in met) < limit:
                met += self._until_found(each, set(each), opened, limit)
        return met

    def _until_bucket_found(self, keys: list[Key], matching: set[Key], bucket: int, limit: int) -> list[Key]:
        """Return all keys of the newest buckets, of as many as it takes to find n rows."""
        segment, by_bucket, met = self.stored.kind.segments[bucket], defaultdict[int, list[Key]](list), list[Key]()
        assert _shows_time(segment)
        for key in keys:
            by_bucket[int(str(key[bucket])) * (1 if segment.reversed else -1)].append(key)
        for _, each in sorted(by_bucket.items()):
            if sum(key in matching for key in met) < limit:
                met += each
        return met

    def _bucket_order(self, key: Key, bucket: int) -> int:
        """Return what sorts the newest bucket first; of a hashed one the time behind it tells, which is negated."""
        hashed = isinstance(key[bucket], str)
        return int(str(key[bucket + 1])) if hashed else -int(str(key[bucket]))

    def _until_found(self, keys: list[Key], matching: set[Key], place: int, limit: int) -> list[Key]:
        """Return what is scanned of each range, which has its own parts before `place`, until n rows are found."""
        met, found = list[Key](), defaultdict[Key, int](int)
        for key in keys:
            if found[key[:place]] < limit:
                met.append(key)
                found[key[:place]] += key in matching
        return met

    def _newest(self, keys: list[Key], segments: tuple[Segment, ...]) -> list[Key]:
        """Return the newest rows by the time that their keys show; where they show none, by a number within a parent.

        Where they show neither, they are the last in their order. Of rows that show one and the same time, and no
        number that is counted, none is known to be newer: any of them may be returned.
        """
        shown = ((place, segment) for place, segment in enumerate(segments) if _shows_time(segment))
        signs = [(place, 1 if segment.reversed else -1) for place, segment in shown]
        last_first = list(reversed(keys))
        if signs and not any(self.world.counts(name) for segment in segments for name in fields_of(segment)):
            self.world.rng.shuffle(last_first)
        if not signs and self._counts_within(segments[-1]) and sorts_backwards(segments[-1]):
            last_first = keys
        last_first.sort(key=lambda key: [sign * int(str(key[place])) for place, sign in signs])
        return last_first[: self.read.newest_rows]

    def _comes_first(self, opened: Segment) -> bool:
        """Whether a scan meets the newest value of a part first: a time's, or a number's where no time is shown."""
        backwards = bool(self.read.reverse)
        times = any(_shows_time(segment) for segment in self.stored.kind.segments)
        if not times and isinstance(opened, FieldSegment) and self._counts_within(opened):
            return sorts_backwards(opened) != backwards
        return _comes_first(opened, backwards)

    def _counts_within(self, segment: Segment) -> bool:
        fields = fields_of(segment)
        return bool(fields and self.world.counts(fields[0]) and self.world.fields[fields[0]].unique_within)

    def _known(self, segment: Segment, request: Request) -> "Exactly | Between | OneOf | Anything":
        """Return what a caller knows of a part of the key."""
        if isinstance(segment, HashSegment) and not segment.fields:
            exact = self.read.exact_time and request.first_day is not None
            return Exactly(hash_of_moment(request.first_day or 0.0, segment.digits)) if exact else Anything()
        if isinstance(segment, TimeSegment):
            return self._span(segment, request)
        fields = fields_of(segment)
        if (between := self._range(segment)) is not None:
            return between
        if not fields or not all(name in request.values for name in fields):
            return Anything()
        place = self.stored.kind.segments.index(segment)
        return Exactly(self.stored.form.parts[place](Event(0.0, 0.0, request.values)))

    def _span(self, segment: TimeSegment, request: Request) -> Between | OneOf | Anything:
        """Return the buckets of a time that a request's span meets."""
        if request.first_day is None or request.last_day is None:
            return Anything()
        first, last = (
            bucket_of(segment, start_day(self.stored.spec), day) for day in (request.first_day, request.last_day)
        )
        if segment.hash is not None:
            return OneOf(frozenset(hash_of_bucket(segment, number) for number in range(first, last + 1)))
        return Between(-last, -first) if segment.reversed else Between(first, last)

    def _range(self, segment: Segment) -> Between | None:
        """Return the range of numbers, or of those of texts such as `u000002`, that a caller knows of a part."""
        given = next((each for each in self.read.binds if each.is_range and (each.field,) == fields_of(segment)), None)
        if given is None or not isinstance(segment, FieldSegment | DerivedSegment):
            return None
        size = segment.how.size if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket) else 1
        first, last = (
            int(text.lstrip(ascii_lowercase)) // size for text in (given.from_value or "0", given.to_value or "9999999")
        )
        return Between(first, last)

    def _known_of_column(self, segment: Segment, request: Request) -> "Exactly | Between | OneOf | Anything":
        """Return what a caller knows of a part of a qualifier: a value, a range, or the span of its times."""
        if isinstance(segment, TimeSegment):
            return self._span(segment, request) if _shows_time(segment) and self.read.time else Anything()
        if isinstance(segment, FieldSegment) and segment.field in request.values:
            return Exactly(request.values[segment.field])
        return self._range(segment) or Anything()

    def _cells_asked(
        self, key: Key, known_parts: "dict[str, list[Exactly | Between | OneOf | Anything]]"
    ) -> Iterator[CellsOfColumn]:
        """Yield the cells of a row's columns that are within what the caller asks for, in the order of qualifiers."""
        taken = defaultdict[str, int](int)
        for cells in self.snapshot.cells_of(key):
            if cells.name not in known_parts or not cells.count:
                continue
            known = known_parts[cells.name]
            if known and not all(each.holds(part) for each, part in zip(known, cells.qualifier, strict=False)):
                continue
            taken[cells.name] += 1
            limit = self._newest_columns[cells.name]
            if limit is None or taken[cells.name] <= limit:
                yield cells

    def _answer(self, request: Request, scanned: list[Key], returned: list[Key]) -> Answer:
        wanted, most = self._columns_wanted(), self.read.newest_versions or sys.maxsize
        families = {self.stored.columns[name][0].id for name in wanted}
        touched = {name for name, (family, _) in self.stored.columns.items() if family.id in families}
        bytes_scanned = self._bytes_scanned(scanned, touched, most)
        known_parts = {
            name: [self._known_of_column(segment, request) for segment in self.stored.columns[name][1].qualifier_from]
            for name in wanted
        }
        size = count = 0.0
        for key in returned:
            by_family = defaultdict[str, int](int)
            for cells in self._cells_asked(key, known_parts):
                sent = min(cells.count, most)
                size += sent * cells.bytes_each
                by_family[self.stored.columns[cells.name][0].name] += sent
            # An answer names the row once, and a family once for its cells.
            size -= max(sum(by_family.values()) - 1, 0) * self.stored.form.bytes_of(key)
            size -= sum([max(sent - 1, 0) * len(name.encode()) for name, sent in by_family.items()])
            count += sum(by_family.values())
        return Answer(len(scanned), len(returned), count, bytes_scanned, size)

    def _bytes_scanned(self, scanned: list[Key], touched: set[str], most: int) -> float:
        """Return the bytes of rows in columns that a read touches; requests meet the same rows again and again."""
        known = self._scanned_bytes
        for key in scanned:
            if key not in known:
                cells_of_row = self.snapshot.cells_of(key)
                known[key] = sum(
                    [min(each.count, most) * each.bytes_each for each in cells_of_row if each.name in touched]
                )
        return sum([known[key] for key in scanned])

    def _columns_wanted(self) -> set[str]:
        read = self.read
        if read.columns:
            return set(read.columns)
        return {
            name for name, (family, _) in self.stored.columns.items() if not read.families or family.id in read.families
        }


Order = tuple[tuple[int, object, object], ...]


def order_of(key: Key) -> Order:
    """Return what sorts as the bytes of the key do."""
    return tuple([(0, part, "") if isinstance(part, int) else (1, 0, part) for part in key])


def _comes_first(segment: Segment, reverse: bool) -> bool:
    """Whether a scan in this direction meets the newest value of a part first."""
    return _shows_time(segment) and segment.reversed != reverse


def _shows_time(segment: Segment) -> TypeGuard[TimeSegment]:
    """Whether a part of a key is a time in its order, and not hashed."""
    return isinstance(segment, TimeSegment) and segment.hash is None
