"""The newest rows behind a bucket of time that ascends: estimated beside what is drawn."""

from typing import Any

import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import compare
from .designs import FEATURES, Design
from .designs import design as crossed


def design(newest: int, bucket: str, *, has_user: bool = True) -> Design:
    """Return a design of a user's entries by bucket, in each the newest first, of which the newest are read."""
    user = [{"id": "u", "kind": "field", "field": "user", "after": "#"}] if has_user else []
    times = [
        {"id": "t0", "kind": "time", "resolution": bucket, "after": "#"},
        {"id": "t1", "kind": "time", "resolution": "millisecond", "reversed": True},
    ]
    kind = {
        "id": "rows", "key": [*user, *times], "writes": [{"id": "write", "activity": "entry", "mode": "append_row"}],
        "reads": [{"id": "newest", "binds": [{"field": "user"}] if has_user else [], "newest_rows": newest,
                   "rate_per_second": 1}],
    }  # fmt: skip
    data: dict[str, Any] = {
        "start": "2026-04-01", "horizon_months": 2,
        "fields": [{"id": "user", "name": "user", "kind": "string", "distinct": 20,
                    "popularity": {"kind": "zipf", "theta": 0.9}, "values": {"kind": "pattern", "text": "u{n:06}"}}],
        "activities": [{"id": "entry", "rate_per_second": 300 / MONTH_DAYS / 86_400}],
        "tables": [{"id": "t", "row_kinds": [kind], "families": [
            {"id": "f", "name": "f", "columns": [{"id": "c", "qualifier": "c", "value": {"typical_bytes": 100}}]}]}],
    }  # fmt: skip
    features = {name: choices[0] for name, choices in FEATURES.items()} | {"mode": "append_row", "time": "moment"}
    return Design(newest, features, from_data(data), data)


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

    newest = [each for each in compare(made) if each.name.startswith("newest")]

    assert [each for each in newest if not each.agrees] == []
    rows = {each.name: each.estimated for each in newest}
    assert rows["newest: rows scanned"] == pytest.approx(rows["newest: rows returned"])
