"""Tables of a trial with the rows that they get, and the reads that are tried of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from designer.document.access import Read
from designer.document.table import RowKind, Table
from designer.document.texts import Text
from estimator.results import ReadPlan
from reviews.exports.cbt import rule_text
from reviews.exports.shared.bigtable import ExportTable

from .requests import ReadRequests
from .results import TriedDefinition, TriedFamily
from .sample import TrialRow


@dataclass(frozen=True)
class TrialTable:
    """A table with the rows that it gets."""

    table: Table
    name: str
    """As exports name it."""
    families: Mapping[str, str]
    """Names of those that are made, by id; where an engine has none, each is empty."""
    rows: tuple[TrialRow, ...]
    """In the order of keys."""

    has_column_filters: ClassVar[bool] = True
    """Reads may ask for columns by a pattern of their names, and for a number of cells."""

    @property
    def tried_families(self) -> tuple[TriedFamily, ...]:
        """Families with their rules."""
        return ()

    @property
    def types(self) -> Mapping[str, str]:
        """Of aggregates, by the family's name."""
        return {}

    @property
    def splits(self) -> tuple[bytes, ...]:
        """Keys at which the table is split."""
        return ()

    @property
    def definitions(self) -> tuple[TriedDefinition, ...]:
        """Further definitions of the table in the engine."""
        return ()

    def row_bytes(self, key: bytes, cells: Iterable[tuple[str, bytes, int]]) -> int:
        """Return the logical bytes of a row: each cell by its family, its qualifier and the bytes of its value."""
        raise NotImplementedError


@dataclass(frozen=True)
class BigtableTable(TrialTable):
    """A table of Bigtable."""

    export: ExportTable

    @property
    def tried_families(self) -> tuple[TriedFamily, ...]:
        """Families with their rules."""
        return tuple(
            TriedFamily(family.family.id, family.name, rule_text(family.rule), None) for family in self.export.families
        )

    @property
    def types(self) -> Mapping[str, str]:
        """Of aggregates, by the family's name."""
        return {family.name: family.type for family in self.export.families if family.type}

    @property
    def splits(self) -> tuple[bytes, ...]:
        """Keys at which the table is split."""
        return self.export.splits

    def row_bytes(self, key: bytes, cells: Iterable[tuple[str, bytes, int]]) -> int:
        """Return key, family, qualifier, timestamp and value of each cell, uncompressed."""
        return sum(len(key) + len(family) + len(qualifier) + 8 + size for family, qualifier, size in cells)


@dataclass(frozen=True)
class PlannedRead:
    """One read, with what is asked for it."""

    table: TrialTable
    kind: RowKind
    read: Read
    about: tuple[Text, ...]
    asked: ReadRequests
    designed: ReadPlan | None
    """What the estimate says of it at the end of the horizon."""
