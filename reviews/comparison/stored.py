"""What a change means for data that is stored already: keys to be rewritten, cells under old names, cells that go."""

import math
from collections.abc import Iterator

from designer.spec import Model, Spec
from designer.spec.dump import plain
from designer.spec.family import Column, Family, Gc, Intersection, MaxAge, MaxVersions, Union
from designer.spec.table import RowKind, Table
from designer.spec.texts import N_, Text
from designer.words import key_of, name_of

from .changes import Change


def rewritten(before: Spec, after: Spec) -> dict[str, Text]:
    """Of the row kinds in both designs whose keys are built otherwise: what that means for the stored ones."""
    found = {}
    for _, kind in after.row_kinds():
        was = before.by_id.get(kind.id)
        if isinstance(was, RowKind) and was.segments and _form(was) != _form(kind):
            params = {"kind": _named(after, kind.id), "was": key_of(before, was), "now": key_of(after, kind)}
            message = N_("every stored key of {kind}: rewrite needed ({was} becomes {now})")
            found[kind.id] = Text(message, params)
    return found


def stored(before: Spec, after: Spec, change: Change) -> Iterator[Text]:
    """What this one change does to stored data, besides rewriting keys."""
    was, now = before.by_id.get(change.at), after.by_id.get(change.at)
    names = {field.name for field in change.fields}
    match was, now:
        case Table(), None:
            yield Text(N_("the table's data is deleted"))
        case Family(), None:
            yield Text(N_("the family's cells are deleted"))
        case Table(), Table() if "name" in names and was.name and now.name:
            yield Text(N_("a table cannot be renamed: its rows must be copied"))
        case Family(), Family():
            if "name" in names and was.name and now.name:
                yield Text(N_("a family cannot be renamed: its cells must be written anew"))
            if "kind" in names:
                yield Text(N_("a family's kind cannot be changed: its cells must be written anew"))
            if "gc" in names and _keeps_less(was.gc, now.gc):
                yield Text(N_("stored cells beyond the new rule are deleted"))
        case Column(), Column():
            if {"qualifier", "qualifier_from"} & names or (change.sign == "moved" and change.was != change.now):
                yield from _elsewhere(before, after, change)


def _elsewhere(before: Spec, after: Spec, change: Change) -> Iterator[Text]:
    moved = _family(before, change.at) != _family(after, change.at)
    if change.fields or moved:
        yield Text(N_("stored cells stay where they were: they must be written anew"))


def _family(spec: Spec, column: str) -> str:
    families = (family for table in spec.tables for family in table.families)
    return next((family.id for family in families if any(c.id == column for c in family.columns)), "")


def _form(kind: RowKind) -> object:
    """What keys are built from, whatever the parts are called."""
    columns = tuple((column.type, column.auto_increment, _segments(column.segments)) for column in kind.key_columns)
    return _segments(kind.key), columns


def _segments(segments: tuple[Model, ...]) -> tuple[str, ...]:
    return tuple(repr({name: held for name, held in plain(one).items() if name != "id"}) for one in segments)


def _named(spec: Spec, kind: str) -> str:
    """A row kind by its name, by its table's where it is the only one."""
    for table, one in spec.row_kinds():
        if one.id == kind and (len(table.row_kinds) == 1 or not one.name):
            return table.name or table.id
    return name_of(spec, kind)


def _keeps_less(was: Gc | None, now: Gc | None) -> bool:
    """Whether some cell that the old rule keeps is one that the new rule deletes, as far as versions and age say."""
    return any(new < old for old, new in zip(_kept(was), _kept(now), strict=True))


def _kept(gc: Gc | None) -> tuple[float, float]:
    """The most versions and the greatest age that a rule keeps."""
    match gc:
        case MaxVersions():
            return gc.versions, math.inf
        case MaxAge():
            return math.inf, gc.age_days
        case Union() | Intersection():
            each = [_kept(rule) for rule in gc.rules]
            if isinstance(gc, Union):  # deleted as soon as one rule says so
                return min(v for v, _ in each), min(a for _, a in each)
            return max(v for v, _ in each), max(a for _, a in each)
        case _:
            return math.inf, math.inf
