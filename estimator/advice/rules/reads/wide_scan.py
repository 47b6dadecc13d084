"""A read discards most of the rows that it scans.

**What** The read specifies a prefix of the key. Its other fields come after a segment that it does not specify. The
prefix locates the rows; the other fields only filter them.
**Why** Filters run on the node after the read. Discarded rows take as much node CPU time as returned rows, and
Tablestore also bills them.
**Instead** Move the segments that this read specifies before the first segment that it does not specify.
**Fine when** The scanned range is small, or the key order serves another, busier read. It is a warning if discarded
rows use a fifth of a node on average. It is also a warning if a latency-sensitive request takes 1 second of node
CPU time.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.money import Money
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.billing import nodes_cost, nodes_used
from estimator.facts.default_skew import assumed_length_sentence
from estimator.facts.reading import row_kinds
from estimator.facts.scans import (
    NODE_SHARE_WARNING,
    WASTE_FACTOR,
    capacity_units,
    is_merged,
    load_share,
    passing_severity,
    wanted_rows,
    waste,
)
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, TENANT, USER, Part, field_part, read_part, readings, time_part
from ..shared.fixes.index_table import ADD_INDEX_TABLE, index_table

UNSIZED = N_(
    "{read} scans {scanned} rows of {table} to return {wanted}. It has no exact value for {segment}, "
    "so its row range ends there and it discards {thrown_share}. The node time is not known: the rows "
    "have no columns yet.{guess}"
)
UNPRICED = N_(
    "{read} scans {scanned} rows of {table} to return {wanted}. It has no exact value for {segment}, "
    "so its row range ends there and it discards {thrown_share}. At {rate_per_second}, that is "
    "{discarded} rows a second, {load_share} of the table's load.{guess}"
)
UNITS = N_(
    "{read} scans {scanned} rows of {table} to return {wanted}. It has no exact value for {segment}, "
    "so its row range ends there and it discards {thrown_share}. At {rate_per_second}, that is "
    "{discarded} rows a second, billed as {work_cu_per_second}: {load_share} of the table's load.{guess}"
)

MANY_ROWS = 1_000
"""Rows that a request discards, from which it is worth a note while the size of a row is not known."""

FOUND = ("prefix", "range", "multi_range")
"""Ways of being served in which a beginning of the key is found; a scan of everything is another rule's."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read that keeps at most half of its scan and keeps a node busy with the rest."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            needed_rows = wanted_rows(rows, read, plan)
            factor = plan.rows_scanned / needed_rows
            stop = rows.segment(plan.open_at or "")
            if plan.access not in FOUND or factor < WASTE_FACTOR or stop is None or is_merged(spec, read, plan, stop):
                continue
            busy = waste(spec, read, plan, factor).node_share
            base_params = {
                "read": read.label,
                "table": rows.table.label,
                "segment": segment_label(spec, stop),
                "scanned": plan.rows_scanned,
                "wanted": needed_rows,
                "thrown_share": 1 - 1 / factor,
            }
            severity = passing_severity(spec, read, plan, factor)
            is_unsized = not columns_of(rows.table, rows.kind)
            if is_unsized and plan.has_actual_rows and plan.rows_scanned - needed_rows >= MANY_ROWS:
                params = {**base_params, "guess": assumed_length_sentence(rows, read)}
                yield Violation(read.id, params, message=UNSIZED, severity="note", about=(read.id,))
                continue
            # With a factor of 10, nine of ten rows are discarded, and so is that part of the node time.
            if busy is None or (busy * (1 - 1 / factor) < NODE_SHARE_WARNING and severity == "note"):
                continue
            thrown = busy * (1 - 1 / factor)
            cost = _cost(spec, estimate, read, thrown)
            is_turned = read.newest_rows is not None and not read.reverse  # K015 offers a scan the other way
            fix = None if severity == "note" or is_turned else index_table(rows, read)
            yield Violation(
                at=read.id,
                params={
                    **base_params,
                    "rate_per_second": plan.per_second,
                    "discarded": (plan.rows_scanned - needed_rows) * (plan.per_second or 0.0),
                    "cost": cost,
                    "work_cu_per_second": capacity_units(thrown),
                    "load_share": load_share(thrown, rows.traffic),
                    "guess": assumed_length_sentence(rows, read),
                },
                effect=thrown,
                message=UNPRICED if cost is None else "",
                severity=severity,
                fix=fix,
                fix_label=ADD_INDEX_TABLE if fix is not None else "",
                about=(read.id,),
            )


def _cost(spec: Spec, estimate: Estimate, read: Read, busy_nodes: float) -> Money | None:
    """Return the cost of the nodes for what is discarded; None through Data Boost, or while a price lacks."""
    whole = nodes_used(spec, estimate)
    if has_data_boost(spec, read) or not whole:
        return None
    return nodes_cost(estimate, min(busy_nodes / whole, 1.0))


def _of_tenant(per_second: float, *key: Part) -> Spec:
    """Build a design of the readings of one user of a tenant, who uses any of its devices."""
    reads = (read_part(binds=("tenant", "user"), rate_per_second=per_second, latency="batch"),)
    return readings(*key, fields=(TENANT, DEVICE, USER), per_second=20, reads=reads)


RULE = Rule(
    code="Q002",
    severity="note",
    message=N_(
        "{read} scans {scanned} rows of {table} to return {wanted}. It has no exact value for {segment}, "
        "so its row range ends there and it discards {thrown_share}. At {rate_per_second}, that is "
        "{discarded} rows a second: {load_share} of the table's load, {cost} a month for nodes.{guess}"
    ),
    messages={"tablestore": {"": UNITS, UNPRICED: UNITS}},
    check=check,
    bad=lambda: _of_tenant(
        1e-1, field_part("tenant", "#"), field_part("device", "#"), field_part("user", "#"), time_part()
    ),
    good=lambda: _of_tenant(
        1e-1, field_part("tenant", "#"), field_part("user", "#"), field_part("device", "#"), time_part()
    ),
    near_miss=lambda: _of_tenant(
        1e-5, field_part("tenant", "#"), field_part("device", "#"), field_part("user", "#"), time_part()
    ),
    under=("Q001", "K007", "K021", "K015", "K017", "K009", "K022", "K025", "K028"),
)
