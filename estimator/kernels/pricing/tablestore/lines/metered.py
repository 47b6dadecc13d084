"""Metered throughput: for every second what is used above what is reserved, per 10,000 units.

Source: throughput page and billing examples, read 2026-11-20.
"""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.engines.tablestore import METERED_CU
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, Charge, price_charge, round_quantity
from estimator.kernels.capacity.tablestore.units import SIDES
from estimator.results import BillLine

from ..month import UsageMonth

LABELS = {"read": N_("“{table}”: metered read units"), "write": N_("“{table}”: metered write units")}


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One line per table and side that uses more than it reserves."""
    for table in month.usage.tables:
        for side in SIDES:
            sku = (f"tablestore.{side}.metered.{month.usage.kind}",)
            if month.can_omit(sku, month.usage.region):
                continue
            expected, least = month.metered_units(table, side)
            amount = round_quantity(expected / METERED_CU)
            if amount <= 0:
                continue
            reserved = getattr(table.reserved_units, side)
            yield price_charge(
                month,
                Charge(
                    item=f"metered_{side}",
                    label=LABELS[side],
                    at=table.table.id,
                    skus=sku,
                    where=month.usage.region,
                    amount=amount,
                    unit="× 10,000 CU",
                    formula=N_("{above_cu_per_second} above {reserved_cu} reserved, {amount} × 10,000 × {unit_price}")
                    if reserved > 0
                    else N_("{used_cu_per_second} × {month_hours}, {amount} × 10,000 × {unit_price}"),
                    params={
                        "table": table.table.label,
                        "above_cu_per_second": expected / (month.hours * SECONDS_PER_HOUR),
                        "used_cu_per_second": expected / (month.hours * SECONDS_PER_HOUR),
                        "reserved_cu": reserved,
                        "month_hours": month.hours,
                    },
                    low=round_quantity(least / METERED_CU),
                ),
            )
