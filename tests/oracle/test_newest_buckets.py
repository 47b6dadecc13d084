"""Rows behind a bucket of time, the newest and those of a span: estimated beside what is drawn."""

from typing import Any

import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import compare
from .designs import FEATURES, Design
from .designs import design as crossed


def design(
    newest: int, bucket: str, *, has_user: bool = True, between: tuple[str, ...] = (), is_newest_first: bool = True,
    span_days: float | None = None, salts: int = 0, **settings: Any,
) -> Design:  # fmt: skip
    """Return a design of a user's entries by bucket, of which the newest are read, or those of a span.

    In each bucket the newest come first, or the oldest; parts may stand between the bucket and the time.
    """
    user = [{"id": "u", "kind": "field", "field": "user", "after": "#"}] if has_user else []
    times = [
        {"id": "t0", "kind": "time", "after": "#"}
        | ({"bucket_seconds": 259_200} if bucket == "3 days" else {"resolution": bucket})
        | settings,
        *({"id": f"b-{name}", "kind": "field", "field": name, "after": "#"} for name in between),
        *([{"id": "salt", "kind": "salt", "modulo": salts, "after": "#"}] if salts else []),
        {"id": "t1", "kind": "time", "resolution": "millisecond", "reversed": is_newest_first},
    ]
    binds = [{"field": "user"}] if has_user else []
    read = {"newest_rows": newest} if span_days is None else {"time": {"days": span_days}}
    kind = {
        "id": "rows", "key": [*user, *times], "writes": [{"id": "write", "activity": "entry", "mode": "append_row"}],
        "reads": [{"id": "newest", "binds": binds, "rate_per_second": 1} | read],
    }  # fmt: skip
    data: dict[str, Any] = {
        "start": "2026-04-01", "horizon_months": 2,
        "fields": [{"id": "user", "name": "user", "kind": "string", "distinct": 20,
                    "popularity": {"kind": "zipf", "theta": 0.9}, "values": {"kind": "pattern", "text": "u{n:06}"}},
                   {"id": "metric", "name": "metric", "kind": "string", "distinct": 150,
                    "popularity": {"kind": "uniform"}, "values": {"kind": "pattern", "text": "m{n:06}"}}],
        "activities": [{"id": "entry", "rate_per_second": 300 / MONTH_DAYS / 86_400}],
        "tables": [{"id": "t", "row_kinds": [kind], "families": [
            {"id": "f", "name": "f", "columns": [{"id": "c", "qualifier": "c", "value": {"typical_bytes": 100}}]}]}],
    }  # fmt: skip
    features = {name: choices[0] for name, choices in FEATURES.items()} | {"mode": "append_row", "time": "moment"}
    return Design(newest, features, from_data(data), data)


@pytest.mark.parametrize("newest", [3, 40])
@pytest.mark.parametrize("bucket", [{}, {"reversed": True}], ids=str)
def test_the_newest_rows_are_those_of_each_salt_of_the_newest_buckets(newest: int, bucket: dict[str, Any]) -> None:
    made = design(newest, "day", salts=4, **bucket)

    found = compare(made)

    assert [each for each in found if not each.agrees] == []
    plan = estimate(made.spec, context()).tables["t"].reads[0]
    assert plan.listed == ("salt",)
    assert plan.rows_returned <= plan.rows_scanned <= 4 * newest


@pytest.mark.parametrize(("newest", "bucket", "has_user"), [(3, "day", True), (40, "day", True), (9, "day", False)])
def test_the_newest_rows_are_found_bucket_by_bucket(newest: int, bucket: str, *, has_user: bool) -> None:
    made = design(newest, bucket, has_user=has_user)

    found = compare(made)

    assert [each for each in found if not each.agrees] == []
    assert any("newest" in each.name for each in found)


def test_so_many_buckets_are_asked_as_the_rows_are_days_old() -> None:
    few, all_rows = (estimate(design(n, "day").spec, context()).tables["t"].reads[0] for n in (1, 10_000))

    assert 2 < few.ranges < 25  # of a user with 30 rows in 61 days the newest is two days old, of a rare one more
    assert all_rows.ranges == pytest.approx(1 + 2 * MONTH_DAYS, rel=0.02)
    assert all_rows.rows_scanned < 600


@pytest.mark.parametrize("seed", [1375, 2781])
def test_the_newest_of_numbers_that_descend_within_a_parent_come_first(seed: int) -> None:
    made = crossed(seed)
    assert (made.features["relation"], made.features["time"], made.features["form"]) == (
        "counter within",
        "none",
        "short",
    )

    compared = compare(made, lambda _, each: not each.name.startswith("newest"))
    newest = [each for each in compared if each.name.startswith("newest")]

    assert [each for each in newest if not each.agrees] == []
    rows = {each.name: each.estimated for each in newest}
    assert rows["newest: rows scanned"] == pytest.approx(rows["newest: rows returned"])


@pytest.mark.parametrize("span_days", [0.2, 1.0, 5.5])
@pytest.mark.parametrize("bucket", ["day", "3 days"])
def test_a_span_meets_whole_buckets_where_an_unknown_part_stands_before_the_time(bucket: str, span_days: float) -> None:
    made = design(0, bucket, between=("metric",), span_days=span_days)

    found = compare(made)

    assert [each for each in found if not each.agrees] == []
    rows = {each.name: each.estimated for each in found}
    assert rows["newest: rows scanned"] > 1.05 * rows["newest: rows returned"]


@pytest.mark.parametrize("newest", [3, 40])
@pytest.mark.parametrize("is_newest_first", [True, False])
@pytest.mark.parametrize("bucket", [{}, {"reversed": True}], ids=str)
def test_the_newest_rows_lie_anywhere_in_a_bucket_that_another_part_divides(
    newest: int, bucket: dict[str, Any], *, is_newest_first: bool
) -> None:
    made = design(newest, "day", between=("metric",), is_newest_first=is_newest_first, **bucket)

    found = compare(made)

    assert [each for each in found if not each.agrees] == []
    rows = {each.name: each.estimated for each in found}
    assert rows["newest: rows scanned"] > rows["newest: rows returned"]
