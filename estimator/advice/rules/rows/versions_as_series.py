"""A time series is stored as versions of one cell, without a limit.

**What** Each event adds a version to the same cell, without a limit on age or number of versions.
**Why** An entity's whole history is in one row, which is never split and cannot be read above 256 MB. Readers page
through versions to find a time. Only the cell timestamp groups related values.
**Instead** Write a new row per event or per time bucket, or collect versions that no reader needs.
**Fine when** Versions arrive so slowly that no row grows large during the lifetime of the design.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.durations import YEAR_DAYS
from designer.document.family import Column, Family
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.buckets import largest_bytes
from estimator.facts.numbers import date_after, horizon_days
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate, RowGrowth

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import design, field_part, read_part, time_part
from ..shared.fixes import bound_by_reads, is_live
from ..shared.rowsizes import RECOMMENDED, crossing_date, row_name

LIMIT_BYTES = bigtable.LIMITS["row_bytes_recommended"].value
FAR_YEARS = 10.0
"""A row that passes the limit later than that, at the pace of the horizon, is a note."""

FAR = N_(
    "{write} stores a time series as versions of one cell in {table}, without a limit. Growth is "
    "slow: the row of {entity} reaches {largest_bytes} by the end of the horizon. It stays below "
    "{limit_bytes} for {years} years."
)
BOUND = N_("Keep only the cells that readers need")
BOUND_STORED = N_("Keep only the cells that readers need: stored cells beyond that are permanently deleted")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that adds versions without limit to cells of rows."""
    for rows in row_kinds(spec, estimate):
        # A time bucket in the key ends the row, so its versions are limited by the length of the bucket.
        if rows.growth is None or rows.growth.bucket_seconds or _reads_only_newest(rows):
            continue
        unbounded = {g.family for g in rows.part.growth.families if g.row_kind == rows.kind.id and not g.bounded}  # type: ignore[union-attr]
        for write in rows.kind.writes if unbounded else ():
            series = [(f, c) for f, c in written_columns(rows.table, rows.kind, write) if f.id in unbounded]
            if write.mode == "new_cell" and any(not column.qualifier_from for _, column in series):
                yield _build_violation(rows, rows.growth, write, series)


def _reads_only_newest(rows: RowKindFacts) -> bool:
    """Return whether every read wants only the newest version, so that older ones are surplus."""
    reads = rows.kind.reads
    return bool(reads) and all(read.newest_versions == 1 for read in reads)


def _build_violation(
    rows: RowKindFacts, growth: RowGrowth, write: Write, series: list[tuple[Family, Column]]
) -> Violation:
    largest = largest_bytes(rows) or 0.0
    passes_days = _days_to_limit(rows, growth)
    live = is_live(rows.table)
    near = passes_days is not None and passes_days < FAR_YEARS * YEAR_DAYS
    fix = bound_by_reads(rows, series[0][0]) if len({family.id for family, _ in series}) == 1 else None
    return Violation(
        at=write.id,
        field="mode",
        params={
            "write": element_label(rows.spec, write.id),
            "table": rows.table.label,
            "entity": row_name(rows),
            "versions": _versions(rows, growth, write, series[0][1]),
            "largest_bytes": largest,
            "limit_bytes": LIMIT_BYTES,
            "date": crossing_date(rows, RECOMMENDED)
            or (date_after(rows.spec, passes_days) if near and passes_days else None),
            "years": FAR_YEARS,
        },
        message="" if near else FAR,
        effect=largest,
        severity="warning" if near else "note",
        fix=fix,
        fix_safe=not live,
        fix_label="" if fix is None else BOUND_STORED if live else BOUND,
        cause=rows.kind.id,
    )


def _days_to_limit(rows: RowKindFacts, growth: RowGrowth) -> float | None:
    """Days after the start on which the largest row passes the limit, in a straight line from what it is then."""
    first, last = float(growth.largest_bytes[0]), float(growth.largest_bytes[-1])
    if last <= first:
        return None
    return max((LIMIT_BYTES - first) / (last - first), 0.0) * horizon_days(rows.spec)


def _versions(rows: RowKindFacts, growth: RowGrowth, write: Write, column: Column) -> float | None:
    """Versions of one cell of the largest row: nothing is collected, so each event that had it left one."""
    events = growth.largest_events.get(write.id)
    return None if events is None else events * float(effective_value(rows.spec, column, "presence"))


def _metrics(per_second: float, *key: object, **settings: object) -> Spec:
    """Build a design of a thousand devices whose values of the last week are read."""
    return design(
        *(key or (field_part("device"),)),  # type: ignore[arg-type]
        **{
            "per_second": per_second,
            "write": {"mode": "new_cell"},
            "gc": None,
            "reads": (read_part(binds=("device",), cell_days=7, newest_versions=10_000),),
            **settings,
        },  # type: ignore[arg-type]
    )


RULE = Rule(
    code="R005",
    severity="warning",
    message=N_(
        "{write} stores a time series as versions of one cell in {table}, without a limit. By the end of "
        "the horizon, the row of {entity} holds about {versions} versions ({largest_bytes}). At this "
        "rate, it exceeds {limit_bytes} on {date}."
    ),
    check=check,
    bad=lambda: _metrics(100),
    good=lambda: _metrics(
        100,
        field_part("device", "#"),
        time_part(),
        write={"mode": "append_row"},
        gc={"kind": "max_age", "age_days": 30},
        activity={"arrival": {"kind": "every", "seconds": 10, "field": "device"}},
        reads=(read_part(binds=("device",), time={"days": 7}),),
    ),
    near_miss=lambda: _metrics(0.1),
    engines=BIGTABLE,
    under=("R001", "R002", "F004"),
)
