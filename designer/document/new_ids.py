"""Fields of a row key that get a new value with each event, and owners, as far as the design and names tell.

An id that rows are appended by (an order, a message, a uuid, a number that is declared sequential) is new with each
event. This looks at what is set and at names only, so that guesses can rest on it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping

from .access import Write
from .activity import Activity, Every
from .design import HORIZON_MONTHS_GUESS, Spec
from .durations import DAY_SECONDS, MONTH_DAYS, bucket_length_seconds
from .field import NOTHING, Field, Random
from .field_names import kind_of, role_of
from .key import NEVER_AGAIN, DerivedSegment, FieldSegment, HashSegment, TimeSegment, segment_fields
from .table import RowKind

EVENTS_PER_SESSION = 20
"""Our assumption: a visit has a handful to a hundred of them."""
_ENDLESS = 10**12
"""A field of so many possible values does not run out of them."""
_FINE_SECONDS = 1.0
"""A time this fine in the key tells the events of one entity apart."""


def names_each_event(spec: Spec, kind: RowKind) -> bool:
    """Return True if the key of a row kind shows a time, an id or a number within an owner that tells events apart."""
    fields = [spec.find(name) for name in _shown_fields(kind)]
    parts = any(
        field.unique_within is not None or (_is_event(field) and not _is_known_set(spec, kind, field))
        for field in fields
    )
    has_new_ids = bool(new_ids(spec, kind)) or grows_by_each_event(spec, kind)
    return parts or has_new_ids or any(_tells_apart(spec, kind, s) for s in _times(kind))


def is_declared_counter(spec: Spec, field: Field) -> bool:
    """Return whether events take the next numbers of a field: it is said to count up, and they do not update old ones.

    Of a number of which several are in use, events that only overwrite rows update these.
    """
    if not _is_said_to_count(field):
        return False
    if (field.growth_per_day, field.unique_within) != (None, None) or (field.distinct or 0) <= 1:
        return True
    modes = {w.mode for kind in keyed_by(spec).get(field.id, ()) for w in kind.writes if not w.deletes}
    return modes != {"overwrite"}


def _is_said_to_count(field: Field) -> bool:
    """Return whether a field is said to count up, and its name does not say that it counts people or things.

    Slots and partitions of which nobody says how many there are count up like any number.
    """
    subject = role_of(field.name).subject
    counts = subject in ("", "id", "event", "counter") or (subject == "part" and field.distinct is None)
    return field.assigned == "sequential" and counts


def counts_own_events(field: Field) -> bool:
    """Return whether a field counts the events of what it is unique within: no other growth is stated."""
    return field.unique_within is not None and field.growth_per_day is None and _is_said_to_count(field)


def new_ids(spec: Spec, kind: RowKind) -> frozenset[str]:
    """Return the fields of the key that get a new value with each event that adds a row."""
    field_ids: frozenset[str] | None = spec.result_cache.get(("new_ids", kind.id))
    if field_ids is None:
        field_ids = spec.result_cache["new_ids", kind.id] = frozenset(_new_ids(spec, kind))
    return field_ids


def values_per_day(spec: Spec, field: Field) -> float:
    """Return the new values of a field a day, one per event, where its name or order makes it an id of events.

    A key that the field names alone counts before one that has a time, too: there, the same id can come again. Last
    counts one that shows only a part of a number in sequence.
    """
    alone, timed, counted = 0.0, 0.0, 0.0
    for kind in keyed_by(spec).get(field.id, ()):
        if field.id in new_ids(spec, kind):
            rate = _rows_per_second(spec, kind, _making(kind), of_events=_has_field_behind(kind, field))
            if any(_tells_apart(spec, kind, segment) for segment in _times(kind)):
                timed = max(timed, rate)
            else:
                alone = max(alone, rate)
        elif _counts_events(spec, kind, field):
            counted = max(counted, _rows_per_second(spec, kind, kind.creating_writes))
    # The largest rate and not the sum: the same event can be written to several tables.
    return (alone or timed or counted) * DAY_SECONDS


def _counts_events(spec: Spec, kind: RowKind, field: Field) -> bool:
    """Return whether events of rows take the next numbers of a field of which keys show only a part, such as a bucket.

    A number of an owner counts apart, and one that runs out within the horizon comes again.
    """
    if not is_declared_counter(spec, field) or field.unique_within or field.belongs_to not in (None, NOTHING):
        return False
    if any(isinstance(segment, FieldSegment) and segment.field == field.id for segment in kind.segments):
        return False
    days = (spec.horizon_months or HORIZON_MONTHS_GUESS) * MONTH_DAYS
    most = _rows_per_second(spec, kind, kind.creating_writes) * DAY_SECONDS * days
    return _can_come_once(spec, kind, field, most=most)


def sessions_per_day(spec: Spec, field: Field) -> float:
    """Return the new values of a field a day that is called a session, as far as nothing else says how many there are.

    A session ends: its events are few, however many there are of all sessions.
    """
    amounts = (field.distinct, field.lifetime_days, field.popularity, field.busiest_share, field.unique_within)
    if role_of(field.name).subject != "session" or any(value is not None for value in amounts):
        return 0.0
    return events_per_second(spec, field) * DAY_SECONDS / EVENTS_PER_SESSION


def events_per_second(spec: Spec, field: Field) -> float:
    """Return the stated rate of the events that write rows keyed by a field: the largest of its row kinds. [1/s]"""
    kinds = keyed_by(spec).get(field.id, ())
    return max((_rows_per_second(spec, kind, kind.writes) for kind in kinds), default=0.0)


def keyed_by(spec: Spec) -> Mapping[str, tuple[RowKind, ...]]:
    """Return the row kinds that have a field in their key, by the field's id."""
    kinds_by_field: dict[str, tuple[RowKind, ...]] | None = spec.result_cache.get("keyed_by")
    if kinds_by_field is None:
        kinds_by_field = spec.result_cache["keyed_by"] = {}
        for _, kind in spec.row_kinds():
            for name in dict.fromkeys(name for segment in kind.segments for name in segment_fields(segment)):
                kinds_by_field[name] = (*kinds_by_field.get(name, ()), kind)
    return kinds_by_field


def _new_ids(spec: Spec, kind: RowKind) -> Iterator[str]:
    if not _making(kind):
        return
    field_ids = list(_shown_fields(kind))
    fields = [spec.find(name) for name in dict.fromkeys(field_ids) if _can_come_once(spec, kind, spec.find(name))]
    new_fields = [field for field in fields if _is_event(field)]
    last = fields[-1] if fields and fields[-1].id == field_ids[-1] else None
    # From here on each step is a weaker sign, and is only tried while none was found.
    if not new_fields and last is not None and _closes_a_timed_key(kind, last):
        new_fields = [last]
    if not new_fields and _appending(kind) and not any(_tells_apart(spec, kind, segment) for segment in _times(kind)):
        is_said = any(write.mode == "append_row" for write in kind.writes)
        if is_said:
            new_fields = [field for field in fields if field.assigned == "sequential"]
        if not new_fields and not _times(kind) and last is not None and (is_said or _is_any_id(last)):
            new_fields = [last]
        if not new_fields and is_said:
            new_fields = [f for f in fields if _is_drawn_of_very_many(f) and (f is last or _is_of_nobody(f))][-1:]
    yield from (field.id for field in new_fields)


def _is_event(field: Field) -> bool:
    """Return True if the field stands for events, or is in sequence and does not stand for people or things."""
    subject = role_of(field.name).subject
    is_counter = field.assigned == "sequential" or "uuid" in (field.kind, kind_of(field.name, distinct=None))
    return subject in ("event", "counter") or (subject in ("", "id") and is_counter) or _is_said_to_count(field)


def has_own_rhythm(spec: Spec, field: Field) -> bool:
    """Return True if each value of a field is said to have an event of its own at an interval, as a device reports."""
    found: frozenset[str] | None = spec.result_cache.get("own_rhythm")
    if found is None:
        arrivals = [activity.arrival for activity in spec.activities]
        found = frozenset(one.field for one in arrivals if isinstance(one, Every) and one.field is not None)
        spec.result_cache["own_rhythm"] = found
    return field.id in found


def _is_known_set(spec: Spec, kind: RowKind, field: Field) -> bool:
    """Return True if the design says that so many values of a field come again and again: drivers who have uuids."""
    activities = [spec.find(write.activity) for write in kind.writes if write.activity is not None]
    if any(isinstance(activity.arrival, Every) and activity.arrival.field == field.id for activity in activities):
        return True
    has_count = field.distinct is not None and field.growth_per_day is None and field.assigned != "sequential"
    return has_count and role_of(field.name).subject in ("", "id")


def _closes_a_timed_key(kind: RowKind, field: Field) -> bool:
    """Return True if an id of what the name does not tell stands behind the time, at the end, and no read knows it."""
    place = len(kind.segments) - 1
    closes = isinstance(kind.segments[place], FieldSegment) and any(isinstance(s, TimeSegment) for s in kind.segments)
    is_read = any(bind.field == field.id for read in kind.reads for bind in read.binds)
    return closes and _is_any_id(field) and not is_read and bool(_appending(kind))


def _is_drawn_of_very_many(field: Field) -> bool:
    """Return True if values are random texts or numbers of which no two are ever the same: a UUID, a digest."""
    return isinstance(field.values, Random) and (field.capacity is None or field.capacity >= NEVER_AGAIN)


def _is_of_nobody(field: Field) -> bool:
    """Return True if a name does not stand for people, devices or what there are few of, which come again."""
    return role_of(field.name).subject in ("", "id", "event", "counter", "thing")


def grows_by_each_event(spec: Spec, kind: RowKind) -> bool:
    """Return True if a part of the key is said to get as many new values a day as there are events that write rows."""
    per_day = _rows_per_second(spec, kind, tuple(_making(kind))) * DAY_SECONDS
    fields = [spec.find(name) for name in _shown_fields(kind)]
    # The tolerance is for a growth that a person computed from the rate and rounded.
    return per_day > 0 and any((field.growth_per_day or 0.0) >= per_day * (1 - 1e-6) for field in fields)


def _is_any_id(field: Field) -> bool:
    return role_of(field.name).subject == "id"


def _can_come_once(spec: Spec, kind: RowKind, field: Field, *, most: float = _ENDLESS) -> bool:
    """Return True unless the design says how values of the field come again, or how many there are.

    A number in sequence goes on from there, and so do orders of which each is said to append a row that no time tells
    apart; of other ids, so many are in use.
    """
    activities = [spec.find(write.activity) for write in kind.writes if write.activity is not None]
    is_drawn = any(draw.field == field.id and draw.popularity for activity in activities for draw in activity.draws)
    # A device that reports every ten seconds comes again by definition.
    again = any(isinstance(activity.arrival, Every) and activity.arrival.field == field.id for activity in activities)
    statements = [field.growth_per_day, field.popularity, field.busiest_share, field.unique_within]
    if field.assigned != "sequential" and not _is_appended(kind, field):
        statements.append(field.distinct)
    return (
        not is_drawn
        and not again
        and all(value is None for value in statements)
        and (field.capacity or _ENDLESS) >= most
    )


def _is_appended(kind: RowKind, field: Field) -> bool:
    """Return True if a field is called as events are, alone shows them in a key, and each is said to append a row."""
    says_so = any(write.mode == "append_row" for write in kind.writes if write.activity is not None)
    return says_so and not _times(kind) and role_of(field.name).subject == "event"


def _appending(kind: RowKind) -> list[Write]:
    return [write for write in kind.writes if write.activity is not None and write.mode in (None, "append_row")]


def _shown_fields(kind: RowKind) -> Iterator[str]:
    """Yield the fields whose values a key tells apart: as they are, or by a hash in which no two are the same."""
    for segment in kind.segments:
        if isinstance(segment, FieldSegment):
            yield segment.field
        elif isinstance(segment, HashSegment) and segment.whole_field is not None:
            yield segment.whole_field


def _making(kind: RowKind) -> list[Write]:
    """Return the writes that make rows: those that append, or else those that write where nothing is yet."""
    return _appending(kind) or [w for w in kind.writes if w.activity is not None and w.mode == "check_and_mutate"]


def _times(kind: RowKind) -> list[TimeSegment]:
    return [segment for segment in kind.segments if isinstance(segment, TimeSegment)]


def _tells_apart(spec: Spec, kind: RowKind, segment: TimeSegment) -> bool:
    """Return True if a time is fine enough to name the events of one entity."""
    # The key shows the coarser of the two: a bucket in fine digits is no finer, nor is a fine time in a coarse pattern.
    seconds = max(bucket_length_seconds(segment.bucket), _shown_seconds(segment.pattern) if segment.pattern else 0.0)
    # Where each value pauses that long, a longer bucket still holds one event of each.
    return seconds <= _FINE_SECONDS or any(seconds <= pause for pause in _pauses(spec, kind))


def _shown_seconds(pattern: str) -> float:
    """Return the length of the finest part of a date pattern, without microseconds; a day for all coarser ones."""
    steps = (("%f", 1e-3), ("%S", 1.0), ("%M", 60.0), ("%H", 3_600.0), ("%I", 3_600.0), ("%-H", 3_600.0))
    return next((seconds for sign, seconds in steps if sign in pattern), DAY_SECONDS)


def _pauses(spec: Spec, kind: RowKind) -> Iterator[float]:
    """Yield the seconds between two events of one value of a field of the key."""
    field_ids = {s.field for s in kind.segments if isinstance(s, FieldSegment | DerivedSegment)}
    for write in kind.writes:
        arrival = spec.find(write.activity).arrival if write.activity is not None else None
        if isinstance(arrival, Every) and arrival.field in field_ids:
            yield arrival.seconds


def _has_field_behind(kind: RowKind, field: Field) -> bool:
    """Return True if keys show another field behind an id: rows of an event have the id, and differ by that field."""
    names = list(_shown_fields(kind))
    return field.id in names[:-1]


def _rows_per_second(spec: Spec, kind: RowKind, writes: Iterable[Write], *, of_events: bool = False) -> float:
    """Return the rows that writes make, or the events that make them. [1/s]"""
    active = [write for write in writes if write.activity is not None and not write.deletes]
    rates = ((_per_second(spec, spec.find(w.activity or "")), w.rows_per_event or 1.0) for w in active)
    return float(sum(rate * (min(rows, 1.0) if of_events else rows) for rate, rows in rates))


def _per_second(spec: Spec, activity: Activity) -> float:
    """Return the rate of an activity, as it is set, or of stated values that each act at an interval; else 0. [1/s]"""
    if activity.rate_per_second is None and isinstance(activity.arrival, Every):
        return (spec.find(activity.arrival.field).stated_values or 0) / activity.arrival.seconds
    return activity.rate_per_second or 0.0


_BELOW_ALL, _ABOVE_ALL = 100.0, 0.5
"""Places in a chain of owners, beside the ranks of names."""


def owner_by_key(spec: Spec, field: Field) -> str | None:
    """Return the owner by the names of fields: a device right after a tenant in a key belongs to it.

    Not where its own access distribution is set: with an owner, that would decide the owner's as well.
    """
    # What has events of its own at an interval is below all others: a metric that is read every ten seconds is of one
    # tenant.
    rank = role_of(field.name).rank or (_BELOW_ALL if has_own_rhythm(spec, field) else 0.0)
    # A stated skew is of all values of the field; with an assumed owner it would be read as a skew within one owner.
    alone = field.unique_within is None and not field.has_known_skew
    for kind in keyed_by(spec).get(field.id, ()) if rank and alone else ():
        shown = [segment.field for segment in kind.segments if isinstance(segment, FieldSegment)]
        place = shown.index(field.id) if field.id in shown else 0
        owner = spec.find(shown[place - 1]) if place else None
        # The rank must rise: two fields that each follow the other in some key would otherwise own each other.
        if owner is not None and 0 < _rank_as_owner(spec, owner, field) < rank and _can_own(spec, owner, field, rank):
            return str(owner.id)
    return None


def _rank_as_owner(spec: Spec, owner: Field, field: Field) -> float:
    """Return the place of an owner: a place owns what is there at an interval, and has no rhythm of its own.

    0: it owns nothing of the field. A few names of metrics that each of many hosts has belong to none of these.
    """
    role = role_of(owner.name)
    shared = role_of(field.name).subject == "category" and field.distinct is None
    if has_own_rhythm(spec, field) and (shared or (owner.distinct or 0) > (field.distinct or math.inf)):
        return 0.0
    if role.subject == "place" and has_own_rhythm(spec, field) and not has_own_rhythm(spec, owner):
        return _ABOVE_ALL
    return role.rank


def _can_own(spec: Spec, owner: Field, field: Field, rank: float) -> bool:
    """Return True unless the owner's own owners, as far as they are set, could lead back to a field of this rank."""
    at = owner.belongs_to
    while at not in (None, NOTHING):
        above: Field = spec.find(at or "")
        if above is field or role_of(above.name).rank >= rank:
            return False
        at = above.belongs_to
    return True
