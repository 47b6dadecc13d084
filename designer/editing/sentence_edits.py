"""Edits of a design for a sentence: a read of the table whose key serves it best, a table, or an owner of a field."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.application import Sentence, UnreadableError, build_pattern, latin_name, pattern_name, plural, read_slots
from designer.application.quantities import parse_name
from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.edits import Batch, Insert, Set
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.key import (
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    TimeSegment,
    segment_fields,
    shows_time,
)
from designer.document.table import RowKind, Table, time_to_live
from designer.document.texts import N_, Text, TextList

from .new_design import NewId, first_table

ADDED_READ = N_("added a read")
ADDED_OWNER = N_("set the owner of a field")
Translate = Callable[[Text], str]


class SentenceEditError(ValueError):
    """Error for a sentence that names what the design lacks."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


@dataclass(frozen=True)
class SentenceEdit:
    """An edit, the element that it adds, and the element that shows it."""

    edit: Batch
    element: str
    shown_at: str


def add_sentence(spec: Spec, sentence: Sentence, *, new_id: NewId, translate: Translate) -> SentenceEdit:
    """Return what a sentence adds to the design.

    Raises
    ------
    SentenceEditError
        If a slot cannot be read, or names a field or a record that the design does not have.
    """
    values, problems = read_slots(sentence)
    if problems:
        raise SentenceEditError(problems[0].text)
    match sentence.kind:
        case "owner":
            return _add_owner(spec, values)
        case "report" | "event":
            return _add_records(spec, values, new_id)
    return _add_read(spec, sentence.kind, values, new_id, translate)


# --- reads


def _add_read(spec: Spec, kind: str, values: Mapping[str, Any], new_id: NewId, translate: Translate) -> SentenceEdit:
    places = list(_places_of(spec, values.get("record", "")))
    if kind == "states":
        places = list(_state_places(spec, places, values))
    by = tuple(values.get("by", ()))
    fields = tuple(
        _id_field(spec, places) if name in ("id", values.get("record")) else _field(spec, name) for name in by
    )
    ids = [field.id for field in fields]
    has_order = "span" in values or kind == "latest"
    # Of equal fits, max() takes the first: the table before its index tables.
    table, rows = max(places, key=lambda place: _fit(place[1], ids, has_order=has_order))
    missing = [field.label for field in fields if field.id not in _key_fields(rows)]
    if missing:
        message = N_("No row key has {field}. Add a table or an index table whose key starts with it.")
        raise SentenceEditError(Text(message, {"field": missing[0]}))
    record = values.get("record") or _singular(rows.name or table.name)
    pattern = build_pattern(0, kind, record, by, values)
    read: dict[str, Any] = {
        "id": new_id(),
        "name": translate(pattern_name(pattern, unique=by if kind == "one" else ())),
        "rate_per_second": pattern.per_second,
        "binds": [{"field": field_id} for field_id in ids],
    }
    in_key = _has_time(rows)
    if pattern.span_days is not None:
        read |= {"time": {"days": pattern.span_days}} if in_key else {"cell_days": pattern.span_days}
    # One newest row of a key without a time is the row itself.
    if pattern.newest is not None and (in_key or pattern.newest > 1):
        read["newest_rows"] = pattern.newest
    insert = Insert(parent=rows.id, list="reads", element=read)
    return SentenceEdit(Batch(label=ADDED_READ, edits=(insert,)), read["id"], table.id)


def _places_of(spec: Spec, record: str) -> Iterator[tuple[Table, RowKind]]:
    """Yield the row kinds of a record by its name: those of its table, and of the index tables made of it."""
    every = [(table, rows) for table in spec.tables for rows in table.row_kinds if rows.segments]
    table_ids = {table.id for table, rows in every if not record or _is_called(record, rows.name, table.name)}
    table_ids |= {table.id for table, _ in every if table.derived_from and table.derived_from.table in table_ids}
    places = [place for place in every if place[0].id in table_ids]
    # "Readings of a sensor" names no table, but the field in the key of the table that stores them.
    if not places and every and record and _known_field(spec, record):  # what a thing reports goes by its name
        places = [place for place in every if _key_fields(place[1]) & {_field(spec, record).id}]
    if not places:
        message = N_("No table stores {name}. Tables: {tables}.") if every else N_("Add a table with a row key first.")
        names = TextList(dict.fromkeys(table.label for table, _ in every))
        raise SentenceEditError(Text(message, {"name": plural(record), "tables": names}))
    yield from places


def _state_places(
    spec: Spec, places: Sequence[tuple[Table, RowKind]], values: Mapping[str, Any]
) -> Iterator[tuple[Table, RowKind]]:
    """Yield the row kinds that hold the latest of each thing: their key shows it, and no time."""
    thing = _field(spec, values["things"])
    states = [place for place in places if thing.id in _key_fields(place[1]) and not _has_time(place[1])]
    if not states:
        key = "#".join(f"{{{name}}}" for name in (*values.get("by", ()), values["things"]))
        message = N_("No table holds the latest of each {thing}. Add one with the key {key}: each write overwrites it.")
        raise SentenceEditError(Text(message, {"thing": thing.label, "key": key}))
    yield from states


def _has_time(rows: RowKind) -> bool:
    return any(isinstance(segment, TimeSegment) for segment in rows.segments)


def _fit(rows: RowKind, fields: Sequence[str], *, has_order: bool) -> tuple[bool, int]:
    """Return how well a key serves a read of these fields: whether it has them, and how many segments lead to it."""
    led = 0
    for segment in rows.segments:
        own = set(segment_fields(segment))
        # These have no order that a read could use, and do not keep it from the segments behind them either.
        hashed = isinstance(segment, TimeSegment) and not shows_time(segment)
        if hashed or isinstance(segment, LiteralSegment | SaltSegment | HashSegment):
            continue
        if isinstance(segment, TimeSegment):
            # A time directly behind the given fields serves an order or a span; behind it, nothing narrows the scan.
            led += has_order and led > 0
            break
        if not own or not own <= set(fields):
            break
        led += 1
    return set(fields) <= _key_fields(rows), led


def _key_fields(rows: RowKind) -> set[str]:
    return {field for segment in rows.segments for field in segment_fields(segment)}


def _id_field(spec: Spec, places: Sequence[tuple[Table, RowKind]]) -> Field:
    """Return the field that tells the records of a table apart: the last one of its key."""
    for _, rows in places:
        fields = [segment.field for segment in rows.segments if isinstance(segment, FieldSegment)]
        if fields:
            field = spec.find(fields[-1])
            assert isinstance(field, Field)
            return field
    raise SentenceEditError(Text(N_("No row key has an id. Name the field that is known.")))


# --- tables and owners


def _add_records(spec: Spec, values: Mapping[str, Any], new_id: NewId) -> SentenceEdit:
    thing = values.get("things", "")
    record = values.get("record") or (f"{thing}_report" if thing else "record")
    leading = [thing] if thing else list(values.get("by", ()))[:1]
    names = [_known_name(spec, name) for name in leading]
    last = "time:rev" if thing or names else f"{record}_id"
    parts = [*(f"{{{name}}}" for name in names), f"{{{last}}}"]
    if not thing and names:
        parts.append(f"{{{_known_name(spec, f'{record}_id')}}}")
    key = (", " if description_of(spec).has_key_columns else "#").join(parts)
    batch = first_table(
        spec, name=plural(latin_name(record, "record")), key=key, per_second=values.get("rate"), new_id=new_id
    )
    changes = {"fields": _field_details, "activities": _activity_details, "tables": _table_details}
    edits = [
        edit.model_copy(update={"element": {**edit.element, **changes[edit.list](spec, batch, edit, values)}})
        for edit in batch.edits
        if isinstance(edit, Insert)
    ]
    field = _known_field(spec, thing) if thing else None
    # A number that somebody entered is not replaced by one in a sentence about another thing.
    counts = [Set(at=field.id, name="distinct", value=values["count"])] if field and field.distinct is None else []
    table = str(edits[-1].element["id"])
    return SentenceEdit(
        Batch(label=batch.label, edits=(*counts, *edits, *_lifetime(spec, table, values))), table, table
    )


def _lifetime(spec: Spec, table: str, values: Mapping[str, Any]) -> Iterator[Set]:
    """Yield the time to live of a table of primary-key columns, which has no garbage collection by family."""
    if description_of(spec).has_key_columns and "kept" in values:
        yield Set(at=table, name="tablestore", value={"ttl_seconds": time_to_live(values["kept"])})


def _field_details(spec: Spec, batch: Batch, edit: Insert, values: Mapping[str, Any]) -> dict[str, Any]:
    counts = {**values.get("distinct", {}), **({values["things"]: values["count"]} if "things" in values else {})}
    count = next((count for name, count in counts.items() if _is_called(name, str(edit.element["name"]))), None)
    return {} if count is None else {"distinct": count}


def _activity_details(spec: Spec, batch: Batch, edit: Insert, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the interval at which each thing reports."""
    if "interval" not in values:
        return {}
    field = _known_field(spec, values["things"])
    added = [edit.element["id"] for edit in batch.edits if isinstance(edit, Insert) and edit.list == "fields"]
    return {"arrival": {"kind": "every", "seconds": values["interval"], "field": field.id if field else added[0]}}


def _table_details(spec: Spec, batch: Batch, edit: Insert, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return how long the cells of a new table are kept."""
    if "kept" not in values or (description_of(spec).has_key_columns and math.isfinite(values["kept"])):
        return {}
    days = values["kept"] / DAY_SECONDS
    families: Any = edit.element["families"]
    rule = {"needed": {"forever": True}} if math.isinf(days) else {"gc": {"kind": "max_age", "age_days": days}}
    return {"families": [{**families[0], **rule}]}


def _add_owner(spec: Spec, values: Mapping[str, Any]) -> SentenceEdit:
    thing, owner = _field(spec, values["things"]), _field(spec, values["owners"])
    if thing.id == owner.id:
        raise SentenceEditError(Text(N_("A {name} cannot belong to itself."), {"name": thing.label}))
    changes = (
        (thing, "distinct", values["count"]),
        (owner, "distinct", values["owner_count"]),
        (thing, "belongs_to", owner.id),
    )
    edits = tuple(Set(at=field.id, name=name, value=value, was=getattr(field, name)) for field, name, value in changes)
    return SentenceEdit(Batch(label=ADDED_OWNER, edits=edits), thing.id, thing.id)


# --- names


def _field(spec: Spec, name: str) -> Field:
    found = _known_field(spec, name)
    if found is None:
        message = N_("No field is called {name}. Fields: {fields}.")
        fields = TextList(field.label for field in spec.fields)
        raise SentenceEditError(Text(message, {"name": name, "fields": fields}))
    return found


def _known_field(spec: Spec, name: str) -> Field | None:
    return next((field for field in spec.fields if _is_called(name, field.name, field.id)), None)


def _known_name(spec: Spec, name: str) -> str:
    field = _known_field(spec, name)
    return field.name if field is not None and field.name else name


def _is_called(name: str, *others: str) -> bool:
    return _singular(name) in {_singular(other) for other in others if other}


def _singular(name: str) -> str:
    """Return a name as sentences have it: in the singular, without “id”."""
    try:
        return parse_name(name.replace("_", " ")) or name
    except UnreadableError:
        return name.lower()
