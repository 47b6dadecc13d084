"""Trials: every read of every example gets what its caller wants, and what an engine does otherwise is found."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from designer.document import Spec
from designer.document.family import MaxAge
from designer.document.keytext import parse_key
from designer.document.load import from_data
from estimator.kernels.keys.values.shape import shape_of
from reviews.exports.code import make
from reviews.exports.key_code.cell_filters import CellLimit, ColumnChoice, KeyRegex
from reviews.exports.key_code.expressions import BEGINNING
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.key_code.ranges import read_ranges
from reviews.exports.key_code.vectors import reference_values
from reviews.exports.shared.result import ExportRemarks
from reviews.trials import TrialPlan, TrialResult, describe_plan, plan_trial, run_trial
from reviews.trials.reports import BYTES_MAX, UnreadResultError, as_json, read_result, schema
from reviews.trials.results import MESSAGES
from reviews.trials.sample import KindSample, argument
from reviews.trials.trial import EngineError, FoundRow
from tests.cases import cases
from tests.contexts import Content, estimate
from tests.designs import hostile
from tests.exports.code_calls import EXAMPLES, example, module_of
from tests.exports.test_emulator import design
from tests.oracle.test_newest_buckets import design as newest_by_bucket

from .memory_engine import MemoryEngine


@cache
def plan_of(name: str) -> TrialPlan:
    spec = {"every kind of read": design, "hostile": hostile}.get(name, lambda: example(name))()
    return plan_trial(spec, estimate(spec), rows=40)


def tried(plan: TrialPlan, engine: MemoryEngine | None = None, *, steps: int = 10_000) -> TrialResult:
    left = iter([True] * steps)
    return run_trial(
        plan, engine or MemoryEngine(), describe_plan(plan, design="x", rows=40), has_time=lambda: next(left, False)
    )


def kinds(result: TrialResult) -> set[str]:
    return {one.kind for one in result.findings}


FEW = ("iot-fleet", "timestamp-first", "reversed-domains", "karte")
SOME = [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in EXAMPLES]


@pytest.mark.parametrize("name", [*SOME, "every kind of read", "hostile"])
def test_an_engine_that_does_as_documented_returns_what_callers_want(name: str) -> None:
    plan = plan_of(name)

    result = tried(plan)

    assert result.findings == ()
    assert len(result.reads) == len([read for _, kind in plan.spec.row_kinds() for read in kind.reads])
    assert all(read.rows_wanted and read.found == read.planned for read in result.reads)
    assert all(table.found == table.written and table.written.rows for table in result.tables)


@pytest.mark.parametrize("name", SOME)
def test_ranges_are_those_of_the_module_that_is_exported(name: str) -> None:
    spec, plan = example(name), plan_of(name)
    module, codes = module_of(make(Content(spec))), {code.id: code for code in plan_keys(spec, ExportRemarks())}
    span = (1_795_132_800_000_000, 1_795_392_000_000_000)
    for planned in plan.reads:
        code = codes[planned.kind.id]
        read = code.reads[planned.kind.reads.index(planned.read)]
        values = [argument_of(spec, plan, planned.kind.id, each) for each in read.parameters]
        written = getattr(module, f"{read.name}_ranges")(*values, *(span if read.time else ()))

        made = read_ranges(planned.kind.key, read, reference_values(spec, read.parameters, values), span)

        assert [(one.first, one.end) for one in made] == written


def _hashed(key: str) -> Spec:
    user = {"id": "user", "name": "user", "values": {"kind": "pattern", "text": "u{n:03}"}, "distinct": 30}
    reads = [
        {"id": "span", "name": "span", "time": {"days": 0.2}, "rate_per_second": 1},
        {"id": "newest", "name": "newest", "newest_rows": 3, "rate_per_second": 1},
        {"id": "exact", "name": "exact", "binds": [{"field": "user"}], "exact_time": True, "rate_per_second": 1},
    ]
    writes = [{"id": "w", "activity": "act", "mode": "append_row"}]
    data: dict[str, Any] = {
        "format": 1, "name": "hashed", "start": "2026-04-01", "horizon_months": 3, "fields": [user],
        "activities": [{"id": "act", "name": "act", "rate_per_second": 0.01}],
        "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "k", "name": "k", "writes": writes, "reads": reads}],
                    "families": [{"id": "f", "name": "f", "columns": [{"id": "c", "qualifier": "q"}]}]}],
    }  # fmt: skip
    data["tables"][0]["row_kinds"][0]["key"] = [
        one.model_dump(mode="json") for one in parse_key(from_data(data), key).segments
    ]
    return from_data(data)


@pytest.mark.parametrize(
    "key", ["{hash(time:hour)}#{time:rev}#{user}", "{hash(time:hour)}#{user}", "{hash(time)}#{user}"]
)
def test_a_span_is_asked_by_one_range_for_each_bucket_whose_hash_the_keys_have(key: str) -> None:
    spec = _hashed(key)
    plan = plan_trial(spec, estimate(spec), rows=40)

    result = tried(plan)

    assert {one.kind for one in result.findings} <= {"beyond_plan"}
    by_read = {planned.read.id: read for planned, read in zip(plan.reads, result.reads, strict=True)}
    assert all(read.rows_wanted and read.found == read.planned for read in by_read.values())


def argument_of(spec: Spec, plan: TrialPlan, kind: str, parameter: Any) -> Any:
    event = next(row.event for table in plan.tables for row in table.rows if row.row_kind == kind)
    shapes = {field.id: shape_of(spec, field, seed=1) for field in spec.fields}
    sample = KindSample(spec.find(kind), None, shapes, (), ())  # type: ignore[arg-type]
    held = argument(sample, parameter.id, parameter.type, event)
    return held.partition(".")[2] if parameter.bound == BEGINNING else held  # parents of domains are asked for


def change_cells(rows: list[FoundRow]) -> list[FoundRow]:
    return [replace(row, cells=(*row.cells[:-1], (*row.cells[-1][:3], b"?"))) for row in rows]


FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("rows_missing", {"fault": lambda rows: rows[1:]}),
    ("rows_surplus", {"fault": lambda rows: [*rows, FoundRow(b"\xff\xff", ())]}),
    ("read_cells", {"fault": change_cells}),
    ("read_order", {"fault": lambda rows: rows[::-1]}),
    ("rows", {"fault": lambda rows: rows[1:]}),
    ("cells", {"fault": lambda rows: [replace(row, cells=row.cells[1:]) for row in rows]}),
    ("bytes", {"fault": change_cells}),
    ("rows_met", {"looked_at": lambda count: count + 1}),
    ("rule", {"told": lambda told: replace(told, rules=dict.fromkeys(told.rules, "(maxversions=9)"))}),
    ("family_missing", {"told": lambda told: replace(told, rules={})}),
    ("type", {"told": lambda told: replace(told, types=dict.fromkeys(told.rules, "intsum"))}),
    ("splits", {"told": lambda told: replace(told, split_keys=frozenset())}),
    ("table_refused", {"fail": {"create": EngineError("no")}}),
    ("write_refused", {"fail": {"write": EngineError("no")}}),
]


@cases("kind, behaviour", FAULTS)
def test_what_an_engine_does_otherwise_is_found(kind: str, behaviour: dict[str, Any]) -> None:
    plan = plan_of("iot-fleet")
    split = replace(plan.tables[0], export=replace(plan.tables[0].export, splits=(b"f1",)))

    result = tried(replace(plan, tables=(split, *plan.tables[1:])), MemoryEngine(**behaviour))

    assert kind in kinds(result)
    assert all(one.text.message in MESSAGES.values() for one in result.findings)


def test_a_range_that_misses_wanted_rows_is_found() -> None:
    plan = plan_of("karte")
    [first, *others] = plan.reads
    [request] = first.asked.requests
    moved = replace(request, ranges=(replace(request.ranges[0], first=request.ranges[0].end),))
    wrong = replace(first, asked=replace(first.asked, requests=(moved,)))

    result = tried(replace(plan, reads=(wrong, *others)))

    assert {one.kind for one in result.findings} == {"rows_missing", "rows_met"}
    assert {one.element for one in result.findings} == {first.read.id}


def test_ranges_that_meet_more_than_the_design_plans_are_a_finding() -> None:
    plan = plan_of("karte")
    wide = replace(plan.reads[0], asked=replace(plan.reads[0].asked, surplus_rows=3))

    result = tried(replace(plan, reads=(wide,)))

    assert [(one.kind, one.params) for one in result.findings] == [("beyond_plan", {"count": 3})]


def test_rows_of_a_filter_behind_the_ranges_are_wanted_but_not_all_met() -> None:
    [read] = plan_of("timestamp-first").reads

    assert any(isinstance(one, KeyRegex) for one in read.asked.filters)
    assert len(read.asked.met) > len(read.asked.returned) == len(read.asked.wanted) > 0


def test_the_newest_rows_behind_a_bucket_are_asked_bucket_by_bucket_as_the_code_for_keys_does() -> None:
    spec = newest_by_bucket(3, "hour").spec
    plan = plan_trial(spec, estimate(spec), rows=200)

    result = tried(plan)

    (read,), (planned,) = result.reads, plan.reads
    assert result.findings == ()
    assert read.rows_wanted == len(planned.asked.met) == 3
    assert [request.limit for request in planned.asked.requests] == [3, 2]
    (code,) = plan_keys(spec, ExportRemarks())
    module = module_of(make(Content(spec)))
    ((first, end),) = getattr(module, f"{code.reads[0].name}_ranges")("u000001", 1_795_132_800_000_000)
    assert (first, end) == (b"u000001#1795132800000#", b"u000001#1795132800000$")
    assert "ask the newest bucket for 3 rows" in code.reads[0].about


def test_tables_are_deleted_whatever_happens() -> None:
    for error in (KeyboardInterrupt(), RuntimeError("broken")):
        engine = MemoryEngine(fail={"read": error})
        with pytest.raises(type(error)):
            tried(plan_of("karte"), engine)

        assert engine.dropped


def test_tables_that_are_left_are_named_however_a_trial_ends() -> None:
    left = {"kwtry-1": "no answer"}

    result = tried(plan_of("karte"), MemoryEngine(left=left))
    with pytest.raises(RuntimeError) as broken:
        tried(plan_of("karte"), MemoryEngine(left=left, fail={"read": RuntimeError()}))

    assert [(one.kind, one.params["table"]) for one in result.findings] == [("left", "kwtry-1")]
    assert broken.value.__notes__ == ["table kwtry-1 could not be deleted: no answer"]


def test_a_trial_that_ran_out_of_time_says_what_it_left_out() -> None:
    engine = MemoryEngine()

    result = tried(plan_of("karte"), engine, steps=3)

    assert kinds(result) == {"stopped"}
    assert (len(result.tables), len(result.reads), engine.dropped) == (2, 1, True)


def test_a_result_is_what_its_schema_says_and_is_read_back() -> None:
    result = tried(plan_of("iot-fleet"), MemoryEngine(looked_at=lambda count: count + 1))
    text = as_json(result)

    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(json.loads(text))
    assert read_result(text.encode()) == result


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("keywright-try/1", "keywright-try/2"),
        lambda text: text.replace('"rows_met"', '"something"', 1),
        lambda text: "[" * 100_000,
        lambda text: "",
        lambda text: text + " " * BYTES_MAX,
        lambda text: text.replace('"kind": "rows_met"', '"kind": "bytes"'),
    ],
)
def test_what_is_no_result_is_refused(change: Callable[[str], str]) -> None:
    text = as_json(tried(plan_of("karte"), MemoryEngine(looked_at=lambda count: count + 1)))
    assert '"kind": "rows_met"' in text

    with pytest.raises(UnreadResultError):
        read_result(change(text).encode())


def wide_rows(**read: Any) -> TrialPlan:
    time = {
        "id": "q",
        "kind": "time",
        "resolution": "day",
        "unit": "s",
        "reversed": True,
        "reverse_from": 9_999_999_999,
    }
    item = {"id": "i", "kind": "field", "field": "item"}
    spec = from_data({
        "name": "Wide", "start": "2026-01-01",
        "fields": [{"id": "user", "name": "user", "distinct": 20}, {"id": "item", "name": "item", "distinct": 20}],
        "activities": [{"id": "a", "name": "a", "rate_per_second": 1}],
        "tables": [{"id": "t", "name": "t", "families": [
            {"id": "f", "name": "f", "columns": [{"id": "days", "qualifier_from": [time]}]},
            {"id": "g", "name": "g", "columns": [
                {"id": "items", "qualifier_from": [item]},
                {"id": "n", "qualifier": "n", "value": {"typical_bytes": 30, "max_bytes": 40}}]},
            {"id": "h", "name": "h", "kind": "sum", "columns": [{"id": "sum", "qualifier": "s"}]},
        ], "row_kinds": [{"id": "r", "key": [{"id": "k", "kind": "field", "field": "user"}],
                          "writes": [{"id": "w", "activity": "a"}],
                          "reads": [{"id": "x", "name": "x", "binds": [{"field": "user"}], **read}]}]}],
    })  # fmt: skip
    return plan_trial(spec, estimate(spec), rows=20)


@pytest.mark.parametrize(
    ("read", "kind", "cells"),
    [
        ({"columns": ["days"], "newest_columns": 2}, CellLimit, 2),
        ({"binds": [{"field": "user"}, {"field": "item"}]}, ColumnChoice, 9),
        ({"columns": ["n"]}, ColumnChoice, 3),
        ({"families": ["h"]}, ColumnChoice, 1),
        ({"columns": ["n", "items"]}, ColumnChoice, 7),
        ({"columns": ["days"], "time": {"days": 0.01}}, ColumnChoice, 1),
        ({"families": ["f", "h"], "time": {"days": 2}}, ColumnChoice, 4),
    ],
)
def test_reads_of_some_columns_ask_for_these_cells(read: dict[str, Any], kind: type, cells: int) -> None:
    plan = wide_rows(**read)
    [asked] = [one.asked for one in plan.reads]

    assert [type(one) for one in asked.filters if isinstance(one, CellLimit | ColumnChoice)][-1] is kind
    assert [len(each) for each in asked.returned.values()] == [cells]
    assert tried(plan).findings == ()


def test_samples_hold_the_largest_values_versions_and_values_that_begin_alike() -> None:
    [table] = wide_rows().tables
    sizes = {cell.value_bytes for one in plan_of("karte").tables for row in one.rows for cell in row.cells}
    cells = [cell for cell in table.rows[0].cells if cell.qualifier == b"n"]

    assert len(sizes) > 2
    assert len({cell.age_us for cell in cells}) == len(cells) == 3
    lengths = [cell.value_bytes for cell in cells]
    assert lengths[0] != lengths[1] != lengths[2]
    assert {row.event.numbers["user"] for row in table.rows} == {0, 1, 2, 3, 10, 11}


def test_a_family_that_no_export_makes_is_named_and_the_others_are_tried() -> None:
    spec = wide_rows(columns=["n"]).spec
    never = spec.tables[0].families[0].model_copy(update={"gc": MaxAge(age_days=1e-12)})
    table = spec.tables[0].model_copy(update={"families": (never, *spec.tables[0].families[1:])})
    changed = spec.model_copy(update={"tables": (table,)})

    plan = plan_trial(changed, estimate(changed), rows=20)

    assert [one.at for one in plan.not_tried] == ["f"]
    assert [one.name for one in plan.tables[0].export.families] == ["g", "h"]
    assert tried(plan).findings == ()


def test_no_sentence_of_a_finding_has_a_verb_that_agrees_with_a_number() -> None:
    """One row of a thing is "1 row", and the verb behind it would stay in the plural."""
    assert [kind for kind, message in MESSAGES.items() if re.search(r"\{count\} \w+ are\b", message)] == []
