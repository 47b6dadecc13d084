"""Contents of a comparison in the order of its consequences: figures that differ, those that do not, and the way there.

It does not depend on Django.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import Any, Literal

from designer.document import effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.family import Gc, MaxAge, Union
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.comparison.designs import Comparison
from estimator.comparison.designs.change_messages import times_text
from estimator.comparison.designs.effects import ReadChange
from estimator.comparison.designs.figures import (
    BILLS,
    BUSIEST_PARTITION_KEY,
    CAPACITY,
    HOTTEST_NODE,
    LARGEST_ROW,
    ROWS,
    SERVED_LOAD,
    STORED_BYTES,
    Cell,
    ComparisonRow,
    known_rows,
)
from estimator.comparison.designs.stored_data import rewrite_messages
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.labels import ACCESS
from estimator.results import ReadPlan

Outcome = Literal["rewrite", "better", "worse", ""]
ORDER: tuple[Outcome, ...] = ("rewrite", "better", "worse", "")
"""What must be done comes first."""
SAME_BELOW = 0.01
"""A figure that differs by less of itself, or a share by less than a percentage point, is the same."""
TIMES_FROM = 10.0
"""From this ratio on, a difference is told as a multiple."""
MONTH_COST, FIRST_MONTH_COST = BILLS


@dataclass(frozen=True)
class ConsequenceRow:
    """One figure or kind of rows that is otherwise in the second design."""

    title: Text
    before: Text
    after: Text
    words: Text
    """The difference in words."""
    outcome: Outcome
    detail: Text | None = None
    is_key: bool = False


@dataclass(frozen=True)
class MigrationStep:
    """One thing to do, or that need not be done, on the way from the first design to the second."""

    tone: Literal["good", "warning", "read"]
    title: Text
    detail: Text | None = None


@dataclass(frozen=True)
class BillBar:
    """One bar of the bill as a difference: where it begins and its length, as shares of the longer bill."""

    kind: Literal["total", "less", "more"]
    left: float
    width: float

    @property
    def sides(self) -> tuple[tuple[str, float], ...]:
        """Its measures by the names that style sheets have for them."""
        return ("left", self.left), ("width", self.width)


# --- what differs -----------------------------------------------------------------------------------------------------


def consequence_rows(compared: Comparison, *, shows_cost: bool) -> tuple[ConsequenceRow, ...]:
    """Return what differs: stored data to rewrite, what is better, what is worse, the rest."""
    rows = (
        *_stored_data_rows(compared),
        *_figure_rows(compared, shows_cost=shows_cost),
        *map(_read_row, compared.together.reads),
    )
    return tuple(sorted(rows, key=lambda row: ORDER.index(row.outcome)))


def same_figures(compared: Comparison, *, shows_cost: bool) -> tuple[tuple[Text, Text], ...]:
    """Return the figures that are the same in both designs, with their value."""
    return tuple(
        (row.title, _value(row, row.cells[1])) for row in _metric_rows(compared, shows_cost=shows_cost) if _is_same(row)
    )


def _stored_data_rows(compared: Comparison) -> Iterator[ConsequenceRow]:
    rewritten = rewrite_messages(compared.before.spec, compared.after.spec)
    for text in rewritten.values():
        yield ConsequenceRow(
            Text(N_("Row key of {kind}"), {"kind": text.params["kind"]}),
            Text("{key}", {"key": text.params["was"]}),
            Text("{key}", {"key": text.params["now"]}),
            Text(N_("Rewrite needed")),
            "rewrite",
            is_key=True,
        )
    for described in compared.changes:
        for text in described.stored:
            if text not in rewritten.values():
                title = Text("{place}", {"place": " › ".join(described.change.place)})
                yield ConsequenceRow(title, Text(""), Text(""), text, "rewrite")


def _metric_rows(compared: Comparison, *, shows_cost: bool) -> tuple[ComparisonRow, ...]:
    loads = (SERVED_LOAD, HOTTEST_NODE, BUSIEST_PARTITION_KEY)
    metrics = (*loads, *([MONTH_COST] if shows_cost else ()), *CAPACITY, ROWS, STORED_BYTES, LARGEST_ROW)
    return known_rows(metrics, (compared.before, compared.after))


def _figure_rows(compared: Comparison, *, shows_cost: bool) -> Iterator[ConsequenceRow]:
    for row in _metric_rows(compared, shows_cost=shows_cost):
        if not _is_same(row):
            first, other = row.cells
            outcome: Outcome = "better" if other.verdict == "better" else "worse" if other.verdict == "worse" else ""
            yield ConsequenceRow(row.title, _value(row, first), _value(row, other), _difference(row), outcome)


def _value(row: ComparisonRow, cell: Cell) -> Text:
    text = Text("{value_" + row.unit + "}", {"value_" + row.unit: cell.value})
    return Text("≥\u00a0{value}", {"value": text}) if cell.at_least else text


def _is_same(row: ComparisonRow) -> bool:
    first, other = row.cells
    if isinstance(first.value, Money) or isinstance(other.value, Money):
        return isinstance(other.more, Money) and not other.more.amount
    if first.value is None or other.value is None:
        return False
    least = SAME_BELOW if row.unit == "share" else SAME_BELOW * max(abs(first.value), abs(other.value))
    return bool(abs(other.value - first.value) < least or first.value == other.value)


def _difference(row: ComparisonRow) -> Text:
    """Return the second value's difference from the first, in words."""
    first, other = (cell.value for cell in row.cells)
    more = row.cells[1].more
    if first is None or other is None or more is None:
        return Text(N_("not comparable"))
    if isinstance(more, Money):
        cost = Money(abs(more.amount), more.currency)
        return Text(N_("{cost} more") if more.amount > 0 else N_("{cost} less"), {"cost": cost})
    if row.unit == "share":
        return _points(first, other, is_better=row.cells[1].verdict == "better")
    return _ratio(first, other, is_counted=row.unit == "count")


def _points(first: float, other: float, *, is_better: bool) -> Text:
    # Of the shares as they are told: 144 % and 58 % differ by 86 points.
    points = {"points": max(abs(round(100 * other) - round(100 * first)), 1)}
    if is_better:
        return Text(N_("{points} percentage points better"), points)
    return Text(N_("{points} percentage points worse"), points)


def _ratio(first: float, other: float, *, is_counted: bool) -> Text:
    """Return how many times, or by which share, the second of two figures is less or more than the first."""
    least, most = sorted((float(first), float(other)))
    if least <= 0:
        return Text(N_("more than before") if other > first else N_("less than before"))
    if is_counted and most / least >= TIMES_FROM:
        return times_text(first, other)
    message = N_("{share_change} more") if other > first else N_("{share_change} less")
    return Text(message, {"share_change": (other - first) / first})


def _read_row(change: ReadChange) -> ConsequenceRow:
    title = Text("{read}", {"read": change.name})
    before, after = (_rows_scanned(plan) for plan in (change.before, change.after))
    if change.before is None or change.after is None:
        words = Text(N_("New read") if change.before is None else N_("Read is removed"))
        return ConsequenceRow(title, before, after, words, "")
    accesses = tuple(Text(ACCESS[plan.access]) for plan in (change.before, change.after))
    words, outcome = Text(N_("{was}, now {now}"), {"was": accesses[0], "now": accesses[1]}), "worse"
    are_known = change.before.has_actual_rows and change.after.has_actual_rows
    if are_known and change.before.rows_to_scan != change.after.rows_to_scan:
        ratio = _ratio(change.before.rows_to_scan, change.after.rows_to_scan, is_counted=True)
        words = ratio if accesses[0] == accesses[1] else Text("{ratio}; {words}", {"ratio": ratio, "words": words})
    elif accesses[0] == accesses[1]:
        words = Text(N_("{count} ranges"), {"count": float(change.after.ranges)})
    is_less = are_known and change.after.rows_to_scan < change.before.rows_to_scan
    detail = Text(N_("rows scanned for {rows} wanted"), {"rows": float(change.after.rows_to_return)})
    return ConsequenceRow(
        title, before, after, words,
        outcome if change.is_worse else "better" if is_less else "",  # type: ignore[arg-type]
        detail if are_known else None,
    )  # fmt: skip


def _rows_scanned(plan: ReadPlan | None) -> Text:
    if plan is None:
        return Text("–")
    if not plan.has_actual_rows:
        return Text(ACCESS[plan.access])
    return Text("{rows}", {"rows": float(plan.rows_to_scan)})


# --- the bill, and the way there --------------------------------------------------------------------------------------


def bill_bars(
    compared: Comparison, lines: tuple[LineChange, ...]
) -> tuple[BillBar, dict[int, BillBar], BillBar] | None:
    """Return the bar of the first bill, one for each line that differs (by position), and that of the second bill.

    None where the bills cannot be compared line by line.
    """
    before, after = compared.bill.before, compared.bill.after
    if before is None or after is None or before.currency != after.currency or compared.bill.open_lines:
        return None
    ends = list(accumulate((line.difference or Decimal(0) for line in lines), initial=before.total))
    longest = max(*ends, after.total)
    if longest <= 0:
        return None
    # Each step begins where the one before it ended.
    bars = {
        at: BillBar(
            "less" if end < start else "more", float(min(start, end) / longest), float(abs(end - start) / longest)
        )
        for at, (start, end) in enumerate(pairwise(ends))
        if start != end
    }
    first, other = (BillBar("total", 0.0, float(bill.total / longest)) for bill in (before, after))
    return first, bars, other


def migration_steps(compared: Comparison, today: datetime.date) -> tuple[MigrationStep, ...]:
    """Return what has to be done with stored rows and readers to get from the first design to the second."""
    before, after = compared.before, compared.after
    rewritten = rewrite_messages(before.spec, after.spec)
    steps: list[MigrationStep] = []
    for table, kind in after.spec.row_kinds():
        if kind.id in rewritten:
            steps += _copying(compared, table, rewritten[kind.id].params["kind"], today)
    for text in (text for change in compared.changes for text in change.stored):
        if text not in rewritten.values() and not any(step.title == text for step in steps):
            steps.append(MigrationStep("warning", text))
    reads = [read.name for read in compared.together.reads if read.before is not None and read.after is not None]
    if rewritten and reads:
        title = Text(N_("Readers use the new key: {count} reads"), {"count": len(reads)})
        steps.append(MigrationStep("read", title, Text("{reads}", {"reads": tuple(reads)})))
    if not steps:
        steps.append(MigrationStep("good", Text(N_("Stored rows stay as they are."))))
    return tuple(steps)


def _copying(compared: Comparison, table: Table, kind: Any, today: datetime.date) -> Iterator[MigrationStep]:
    spec = compared.before.spec
    start, old = spec.start or spec.default_start, spec.by_id.get(table.id)
    is_empty = isinstance(old, Table) and not effective_value(spec, old, "history_months")
    is_to_come = start is not None and start > today and is_empty
    if is_to_come:
        yield MigrationStep(
            "good", Text(N_("Before {date}: nothing"), {"date": start}), Text(N_("No row is stored yet."))
        )
    was = compared.before.estimate.tables.get(table.id)
    rows = float(was.growth.rows[-1]) if was and was.growth else None
    title = Text(N_("Copy the rows of {kind}"), {"kind": kind})
    if rows is not None:
        message = (
            N_("Later: copy up to {rows} rows of {kind}") if is_to_come else N_("Copy up to {rows} rows of {kind}")
        )
        title = Text(message, {"rows": rows, "kind": kind})
    days = expiry_days(old)
    detail = None
    if days is not None:
        message = N_("Or write to both tables for {kept_days}, until the old rows have expired.")
        detail = Text(message, {"kept_days": days})
    yield MigrationStep("warning", title, detail)


def expiry_days(table: Any) -> float | None:
    """Return the age at which every cell of a table has expired; None if some cells never expire by age."""
    if not isinstance(table, Table):
        return None
    if table.tablestore is not None:
        ttl_seconds = table.tablestore.ttl_seconds
        return ttl_seconds / DAY_SECONDS if ttl_seconds is not None and ttl_seconds > 0 else None
    ages = [_expiry(family.gc) for family in table.families]
    return None if not ages or None in ages else max(age for age in ages if age is not None)


def _expiry(gc: Gc | None) -> float | None:
    match gc:
        case MaxAge():
            return gc.age_days
        case Union():
            ages = [age for age in map(_expiry, gc.rules) if age is not None]
            return min(ages, default=None)
        case _:
            return None
