"""Reserved throughput: averaged over each hour's minutes, billed whether it is used or not.

Source: reserved throughput page (2026-07-01), read 2026-11-20. Only high-performance instances have it.
"""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.kernels.capacity.amounts import Charge, price_charge, round_quantity
from estimator.kernels.capacity.tablestore.units import SIDES
from estimator.results import BillLine

from ..month import UsageMonth

LABELS = {
    "read": N_("“{table}”: reserved read throughput"),
    "write": N_("“{table}”: reserved write throughput"),
}


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One line per table and side that reserves anything."""
    for table in month.usage.tables:
        for side in SIDES:
            units = getattr(table.reserved_units, side)
            sku = (f"tablestore.{side}.reserved.{month.usage.kind}",)
            if units <= 0 or month.can_omit(sku, month.usage.region):
                continue
            yield price_charge(
                month,
                Charge(
                    item=f"reserved_{side}",
                    label=LABELS[side],
                    at=table.table.id,
                    skus=sku,
                    where=month.usage.region,
                    amount=round_quantity(units * month.hours),
                    unit="CU-hour",
                    formula=N_("{reserved_cu} × {month_hours} × {unit_price}"),
                    params={
                        "table": table.table.label,
                        "reserved_cu": units,
                        "month_hours": month.hours,
                    },
                ),
            )
