"""Rows and cells: dictionaries of what was written, and what garbage collection has left of it.

- A write maps an event to a key: the parts of the key, applied to the event's values and its time. There it puts a cell
  into each of its columns. A qualifier that is made from fields is mapped in the same way; a write of mode `new_column`
  makes a qualifier of its own where none is made from fields.
- A hash or a salt puts a value anywhere: which values share one is by chance, so that it is another in each world.
- A family's rule says when a cell is *expired*: by its age, or by how many newer ones there are in its column. A union
  expires it where any of its rules does, an intersection where all do.
- Expired cells are *garbage* until they are collected. Here the collector last ran `lag` days before one looks: younger
  cells are all there, of the older ones those that were not expired then. Lag 0 is what is live.
- A cell's age is counted from its timestamp, which a write may set some days ahead of itself: it then lives so much
  longer. The newest cell of a column is that of the latest timestamp.
- A row exists while it has a cell. An event whose key has a live row already is *lost* if the write appends rows.
"""

import datetime
import hashlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.durations import RESOLUTION_SECONDS
from designer.document.encodings import Descending, Hexadecimal
from designer.document.family import Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.field import Field, Pattern, Range
from designer.document.key import (
    BigEndian,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    ZeroPad,
    as_bytes,
    sorts_backwards,
)
from designer.document.table import RowKind, Table

from .events import Event

Key = tuple[object, ...]

TIMESTAMP_BYTES = 8
LENGTHS_BYTES = 12
"""Of each stored cell, beside its key, family, qualifier, timestamp and value: as in an HBase KeyValue."""

DATE = datetime.datetime(2026, 11, 20, 12, 34, 56, tzinfo=datetime.UTC)
"""Any date: they are all as long."""


@lru_cache(maxsize=100_000)
def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def value_text(spec: Spec, field_: Field, number: int) -> str:
    """Return the text of a value by its number; only its length matters where it is random."""
    values = effective_value(spec, field_, "values")
    match values:
        case Pattern():
            before, width, after = values.split()
            return f"{before}{number + values.start:0{width}d}{after}"
        case Range():
            return str(values.min + number)
    return (_digest(f"{field_.id} {number}") * (values.max // 32 + 1))[: values.max]


class KeyForm:
    """The parts of a key, or of a qualifier, as functions of an event."""

    def __init__(self, spec: Spec, segments: tuple[Segment, ...], rng: np.random.Generator) -> None:
        self.spec, self.segments, self.rng = spec, segments, rng
        self.parts = [self._part(segment) for segment in segments]
        self.delimiters_bytes = sum(len(as_bytes(segment.after)) for segment in segments)
        self._lengths: dict[tuple[int, object], float] = {}
        self._values: dict[tuple[str, int], str] = {}
        self.hashed_with = f"{rng.bit_generator.seed_seq.entropy} "
        """Before what is hashed: all parts of a world hash alike."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the parts are made from, times left out."""
        found = dict.fromkeys(name for segment in self.segments for name in fields_of(segment))
        return tuple(name for name in found if effective_value(self.spec, self.spec.find(name), "kind") != "timestamp")

    def of(self, event: Event) -> Key:
        """Return the parts of the key of an event: numbers of values and buckets, in the order of their texts."""
        return tuple([part(event) for part in self.parts])

    def _part(self, segment: Segment) -> Callable[[Event], object]:
        """Return the function from an event to one part of its key."""
        match segment:
            case LiteralSegment(text=text):
                return lambda event: text
            case TimeSegment(hash=str()):
                first = start_day(self.spec)
                return lambda event: hash_of_bucket(segment, bucket_of(segment, first, event.shown_day))
            case TimeSegment(reversed=backwards):
                sign, first = -1 if backwards else 1, start_day(self.spec)
                return lambda event: sign * bucket_of(segment, first, event.shown_day)
            case FieldSegment(field=name) if sorts_backwards(segment):
                return lambda event: -event.values[name]
            case FieldSegment(field=name):
                return lambda event: event.values[name]
            case DerivedSegment(field=name, how=how):
                field_ = self.spec.find(name)
                if effective_value(self.spec, field_, "kind") == "timestamp":  # in milliseconds
                    return lambda event: int(event.shown_day * 86_400_000 // how.size)
                values = effective_value(self.spec, field_, "values")
                first = values.min if isinstance(values, Range) else 0
                sign = -1 if sorts_backwards(segment) else 1
                return lambda event: sign * ((event.values[name] + first) // how.size)
            case HashSegment(fields=(), digits=digits):
                return lambda event: hash_of_moment(event.shown_day, digits)
            case HashSegment(fields=names, digits=digits):
                return lambda event: _digest(self._texts(names, event))[:digits]
            case SaltSegment(fields=(), modulo=modulo):
                return lambda event: int(self.rng.random() * modulo)
            case SaltSegment(fields=names, modulo=modulo):
                return lambda event: int(_digest("salt" + self._texts(names, event)), 16) % modulo
        raise AssertionError(segment)

    def _texts(self, names: tuple[str, ...], event: Event) -> str:
        return self.hashed_with + "".join([self._text(name, event.values[name]) for name in names])

    def _text(self, name: str, number: int) -> str:
        if (name, number) not in self._values:
            self._values[name, number] = value_text(self.spec, self.spec.find(name), number)
        return self._values[name, number]

    def bytes_of(self, key: Key) -> float:
        """Return the length of a key with these parts."""
        return self.delimiters_bytes + sum([self._bytes(place, part) for place, part in enumerate(key)])

    def _bytes(self, place: int, part: object) -> float:
        known = self._lengths.get((place, part))
        if known is None:
            known = self._lengths[place, part] = self._length(self.segments[place], part)
        return known

    def _length(self, segment: Segment, part: object) -> float:
        match segment:
            case LiteralSegment():
                return len(as_bytes(segment.text))
            case FieldSegment():
                number = -int(str(part)) if sorts_backwards(segment) else int(str(part))
                return _written_bytes(value_text(self.spec, self.spec.find(segment.field), number), segment)
            case DerivedSegment():
                return _written_bytes(str(abs(int(str(part)))), segment)
            case TimeSegment(hash=str()):
                return segment.hash_digits
            case TimeSegment():
                if segment.pattern:
                    return len(DATE.strftime(segment.pattern))
                return 19 if segment.reversed else len(str(_epoch_number(segment, DATE.timestamp())))
            case SaltSegment():
                return len(str(segment.modulo - 1))
        return len(str(part))


def _written_bytes(text: str, segment: FieldSegment | DerivedSegment) -> int:
    """Return the length of a value's text after its transforms."""
    for step in segment.transforms:
        match step:
            case ZeroPad(width=width):
                text = text.zfill(width)
            case Hexadecimal(width=width):
                text = f"{int(text):0{width}x}"
            case Descending(top=top):
                text = str(top - int(text))
            case BigEndian(length=length):
                text = "x" * length
    return len(text)


def fields_of(segment: Segment) -> tuple[str, ...]:
    """Return the fields that a part of a key is made from; the time of the event is none."""
    match segment:
        case FieldSegment(field=name) | DerivedSegment(field=name):
            return (name,)
        case HashSegment(fields=names) | SaltSegment(fields=names):
            return names
    return ()


def start_day(spec: Spec) -> int:
    """Return the midnight at which a design starts. [days since 1970]"""
    start: datetime.date = effective_value(spec, spec, "start")
    return (start - datetime.date(1970, 1, 1)).days


def bucket_of(segment: TimeSegment, start: int, day: float) -> int:
    """Return the number of the time bucket that a day is in.

    Buckets of a length are counted from 1970, those of a resolution from the start.

    Parameters
    ----------
    start
        Midnight at which the design starts. [days since 1970]
    day
        [days since the start]
    """
    if segment.bucket_seconds is not None:
        return math.floor((start + day) * 86_400 / segment.bucket_seconds + 1e-9)
    return math.floor(day * 86_400 / RESOLUTION_SECONDS[segment.resolution] + 1e-9)


def hash_of_bucket(segment: TimeSegment, number: int) -> str:
    """Return a text that is as unlike those of other buckets as a hash is."""
    return _digest(f"bucket {number}")[: segment.hash_digits]


def hash_of_moment(day: float, digits: int) -> str:
    """Return a text that is as unlike those of other milliseconds as a hash is. [days since the start]"""
    return _digest(f"moment {math.floor(day * 86_400_000)}")[:digits]


def _epoch_number(segment: TimeSegment, second: float) -> int:
    """Return the number that a time is written as. [seconds since 1970]"""
    length = segment.bucket_seconds or RESOLUTION_SECONDS[segment.resolution]
    if segment.unit == "bucket":
        return int(second // length)
    units = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
    return int(second // length * length // units[segment.unit])


def is_expired(rule: Gc | None, age_days: float, newer: int) -> bool:
    """Whether a rule expires a cell of this age that has so many newer ones in its column."""
    match rule:
        case MaxAge():
            return age_days > rule.age_days
        case MaxVersions():
            return newer >= rule.versions
        case Union():
            return any(is_expired(each, age_days, newer) for each in rule.rules)
        case Intersection():
            return all(is_expired(each, age_days, newer) for each in rule.rules)
    return False


class Written(float):
    """When a cell was written, with how long after that its timestamp lies. [days]"""

    ahead_days = 0.0

    @classmethod
    def at(cls, day: float, ahead_days: float) -> "Written":
        """Return a cell written on a day."""
        made = cls(day)
        made.ahead_days = ahead_days
        return made


def stamp(written: float) -> float:
    """Return the timestamp of a cell. [day]"""
    return written + written.ahead_days if isinstance(written, Written) else written


def newest_first(written: list[float]) -> list[float]:
    """Return the timestamps of cells, the newest first. [day]

    Parameters
    ----------
    written
        When the cells of one column of one row were written, ascending. [day]
    """
    return sorted(map(stamp, written), reverse=True)


def count_unexpired(rule: Gc | None, stamps: list[float], now: float) -> int:
    """Return how many cells a rule leaves, of the timestamps of one column, the newest first. [day]

    Behind the first that is expired all are: each is older, and has more newer ones.
    """
    if not stamps or is_expired(rule, now - stamps[0], 0):
        return 0
    return bisect_left(range(len(stamps)), True, 1, key=lambda newer: is_expired(rule, now - stamps[newer], newer))


def cells_left(rule: Gc | None, written: list[float], now: float, lag: float, deleted: float = -math.inf) -> int:
    """Return how many of a column's cells are there `now`, collected last `lag` days before.

    Parameters
    ----------
    written
        When the cells of one column of one row were written, ascending. [day]
    deleted
        When all of them were deleted last before they were collected. [day]
    """
    all_, collected = bisect_right(written, now), now - lag
    older, gone = bisect_right(written, collected), bisect_right(written, deleted)
    left = max(older - gone, 0)
    if rule is None:
        return all_ - older + left
    return all_ - older + count_unexpired(rule, newest_first(written[older - left : older]), collected)


Cells = dict[tuple[str, Key], list[float]]


@dataclass
class Row:
    """One row: of each qualifier when its cells were written, in the order of time. [day]"""

    cells: Cells = field(default_factory=dict)
    """By column id and the parts of its qualifier."""
    deleted: list[tuple[float, frozenset[str]]] = field(default_factory=list)
    """When deletions took all cells of which columns. [day]"""

    def deleted_until(self, name: str, day: float) -> float:
        """Return when a column's cells were deleted last until a day. [day]"""
        return max((on for on, names in self.deleted if on <= day and name in names), default=-math.inf)


@dataclass
class Stored:
    """What a table holds of one row kind: every cell that was ever written, by key."""

    spec: Spec
    table: Table
    kind: RowKind
    form: KeyForm
    qualifiers: dict[str, KeyForm]
    rows: dict[Key, Row] = field(default_factory=dict)
    lost_on: list[float] = field(default_factory=list)
    """When an event was lost. [day]"""
    markers: list[tuple[float, float]] = field(default_factory=list)
    """Of each deletion in a family or of a cell the day and its bytes. [day, bytes]"""
    deletable: dict[frozenset[str], list[Key]] = field(default_factory=dict)
    """Keys of rows of which deletions of these columns may take something."""
    is_numbered: bool = False
    """Whether each event has a number of its own in its key."""

    def __post_init__(self) -> None:
        self.columns = {
            column.id: (family, column)
            for family in self.table.families
            for column in family.columns
            if not self.kind.columns or column.id in self.kind.columns
        }
        names = (name for form in self.qualifiers.values() for name in form.fields)
        self.owned_fields = tuple(name for name in names if self.spec.find(name).belongs_to)
        """Fields of qualifiers that events draw with their owners."""
        self.presence = {
            name: float(effective_value(self.spec, column, "presence")) for name, (_, column) in self.columns.items()
        }

    def write(self, write: Write, event: Event) -> Key:
        """Put the cells of one event into its row; return its key."""
        key = self.form.of(event)
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = Row()
            for keys in self.deletable.values():
                keys.append(key)
        elif write.mode == "append_row" and self.is_live(row, event.day):
            self.lost_on.append(event.day)
        ahead_days = write.timestamp_ahead_days
        cell = Written.at(event.day, ahead_days) if ahead_days else event.day
        for name in write.columns or self.columns:
            if self.presence[name] == 1 or self.form.rng.random() < self.presence[name]:
                if name in self.qualifiers:
                    qualifier = self.qualifiers[name].of(event)
                else:
                    qualifier = (len(row.cells),) if write.mode == "new_column" else ()
                row.cells.setdefault((name, qualifier), []).append(cell)
        if row.deleted:  # it may be back
            for keys in self.deletable.values():
                if key not in keys:
                    keys.append(key)
        return key

    def delete_any(self, write: Write, day: float) -> None:
        """Delete one of the rows that have what a deletion takes, each as often."""
        names = self._deleted_columns(write)
        keys = self.deletable.setdefault(names, list(self.rows))
        while keys:  # who has nothing left gives its place to the last
            place = int(self.form.rng.random() * len(keys))
            if self.is_live(self.rows[keys[place]], day, names):
                self.delete(write, keys[place], day)
                return
            keys[place] = keys[-1]
            keys.pop()

    def _deleted_columns(self, write: Write) -> frozenset[str]:
        """Return the columns that a deletion takes all cells of."""
        named = set(write.columns or self.columns)
        if write.mode == "delete_family":
            families = {self.columns[name][0].id for name in named}
            named = {name for name, (family, _) in self.columns.items() if family.id in families}
        return frozenset(self.columns if write.mode == "delete_row" else named)

    def delete(self, write: Write, key: Key, day: float) -> None:
        """Delete a row, all cells of a family in it or of columns; a marker of each stays until it is collected."""
        names = self._deleted_columns(write)
        marked = names if write.mode == "delete_cell" else {self.columns[name][0].id: name for name in names}.values()
        for name in marked:
            column = self.columns[name][1]
            size = self.form.bytes_of(key) + self._same_in_all[name]
            size -= float(effective_value(self.spec, column.value, "typical_bytes"))
            if write.mode != "delete_cell":
                size -= len(as_bytes(column.qualifier))
            self.markers.append((day, size))
        if key in self.rows:
            self.rows[key].deleted.append((day, names))

    @property
    def has_rows_of_a_time(self) -> bool:
        """Whether a row is written for a time only: its key shows when, or what an event has of its own."""
        return self.is_numbered or any(isinstance(segment, TimeSegment) for segment in self.kind.segments)

    def is_live(self, row: Row, now: float, names: Collection[str] | None = None) -> bool:
        """Whether a row has a cell that is not expired, of some columns: the newest of a column expires last."""
        newest = (
            (self.columns[name][0].gc, max(map(stamp, written)))
            for (name, _), written in row.cells.items()
            if (names is None or name in names) and written[-1] > row.deleted_until(name, now)
        )
        return any(not is_expired(rule, now - day, 0) for rule, day in newest)

    def count_left(self, row: Row, name: str, written: list[float], now: float, lag: float) -> int:
        """Return how many cells are there of those written to one column of one row; aggregates have one."""
        family, column = self.columns[name]
        count = cells_left(family.gc, written, now, lag, row.deleted_until(name, now - lag))
        return min(count, 1) if column.timestamp == "constant" or family.kind != "ordinary" else count

    def is_there(self, row: Row, now: float, lag: float) -> bool:
        """Whether a row has a cell that is not deleted."""
        return any(
            self.count_left(row, name, written, now, lag) and written[-1] > row.deleted_until(name, now)
            for (name, _), written in row.cells.items()
        )

    def marker_bytes(self, now: float, lag: float) -> float:
        """Return the bytes of markers of deletions that are not collected yet."""
        return sum(size for day, size in self.markers if now - lag < day <= now)

    def cell_bytes(self, key_bytes: float, name: str, qualifier: Key) -> float:
        """Return the logical bytes of a cell, with its key of so many, as it is stored."""
        size = key_bytes + self._same_in_all[name]
        return size + (self.qualifiers[name].bytes_of(qualifier) if name in self.qualifiers else 0.0)

    @cached_property
    def _same_in_all(self) -> dict[str, float]:
        """Bytes of a column's cells beside their keys and what is made from fields."""
        return {
            name: len(family.name.encode()) + TIMESTAMP_BYTES + LENGTHS_BYTES + len(as_bytes(column.qualifier))
            + float(effective_value(self.spec, column.value, "typical_bytes"))
            for name, (family, column) in self.columns.items()
        }  # fmt: skip
