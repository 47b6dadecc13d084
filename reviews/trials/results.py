"""Results of a trial: frozen values that are printed as JSON and read back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from designer.document.texts import N_, Text

FormatName = Literal["keywright-try/1"]
FORMAT: FormatName = "keywright-try/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""

FindingKind = Literal[
    "family_missing", "rule", "type", "splits", "rows", "cells", "bytes", "rows_missing", "rows_surplus", "rows_met",
    "read_cells", "read_order", "read_refused", "table_refused", "write_refused", "beyond_plan", "stopped", "left",
    "unfiltered", "columns_beyond", "cells_missing", "family_surplus",
    "primary_key", "time_to_live", "max_versions", "index",
]  # fmt: skip
DefinitionKind = Literal["primary_key", "time_to_live", "max_versions", "index"]
"""Of a table without families; the finding of a difference has the same name."""
MESSAGES: Mapping[FindingKind, str] = {
    "family_missing": N_("family {family} is not there"),
    "family_surplus": N_("the table has family {family}, which the design does not have"),
    "rule": N_("garbage collection of family {family}: {found}, designed {designed}"),
    "type": N_("value type of family {family}: {found}, designed {designed}"),
    "splits": N_("{found} of {designed} split keys are borders of tablets"),
    "rows": N_("{found} rows read back, {planned} written"),
    "cells": N_("{found} cells read back, {planned} written"),
    "bytes": N_("{found_bytes} read back, {planned_bytes} written"),
    "rows_missing": N_("{count} of the rows that the caller wants are not returned"),
    "rows_surplus": N_("returned beyond the plan: {count} rows"),
    "rows_met": N_("the engine looks at {found} rows, planned {planned}"),
    "read_cells": N_("returned with other cells than planned: {count} rows"),
    "read_order": N_("rows are returned in another order than planned"),
    "read_refused": N_("the engine refuses the read: {reason}"),
    "table_refused": N_("the engine refuses the table: {reason}"),
    "write_refused": N_("the engine refuses rows: {reason}"),
    "beyond_plan": N_(
        "the ranges contain {count} rows that the caller does not want; the design plans no filter for them"
    ),
    "unfiltered": N_(
        "returned although the caller does not want them: {count} rows; "
        "no filter that the engine has selects the others"
    ),
    "columns_beyond": N_(
        "returned beyond the columns that the design plans: {count} cells; no filter selects this range of columns"
    ),
    "cells_missing": N_("{count} of the cells that the caller wants are not returned"),
    "stopped": N_("the trial stopped at its time limit; reads that are not listed were not tried"),
    "left": N_("table {table} could not be deleted: {reason}"),
    "primary_key": N_("primary key: {found}, designed {designed}"),
    "time_to_live": N_("time to live: {found}, designed {designed}"),
    "max_versions": N_("maximum number of versions: {found}, designed {designed}"),
    "index": N_("secondary index {name}: {found}, designed {designed}"),
}


@dataclass(frozen=True)
class TrialFinding:
    """One difference between what was planned and what the engine does."""

    kind: FindingKind
    element: str
    """Id of the table, family or read; empty for the whole trial."""
    params: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def text(self) -> Text:
        """A sentence."""
        return Text(MESSAGES[self.kind], dict(self.params))


@dataclass(frozen=True)
class TriedFamily:
    """One column family."""

    family: str
    """Its id."""
    name: str
    designed_rule: str
    """As cbt has it."""
    found_rule: str | None


@dataclass(frozen=True)
class TriedDefinition:
    """A definition that an engine has of a table without families."""

    kind: DefinitionKind
    element: str
    """Id of the table."""
    name: str
    """Of a secondary index; else empty."""
    designed: str
    found: str | None = None

    @property
    def line(self) -> str:
        """The text for people."""
        return f"{self.name or LABELS[self.kind]} {self.designed}"


LABELS: Mapping[DefinitionKind, str] = {"primary_key": "PK", "time_to_live": "TTL", "max_versions": "MaxVersions"}
"""As Tablestore's SDKs and pages have them."""


@dataclass(frozen=True)
class Content:
    """Rows, cells and their logical bytes."""

    rows: int
    cells: int
    bytes: int


@dataclass(frozen=True)
class TriedTable:
    """One table."""

    table: str
    """Its id."""
    name: str
    """As exports name it."""
    made_as: str
    """Its name during the trial; empty: it was not made."""
    families: tuple[TriedFamily, ...]
    split_keys: int
    split_keys_found: int | None
    """None: not looked for, or the engine does not tell."""
    written: Content
    found: Content | None
    definitions: tuple[TriedDefinition, ...] = ()


@dataclass(frozen=True)
class DesignedRead:
    """The estimate's figures of one request of a read at the end of the horizon."""

    access: str
    ranges: float
    rows_scanned: float
    rows_returned: float
    cells_returned: float
    bytes_returned: float


@dataclass(frozen=True)
class AskedRange:
    """One row range, with keys as text; `\\xNN` is a byte."""

    first: str
    end: str
    """Not included, unless the range is of primary keys and read backwards; empty: the end of the table."""


@dataclass(frozen=True)
class TriedRead:
    """One read with its sample values."""

    table: str
    row_kind: str
    read: str
    name: str
    ranges: tuple[AskedRange, ...]
    """The first of them."""
    range_count: int
    request_count: int
    row_limit: int | None
    """Of each request."""
    is_reversed: bool
    filters: str
    rows_wanted: int
    rows_met: int
    """Rows in the ranges, which the engine has to look at."""
    planned: Content
    rows_seen: int | None
    """Rows that the engine says it looked at; None: it does not say."""
    found: Content | None
    designed: DesignedRead | None


@dataclass(frozen=True)
class NotTried:
    """A part of the design that no trial can make or ask."""

    element: str
    text: str


@dataclass(frozen=True)
class TrialResult:
    """A trial, or before it is run what it does."""

    format: FormatName
    design: str
    sha256: str
    """Of the document."""
    engine: str
    target: str
    """Where it ran; empty: it has not run."""
    date: str
    """Of the run, as 2026-11-26; empty: it has not run."""
    rows_per_kind: int
    tables: tuple[TriedTable, ...]
    reads: tuple[TriedRead, ...]
    findings: tuple[TrialFinding, ...]
    not_tried: tuple[NotTried, ...]
