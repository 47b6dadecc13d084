"""Rows that are written again for days after they were created: estimated beside what is drawn."""

from typing import Any

import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import Compared, compare
from .designs import FEATURES, Design
from .gaps import SIZES

AGE: dict[str, Any] = {"kind": "max_age", "age_days": 6}
RULES: dict[str, Any] = {
    "none": None,
    "age": AGE,
    "versions": {"kind": "max_versions", "versions": 1},
    "union": {"kind": "union", "rules": [AGE, {"kind": "max_versions", "versions": 2}]},
}


def design(
    rule: str, updates: float, days: float, *, own_column: bool, is_time_first: bool = False, names: int = 1
) -> Design:
    """Return a design of orders by user and time, whose status is written again in the days after.

    `names`: kinds of status, each of which has a column.
    """
    parts = [{"id": "u", "kind": "field", "field": "user", "after": "#"}, {"id": "t0", "kind": "time", "after": "#"}]
    columns = [{"id": name, "qualifier": name, "value": {"typical_bytes": 100}} for name in ("body", "status")]
    if names > 1:
        columns[1] = {"id": "status", "value": {"typical_bytes": 100},
                      "qualifier_from": [{"id": "q", "kind": "field", "field": "state"}]}  # fmt: skip
    writes = [
        {
            "id": "write",
            "activity": "order",
            "mode": "append_row",
            "columns": ["body"] if own_column else ["body", "status"],
        },
        {"id": "again", "activity": "change", "row_age_days": days, "columns": ["status"]},
    ]
    kind = {
        "id": "rows", "writes": writes, "key": parts[::-1] if is_time_first else parts,
        "reads": [{"id": "prefix", "binds": [{"field": "user"}], "rate_per_second": 1}],
    }  # fmt: skip
    data = {
        "start": "2026-04-01", "horizon_months": 2,
        "fields": [{"id": "user", "name": "user", "kind": "string", "distinct": 30,
                    "popularity": {"kind": "zipf", "theta": 0.8}, "values": {"kind": "pattern", "text": "u{n:06}"}},
                   {"id": "state", "name": "state", "distinct": names, "popularity": {"kind": "uniform"},
                    "values": {"kind": "pattern", "text": "s{n:02}"}}],
        "activities": [{"id": name, "rate_per_second": events / MONTH_DAYS / 86_400}
                       for name, events in (("order", 400), ("change", 400 * updates))],
        "tables": [{"id": "t", "row_kinds": [kind], "families": [
            {"id": "f", "name": "f", "gc": RULES[rule], "columns": columns}]}],
    }  # fmt: skip
    features = {name: choices[0] for name, choices in FEATURES.items()} | {"mode": "append_row", "time": "moment"}
    return Design(int(10 * updates), features, from_data(data), data)


def is_aside(_: Design, compared: Compared) -> bool:
    """Whether a quantity is of one write only, or of single rows, of which garbage is not told apart."""
    return compared.name in ("lost share", "busiest row") or compared.name.startswith(SIZES)


@pytest.mark.parametrize(
    ("rule", "updates", "days", "own_column", "is_time_first", "names"),
    [
        ("none", 2.0, 5, True, True, 1),
        ("age", 0.5, 12, False, False, 1),
        ("versions", 3.0, 15, False, True, 1),
        ("union", 3.0, 9, False, False, 1),
        ("versions", 3.0, 5, True, True, 4),
        ("union", 6.0, 9, False, False, 3),
    ],
)
def test_rows_live_and_are_loaded_where_they_are_written_again(
    rule: str, updates: float, days: float, own_column: bool, is_time_first: bool, names: int
) -> None:
    made = design(rule, updates, days, own_column=own_column, is_time_first=is_time_first, names=names)

    found = compare(made, is_aside)

    assert [each for each in found if not each.agrees and not is_aside(made, each)] == []
    assert any(each.name == "busiest range" for each in found)


def test_updates_load_old_keys_and_are_no_append_point() -> None:
    made = design("none", 9.0, 15, own_column=True, is_time_first=True)

    traffic = estimate(made.spec, context()).tables["t"].traffic

    assert traffic is not None
    assert [front.write for front in traffic.fronts] == ["write"]
    by_range = traffic.heat.writes_per_second.sum(axis=1)  # of 61 days, 15 are a quarter
    newest = by_range[-len(by_range) // 5 :]
    assert newest.min() > 0.5 / len(by_range) * by_range.sum()
    assert by_range[: len(by_range) * 7 // 10].sum() < 0.01 * by_range.sum()
