"""A trial on an engine: tables are made, filled, read and deleted again, and what differs from the plan is said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from designer.wording.formatting import english
from reviews.exports.key_code.cell_filters import CellFilter

from .outline import planned_read, planned_table
from .plan import TrialPlan
from .requests import RangeRequest
from .results import (
    Content,
    DefinitionKind,
    FindingKind,
    TrialFinding,
    TrialResult,
    TriedRead,
    TriedTable,
)
from .tables import PlannedRead, TrialTable

FoundCell = tuple[str, bytes, int, bytes]
"""Family, qualifier, age at the moment of the trial in microseconds, value."""


@dataclass(frozen=True)
class FoundRow:
    """A row as the engine returns it."""

    key: bytes
    cells: tuple[FoundCell, ...]


@dataclass(frozen=True)
class FoundTable:
    """Definitions of a table that was made."""

    rules: Mapping[str, str]
    """Of each family, as cbt has them."""
    types: Mapping[str, str]
    """Of aggregates, as cbt has them."""
    split_keys: frozenset[bytes] | None
    """Borders of its tablets; None: the engine does not tell."""
    definitions: Mapping[tuple[DefinitionKind, str], str] = field(default_factory=dict)
    """Of a table without families, by what they are and of which secondary index."""


class EngineError(Exception):
    """A refusal of the engine, with its own reason."""


class EngineUnreachableError(Exception):
    """No answer, or no access: the trial ends."""


class TrialEngine(Protocol):
    """An engine on which designs are tried; every call may raise `EngineError`, or `EngineUnreachableError`."""

    def reach(self) -> None:
        """Ask for anything, so that an address without an answer is known before anything is made."""

    def create(self, table: Any) -> str:
        """Make a table under a name of its own, and return the name."""

    def describe(self, table: Any) -> FoundTable:
        """Return what the engine tells of a table that was made."""

    def write(self, table: Any) -> None:
        """Write all rows of a table."""

    def read(
        self, table: str, request: RangeRequest, filters: Sequence[CellFilter], *, is_reversed: bool
    ) -> tuple[list[FoundRow], int | None]:
        """Return the rows of one request to the table with this id, and the number of those that were looked at."""

    def drop(self) -> dict[str, str]:
        """Delete all tables that were made; return those that could not be, with the reasons."""


def run_trial(
    plan: TrialPlan, engine: TrialEngine, result: TrialResult, *, has_time: Callable[[], bool]
) -> TrialResult:
    """Return the result of a trial; its tables are deleted however it ends, or named in notes of the exception.

    Parameters
    ----------
    plan
        What is done.
    engine
        Where.
    result
        The same trial before it is run, with its target and its date.
    has_time
        Whether there is time left; asked before each step.
    """
    run = _Run(engine, has_time)
    try:
        run.try_tables(plan.tables)
        run.try_reads(plan.reads)
    except BaseException as error:
        # Ctrl-C and errors of our own, too: tables that are left cost money. Notes keep the exception as it is.
        for finding in _deletion_findings(engine.drop()):
            error.add_note(english(finding.text.message, finding.text.params))
        raise
    run.findings += _deletion_findings(engine.drop())
    return replace(result, tables=tuple(run.tables), reads=tuple(run.reads), findings=tuple(run.findings))


def _deletion_findings(tables: Mapping[str, str]) -> list[TrialFinding]:
    return [TrialFinding("left", "", {"table": name, "reason": why}) for name, why in tables.items()]


@dataclass
class _Run:
    """A trial while it runs."""

    engine: TrialEngine
    has_time: Callable[[], bool]
    tables: list[TriedTable] = field(default_factory=list)
    reads: list[TriedRead] = field(default_factory=list)
    findings: list[TrialFinding] = field(default_factory=list)
    filled: set[str] = field(default_factory=set)
    """Ids of tables whose rows are there."""

    def try_tables(self, tables: Sequence[TrialTable]) -> None:
        for table in tables:
            if not self._is_in_time():
                return
            self.tables.append(self._try_table(table))

    def _try_table(self, table: TrialTable) -> TriedTable:
        tried, at = planned_table(table), table.table.id
        step: FindingKind = "table_refused"
        try:
            tried = replace(tried, made_as=self.engine.create(table))
            description = self.engine.describe(table)
            tried = self._compare_definitions(table, tried, description)
            step = "write_refused"
            self.engine.write(table)
            # Everything is read back at once: what was written is what reads are compared with.
            rows, _ = self.engine.read(at, RangeRequest(()), (), is_reversed=False)
            # Only tables that took all rows are read, since every read of the others would differ.
            self.filled.add(at)
        except EngineError as error:
            self.findings.append(TrialFinding(step, at, {"reason": str(error)}))
            return tried
        content = _content(table, rows)
        self.findings += [
            TrialFinding(kind, at, params) for kind, params in _content_differences(tried.written, content)
        ]  # fmt: skip
        return replace(tried, found=content)

    def _compare_definitions(self, table: TrialTable, tried: TriedTable, description: FoundTable) -> TriedTable:
        families = []
        for planned in tried.families:
            rule = description.rules.get(planned.name)
            families.append(replace(planned, found_rule=rule))
            at, params = planned.family, {"family": planned.name}
            if rule is None:
                self.findings.append(TrialFinding("family_missing", at, params))
                continue
            if rule != planned.designed_rule:
                self.findings.append(
                    TrialFinding("rule", at, {**params, "found": rule, "designed": planned.designed_rule})
                )
            target_type, there = table.types.get(planned.name, ""), description.types.get(planned.name, "")
            if target_type != there:
                self.findings.append(TrialFinding("type", at, {**params, "found": there, "designed": target_type}))
        for name in sorted(description.rules.keys() - {family.name for family in tried.families}):
            self.findings.append(TrialFinding("family_surplus", table.table.id, {"family": name}))
        definitions = tuple(
            replace(definition, found=description.definitions.get((definition.kind, definition.name)))
            for definition in tried.definitions
        )
        for one in definitions:
            if one.found != one.designed:
                differing = {"name": one.name, "found": one.found or "–", "designed": one.designed}
                self.findings.append(TrialFinding(one.kind, one.element, differing))
        splits = None if description.split_keys is None else len(description.split_keys.intersection(table.splits))
        if splits is not None and splits != tried.split_keys:
            params_of_splits = {"found": splits, "designed": tried.split_keys}
            self.findings.append(TrialFinding("splits", tried.table, params_of_splits))
        return replace(tried, families=tuple(families), split_keys_found=splits, definitions=definitions)

    def try_reads(self, reads: Sequence[PlannedRead]) -> None:
        for read in reads:
            if read.table.table.id not in self.filled:
                continue
            if not self._is_in_time():
                return
            self.reads.append(self._try_read(read))

    def _try_read(self, read: PlannedRead) -> TriedRead:
        tried, read_requests = planned_read(read), read.asked
        rows: list[FoundRow] = []
        scanned_count: int | None = 0
        try:
            for request in read_requests.requests:
                answer_rows, looked_at = self.engine.read(
                    read.table.table.id, request, read_requests.filters, is_reversed=read_requests.is_reversed
                )
                rows += answer_rows
                scanned_count = None if scanned_count is None or looked_at is None else scanned_count + looked_at
        except EngineError as error:
            self.findings.append(TrialFinding("read_refused", read.read.id, {"reason": str(error)}))
            return tried
        differences = _read_differences(read, rows, scanned_count)
        self.findings += [TrialFinding(kind, read.read.id, params) for kind, params in differences]  # fmt: skip
        return replace(tried, rows_seen=scanned_count, found=_content(read.table, rows))

    def _is_in_time(self) -> bool:
        if self.has_time():
            return True
        if not any(finding.kind == "stopped" for finding in self.findings):
            self.findings.append(TrialFinding("stopped", ""))
        return False


Difference = tuple[FindingKind, dict[str, int]]


def _content_differences(planned: Content, actual: Content) -> Iterator[Difference]:
    if actual.rows != planned.rows:
        yield "rows", {"found": actual.rows, "planned": planned.rows}
    if actual.cells != planned.cells:
        yield "cells", {"found": actual.cells, "planned": planned.cells}
    if actual.bytes != planned.bytes:
        yield "bytes", {"found_bytes": actual.bytes, "planned_bytes": planned.bytes}


def _read_differences(read: PlannedRead, rows: Sequence[FoundRow], scanned_count: int | None) -> Iterator[Difference]:
    read_requests = read.asked
    cells_by_key = {row.key: row.cells for row in rows}
    planned = {key: expected_cells(read, key) for key in read_requests.returned}
    missing = len(read_requests.wanted - cells_by_key.keys())
    if missing:
        yield "rows_missing", {"count": missing}
    surplus = len(cells_by_key.keys() - planned.keys())
    if surplus:
        yield "rows_surplus", {"count": surplus}
    other = sum(
        1 for key in cells_by_key.keys() & planned.keys() if _by_column(cells_by_key[key]) != _by_column(planned[key])
    )
    if other:
        yield "read_cells", {"count": other}
    # Where rows are missing, their order says nothing more.
    if cells_by_key.keys() == planned.keys() and list(cells_by_key) != list(planned):
        yield "read_order", {}
    if scanned_count is not None and scanned_count != len(read_requests.met):
        yield "rows_met", {"found": scanned_count, "planned": len(read_requests.met)}
    plan = read.designed
    if read_requests.surplus_rows and plan is not None and not plan.filtered and plan.access != "scan":
        yield "beyond_plan", {"count": read_requests.surplus_rows}
    elif read_requests.unfiltered_rows:
        yield "unfiltered", {"count": read_requests.unfiltered_rows}
    if read_requests.unfiltered_cells:
        yield "columns_beyond", {"count": read_requests.unfiltered_cells}
    if read_requests.missing_cells:
        yield "cells_missing", {"count": read_requests.missing_cells}


def _by_column(cells: Sequence[FoundCell]) -> list[FoundCell]:
    """Return cells by family and qualifier, the versions as they came: no order of families is promised."""
    return sorted(cells, key=lambda cell: cell[:2])


def expected_cells(read: PlannedRead, key: bytes) -> tuple[FoundCell, ...]:
    """Return the cells that a row has to be returned with."""
    names = read.table.families
    return tuple((names[cell.family], cell.qualifier, cell.age_us, cell.value) for cell in read.asked.returned[key])


def _content(table: TrialTable, rows: Sequence[FoundRow]) -> Content:
    size = sum(table.row_bytes(row.key, ((cell[0], cell[1], len(cell[3])) for cell in row.cells)) for row in rows)
    return Content(len(rows), sum(len(row.cells) for row in rows), size)
