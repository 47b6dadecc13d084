"""Share of each table in a bill: nodes by node time, storage by stored bytes, replication by mutations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from designer.document import Element, Spec
from designer.document.base import walk
from estimator.results import Estimate, TablePart

CENT = Decimal("0.01")


@dataclass(frozen=True)
class TableCosts:
    """Attribution of one month's bill to tables."""

    by_table: Mapping[str, Decimal | None]
    """By the table's id; None where a part of its share is unknown."""
    with_open_lines: frozenset[str]
    """Ids of tables whose share lacks a line without a price: it is at least what `by_table` says."""
    unattributed: Decimal
    """Sum of the lines that no table causes alone, such as a commitment."""


def table_costs(spec: Spec, estimate: Estimate) -> TableCosts | None:
    """Return the share of each table in the last month's bill; None without a bill.

    A node line is split by the mean node time of the tables in a week, a storage line by their physical bytes, a
    replication line by their mutations. A line of a table, or of anything in it, is that table's.
    """
    bill = estimate.bill
    if bill is None:
        return None
    owners = {part.id: table.id for table in spec.tables for part in walk(table) if isinstance(part, Element)}
    costs: dict[str, Decimal | None] = dict.fromkeys((table.id for table in spec.tables), Decimal(0))
    unattributed, open_tables = Decimal(0), set[str]()
    for line in bill.lines:
        shares = {owners[line.at]: 1.0} if line.at in owners else _shares(estimate, line.item)
        if line.cost is None:
            open_tables.update(shares or ())
            continue
        if shares is None:
            unattributed += line.cost
            continue
        for table, share in shares.items():
            before = costs.get(table)
            is_known = before is not None and share is not None
            # Shares are not rounded line by line, so that a table's sum is off by half a cent at most.
            costs[table] = before + line.cost * Decimal(repr(share)) if is_known else None  # type: ignore[operator]
    rounded = {table: cost if cost is None else cost.quantize(CENT) for table, cost in costs.items()}
    return TableCosts(rounded, frozenset(open_tables), unattributed)


def _shares(estimate: Estimate, item: str) -> Mapping[str, float | None] | None:
    """Return the share of each table in a line of all tables, None where unknown; None if the line is of none."""
    measure = _MEASURES.get(item)
    if measure is None:
        return None
    amounts = {table: measure(part) for table, part in estimate.tables.items()}
    # With one unknown amount the total is unknown, and so is every table's share.
    if any(amount is None for amount in amounts.values()):
        return dict.fromkeys(amounts)
    total = sum(amount for amount in amounts.values() if amount is not None)
    return {table: (amount or 0.0) / total for table, amount in amounts.items()} if total > 0 else None


def _node_time(part: TablePart) -> float | None:
    if part.traffic is None:
        return None
    # The week of a table has loads that have ended as on their last days.
    accesses = part.traffic.accesses
    return sum(hours.last_mean for hours in accesses) if accesses else float(part.traffic.week_node_share.mean())


def _stored_bytes(part: TablePart) -> float | None:
    growth = part.growth
    return (
        float(growth.physical_bytes[-2:].mean() * growth.mean_ratio[-1] + growth.passing_bytes[-1]) if growth else None
    )


def _mutations(part: TablePart) -> float | None:
    return float(part.growth.mutation_bytes_per_second) if part.growth else None


_MEASURES: Mapping[str, Callable[[TablePart], float | None]] = {
    "node": _node_time, "in_memory": _node_time, "storage": _stored_bytes, "replication": _mutations,
}  # fmt: skip
"""By the item of a line, what its amount follows."""
