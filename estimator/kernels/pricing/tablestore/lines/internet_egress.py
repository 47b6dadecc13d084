"""Answers to readers on the internet, or in another region, which counts as the internet; the intranet is free.

Source: billing overview (2026-01-09), read 2026-11-20.
"""

from collections.abc import Iterator

from designer.document.access import Read
from designer.document.texts import N_
from estimator.engines.tablestore import GB_BYTES
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, Charge, price_charge, round_quantity
from estimator.results import BillLine

from ..month import UsageMonth

SKU = "tablestore.egress.internet"


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One line per read from outside."""
    if month.can_omit((SKU,), month.usage.region):
        return
    for table in month.usage.tables:
        for flow in table.flows:
            read = flow.access
            if not isinstance(read, Read) or not _is_outside_read(read, month.usage.region):
                continue
            each = flow.mean_bytes_returned(month.index)
            returned = month.mean(flow.per_second) * each * month.hours * SECONDS_PER_HOUR / GB_BYTES
            if (amount := round_quantity(returned)) > 0:
                yield price_charge(
                    month,
                    Charge(
                        item="internet_egress",
                        label=N_("Read “{read}”: to the internet or another region"),
                        at=read.id,
                        skus=(SKU,),
                        where=month.usage.region,
                        amount=amount,
                        unit="GB",
                        formula=N_("{amount} GB returned × {unit_price}"),
                        params={"read": read.label},
                    ),
                )


def _is_outside_read(read: Read, region: str) -> bool:
    where = read.where
    return where is not None and (where.internet is not None or where.known_region not in ("", region))
