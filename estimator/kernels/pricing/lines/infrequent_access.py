"""Cells that moved to infrequent access: their own storage price, for which no public figure was found.

What has expired there stays until it is collected, and is billed there. The move itself is taken to be free: one page
says so, another names a compaction charge without a figure. Source: Bigtable, "Tiered storage" (read 2026-11-20).
"""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import region_of
from estimator.results import BillLine

ORDER = 25
SKU = "bigtable.storage.infrequent_access"


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per table with an infrequent-access age and cluster."""
    for place, table in enumerate(month.demand.tables):
        if table.infrequent_access_days is None:
            continue
        amount, low, high = (
            round_quantity(float(month.mean_infrequent(which)[place]) / GiB)
            for which in ("stored", "stored_low", "stored_high")  # a tuple of literals
        )
        for cluster in month.demand.clusters:
            yield price_charge(
                month,
                Charge(
                    item="infrequent_access",
                    label=N_("Infrequent access of “{table}” in {cluster}"),
                    at=table.id,
                    skus=(SKU,),
                    where=region_of(cluster),
                    amount=amount,
                    unit="GiB-month",
                    formula=N_(
                        "{amount} GiB older than {age_days} at the last compaction (assumed half a week ago) × "
                        "{unit_price}"
                    ),
                    params={
                        "table": table.label,
                        "cluster": cluster.label,
                        "age_days": table.infrequent_access_days,
                    },
                    low=low,
                    high=high,
                ),
            )
