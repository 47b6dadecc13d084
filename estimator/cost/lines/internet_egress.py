"""Answers to readers on the internet: premium tier, by destination, cheaper from 1,024 and 10,240 GB of the month on.

The volume of all reads to one destination counts together. Source: as the price book says (read 2026-11-20).
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.spec.texts import N_

from ...results import BillLine
from ..money import Charge, Month, priced_by_tier, quantity
from .read_egress import returned_gib

ORDER = 55
SKU = "network.internet.premium"


def lines(month: Month) -> Iterator[BillLine]:
    """One line per read and tier."""
    used: dict[str, Decimal] = {}
    for flow in month.demand.reads:
        where = flow.read.where
        if where is None or where.internet is None:
            continue
        before = used.get(where.internet, Decimal(0))
        charge = Charge(
            item="internet_egress",
            label=N_("Read “{read}”: to the internet, {destination}"),
            at=flow.read.id,
            skus=(SKU,),
            where=where.internet,
            amount=quantity(returned_gib(month, flow)),
            unit="GiB",
            formula=N_("{amount} GiB returned × {unit_price}"),
            params={"read": flow.read.name or flow.read.id, "destination": where.internet},
        )
        if charge.amount > 0:
            yield from priced_by_tier(month, charge, before)
        used[where.internet] = before + charge.amount
