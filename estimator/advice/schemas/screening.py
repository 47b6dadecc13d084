"""Cheap figures of one candidate table: its writes, its size, and what each question would take on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from designer.document import Spec
from designer.document.money import Currency
from designer.document.table import Table
from estimator.estimates.context import Context
from estimator.estimates.estimate import instance_estimate, table_estimate
from estimator.facts.clusters import targets
from estimator.facts.scans import SHORT_ROWS, is_wasteful
from estimator.facts.servers import server_of
from estimator.kernels.population.timeline import mean_billed_hours
from estimator.kernels.traffic import plan_reads
from estimator.results import Bill, ReadPlan
from estimator.results.grain import COARSE

from .results import ServedBy
from .schema_designs import DesignParts, TablePlan, build_table
from .table_keys import TableKey, record_identity

UNSAID_SECONDS = 1.0
"""What a read may take that somebody waits for (our assumption)."""


@dataclass(frozen=True)
class UnitPrices:
    """Money of a node, fully used to its target, and of a GiB stored for a month; None: no price is known."""

    node_month: Decimal
    gib_month: Decimal
    currency: Currency


@dataclass(frozen=True)
class ScreenedTable:
    """One candidate table."""

    key: TableKey
    write_nodes: float
    """Node time of its writes; 1 is one busy node."""
    gib: float
    burden: float
    """Busiest place of its writes that cannot be split ÷ what is advised: from 1 on it warns."""
    plans: tuple[ReadPlan, ...]
    """Of every question of its record, as if all were asked of it."""


def screen_table(parts: DesignParts, key: TableKey, patterns: Sequence[int], context: Context) -> ScreenedTable | None:
    """Return the figures of a table, on few ids and ranges; None if nothing can be computed of it."""
    # Writes and bytes are measured without reads, as they are paid for whichever questions the table serves.
    silent = build_table(parts, TablePlan(key, ()), name="t", table_id="t")
    part = table_estimate(_with_table(parts, silent, key), silent, grain=COARSE, cache=context.cache)
    if part.growth is None or part.traffic is None:
        return None
    table = build_table(parts, TablePlan(key, tuple(patterns)), name="t", table_id="t")
    plans = plan_reads(_with_table(parts, table, key), table, part.keys, part.sizes)
    traffic, nodes = part.traffic, float(part.traffic.week_node_share.mean())
    all_per_second = sum(write.rows_per_second for write in traffic.writes)
    # Rows a second in the busiest place, by its share of the node time: all rows of one table cost alike.
    per_second = all_per_second * min(traffic.indivisible_node_share / nodes, 1.0) if nodes > 0 else 0.0
    per_second = max(per_second, traffic.partition.per_second if traffic.partition else 0.0)
    return ScreenedTable(
        key,
        write_nodes=nodes,
        gib=float(part.growth.physical_bytes[-1]) / 2**30,
        burden=server_of(parts.base).burden(per_second, traffic.indivisible_node_share),
        plans=plans,
    )


def _with_table(parts: DesignParts, table: Table, key: TableKey) -> Spec:
    """Return the design with a table, and the other records as they are told apart: fields are guessed from all."""
    others = (record for record in parts.application.records if record.name != key.record)
    plain = (TablePlan(TableKey(record.name, record_identity(record)), ()) for record in others)
    tables = (build_table(parts, plan, name=f"t{n}", table_id=f"t{n}") for n, plan in enumerate(plain))
    return parts.base.model_copy(update={"tables": (table, *tables)})


def unit_prices(parts: DesignParts, key: TableKey, context: Context) -> UnitPrices | None:
    """Return the prices of a node and of storage, from the bill of a design with one table; None without a bill."""
    table = build_table(parts, TablePlan(key, ()), name="t", table_id="t")
    spec = parts.base.model_copy(update={"tables": (table,)})
    part = table_estimate(spec, table, grain=COARSE, cache=context.cache)
    bill = instance_estimate(spec, {table.id: part}, context.price_books).bill
    if bill is None:
        return None
    node, storage = _unit_price(bill, "node"), bill.stored_gib_price
    if node is None or storage is None:
        return None
    hours = Decimal(repr(mean_billed_hours(spec)))
    # A busy node costs more than a node: at a CPU target of 60 % one busy node needs 1.67 nodes.
    return UnitPrices(node * hours / Decimal(repr(targets(spec).cpu_share)), storage, bill.currency)


def _unit_price(bill: Bill, item: str) -> Decimal | None:
    prices = [line.unit_price for line in bill.lines if line.item == item and line.unit_price is not None]
    return sum(prices, Decimal(0)) if prices else None


def service_of(plan: ReadPlan) -> ServedBy:
    """Return how a read is served: a scan reads what it does not return, and a short range is at most 10,000 rows."""
    if plan.refused is not None:
        return "refused"
    if plan.access == "scan" or is_wasteful(plan):
        return "scan"
    if plan.access in ("point", "multi_point"):
        return "point"
    return "short_range" if plan.rows_scanned <= SHORT_ROWS else "range"


def is_in_time(plan: ReadPlan, within_seconds: float | None) -> bool:
    """Return whether a read takes no longer than its sentence allows.

    Where the sentence says nothing, the read must be no scan, and take a second of node time at most.
    """
    way = service_of(plan)
    if way == "refused" or not math.isfinite(plan.node_seconds):
        return False
    if within_seconds is None:
        return way != "scan" and plan.node_seconds <= UNSAID_SECONDS
    return plan.node_seconds <= within_seconds
