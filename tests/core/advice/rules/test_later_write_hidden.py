"""C013: values that are written later with earlier timestamps."""

from typing import Any

from designer.document import Spec
from designer.document.load import from_data
from estimator.advice.rules.columns.later_write_hidden import RULE
from estimator.estimates.estimate import estimate
from tests.contexts import context


def spec_of(*writes: dict[str, Any], columns: int = 1) -> Spec:
    activities = [{"id": f"a{place}", "rate_per_second": 1} for place in range(len(writes))]
    made = [{"id": f"w{place}", "activity": f"a{place}", "mode": "overwrite"} | w for place, w in enumerate(writes)]
    family = {"id": "f", "gc": {"kind": "max_age", "age_days": 1}, "columns": [{"id": f"c{n}"} for n in range(columns)]}
    key = [{"id": "s", "kind": "field", "field": "user"}]
    return from_data({
        "fields": [{"id": "user", "name": "user", "distinct": 10}], "activities": activities,
        "tables": [{"id": "t", "name": "t", "families": [family],
                    "row_kinds": [{"id": "k", "key": key, "writes": made}]}],
    })  # fmt: skip


def found(spec: Spec) -> list[tuple[str, float]]:
    return [(each.at, each.params["hidden_days"]) for each in RULE.check(spec, estimate(spec, context()))]


def test_the_write_whose_timestamps_lie_before_the_others_is_named():
    assert found(spec_of({"timestamp_ahead_days": 30}, {})) == [("w1", 30.0)]
    assert found(spec_of({"timestamp_ahead_days": 2}, {"timestamp_ahead_days": 30})) == [("w0", 28.0)]


def test_writes_of_other_columns_and_of_rows_of_their_own_hide_nothing():
    apart = spec_of({"timestamp_ahead_days": 30, "columns": ["c0"]}, {"columns": ["c1"]}, columns=2)
    appended = spec_of({"timestamp_ahead_days": 30, "mode": "append_row"}, {"mode": "append_row"})

    assert found(apart) == []
    assert found(appended) == []
