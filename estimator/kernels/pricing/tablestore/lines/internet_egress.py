"""Answers to readers on the internet, or in another region, which counts as the internet; the intranet is free.

Source: billing overview (2026-01-09), read 2026-11-20.
"""

from collections.abc import Iterator

from designer.document.access import Read
from designer.document.texts import N_
from estimator.engines.tablestore import GB_BYTES
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, Charge, priced, quantity
from estimator.results import BillLine

from ..month import UseMonth

SKU = "tablestore.egress.internet"


def lines(month: UseMonth) -> Iterator[BillLine]:
    """One line per read from outside."""
    if month.unasked((SKU,), month.use.region):
        return
    for table in month.use.tables:
        for flow in table.flows:
            read = flow.access
            if not isinstance(read, Read) or not _outside(read, month.use.region):
                continue
            returned = month.mean(flow.per_second) * flow.bytes_returned * month.hours * SECONDS_PER_HOUR / GB_BYTES
            if (amount := quantity(returned)) > 0:
                yield priced(
                    month,
                    Charge(
                        item="internet_egress",
                        label=N_("Read “{read}”: to the internet or another region"),
                        at=read.id,
                        skus=(SKU,),
                        where=month.use.region,
                        amount=amount,
                        unit="GB",
                        formula=N_("{amount} GB returned × {unit_price}"),
                        params={"read": read.label},
                    ),
                )


def _outside(read: Read, region: str) -> bool:
    where = read.where
    return where is not None and (where.internet is not None or where.region not in (None, "", region))
