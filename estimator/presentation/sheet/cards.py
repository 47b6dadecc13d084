"""One table as a card: its key, strip, writes, families, reads and figures, in this order on every card."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from designer.document import Element, Spec, effective_value, write_mode
from designer.document.access import Read, Write
from designer.document.activity import Flat
from designer.document.durations import DAY_SECONDS
from designer.document.engines import description_of
from designer.document.family import Column, Family, Gc, MaxAge, MaxVersions, Union
from designer.document.money import Money
from designer.document.shapes import week_hours
from designer.document.table import TTL_FOREVER, Table, Tablestore
from designer.document.texts import N_, Text
from designer.wording import (
    VALUE_KINDS,
    Chip,
    element_label,
    gc_sentence,
    is_named,
    key_chips,
    qualifier_of,
    rotation_sentence,
)
from estimator.estimates.table_costs import TableCosts
from estimator.facts.scans import is_wasteful
from estimator.presentation.design_page import GRAVITY, DesignPage, FindingView
from estimator.results import ReadPlan, TablePart, UnknownReason, WriteLoad

from .strips import RANGES, BusiestHour, Strip, strip_of

COLUMNS = 2
"""Columns of a family that a card names; the others are counted."""
WHOLE_FROM = 10
"""Numbers of rows from here on are shown whole, with the three digits that all views show of an estimate."""
Service = Literal["good", "warning", "error", "unknown"]


@dataclass(frozen=True)
class WriteLine:
    """One write: its rate at the peak, and its form."""

    id: str
    name: str
    activity: str
    per_second: float | None
    what: str


@dataclass(frozen=True)
class FamilyLine:
    """One column family: how much of it is live, and what is in its columns."""

    id: str
    name: str
    live_share: float | None
    expired_bytes: float | None
    """Physical; None where nothing is known or nothing has expired."""
    columns: tuple[Text, ...]
    kept: Text


@dataclass(frozen=True)
class ReadLine:
    """One read: how well the key serves it, its rate, and what the engine does for it."""

    id: str
    name: str
    service: Service
    per_second: float | None
    what: Text | None


@dataclass(frozen=True)
class Card:
    """One table of the sheet."""

    id: str
    name: str
    index_of: str
    """Name of the table that it is an index table of; empty for any other."""
    rotation: Text | None
    """How it rotates."""
    keys: tuple[tuple[Chip, ...], ...]
    """One per row kind."""
    worst: FindingView | None
    strip: Strip | None
    writes: tuple[WriteLine, ...]
    families: tuple[FamilyLine, ...]
    reads: tuple[ReadLine, ...]
    rows: float | None
    stored_bytes: float | None
    is_guess: bool
    """True if the stored bytes rest on an assumed compression."""
    cost: Money | None
    has_open_lines: bool
    """True if a line of the bill that is this table's has no price: it costs at least `cost`."""
    missing: tuple[UnknownReason, ...]

    @property
    def services(self) -> tuple[tuple[Service, int], ...]:
        """Number of reads by how well they are served."""
        order: tuple[Service, ...] = ("good", "warning", "error", "unknown")
        counts = ((service, sum(read.service == service for read in self.reads)) for service in order)
        return tuple((service, count) for service, count in counts if count)

    @property
    def gravity(self) -> int:
        """Rank of its worst finding, the gravest first."""
        return GRAVITY.index(self.worst.severity) if self.worst else len(GRAVITY)

    @property
    def peak_share(self) -> float:
        """Load of its hottest range, 1 at the limit; 0 while it is unknown."""
        return self.strip.peak_share if self.strip else 0.0

    @property
    def words(self) -> str:
        """Texts in which a search for the table looks: names of the table, its key, writes and reads."""
        chips = (chip.form for key in self.keys for chip in key)
        writes, reads = (write.name for write in self.writes), (read.name for read in self.reads)
        return " ".join((self.name, *chips, *writes, *reads)).lower()


def card(
    page: DesignPage, table: Table, hour: BusiestHour | None, costs: TableCosts | None, *, ranges: int = RANGES
) -> Card:
    """Return the card of one table."""
    spec, part = page.spec, page.estimate.tables[table.id]
    remarks = [remark for remark in page.findings_within(table) if remark.severity != "accepted"]
    growth, cost = part.growth, costs.by_table.get(table.id) if costs else None
    return Card(
        id=table.id,
        name=table.label,
        index_of=_indexed_table(spec, table),
        rotation=rotation_sentence(table),
        keys=tuple(key_chips(spec, kind.segments) for kind in table.row_kinds),
        worst=remarks[0] if remarks else None,
        strip=strip_of(spec, part, hour, ranges),
        writes=tuple(_writes(spec, table, part)),
        families=tuple(_family(spec, table, family, part) for family in table.families),
        reads=tuple(_reads(page, table, part)),
        rows=float(growth.rows[-1]) if growth else None,
        stored_bytes=float(growth.physical_bytes[-1]) if growth else None,
        is_guess=growth is not None and growth.compression_origin == "guess",
        cost=Money(cost, page.estimate.currency) if cost is not None else None,
        has_open_lines=costs is not None and table.id in costs.with_open_lines,
        missing=part.because,
    )


def _indexed_table(spec: Spec, table: Table) -> str:
    source = table.derived_from
    is_index = source is not None and (source.how == "index_table" or source.is_secondary_index)
    return element_label(spec, source.table) if source is not None and is_index else ""


def name_of(element: Element) -> str:
    """Return the name that a person gave; empty for a generated id."""
    return element.label if is_named(element, element.label) else ""


def _stated_rate(spec: Spec, write: Write) -> float | None:
    """Return the mean rate of a write whose load is not known; None if nobody states it."""
    rate = effective_value(spec, spec.find(write.activity), "rate_per_second") if write.activity else None
    return None if rate is None else float(rate) * float(effective_value(spec, write, "rows_per_event"))


def _writes(spec: Spec, table: Table, part: TablePart) -> Iterator[WriteLine]:
    loads: dict[str, WriteLoad] = {load.write: load for load in part.traffic.writes} if part.traffic else {}
    for kind in table.row_kinds:
        for write in kind.writes:
            load = loads.get(write.id)
            rate = load.peak_rows_per_second if load else _stated_rate(spec, write)
            yield WriteLine(write.id, name_of(write), write.activity or "", rate, _MODES[write_mode(spec, write)])


_MODES = {
    "append_row": N_("new rows"),
    "overwrite": N_("overwrites"),
    "new_cell": N_("new versions"),
    "new_column": N_("new columns"),
    "increment": N_("increments"),
    "add_to_aggregate": N_("additions"),
    "read_modify_write": N_("read-modify-writes"),
    "check_and_mutate": N_("conditional writes"),
    "delete_cell": N_("cell deletes"),
    "delete_family": N_("family deletes"),
    "delete_row": N_("row deletes"),
    "delete_prefix": N_("prefix deletes"),
}


def _family(spec: Spec, table: Table, family: Family, part: TablePart) -> FamilyLine:
    growths = [growth for growth in (part.growth.families if part.growth else ()) if growth.family == family.id]
    total = sum(growth.bytes_by_cause.total for growth in growths)
    expired = sum(growth.uncollected_bytes for growth in growths)
    compressed = part.growth.compressed_share if part.growth else 1.0
    columns = [column_words(spec, column) for column in family.columns[:COLUMNS]]
    if len(family.columns) > COLUMNS:
        columns.append(Text(N_("{count} more"), {"count": len(family.columns) - COLUMNS}))
    return FamilyLine(
        id=family.id,
        name=family.label,
        live_share=1 - expired / total if total > 0 else None,
        expired_bytes=expired * compressed if total > 0 and expired / total >= 0.01 else None,
        columns=tuple(columns),
        kept=kept_words(spec, table, family),
    )


def column_words(spec: Spec, column: Column) -> Text:
    """Return the name of a column with the kind and the size of its values."""
    kind, size = effective_value(spec, column.value, "kind"), effective_value(spec, column.value, "typical_bytes")
    name = qualifier_of(spec, column) or column.label
    if size is None:
        return Text("{name} {kind}", {"name": name, "kind": Text(VALUE_KINDS[kind])})
    return Text("{name} {kind} {value_bytes}", {"name": name, "kind": Text(VALUE_KINDS[kind]), "value_bytes": size})


def kept_words(spec: Spec, table: Table, family: Family) -> Text:
    """Return how long the engine keeps the cells of a family: by its own rule, or by the settings of its table."""
    if description_of(spec).has_families:
        return retention_words(family.gc, table)
    settings = table.tablestore or Tablestore()
    is_forever = settings.ttl_seconds in (None, TTL_FOREVER)
    age = None if is_forever else MaxAge(age_days=(settings.ttl_seconds or 0) / DAY_SECONDS)
    if (settings.max_versions or 1) == 1:
        return retention_words(age)
    versions = MaxVersions(versions=settings.max_versions)
    return retention_words(versions if age is None else Union(rules=(versions, age)))


def retention_words(gc: Gc | None, table: Table | None = None) -> Text:
    """Return how long cells are kept, in a few words."""
    is_deleted = table is not None and table.rotation is not None and table.rotation.kept_tables is not None
    match gc:
        case None if is_deleted:
            return Text(N_("kept until the table is deleted"))
        case None:
            return Text(N_("kept forever"))
        case MaxVersions(versions=1):
            return Text(N_("1 version"))
        case MaxVersions():
            return Text(N_("{versions} versions"), {"versions": gc.versions})
        case MaxAge():
            return Text(N_("kept {age_days}"), {"age_days": gc.age_days})
        case Union(rules=(MaxVersions() as versions, MaxAge() as age) | (MaxAge() as age, MaxVersions() as versions)):
            return Text(N_("{versions}, {age}"), {"versions": retention_words(versions), "age": retention_words(age)})
        case _:
            return gc_sentence(gc)


def _reads(page: DesignPage, table: Table, part: TablePart) -> Iterator[ReadLine]:
    plans = {plan.read: plan for plan in part.reads}
    for kind in table.row_kinds:
        for read in kind.reads:
            plan = plans.get(read.id)
            rate = plan.per_second * _peak_factor(page.spec, read) if plan and plan.per_second is not None else None
            yield ReadLine(read.id, name_of(read), _service(page, read, plan), rate, read_words(plan))


def _peak_factor(spec: Spec, read: Read) -> float:
    """Return the busiest hour of a read's week relative to its mean."""
    return max(week_hours(effective_value(spec, read, "profile") or Flat()))


def _service(page: DesignPage, read: Read, plan: ReadPlan | None) -> Service:
    """Return how well a read is served: by the gravest finding about it."""
    if plan is None:
        return "unknown"
    severities = {remark.severity for remark in page.findings_within(read)}
    if "error" in severities:
        return "error"
    return "warning" if "warning" in severities else "good"


def whole_rows(amount: float) -> float:
    """Return a number of rows as it is shown."""
    return round(float(f"{amount:.3g}")) if amount >= WHOLE_FROM else amount


def read_words(plan: ReadPlan | None) -> Text | None:
    """Return the access of a read with its rows, in a few words."""
    if plan is None:
        return None
    amounts = {"rows": plan.rows_to_return, "scanned": plan.rows_to_scan, "ranges": plan.ranges}
    params = {name: whole_rows(amount) for name, amount in amounts.items()}
    if not plan.has_actual_rows:
        return Text(_ACCESS[plan.access])
    if is_wasteful(plan):
        return Text(N_("scans {scanned} rows for {rows}"), params)
    if plan.access == "scan":
        return Text(N_("full scan, {scanned} rows"), params)
    if plan.access == "point":
        return Text(N_("point, 1 row")) if plan.rows_to_return <= 1 else Text(N_("point, {rows} rows"), params)
    if plan.access == "multi_point":
        return Text(N_("{rows} points"), params)
    if plan.ranges > 1:
        return Text(N_("{ranges} ranges, {rows} rows"), params)
    return Text(N_("one range, {rows} rows"), params)


_ACCESS = {
    "point": N_("point"),
    "multi_point": N_("points"),
    "range": N_("one range"),
    "multi_range": N_("several ranges"),
    "prefix": N_("one range"),
    "scan": N_("full scan"),
}

__all__ = [
    "Card",
    "FamilyLine",
    "ReadLine",
    "WriteLine",
    "card",
    "column_words",
    "kept_words",
    "name_of",
    "read_words",
    "retention_words",
    "whole_rows",
]
