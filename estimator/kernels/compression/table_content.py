"""A table of a document → the content that a measurement depends on, as growth says it is at the end of the horizon."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from zlib import crc32

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.key import as_bytes
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.memory import Cache
from estimator.engines import engine_of
from estimator.kernels.keys import KeyInputs, KeyPattern, compile_pattern, inputs_of, key_summary
from estimator.results import ColumnSize, NotComputableError, RowKindSize, UnknownReason

from ..growth import table_growth_and_sizes
from ..growth.cells import qualifiers, value_bytes, value_bytes_max
from ..population.rates import activity_rate
from ..traffic.distributions import stored_popularity
from ..traffic.scope import StoredRows
from ..traffic.storage_age import stored_time
from .content import ColumnContent, KindContent, TableContent, half_octaves, round_to_figures

IDS_MOST = 1 << 16
"""Values in a key's table; `quantile_rows` finds those between them."""

NAMES_MOST = 1 << 14
"""The same for qualifiers made from data."""


def table_content(spec: Spec, table: Table, cache: Cache | None = None) -> TableContent:
    """Return the content of a document's table; raise Open as `content_of`, or if growth is not known."""
    why_uncompressed = engine_of(spec).WHY_UNCOMPRESSED
    if why_uncompressed:
        raise NotComputableError(UnknownReason(why_uncompressed, table.id))
    patterns: dict[str, KeyPattern] = {}
    for kind in table.row_kinds:
        with suppress(NotComputableError):
            patterns[kind.id] = compile_pattern(spec, kind.id, cache=cache)
    return content_of(spec, table, patterns, table_growth_and_sizes(spec, table, patterns)[1])


def content_of(
    spec: Spec, table: Table, patterns: Mapping[str, KeyPattern], sizes: Mapping[str, RowKindSize]
) -> TableContent:
    """Return the content that the table stores.

    Parameters
    ----------
    patterns, sizes
        By row kind: compiled keys, and rows and cells as growth says.

    Raises
    ------
    NotComputableError
        If no row kind with a key holds any cell, or an activity that writes has no rate.
    """
    kinds = [kind for kind in table.row_kinds if kind.id in patterns and kind.id in sizes]
    total = sum(sizes[kind.id].rows * sizes[kind.id].bytes_stored for kind in kinds)
    if total <= 0:
        raise NotComputableError(
            UnknownReason(N_("“{table}” has no stored data yet."), table.id, {"table": table.label})
        )
    contents = [kind_content(spec, table, kind, patterns[kind.id], sizes[kind.id], total) for kind in kinds]
    return TableContent(tuple(kind for kind in contents if kind.weight > 0 and kind.columns), half_octaves(total))


def kind_content(
    spec: Spec,
    table: Table,
    kind: RowKind,
    pattern: KeyPattern,
    size: RowKindSize,
    table_bytes: float,
    *,
    ids_max: int = IDS_MOST,
) -> KindContent:
    """Return the content of one row kind.

    Parameters
    ----------
    table_bytes
        Logical bytes of the whole table, above 0.
    ids_max
        Values in the key's table.
    """
    stored = StoredRows(spec, table, kind, key_summary(pattern), size, stored_time(spec, table, kind))
    per_day = _rows_per_day(spec, kind)
    span = stored.time.span_days
    in_file = {c.id: (f, c) for f in table.families for c in f.columns}
    columns = [_column(spec, table, kind, *in_file[column.column], column, span) for column in size.columns]
    return KindContent(
        key=_stored_key_inputs(spec, table, kind, stored, ids_max),
        edges_s=tuple(stored.time.edges_s.round().tolist()),
        weights=tuple(stored.time.weight.round(3).tolist()),
        rows=half_octaves(size.rows),
        has_growing_rows=stored.has_growing_rows and not stored.has_row_per_event,
        events_per_row=round_to_figures(max(per_day * span / max(size.rows, 1.0), 1.0), 1),
        gap_days=round_to_figures(min(size.rows / per_day, span) if per_day > 0 else span, 1),
        weight=round(size.rows * size.bytes_stored / table_bytes, 2),
        columns=tuple(sorted((c for c in columns if c.cells_per_row > 0), key=lambda c: (c.family, c.qualifier))),
    )


def _stored_key_inputs(spec: Spec, table: Table, kind: RowKind, stored_rows: StoredRows, ids_max: int) -> KeyInputs:
    """Return the key's inputs with the popularities of the stored rows instead of those of the writes."""
    inputs = inputs_of(spec, table, kind, ids_max=ids_max, seed=0)
    spread = stored_popularity(stored_rows)
    shapes = ((name, replace(shape, popularity=spread.get(name, shape.popularity))) for name, shape in inputs.shapes)
    return replace(inputs, shapes=tuple(shapes))


def _rows_per_day(spec: Spec, kind: RowKind) -> float:
    """Rows written a day at the end of the horizon."""
    writing = [write for write in kind.writes if write.activity and not write.deletes]
    months = float(effective_value(spec, spec, "horizon_months"))
    return sum(
        activity_rate(spec, spec.find(write.activity or ""), months)
        * DAY_SECONDS
        * float(effective_value(spec, write, "rows_per_event"))
        for write in writing
    )


def _column(
    spec: Spec, table: Table, kind: RowKind, family: Family, column: Column, size: ColumnSize, span_days: float
) -> ColumnContent:
    return ColumnContent(
        family=family.name,
        qualifier=as_bytes(column.qualifier),
        qualifier_from=_qualifier(spec, table, kind, column),
        # A sketch looks like chance; the other aggregates are numbers.
        value_kind={"ordinary": effective_value(spec, column.value, "kind"), "hll": "random"}.get(
            family.kind, "integer"
        ),
        typical_bytes=value_bytes(spec, family, column),
        max_bytes=value_bytes_max(spec, family, column),
        constant_time=column.timestamp == "constant",
        cells_per_row=round_to_figures(size.cells_stored),
        names_per_row=round_to_figures(qualifiers(spec, column, span_days)),
        seed=crc32(column.id.encode()),
    )


def _qualifier(spec: Spec, table: Table, kind: RowKind, column: Column) -> KeyInputs | None:
    if not column.qualifier_from:
        return None
    alone = kind.model_copy(update={"key": column.qualifier_from, "key_columns": (), "writes": ()})
    return inputs_of(spec, table, alone, ids_max=NAMES_MOST, seed=0)
