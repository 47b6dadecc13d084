"""The last month's total of changed designs, the inputs that move it without a new estimate, and limits."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines.tablestore import LIMITS
from estimator.kernels.capacity.tablestore.instance_usage import InstanceUsage, TableUsage, usage_of
from estimator.kernels.capacity.tablestore.units import SIDES
from estimator.price_books.prices import PriceBook
from estimator.results import TablePart

from ..limit_headroom import Limit
from ..sensitivities import Input
from .bills import bills_of


def last_total(
    spec: Spec, parts: Mapping[str, TablePart], book: PriceBook, *, with_enough: bool = False
) -> Decimal | None:
    """Return the total of the last month; None if there is no table. A table that needs more units is metered."""
    return _total(spec, usage_of(spec, parts).last(), book)


def _total(spec: Spec, last: InstanceUsage, book: PriceBook) -> Decimal | None:
    bills = bills_of(spec, last, book, months=(last.months - 1,), totals_only=True) if last.months else ()
    return bills[-1].total if bills else None


def bands(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> Iterator[Input]:
    """Yield the uncertain inputs whose band is part of the estimate, with the last month's total at either end."""
    last = usage_of(spec, parts).last()

    def total(change: Callable[[TableUsage], TableUsage]) -> Decimal | None:
        return _total(spec, dataclasses.replace(last, tables=tuple(map(change, last.tables))), book)

    yield Input(
        "uncollected", "", N_("Expired versions: deleted immediately, or after one day"), {},
        total(lambda table: dataclasses.replace(table, stored=table.stored_low)),
        total(lambda table: dataclasses.replace(table, stored=table.stored_high)),
    )  # fmt: skip
    yield Input(
        "seconds",
        "",
        N_("Seconds of an hour: equal, or varying at random"),
        {},
        total(_with_even_load),
        total(lambda t: t),
    )


def _with_even_load(table: TableUsage) -> TableUsage:
    flows = tuple(dataclasses.replace(flow, is_steady=True) for flow in table.flows)
    return dataclasses.replace(table, units=dataclasses.replace(table.units, flows=flows))


def limits(spec: Spec, parts: Mapping[str, TablePart]) -> Iterator[Limit]:
    """Yield the limits of one partition-key value and of what a table can reserve."""
    yield from entity_limits(spec, parts)
    cap = LIMITS["reserved_cu"].value
    for table in usage_of(spec, parts).tables:
        for side in SIDES:
            if getattr(table.reserved_units, side) > 0:
                yield Limit(
                    table.table.id,
                    N_("“{table}” needs more than {limit_cu}, the maximum that a table can reserve"),
                    float(table.side(side).peak_units[-1]),
                    float(cap),
                    {"table": table.table.label, "limit_cu": cap},
                )


def entity_limits(spec: Spec, parts: Mapping[str, TablePart], factor: float = 1.0) -> Iterator[Limit]:
    """Yield the limits of the busiest partition-key value of each table, taken `factor` times as large."""
    for table in spec.tables:
        traffic, name = parts[table.id].traffic if table.id in parts else None, {"table": table.label}
        if traffic is None:
            continue
        share = max((row.node_share for row in traffic.hot_rows), default=0.0)
        whole = traffic.partition.node_share if traffic.partition else traffic.indivisible_node_share
        most = LIMITS["partition_key_cu"].value
        yield Limit(
            table.id, N_("one partition-key value of “{table}” exceeds {limit_cu_per_second}"),
            factor * max(share, whole), 1.0, {**name, "limit_cu_per_second": most},
        )  # fmt: skip
        limit = LIMITS["partition_key_bytes_recommended"].value
        yield Limit(
            table.id, N_("one partition-key value of “{table}” exceeds the recommended {limit_bytes}"),
            factor * (traffic.partition.largest_bytes if traffic.partition else 0.0), float(limit),
            {**name, "limit_bytes": limit},
        )  # fmt: skip
