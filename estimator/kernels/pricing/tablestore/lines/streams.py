"""Streams of changes: what reads them takes read units; what their records cost to be kept, no page says.

A reader takes the bytes of all rows of a request ÷ 4 KB, rounded up: full requests are expected here, a request for
each row is the high end. Whether a reservation of the table covers it is not said: with one, the low end is nothing.

Source: GetStreamRecord (2024-08-23), billing overview (2026-01-09), read 2026-11-27.
"""

import math
from collections.abc import Iterator
from decimal import Decimal

from designer.document import effective_value
from designer.document.access import Write
from designer.document.table import Tablestore
from designer.document.texts import N_
from estimator.engines.tablestore import CU_BYTES, GB_BYTES, METERED_CU
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, Charge, format_decimal, price_charge, round_quantity
from estimator.kernels.capacity.tablestore.instance_usage import TableUsage
from estimator.results import BillLine

from ..month import UsageMonth

STORED = "tablestore.stream.storage"


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """Per table with a stream: one line for what is kept, one for what is read."""
    for table in month.usage.tables:
        settings = table.table.tablestore
        if settings is None or settings.stream_hours is None:
            continue
        yield from _storage_lines(month, table, settings.stream_hours)
        yield from _reader_lines(month, table, settings)


def _storage_lines(month: UsageMonth, table: TableUsage, hours: int) -> Iterator[BillLine]:
    """Yield the storage of records while they are kept: their size is known, a price of it is not."""
    if month.can_omit((STORED,), month.usage.region):
        return
    per_hour = _bytes_per_second(month, table) * SECONDS_PER_HOUR / GB_BYTES
    if (stored := round_quantity(per_hour * hours)) > 0:
        yield price_charge(
            month,
            Charge(
                item="stream_storage",
                label=N_("“{table}”: records of its stream"),
                at=table.table.id,
                skus=(STORED,),
                where=month.usage.region,
                amount=round_quantity(stored * month.hours),
                unit="GB-hour",
                formula=N_("{stored} GiB × {month_hours}, {amount} GB-hours × {unit_price}"),
                params={"table": table.table.label, "stored": format_decimal(stored), "month_hours": month.hours},
            ),
        )


def _reader_lines(month: UsageMonth, table: TableUsage, settings: Tablestore) -> Iterator[BillLine]:
    readers = int(effective_value(month.spec, settings, "stream_readers"))
    sku = f"tablestore.read.metered.{month.usage.kind}"
    seconds = month.hours * SECONDS_PER_HOUR * readers
    amount = round_quantity(_bytes_per_second(month, table) / CU_BYTES * seconds / METERED_CU)
    if amount <= 0 or month.can_omit((sku,), month.usage.region):
        return
    row_by_row = sum(
        # A reader that fetches one row per request pays a whole unit for each, even for 100 bytes.
        flow.mean_per_second(month.index) * math.ceil(flow.bytes_written / CU_BYTES)
        for flow in table.flows
        if isinstance(flow.access, Write)
    )
    yield price_charge(
        month,
        Charge(
            item="stream_read",
            label=N_("“{table}”: readers of its stream"),
            at=table.table.id,
            skus=(sku,),
            where=month.usage.region,
            amount=amount,
            unit="× 10,000 CU",
            formula=N_("{readers} × {written} KiB/s ÷ 4 KiB × {month_hours}, {amount} × 10,000 × {unit_price}"),
            params={
                "table": table.table.label,
                "readers": readers,
                "written": format_decimal(round_quantity(_bytes_per_second(month, table) / 1_024)),
                "month_hours": month.hours,
            },
            low=Decimal(0) if table.reserved_units.read > 0 else None,
            high=round_quantity(row_by_row * seconds / METERED_CU),
        ),
    )


def _bytes_per_second(month: UsageMonth, table: TableUsage) -> float:
    """Return the mean bytes of the rows written in a second, keys included."""
    return sum(flow.mean_per_second(month.index) * flow.bytes_written for flow in table.flows)
