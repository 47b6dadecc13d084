"""Column names are a large part of the stored data.

**What** Column names take a fifth or more of a table's bytes.
**Why** Columns have no schema: each cell stores, reads and sends the column name. Compression removes most of it on
disk, but not in memory, in replication or in responses. Tablestore bills every byte.
**Instead** Use names of one or two letters and document their meaning elsewhere, or serialise columns that are read
together.
**Fine when** The table is small, or readable names are worth their cost.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://help.aliyun.com/en/tablestore/product-overview/storage-usage (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.engines import GiB
from estimator.facts.billing import stored_cost
from estimator.kernels.growth.compression import NAMES
from estimator.results import ColumnSize, Estimate, TablePart

from ..shared import Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part
from ..shared.fixes import shorten_names

SHORT_BYTES = 2
"""A letter or two are enough to tell the columns of a family apart."""
HEAVY_SHARE = 0.2
"""From a fifth of the bytes on, shorter names show in what is read and sent."""
SAVED_GIB = 10.0
"""Less, before compression, is not worth a line."""

UNPRICED = N_(
    "Column names take {names_share} of the bytes in {table}: {names_bytes} before compression. The "
    "largest share is {column}, at {name_bytes} per cell. With names of {short_bytes}, the table is "
    "{saved_share} smaller wherever it is not compressed."
)
BILLED = N_(
    "Column names take {names_share} of the bytes in {table}: {names_bytes}. The largest share is "
    "{column}, at {name_bytes} per cell. Every byte is billed: with names of {short_bytes}, the "
    "table is {saved_share} smaller and saves {saved_cost} a month."
)
SHORTEN = N_("Shorten {columns} names: all readers and writers must use the new ones")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table whose fixed names take a fifth of its bytes more than short names would."""
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if part is not None and part.sizes:
            yield from _find_violations(spec, estimate, table, part)


def _find_violations(spec: Spec, estimate: Estimate, table: Table, part: TablePart) -> Iterator[Violation]:
    columns_by_id = {
        c.id: c for family in table.families for c in family.columns if c.qualifier and not c.qualifier_from
    }
    sizes = [(size, rows.rows) for rows in part.sizes.values() for size in rows.columns]
    total = sum(_bytes(size, rows, size.cell.total) for size, rows in sizes)
    total += sum(rows.rows * rows.row_bytes for rows in part.sizes.values())
    saved = sum(
        _bytes(s, rows, max(s.cell.qualifier - SHORT_BYTES, 0)) for s, rows in sizes if s.column in columns_by_id
    )
    if total <= 0 or saved < HEAVY_SHARE * total or saved < SAVED_GIB * GiB:
        return
    names = sum(_bytes(size, rows, size.cell.qualifier) for size, rows in sizes if size.column in columns_by_id)
    mine = [size for size in sizes if size[0].column in columns_by_id]
    heaviest = max(mine, key=lambda pair: _bytes(pair[0], pair[1], pair[0].cell.qualifier))
    column = columns_by_id[heaviest[0].column]
    cost = stored_cost(estimate, saved * _compressed_share(part))
    fix, renames = shorten_names(list(columns_by_id.values()), longer_than=SHORT_BYTES)
    yield Violation(
        at=column.id,
        field="qualifier",
        params={
            "table": table.label,
            "names_share": names / total,
            "names_bytes": names,
            "column": shorten(element_label(spec, column.id)),
            "name_bytes": heaviest[0].cell.qualifier,
            "short_bytes": SHORT_BYTES,
            "saved_share": saved / total,
            "saved_cost": cost,
            "columns": renames,
        },
        message=UNPRICED if cost is None else "",
        effect=saved / total,
        fix=fix,
        fix_label=SHORTEN if fix is not None else "",
    )


def _bytes(size: ColumnSize, rows: float, cell_bytes: float) -> float:
    return size.cells_stored * rows * cell_bytes


def _compressed_share(part: TablePart) -> float:
    """Return the share of names left on disk; they repeat in every row and compress better than the table."""
    growth = part.growth
    # Only what is stated or calibrated is taken for names, too: a measured share is of all bytes together.
    if growth is not None and (growth.compression_origin not in ("guess", "measured") or growth.compressed_share == 1):
        return growth.compressed_share
    return NAMES.typical


def _reports_design(*names: str) -> Spec:
    """Build a design of a thousand devices that report small values every second; reads take one report."""
    columns = [{"id": f"c{n}", "qualifier": q, "value": {"kind": "integer"}} for n, q in enumerate(names)]
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=1_000,
        family={"columns": columns},
        reads=(read_part(binds=("device",), exact_time=True),),
    )


RULE = Rule(
    code="C002",
    severity="note",
    message=N_(
        "Column names take {names_share} of the bytes in {table}: {names_bytes} before compression. The "
        "largest share is {column}, at {name_bytes} per cell. With names of {short_bytes}, the table is "
        "{saved_share} smaller wherever it is not compressed. On disk, that saves about {saved_cost} a "
        "month."
    ),
    messages={"tablestore": {"": BILLED}},
    check=check,
    bad=lambda: _reports_design("temperature_in_degrees_celsius", "humidity_in_percent_relative"),
    good=lambda: _reports_design("t", "h"),
    near_miss=lambda: _reports_design("temperature", "humidity"),
)
