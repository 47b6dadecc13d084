"""A row has too many attribute columns, or a write sends more than the service accepts.

**What** Rows reach more than 10,000 attribute columns, or one write names more than 1,024.
**Why** The service rejects a request that writes more than 1,024 attribute columns to a row. A row has no column
limit. Above 10,000 columns, a full read of the row may be too slow and time out.
**Instead** Turn columns into rows with the column name as a primary key column. Alternatively, use a separate row
for each period or part of the entity.
**Fine when** Readers always name the few columns that they need, at most 128.
**Source** https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines.tablestore import LIMITS
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import qualifiers, written_columns
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import CARD, cards, column

AT_ONCE = N_("{write} sends {count} attribute columns of one row in a request. The service accepts at most {limit}.")
LARGEST = N_(
    "The largest row of {kind} reaches {count} attribute columns ({row_bytes}), the mean row {mean}. "
    "Above {limit} columns, reading a whole row may be too slow."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that sends too many columns, and per row kind that accumulates too many."""
    most, at_once = LIMITS["columns_recommended"].value, LIMITS["columns_per_write"].value
    for rows in row_kinds(spec, estimate):
        for write in rows.kind.writes:
            count = len(written_columns(rows.table, rows.kind, write))
            if count > at_once:
                params = {"write": element_label(spec, write.id), "count": count, "limit": at_once}
                yield Violation(
                    at=write.id, field="columns", params=params, effect=float(count), severity="error", message=AT_ONCE
                )
        mean, largest, row_bytes = _column_counts(rows)
        if largest > most:
            yield Violation(
                at=rows.kind.id,
                params={
                    "kind": rows.kind.label, "count": largest, "mean": mean, "row_bytes": row_bytes, "limit": most,
                },
                effect=largest,
                message="" if mean > most else LARGEST,
            )  # fmt: skip


def _column_counts(rows: RowKindFacts) -> tuple[float, float, float]:
    """Attribute columns of the mean and of the largest row at the end of the horizon, and the largest one's bytes."""
    size, growth = rows.size, rows.growth
    if size is None or growth is None:
        return 0.0, 0.0, 0.0
    columns_by_id = {column.id: column for family in rows.table.families for column in family.columns}
    many = any(write.mode == "new_column" for write in rows.kind.writes)
    mean = grows = grown_bytes = 0.0
    for column_size in size.columns:
        there = columns_by_id.get(column_size.column)
        if there is None:
            continue
        if there.qualifier_from or many:
            count = column_size.cells_stored
            if there.qualifier_from:
                count = min(count, qualifiers(rows.spec, there, 1e6))
            grows, grown_bytes = grows + count, grown_bytes + column_size.cells_stored * column_size.cell.total
        else:
            count = min(column_size.cells_stored, 1.0)
        mean += count
    largest_bytes = float(growth.largest_bytes[-1])
    more = max(largest_bytes - size.bytes_stored, 0.0)
    largest = mean + (more / grown_bytes * grows if grown_bytes > 0 else 0.0)
    return mean, largest, largest_bytes


def _by_card(seconds: str) -> Spec:
    """Build a design with a row per card and year, month or hour, and a column for each purchase."""
    when = column("period", {"id": "period_part", "kind": "time", "resolution": seconds}, type="INTEGER")
    name = {"id": "name_part", "kind": "time"}
    purchase = {"id": "purchase", "qualifier_from": [name], "value": {"kind": "integer"}}
    by_card = column("card_id", {"id": "card_part", "kind": "field", "field": "card"})
    return cards(
        by_card, when, per_second=5, attributes=(purchase,), fields=(CARD,), write={"mode": "new_column"}, reads=()
    )


RULE = Rule(
    code="C005",
    severity="warning",
    message=N_(
        "Rows of {kind} reach {mean} attribute columns on average, the largest {count} ({row_bytes}). "
        "Above {limit} columns, reading a whole row may be too slow."
    ),
    check=check,
    bad=lambda: _by_card("year"),
    good=lambda: _by_card("day"),
    near_miss=lambda: _by_card("week"),
    engines=TABLESTORE,
)
