"""Popularity of shown fields as one law each, where values that nothing shows decide how busy their owners are."""

from collections.abc import Collection, Mapping

import numpy as np

from designer.document import Spec
from designer.document.activity import Activity
from designer.document.popularity import Popularity, Zipf
from estimator.kernels.keys.values.zeta import zipf_sum

from .draws import Drawing, popularities, with_hidden
from .key_parts import horizon_days
from .strata import Strata

LISTED = 10
"""Shares of the busiest owners that a law tells one by one: as many as it can."""
LEAST_SKEW, MOST_SKEW = 0.01, 5.0
_STEPS = 30


def shown_popularities(spec: Spec, activity: Activity, key_fields: Collection[str]) -> Mapping[str, Popularity]:
    """Return the popularities of fields in an activity's events, where they are not the fields' own.

    Of those `key_fields` it is that by which values below them, which the events draw beside them, fall to them.
    """
    key = ("shown_popularities", activity.id, frozenset(key_fields))
    laws: dict[str, Popularity] | None = spec.result_cache.get(key)
    if laws is None:
        stated = popularities(spec, activity)
        drawing = Drawing(spec, (with_hidden(spec, activity, key_fields),), horizon_days(spec))
        decided = drawing.decided_below(key_fields)
        laws = stated | {field: law_of(drawing.combinations([field])) for field in decided}
        spec.result_cache[key] = laws
    return laws


def law_of(strata: Strata) -> Zipf:
    """Return the Zipf law by which the busiest values have their shares, and the first of the others has its own."""
    order = np.argsort(-strata.share[0], kind="stable")
    count, share = strata.total_count[order], strata.share[0][order]
    ranks, upto = np.concatenate([[0.0], np.cumsum(count)]), np.concatenate([[0.0], np.cumsum(count * share)])
    whole = upto[-1]
    top = np.diff(np.interp(np.arange(LISTED + 2), ranks, upto)) / whole
    listed = np.minimum.accumulate(np.minimum(top[:LISTED], 1.0))  # equal ones may be rounded out of order
    busiest = tuple(float(part) for part in listed[listed > 0])
    rest = max(1 - sum(busiest), 0.0)
    others = max(float(ranks[-1]) - LISTED, 1.0)
    first = top[LISTED] / rest if rest > 0 else 0.0
    low, high = LEAST_SKEW, MOST_SKEW
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 / float(zipf_sum(np.array(others), middle)) < first else (low, middle)
    return Zipf(theta=low, busiest=busiest)
