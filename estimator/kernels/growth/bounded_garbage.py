"""Expired bytes that rows gather at most: a tablet is compacted before one row has more of them."""

import numpy as np

from estimator.results.arrays import Floats

from ..population.sizes import key_classes
from .arrivals import KindArrivals


def can_gather(flows: KindArrivals, garbage_bytes: Floats, most_bytes: float) -> bool:
    """Return whether the busiest row may have more than so many of the expired bytes of all rows."""
    if flows.has_row_per_event or not np.isfinite(most_bytes):
        return False
    shares = (float(flows.shape.rows.shares(flow.write.id)[0].max(initial=0.0)) for flow in flows.writes)
    return float(garbage_bytes.max(initial=0.0)) * max(shares, default=0.0) > most_bytes


def gathered_share(
    flows: KindArrivals, garbage_bytes: Floats, days: Floats, *, lag_days: float, most_bytes: float
) -> Floats:
    """Share of the expired bytes of all rows that is there where no row gathers more than so many.

    Parameters
    ----------
    garbage_bytes : float64, shape (dates,)
        Of all rows together, each having as much of it as of the writes within the lag. [bytes]
    days : float64, shape (dates,)
        [day]
    most_bytes
        Of one row. [bytes]

    Returns
    -------
    float64, shape (dates,)
        [1]
    """
    keys, events = key_classes(flows.counts(flows.writes), days - lag_days, days)
    total = (keys * events).sum(axis=1)
    event_bytes = np.divide(garbage_bytes, total, out=np.zeros_like(total), where=total > 0)
    bounded = (keys * np.minimum(events * event_bytes[:, None], most_bytes)).sum(axis=1)
    return np.asarray(
        np.divide(bounded, garbage_bytes, out=np.ones_like(total), where=(garbage_bytes > 0) & (total > 0))
    )
