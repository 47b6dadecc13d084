"""Small designs and stand-ins for key shapes, so that growth is tested without compiling keys."""

from dataclasses import replace

import numpy as np

from designer.document import Spec
from designer.document.activity import Every
from estimator.kernels.growth.arrivals import Hottest, KindShape
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.growth.shapes import names_in_row
from estimator.kernels.population.population import Population, WriteLaw
from estimator.kernels.population.strata import flat, product


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
    """One law of keys for every write of the design: entities in classes."""
    strata = flat(np.array(counts, dtype=np.float64), np.array([shares], dtype=np.float64))
    found = {}
    for table, kind in spec.row_kinds():
        arrivals = {write.id: spec.find(write.activity).arrival for write in kind.writes if write.activity}
        rows = Population(
            strata,
            {
                write.id: WriteLaw(
                    0, write.rows_per_event or 1.0, actors=1e18 if isinstance(arrivals.get(write.id), Every) else 0.0
                )
                for write in kind.writes
            },
            bucket_days=bucket_days,
            time_seconds=None if bucket_days is None else bucket_days * 86_400,
            every_event=per_event,
        )
        made = [column for _, column in columns_of(table, kind) if column.qualifier_from]
        names = {column.id: names_in_row(spec, kind, column) for column in made}
        found[kind.id] = KindShape(
            key_bytes,
            rows,
            cells={column.id: with_names(rows, names[column.id][0]) for column in made},
            names=names,
            hottest={write.id: Hottest(hottest, own) for write in kind.writes},
        )
    return found


def with_names(rows, names):
    """Return the keys with the qualifiers that stand in each."""
    laws = np.repeat(names.share[None], len(rows.strata.share), axis=0)
    slots = [each / 86_400 for each in (names.slot_seconds, rows.time_seconds) if each is not None]
    return replace(rows, strata=product(rows.strata, flat(names.count, laws)), bucket_days=min(slots, default=None))
