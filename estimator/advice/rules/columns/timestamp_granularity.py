"""A cell's timestamp is finer than the engine accepts.

**What** The writer sets cell timestamps from the event time, in microseconds.
**Why** The field holds microseconds, but a table keeps milliseconds. The engine rejects a timestamp that is not a
multiple of 1,000, and the whole mutation with it. 1 in 1,000 succeeds, so a small test may not show the problem.
**Instead** Truncate the timestamp to milliseconds. If events can be closer together, put the finer time in the
qualifier or the key.
**Fine when** Never. The writes fail.
**Source** https://cloud.google.com/bigtable/docs/reference/data/rpc/google.bigtable.v2 (read 2026-11-20)
https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.facts.reading import row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part

REFUSED_SHARE = 0.999
"""Of times to the microsecond, all but those that happen to be whole milliseconds."""

UNRATED = N_(
    "Timestamps of {column} in {table} have microseconds. The engine accepts whole milliseconds only "
    "and rejects 999 of 1,000 writes."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per column whose explicit timestamps have microseconds."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                if column.timestamp == "event" and column.timestamp_resolution == "microsecond":
                    rate = _writes_per_second(spec, estimate, column.id)
                    yield Violation(
                        at=column.id,
                        field="timestamp_resolution",
                        params={
                            "column": shorten(element_label(spec, column.id)),
                            "table": table.label,
                            "refused_per_second": rate * REFUSED_SHARE,
                        },
                        message="" if rate else UNRATED,
                        effect=rate * REFUSED_SHARE,
                    )


def _writes_per_second(spec: Spec, estimate: Estimate, column: str) -> float:
    """Return the rate of writes that set this column; 0 while no rate is known [1/s]."""
    return sum(
        load.rows_per_second
        for rows in row_kinds(spec, estimate)
        for write, load in rows.writes
        if any(c.id == column for _, c in written_columns(rows.table, rows.kind, write))
    )


def _timestamps_design(resolution: str) -> Spec:
    return readings(
        field_part("device", "#"),
        time_part(resolution="day", pattern="%Y%m%d"),
        per_second=100,
        write={"mode": "new_cell"},
        column={"timestamp": "event", "timestamp_resolution": resolution},
        reads=(read_part(binds=("device",), exact_time=True),),
    )


RULE = Rule(
    code="C010",
    severity="error",
    message=N_(
        "Timestamps of {column} in {table} have microseconds. The engine accepts whole milliseconds only "
        "and rejects 999 of 1,000 writes: {refused_per_second}."
    ),
    check=check,
    bad=lambda: _timestamps_design("microsecond"),
    good=lambda: _timestamps_design("millisecond"),
    near_miss=lambda: _timestamps_design("millisecond"),
    engines=BIGTABLE,
)
