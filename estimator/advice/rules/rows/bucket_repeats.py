"""The name of a time bucket repeats.

**What** The key contains a time without its cycle: a week without its year, an hour without its day.
**Why** When the cycle ends, the names repeat. New cells go to the rows of the previous cycle, and rows grow with
every cycle. A read of one week also returns the same week of last year.
**Instead** Add the year, or the date, before the repeating part.
**Fine when** Rows are shared on purpose, as in statistics by hour of the day. Or the table is one of a rotating set
and is written for one cycle only: its name then tells the cycles apart. Or so few versions are kept that the values of
one cycle replace those of the one before it, as in a ring of hours.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value, write_mode
from designer.document.durations import DAY_SECONDS, MONTH_DAYS, RESOLUTION_SECONDS
from designer.document.key import TimeSegment, shows_time
from designer.document.texts import N_
from designer.wording import resolution_name
from estimator.facts.cycles import dated_pattern, repeat_period
from estimator.facts.numbers import date_after, horizon_days
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.growth.collection import policy
from estimator.kernels.growth.retained_rows import column_policy
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import design, field_part, read_part, time_part

ADDS_UP = ("increment", "add_to_aggregate", "read_modify_write")
"""Modes that add to what is there: with those the last cycle's rows are meant."""

DATED = N_("Add the {cycle} before it")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose readable time repeats while older cells are still stored."""
    for rows in row_kinds(spec, estimate):
        times = [segment for segment in rows.kind.segments if shows_time(segment)]
        modes = {write_mode(spec, write) for write in rows.kind.writes}
        if not times or (modes and modes <= set(ADDS_UP)):
            continue
        for field in {segment.field: None for segment in times}:
            yield from _find_violations(rows, [segment for segment in times if segment.field == field])


def _find_violations(rows: RowKindFacts, times: list[TimeSegment]) -> Iterator[Violation]:
    repeats = repeat_period(times)
    if repeats is None:
        return
    spec, segment, rotation = rows.spec, times[-1], rows.table.rotation
    cycle_days, kept_days = RESOLUTION_SECONDS[repeats] / DAY_SECONDS, _kept_days(rows)
    written_days = math.inf if rotation is None else rotation.period_days
    most_cycles = _cycles_of_versions(rows, cycle_days)
    if kept_days < cycle_days or written_days <= cycle_days or most_cycles <= 1:
        return
    history_days = float(effective_value(spec, rows.table, "history_months")) * MONTH_DAYS
    rounds = min(min(kept_days, written_days, history_days + horizon_days(spec)) / cycle_days, most_cycles)
    pattern = dated_pattern(segment) if len(times) == 1 else None
    name = resolution_name(repeats)
    yield Violation(
        at=segment.id,
        field="pattern",
        params={
            "table": rows.table.label,
            "pattern": segment.pattern,
            "cycle": name,
            "date": date_after(spec, max(cycle_days - history_days, 0.0)),
            "rounds": max(math.ceil(rounds), 2),  # what repeats has a second round
        },
        effect=max(rounds, 1.0),
        fix=change(segment, "pattern", pattern) if pattern else None,
        fix_label=DATED if pattern else "",
        about=(rows.kind.id,),
    )


def _kept_days(rows: RowKindFacts) -> float:
    """Return how long cells of these rows are kept; infinity is for ever [day]."""
    families = {family.id: family for family, _ in columns_of(rows.table, rows.kind)}
    return max((policy(family.gc).age_bound_days for family in families.values()), default=math.inf)


def _cycles_of_versions(rows: RowKindFacts, cycle_days: float) -> float:
    """Return from how many cycles the versions that are kept of a cell come; infinity where no number limits them.

    Columns that are named by data may have other names in each cycle.
    """
    columns = columns_of(rows.table, rows.kind)
    if rows.size is None or rows.size.rows <= 0 or any(column.qualifier_from for _, column in columns):
        return math.inf
    per_second = sum(load.rows_per_second for write, load in rows.writes if not write.deletes)
    # Each row is written in its part of every cycle.
    cells = max(per_second * cycle_days * DAY_SECONDS / rows.size.rows, 1.0)
    return max((column_policy(family, column, 0.0).caps[0] for family, column in columns), default=math.inf) / cells


def _weeks(pattern: str, days: float) -> Spec:
    """Build a design of a thousand devices with a row per device and week."""
    return design(
        field_part("device", "#"),
        time_part(resolution="week", pattern=pattern),
        per_second=10,
        write={"mode": "new_cell"},
        reads=(read_part(binds=("device",), exact_time=True),),
        gc={"kind": "max_age", "age_days": days},
    )


RULE = Rule(
    code="R010",
    severity="warning",
    message=N_(
        "The key of {table} contains a time in the format {pattern}, which repeats every {cycle}. From "
        "{date}, new cells go to the rows of the previous {cycle}. With the current retention, {rounds} "
        "cycles share a row."
    ),
    check=check,
    bad=lambda: _weeks("week%V", 730),
    good=lambda: _weeks("%Gw%V", 730),
    near_miss=lambda: _weeks("week%V", 360),
    engines=BIGTABLE,
)
