"""Writes that must be applied together go to several rows.

**What** A write and other writes of the same event must succeed or fail together. However, they go to different
rows.
**Why** Only changes to one row are atomic. Between two rows, a request can fail or a read can occur. The changes
can reach another cluster at different times. The engine does not reconcile them.
**Instead** Keep data that changes together in one row, in several column families. Alternatively, make incomplete
writes repairable: make them idempotent, and check for orphans.
**Fine when** A job repairs incomplete writes, and readers tolerate them until then. In that case, the write does
not need to be applied together.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.activity import Activity
from designer.document.table import RowKind, Table
from designer.document.texts import N_, TextList
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, USER, design, field_part, read_part

UNRATED = N_(
    "{write} must be applied together with all other writes of {activity}: {rows_per_event} rows in "
    "{tables}. Only changes to a single row are atomic."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per activity with a write together with others that takes several rows."""
    bound = {w.activity: None for _, kind in spec.row_kinds() for w in kind.writes if w.together and w.activity}
    for activity_id in bound:
        writes = [(t, k, w) for t, k in spec.row_kinds() for w in k.writes if w.activity == activity_id]
        rows = _rows(spec, writes)
        if rows > 1:
            yield _build_violation(spec, estimate, spec.find(activity_id or ""), rows, writes)


def _rows(spec: Spec, writes: list[tuple[Table, RowKind, Write]]) -> float:
    """Rows that one event changes; writes to one row kind meet in its row, and the engine itself keeps its views."""
    of_kind = dict[str, float]()
    for table, kind, write in writes:
        if table.derived_from is None or not table.derived_from.is_written_by_engine:
            # A write of fewer rows than events still changes a whole one when it comes.
            many = max(float(effective_value(spec, write, "rows_per_event")), 1.0)
            of_kind[kind.id] = max(of_kind.get(kind.id, 0.0), many)
    return sum(of_kind.values())


def _build_violation(
    spec: Spec, estimate: Estimate, activity: Activity, rows: float, writes: list[tuple[Table, RowKind, Write]]
) -> Violation:
    table, _, first = next(write for write in writes if write[2].together)
    rate = _events_per_second(spec, estimate, table, first)
    return Violation(
        at=first.id,
        field="together",
        params={
            "write": first.label,
            "activity": activity.label,
            "rows_per_event": rows,
            "tables": TextList({table.label: None for table, _, _ in writes}),
            "rate_per_second": rate,
        },
        message="" if rate is not None else UNRATED,
        effect=rows if rate is None else rate * (rows - 1),
        about=(activity.id,),
    )


def _events_per_second(spec: Spec, estimate: Estimate, table: Table, write: Write) -> float | None:
    part = estimate.tables.get(table.id)
    loads = part.traffic.writes if part and part.traffic else ()
    rate = next((load.rows_per_second for load in loads if load.write == write.id), None)
    return None if rate is None else rate / float(effective_value(spec, write, "rows_per_event"))


def _accounts(*, one_row: bool, together: bool = True) -> Spec:
    """Build a design of users' profiles and settings that change together."""
    usual = {"activity": "activity", "mode": "overwrite", "together": together}
    other = {"id": "settings", "name": "change settings", **usual}
    own = {"id": "write", "name": "change profile", **usual}
    key = (field_part("user"),)
    profile = {"id": "rows", "name": "profile", "key": key, "reads": (read_part(binds=("user",)),)}
    second = {"id": "second", "name": "settings", "writes": [other], "reads": (read_part(id="other", binds=("user",)),)}
    prefixed = (
        {"id": "kind", "kind": "literal", "text": "settings", "after": "#"},
        {**field_part("user"), "id": "again"},
    )
    kinds = [{**profile, "writes": [own, other]}] if one_row else [{**profile, "writes": [own]}, second]
    if not one_row:
        kinds[1] = {**second, "key": prefixed}
    return design(fields=(USER,), per_second=100, gc=NEWEST_ONLY, table={"row_kinds": kinds})


RULE = Rule(
    code="R006",
    severity="warning",
    message=N_(
        "{write} must be applied together with all other writes of {activity}: {rows_per_event} rows in "
        "{tables}. Only changes to a single row are atomic. Each event ({rate_per_second}) is briefly "
        "incomplete, and stays incomplete if a request fails."
    ),
    check=check,
    bad=lambda: _accounts(one_row=False),
    good=lambda: _accounts(one_row=True),
    near_miss=lambda: _accounts(one_row=False, together=False),
    engines=BIGTABLE,
)
