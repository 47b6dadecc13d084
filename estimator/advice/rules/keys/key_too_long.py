"""A row key is too long.

**What** A table's longest key exceeds the engine's limit. On Tablestore, the limit applies to each primary key
column.
**Why** Bigtable rejects writes with a row key above 4 KiB. Tablestore rejects writes with a String or Binary
primary key column above 1 KB. Rows with the longest values are never stored.
**Instead** Shorten the longest segment: put an ID or a hash in the key and the text itself in a column.
**Fine when** Never. This is a hard limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.texts import N_
from designer.wording import element_label, segment_label
from estimator.engines import bigtable, tablestore
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import design, field_part, time_part

LIMIT = bigtable.LIMITS["key_bytes"]
COLUMN_LIMIT = tablestore.LIMITS["key_value_bytes"]

COLUMN = N_(
    "The longest value of {column}, a primary key column of {table}, is {longest_bytes}. The engine "
    "rejects values above {limit_bytes}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind, at the segment that is longest in its longest key."""
    for rows in row_kinds(spec, estimate):
        if description_of(spec).has_key_columns:
            yield from _columns(rows)
        elif rows.facts and rows.facts.bytes_max > LIMIT.value:
            segment, facts = max(rows.segments, key=lambda pair: pair[1].bytes_max)
            yield Violation(
                at=segment.id,
                params={
                    "table": rows.table.label,
                    "longest_bytes": rows.facts.bytes_max,
                    "limit_bytes": LIMIT.value,
                    "segment": segment_label(spec, segment),
                    "segment_bytes": facts.bytes_max,
                },
                effect=float(rows.facts.bytes_max),
            )


def _columns(rows: RowKindFacts) -> Iterator[Violation]:
    """Primary-key columns of text or bytes are limited each by itself."""
    for column in rows.facts.columns if rows.facts else ():
        if column.type != "INTEGER" and column.bytes_max > COLUMN_LIMIT.value:
            yield Violation(
                at=column.id,
                params={
                    "table": rows.table.label,
                    "column": element_label(rows.spec, column.id),
                    "longest_bytes": column.bytes_max,
                    "limit_bytes": COLUMN_LIMIT.value,
                },
                message=COLUMN,
                effect=float(column.bytes_max),
            )


RULE = Rule(
    code="K002",
    severity="error",
    message=N_(
        "The longest key of {table} is {longest_bytes}. The engine rejects keys above {limit_bytes}. The "
        "longest segment is {segment}: {segment_bytes}."
    ),
    check=check,
    bad=lambda: _with_text_of(5_000),
    good=lambda: _with_text_of(40),
    near_miss=lambda: _with_text_of(int(LIMIT.value) - len("#") - len("1767225600000")),
)


def _with_text_of(maximum: int) -> Spec:
    text = {
        "id": "page",
        "name": "page",
        "values": {"kind": "random", "min": 20, "max": maximum, "typical": 30},
        "distinct": 1_000,
        "popularity": {"kind": "uniform"},
    }
    return design(field_part("page", "#"), time_part(), fields=(text,), per_second=100)
