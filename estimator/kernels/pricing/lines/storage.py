"""Stored bytes: their mean over the month, in each cluster.

Source: Bigtable pricing (read 2026-11-20): physical bytes after compression, with garbage not yet compacted.
"""

from collections.abc import Iterator

from designer.document import effective_value
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import region_of
from estimator.results import BillLine

ORDER = 20


def storage_sku(month: BillMonth) -> str:
    """Return the SKU of the instance's storage."""
    return f"bigtable.storage.{effective_value(month.spec, month.spec.instance, 'storage')}"


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per cluster, of all tables; one more per table whose size is not known."""
    demand = month.demand
    amounts = [
        round_quantity(max(float((month.mean_stored(which) - month.mean_infrequent(which)).sum()) / GiB, 0.0))
        for which in ("stored", "stored_low", "stored_high")  # a tuple of literals
    ]
    for cluster in demand.clusters:
        yield price_charge(
            month,
            Charge(
                item="storage",
                label=N_("Storage in {cluster}"),
                at=cluster.id,
                skus=(storage_sku(month),),
                where=region_of(cluster),
                amount=amounts[0],
                unit="GiB-month",
                formula=N_("{amount} GiB × {unit_price}"),
                params={"cluster": cluster.label, "region": region_of(cluster)},
                low=amounts[1],
                high=amounts[2],
            ),
        )
