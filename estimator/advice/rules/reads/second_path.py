"""Two busy reads need different key orders.

**What** One read of a table uses its key. Another frequent read specifies other fields and scans. No key order
serves both.
**Why** Rows have only one order. The second read does not specify the leading field of the first and scans
everything. An order that suits it makes the first read worse.
**Instead** Keep a second table, or a continuous materialised view (Tablestore: a secondary index), with a key for
the second read. It adds storage and a second write of every row. The scan costs node CPU time with every request.
**Fine when** The second read can use a nightly export, or its result can be stored where it is used.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/continuous-materialized-views (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import GiB
from estimator.facts.billing import stored_cost
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, capacity_units, wanted_rows, waste
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, USER, field_part, read_part, readings, time_part
from ..shared.fixes.index_table import ADD_INDEX_TABLE, index_table

FREQUENT_PER_SECOND = 1 / 3_600
"""A read that runs less than once an hour is no path of its own; its scan can be a job."""

UNITS = N_(
    "The row order of {table} serves {other}. {read} scans {scanned} rows to return {wanted} and "
    "uses {work_cu_per_second}. A second table or index that starts with {fields} adds {second_gib} "
    "and takes {writing_cu_per_second} for writes. Its storage a month: {second_cost}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per scanning read while the order serves another and no second table has its order."""
    derived = {table.derived_from.table for table in spec.tables if table.derived_from}
    for rows in row_kinds(spec, estimate):
        if rows.table.id in derived or rows.table.derived_from:
            continue
        for read, plan in rows.reads:
            rival = _best_served_read(rows, read) if _is_badly_served(rows, read, plan) else None
            if rival is not None:
                yield _build_violation(estimate, rows, read, plan, rival)


def _is_badly_served(rows: RowKindFacts, read: Read, plan: ReadPlan) -> bool:
    """Return whether the read scans so much, so often, that it is worth a separate table; scans are for Data Boost."""
    if plan.per_second is None or plan.per_second < FREQUENT_PER_SECOND or has_data_boost(rows.spec, read):
        return False
    factor = plan.rows_scanned / wanted_rows(rows, read, plan)
    return factor >= WASTE_FACTOR and waste(rows.spec, read, plan, factor).severity == "warning"


def _best_served_read(rows: RowKindFacts, read: Read) -> Read | None:
    """Return the busiest well-served read of other fields; one with more or fewer could share an order."""
    own_fields = _fields(read)
    rivals = [
        (other_plan.per_second or 0.0, other)
        for other, other_plan in rows.reads
        if other_plan.access != "scan"
        and (other_plan.per_second or 0.0) >= FREQUENT_PER_SECOND
        and other_plan.rows_scanned < WASTE_FACTOR * wanted_rows(rows, other, other_plan)
        and own_fields - _fields(other)
        and _fields(other) - own_fields
    ]
    return max(rivals, key=lambda rival: rival[0])[1] if rivals else None


def _fields(read: Read) -> set[str]:
    return {bind.field for bind in read.binds if bind.is_whole}


def _build_violation(
    estimate: Estimate, rows: RowKindFacts, read: Read, plan: ReadPlan, served_read: Read
) -> Violation:
    growth = rows.part.growth if rows.part else None
    size = rows.size
    stored = size.rows * size.bytes_stored * growth.compressed_share if size and growth else None
    busy = waste(rows.spec, read, plan, WASTE_FACTOR).node_share  # the load is the same whatever the factor
    writing = sum(load.rows_per_second * load.node_seconds_per_row for _, load in rows.writes)
    params = {
        "read": read.label,
        "other": served_read.label,
        "table": rows.table.label,
        "fields": tuple(element_label(rows.spec, field) for field in sorted(_fields(read) - _fields(served_read))),
        "scanned": plan.rows_scanned,
        "wanted": wanted_rows(rows, read, plan),
        "busy_nodes": busy,
        "work_cu_per_second": capacity_units(busy),
        "writing_cu_per_second": capacity_units(writing),
        "second_gib": None if stored is None else stored / GiB,
        "second_cost": None if stored is None else stored_cost(estimate, stored),
        "writing_nodes": writing,
    }
    fix = index_table(rows, read)
    label = ADD_INDEX_TABLE if fix is not None else ""
    return Violation(read.id, params, effect=busy, fix=fix, fix_label=label, about=(read.id,))


def _two_readers(rate_per_second: float, **second: object) -> Spec:
    """Build a design of readings of devices by users, looked up by either."""
    reads = (
        read_part(binds=("device",), time={"days": 1 / 24}),
        {**read_part(binds=("user",), rate_per_second=rate_per_second), "id": "by-user", "name": "by user", **second},
    )
    return readings(
        field_part("device", "#"), time_part("#"), field_part("user"), fields=(DEVICE, USER), per_second=10, reads=reads
    )


RULE = Rule(
    code="Q005",
    severity="note",
    message=N_(
        "The row order of {table} serves {other}. {read} scans {scanned} rows to return {wanted} and "
        "uses {busy_nodes}. A second table or view that starts with {fields} adds {second_gib} and takes "
        "{writing_nodes} for writes. Its storage a month: {second_cost}."
    ),
    messages={"tablestore": {"": UNITS}},
    check=check,
    bad=lambda: _two_readers(1e-2),
    good=lambda: readings(
        field_part("device", "#"),
        time_part(),
        per_second=10,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    ),
    near_miss=lambda: _two_readers(1e-4),
    under=("Q001", "K007", "K021", "Q002"),
)
