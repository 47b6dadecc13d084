"""Effects of a change on stored data: keys to rewrite, cells under old names, cells that are deleted."""

from collections.abc import Iterator
from typing import Any

from designer.document import Model, Spec
from designer.document.dump import to_plain_data
from designer.document.engines import description_of
from designer.document.family import Column, Family, Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.instance import Cluster, Instance
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import element_label, key_of

from .changes import ElementChange


def rewrite_messages(before: Spec, after: Spec) -> dict[str, Text]:
    """Return what changed keys mean for stored rows, for each row kind that is in both designs."""
    messages = {}
    for _, kind in after.row_kinds():
        was = before.by_id.get(kind.id)
        if isinstance(was, RowKind) and was.segments and _form(was) != _form(kind):
            params = {"kind": _kind_label(after, kind.id), "was": key_of(before, was), "now": key_of(after, kind)}
            message = N_("all stored keys of {kind} must be rewritten ({was} becomes {now})")
            messages[kind.id] = Text(message, params)
    return messages


def stored_data_effects(before: Spec, after: Spec, change: ElementChange) -> Iterator[Text]:
    """Yield the effects of one change on stored data, besides rewriting keys."""
    was, now = before.by_id.get(change.at), after.by_id.get(change.at)
    names = {field.name for field in change.fields}
    if not change.at:
        yield from _of_design(before, names)
    match was, now:
        case Table(), None:
            yield Text(N_("all data of the table is deleted"))
        case Table(), Table() if "name" in names and was.name and now.name:
            yield Text(N_("tables cannot be renamed: copy the rows to a new table"))
        case Cluster(), Cluster() if {"region", "zone"} & names and was.region:
            yield Text(N_("clusters cannot be moved: add a new cluster, wait for replication, then remove the old one"))
        case Family(), _ if description_of(before).has_families:
            yield from _of_family(was, now, names)
        case Column(), Column():
            yield from _of_column(before, after, change)


def _of_design(before: Spec, names: set[str]) -> Iterator[Text]:
    if "engine" in names:
        yield Text(N_("the engine changes: copy all stored data"))
    if "instance.storage" in names and description_of(before).has_field(Instance, "storage"):
        yield Text(N_("the storage type of an instance cannot be changed: move the data to a new instance"))


def _of_family(was: Family, now: Any, names: set[str]) -> Iterator[Text]:
    if now is None:
        yield Text(N_("all cells of the family are deleted"))
        return
    if "name" in names and was.name and now.name:
        yield Text(N_("column families cannot be renamed: rewrite the cells into a new family"))
    if "kind" in names:
        yield Text(N_("the type of a column family cannot be changed: rewrite the cells into a new family"))
    if "gc" in names and keeps_less(was.gc, now.gc):
        yield Text(N_("stored cells that exceed the new rule are deleted"))


def _of_column(before: Spec, after: Spec, change: ElementChange) -> Iterator[Text]:
    field_names = {field.name for field in change.fields} & {"qualifier", "qualifier_from"}
    if field_names or (change.sign == "moved" and _family(before, change.at) != _family(after, change.at)):
        yield Text(N_("stored cells stay in place and must be rewritten"))


def _family(spec: Spec, column: str) -> str:
    families = (family for table in spec.tables for family in table.families)
    return next((family.id for family in families if any(c.id == column for c in family.columns)), "")


def _form(kind: RowKind) -> object:
    """Return the structure of the keys without the names of their parts."""
    columns = tuple((column.type, column.auto_increment, _segments(column.segments)) for column in kind.key_columns)
    return _segments(kind.key), columns


def _segments(segments: tuple[Model, ...]) -> tuple[str, ...]:
    return tuple(
        repr({name: value for name, value in to_plain_data(segment).items() if name != "id"}) for segment in segments
    )


def _kind_label(spec: Spec, kind: str) -> str:
    """Return the name of a row kind, or of its table if it is the only one."""
    for table, row_kind in spec.row_kinds():
        if row_kind.id == kind and (len(table.row_kinds) == 1 or not row_kind.name):
            return table.label
    return element_label(spec, kind)


def keeps_less(before: Gc | None, after: Gc | None) -> bool:
    """Return whether the new rule deletes some cell that the old rule keeps.

    Rules only depend on the number of newer cells and the age of a cell: testing at and just beyond each limit
    of both
    covers all cases.
    """
    limits = [*_limits(before), *_limits(after)]
    # At a limit a cell is kept, and one behind it is deleted, so these two cover each step of the rules.
    ranks = {1.0, *(n + more for n, _ in limits for more in (0, 1))}
    ages = {0.0, *(age * more for _, age in limits for more in (1, 1.001))}
    return any(
        _deletes_cell(after, rank, age) and not _deletes_cell(before, rank, age) for rank in ranks for age in ages
    )


def _limits(gc: Gc | None) -> Iterator[tuple[float, float]]:
    """Yield the versions and ages that a rule names."""
    match gc:
        case MaxVersions():
            yield float(gc.versions), 0.0
        case MaxAge():
            yield 1.0, gc.age_days
        case Union() | Intersection():
            for rule in gc.rules:
                yield from _limits(rule)


def _deletes_cell(gc: Gc | None, rank: float, age_days: float) -> bool:
    """Return whether a rule deletes the cell with this rank from the newest and this age."""
    match gc:
        case MaxVersions():
            return rank > gc.versions
        case MaxAge():
            return age_days > gc.age_days
        case Union():
            return any(_deletes_cell(rule, rank, age_days) for rule in gc.rules)
        case Intersection():
            return all(_deletes_cell(rule, rank, age_days) for rule in gc.rules)
        case _:
            return False
