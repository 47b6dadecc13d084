"""A read scans the whole table.

**What** What the caller knows binds no beginning of the key, so every row is read and most are thrown away.
**Why** Rows are found by their key alone, from the left. Without a known beginning the engine reads everything: the
time, the load (on Tablestore the billed capacity units) and the money grow with the table, not with the answer.
**Instead** Lead the key with what this caller knows, or keep a second table (or a view) keyed for it.
**Fine when** The caller wants most of the table anyway, as an export does, or the table is small and the read rare.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.facts.scans import WASTE_FACTOR, Waste, capacity_units, load_share, wanted_rows, waste
from estimator.results import Estimate, ReadPlan

from ..shared import Found, Rule
from ..shared.examples import DEVICE, USER, of, read, readings, time

UNRATED = N_(
    "{read} knows no beginning of the key of {table}: each request scans {scanned} rows for {wanted} wanted, "
    "{scanned_factor} as many. How often it runs is not known yet."
)
UNCOUNTED = N_(
    "{read} knows no beginning of the key of {table}: each request scans all of it, {scanned_factor} as many rows as "
    "are wanted. How many there will be is not known yet."
)
UNITS = N_(
    "{read} knows no beginning of the key of {table}: each request scans {scanned} rows for {wanted} wanted, "
    "{scanned_factor} as many. At {rate_per_second} that takes {work_cu_per_second}, {load_share} of the table's load."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per read that scans a row kind from end to end and keeps less than half of it."""
    for rows in row_kinds(spec, estimate):
        for asked, plan in rows.reads:
            wanted = wanted_rows(rows, asked, plan)
            factor = plan.rows_scanned / wanted
            if plan.access != "scan" or factor < WASTE_FACTOR:
                continue
            wasted = waste(spec, asked, plan, factor)
            params = {
                "read": asked.label,
                "table": rows.table.label,
                "scanned": plan.rows_scanned,
                "wanted": wanted,
                "scanned_factor": factor,
            }
            known = {
                "rate_per_second": plan.per_second,
                "busy_nodes": wasted.node_share,
                "work_cu_per_second": capacity_units(wasted.node_share),
                "load_share": load_share(wasted.node_share, rows.traffic),
            }
            yield Found(
                at=asked.id,
                params={**params, **known} if wasted.node_share is not None else params,
                message=_message(plan, wasted),
                effect=wasted.node_share,
                severity=wasted.severity,
                about=(asked.id,),
            )


def _message(plan: ReadPlan, wasted: Waste) -> str:
    if not plan.counted:
        return UNCOUNTED
    return UNRATED if wasted.node_share is None else ""


def _looked_up(field: str) -> Spec:
    """Readings of devices by users, looked up by one of the two."""
    reads = (read(binds=(field,), rate_per_second=1e-3, latency="batch"),)
    return readings(of("device", "#"), time(), fields=(DEVICE, USER), per_second=100, reads=reads)


RULE = Rule(
    code="Q001",
    severity="warning",
    message=N_(
        "{read} knows no beginning of the key of {table}: each request scans {scanned} rows for {wanted} wanted, "
        "{scanned_factor} as many. At {rate_per_second} that keeps {busy_nodes} busy, {load_share} of the table's load."
    ),
    messages={"tablestore": {"": UNITS}},
    check=check,
    bad=lambda: _looked_up("user"),
    good=lambda: _looked_up("device"),
    near_miss=lambda: readings(
        of("device", "#"), time(), per_second=100, reads=(read(rate_per_second=1e-5, latency="batch"),)
    ),
    under=("K017",),
)
