"""Stored bytes by the hour, of all tables of the instance, by the published formula and uncompressed.

The pages do not say whether a billed GB is binary, as is expected here, or decimal: the high end is the decimal one.

Source: storage usage page (2026-05-01), billing overview (2026-01-09), read 2026-11-20.
"""

from collections.abc import Iterator

import numpy as np

from designer.document.texts import N_
from estimator.engines.tablestore import DECIMAL_GB_BYTES, GB_BYTES
from estimator.kernels.capacity.amounts import Charge, figure, priced
from estimator.results import BillLine

from ..month import UseMonth


def storage_sku(month: UseMonth) -> str:
    """Return the SKU of the instance's storage."""
    return f"tablestore.storage.{month.use.kind}"


def lines(month: UseMonth) -> Iterator[BillLine]:
    """One line for the instance."""
    zero = np.zeros(month.use.months + 1)
    stored, low, high = (
        sum((getattr(table, name) for table in month.use.tables), zero)
        for name in ("stored", "stored_low", "stored_high")
    )
    yield priced(
        month,
        Charge(
            item="storage",
            label=N_("Storage in {region}"),
            at=month.at,
            skus=(storage_sku(month),),
            where=month.use.region,
            amount=month.gb_hours(stored),
            unit="GB-hour",
            formula=N_("{stored} GiB × {month_hours}, {amount} GB-hours × {unit_price}"),
            params={
                "region": month.use.region,
                "stored": figure(month.stored_gb(stored)),
                "month_hours": month.hours,
            },
            low=month.gb_hours(low),
            high=month.gb_hours(high * (GB_BYTES / DECIMAL_GB_BYTES)),
        ),
    )
