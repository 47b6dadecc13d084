"""Small designs and stand-ins for key shapes, so that growth is tested without compiling keys."""

import numpy as np

from designer.document import Spec
from estimator.kernels.growth.arrivals import KindShape, Spread


def design(**given):
    """A design of one table `t`: row kind `k`, write `w` of activity `a`, family `f`, column `c`."""
    column = {"id": "c", "qualifier": "c", "value": {"kind": "random", "typical_bytes": 100}} | given.get("column", {})
    family = {"id": "f", "name": "f", "columns": [column, *given.get("columns", [])]} | given.get("family", {})
    write = {"id": "w", "activity": "a", "mode": "append_row"} | given.get("write", {})
    activity = {"id": "a", "rate_per_second": 1.0} | given.get("activity", {})
    kind = {"id": "k", "key": given.get("key", []), "writes": [write, *given.get("writes", [])]}
    table = {"id": "t", "row_kinds": [kind], "families": [family, *given.get("families", [])]} | given.get("table", {})
    return Spec.model_validate(
        {
            "start": "2026-01-01",
            "horizon_months": 12,
            "fields": given.get("fields", []),
            "activities": [activity, *given.get("activities", [])],
            "tables": [table],
        }
        | given.get("spec", {})
    )


def shape(
    spec, *, key_bytes=20.0, shares=(1.0,), counts=(1.0,), bucket_days=None, per_event=False, hottest="e1", own=0.0
):
    """One spread for every write of the design."""
    spread = Spread(
        shares=np.array(shares, dtype=np.float64),
        counts=np.array(counts, dtype=np.float64),
        bucket_seconds=None if bucket_days is None else bucket_days * 86_400,
        hottest=hottest,
        per_event=per_event,
        hottest_key_bytes=own,
    )
    return {kind.id: KindShape(key_bytes, {write.id: spread for write in kind.writes}) for _, kind in spec.row_kinds()}
