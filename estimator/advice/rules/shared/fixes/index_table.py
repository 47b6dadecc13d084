"""The fix that gives a read an index table: the same rows in the order that the read needs."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from designer.document import Spec
from designer.document.access import Read, Write
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, removal_with_uses
from designer.document.family import Family
from designer.document.ids import LONGEST_ID, make_unique, numbered_name
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Segment,
    TimeSegment,
    as_bytes,
    segment_fields,
)
from designer.document.table import Derived, Table
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.alphabets import clear_delimiter, value_bytes
from estimator.facts.numbers import readable_segment
from estimator.facts.reading import RowKindFacts

ADD_INDEX_TABLE = N_("Add an index table")
ADDED = N_("added an index table")
NAME_MAX = 50
_NAME_CHARACTERS = re.compile(r"[^A-Za-z0-9_.-]+")


def index_table(rows: RowKindFacts, read: Read) -> Edit | None:
    """Return an edit that adds a table keyed for a read, written by the same activities, and moves the read there.

    Its key begins with what the read knows, goes on with the time if the read asks for an order or a span, and ends
    with the other parts of the source's key, so that each row keeps a key of its own. It holds the columns that the
    read needs. None if the source serves no other read, nothing writes it, or the key cannot be made.
    """
    kind, table = rows.kind, rows.table
    # With a single read the table itself should get the other key instead of a copy of all rows.
    if len(kind.reads) < 2 or not kind.writes or kind.key_columns or table.derived_from is not None:
        return None
    order = tuple(_ordered_segments(rows, read))
    delimited = _with_delimiters(rows.spec, order, _usual_delimiter(kind.key))
    if not order or delimited is None:
        return None
    families = tuple(_needed_families(rows, read))
    ids = _NewIds(rows.spec)
    part_ids = {part.id for family in families for part in (family, *family.columns)}
    data: dict[str, Any] = {
        **_table_settings(table),
        "id": ids[table.id],
        "name": _index_table_name(rows, delimited),
        "families": [ids.replace(to_plain_data(family)) for family in families],
        "row_kinds": [
            {
                "id": ids[kind.id],
                **({"name": kind.name} if kind.name else {}),
                "key": [ids.replace(to_plain_data(segment)) for segment in delimited],
                "writes": [
                    ids.replace(_kept_columns(write, part_ids)) for write in _feeding_writes(kind.writes, part_ids)
                ],
                "reads": [{**ids.replace(_kept_columns(read, part_ids)), "id": read.id}],
            }
        ],
        "derived_from": to_plain_data(Derived(table=table.id, how="index_table")),
    }
    place = rows.spec.tables.index(table) + 1
    before = rows.spec.tables[place].id if place < len(rows.spec.tables) else None
    # The read keeps its id in the new table, so it must be gone from the old one first: ids are unique in a design.
    removals = removal_with_uses(rows.spec, read.id).edits
    return Batch(edits=(*removals, Insert(parent="", list="tables", element=data, before=before)), label=ADDED)


# --- the key ---


def _ordered_segments(rows: RowKindFacts, read: Read) -> Iterator[Segment]:
    """Yield the parts of the key: what the read knows, the time if it needs it, then what is left of the source's.

    Hashes and salts of the source are left out: the fields that they are made from stand in the key themselves.
    """
    own = {segment.field: segment for segment in rows.kind.key if isinstance(segment, FieldSegment)}
    whole = [bind.field for bind in read.binds if bind.is_whole]
    # Behind one range or beginning nothing narrows a scan any more, so a second one would be of no use in the key.
    open_ended = [bind.field for bind in read.binds if not bind.is_whole][:1]
    leads = sorted(whole, key=lambda field: list(own).index(field) if field in own else len(own))
    if not leads:
        return
    known_fields = [*leads, *open_ended]
    for field in known_fields:
        yield own.get(field) or _readable(rows.spec, field)
    needs_time = read.time is not None or read.exact_time or read.newest_rows is not None
    first = [segment for segment in rows.kind.key if isinstance(segment, TimeSegment) and needs_time]
    yield from first
    key_fields = {*known_fields, *own}
    for segment in rows.kind.key:
        if isinstance(segment, HashSegment | DerivedSegment):
            hidden = [field for field in segment_fields(segment) if field not in key_fields]
            key_fields |= set(hidden)
            yield from (_readable(rows.spec, field) for field in hidden)
        elif isinstance(segment, FieldSegment):
            if segment.field not in known_fields:
                yield segment
        elif isinstance(segment, TimeSegment) and segment not in first:
            yield segment


def _readable(spec: Spec, field: str) -> Segment:
    return readable_segment(spec, FieldSegment(id=f"{field[: LONGEST_ID - 2]}-k", field=field))


def _usual_delimiter(key: Sequence[Segment]) -> str:
    return next((segment.after for segment in key if segment.after), "#")


def _with_delimiters(spec: Spec, order: Sequence[Segment], usual: str) -> tuple[Segment, ...] | None:
    """Return the segments with a delimiter after each but the last; None where every delimiter is in a value."""
    segments: list[Segment] = []
    for number, segment in enumerate(order, 1):
        after: str | None = "" if number == len(order) else usual
        used_bytes = value_bytes(spec, segment)
        if after and used_bytes and as_bytes(after)[0] in used_bytes:
            after = clear_delimiter(spec, segment, below=True)
        if after is None:
            return None
        segments.append(segment.model_copy(update={"after": after}))
    return tuple(segments)


# --- what it holds, and who writes it ---


def _needed_families(rows: RowKindFacts, read: Read) -> Iterator[Family]:
    """Yield the families with the columns that the read returns; a family without columns stays as it is."""
    column_ids = set(read.columns)
    of_rows = set(rows.kind.columns)
    for family in rows.table.families:
        if read.families and family.id not in read.families:
            continue
        columns = tuple(
            column
            for column in family.columns
            if (not column_ids or column.id in column_ids) and (not of_rows or column.id in of_rows)
        )
        if columns or not family.columns:
            yield family.model_copy(update={"columns": columns})


def _feeding_writes(writes: Sequence[Write], part_ids: Collection[str]) -> Iterator[Write]:
    """Yield the writes that change something that the index table holds."""
    for write in writes:
        if write.deletes or not write.columns or any(column in part_ids for column in write.columns):
            yield write


def _kept_columns(access: Read | Write, part_ids: Collection[str]) -> dict[str, Any]:
    """Return a write or read with those of its columns and families that the index table holds."""
    lists = {
        name: tuple(id_ for id_ in getattr(access, name) if id_ in part_ids)
        for name in ("columns", "families")
        if getattr(access, name, ())
    }
    plain: dict[str, Any] = to_plain_data(access.model_copy(update=lists))
    return plain


SETTINGS = ("history_months", "keep_forever", "infrequent_access_days", "tablestore")
"""What rows have in an index table as they have it in its source."""


def _table_settings(table: Table) -> Mapping[str, Any]:
    plain = to_plain_data(table)
    return {name: plain[name] for name in SETTINGS if name in plain}


def _index_table_name(rows: RowKindFacts, key: Sequence[Segment]) -> str:
    first = next(segment for segment in key if not isinstance(segment, LiteralSegment))
    by = element_label(rows.spec, segment_fields(first)[0]) if segment_fields(first) else first.kind
    name = _NAME_CHARACTERS.sub("_", f"{rows.table.label}_by_{by}")[:NAME_MAX]
    used = {table.name for table in rows.spec.tables}
    return make_unique(name, used, ending="_", longest=NAME_MAX)


class _NewIds:
    """Ids of the copies, by those of the originals."""

    def __init__(self, spec: Spec) -> None:
        self._used = set(spec.by_id)
        self._found: dict[str, str] = {}

    def __getitem__(self, old_id: str) -> str:
        if old_id not in self._found:
            self._found[old_id] = numbered_name(old_id, "-", self._used)
            self._used.add(self._found[old_id])
        return self._found[old_id]

    def replace(self, data: Any) -> Any:
        """Return plain data with new ids for all parts of tables and what points to them."""
        if isinstance(data, dict):
            return {name: self._replace_value(name, value) for name, value in data.items()}
        return [self.replace(inner) for inner in data] if isinstance(data, list) else data

    def _replace_value(self, name: str, value: Any) -> Any:
        if name == "id":
            return self[value]
        if name in ("columns", "families") and value and isinstance(value[0], str):
            return [self[id_] for id_ in value]
        return self.replace(value)
