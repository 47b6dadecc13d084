"""Effect of an assumed skew on the bill: tables estimated again, coarsely, with none and steeper skew."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from designer.document import Spec
from designer.document.guesses import steep_popularity
from designer.document.popularity import Popularity, Uniform, Zipf
from designer.document.table import Table
from designer.document.texts import N_, TextList
from estimator.facts.default_skew import assumed_skew_fields
from estimator.results import Bill, Estimate, Sensitivity
from estimator.results.grain import COARSE

from .context import Context
from .estimate import instance_estimate, table_estimate, table_part
from .table_inputs import table_inputs

EVEN = Uniform()

TABLES = 4
"""So many of the largest tables that the guess reaches are estimated again: each takes some tens of milliseconds."""

BILLED = replace(COARSE, has_single_rows=False)
"""What a bill alone is made of."""

SKEW = N_("Assumed access distribution over {fields}: even to Zipf {theta}")
SKEW_OF_LARGEST = N_(
    "Assumed access distribution over {fields}: even to Zipf {theta}, in the {tables} largest affected tables"
)


def skew(spec: Spec, estimate: Estimate, context: Context) -> tuple[Sensitivity, ...]:
    """Return the effect of an assumed skew on the last month's total; nothing where none is assumed, or has none."""
    fields = assumed_skew_fields(spec)
    if not fields or estimate.bill is None:
        return ()
    ids = {field.id for field in fields}
    steep = _with_laws(spec, {field.id: steep_popularity(spec, field) for field in fields})
    # Tables whose inputs stay equal keep their part, which need not be computed.
    reached = [table for table in spec.tables if table_inputs(spec, table) != table_inputs(steep, table)]
    largest = sorted(reached, key=lambda table: -_size(estimate, table))[:TABLES]
    spreads = (_with_laws(spec, dict.fromkeys(ids, EVEN)), steep)
    bills = (estimate.bill, *(_bill(spec, spread, largest, context) for spread in spreads))
    totals = [bill.total for bill in bills if bill is not None]
    if len(totals) < len(bills) or min(totals) == max(totals):
        return ()
    label = SKEW if len(largest) == len(reached) else SKEW_OF_LARGEST
    params = {
        "fields": TextList(field.label for field in fields),
        "theta": _steepest(steep, ids),
        "tables": len(largest),
    }
    return (Sensitivity("skew", fields[0].id, label, params, min(totals), max(totals)),)


def _with_laws(spec: Spec, laws: Mapping[str, Popularity]) -> Spec:
    fields = tuple(
        field.model_copy(update={"popularity": laws[field.id]})
        if field.id in laws and not field.has_known_skew
        else field
        for field in spec.fields
    )
    return spec.model_copy(update={"fields": fields})


def _steepest(spec: Spec, ids: Collection[str]) -> float:
    """Return the largest theta of these fields' laws, as people write it."""
    laws = (spec.find(id_).popularity for id_ in ids)
    return round(max((law.theta for law in laws if isinstance(law, Zipf)), default=0.0), 2)


def _bill(spec: Spec, spread: Spec, again: Collection[Table], context: Context) -> Bill | None:
    """Return the last month's bill with these tables estimated again with another skew."""
    parts = {table.id: table_part(spec, table, context) for table in spec.tables}
    for table in again:
        growth = parts[table.id].growth
        measured = growth.measured if growth else None
        parts[table.id] = table_estimate(spread, table, measured, grain=BILLED, cache=context.cache)
    return instance_estimate(spread, parts, context.price_books, placed=False).bill


def _size(estimate: Estimate, table: Table) -> float:
    """Node time and bytes of a table, each as a share of all."""
    parts = estimate.tables
    loads = {id: p.traffic.node_share_by_month[-1] if p.traffic else 0.0 for id, p in parts.items()}  # noqa: A001
    stored = {id: p.growth.physical_bytes[-1] if p.growth else 0.0 for id, p in parts.items()}  # noqa: A001
    return float(
        loads[table.id] / max(sum(loads.values()), 1e-300) + stored[table.id] / max(sum(stored.values()), 1e-300)
    )
