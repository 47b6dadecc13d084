"""Replication traffic between clusters: every mutation goes once to each cluster of another region.

Compression of mutations on the way is not published: expected and high are their logical size, low is a third.
Within a region the price is assumed to be zero. Source: Bigtable replication and pricing (read 2026-11-20).
"""

from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import region_of, serving_share
from estimator.price_books.regions import network_sku
from estimator.results import BillLine
from estimator.results.arrays import Floats

ORDER = 40
WIRE_LOW = Decimal("0.333")
"""Guess: mutations compress to a third on the way, at best."""


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per receiving cluster and sending region."""
    demand = month.demand
    if len(demand.clusters) < 2:
        return
    sent = _sent_gib(month)
    for to, cluster in enumerate(demand.clusters):
        regions: dict[str, float] = {}
        for source, origin in enumerate(demand.clusters):
            if source != to and sent[source] > 0:
                # Each cluster receives what entered at every other one; clusters of one region make one line, as they
                # have one price.
                regions[region_of(origin)] = regions.get(region_of(origin), 0.0) + float(sent[source])
        for region, amount in regions.items():
            same = region == region_of(cluster)
            sku = "network.replication.same_region" if same else network_sku(region, region_of(cluster))
            gib = round_quantity(amount)
            yield price_charge(
                month,
                Charge(
                    item="replication",
                    label=N_("Replication from {from_region} to {cluster}"),
                    at=cluster.id,
                    # From the narrowest price to the widest: the first that is known counts.
                    skus=(
                        "bigtable.replication",
                        *((sku,) if sku else ()),
                        *(() if same else ("network.interregion",)),
                    ),
                    where=f"{region}>{region_of(cluster)}",
                    amount=gib,
                    unit="GiB",
                    formula=N_("{amount} GiB of mutations × {unit_price}"),
                    params={"from_region": region, "cluster": cluster.label},
                    low=gib * WIRE_LOW,
                ),
            )


def _sent_gib(month: BillMonth) -> Floats:
    """GiB of mutations that enter at each cluster in the month: (clusters,)."""
    demand = month.demand
    total = np.zeros(len(demand.clusters))
    bytes_per_second = demand.mutation_per_second[:, month.index]
    for place, table in enumerate(demand.tables):
        mine = [flow for flow in demand.writes if flow.table == table.id]
        weights = [float(flow.rates.mean[month.index]) * flow.mutation_bytes for flow in mine]
        if sum(weights) <= 0:
            # Without write rates by profile, mutations are taken to enter evenly.
            total += bytes_per_second[place] * serving_share(demand.clusters, None, None)
            continue
        for weight, flow in zip(weights, mine, strict=True):
            share = serving_share(demand.clusters, flow.profile, flow.write.where)
            total += bytes_per_second[place] * weight / sum(weights) * share
    return total * month.hours * SECONDS_PER_HOUR / GiB
