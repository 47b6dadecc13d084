"""Answers to readers in another zone or region: returned bytes, with key, family, qualifier and timestamp per cell.

A reader that says nothing about where it is stands beside the cluster, which costs nothing.
Source: Bigtable pricing, network (read 2026-11-20); rates per route as the price book says.
"""

from collections.abc import Iterator

import numpy as np

from designer.document.instance import Cluster
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import ReadFlow, region_of
from estimator.price_books.regions import network_sku
from estimator.results import BillLine

ORDER = 50


def returned_gib(month: BillMonth, flow: ReadFlow) -> float:
    """Return the GiB that a read returns in the month."""
    bytes_of_read = float(flow.course.mean_bytes_returned[month.index])
    return float(month.mean(flow.per_second)) * bytes_of_read * month.hours * SECONDS_PER_HOUR / GiB


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per read that crosses a zone or a region, and cluster that serves it."""
    for flow in month.demand.reads:
        where = flow.read.where
        if where is None or where.internet is not None or not (where.region or where.zone):
            continue
        region = where.known_region
        shares = flow.served_share(month.demand.clusters)
        for share, cluster in zip(shares, month.demand.clusters, strict=True):
            if share > 0 and not _is_local(cluster, region, where.zone):
                to = region or region_of(cluster)
                sku = network_sku(region_of(cluster), to)
                yield price_charge(
                    month,
                    Charge(
                        item="egress",
                        label=N_("Read “{read}”: from {cluster} to {to_region}"),
                        at=flow.read.id,
                        # From the narrowest price to the widest: the first that is known counts.
                        skus=(sku or "network.interregion.unknown", "network.interregion"),
                        where=f"{region_of(cluster)}>{to}",
                        amount=round_quantity(returned_gib(month, flow) * float(np.float64(share))),
                        unit="GiB",
                        formula=N_("{amount} GiB returned × {unit_price}"),
                        params={
                            "read": flow.read.label,
                            "cluster": cluster.label,
                            "to_region": to,
                        },
                    ),
                )


def _is_local(cluster: Cluster, region: str, zone: str | None) -> bool:
    """Return whether both are in the same zone, or in the same region where no two zones are said to differ."""
    if region and region != region_of(cluster):
        return False
    return not zone or not cluster.zone or zone == cluster.zone
