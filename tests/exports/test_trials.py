"""Trials on Google's emulator by Google's client: tables are made, filled, read and gone again."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from designer.document import Spec
from designer.document.family import Value
from designer.document.load import from_data
from reviews.exports.code import make
from reviews.management.bigtable_engine import EMULATED, BigtableEngine
from reviews.trials import TrialResult, describe_plan, plan_trial, run_trial
from tests.contexts import Content, estimate
from tests.core.trials.test_unsent import BINDS, HOST, PAD, metric_and_level
from tests.core.trials.test_unsent import design as design_of_values
from tests.designs import hostile

from .code_calls import module_of
from .test_emulator import design

pytest.importorskip("google.cloud.bigtable_v2", reason="Google's client is not installed: designs are not tried")


@pytest.fixture
def engine(emulator: str) -> Iterator[BigtableEngine]:
    made = BigtableEngine.at_emulator(emulator, int(time.time() * 1_000_000))
    yield made
    assert tables(made, "kwtry-") == []


def tables(engine: BigtableEngine, prefix: str) -> list[str]:
    names = (one.name.rsplit("/", 1)[1] for one in engine.admin.list_tables(parent=EMULATED))
    return [name for name in names if name.startswith(prefix)]


def tried(spec: Spec, engine: BigtableEngine, rows: int = 60) -> TrialResult:
    plan = plan_trial(spec, estimate(spec), rows=rows)
    return run_trial(plan, engine, describe_plan(plan, design="x", rows=rows), has_time=lambda: True)


@pytest.mark.parametrize("make", [design, hostile])
def test_every_kind_of_read_is_answered_as_planned(make: Any, engine: BigtableEngine) -> None:
    result = tried(make(), engine)

    assert {one.kind for one in result.findings} <= {"beyond_plan"}
    assert all(read.found == read.planned and read.rows_seen == read.rows_met for read in result.reads)
    assert all(table.found == table.written for table in result.tables)


def definitions(reads: list[dict[str, Any]]) -> Spec:
    gc = [
        {"kind": "intersection", "rules": [
            {"kind": "max_age", "age_days": 7.5}, {"kind": "max_versions", "versions": 3}]},
        {"kind": "union", "rules": [{"kind": "max_age", "age_days": 1}, {"kind": "max_versions", "versions": 2}]},
        {"kind": "never"},
    ]  # fmt: skip
    families = [
        {"id": f"f{place}", "name": f"f{place}", "gc": one, "columns": [{"id": f"c{place}", "qualifier": "q"}]}
        for place, one in enumerate(gc)
    ]
    families += [
        {"id": kind, "name": kind, "kind": kind, "columns": [{"id": f"c-{kind}", "qualifier": "n"}]}
        for kind in ("sum", "min", "max", "hll")
    ]
    time_ = {"id": "s2", "kind": "time", "raw": True}
    key = [{"id": "s1", "kind": "field", "field": "user", "after": "#"}, time_]
    kind = {"id": "r", "key": key, "writes": [{"id": "w", "activity": "a"}], "reads": reads}
    return from_data({
        "name": "Definitions", "fields": [{"id": "user", "name": "user", "distinct": 5}],
        "activities": [{"id": "a", "name": "a", "rate_per_second": 1}],
        "tables": [{"id": "t", "name": "t", "families": families, "row_kinds": [kind]}],
    })  # fmt: skip


def test_rules_and_aggregates_come_back_as_exported_and_scans_go_backwards(engine: BigtableEngine) -> None:
    binds = [{"field": "user"}]
    reads = [
        {"id": "back", "name": "back", "binds": binds, "newest_rows": 2, "reverse": True},
        {"id": "first", "name": "first", "binds": binds, "row_limit": 2},
        {"id": "total", "name": "total", "binds": binds, "families": ["sum", "f0"], "newest_versions": 1},
    ]

    result = tried(definitions(reads), engine)

    assert result.findings == ()
    [table] = result.tables
    assert [one.found_rule for one in table.families] == [one.designed_rule for one in table.families]
    assert "(maxage=180h and maxversions=3)" in {one.designed_rule for one in table.families}
    assert [(read.is_reversed, read.row_limit, read.found and read.found.rows) for read in result.reads[:2]] == [
        (True, 2, 2), (False, 2, 2),
    ]  # fmt: skip


def test_values_of_megabytes_come_back_whole(engine: BigtableEngine) -> None:
    spec = definitions([{"id": "all", "name": "all"}])
    large = spec.tables[0].families[2].columns[0].model_copy(update={"value": Value(typical_bytes=3_000_000)})
    family = spec.tables[0].families[2].model_copy(update={"columns": (large,)})
    table = spec.tables[0].model_copy(update={"families": (family,)})

    result = tried(from_data(spec.model_copy(update={"tables": (table,)}).model_dump(mode="json")), engine)

    assert result.findings == ()
    assert result.tables[0].found is not None
    assert result.tables[0].found.bytes > 8 * 3_000_000


def test_ranges_of_values_in_keys_and_qualifiers_are_answered_as_planned(engine: BigtableEngine) -> None:
    columns = design_of_values([HOST], metric_and_level(transforms=PAD), {"binds": BINDS})
    key = [{**HOST, "after": "#"}, {"id": "s3", "kind": "field", "field": "level", "transforms": PAD}]
    rows = design_of_values(key, [], {"binds": [BINDS[0], BINDS[2]]})

    for result in (tried(columns, engine), tried(rows, engine)):
        (read,) = result.reads
        assert result.findings == ()
        assert read.found is not None
        assert 0 < read.found.cells < result.tables[0].written.cells


def test_the_engine_takes_the_filter_of_the_code_for_keys(engine: BigtableEngine) -> None:
    from google.cloud.bigtable_v2.types import RowFilter

    spec = design_of_values([HOST], metric_and_level(transforms=PAD), {"binds": BINDS})
    plan = plan_trial(spec, estimate(spec), rows=60)
    (table,) = plan.tables
    module = module_of(make(Content(spec)))
    engine.create(table)
    try:
        engine.write(table)
        sent = RowFilter.from_json(module.t_r_filter("cpu", 2, 11))
        told = engine.data.read_rows(request={"table_name": engine._path("t"), "filter": sent})
        found = {bytes(chunk.qualifier) for answer in told for chunk in answer.chunks if chunk.qualifier is not None}
    finally:
        engine.drop()

    written = {cell.qualifier for row in table.rows for cell in row.cells}
    assert found
    assert found == {one for one in written if one[:3] == b"cpu" and 2 <= int(one[4:]) <= 11}


def test_tables_that_others_made_stay(engine: BigtableEngine) -> None:
    from google.cloud.bigtable_admin_v2.types import Table

    engine.admin.create_table(request={"parent": EMULATED, "table_id": "t", "table": Table()})
    try:
        tried(definitions([]), engine)

        assert tables(engine, "t") == ["t"]
    finally:
        engine.admin.delete_table(name=f"{EMULATED}/tables/t")
