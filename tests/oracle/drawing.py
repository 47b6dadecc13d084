"""A whole design drawn once: its events, what they leave stored, and what its reads meet, as numbers to compare."""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import partial
from heapq import merge
from operator import itemgetter

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read, Write
from designer.document.activity import Activity, Profile
from designer.document.durations import MONTH_DAYS
from designer.document.key import FieldSegment, segment_fields
from designer.document.table import RowKind

from .events import Event, bring, happen, start_of
from .reads import Answer, Order, Reader, Snapshot, moment, order_of
from .storage import KeyForm, Stored
from .tables import OneTable, Tables, answers
from .world import World

COLLECTED_DAYS, UNCOLLECTED_DAYS = 3.5, 7.0
"""The collector runs once a week: half of it is the middle, all of it the most that is there."""
LAGS_DAYS = (0.0, COLLECTED_DAYS, UNCOLLECTED_DAYS)

LOST_DAYS = 4.0
"""Lost events are counted over so many days before the end of the horizon."""

HOTTEST_EVENTS = 250
"""Events of one moment that find the busiest row, and as many that measure it."""

Plans = dict[str, tuple[tuple[str, ...], str | None]]
"""Of each read the parts of the key that the planner begins its ranges with, and the part at which they end."""


@dataclass
class Drawing:
    """What one world has stored at the end of the horizon, and what was lost and read."""

    rows: float = 0.0
    """With what is not collected yet, as all that follows."""
    cells: float = 0.0
    bytes: float = 0.0
    live_rows: float = 0.0
    live_bytes: float = 0.0
    largest_bytes: float = 0.0
    """With a week of garbage."""
    row_bytes: list[float] = field(default_factory=list)
    """Of each row, with a week of garbage."""
    recent: int = 0
    """Events of the last days…"""
    lost: int = 0
    """…and how many of them were lost."""
    key_bytes: list[tuple[Order, float]] = field(default_factory=list)
    """Each row's place in the order of keys, and its bytes."""
    last_keys: list[Order] = field(default_factory=list)
    """Where the events of the last whole day went."""
    hottest_share: float = 0.0
    """Of the events at the end on the busiest row."""
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    """By read."""

    @property
    def lost_share(self) -> float:
        """Lost events ÷ events of the last days."""
        return self.lost / max(self.recent, 1)


def fields_of(kind: RowKind, form: KeyForm, qualifiers: dict[str, KeyForm]) -> tuple[str, ...]:
    """Return the fields that an event needs: those of the key, of qualifiers and of reads."""
    asked = [bind.field for read in kind.reads for bind in read.binds]
    names = [*form.fields, *(name for each in qualifiers.values() for name in each.fields), *asked]
    return tuple(dict.fromkeys(names))


def draw(
    spec: Spec,
    seed: int,
    plans: Plans,
    *,
    requests: int = 12,
    ends_with_period: bool = False,
    has_rows_measured: bool = True,
) -> Drawing:
    """Draw the first row kind of the first table of a design, once.

    `ends_with_period`: the horizon ends as a new table is about to begin, else anywhere in a period.
    `has_rows_measured`: what is stored at the end is measured, which a look at the answers of reads does not need.
    """
    rng = np.random.default_rng([seed, 20260101])
    table = spec.tables[0]
    begin = -float(effective_value(spec, table, "history_months") or 0.0) * MONTH_DAYS
    begin += rng.uniform(-0.5, 0.5) if begin < 0 else 0.0  # months are mean months, as below
    world = World(spec, rng, begin)
    kind = table.row_kinds[0]
    form = KeyForm(spec, kind.segments, rng)
    qualifiers = {
        column.id: KeyForm(spec, column.qualifier_from, rng)
        for family in table.families
        for column in family.columns
        if column.qualifier_from
    }
    # Months are mean months: one ends at any hour of the day around its mean end, on any day of the week. Requests come
    # on that same day.
    mean_end = int(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    end = mean_end + rng.uniform(-0.5, 0.5)
    turned_days = int(rng.integers(7))
    numbers = {s.field for s in kind.segments if isinstance(s, FieldSegment) and world.counts(s.field)}
    tables = Tables(table.rotation, lambda: Stored(spec, table, kind, form, qualifiers, is_numbered=bool(numbers)), rng)
    if ends_with_period:
        tables.end_period(end)
    acting: dict[str, Activity] = {write.id: spec.find(write.activity or "") for write in kind.writes}
    activity = acting[kind.writes[0].id]
    names = fields_of(kind, form, qualifiers)
    drawing = Drawing()

    def read_at(now: float, reads: list[Read]) -> None:
        world.live_until(now)
        snapshots = {
            n: Snapshot(each.stored, each.written, now, COLLECTED_DAYS) for n, each in tables.there(now).items()
        }
        for read in reads:
            readers = {number: Reader(world, each, activity, read) for number, each in snapshots.items()}
            drawing.answers[read.id] = list(answers(tables, readers, *plans[read.id], requests))

    def find_hottest(now: float) -> None:
        world.live_until(now)
        drawing.hottest_share = _hottest_share(world, form, activity, names, now)

    asked_at = end if ends_with_period else mean_end
    moments = _moments(spec, [read for read in kind.reads if read.id in plans], asked_at, rng)
    waiting = [(now, partial(read_at, now, reads)) for now, reads in moments] + [(end, partial(find_hottest, end))]
    waiting.sort(key=itemgetter(0))

    def events_of(write: Write) -> Iterator[tuple[float, Event, Write]]:
        happened = happen(world, acting[write.id], begin, asked_at + 0.5, turned_days)
        return ((event.day, event, write) for event in happened)

    created, key_fields = list[Event](), {name for segment in kind.segments for name in segment_fields(segment)}
    for _, happened, write in merge(*map(events_of, kind.writes), key=itemgetter(0)):
        while waiting and happened.day > waiting[0][0]:
            waiting.pop(0)[1]()
        if write.deletes and (stored := tables.at(happened.day).stored).has_rows_of_a_time:
            stored.delete_any(write, happened.day)
            continue
        bring(world, acting[write.id], names, happened)
        event = happened
        if write.row_age_days is not None:
            if (updated := _updated_event(created, happened, write.row_age_days, key_fields, rng)) is None:
                continue
            event = updated
        elif not write.deletes:
            created.append(event)
        one = tables.at(event.day)
        if write.deletes:
            one.stored.delete(write, one.stored.form.of(event), event.day)
            continue
        one.written.append((event, one.stored.write(write, event)))
    for _, measure in waiting:
        measure()
    for number, each in tables.there(end).items() if has_rows_measured else ():
        _measure(drawing, each, number, end)
    drawing.largest_bytes = max(drawing.row_bytes, default=0.0)
    drawing.recent = sum(
        end - LOST_DAYS < event.day <= end for each in tables.all.values() for event, _ in each.written
    )
    drawing.lost = sum(end - LOST_DAYS < day <= end for day in tables.lost_on)
    return drawing


def _updated_event(
    created: list[Event], update: Event, most_days: float, key_fields: Set[str], rng: np.random.Generator
) -> Event | None:
    """Return the event that updates one of the rows that were created so many days before; None where none was.

    The row has its key, and the update its own values of what only qualifiers show.
    """
    first = bisect_left(created, update.day - most_days, key=lambda event: event.day)
    if first == len(created):
        return None
    chosen = created[int(rng.integers(first, len(created)))]
    of_row = {name: value for name, value in chosen.values.items() if name in key_fields}
    return Event(update.day, chosen.shown_day, {**update.values, **of_row})


def _measure(drawing: Drawing, table: OneTable, number: int, end: float) -> None:
    """Count what is in a table at the end: live, as collected half a week ago, and a week ago."""
    stored = table.stored
    for key, row in stored.rows.items():
        cells, sizes = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        key_bytes = stored.form.bytes_of(key)
        for (name, qualifier), days in row.cells.items():
            cell_bytes = stored.cell_bytes(key_bytes, name, qualifier)
            for place, lag in enumerate(LAGS_DAYS):
                left = stored.count_left(row, name, days, end, lag)
                cells[place] += left
                sizes[place] += left * cell_bytes
        drawing.live_rows += cells[0] > 0
        drawing.rows += stored.is_there(row, end, COLLECTED_DAYS)
        drawing.cells += cells[1]
        drawing.live_bytes += sizes[0]
        drawing.bytes += sizes[1]
        if cells[1]:
            drawing.key_bytes.append((order_of((number, *key)), sizes[1]))
        if cells[2]:
            drawing.row_bytes.append(sizes[2])
    drawing.bytes += stored.marker_bytes(end, COLLECTED_DAYS)
    last_day = math.floor(end) - 1
    last = (key for event, key in table.written if last_day <= event.day < last_day + 1)
    drawing.last_keys += [order_of((number, *key)) for key in last]


def _hottest_share(world: World, form: KeyForm, activity: Activity, names: tuple[str, ...], end: float) -> float:
    """Draw events of one moment twice: the first find the busiest row, the others measure its share."""
    counters = dict(world.handed_out)
    keys = [form.of(Event(end, end, world.draw(activity, names, {}))) for _ in range(2 * HOTTEST_EVENTS)]
    world.handed_out = counters
    busiest = Counter(keys[:HOTTEST_EVENTS]).most_common(1)[0][0]
    return keys[HOTTEST_EVENTS:].count(busiest) / HOTTEST_EVENTS


def _moments(spec: Spec, reads: list[Read], end: float, rng: np.random.Generator) -> list[tuple[float, list[Read]]]:
    """Draw when requests come, in order; reads of one shape come at one moment."""
    by_shape: dict[Profile, list[Read]] = defaultdict(list)
    for read in reads:
        by_shape[effective_value(spec, read, "profile")].append(read)
    found = [(moment(profile, start_of(spec), end, rng), together) for profile, together in by_shape.items()]
    return sorted(found, key=lambda item: item[0])
