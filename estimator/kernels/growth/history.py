"""Content of a table on the start date: as stated, and the history of writes that leaves as much."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.table import Table
from estimator.engines import GiB
from estimator.results import Measurement
from estimator.results.arrays import Floats

from .arrivals import KindShape
from .model import StoredTable, build_stored_table

CENTURY_DAYS = 1_200 * MONTH_DAYS
"""No table is older: what a century of writes does not leave was loaded otherwise."""

EVER_DAYS = 1e9
"""As good as always."""


@dataclass(frozen=True)
class History:
    """History of writes behind the content on the start date."""

    days: float
    """Writes at the start's rates for so long before the start. [day]"""
    bytes_scale: float = 1.0
    """Physical bytes that were measured ÷ those that the history leaves; 1 where nothing was measured."""

    @property
    def is_plausible(self) -> bool:
        """Single rows may be as old as that."""
        return self.days <= CENTURY_DAYS


def history(
    spec: Spec, table: Table, shapes: Mapping[str, KindShape], measurement: Measurement | None = None
) -> History:
    """Return the history that explains the stated content.

    Stated months are taken as they are; otherwise the days are sought that leave the stated rows, or else the
    stated GiB. If measured GiB differ from what the history leaves, all bytes are scaled by one factor: each cell
    is larger or smaller than estimated. This does not apply where even a century of writes leaves too little and
    the table still fills: then the stock is additional, and new bytes are added to it unscaled.
    """
    days = float(effective_value(spec, table, "history_months") or 0) * MONTH_DAYS
    gib, rows = table.gib_stored, table.rows_stored
    if gib is None and rows is None:
        return History(days)

    def physical(past_days: float) -> float:
        there = build_stored_table(
            spec, table, shapes, np.zeros(1), history_days=past_days, only_expected=True, measurement=measurement
        )
        return float(there.physical_bytes()[0])

    def count_rows(past_days: float) -> float:
        there = build_stored_table(spec, table, shapes, np.zeros(1), history_days=past_days, only_rows=True)
        return float(sum(row[0] for row in there.rows))

    explained = False  # by the history alone, or by a stock besides it
    if not days:
        amount, aim = (count_rows, float(rows)) if rows is not None else (physical, float(gib or 0) * GiB)
        most = amount(CENTURY_DAYS)
        # A table that still fills after a century reaches the aim at some time; one that is full by then never does.
        filling = most < aim and most > amount(CENTURY_DAYS / 2) * 1.001
        days = _days_until(amount, aim, EVER_DAYS if filling else CENTURY_DAYS)
        explained = filling or (rows is None and most >= aim)
    there = physical(days) if gib is not None and not explained else 0.0
    return History(days, float(gib or 0) * GiB / there if there > 0 else 1.0)


def _days_until(amount: Callable[[float], float], target: float, most_days: float) -> float:
    """Return the days until a growing amount reaches an aim, within 0.1 %; `most_days` if it never does."""
    low, high = 0.0, 1.0
    while high < most_days and amount(high) < target:
        # Ages of tables lie between hours and decades: large steps find their order, halving does the rest.
        low, high = high, high * 16
    high = min(high, most_days)
    if target <= 0:
        return 0.0
    while high - low > 1e-3 * high and high > 1e-6:
        # By ratios once the bounds are near, as the error that is allowed is a share of the result.
        middle = (low + high) / 2 if low < high / 16 or low == 0 else (low * high) ** 0.5
        low, high = (middle, high) if amount(middle) < target else (low, middle)
    return high


def rows_over_time(table: Table, stored_table: StoredTable) -> tuple[Floats, tuple[Floats, ...]]:
    """Rows of the table and of each row kind, (dates,) each: those stated at the start, and what comes after them."""
    total: Floats = sum(stored_table.rows, np.zeros_like(stored_table.days))
    if table.rows_stored is None:
        return total, stored_table.rows
    share = [rows[0] / total[0] if total[0] > 0 else 1 / len(stored_table.rows) for rows in stored_table.rows]
    kinds = tuple(
        table.rows_stored * part + (rows - rows[0]) for part, rows in zip(share, stored_table.rows, strict=True)
    )
    # More may be deleted from now on than the history explains; no table has fewer rows than none.
    return np.maximum(sum(kinds, np.zeros_like(total)), 0.0), tuple(np.maximum(rows, 0.0) for rows in kinds)


EXPLAINED = 0.999
"""A history is sought until it leaves so much of what is stated."""


def stock_bytes(spec: Spec, table: Table, stored_table: StoredTable) -> float:
    """Return the physical bytes of stated rows without a history, each with one version of its columns."""
    if table.rows_stored is None or table.gib_stored is not None:
        return 0.0
    there = [float(rows[0]) for rows in stored_table.rows]
    missing = table.rows_stored - sum(there)
    if missing <= (1 - EXPLAINED) * table.rows_stored or not there:
        return 0.0
    total = 0.0
    for flows, rows in zip(stored_table.kinds, there, strict=True):
        share = rows / sum(there) if sum(there) > 0 else 1 / len(there)
        mine = (c for c in stored_table.columns if c.kind == flows.kind.id)
        row = sum(
            float(effective_value(spec, c.column, "presence")) * c.cell.total * c.compressed_shares[0] for c in mine
        )
        total += missing * share * (row + flows.row_bytes)
    return total


def physical_over_time(
    spec: Spec, table: Table, stored_table: StoredTable, past: History
) -> tuple[Floats, Floats, Floats]:
    """Physical bytes, (dates,) each: expected, low, high; what was measured is certain, what comes after is not."""
    stock = stock_bytes(spec, table, stored_table)
    expected, low, high = (
        series * past.bytes_scale + stock
        for series in (
            stored_table.physical_bytes(),
            stored_table.physical_bytes("low"),
            stored_table.physical_bytes("high"),
        )
    )
    if table.gib_stored is None:
        return expected, low, high
    there = table.gib_stored * GiB
    expected, low, high = (np.maximum(there + (series - series[0]), 0.0) for series in (expected, low, high))
    return expected, np.minimum(low, expected), np.maximum(high, expected)
