"""Corrections of a design by a log: one edit with the origin of each value, and the values that a log cannot tell.

What several values of the design could explain is left alone, with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from designer.document import Spec, effective_value
from designer.document.access import Read, Write
from designer.document.activity import Profile
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Set, current_value
from designer.document.field import Field
from designer.document.key import FieldSegment, LiteralSegment, Segment, segment_fields
from designer.document.keytext import render_key
from designer.document.measured_values import MeasuredValue, find_part, measured_figure
from designer.document.popularity import Popularity
from designer.document.table import Table
from designer.document.texts import N_, Text

from .blocks import HOUR_SECONDS
from .design import figure_name, growth_figures, main_fit, own_popularity, round_figure
from .hours import PROFILE_DAYS
from .kind_counts import FieldUse
from .summary import OperationUse, TableUse, TraceSummary

_KINDS: dict[str, TypeAdapter[Any]] = {"profile": TypeAdapter(Profile), "popularity": TypeAdapter(Popularity)}
NO_TABLE = N_("The design has no table {name}.")
UNNAMED = N_("The log does not say of which table it is, and the design has {count}.")
SEVERAL_WRITES = N_("{table}: several writes make the log’s writes, so their rates are left as they are.")
SEVERAL_READS = N_("{table}: several reads make the log’s reads, so their rates are left as they are.")
NO_READ = N_("{table}: the log has reads, the design none.")
NO_WRITE = N_("{table}: the log has writes, the design none.")
GROWING = N_("{name}: its rate grows, and the log does not contain the rate on the start date.")
NO_KIND = N_("{table}: no row kind has keys of the form {key}, as in the log.")
NO_SCAN = N_("{table}: the log reads all rows below {key}, and not exactly one read of the design does.")
NO_FIELD = N_("{table}: no field of the row key is known to be the log’s {name}.")
OPEN_NUMBER = N_(
    "{table}: {name} has at least {values} values; new ones still come, so the log does not tell how many there are."
)
SEVERAL_COLUMNS = N_("{table}: several columns make the log’s sizes, so their sizes are left as they are.")


@dataclass(frozen=True)
class DesignCorrection:
    """The changes that a log makes to a design, and what it leaves open."""

    changes: tuple[Set, ...]
    origins: Set | None
    """Names the log as the origin of the changed figures."""
    left_open: tuple[Text, ...]
    tables: frozenset[str] = frozenset()
    """Tables of the design that the log tells of."""

    def edit(self, label: str) -> Batch | None:
        """Return all changes as one; None if the design has these values already."""
        return Batch(label=label, edits=(*self.changes, self.origins)) if self.origins is not None else None


def correct_design(spec: Spec, summary: TraceSummary) -> DesignCorrection:
    """Return what a log corrects in a design."""
    corrections = _Corrections(spec, summary)
    changes = tuple(corrections.correct_tables())
    if not changes:
        return DesignCorrection((), None, tuple(corrections.left_open), frozenset(corrections.tables))
    names = {(origin.at, origin.field) for origin in corrections.origins}
    other_origins = [measurement for measurement in spec.measured if (measurement.at, measurement.field) not in names]
    origins = Set(
        at="",
        name="measured",
        value=to_plain_data((*other_origins, *corrections.origins)),
        was=current_value(spec, "", "measured"),
    )
    return DesignCorrection(changes, origins, tuple(corrections.left_open), frozenset(corrections.tables))


class _Corrections:
    """The changes of all tables, with what is said beside them."""

    def __init__(self, spec: Spec, summary: TraceSummary) -> None:
        self.spec, self.summary = spec, summary
        self.left_open: list[Text] = []
        self.origins: list[MeasuredValue] = []
        self.tables: set[str] = set()
        self._done: set[tuple[str, str]] = set()

    def correct_tables(self) -> Iterator[Set]:
        for use in self.summary.tables:
            table = _find_table(self.spec, use, is_only=len({table.table for table in self.summary.tables}) == 1)
            if table is None:
                message = Text(NO_TABLE, {"name": use.table})
                self.left_open.append(message if use.table else Text(UNNAMED, {"count": len(self.spec.tables)}))
                continue
            self.tables.add(table.id)
            rows = _find_rows(table, use)
            if rows is None:
                proposal = use.proposal
                key = render_key(Spec(fields=proposal.fields), proposal.segments)
                self.left_open.append(Text(NO_KIND, {"table": table.label, "key": key}))
                continue
            yield from self._correct_fields(rows, use)
            yield from self._correct_rates(rows, use)
            yield from self._correct_sizes(rows, use)

    def _set(self, at: str, name: str, value: Any, *figures: str) -> Iterator[Set]:
        """Yield the change of a value if it is another; the log is the origin of these figures in it."""
        was = current_value(self.spec, at, name)
        # Several kinds of rows can have the same field or activity; the first one that tells a value decides.
        if (at, name) in self._done:
            return
        self._done.add((at, name))
        self.origins += [self._origin(at, figure, value) for figure in figures]
        if was != value:
            yield Set(at=at, name=name, value=value, was=was)

    def _origin(self, at: str, figure: str, value: Any) -> MeasuredValue:
        _, _, part = figure.partition(".")
        model_value = _KINDS[figure].validate_python(value) if figure in _KINDS else value
        number: Any = value[part] if part and isinstance(value, dict) else measured_figure(model_value)
        return self._measured(at, figure, number)

    def _measured(self, at: str, figure: str, number: Any) -> MeasuredValue:
        date = self.summary.last.date()
        return MeasuredValue(at=at, field=figure, value=number, source="trace", date=date, lines=self.summary.events)

    def _correct_fields(self, table: Table, use: TableUse) -> Iterator[Set]:
        popularities: dict[str, Popularity | None] = {}
        for field_use, field in _match_fields(self.spec, table, use):
            name = next((field.name for field in use.proposal.fields if field.id == field_use.field), field_use.field)
            fit = main_fit(field_use)
            if field is None:
                self.left_open.append(Text(NO_FIELD, {"table": table.label, "name": name}))
            elif fit is not None:
                yield from self._correct_number(field_use, field, table)
                figure = figure_name(fit.popularity)
                yield from self._set(field.id, "popularity", to_plain_data(fit.popularity), figure)
                for name, value in growth_figures(field_use, use).items():
                    yield from self._set(field.id, name, value, *(["growth_per_day"] if name != "assigned" else []))
                if "read" in field_use.fits:
                    popularities[field.id] = own_popularity(field_use)
        reads = [read for kind in table.row_kinds for read in kind.reads]
        if len(reads) == 1:
            yield from self._correct_binds(reads[0], popularities)

    def _correct_number(self, use: FieldUse, field: Field, table: Table) -> Iterator[Set]:
        """Set how many values a field has; where the log tells only how many at least, raise a smaller number to it."""
        distinct = use.distinct if use.is_known else use.at_least
        most = distinct if field.capacity is None else min(distinct, field.capacity)
        if use.is_known:
            yield from self._set(field.id, "distinct", most, "distinct")
            return
        self.left_open.append(Text(OPEN_NUMBER, {"table": table.label, "name": field.label, "values": use.at_least}))
        if most > effective_value(self.spec, field, "distinct"):
            yield from self._set(field.id, "distinct", most)

    def _correct_binds(self, read: Read, popularities: Mapping[str, Popularity | None]) -> Iterator[Set]:
        """Give a read the access distributions of its own that the log's reads have."""
        mine = [bind for bind in read.binds if bind.is_whole and bind.field in popularities]
        own = {bind.field: popularities[bind.field] for bind in mine}
        binds = [
            bind.model_copy(update={"popularity": own[bind.field]}) if bind in mine else bind for bind in read.binds
        ]
        for field, popularity in own.items() if (read.id, "binds") not in self._done else ():
            figure = figure_name(popularity)
            part = find_part(popularity, "theta") if figure.endswith("theta") else popularity
            if popularity is not None:
                self.origins.append(self._measured(read.id, f"binds.{field}.{figure}", measured_figure(part)))
        yield from self._set(read.id, "binds", to_plain_data(tuple(binds)))

    def _correct_rates(self, table: Table, use: TableUse) -> Iterator[Set]:
        uses = {operation.operation: operation for operation in use.operations if not operation.prefix}
        writes = [write for kind in table.row_kinds for write in kind.writes]
        for operation, mine in (
            ("write", [write for write in writes if not write.deletes]),
            ("delete", [write for write in writes if write.deletes]),
        ):
            if operation in uses:
                yield from self._correct_writes(table, uses[operation], mine)
        scans = [operation for operation in use.operations if operation.prefix]
        scanning = {read.id for scan in scans for read in _scan_reads(self.spec, table, use, scan)}
        if "read" in uses:
            reads = [read for kind in table.row_kinds for read in kind.reads if read.id not in scanning]
            yield from self._correct_reads(table, uses["read"], reads)
        yield from self._correct_scans(table, use)

    def _correct_writes(self, table: Table, use: OperationUse, writes: Sequence[Write]) -> Iterator[Set]:
        if not writes or any(write.activity is None for write in writes):
            self.left_open.append(Text(NO_WRITE, {"table": table.label}))
            return
        used = [write.activity for _, kind in self.spec.row_kinds() for write in kind.writes]
        if len(writes) != 1 or used.count(writes[0].activity) != 1:
            self.left_open.append(Text(SEVERAL_WRITES, {"table": table.label}))
            return
        yield from self._correct_rate(writes[0].activity or "", use, per_event=writes[0].rows_per_event or 1.0)

    def _correct_reads(self, table: Table, use: OperationUse, reads: Sequence[Read]) -> Iterator[Set]:
        if len(reads) != 1:
            self.left_open.append(Text(SEVERAL_READS if reads else NO_READ, {"table": table.label}))
            return
        yield from self._correct_rate(reads[0].id, use, per_event=1.0)

    def _correct_scans(self, table: Table, use: TableUse) -> Iterator[Set]:
        """Correct the read of each prefix that the log reads, by the fields that both know of the key."""
        for scan in (operation for operation in use.operations if operation.prefix):
            reads = _scan_reads(self.spec, table, use, scan)
            if len(reads) == 1:
                yield from self._correct_rate(reads[0].id, scan, per_event=1.0)
            else:
                key = render_key(Spec(fields=use.proposal.fields), use.proposal.segments[: scan.prefix])
                self.left_open.append(Text(NO_SCAN, {"table": table.label, "key": key}))

    def _correct_rate(self, at: str, use: OperationUse, *, per_event: float) -> Iterator[Set]:
        element: Any = self.spec.find(at)
        if element.growth_per_month:
            self.left_open.append(Text(GROWING, {"name": element.label}))
            return
        mean = float(use.hours.mean())
        rate = round_figure(mean / HOUR_SECONDS / per_event)
        yield from self._set(at, "rate_per_second", rate, "rate_per_second")
        # A log of an hour would flatten a stated daily profile to that hour.
        if self.summary.span_days >= PROFILE_DAYS and mean > 0:
            hours = [round_figure(hour / mean) for hour in use.hours.tolist()]
            yield from self._set(at, "profile", {"kind": "week", "hours": hours}, "profile")

    def _correct_sizes(self, table: Table, use: TableUse) -> Iterator[Set]:
        sized = {operation.operation: operation for operation in use.operations if operation.mean_bytes is not None}
        size = sized.get("write") or sized.get("read")
        columns = [column for family in table.families for column in family.columns]
        if size is None:
            return
        if len(columns) != 1:
            self.left_open.append(Text(SEVERAL_COLUMNS, {"table": table.label}))
            return
        (column,) = columns
        for name, value in (("typical_bytes", round_figure(size.mean_bytes or 0.0)), ("max_bytes", size.largest_bytes)):
            yield from self._set(column.id, f"value.{name}", value, f"value.{name}")


def _find_table(spec: Spec, use: TableUse, *, is_only: bool) -> Table | None:
    """Return the design's table of this name, or its only one if the log has only one."""
    name = use.table.rpartition("/")[2]
    match = next((table for table in spec.tables if name in (table.name, table.id)), None)
    return spec.tables[0] if match is None and is_only and len(spec.tables) == 1 else match


def _find_rows(table: Table, use: TableUse) -> Table | None:
    """Return the table with the one row kind whose keys have the form of the log's; None if it has none.

    A table is returned as it is where the log tells one kind and the design tells none apart from it.
    """
    form = _key_form(use.proposal.segments)
    same = [kind for kind in table.row_kinds if _key_form(kind.key) == form]
    if len(same) != 1 or len(table.row_kinds) == 1:
        return table if same or not use.kind else None
    (kind,) = same
    families = tuple(
        family.model_copy(update={"columns": tuple(c for c in family.columns if c.id in kind.columns)})
        for family in table.families
    )
    return table.model_copy(update={"row_kinds": (kind,), "families": families if kind.columns else table.families})


def _scan_reads(spec: Spec, table: Table, use: TableUse, scan: OperationUse) -> list[Read]:
    """Return the reads of the design that know as much of the key as a scan of the log does."""
    mine = {field_use.segment: field for field_use, field in _match_fields(spec, table, use)}
    fields = [
        mine.get(segment.id) for segment in use.proposal.segments[: scan.prefix] if isinstance(segment, FieldSegment)
    ]
    ids = {field.id for field in fields if field is not None}
    if None in fields or len(table.row_kinds) != 1:
        return []
    (kind,) = table.row_kinds
    # Fields outside of the key only filter, and a log of keys cannot show them.
    in_key = {field for segment in kind.key for field in segment_fields(segment)}
    return [
        read
        for read in kind.reads
        if {bind.field for bind in read.binds} & in_key == ids and not read.exact_time and read.time is None
    ]


def _key_form(segments: Sequence[Segment]) -> str:
    """Return the text of a key with a sign for each value in it."""
    parts = ((part.text if isinstance(part, LiteralSegment) else "\0", part.after) for part in segments)
    return "".join(text for part in parts for text in part)


def _match_fields(spec: Spec, table: Table, use: TableUse) -> Iterator[tuple[FieldUse, Field | None]]:
    """Yield each field of the log's keys with the design's: by place where keys have the same parts, or by name."""
    key = table.row_kinds[0].key if len(table.row_kinds) == 1 else ()
    pairs = list(zip(use.proposal.segments, key, strict=False))
    is_alike = len(use.proposal.segments) == len(key) and all(type(segment) is type(other) for segment, other in pairs)
    in_key = [segment.field for segment in key if isinstance(segment, FieldSegment)]
    by_place = {
        segment.id: other.field
        for segment, other in pairs
        if is_alike and isinstance(segment, FieldSegment) and isinstance(other, FieldSegment)
    }
    by_name = {spec.find(field).name: field for field in in_key}
    names = {field.id: field.name for field in use.proposal.fields}
    for field_use in use.fields:
        field_id = by_place.get(field_use.segment) or by_name.get(names.get(field_use.field, ""))
        yield field_use, spec.find(field_id) if field_id else None
