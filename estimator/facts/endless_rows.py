"""Tables whose rows are kept for ever only because nobody has said how long: what they cost by then."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.family import Family
from designer.document.money import Money
from designer.document.table import Table
from estimator.facts.billing import stored_cost
from estimator.results import Estimate

LEAST_GIB = 1.0
"""A month's growth below that costs cents: whether it is kept is not asked."""


@dataclass(frozen=True)
class EndlessRows:
    """A table to which each event adds rows that neither a family's rule nor a time to live removes."""

    table: Table
    families: tuple[Family, ...]
    gib_per_month: float
    cost: Money | None
    """Of what these families hold at the end of the horizon, a month; None while nothing is priced."""


def endless_rows(spec: Spec, estimate: Estimate) -> Iterator[EndlessRows]:
    """Yield the tables whose retention nobody has stated, and which grow enough for it to matter."""
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
