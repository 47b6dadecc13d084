"""Many small cells are written and read together.

**What** One write adds 50 or more different columns of a few bytes to a row. Most reads use all of them.
**Why** Each cell carries its row key, family, qualifier and timestamp, and takes its own time to read or write. One
cell of 1 KiB is far cheaper than 1,024 cells of 1 byte.
**Instead** Serialise values that are always read together into one column, for example as a protobuf message.
**Fine when** Reads filter on single values, or writes overwrite single values separately.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.serialization import (
    RowWrite,
    reads_all_columns,
    request_share,
    row_write,
    saved_share_on_disk,
    saved_time_share,
)
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, read_part, readings, time_part
from ..shared.fixes import serialise_columns

COLUMNS = 50
"""So many different cells of one write are many. The page's example has 1,024; the catalogue warns from fifty on."""
VALUE_BYTES = 32.0
"""Below that, key, names and timestamp are most of a cell."""
MOST_READS = 0.5

SERIALISE = N_("Store the {cells} values in one column: all readers and writers must serialise them")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write of many small columns that most reads of the row kind read together."""
    for rows in row_kinds(spec, estimate):
        # A write has no more cells than the table has columns: most tables need no sizes.
        for write in rows.kind.writes if sum(len(family.columns) for family in rows.table.families) >= COLUMNS else ():
            cells = row_write(rows, write)
            if cells and cells.cell_count >= COLUMNS and cells.value_bytes < VALUE_BYTES:
                yield from _find_violations(rows, cells)


def _find_violations(rows: RowKindFacts, cells: RowWrite) -> Iterator[Violation]:
    reads = rows.reads
    whole = [(read, plan) for read, plan in reads if reads_all_columns(rows, read, cells.columns)]
    share = request_share(reads, whole)
    if share <= MOST_READS:
        return
    read, plan = max(whole, key=lambda pair: pair[1].node_seconds * (pair[1].per_second or 0.0))
    fix = serialise_columns(rows, cells.columns)
    yield Violation(
        at=cells.write.id,
        params={
            "write": element_label(rows.spec, cells.write.id),
            "table": rows.table.label,
            "cells": cells.cell_count,
            "value_bytes": cells.value_bytes,
            "row_bytes": cells.row_bytes,
            "one_bytes": cells.serialized_bytes,
            "disk_share": saved_share_on_disk(rows, cells),
            "requests_share": share,
            "read": read.label,
            "cells_read": plan.cells_returned,
            "cells_then": plan.cells_returned / max(cells.cell_count, 1.0),
            "time_share": saved_time_share(rows, plan, cells),
            "limit": COLUMNS,
        },
        effect=cells.row_bytes - cells.serialized_bytes,
        fix=fix,
        fix_label=SERIALISE if fix is not None else "",
        about=(rows.kind.id,),
    )


def numbered_columns(columns: int, value_bytes: float) -> Part:
    """Build a family with this number of columns, named c001, c002 and so on."""
    value = {"kind": "small_integers", "typical_bytes": value_bytes}
    return {"columns": [{"id": f"c{n:04}", "qualifier": f"c{n:04}", "value": value} for n in range(columns)]}


def _snapshots(columns: int, value_bytes: float) -> Spec:
    reads = (read_part(binds=("device",), time={"days": 1 / 24}),)
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=10,
        family=numbered_columns(columns, value_bytes),
        reads=reads,
    )


RULE = Rule(
    code="C003",
    severity="warning",
    message=N_(
        "{write} writes {cells} columns of {value_bytes} each to a row of {table}. The cells take "
        "{row_bytes}; one serialised column takes {one_bytes}, {disk_share} less on disk. Most requests "
        "({requests_share}) read all columns. For {read}, one column means {cells_then} cells instead of "
        "{cells_read} and saves {time_share} of its node CPU time. The threshold is {limit} columns."
    ),
    check=check,
    bad=lambda: _snapshots(64, 2),
    good=lambda: _snapshots(1, 64 * 4),
    near_miss=lambda: _snapshots(COLUMNS - 1, 2),
    engines=BIGTABLE,
)
