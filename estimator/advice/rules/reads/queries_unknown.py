"""The reads of a row kind are undecided.

**What** The reads of a row kind are marked as unknown, and its rows have several columns.
**Why** Group columns by read pattern: separate columns that are read separately, and combine columns that are read
together. Without defined reads, each column stores its key, name and timestamp in every row without a known
benefit.
**Instead** Define the queries before the first write. Until then, use one serialised column (protobuf, JSON): it is
small, and every read finds everything. You can split it into columns later.
**Fine when** Some columns are much larger than the rest, or change at different times. A single column would then
read or write everything each time.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.facts.billing import stored_cost
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.serialization import RowWrite, gib_on_disk, row_write, saved_share_on_disk
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, readings, time_part

COLUMNS = 2
"""One column is what is advised."""

UNRATED = N_(
    "The reads of {table} are undecided, and its rows have {columns} columns. Use one serialised "
    "column to keep all options open."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with several columns whose reads are declared unknown."""
    for rows in row_kinds(spec, estimate):
        if not rows.kind.reads_unknown:
            continue
        cells = max(_row_writes(rows), key=lambda candidate: len(candidate.columns), default=None)
        if cells is None and rows.size is None:
            yield from _unrated_violations(rows)
        if cells is None or len(cells.columns) < COLUMNS:
            continue
        saved_gib = gib_on_disk(rows, cells) * saved_share_on_disk(rows, cells)
        yield Violation(
            at=rows.kind.id,
            field="reads_unknown",
            params={
                "table": rows.table.label,
                "columns": len(cells.columns),
                "row_bytes": cells.row_bytes,
                "one_bytes": cells.serialized_bytes,
                "saved_gib": saved_gib,
                "saved_cost": stored_cost(estimate, saved_gib * GiB),
                "each_bytes": cells.row_bytes / max(cells.cell_count, 1.0),
            },
            effect=len(cells.columns),
        )


def _row_writes(rows: RowKindFacts) -> Iterator[RowWrite]:
    """Yield the cells that each write puts into a row."""
    for write in rows.kind.writes:
        cells = row_write(rows, write)
        if cells is not None:
            yield cells


def _unrated_violations(rows: RowKindFacts) -> Iterator[Violation]:
    columns = sum(len(family.columns) for family in rows.table.families)
    if columns >= COLUMNS:
        params = {"table": rows.table.label, "columns": columns}
        yield Violation(rows.kind.id, params, "reads_unknown", columns, message=UNRATED)


def _of_columns(*names: str) -> Spec:
    """Devices that report several small values at a time, for readers who are yet to come."""
    columns: list[Part] = [{"id": f"c-{q}", "qualifier": q, "value": {"kind": "integer"}} for q in names]
    spec = readings(field_part("device", "#"), time_part(), per_second=1_000, family={"columns": columns}, reads=())
    kind = spec.tables[0].row_kinds[0].model_copy(update={"reads_unknown": True})
    table = spec.tables[0].model_copy(update={"row_kinds": (kind,)})
    return spec.model_copy(update={"tables": (table,)})


RULE = Rule(
    code="Q006",
    severity="note",
    message=N_(
        "The reads of {table} are undecided, and each write creates {columns} columns ({row_bytes}). One "
        "serialised column keeps all options open and takes {one_bytes}. That saves {saved_gib} in total "
        "(a month: {saved_cost}). In return, reading one value fetches {one_bytes} instead of "
        "{each_bytes}."
    ),
    check=check,
    bad=lambda: _of_columns("t", "h", "p", "a", "v", "w"),
    good=lambda: _of_columns("d"),
    near_miss=lambda: _of_columns("t"),
    engines=BIGTABLE,
)
