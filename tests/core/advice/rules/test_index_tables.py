"""The fix that adds an index table: its key, what it holds, who writes it, and what is left to find fault with."""

from typing import Any

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.table import Table
from designer.wording import key_of
from estimator.advice.questions import lint
from estimator.advice.rules.shared.examples import (
    DEVICE,
    TENANT,
    USER,
    field_part,
    hash_part,
    read_part,
    readings,
    salt_part,
    time_part,
)
from estimator.advice.rules.shared.fixes.index_table import ADD_INDEX_TABLE, index_table
from estimator.comparison.fixes import added_findings
from estimator.estimates.estimate import estimate
from estimator.facts.reading import row_kinds
from estimator.results import Finding, each_finding
from tests.contexts import context

BY_DEVICE = read_part(binds=("device",), time={"days": 1 / 24})
BY_USER = {**read_part(binds=("user",), rate_per_second=1e-2), "id": "by-user", "name": "by user"}
PREFIX = [{"field": "user", "prefix": True}]
NUMBER_AND_PREFIX = [{"field": "number"}, *PREFIX]
FIRST = field_part("device", "#")
NUMBER = {"id": "number", "name": "number", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 9_999}}


def design(*key: dict[str, Any], reads: tuple[dict[str, Any], ...], **more: Any) -> Spec:
    shape = key or (field_part("device", "#"), time_part("#"), field_part("user"))
    return readings(*shape, fields=(DEVICE, USER, TENANT, NUMBER), per_second=10, reads=reads, **more)


def with_index(spec: Spec, read: str = "by-user") -> tuple[Spec, Table]:
    made = estimate(spec, context())
    (rows,) = row_kinds(spec, made)
    edit = index_table(rows, spec.find(read))
    assert edit is not None
    after, back = apply(spec, edit)
    assert apply(after, back)[0] == spec, "one step takes it back"
    assert Spec.model_validate(after.model_dump()) == after
    (added,) = (table for table in after.tables if table.id not in spec.by_id)
    return after, added


def key(spec: Spec, table: Table) -> str:
    return key_of(spec, table.row_kinds[0])


def findings_about(spec: Spec, read: str) -> list[Finding]:
    return [f for f in each_finding(lint(spec, estimate(spec, context()), context())) if f.at == read]


def test_a_read_that_the_order_does_not_serve_is_offered_an_index_table_that_serves_it() -> None:
    spec = design(reads=(BY_DEVICE, BY_USER))
    offered = [f for f in findings_about(spec, "by-user") if f.fix_label == ADD_INDEX_TABLE]
    assert [f.rule for f in offered] == ["Q001", "Q005"]

    after, _ = apply(spec, offered[0].fix)
    assert findings_about(after, "by-user") == []
    before = lint(spec, estimate(spec, context()), context())
    assert added_findings(before, lint(after, estimate(after, context()), context())) == ()


def test_it_is_written_by_the_same_activity_and_the_read_moves_there() -> None:
    spec, added = with_index(design(reads=(BY_DEVICE, BY_USER)))
    source = spec.tables[0]
    assert (added.name, key(spec, added)) == (f"{source.name}_by_user_id", "{user_id}#{device_id}#{time}")
    assert added.derived_from is not None
    assert (added.derived_from.table, added.derived_from.how) == (source.id, "index_table")
    (kind,), (own,) = added.row_kinds, source.row_kinds
    assert [write.activity for write in kind.writes] == [write.activity for write in own.writes]
    assert [read.id for read in kind.reads] == ["by-user"]
    assert [read.id for read in own.reads] == [BY_DEVICE["id"]]


def test_its_bill_and_load_are_those_of_the_second_write() -> None:
    spec = design(reads=(BY_DEVICE, BY_USER))
    after, added = with_index(spec)
    parts = estimate(after, context()).tables
    source, index = (parts[table].traffic for table in (spec.tables[0].id, added.id))
    assert source is not None
    assert index is not None
    assert index.writes[0].rows_per_second == source.writes[0].rows_per_second


@pytest.mark.parametrize(
    ("shape", "read", "expected"),
    [
        ((FIRST, time_part("#"), field_part("user")), {"newest_rows": 10}, "{user_id}#{time}#{device_id}"),
        ((FIRST, time_part()), {"time": {"days": 1}}, "{user_id}#{time}#{device_id}"),
        ((FIRST, time_part()), {}, "{user_id}#{device_id}#{time}"),
        ((hash_part("device", after="#"), time_part()), {}, "{user_id}#{device_id}#{time}"),
        (
            (salt_part(8, "device", after="|"), field_part("device", "|"), time_part()),
            {},
            "{user_id}|{device_id}|{time}",
        ),
        ((FIRST, time_part()), {"binds": NUMBER_AND_PREFIX}, "{number:pad4}#{user_id}#{device_id}#{time}"),
    ],
)
def test_its_key_begins_with_what_the_read_knows_and_stays_unique(
    shape: tuple[dict[str, Any], ...], read: dict[str, Any], expected: str
) -> None:
    after, added = with_index(design(*shape, reads=(BY_DEVICE, {**BY_USER, **read})))
    assert key(after, added) == expected


def test_it_holds_the_columns_that_the_read_needs_and_the_writes_of_these() -> None:
    spec = design(reads=(BY_DEVICE, BY_USER))
    (table,) = spec.tables
    column = table.families[0].columns[0]
    other = column.model_copy(update={"id": "other-column", "qualifier": "other"})
    family = table.families[0].model_copy(update={"columns": (column, other)})
    (kind,) = table.row_kinds
    (write,) = kind.writes
    writes = (
        write.model_copy(update={"columns": (column.id,)}),
        write.model_copy(update={"id": "w2", "columns": ("other-column",)}),
    )
    reads = tuple(
        read.model_copy(update={"columns": ("other-column",)}) if read.id == "by-user" else read for read in kind.reads
    )
    kind = kind.model_copy(update={"writes": writes, "reads": reads})
    table = table.model_copy(update={"families": (family,), "row_kinds": (kind,)})

    after, added = with_index(spec.model_copy(update={"tables": (table,)}))
    (held,) = (column for family in added.families for column in family.columns)
    assert held.qualifier == "other"
    assert held.id != "other-column"
    (copied,), (moved,) = added.row_kinds[0].writes, added.row_kinds[0].reads
    assert (copied.columns, moved.columns) == ((held.id,), (held.id,))
    assert after.find("other-column").qualifier == "other", "the source keeps its own"


@pytest.mark.parametrize("binds", [None, [], PREFIX])
def test_where_a_key_of_its_own_would_serve_or_nothing_is_known_there_is_none(binds: list[Any] | None) -> None:
    spec = design(reads=(BY_USER,) if binds is None else (BY_DEVICE, {**BY_USER, "binds": binds}))
    (rows,) = row_kinds(spec, estimate(spec, context()))
    assert index_table(rows, spec.find("by-user")) is None


def test_an_index_table_gets_no_index_table() -> None:
    spec, added = with_index(design(reads=(BY_DEVICE, BY_USER, {**BY_USER, "id": "again"})))
    rows = next(rows for rows in row_kinds(spec, estimate(spec, context())) if rows.table is added)
    assert index_table(rows, spec.find("by-user")) is None
