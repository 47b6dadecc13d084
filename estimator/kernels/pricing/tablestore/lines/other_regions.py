"""Regions beyond the first: what copies there cost has no public price, and is nothing that an estimate may guess.

A copy (of a global table) is billed for what it stores and for the traffic to it, not for write units. Every other
line is the first region's.

Source: billing overview (2026-01-09), read 2026-11-20.
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.document.texts import N_
from estimator.engines.tablestore import further_regions
from estimator.kernels.capacity.amounts import Charge, price_charge
from estimator.results import BillLine

from ..month import UsageMonth

SKU = "tablestore.other_region"


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One line per further region; it is open until somebody enters what a month there costs."""
    for region, at in further_regions(month.spec).items():
        if month.can_omit((SKU,), region):
            continue
        yield price_charge(
            month,
            Charge(
                item="other_region",
                label=N_("Copies in {region}: storage and traffic to them"),
                at=at,
                skus=(SKU,),
                where=region,
                amount=Decimal(1),
                unit="month",
                formula=N_("{unit_price}, the monthly cost entered for this region"),
                params={"region": region},
            ),
        )
