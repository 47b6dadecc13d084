"""Rows that nothing limits because the design leaves it open: no retention is set, or any pair of values can meet."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec, effective_value, owner_id, write_mode
from designer.document.engines import description_of
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.key import FieldSegment, HashSegment, LiteralSegment, SaltSegment
from designer.document.money import Money
from designer.document.new_ids import names_each_event
from designer.document.table import Table
from estimator.kernels.growth.cells import columns_of
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
        open_ = {
            family.id: family for family in table.families if family.columns and (family.gc is None or not by_family)
        }
        grown = [growth for growth in part.growth.families if growth.family in open_]
        piling = {growth.family for growth in grown if not growth.bounded}
        grown = [growth for growth in grown if growth.family not in piling]
        monthly = sum(growth.gib_per_month for growth in grown)
        families = tuple(family for name, family in open_.items() if name not in piling)
        if families and monthly >= LEAST_GIB:
            open_bytes, every = (
                sum(growth.bytes_by_cause.total for growth in some) for some in (grown, part.growth.families)
            )
            cost = stored_cost(estimate, float(part.growth.physical_bytes[-1]) * open_bytes / max(every, 1.0))
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
    """Two fields of a key, or of a key and its qualifiers, that are not related."""

    rows: RowKindFacts
    owner: Field
    member: Field
    stored: float
    """Rows of pairs, or columns in all rows."""
    per_owner: float
    column: Column | None = None
    """Whose qualifiers show the member; None: the key shows both."""

    @property
    def has_members_of_owner(self) -> bool:
        """True if no read knows the member alone, so that a field of the owner's own members can take its place."""
        field_sets = ({bind.field for bind in read.binds} for read in self.rows.kind.reads)
        return not any(self.member.id in fields and self.owner.id not in fields for fields in field_sets)


def open_pairs(spec: Spec, estimate: Estimate) -> Iterator[OpenPair]:
    """Yield the pairs of which there are almost as many as events, in keys and in qualifiers; none that are limited."""
    for rows in row_kinds(spec, estimate):
        if (pair := _open_pair(rows)) is not None:
            yield pair
        yield from _pairs_in_qualifiers(rows)


def _pairs_in_qualifiers(rows: RowKindFacts) -> Iterator[OpenPair]:
    """Yield the key's field and the qualifiers' where each value of the one is a row and nothing limits its columns."""
    spec, kind = rows.spec, rows.kind
    if (
        rows.size is None
        or kind.known
        or not _updates(rows)
        or not all(isinstance(s, ENTITY_SEGMENTS) for s in kind.segments)
    ):
        return
    keyed = dict.fromkeys(segment.field for segment in kind.segments if isinstance(segment, FieldSegment))
    if len(keyed) != 1:
        return
    owner: Field = spec.find(next(iter(keyed)))
    stored = {size.column: size.cells_stored - size.cells_superseded for size in rows.size.columns}
    for _, column in columns_of(rows.table, kind):
        fields = [segment.field for segment in column.qualifier_from if isinstance(segment, FieldSegment)]
        others = any(not isinstance(segment, FieldSegment | LiteralSegment) for segment in column.qualifier_from)
        if others or len(fields) != 1 or fields[0] == owner.id or column.id not in stored:
            continue
        member: Field = spec.find(fields[0])
        if _is_related(spec, member, [owner, member]) or _is_related(spec, owner, [owner, member]):
            continue
        cells = rows.size.rows * stored[column.id]
        if _is_open(spec, owner, member, cells):
            yield OpenPair(rows, owner, member, cells, stored[column.id], column)


def _is_open(spec: Spec, owner: Field, member: Field, stored: float) -> bool:
    """Return whether so many pairs of two fields are far more than values, and far fewer than could be."""
    values = [float(effective_value(spec, field, "distinct")) for field in (owner, member)]
    return MANY_ROWS * max(values) <= stored <= OPEN_SHARE * values[0] * values[1]


ENTITY_SEGMENTS = (FieldSegment, HashSegment, LiteralSegment, SaltSegment)
"""Segments of fields, salts and texts: none depends on when an event comes."""


def _open_pair(rows: RowKindFacts) -> OpenPair | None:
    """Return the two fields of a row kind whose pairs are almost as many as events; None if its rows are limited."""
    spec, kind = rows.spec, rows.kind
    if rows.size is None or kind.known or names_each_event(spec, kind) or not _updates(rows):
        return None
    if not all(isinstance(segment, ENTITY_SEGMENTS) for segment in kind.segments):
        return None
    key_fields = [spec.find(segment.field) for segment in kind.segments if isinstance(segment, FieldSegment)]
    roots = [field for field in dict.fromkeys(key_fields) if not _is_related(spec, field, key_fields)]
    if len(roots) < 2:
        return None
    values = {field.id: float(effective_value(spec, field, "distinct")) for field in roots}
    # The two of most values, in the order of the key.
    owner, member = (roots[i] for i in sorted(sorted(range(len(roots)), key=lambda i: -values[roots[i].id])[:2]))
    stored = rows.size.rows
    if not _is_open(spec, owner, member, stored):
        return None
    return OpenPair(rows, owner, member, stored, stored / values[owner.id])


def _updates(rows: RowKindFacts) -> bool:
    """Return True if every write that makes rows updates those of the same pair."""
    writes = [write for write in rows.kind.creating_writes if write.activity and not write.deletes]
    return bool(writes) and all(write_mode(rows.spec, write) in ("overwrite", "new_cell") for write in writes)


def _is_related(spec: Spec, field: Field, key_fields: list[Field]) -> bool:
    """Return True if the values of a field belong to those of another one of the key, directly or not."""
    others = {other.id for other in key_fields if other.id != field.id}
    if field.unique_within is not None:
        return True
    at, visited = owner_id(spec, field.id), {field.id}
    while at is not None and at not in visited:
        if at in others:
            return True
        visited.add(at)
        at = owner_id(spec, at)
    return False
