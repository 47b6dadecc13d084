"""Writes store rows without cells.

**What** Rows are written, but no write of them has a column: the table has no columns, or its last ones were moved or
removed.
**Why** A Bigtable row exists only through its cells: a mutation sets or deletes a cell, and a row without cells is
not stored. Until the rows have a column, their size, load and cost are those of the keys alone.
**Instead** Add the columns that the writes store. Where the key says everything, one cell with an empty value and a
short name is enough.
**Fine when** Never. Such a row does not exist.
**Source** https://cloud.google.com/bigtable/docs/overview (read 2026-11-20)
https://cloud.google.com/bigtable/docs/reference/data/rpc/google.bigtable.v2 (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.reading import row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import design, field_part

ELSEWHERE = N_("The columns of {write} are not in {table}. Bigtable does not store a row without cells.")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind that is written, but without any column, and per such write among others."""
    for rows in row_kinds(spec, estimate):
        writes = [write for write in rows.kind.writes if not write.deletes]
        empty = [write for write in writes if not written_columns(rows.table, rows.kind, write)]
        if writes and len(empty) == len(writes):
            yield Violation(rows.kind.id, {"table": rows.table.label}, "columns", len(writes))
            continue
        for write in empty:
            params = {"table": rows.table.label, "write": element_label(spec, write.id)}
            yield Violation(write.id, params, "columns", 1, message=ELSEWHERE)


def _devices(*qualifiers: str) -> Spec:
    columns = [{"id": f"column-{name}", "qualifier": name, "value": {"kind": "empty"}} for name in qualifiers]
    return design(field_part("device"), per_second=10, write={"mode": "overwrite"}, family={"columns": columns})


RULE = Rule(
    code="R011",
    severity="error",
    message=N_(
        "The rows of {table} have no columns. Bigtable does not store a row without cells, and the figures of {table} "
        "count its keys alone. Add a column."
    ),
    check=check,
    bad=_devices,
    good=lambda: _devices("v", "w"),
    near_miss=lambda: _devices("v"),
    engines=BIGTABLE,
)
