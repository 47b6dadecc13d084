"""Garbage collection, and what Tablestore keeps, as sentences."""

from collections.abc import Mapping
from functools import reduce

from designer.document.family import Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.table import Table
from designer.document.texts import N_, Text


def gc_sentence(gc: Gc | None) -> Text:
    """Garbage collection as a sentence."""
    match gc:
        case None:
            return Text(N_("No garbage collection is specified: all cells are kept."))
        case MaxVersions():
            if gc.versions == 1:
                return Text(N_("Keeps only the newest cell of each column."))
            return Text(N_("Keeps the newest {versions} cells of each column."), {"versions": gc.versions})
        case MaxAge():
            return Text(N_("Deletes cells older than {age_days}."), {"age_days": gc.age_days})
        case Union():
            return Text(N_("Deletes a cell when it is {rules}."), {"rules": _join_clauses(gc)})
        case Intersection():
            return Text(N_("Deletes a cell only when it is {rules}."), {"rules": _join_clauses(gc)})
        case _:
            return Text(N_("Keeps all cells intentionally."))


def retention_sentence(table: Table) -> Text:
    """Return the attributes that a Tablestore table retains, as a sentence."""
    settings = table.tablestore
    versions, ttl = (settings.max_versions if settings else None) or 1, settings.ttl_seconds if settings else None
    if ttl is not None and ttl != -1:
        message = N_("Keeps the newest {versions} versions of each attribute until they are {ttl_seconds} old.")
        if versions == 1:
            message = N_("Keeps the newest value of each attribute until it is {ttl_seconds} old.")
        return Text(message, {"versions": versions, "ttl_seconds": ttl})
    if versions == 1:
        return Text(N_("Keeps the newest value of each attribute indefinitely."))
    return Text(N_("Keeps the newest {versions} versions of each attribute indefinitely."), {"versions": versions})


ROTATIONS: Mapping[str, str] = {
    "day": N_("One table per day."),
    "week": N_("One table per week."),
    "month": N_("One table per month."),
}
KEPT_ROTATIONS: Mapping[str, str] = {
    "day": N_("One table per day; {count_tables} are retained."),
    "week": N_("One table per week; {count_tables} are retained."),
    "month": N_("One table per month; {count_tables} are retained."),
}


def rotation_sentence(table: Table) -> Text | None:
    """Return how a table rotates, as a sentence; None if it does not."""
    rotation = table.rotation
    if rotation is None:
        return None
    if rotation.kept_tables is None:
        return Text(ROTATIONS[rotation.period])
    return Text(KEPT_ROTATIONS[rotation.period], {"count_tables": rotation.kept_tables})


def _join_clauses(gc: Union | Intersection) -> Text:
    joint = N_("{one} or {other}") if isinstance(gc, Union) else N_("{one} and {other}")
    return reduce(lambda clause, other: Text(joint, {"one": clause, "other": other}), map(_clause, gc.rules))


def _clause(gc: Gc) -> Text:
    match gc:
        case MaxVersions():
            message = N_("not among the newest {versions}") if gc.versions > 1 else N_("not the newest")
            return Text(message, {"versions": gc.versions})
        case MaxAge():
            return Text(N_("older than {age_days}"), {"age_days": gc.age_days})
        case Union() | Intersection() if len(gc.rules) == 1:
            return _clause(gc.rules[0])
        case Union() | Intersection():
            return Text("({rules})", {"rules": _join_clauses(gc)})
        case _:
            return Text(N_("never"))
