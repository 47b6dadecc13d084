"""Spread of stored rows over a field's values: busier values have more rows, as far as keys are not written again."""

from collections.abc import Callable
from typing import assert_never

import numpy as np

from designer.document import owner_id
from designer.document.key import FieldSegment
from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf
from estimator.kernels.keys.values.zeta import zipf_sum
from estimator.results.arrays import Floats

from .scope import StoredRows

LEAST_SKEW = 0.01
"""A flatter law is an even one."""
_STEPS = 30


def row_popularity(stored_rows: StoredRows, field: str) -> Popularity:
    """Return the spread of rows over the values of a field.

    Where few of the keys exist that there could be, a value has rows in proportion to its events; where each of them
    exists, values have as many. Owners and what they own have as many as there are values.
    """
    law = stored_rows.write_popularity(field)
    bound = frozenset(s.id for s in stored_rows.kind.segments if isinstance(s, FieldSegment) and s.field == field)
    if isinstance(law, Uniform | Latest) or not bound or not _stands_alone(stored_rows, field):
        return stored_rows.entity_popularity(field)
    below = stored_rows.values_per_owner(bound, {})
    events, total = below.asked / np.maximum(below.count, 1e-300), max(float(below.rows @ below.count), 1e-300)
    order = np.argsort(events)

    def rows_of(shares: Floats) -> Floats:
        """Return the share of all rows that each value with such a share of the events has."""
        return np.interp(shares, events[order], below.rows[order] / total)

    values = max(round(stored_rows.values(field)), 1)
    match law:
        case Zipf():
            return _flatter(law, rows_of, values)
        case HotSet():
            hot = max(round(law.value_share * values), 1)
            share = hot * float(rows_of(np.array(law.traffic_share / hot)))
            return law.model_copy(update={"traffic_share": min(share, law.traffic_share)})
        case Weights():
            weights = np.array(law.weights[:values])
            rows = rows_of(weights / (float(weights.sum()) + law.rest * (len(weights) < values)))
            rest = max(1 - float(rows.sum()), 0.0) if law.rest else 0.0
            return Weights(weights=tuple(rows.tolist()), rest=rest)
        case _:
            assert_never(law)


def _stands_alone(stored_rows: StoredRows, field: str) -> bool:
    """Return whether a field's values neither come and go nor are of others, or have others."""
    spec, own = stored_rows.spec, stored_rows.spec.find(field)
    is_still = own.growth_per_day is None and own.lifetime_days is None
    owns = any(owner_id(spec, name) == field for name in stored_rows.all_fields)
    return is_still and not owns and owner_id(spec, field) is None and own.unique_within is None


def _flatter(law: Zipf, rows_of: Callable[[Floats], Floats], values: int) -> Popularity:
    """Return the Zipf law by which the busiest value, and the first of the others, have their rows."""
    others = max(values - len(law.busiest), 1)
    listed = np.sort(rows_of(np.array(law.busiest)))[::-1]
    top = tuple((listed / max(float(listed.sum()), 1.0)).tolist())  # interpolated, they may add up to a little more
    first = (1 - sum(law.busiest)) / float(zipf_sum(np.array(float(others)), law.theta))
    share = float(rows_of(np.array(first))) / max(1 - sum(top), 1e-300)
    low, high = 0.0, law.theta
    for _ in range(_STEPS):
        middle = (low + high) / 2
        is_flatter = 1 / float(zipf_sum(np.array(float(others)), middle)) < share
        low, high = (middle, high) if is_flatter else (low, middle)
    if high < LEAST_SKEW and not top:
        return Uniform()
    return Zipf(theta=max(high, LEAST_SKEW), busiest=top)
