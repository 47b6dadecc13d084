"""Answers to readers on the internet: premium tier, by destination, cheaper from 1,024 and 10,240 GB of the month on.

The volume of all reads that one price holds for counts together. Source: as the price book says (read 2026-11-20).
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_by_tier, round_quantity
from estimator.kernels.capacity.demand import ReadFlow, region_of, serving_share
from estimator.results import BillLine

from .read_egress import returned_gib

ORDER = 55
SKU = "network.internet.premium"


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per read, region that answers it, and tier. What one price holds for counts together."""
    used: dict[str, Decimal] = {}
    for flow in month.demand.reads:
        to = flow.read.where.internet if flow.read.where else None
        if to is None:
            continue
        regions = _answered_share_by_region(month, flow)
        for region, share in regions.items():
            tiers = month.prices.tiers((SKU,), f"{region}>{to}")
            # Tiers count what one price covers: all European destinations of a region together, if the book has one
            # price for them.
            tier_place = tiers[0].where if tiers else to
            before = used.get(tier_place, Decimal(0))
            charge = Charge(
                item="internet_egress",
                label=N_("Read “{read}”: to the internet, {destination}")
                if len(regions) == 1
                else N_("Read “{read}”: from {from_region} to the internet, {destination}"),
                at=flow.read.id,
                skus=(SKU,),
                where=f"{region}>{to}",
                amount=round_quantity(returned_gib(month, flow) * share),
                unit="GiB",
                formula=N_("{amount} GiB returned × {unit_price}"),
                params={"read": flow.read.label, "from_region": region, "destination": to},
            )
            if charge.amount > 0:
                yield from price_by_tier(month, charge, before)
            used[tier_place] = before + charge.amount


def _answered_share_by_region(month: BillMonth, flow: ReadFlow) -> dict[str, float]:
    """Share of a read that each region's clusters answer."""
    clusters = month.demand.clusters
    shares: dict[str, float] = {}
    # A reader on the internet is near no cluster.
    for share, cluster in zip(serving_share(clusters, flow.profile, None), clusters, strict=True):
        if share > 0:
            shares[region_of(cluster)] = shares.get(region_of(cluster), 0.0) + float(share)
    return shares
