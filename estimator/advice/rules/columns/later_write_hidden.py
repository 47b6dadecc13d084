"""A later write has an earlier timestamp than the value that it replaces.

**What** Two writes put cells into the same column of the same rows and set their timestamps differently far ahead.
**Why** The newest version is that of the latest timestamp. A value that is written later with an earlier timestamp
stays behind the older one until that expires: readers of the newest version, and limits of versions, never see it.
With a short maximum age, a write that sets no timestamp ahead also expires at once.
**Instead** Let all writes of a column set their timestamps equally far ahead, or give each lifetime a column family.
**Fine when** Readers take all versions and do not ask for the newest.
**Source** https://cloud.google.com/bigtable/docs/gc-cell-level (read 2026-11-27)
"""

from collections.abc import Iterator
from itertools import combinations

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Column
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate

from ..shared import BOTH, Rule, Violation
from ..shared.examples import Part, design, field_part, read_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per pair of writes of which one hides what the other writes later."""
    for rows in row_kinds(spec, estimate):
        writes = [write for write in rows.kind.writes if not write.deletes]
        for pair in combinations(writes, 2):
            ahead, behind = sorted(pair, key=lambda write: -write.ahead_days)
            if ahead.ahead_days == behind.ahead_days or not _meet(spec, ahead, behind):
                continue
            column = next(iter(_shared_columns(rows, ahead, behind)), None)
            if column is not None:
                params = {
                    "write": element_label(spec, behind.id),
                    "other": element_label(spec, ahead.id),
                    "column": column.label,
                    "table": rows.table.label,
                    "hidden_days": ahead.ahead_days - behind.ahead_days,
                }
                yield Violation(at=behind.id, field="timestamp_ahead_days", params=params)


def _meet(spec: Spec, first: Write, second: Write) -> bool:
    """Return whether both write into the same rows: where each appends rows of its own, they do not."""
    return not write_mode(spec, first) == write_mode(spec, second) == "append_row"


def _shared_columns(rows: RowKindFacts, first: Write, second: Write) -> Iterator[Column]:
    """Yield the columns with versions that both write."""
    others = {column.id for _, column in written_columns(rows.table, rows.kind, second)}
    for family, column in written_columns(rows.table, rows.kind, first):
        if column.id in others and family.kind == "ordinary" and column.timestamp != "constant":
            yield column


def _two_writes(first: Part, second: Part) -> Spec:
    """Build a design whose rows two activities overwrite, one device each."""
    activities = [
        {"id": name, "name": name, "rate_per_second": 50, "draws": [{"field": "device"}]} for name in ("report", "fix")
    ]
    writes = [
        {"id": f"by-{name}", "name": name, "activity": name, "mode": "overwrite", **more}
        for name, more in (("report", first), ("fix", second))
    ]
    kind = {"id": "rows", "key": [field_part("device")], "writes": writes, "reads": [read_part(binds=("device",))]}
    return design(table={"row_kinds": [kind]}, activities=activities)


RULE = Rule(
    code="C013",
    severity="warning",
    message=N_(
        "{write} sets timestamps {hidden_days} before those of {other} in {column} of {table}. What it writes after "
        "{other} stays hidden behind the older value for up to {hidden_days}."
    ),
    check=check,
    bad=lambda: _two_writes({"timestamp_ahead_days": 10}, {}),
    good=lambda: _two_writes({}, {}),
    near_miss=lambda: _two_writes({"timestamp_ahead_days": 10}, {"timestamp_ahead_days": 10}),
    engines=BOTH,
)
