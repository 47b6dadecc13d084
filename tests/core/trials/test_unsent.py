"""Ranges that a design plans: a trial sends them, and what no range or filter takes is a finding."""

from dataclasses import replace
from typing import Any

from designer.document import Spec
from designer.document.load import from_data
from reviews.exports.key_code.cell_filters import ColumnChoice, ColumnRange
from reviews.trials import TrialPlan, TrialResult, describe_plan, plan_trial, run_trial
from reviews.trials.trial import FoundTable
from tests.contexts import estimate

from .memory_engine import MemoryEngine

PAD = [{"kind": "pad", "width": 4}]
BINDS = [{"field": "host"}, {"field": "metric"}, {"field": "level", "from_value": "2", "to_value": "11"}]


def design(key: list[dict[str, Any]], qualifier: list[dict[str, Any]], read: dict[str, Any]) -> Spec:
    columns = [{"id": "c", "qualifier_from": qualifier}] if qualifier else [{"id": "c", "qualifier": "v"}]
    return from_data({
        "name": "Unsent",
        "fields": [{"id": "host", "name": "host", "kind": "string", "values": {"kind": "pattern", "text": "h{n:03}"},
                    "distinct": 20},
                   {"id": "metric", "name": "metric", "values": {"kind": "enumeration", "items": [
                       {"value": "cpu"}, {"value": "mem"}]}},
                   {"id": "level", "name": "level", "kind": "integer", "values": {
                       "kind": "range", "min": 0, "max": 500}}],
        "activities": [{"id": "a", "name": "a", "rate_per_second": 5}],
        "tables": [{"id": "t", "name": "t", "families": [{"id": "f", "name": "f", "columns": columns}],
                    "row_kinds": [{"id": "k", "key": key, "writes": [{"id": "w", "activity": "a"}],
                                   "reads": [{"id": "r", "name": "r", "rate_per_second": 1, **read}]}]}],
    })  # fmt: skip


def plan_design(spec: Spec) -> TrialPlan:
    return plan_trial(spec, estimate(spec), rows=80)


def run_plan(plan: TrialPlan, engine: MemoryEngine | None = None) -> TrialResult:
    return run_trial(plan, engine or MemoryEngine(), describe_plan(plan, design="x", rows=80), has_time=lambda: True)


HOST = {"id": "s1", "kind": "field", "field": "host"}


def metric_and_level(**level: Any) -> list[dict[str, Any]]:
    return [{"id": "q1", "kind": "field", "field": "metric", "after": "#"},
            {"id": "q2", "kind": "field", "field": "level", **level}]  # fmt: skip


def test_a_range_of_values_in_qualifiers_is_sent() -> None:
    plan = plan_design(design([HOST], metric_and_level(transforms=PAD), {"binds": BINDS}))

    (choice,) = (one for one in plan.reads[0].asked.filters if isinstance(one, ColumnChoice))
    (column,) = choice.families[0].columns
    assert isinstance(column, ColumnRange)
    assert (column.first[3:], column.end[3:]) == (b"#0002", b"#0012")
    assert run_plan(plan).findings == ()


def test_a_range_of_columns_that_no_filter_takes_is_a_finding() -> None:
    """The design plans these columns as one range; without padding, numbers do not sort so."""
    level = [{"id": "q2", "kind": "field", "field": "level"}]
    read = {"binds": [BINDS[0], {"field": "level", "from_value": "2", "to_value": "3"}]}

    result = run_plan(plan_design(design([HOST], level, read)))

    assert {one.kind for one in result.findings} == {"columns_beyond"}


TIMED = [{**HOST, "after": "#"}, {"id": "s2", "kind": "time", "resolution": "second", "after": "#"},
         {"id": "s3", "kind": "field", "field": "level", "transforms": PAD}]  # fmt: skip


def test_a_range_of_values_behind_a_time_that_no_filter_takes_is_a_finding() -> None:
    read = {"binds": [BINDS[0], BINDS[2]], "time": {"days": 1}}

    result = run_plan(plan_design(design(TIMED, [], read)))

    found = {one.kind: one.params["count"] for one in result.findings}
    (told,) = result.reads
    assert found.keys() <= {"unfiltered", "beyond_plan"}
    assert found
    assert told.rows_seen is not None
    assert told.rows_seen > told.rows_wanted
    assert found.popitem()[1] == told.rows_seen - told.rows_wanted


def test_a_range_of_values_in_the_key_is_sent() -> None:
    key = [{**HOST, "after": "#"}, {"id": "s3", "kind": "field", "field": "level", "transforms": PAD}]
    plan = plan_design(design(key, [], {"binds": [BINDS[0], BINDS[2]]}))

    result = run_plan(plan)

    (told,) = result.reads
    assert result.findings == ()
    assert told.rows_seen == told.rows_wanted
    assert 0 < told.rows_wanted < told.planned.rows + 1
    assert told.ranges[0].first.endswith("#0002")


def test_a_family_that_the_design_does_not_have_is_a_finding() -> None:
    plan = plan_design(design([HOST], [], {"binds": BINDS[:1]}))

    def with_family(told: FoundTable) -> FoundTable:
        return replace(told, rules={**told.rules, "old": "maxversions=1"})

    result = run_plan(plan, MemoryEngine(told=with_family))

    assert [(one.kind, one.element, one.params) for one in result.findings] == [
        ("family_surplus", "t", {"family": "old"})
    ]


def test_another_rule_is_a_finding() -> None:
    plan = plan_design(design([HOST], [], {"binds": BINDS[:1]}))

    def with_rule(told: FoundTable) -> FoundTable:
        return replace(told, rules={"f": "maxage=1h"})

    assert [one.kind for one in run_plan(plan, MemoryEngine(told=with_rule)).findings] == ["rule"]
