"""Counters are read before each write.

**What** A write increments integers with read-modify-write.
**Why** Each increment reads the cell, adds and writes it back in one row transaction. That doubles the work, and
all writers must use one cluster. Aggregate cells accept additions without a read, in several clusters at once.
**Instead** Count in an aggregate family (sum). Define it when you create the family: the type cannot change later.
**Fine when** The caller needs the new value in the same response, or the old values as versions.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/aggregates (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Column, Family
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.families import counter_columns
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.traffic.node_time import write_seconds
from estimator.results import Estimate, WriteLoad

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, design, field_part, read_part
from ..shared.fixes import convert_to_counters

UNRATED = N_(
    "{write} increments counters in {table} with read-modify-write. Each increment first reads the "
    "cell, and all writers must use one cluster. Aggregate cells avoid both."
)
COUNT = N_("Use an aggregate family: it must be created as one, and writers add without reading")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that increments cells of an ordinary family."""
    for rows in row_kinds(spec, estimate):
        loads = {write.id: load for write, load in rows.writes}
        for write in rows.kind.writes:
            counters = counter_columns(rows, write)
            if counters:
                yield _build_violation(rows, write, counters, loads.get(write.id))


def _build_violation(
    rows: RowKindFacts, write: Write, counters: list[tuple[Family, Column]], load: WriteLoad | None
) -> Violation:
    fix = convert_to_counters(rows, write, counters)
    params: dict[str, object] = {"write": element_label(rows.spec, write.id), "table": rows.table.label}
    saved = None
    if load is not None:
        capacity = bigtable.instance_capacity(rows.spec.instance)
        size, cells = load.bytes_per_row, load.cells_per_row
        now = write_seconds(capacity, size, cells=cells, mode=write_mode(rows.spec, write))
        then = write_seconds(capacity, size, cells=cells, mode="add_to_aggregate")
        share = 1 - then / now
        saved = load.peak_rows_per_second * load.node_seconds_per_row * share
        params |= {"rate_per_second": load.rows_per_second, "time_share": share, "saved_nodes": saved}
    return Violation(
        at=write.id,
        field="mode",
        params=params,
        message="" if load is not None else UNRATED,
        effect=saved,
        fix=fix,
        fix_label=COUNT if fix is not None else "",
    )


def _visits(mode: str, kind: str = "ordinary") -> Spec:
    """Build a design of a thousand devices, each with its counter."""
    return design(
        field_part("device"),
        per_second=1_000,
        write={"mode": mode},
        gc=NEWEST_ONLY,
        family={"kind": kind},
        column={"value": {"kind": "integer"}},
        reads=(read_part(binds=("device",)),),
        activity={"arrival": {"kind": "every", "seconds": 10, "field": "device"}, "rate_per_second": 100},
    )


RULE = Rule(
    code="C009",
    severity="note",
    message=N_(
        "{write} increments counters in {table} with read-modify-write at {rate_per_second}. Each "
        "increment first reads the cell, which takes {time_share} of its node CPU time ({saved_nodes} at "
        "the peak). All writers must use one cluster. Aggregate cells avoid both."
    ),
    check=check,
    bad=lambda: _visits("increment"),
    good=lambda: _visits("add_to_aggregate", "sum"),
    near_miss=lambda: _visits("overwrite"),
    engines=BIGTABLE,
)
