"""Rows that nothing limits because the design leaves it open: no retention is set, or any pair of values can meet."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec, effective_value, owner_id, write_mode
from designer.document.engines import description_of
from designer.document.family import Family
from designer.document.field import Field
from designer.document.key import FieldSegment, HashSegment, LiteralSegment, SaltSegment
from designer.document.money import Money
from designer.document.new_ids import names_each_event
from designer.document.table import Table
from estimator.results import Estimate

from .billing import stored_cost
from .reading import RowKindFacts, row_kinds

LEAST_GIB = 1.0
"""A month's growth below that costs cents: whether it is kept is not asked."""
MANY_ROWS = 20.0
"""Rows for each value of the larger field from which the number of pairs matters."""
OPEN_SHARE = 0.5
"""Where more of the possible pairs are stored, they limit the rows whatever else is known."""


@dataclass(frozen=True)
class EndlessRows:
    """A table to which each event adds rows that neither a family's rule nor a time to live removes."""

    table: Table
    families: tuple[Family, ...]
    gib_per_month: float
    cost: Money | None
    """Of what these families hold at the end of the horizon, a month; None while nothing is priced."""


def endless_rows(spec: Spec, estimate: Estimate) -> Iterator[EndlessRows]:
    """Yield the tables without a stated retention that grow enough for it to matter."""
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if part is None or part.growth is None or _is_stated(table):
            continue
        by_family = description_of(spec).has_families
        open_ = {one.id: one for one in table.families if one.columns and (one.gc is None or not by_family)}
        grown = [growth for growth in part.growth.families if growth.family in open_]
        piling = {growth.family for growth in grown if not growth.bounded}
        grown = [growth for growth in grown if growth.family not in piling]
        monthly = sum(growth.gib_per_month for growth in grown)
        families = tuple(family for name, family in open_.items() if name not in piling)
        if families and monthly >= LEAST_GIB:
            held, every = (sum(one.bytes_by_cause.total for one in some) for some in (grown, part.growth.families))
            cost = stored_cost(estimate, float(part.growth.physical_bytes[-1]) * held / max(every, 1.0))
            yield EndlessRows(table, families, monthly, cost)


def _is_stated(table: Table) -> bool:
    """Return True if it is said how long rows are kept, also by the table that a secondary index is of."""
    if table.tablestore is not None and table.tablestore.ttl_seconds is not None:
        return True
    if table.derived_from is not None and table.derived_from.is_secondary_index:
        return True
    return bool(table.keep_forever) or (table.rotation is not None and table.rotation.kept_tables is not None)


@dataclass(frozen=True)
class OpenPair:
    """Two fields of a key that are not related."""

    rows: RowKindFacts
    owner: Field
    member: Field
    rows_stored: float
    rows_per_owner: float


def open_pairs(spec: Spec, estimate: Estimate) -> Iterator[OpenPair]:
    """Yield a pair for each row kind with almost as many of them as events; none where something limits its rows."""
    for rows in row_kinds(spec, estimate):
        if (pair := _open_pair(rows)) is not None:
            yield pair


def _open_pair(rows: RowKindFacts) -> OpenPair | None:
    """Return the two fields of a row kind whose pairs are almost as many as events; None if its rows are limited."""
    spec, kind = rows.spec, rows.kind
    simple = (FieldSegment, HashSegment, LiteralSegment, SaltSegment)
    if rows.size is None or kind.known or names_each_event(spec, kind) or not _updates(rows):
        return None
    if not all(isinstance(segment, simple) for segment in kind.segments):
        return None
    shown = [spec.find(segment.field) for segment in kind.segments if isinstance(segment, FieldSegment)]
    roots = [field for field in dict.fromkeys(shown) if not _is_related(spec, field, shown)]
    if len(roots) < 2:
        return None
    values = {field.id: float(effective_value(spec, field, "distinct")) for field in roots}
    owner, member = (roots[i] for i in sorted(sorted(range(len(roots)), key=lambda i: -values[roots[i].id])[:2]))
    stored = rows.size.rows
    if stored < MANY_ROWS * max(values.values()) or stored > OPEN_SHARE * values[owner.id] * values[member.id]:
        return None
    return OpenPair(rows, owner, member, stored, stored / values[owner.id])


def _updates(rows: RowKindFacts) -> bool:
    """Return True if every write that makes rows updates those of the same pair."""
    writes = [write for write in rows.kind.creating_writes if write.activity and not write.deletes]
    return bool(writes) and all(write_mode(rows.spec, write) in ("overwrite", "new_cell") for write in writes)


def _is_related(spec: Spec, field: Field, shown: list[Field]) -> bool:
    """Return True if the values of a field belong to those of another one of the key, directly or not."""
    others = {other.id for other in shown if other.id != field.id}
    if field.unique_within is not None:
        return True
    at, passed = owner_id(spec, field.id), {field.id}
    while at is not None and at not in passed:
        if at in others:
            return True
        passed.add(at)
        at = owner_id(spec, at)
    return False
