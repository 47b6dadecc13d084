"""Tables of one document, added to another as one edit: with the fields and activities they need, under new ids."""

from collections.abc import Collection, Iterator
from typing import Any

from designer.document import Element, Spec
from designer.document.activity import Activity
from designer.document.base import walk
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Insert
from designer.document.field import Field
from designer.document.references import references
from designer.document.texts import N_

from .new_design import NewId

ORDER = ("fields", "activities", "tables")
"""What is pointed to comes before what points to it."""
ADDED = N_("added imported tables")


def copy_tables(spec: Spec, other: Spec, tables: Collection[str], *, new_id: NewId) -> Batch:
    """Build the edit that adds these tables (by id) of the other document.

    A field with the name of one of the design's fields becomes that field. App profiles belong to an instance
    and are not copied; the source of a derived table is copied only if it is added, too.
    """
    chosen = [table for table in other.tables if table.id in tables]
    needed = {part.id: part for table in chosen for part in _required_elements(other, table)}
    # By name: the same user in both designs is one field, so that keys of both tables are drawn from the same values.
    ids_by_name = {field.name: field.id for field in spec.fields if field.name}
    ids = {
        id_: ids_by_name[part.name]
        for id_, part in needed.items()
        if isinstance(part, Field) and part.name in ids_by_name
    }
    parts = [part for part in (*needed.values(), *chosen) if part.id not in ids]
    for part in parts:
        ids |= {element.id: new_id() for element in walk(part) if isinstance(element, Element)}
    inserts = (Insert(parent="", list=_list_name(part), element=_copy_part(part, ids)) for part in parts)
    return Batch(label=ADDED, edits=tuple(sorted(inserts, key=lambda insert: ORDER.index(insert.list))))


def _list_name(part: Any) -> str:
    return "fields" if isinstance(part, Field) else "activities" if isinstance(part, Activity) else "tables"


def _required_elements(spec: Spec, part: Any) -> Iterator[Field | Activity]:
    """Yield the fields and activities that a part refers to, directly or indirectly.

    Owners come before the fields that they own; of fields that refer to each other, either may come first.
    """
    elements: dict[str, Field | Activity] = {}

    visited_ids = set[str]()

    def look(part: Any) -> None:
        for reference in references(part):
            target = spec.find(reference.to)
            # Marked before it is looked at: a field can be unique within one that belongs to it.
            if isinstance(target, Field | Activity) and target.id not in visited_ids:
                visited_ids.add(target.id)
                look(target)
                elements[target.id] = target

    look(part)
    yield from elements.values()


def _copy_part(part: Any, ids: dict[str, str]) -> dict[str, Any]:
    """Return a part's data with new ids, without references to elements that are not copied."""
    data: dict[str, Any] = to_plain_data(part)
    _replace_ids(data, ids)
    _drop_terraform(data)
    for reference in reversed(list(references(part))):  # the last of a list first, so that places stay right
        *way, last = reference.path
        holder: Any = data
        for step in way:
            holder = holder[step]
        if reference.to in ids:
            holder[last] = ids[reference.to]
        elif way == ["derived_from"]:
            del data["derived_from"]
        else:
            del holder[last]
    return data


def _drop_terraform(data: Any) -> None:
    """Drop the addresses of resources: a copy is another resource."""
    if isinstance(data, dict):
        data.pop("terraform", None)
        for child in data.values():
            _drop_terraform(child)
    elif isinstance(data, list):
        for child in data:
            _drop_terraform(child)


def _replace_ids(data: Any, ids: dict[str, str]) -> None:
    if isinstance(data, dict):
        if isinstance(data.get("id"), str):
            data["id"] = ids[data["id"]]
        for child in data.values():
            _replace_ids(child, ids)
    elif isinstance(data, list):
        for child in data:
            _replace_ids(child, ids)
