"""Q010: reads of a shorter time than that of their rows."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.questions import lint
from estimator.advice.rules.reads.span_within_row import RULE
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, read_part, time_part
from tests.contexts import context, estimate


def test_a_read_of_hours_gets_rows_of_months_until_it_limits_the_cells() -> None:
    spec = RULE.bad()
    before = estimate(spec)

    (found,) = (one for one in lint(spec, before, context()) if one.rule == RULE.code)
    after = estimate(apply(spec, found.fix)[0])

    assert "asks for 6 hours, but each row of events holds 33.5 days" in english(found.message, found.params)
    (was,), (now,) = before.tables["table"].reads, after.tables["table"].reads
    assert now.bytes_returned < was.bytes_returned / 20


def _columns(days: float, key: str, qualifier: str) -> Spec:
    """Build a design of a row per device and month, with a column per second."""
    named = {"id": "second_part", "kind": "time", "resolution": "second", "pattern": qualifier}
    return design(
        field_part("device", "#"),
        time_part(resolution="month", pattern=key),
        per_second=10,
        write={"mode": "new_column"},
        column={"qualifier": "", "qualifier_from": [named]},
        reads=(read_part(binds=("device",), time={"days": days}, rate_per_second=100),),
    )


@pytest.mark.parametrize(
    ("key", "qualifier", "is_range"),
    [
        ("%Y%m", "", True),
        ("%Y%m", "%Y%m%d%H%M%S", True),
        ("%Y%m", "%d%H%M%S", True),  # within the row of a month
        ("", "%d%H%M%S", True),
        ("%Y%m", "%d-%-H-%M-%S", False),
        ("%Y%m", "%S%M%H%d", False),
    ],
)
def test_columns_of_a_time_are_a_range_where_their_names_sort_by_time(key: str, qualifier: str, is_range: bool) -> None:
    spec = _columns(0.25, key, qualifier)
    made = estimate(spec)

    (plan,) = made.tables["table"].reads
    found = {one.rule for one in lint(spec, made, context())}

    assert plan.cells_returned == pytest.approx(0.01 * 6 * 3_600 if is_range else 0.01 * 15 * 86_400, rel=0.1)
    assert (RULE.code in found) is not is_range


@pytest.mark.parametrize(
    ("write", "column", "asked", "is_found"),
    [
        # The last hour meets one row, of 12.5 hours in the mean, or in one of 24 cases the row before it, too, of 24.5
        # hours: 23/24 × 12.5 + 1/24 × 24.5 = 13 hours of 360 events.
        ("new_cell", {}, {}, True),
        ("new_column", {"qualifier": "", "qualifier_from": [{**field_part("order"), "id": "name"}]}, {}, True),
        ("new_cell", {}, {"cell_days": 1 / 24}, False),
        ("new_cell", {}, {"newest_versions": 1}, False),
        ("overwrite", {}, {}, False),  # one value of the whole day: nothing is of an hour
    ],
)
def test_a_read_of_an_hour_gets_all_events_that_its_row_of_a_day_collects(
    write: str, column: dict[str, object], asked: dict[str, object], is_found: bool
) -> None:
    order = {"id": "order", "name": "order_id", "kind": "uuid"}
    spec = design(
        field_part("device", "#"),
        time_part(resolution="day", pattern="%Y%m%d"),
        fields=(DEVICE, order),
        per_second=100,
        write={"mode": write},
        column={"value": {"kind": "json", "typical_bytes": 400}, **column},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}, rate_per_second=200, **asked),),
    )
    made = estimate(spec)

    found = [one for one in lint(spec, made, context()) if one.rule == RULE.code]

    (plan,) = made.tables["table"].reads
    if is_found:
        assert plan.cells_returned == pytest.approx(13 * 360, rel=1e-3)
        assert [one.effect for one in found] == [pytest.approx(24)]
        after = estimate(apply(spec, found[0].fix)[0])
        assert after.tables["table"].reads[0].cells_returned < plan.cells_returned / 10
    else:
        assert found == []
