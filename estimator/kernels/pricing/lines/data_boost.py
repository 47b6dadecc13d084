"""Reads through Data Boost: serverless processing units, 1,000 of which do what a node does. No public price was found.

At least 60 SPU-seconds a request. Source: Bigtable, "Data Boost" (updated 2025-09-04).
"""

from collections.abc import Iterator, Sequence

from designer.document.instance import Cluster
from designer.document.texts import N_
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import ReadFlow, region_of
from estimator.results import BillLine

ORDER = 70
SPU_PER_NODE = 1_000
SPU_SECONDS_PER_REQUEST = 60


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per read that goes through a Data Boost profile."""
    for flow in month.demand.reads:
        if not flow.is_boosted:
            continue
        # Each request is charged the minimum: a point read of 0.1 ms pays for 60 SPU-seconds as well.
        spu_seconds = max(float(flow.course.mean_node_seconds[month.index]) * SPU_PER_NODE, SPU_SECONDS_PER_REQUEST)
        requests = float(month.mean(flow.per_second)) * month.hours * SECONDS_PER_HOUR
        yield price_charge(
            month,
            Charge(
                item="data_boost",
                label=N_("Read “{read}” through Data Boost"),
                at=flow.read.id,
                skus=("bigtable.data_boost.spu_second",),
                where=region_of(_boosted_cluster(month.demand.clusters, flow)),
                amount=round_quantity(requests * spu_seconds),
                unit="SPU-second",
                formula=N_("{requests} requests × {each} SPU-seconds × {unit_price}"),
                params={"read": flow.read.label, "requests": f"{requests:,.0f}", "each": f"{spu_seconds:,.3f}"},
            ),
        )


def _boosted_cluster(clusters: Sequence[Cluster], flow: ReadFlow) -> Cluster:
    """Return the cluster whose data a read goes to: the one that its profile names, else the first."""
    named = flow.profile.clusters if flow.profile is not None else ()
    return next((cluster for cluster in clusters if cluster.id in named), clusters[0])
