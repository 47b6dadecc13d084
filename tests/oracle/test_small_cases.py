"""Small designs of single questions: what is estimated beside what is drawn, one figure each."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from estimator.estimates.estimate import estimate
from estimator.results import TablePart
from tests.contexts import context

from .designs import growing_celebrity
from .drawing import Drawing, draw
from .test_drawing import counter, spec_of, text

WORLDS = range(80)


def assert_agree(
    spec, estimated: Callable[[TablePart], float], drawn: Callable[[Drawing], float], worlds: int = len(WORLDS), *,
    share: float = 0.02, has_rows_measured: bool = True,
) -> None:  # fmt: skip
    """Assert that a figure of the estimate is within 4 standard errors and a share of its mean over drawn worlds."""
    part = estimate(spec, context()).tables["t"]
    plans = {plan.read: (plan.bound, plan.open_at) for plan in part.reads}
    values = [drawn(draw(spec, seed, plans, has_rows_measured=has_rows_measured)) for seed in range(worlds)]
    mean, error = float(np.nanmean(values)), float(np.nanstd(values, ddof=1)) / len(values) ** 0.5
    assert abs(estimated(part) - mean) <= 4 * error + share * mean, f"{estimated(part)}, drawn {mean} ± {error}"


def assert_read_agrees(spec, name: str) -> None:
    """Assert the same of a quantity of the one read, as drawn in the mean of a world's requests."""

    def of_drawing(drawing: Drawing) -> float:
        (answers,) = drawing.answers.values()
        return float(np.mean([getattr(answer, name) for answer in answers])) if answers else float("nan")

    assert_agree(spec, lambda part: float(getattr(part.reads[0], name)), of_drawing, has_rows_measured=False)


def named_by(*parts: dict[str, Any], **policy: Any) -> dict[str, Any]:
    """A family of one column that events name."""
    column = {"id": "c", "value": {"typical_bytes": 100}, "qualifier_from": list(parts)}
    return {"columns": [column]} | ({"gc": policy} if policy else {})


HOURS = {"id": "q", "kind": "time", "resolution": "hour", "pattern": "%Y%m%d%H"}
LINES = {"id": "q", "kind": "field", "field": "line"}
SALT = {"id": "salt", "kind": "salt", "modulo": 4, "after": "#"}


def test_the_newest_row_of_a_day_has_the_columns_of_the_hours_since_its_midnight() -> None:
    reads = [{"id": "newest", "binds": [{"field": "user"}], "newest_rows": 1}]
    table = named_by(HOURS, kind="max_age", age_days=1)
    spec = spec_of([text("user", 3)], ["user", "time day"], reads=reads, table=table)

    assert_read_agrees(spec, "cells_returned")


@pytest.mark.parametrize("reverse", [False, True])
def test_the_first_rows_in_each_random_salt_are_those_of_the_busiest_lines(reverse: bool) -> None:
    skewed = {"kind": "zipf", "theta": 1.2}
    fields = [text("user", 4), text("line", 12, unique_within="user", popularity=skewed)]
    reads = [{"id": "few", "binds": [{"field": "user"}], "row_limit": 3, "reverse": reverse}]
    bursts = {"arrival": {"kind": "bursts", "size": 3}}
    spec = spec_of(fields, [SALT, "user", "line"], rate_per_day=12, activity=bursts, reads=reads)

    for name in ("rows_scanned", "cells_returned"):
        assert_read_agrees(spec, name)


def test_the_first_rows_of_a_table_that_shrinks_are_fuller() -> None:
    fields = [text("user", 6), text("line", 5, unique_within="user")]
    reads = [{"id": "few", "binds": [{"field": "user"}], "row_limit": 2}]
    shrinking = {"growth_per_month": -0.8}
    spec = spec_of(fields, ["user", "line", "time day"], rate_per_day=80, activity=shrinking, reads=reads)

    assert_read_agrees(spec, "cells_returned")


def test_the_median_row_of_old_days_has_only_the_versions_that_are_kept() -> None:
    """Five events of a burst on one line, of which three versions stay; the last week's are not collected yet."""
    fields = [text("user", 40), text("line", 20, unique_within="user")]
    bursts = {"arrival": {"kind": "bursts", "size": 5}}
    table = named_by(LINES, kind="max_versions", versions=3)
    spec = spec_of(fields, ["user", "time day"], rate_per_day=5, activity=bursts, table=table, mode="new_cell")
    part = estimate(spec, context()).tables["t"]
    drawing = draw(spec, 1, {})

    assert part.growth is not None
    assert float(np.median(drawing.row_bytes)) == drawing.bytes / drawing.cells * 3
    assert float(part.growth.kinds[0].median_bytes[-1]) == pytest.approx(np.median(drawing.row_bytes))


def test_one_of_an_owners_values_is_asked_for_as_often_as_values_came() -> None:
    """An owner has now one value, now four, and these have less to do each."""
    fields = [
        text("tenant", 8),
        text("user", 8, belongs_to="tenant", popularity=None, growth_per_day=1, lifetime_days=8),
    ]
    reads = [{"id": "one", "binds": [{"field": "tenant"}, {"field": "user"}]}]
    spec = spec_of(fields, [SALT, "tenant", "user"], rate_per_day=10, reads=reads)

    assert_read_agrees(spec, "rows_scanned")


WEIGHTED = {"kind": "weights", "weights": [3, 1, 1], "rest": 5}


def test_the_row_of_a_value_with_a_stated_weight_has_its_share_of_all_events() -> None:
    """It is there from the start: the values that come take nothing from it, however many there were."""
    fields = [text("user", 26, growth_per_day=6, popularity=WEIGHTED)]
    table = named_by({"id": "q", "kind": "time", "resolution": "millisecond"})
    spec = spec_of(fields, ["user"], rate_per_day=20, table=table)

    assert_agree(
        spec, lambda part: float(part.growth.kinds[0].largest_bytes[-1]), lambda drawing: drawing.largest_bytes
    )


@pytest.mark.parametrize("asked", [{}, {"popularity": {"kind": "uniform"}}], ids=["as written", "evenly"])
def test_a_span_below_weighted_values_has_their_rows_and_those_of_values_that_came(asked: dict[str, Any]) -> None:
    fields = [text("user", 12, growth_per_day=3, popularity=WEIGHTED)]
    reads = [{"id": "some", "binds": [{"field": "user"} | asked], "time": {"days": 9, "age_days": 2}}]
    spec = spec_of(fields, ["user", "time day"], rate_per_day=20, reads=reads)

    assert_read_agrees(spec, "rows_scanned")


@pytest.mark.parametrize("many", [1, 3])
def test_of_rows_of_one_day_any_may_be_the_newest(many: int) -> None:
    skewed = {"kind": "zipf", "theta": 1.5}
    fields = [text("user", 3), text("line", 8, unique_within="user", popularity=skewed)]
    reads = [{"id": "newest", "binds": [{"field": "user"}], "newest_rows": many}]
    spec = spec_of(fields, ["user", "line", "time day"], rate_per_day=60, reads=reads)

    assert_read_agrees(spec, "cells_returned")


def test_a_named_day_goes_out_of_what_is_kept_at_any_hour() -> None:
    """Rows are there for 4.5 days in the mean, and the named day ends 4.4 before the mean end."""
    sale = {"peak_days": [{"name": "sale", "date": "2026-04-27", "factor": 20}]}
    table = {"gc": {"kind": "max_age", "age_days": 1}}
    spec = spec_of([text("user", 9)], ["user", "time millisecond"], rate_per_day=20, activity=sale, table=table)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows)


def test_the_newest_values_have_fewer_events_the_more_there_were() -> None:
    fields = [text("user", 40, growth_per_day=10, assigned="sequential", popularity={"kind": "latest", "theta": 0.9})]
    reads = [{"id": "all", "binds": [{"field": "user"}]}]
    spec = spec_of(fields, ["user", "time millisecond"], rate_per_day=30, reads=reads)

    assert_read_agrees(spec, "rows_scanned")


def test_the_first_numbers_of_a_value_are_those_of_its_first_bucket() -> None:
    """Most values have had one burst of four: it is parted only by a border of five that comes later."""
    number = counter(unique_within="user")
    key = ["user", {"id": "b", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": 5}}, "time day"]
    bursts = {"arrival": {"kind": "bursts", "size": 4}}
    reads = [{"id": "one", "binds": [{"field": "user"}, {"field": "number"}], "exact_time": True}]
    spec = spec_of([text("user", 60), number], key, rate_per_day=6, activity=bursts, mode="new_cell", reads=reads)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows)
    assert_read_agrees(spec, "cells_returned")


def test_a_row_of_a_value_that_is_gone_has_all_cells_of_its_burst() -> None:
    fields = [text("user", 10, growth_per_day=3, lifetime_days=7 / 3)]
    reads = [{"id": "all", "binds": [{"field": "user"}]}]
    bursts = {"arrival": {"kind": "bursts", "size": 3}}
    table = {"gc": {"kind": "max_age", "age_days": 5}}
    spec = spec_of(fields, ["user"], rate_per_day=9, activity=bursts, reads=reads, table=table)

    assert_read_agrees(spec, "cells_returned")


def test_no_event_is_lost_of_values_that_have_acted_once() -> None:
    """Values come, so that rows until two days are summed over them; what is lost is what is left of the sums."""
    every = {"arrival": {"kind": "every", "field": "user", "seconds": 38 * 86_400}}
    tenants = {"belongs_to": "tenant", "growth_per_day": 2, "popularity": {"kind": "uniform"}}
    fields = [text("tenant", 8), text("user", 186, **tenants)]
    spec = spec_of(fields, ["tenant", "user"], activity=every, mode="append_row")
    part = estimate(spec, context()).tables["t"]

    assert part.growth is not None
    assert part.growth.entities["w"].lost_share == pytest.approx(0, abs=1e-9)
    assert all(draw(spec, seed, {}).lost == 0 for seed in range(4))


THREE_DAYS = {"id": "days", "kind": "time", "bucket_seconds": 259_200, "unit": "s"}


def test_rows_of_three_days_are_of_the_values_that_had_come_by_then() -> None:
    spec = spec_of([text("user", 12, growth_per_day=3.3)], ["user", THREE_DAYS], rate_per_day=8)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows)


def test_a_span_meets_the_buckets_of_three_days_that_it_touches_on_the_last_day() -> None:
    """They begin on days 27 and 30 since the start, and the month ends on day 30: a span of a day is in two of them."""
    reads = [{"id": "some", "binds": [{"field": "user"}], "time": {"days": 1}}]
    spec = spec_of([text("user", 10), counter()], ["user", "number", THREE_DAYS], rate_per_day=9, reads=reads)

    assert_read_agrees(spec, "rows_returned")


def test_a_table_of_nine_days_has_as_many_rows_as_buckets_were_begun() -> None:
    """They begin on days -6, 3, 12, 21 and 30 since the start, and the month ends on day 30."""
    nine_days = THREE_DAYS | {"bucket_seconds": 777_600}
    spec = spec_of([text("user", 5)], ["user", nine_days], rate_per_day=200)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows)


def test_the_newest_values_are_drawn_most_whoever_they_belong_to() -> None:
    latest = {"kind": "latest", "theta": 0.99}
    user = {"growth_per_day": 3, "lifetime_days": 20, "assigned": "sequential", "popularity": latest}
    fields = [text("tenant", 6), text("user", 60, belongs_to="tenant", **user)]
    spec = spec_of(fields, ["tenant", "user"], rate_per_day=10)

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows)


def test_a_span_below_a_busy_value_has_all_buckets_of_its_own_numbers() -> None:
    """The mean value fills no bucket, so that the busiest ones cannot be asked for one by one."""
    celebrity = {"kind": "zipf", "theta": 0.99, "busiest": [0.3, 0.25]}
    number = counter(unique_within="user")
    bucket = {"id": "b", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": 5}, "after": "#"}
    reads = [{"id": "some", "binds": [{"field": "user"}], "time": {"days": 0.25, "age_days": 2}}]
    spec = spec_of(
        [text("user", 90, popularity=celebrity), number], ["user", bucket, THREE_DAYS], rate_per_day=12, reads=reads
    )

    assert_read_agrees(spec, "rows_returned")


def test_the_newest_rows_are_finite_while_values_come_into_buckets_of_several_days() -> None:
    made = growing_celebrity(279)
    assert made is not None

    part = estimate(made.spec, context()).tables["t"]

    assert all(0 < plan.cells_returned <= 3 * plan.rows_returned for plan in part.reads)
