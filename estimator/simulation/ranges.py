"""Key ranges of a simulated table, and the bytes stored in each."""

import math
from collections.abc import Mapping

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.table import Table
from estimator.kernels.keys import KeyPattern, range_shares
from estimator.kernels.traffic.distributions import stored_distribution
from estimator.kernels.traffic.scope import StoredRows
from estimator.results.arrays import Floats

MOST_MOMENTS = 31
"""A month is looked at once a day at the most."""


def moments(stored: Mapping[str, StoredRows], first_s: float, end_s: float) -> list[float]:
    """Return the times at which the stored bytes are examined to make ranges of them.

    For a day it is the end. For a month there are enough times that bytes written early and removed before its end
    are seen, too, and not in one range before all the rest.
    """
    kept_s = min((float(np.ptp(stored_rows.time.edges_s)) for stored_rows in stored.values()), default=DAY_SECONDS)
    period_s = end_s - first_s
    step_s = max(kept_s, period_s / MOST_MOMENTS)
    often = math.ceil(period_s / step_s) if period_s > DAY_SECONDS else 1
    return [end_s - step_s * back for back in reversed(range(often))]


def stored_shares(
    patterns: Mapping[str, KeyPattern], stored: Mapping[str, StoredRows], bounds: tuple[bytes, ...], at_s: float
) -> Floats:
    """Share of the bytes that are there at a time in each range: float64 (ranges,)."""
    weight = {kind: rows.size.rows * rows.size.bytes_stored for kind, rows in stored.items()}
    total = sum(weight.values())
    if total <= 0:
        weight, total = dict.fromkeys(weight, 1.0), float(len(weight))
    share = np.zeros(len(bounds) + 1)
    for kind, stored_rows in stored.items():
        if weight[kind] > 0:
            share += (
                weight[kind] / total * range_shares(patterns[kind], stored_distribution(stored_rows, at_s), bounds)[0]
            )
    return share


def has_history(spec: Spec, table: Table) -> bool:
    """Return True if the table holds something before the design's start."""
    return bool(effective_value(spec, table, "history_months") or table.rows_stored or table.gib_stored)
