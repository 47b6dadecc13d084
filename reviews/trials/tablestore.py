"""Tables of a trial on Tablestore: requests as exported, sample rows, and rows of secondary indexes.

The service itself writes the rows of an index: what is written to its table holds the values that they are made of.
Versions and offsets: "Data versions and TTL"; an index needs the service's own versions (read 2026-11-27).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.columnkey import ColumnForm
from designer.document.family import Column
from designer.document.table import RowKind, Table, Tablestore
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.kernels.keys.patterns.inputs import KeyInputs, inputs_of
from estimator.kernels.keys.rendering.render import Event, key
from estimator.results import NotComputableError
from reviews.exports.key_code.known import known_key
from reviews.exports.shared.names import TABLESTORE, assign_names
from reviews.exports.shared.tablestore_indexes import value_type
from reviews.exports.tablestore import OFFSET_SECONDS, plan_requests

from .column_ranges import ColumnRanges, key_values
from .results import TriedDefinition
from .sample import NUMBER_BYTES, SEED, CellValues, KindSample, TrialRow, ValueType
from .samples import SampledTable, SampleMaker, sorted_rows
from .tables import TrialTable

ROW_BYTES_MAX = 3 << 20
"""Of the values in a row: one request takes 4 MB (limits page, read 2026-11-20)."""
VALUE_BYTES_MAX = 2 << 20
"""Of one value (same page)."""
AGE_SHARE = 0.9
"""Of the largest age that the service takes: the trial itself takes time."""
TYPES: Mapping[str, ValueType] = {
    "DCT_INTEGER": "INTEGER", "DCT_DOUBLE": "DOUBLE", "DCT_STRING": "STRING", "DCT_BLOB": "BINARY",
}  # fmt: skip


@dataclass(frozen=True)
class TablestoreTable(TrialTable):
    """A table, or a secondary index."""

    request: Mapping[str, Any]
    """Of CreateTable; an index has that of its table."""
    columns: tuple[ColumnForm, ...]
    """Of the primary key, by the names that they get."""
    attributes: Mapping[str, ValueType]
    """Types of attributes, by their names."""
    index_of: str | None = None
    """The id of the table whose index it is."""

    has_column_filters = False

    @property
    def has_ages(self) -> bool:
        """Cells are written with a version: the moment of the trial, or before it."""
        return any(cell.age_us for row in self.rows for cell in row.cells)

    @property
    def definitions(self) -> tuple[TriedDefinition, ...]:
        """Primary key, time to live, versions and secondary indexes."""
        at, options = self.table.id, self.request["table_options"]
        designed = [TriedDefinition("primary_key", at, "", primary_key_text((c.name, c.type) for c in self.columns))]
        if self.index_of is None:
            designed.append(TriedDefinition("time_to_live", at, "", time_to_live_text(options["time_to_live"])))
            designed.append(TriedDefinition("max_versions", at, "", str(options["max_versions"])))
            designed += [
                TriedDefinition("index", at, index["name"], index_text(index["primary_key"], index["defined_column"]))
                for index in self.request.get("index_metas", ())
            ]
        return tuple(designed)

    def row_bytes(self, key: bytes, cells: Iterable[tuple[str, bytes, int]]) -> int:
        """Return the bytes that are billed: names and values of the key once, of each attribute, and its version.

        References
        ----------
        "Storage usage": 8 bytes for each version unless one is kept for ever (read 2026-11-20).
        """
        options = self.request["table_options"]
        version = 0 if options["max_versions"] == 1 and options["time_to_live"] == -1 else 8
        values = zip(self.columns, key_values(key, self.columns), strict=True)
        own = sum(
            len(column.name) + (NUMBER_BYTES if isinstance(value, int) else len(value)) for column, value in values
        )
        return own + sum(len(name) + size + version for _, name, size in cells)


def primary_key_text(columns: Iterable[tuple[str, str]]) -> str:
    """Return primary-key columns as `(CardID STRING, OrderNumber INTEGER)`."""
    return f"({', '.join(f'{name} {type_}' for name, type_ in columns)})"


def time_to_live_text(seconds: int) -> str:
    """Return a time to live as the service has it."""
    return "-1" if seconds == -1 else f"{seconds} s"


def index_text(key: Iterable[str], covered: Iterable[str]) -> str:
    """Return an index as `(Shop, CardID): Amount`."""
    return f"({', '.join(key)}): {', '.join(sorted(covered))}".removesuffix(": ")


def sample_tables(samples: SampleMaker) -> Iterator[SampledTable]:
    """Yield the tables of a design for Tablestore with their samples, each before its indexes."""
    spec = samples.spec
    names = assign_names(((table.id, table.name) for table in spec.tables), TABLESTORE)
    for table, request in plan_requests(spec, samples.remarks):
        if any(column.auto_increment for column in table.row_kinds[0].key_columns):
            samples.remarks.refuse(
                table.id, N_("tables with an auto-increment column are not tried: the service chooses their keys")
            )
            continue
        index_names = {index["name"] for index in request.get("index_metas", ())}
        indexes = [
            _Index(spec, index, table) for index in spec.tables
            if index.derived_from and index.derived_from.table == table.id and names[index.id] in index_names
        ]  # fmt: skip
        yield from _sample_table(samples, _merge_columns(spec, table), request, indexes, names)


def _sample_table(
    samples: SampleMaker, table: Table, request: Mapping[str, Any], indexes: "list[_Index]", names: Mapping[str, str]
) -> Iterator[SampledTable]:
    forms = tuple(ColumnForm(column["name"], column["type"]) for column in request["table_meta"]["primary_key"])
    types = _types(table, request)
    families = {family.id: "" for family in table.families}
    try:
        values = _cell_values(samples.spec, table, request, indexes)
        kind_samples = dict(samples.samples(table, families, values))
    except NotComputableError as error:
        samples.remarks.refuse(error.because.at, N_("no sample rows can be made: {reason}"), reason=str(error))
        return
    for kind_id, sample in list(kind_samples.items()):
        if not all(_is_text(row, forms) for row in sample.rows):
            samples.remarks.refuse(kind_id, N_("a STRING column takes text in UTF-8, and these keys hold other bytes"))
            del kind_samples[kind_id]
    by_name = {column.qualifier: types[column.id] for family in table.families for column in family.columns}
    base = TablestoreTable(
        table, names[table.id], families, sorted_rows(kind_samples.values()), request, forms, by_name
    )
    yield SampledTable(base, kind_samples, _ranges(samples.spec, kind_samples, forms))
    for index in indexes:
        sample = index.sample(sorted_rows(kind_samples.values()))
        own = tuple(ColumnForm(key_column.name, key_column.type) for key_column in index.kind.key_columns)
        families = {family.id: "" for family in index.table.families}
        rows = sorted_rows([sample])
        made_index = TablestoreTable(
            index.stored, names[index.table.id], families, rows, request, own, by_name, index_of=table.id
        )
        yield SampledTable(made_index, {index.kind.id: sample}, _ranges(samples.spec, {index.kind.id: sample}, own))


def _ranges(spec: Spec, kind_samples: Mapping[str, KindSample], forms: tuple[ColumnForm, ...]) -> Mapping[str, Any]:
    return {kind_id: partial(_column_ranges, spec, sample, forms) for kind_id, sample in kind_samples.items()}


def _column_ranges(spec: Spec, sample: KindSample, forms: tuple[ColumnForm, ...], read: Read) -> ColumnRanges:
    segments = sample.inputs.segments
    return ColumnRanges(spec, sample, forms, known_key(spec, segments, read, length=len(segments)))


def _merge_columns(spec: Spec, table: Table) -> Table:
    """Return a table with all attribute columns in one group, as the service has them, and what it keeps of them."""
    stored = engine_of(spec).as_stored(table)
    columns = tuple(column for family in stored.families for column in family.columns)
    families = tuple(family.model_copy(update={"columns": columns}) for family in stored.families[:1])
    return stored.model_copy(update={"families": families})


def _types(table: Table, request: Mapping[str, Any]) -> Mapping[str, ValueType]:
    defined = {column["name"]: column["type"] for column in request["table_meta"].get("defined_column", ())}
    return {
        column.id: TYPES[defined.get(column.qualifier) or value_type(column)]
        for family in table.families for column in family.columns
    }  # fmt: skip


def _cell_values(spec: Spec, table: Table, request: Mapping[str, Any], indexes: "list[_Index]") -> CellValues:
    own = table.tablestore or Tablestore()
    options = request["table_options"]
    is_dated = options["max_versions"] > 1 or any(read.cell_days for kind in table.row_kinds for read in kind.reads)
    most_seconds = min(OFFSET_SECONDS, options["time_to_live"] if options["time_to_live"] > 0 else OFFSET_SECONDS)
    cells = sum(len(family.columns) for family in table.families) * int(effective_value(spec, own, "max_versions"))
    qualifiers = {column.id: column.qualifier for family in table.families for column in family.columns}
    return CellValues(
        bytes_max=min(VALUE_BYTES_MAX, ROW_BYTES_MAX // max(cells, 1)),
        types=_types(table, request),
        needs_cell=False,
        age_max_days=AGE_SHARE * most_seconds / 86_400 if is_dated and not indexes else 0,
        fields={name: shape for index in indexes for name, shape in index.inputs.fields.items()},
        held=lambda column, event: next(
            (value for index in indexes if (value := index.value(qualifiers[column], event)) is not None), None
        ),
    )


def _is_text(row: TrialRow, forms: tuple[ColumnForm, ...]) -> bool:
    try:
        for form, value in zip(forms, key_values(row.key, forms), strict=True):
            if form.type == "STRING" and isinstance(value, bytes):
                value.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Index:
    """A secondary index of a table: its key goes on with the columns of the table's key that it does not name."""

    def __init__(self, spec: Spec, table: Table, of: Table) -> None:
        own, base = table.row_kinds[0], of.row_kinds[0].key_columns
        by_name = {column.name: column for column in base}
        own_columns = [by_name.get(column.name, column) for column in own.key_columns]
        rest = [column for column in base if column not in own_columns]
        self.table, self.own_names = table, {column.name for column in own_columns if column.name not in by_name}
        self.kind: RowKind = own.model_copy(update={"key_columns": (*own_columns, *rest)})
        self.inputs: KeyInputs = inputs_of(spec, table, self.kind, ids_max=1, seed=SEED)
        self.forms = tuple(ColumnForm(column.name, column.type) for column in self.kind.key_columns)
        self.stored = table.model_copy(update={"row_kinds": (self.kind,)})

    def value(self, name: str, event: Event) -> bytes | None:
        """Return what the attribute with this name holds in an event, as bytes; None: it is not in the key."""
        if name not in self.own_names:
            return None
        values = key_values(key(self.inputs.segments, self.inputs.fields, event), self.forms)
        value = values[[form.name for form in self.forms].index(name)]
        return value.to_bytes(NUMBER_BYTES, "big", signed=True) if isinstance(value, int) else value

    def sample(self, rows: Iterable[TrialRow]) -> KindSample:
        """Return the rows that the service writes: none for a row without one of the columns in the key."""
        columns = {column.qualifier.encode(): (family.id, column) for family in self.table.families
                   for column in family.columns}  # fmt: skip
        needed = {name.encode() for name in self.own_names}
        index_rows = [
            TrialRow(self.kind.id, key(self.inputs.segments, self.inputs.fields, row.event), row.event,
                     tuple(_covered_cells(row, columns)))
            for row in rows if needed <= {cell.qualifier for cell in row.cells}
        ]  # fmt: skip
        return KindSample(
            self.kind, self.inputs, self.inputs.fields, tuple(sorted(index_rows, key=lambda row: row.key)), ()
        )


def _covered_cells(row: TrialRow, columns: Mapping[bytes, tuple[str, Column]]) -> Iterator[Any]:
    for cell in row.cells:
        if cell.qualifier in columns:
            family, column = columns[cell.qualifier]
            yield replace(cell, family=family, column=column.id)
