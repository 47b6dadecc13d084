"""Cells of which a read asks: the filters that choose them, and the sample cells that are chosen."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.document import Spec
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column
from designer.document.table import Table
from estimator.kernels.keys.rendering.render import Event
from reviews.exports.key_code.cell_filters import (
    CellFilter,
    CellLimit,
    ColumnChoice,
    ColumnRange,
    FamilyChoice,
)
from reviews.exports.key_code.codes import ReadCode
from reviews.exports.key_code.filters import cells_of_newest_columns, choose_columns, is_wanted, limit_filters
from reviews.exports.key_code.plan import plan_column
from reviews.exports.key_code.ranges import read_ranges

from .sample import KindSample, TrialCell, TrialRow, known_values


@dataclass(frozen=True)
class CellPlanner:
    """Plans the cells of reads of one row kind."""

    spec: Spec
    table: Table
    families: Mapping[str, str]
    """Names that families get, by id."""
    sample: KindSample
    codes: dict[tuple[str, str], ReadCode | None] = field(default_factory=dict)
    """Ranges of qualifiers, by read and column."""
    has_column_filters: bool = True
    """The engine takes patterns of qualifiers and a number of cells; else a read gets whole rows for want of them."""

    def filters(self, read: Read, event: Event) -> Iterator[CellFilter]:
        """Yield the filters of a read whose caller knows the values of an event."""
        chosen = self._chosen_columns(read, event)
        if not self._gets_rows(chosen) and (
            any(choice.columns for choice in chosen)
            or {choice.family for choice in chosen} != set(self.families.values())
        ):
            yield ColumnChoice(chosen)
        for cell_filter in limit_filters(self.spec, self.table, read):
            if self.has_column_filters or not isinstance(cell_filter, CellLimit):
                yield cell_filter

    def _gets_rows(self, chosen: Sequence[FamilyChoice]) -> bool:
        """Return whether whole rows are read, for want of a name of a column."""
        return not self.has_column_filters and any(
            not isinstance(column, bytes) for choice in chosen for column in choice.columns
        )

    def _chosen_columns(self, read: Read, event: Event) -> tuple[FamilyChoice, ...]:
        chosen: dict[FamilyChoice, None] = {}
        for family in self.table.families:
            if family.id not in self.families:
                continue
            qualifiers = {column.id: qualifier for column in family.columns if is_wanted(read, family, column)
                     and (qualifier := self._named_qualifiers(read, column, event)) is not None}  # fmt: skip
            choice = choose_columns(family, self.families[family.id], read, qualifiers)
            if choice is not None:
                chosen[choice] = None
        return tuple(chosen)

    def _named_qualifiers(self, read: Read, column: Column, event: Event) -> bytes | ColumnRange | None:
        """Return the qualifier that a caller can name, or the range of those that it knows the ends of.

        They are those of the code for keys.
        """
        if (read.id, column.id) not in self.codes:
            self.codes[read.id, column.id] = plan_column(self.spec, self.sample.kind, read, column)
        code = self.codes[read.id, column.id]
        if code is None:
            return None
        try:
            values = known_values(self.spec, self.sample, read, code, self.with_qualifier(column, event))
            (key_range,) = read_ranges(column.qualifier_from, code, values, span_of(read, self.sample.latest_us))
        except ValueError:
            return None
        return key_range.first if code.is_point else ColumnRange(key_range.first, key_range.end)

    def with_qualifier(self, column: Column, event: Event) -> Event:
        """Return an event with values of the fields that stand in qualifiers only: those of the first one written."""
        for row in self.sample.rows:
            for cell in row.cells:
                if cell.column == column.id and cell.qualifier_event is not None:
                    return Event({**cell.qualifier_event.numbers, **event.numbers}, event.time_us, event.salts)
        return event

    def cells(self, read: Read, row: TrialRow, event: Event) -> tuple[TrialCell, ...]:
        """Return the cells of a row that a read asks for, in the engine's order."""
        families = {family.id: family for family in self.table.families}
        columns = {column.id: column for family in families.values() for column in family.columns}
        gets_rows = self._gets_rows(self._chosen_columns(read, event))
        selection: list[TrialCell] = []
        named_by_id = {
            name: self._named_qualifiers(read, table_column, event) for name, table_column in columns.items()
        }
        for _, group in itertools.groupby(sorted(row.cells, key=self._order), key=lambda cell: self._order(cell)[:2]):
            versions = list(group)
            column = columns.get(versions[0].column)
            target_qualifier = None if column is None else named_by_id[column.id]
            qualifier = versions[0].qualifier
            is_named = (
                target_qualifier.matches(qualifier)
                if isinstance(target_qualifier, ColumnRange)
                else target_qualifier in (None, qualifier)
            )
            if not gets_rows and not (is_wanted(read, families[versions[0].family], column) and is_named):
                continue
            if read.cell_days is not None:
                versions = [
                    version for version in versions if version.age_us <= read.cell_days * DAY_SECONDS * 1_000_000
                ]
            selection += versions if read.newest_versions is None else versions[: read.newest_versions]
        limit = cells_of_newest_columns(self.spec, self.table, read) if self.has_column_filters else None
        return tuple(selection if limit is None else selection[:limit])

    def returns(self, read: Read, row: TrialRow, event: Event) -> bool:
        """Return whether the engine returns a row that it looks at: one without a cell that is asked for is none."""
        return not row.cells or bool(self.cells(read, row, event))

    def _order(self, cell: TrialCell) -> tuple[str, bytes, int]:
        return self.families[cell.family], cell.qualifier, cell.age_us


def span_of(read: Read, latest_us: int) -> tuple[int, int]:
    """Return the span of time that a caller wants, both ends included; the latest row is of now. [microseconds]"""
    if read.time is None:
        return latest_us, latest_us
    end = latest_us - round(read.time.age_days * DAY_SECONDS * 1_000_000)
    return end - round(read.time.days * DAY_SECONDS * 1_000_000) + 1, end
