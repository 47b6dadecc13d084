"""Rows are kept for ever because nobody has said how long they must be.

**What** Each event adds a row, and no column family of the table has garbage collection.
**Why** By default, Bigtable keeps every cell indefinitely. The table, its storage cost and finally its nodes grow
without limit, whether or not old rows are read.
**Instead** Choose how long rows must be kept, or that they are kept for ever.
**Fine when** Retention is not decided yet. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.family import Gc, MaxAge, Never
from designer.document.texts import N_
from estimator.facts.endless_rows import EndlessRows, endless_rows
from estimator.results import Choice, Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.examples import design, field_part, read_part, time_part

DAYS = (30, 90, 400)
"""Lifetimes to choose from: a month, a quarter, and a year with a month to compare it."""
UNPRICED = N_(
    "How long must rows of {table} be kept? While this is not stated, for ever: the table grows by {growth_gib} a "
    "month."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per table of rows that nothing ever removes."""
    for found in endless_rows(spec, estimate):
        params: dict[str, object] = {"table": found.table.label, "growth_gib": found.gib_per_month}
        params |= {} if found.cost is None else {"rounded_cost": found.cost}
        message = UNPRICED if found.cost is None else ""
        about = tuple(kind.id for kind in found.table.row_kinds)
        yield Violation(
            found.table.id, params, "families", found.gib_per_month, message=message, about=about,
            choices=tuple(_choices(found)),
        )  # fmt: skip


def _choices(found: EndlessRows) -> Iterator[Choice]:
    for days in DAYS:
        yield Choice(N_("{age_days}"), {"age_days": days}, _collect(found, MaxAge(age_days=days)))
    yield Choice(N_("For ever"), {}, _collect(found, Never()))


def _collect(found: EndlessRows, rule: Gc) -> Edit:
    return all_of([change(family, "gc", rule) for family in found.families])


RULE = Rule(
    code="G008",
    severity="question",
    message=N_(
        "How long must rows of {table} be kept? While this is not stated, for ever: the table grows by {growth_gib} a "
        "month, and at the end of the horizon their storage costs {rounded_cost} a month."
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
    engines=BIGTABLE,
)
