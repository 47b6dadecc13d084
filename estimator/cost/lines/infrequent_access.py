"""Cells that moved to infrequent access: their own storage price, for which no public figure was found.

Source: Bigtable, "Tiered storage" (read 2026-11-20).
"""

from collections.abc import Iterator

from designer.spec.texts import N_

from ...engines import GiB
from ...results import BillLine
from ..demand import called, region_of
from ..money import Charge, Month, priced, quantity

ORDER = 25
SKU = "bigtable.storage.infrequent_access"


def lines(month: Month) -> Iterator[BillLine]:
    """One line per table with an infrequent-access age and cluster."""
    for place, table in enumerate(month.demand.tables):
        if table.infrequent_access_days is None:
            continue
        amount = quantity(float(month.mean(month.demand.infrequent[place])) / GiB)
        for cluster in month.demand.clusters:
            yield priced(
                month,
                Charge(
                    item="infrequent_access",
                    label=N_("Infrequent access of “{table}” in {cluster}"),
                    at=table.id,
                    skus=(SKU,),
                    where=region_of(cluster),
                    amount=amount,
                    unit="GiB-month",
                    formula=N_("{amount} GiB older than {age_days} × {unit_price}"),
                    params={
                        "table": table.name or table.id,
                        "cluster": called(cluster),
                        "age_days": table.infrequent_access_days,
                    },
                ),
            )
