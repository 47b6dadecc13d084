"""An engine in memory that does what Bigtable documents, and what a test lets it do otherwise."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from designer.document.durations import DAY_SECONDS
from reviews.exports.cbt import rule_text
from reviews.exports.key_code.cell_filters import AgeLimit, CellFilter, CellLimit, ColumnChoice, KeyRegex, VersionLimit
from reviews.trials.plan import TrialTable
from reviews.trials.requests import RangeRequest
from reviews.trials.trial import FoundCell, FoundRow, FoundTable

Fault = Callable[[list[FoundRow]], list[FoundRow]]


@dataclass
class MemoryEngine:
    """Tables as lists of rows."""

    fault: Fault = lambda rows: rows
    """Changes what every read returns."""
    told: Callable[[FoundTable], FoundTable] = lambda told: told
    looked_at: Callable[[int], int | None] = lambda count: count
    tables: dict[str, list[FoundRow]] = field(default_factory=dict)
    dropped: bool = False
    left: dict[str, str] = field(default_factory=dict)
    fail: dict[str, BaseException] = field(default_factory=dict)
    """By the name of a step."""

    def reach(self) -> None: ...

    def create(self, table: TrialTable) -> str:
        self._step("create")
        self.tables[table.export.table.id] = []
        return f"mine-{table.export.name}"

    def describe(self, table: TrialTable) -> FoundTable:
        rules = {one.name: rule_text(one.rule) for one in table.export.families}
        types = {one.name: one.type for one in table.export.families if one.type}
        return self.told(FoundTable(rules, types, frozenset(table.export.splits)))

    def write(self, table: TrialTable) -> None:
        self._step("write")
        names = {one.family.id: one.name for one in table.export.families}
        rows = []
        for row in table.rows:
            cells = ((names[one.family], one.qualifier, one.age_us, one.value) for one in row.cells)
            rows.append(FoundRow(row.key, tuple(sorted(cells, key=lambda cell: cell[:3]))))
        self.tables[table.export.table.id] = rows

    def read(
        self, table: str, request: RangeRequest, filters: Sequence[CellFilter], *, is_reversed: bool
    ) -> tuple[list[FoundRow], int | None]:
        self._step("read")
        rows = self.tables[table][::-1] if is_reversed else self.tables[table]
        met, found = 0, []
        for row in rows:
            if len(found) == request.limit:
                break
            if request.ranges and not any(one.holds(row.key) for one in request.ranges):
                continue
            met += 1
            cells = tuple(_filter_cells(row.key, row.cells, filters))
            if cells:
                found.append(replace(row, cells=cells))
        return self.fault(found), self.looked_at(met)

    def drop(self) -> dict[str, str]:
        self.dropped = True
        return self.left

    def _step(self, name: str) -> None:
        if name in self.fail:
            raise self.fail[name]


def _filter_cells(key: bytes, cells: Sequence[FoundCell], filters: Sequence[CellFilter]) -> list[FoundCell]:
    kept = list(cells)
    for one in filters:
        match one:
            case KeyRegex():
                kept = kept if one.matches(key) else []
            case ColumnChoice(families=families):
                kept = [cell for cell in kept if any(choice.holds(*cell[:2]) for choice in families)]
            case AgeLimit(days=days):
                kept = [cell for cell in kept if cell[2] <= days * DAY_SECONDS * 1_000_000]
            case VersionLimit(count=count):
                groups = itertools.groupby(kept, key=lambda cell: cell[:2])
                kept = [cell for _, group in groups for cell in itertools.islice(group, count)]
            case CellLimit(count=count):
                kept = kept[:count]
    return kept
