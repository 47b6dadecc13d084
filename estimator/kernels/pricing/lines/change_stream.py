"""Records of change streams: a day of them takes about 1.5 times what the day's writes take on disk, in each cluster.

Source: Bigtable, "Change streams" (updated 2026-04-10).
"""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.engines import GiB, bigtable
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import region_of
from estimator.results import BillLine

from .storage import storage_sku

ORDER = 30
FACTOR = bigtable.ASSUMPTIONS["change_stream_factor"]


def stream_gib(written_gib_per_day: float, kept_days: float, factor: float = FACTOR.value) -> float:
    """Return the size of a change stream in one cluster, in GiB.

    >>> stream_gib(100, 7)
    1050.0
    """
    return written_gib_per_day * kept_days * factor


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per table with a change stream and cluster."""
    for place, table in enumerate(month.demand.tables):
        days = table.change_stream_days
        if days is None:
            continue
        per_day = round_quantity(float(month.demand.changed_per_day[place, month.index]) / GiB)
        amount, low, high = (
            round_quantity(stream_gib(float(per_day), days, factor))
            for factor in (FACTOR.value, FACTOR.low, FACTOR.high)
        )
        for cluster in month.demand.clusters:
            yield price_charge(
                month,
                Charge(
                    item="change_stream",
                    label=N_("Change stream of “{table}” in {cluster}"),
                    at=table.id,
                    skus=(storage_sku(month),),
                    where=region_of(cluster),
                    amount=amount,
                    unit="GiB-month",
                    formula=N_("{per_day} GiB written a day × {stream_factor} × {kept_days} × {unit_price}"),
                    params={
                        "table": table.label,
                        "cluster": cluster.label,
                        "per_day": f"{per_day:,}",
                        "stream_factor": str(FACTOR.value),
                        "kept_days": days,
                    },
                    low=low,
                    high=high,
                ),
            )
