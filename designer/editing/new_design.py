"""From little to much: a name, a key as text and a rate make a table that everything can be computed of."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, rewrite_list
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.key import KeyColumn
from designer.document.keytext import parse_columns, parse_key
from designer.document.table import RowKind
from designer.document.texts import N_

NewId = Callable[[], str]

ADDED = N_("added a table")
REKEYED = N_("changed a row key")


def first_table(spec: Spec, *, name: str, key: str, per_second: float | None, new_id: NewId) -> Batch:
    """Build the edit that adds a table with this key, and an activity that writes one row at this rate.

    Fields that the key names and the design lacks are added; their kinds are inferred from their names.

    Raises
    ------
    KeyTextError
        If the key cannot be parsed.
    """
    table, activity = new_id(), new_id()
    keyed, fields = _parse_segments(spec, key)
    rate = {} if per_second is None else {"rate_per_second": per_second}
    kind = {"id": new_id(), "name": name, **keyed, "writes": [{"id": new_id(), "name": name, "activity": activity}]}
    family = {"id": new_id(), "name": "m", "columns": [{"id": new_id(), "qualifier": "v"}]}
    table_data = {"id": table, "name": name, "row_kinds": [kind], "families": [family]}
    return Batch(
        label=ADDED,
        edits=(
            *_insert_fields(fields),
            Insert(parent="", list="activities", element={"id": activity, "name": name, **rate}),
            Insert(parent="", list="tables", element=table_data),
        ),
    )


def _parse_segments(spec: Spec, text: str) -> tuple[dict[str, Any], tuple[Field, ...]]:
    if description_of(spec).has_key_columns:
        columns = parse_columns(spec, text, new_fields=True)
        return {"key_columns": [to_plain_data(column) for column in columns.columns]}, columns.new_fields
    read = parse_key(spec, text, new_fields=True)
    return {"key": [to_plain_data(segment) for segment in read.segments]}, read.new_fields


def _insert_fields(fields: tuple[Field, ...]) -> tuple[Insert, ...]:
    return tuple(Insert(parent="", list="fields", element=to_plain_data(field)) for field in fields)


def key_edit(spec: Spec, kind: RowKind, text: str) -> Batch:
    """Build the edit that changes a row kind's key to this text; remaining segments keep their ids.

    Raises
    ------
    KeyTextError
        If the key cannot be parsed.
    """
    if description_of(spec).is_key_in_columns(kind):
        columns = parse_columns(spec, text, previous=kind.key_columns, new_fields=True)
        edits = _rewrite_columns(spec, kind, columns.columns)
        return Batch(label=REKEYED, edits=(*_insert_fields(columns.new_fields), *edits))
    read = parse_key(spec, text, previous=kind.key, new_fields=True)
    changes = rewrite_list(spec, kind.id, "key", read.segments)
    return Batch(label=REKEYED, edits=(*_insert_fields(read.new_fields), *changes.edits))


def _rewrite_columns(spec: Spec, kind: RowKind, columns: Sequence[KeyColumn]) -> Iterator[Edit]:
    """Yield the edits of the columns, then those of the segments of each column.

    Columns that remain keep their segments in the first step.
    """
    old = {column.id: column for column in kind.key_columns}
    first_step = [c.model_copy(update={"segments": old[c.id].segments}) if c.id in old else c for c in columns]
    yield from rewrite_list(spec, kind.id, "key_columns", first_step).edits
    for column in columns:
        if column.id in old:
            yield from rewrite_list(spec, column.id, "segments", column.segments).edits
