"""A read wants the newest columns of a row, but they sort last.

**What** A read wants the newest columns of a row whose qualifiers begin with a time or a counted number, oldest first.
It receives at least twice the cells that it wants.
**Why** The filter that limits the cells of a row keeps the first ones in qualifier order. No filter keeps the last
ones, and a row cannot be read in reverse. So the read takes the whole row, which grows.
**Instead** Store the time in the qualifier reversed (a large number minus the time). Alternatively, ask for a range of
qualifiers, if the caller knows how old the newest columns are.
**Fine when** Rows stay short, or the read needs nearly all columns anyway.
**Source** https://cloud.google.com/bigtable/docs/samples/bigtable-filters-limit-cells-per-row-hbase (read 2026-11-24)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.edits import Edit
from designer.document.key import NOT_REVERSIBLE, Segment, shows_time, sorts_backwards
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, passing_severity
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.traffic.column_ranges import is_named_by_age, leading_segment
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import Part, design, field_part, read_part, time_part

REVERSE = N_("Store {segment} in the qualifier reversed")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read of newest columns that sort last; quiet while rows are not known."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            segment = _ascending_segment(rows, read)
            if segment is None or not plan.has_actual_rows or plan.rows_returned <= 0:
                continue
            column_count, cells = read.newest_columns or 1, plan.cells_returned / plan.rows_returned
            factor = cells / column_count
            if factor < WASTE_FACTOR:
                continue
            fix = _reverse_edit(segment)
            yield Violation(
                at=read.id,
                field="newest_columns",
                params={
                    "read": read.label,
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "wanted": column_count,
                    "cells": cells,
                    "returned_bytes": plan.bytes_returned,
                },
                effect=factor,
                severity=passing_severity(spec, read, plan, factor),
                fix=fix,
                fix_safe=False,
                fix_label=REVERSE if fix is not None else "",
                about=(read.id, segment.id),
            )


def _ascending_segment(rows: RowKindFacts, read: Read) -> Segment | None:
    """Return the first part of the qualifiers asked for, where it sorts the oldest first."""
    for family, column in columns_of(rows.table, rows.kind) if read.newest_columns is not None else ():
        is_asked = column.id in read.columns if read.columns else not read.families or family.id in read.families
        leading = leading_segment(column)
        is_by_age = leading is not None and is_named_by_age(rows.spec, leading)
        if is_asked and leading is not None and is_by_age and not sorts_backwards(leading):
            return leading
    return None


def _reverse_edit(segment: Segment) -> Edit | None:
    if not shows_time(segment) or any(text in segment.pattern for text in NOT_REVERSIBLE):
        return None
    return change(segment, "reversed", True)


def _columns(newest: int, **settings: Part | bool | str) -> Spec:
    """Build a design of a row per device and day, with a column per second."""
    return design(
        field_part("device", "#"),
        time_part(resolution="day", pattern="%Y%m%d"),
        per_second=50,
        write={"mode": "new_column"},
        column={
            "qualifier": "",
            "qualifier_from": [{"id": "second_part", "kind": "time", "resolution": "second", **settings}],
        },
        reads=(read_part(binds=("device",), time={"days": 1}, newest_columns=newest, rate_per_second=200),),
    )


RULE = Rule(
    code="Q008",
    severity="warning",
    message=N_(
        "{read} wants the newest {wanted} columns of each row of {table}, but {segment} sorts them last. No filter "
        "keeps the last columns: each row returns {cells} cells, and a request {returned_bytes}."
    ),
    check=check,
    bad=lambda: _columns(5),
    good=lambda: _columns(5, reversed=True),
    near_miss=lambda: _columns(3_000),
    engines=BIGTABLE,
)
