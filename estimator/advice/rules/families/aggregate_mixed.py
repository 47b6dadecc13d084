"""A family mixes ordinary and aggregate cells.

**What** A write sets ordinary cells in an aggregate family or adds to cells of an ordinary family. Or the aggregate
does not accept its values.
**Why** An aggregate family accepts only AddToCell and MergeToCell; an ordinary family accepts only SetCell. Sums,
minima and maxima accept 64-bit integers. The engine rejects the whole row mutation, including its valid cells.
**Instead** Keep counters in separate families, and name the target columns in each write.
**Fine when** Never. The writes fail.
**Source** https://cloud.google.com/bigtable/docs/aggregates (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Family
from designer.document.texts import N_
from designer.wording import aggregate_name, element_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import columns_of
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part, time_part

SETS = ("append_row", "overwrite", "new_cell", "new_column", "increment", "read_modify_write")
"""Modes that set cells; a check-and-mutate may hold any mutation."""
NOT_NUMBERS = ("text", "json", "protobuf", "random", "float", "enumeration", "empty")

ADDED = N_(
    "{write} adds to cells in {family} of {table}, which is an ordinary family. The engine rejects "
    "the whole row mutation: {rate_per_second}."
)
ADDED_UNRATED = N_(
    "{write} adds to cells in {family} of {table}, which is an ordinary family. The engine rejects "
    "the whole row mutation."
)
SET_UNRATED = N_(
    "{write} sets ordinary cells in {family} of {table}, which is an aggregate family. The engine "
    "rejects the whole row mutation."
)
NO_NUMBER = N_(
    "Column {column} in {family} of {table} holds values other than integers, but the family stores "
    "their {aggregate}. The engine rejects these additions."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write into a family of another cell type, and per column with unsuitable values."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns if family.kind in ("sum", "min", "max") else ():
                if column.value.kind in NOT_NUMBERS:
                    names = {"column": column.label, "family": family.label, "table": table.label}
                    yield Violation(
                        column.id, {**names, "aggregate": aggregate_name(family.kind)}, "value.kind", message=NO_NUMBER
                    )
    for rows in row_kinds(spec, estimate):
        for write in rows.kind.writes:
            for family in _refused_families(rows, write):
                yield _build_violation(rows, write, family)


def _refused_families(rows: RowKindFacts, write: Write) -> tuple[Family, ...]:
    """Return the distinct families into which the write puts the wrong type of cells."""
    mode = write_mode(rows.spec, write)
    adds = mode == "add_to_aggregate"
    if not adds and mode not in SETS:
        return ()
    touched = {family.id: family for family, _ in columns_of(rows.table, rows.kind, write.columns)}
    return tuple(family for family in touched.values() if (family.kind == "ordinary") == adds)


def _build_violation(rows: RowKindFacts, write: Write, family: Family) -> Violation:
    load = next((load for other, load in rows.writes if other.id == write.id), None)
    adds = write_mode(rows.spec, write) == "add_to_aggregate"
    params = {"write": element_label(rows.spec, write.id), "family": family.label, "table": rows.table.label}
    if load is None:
        return Violation(write.id, params, "mode", message=ADDED_UNRATED if adds else SET_UNRATED)
    rate = load.rows_per_second
    return Violation(write.id, {**params, "rate_per_second": rate}, "mode", rate, message=ADDED if adds else "")


def _counters_design(mode: str, *columns: str) -> Spec:
    """Build a design of readings and a counter of them, in a table with both types of families."""
    families = (
        {"id": "family", "name": "m", "gc": NEWEST_ONLY, "columns": [{"id": "column", "qualifier": "v"}]},
        {
            "id": "counts",
            "name": "n",
            "kind": "sum",
            "gc": NEWEST_ONLY,
            "columns": [{"id": "count", "qualifier": "n", "value": {"kind": "integer"}}],
        },
    )
    write: Part = {"mode": mode, "columns": columns}
    reads = (read_part(binds=("device",), time={"days": 1}),)
    key = (field_part("device", "#"), time_part(resolution="day", pattern="%Y%m%d"))
    return design(*key, fields=(DEVICE,), per_second=100, write=write, table={"families": families}, reads=reads)


RULE = Rule(
    code="F006",
    severity="error",
    message=N_(
        "{write} sets ordinary cells in {family} of {table}, which is an aggregate family. The engine "
        "rejects the whole row mutation: {rate_per_second}."
    ),
    check=check,
    bad=lambda: _counters_design("overwrite"),
    good=lambda: _counters_design("add_to_aggregate", "count"),
    near_miss=lambda: _counters_design("overwrite", "column"),
    engines=BIGTABLE,
)
