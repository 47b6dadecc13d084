"""Rows are kept forever because no retention is set.

**What** Each event adds a row, and no column family of the table has garbage collection. On Tablestore, the table has
no time to live.
**Why** By default, both engines keep data indefinitely. The table, its storage cost and, on Bigtable, finally its nodes
grow without limit, whether or not old rows are read.
**Instead** Choose how long rows must be kept, or that they are kept forever.
**Fine when** Retention is not decided yet. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
https://help.aliyun.com/en/tablestore/data-versions-and-ttl (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.engines import description_of
from designer.document.family import Gc, MaxAge, Never
from designer.document.table import TTL_FOREVER, Tablestore
from designer.document.texts import N_
from estimator.facts.unlimited_rows import EndlessRows, endless_rows
from estimator.results import Choice, Estimate

from ..shared import Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.examples import design, field_part, read_part, time_part

DAYS = (30, 90, 400)
"""Lifetimes to choose from: a month, a quarter, and a year with a month to compare it."""
"""Tablestore's time to live of data that never expires."""
UNPRICED = N_(
    "How long must rows of {table} be kept? Without an answer, they are kept forever: the table grows by {growth_gib} "
    "a month."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per table of rows that nothing ever removes."""
    by_family = description_of(spec).has_families
    for rows in endless_rows(spec, estimate):
        params: dict[str, object] = {"table": rows.table.label, "growth_gib": rows.gib_per_month}
        params |= {} if rows.cost is None else {"rounded_cost": rows.cost}
        message = UNPRICED if rows.cost is None else ""
        about = tuple(kind.id for kind in rows.table.row_kinds)
        yield Violation(
            rows.table.id, params, "families" if by_family else "tablestore", rows.gib_per_month,
            message=message, about=about, choices=tuple(_choices(rows, by_family=by_family)),
        )  # fmt: skip


def _choices(rows: EndlessRows, *, by_family: bool) -> Iterator[Choice]:
    for days in DAYS:
        seconds = int(days * DAY_SECONDS)
        edit = _collect(rows, MaxAge(age_days=days)) if by_family else _expire(rows, seconds)
        yield Choice(N_("{age_days}"), {"age_days": days}, edit)
    yield Choice(N_("Forever"), {}, _collect(rows, Never()) if by_family else _expire(rows, TTL_FOREVER))


def _collect(rows: EndlessRows, rule: Gc) -> Edit:
    return all_of([change(family, "gc", rule) for family in rows.families])


def _expire(rows: EndlessRows, seconds: int) -> Edit:
    settings = rows.table.tablestore or Tablestore()
    return change(rows.table, "tablestore", settings.model_copy(update={"ttl_seconds": seconds}))


RULE = Rule(
    code="G008",
    severity="question",
    message=N_(
        "How long must rows of {table} be kept? Without an answer, they are kept forever: the table grows by "
        "{growth_gib} a month. By the end of the horizon, storing them costs {rounded_cost} a month."
    ),
    check=check,
    bad=lambda: design(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        gc=None,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    ),
    good=lambda: design(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    ),
    near_miss=lambda: design(
        field_part("device", "#"),
        time_part(),
        per_second=0.001,
        gc=None,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    ),
)
