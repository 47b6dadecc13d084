"""Stored bytes by the hour, of all tables of the instance, by the published formula and uncompressed.

The pages do not say whether a billed GB is binary, as is expected here, or decimal: the high end is the decimal one.

Source: storage usage page (2026-05-01), billing overview (2026-01-09), read 2026-11-20.
"""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.engines.tablestore import DECIMAL_GB_BYTES
from estimator.kernels.capacity.amounts import Charge, format_decimal, price_charge
from estimator.results import BillLine

from ..month import UsageMonth


def storage_sku(month: UsageMonth) -> str:
    """Return the SKU of the instance's storage."""
    return f"tablestore.storage.{month.usage.kind}"


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One line for the instance."""
    yield price_charge(
        month,
        Charge(
            item="storage",
            label=N_("Storage in {region}"),
            at=month.instance_element_id,
            skus=(storage_sku(month),),
            where=month.usage.region,
            amount=month.gb_hours("stored"),
            unit="GB-hour",
            formula=N_("{stored} GiB × {month_hours}, {amount} GB-hours × {unit_price}"),
            params={
                "region": month.usage.region,
                "stored": format_decimal(month.stored_gb("stored")),
                "month_hours": month.hours,
            },
            low=month.gb_hours("stored_low"),
            high=month.gb_hours("stored_high", DECIMAL_GB_BYTES),
        ),
    )
