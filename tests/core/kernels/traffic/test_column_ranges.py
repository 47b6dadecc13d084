"""Reads of a part of a row's columns: the newest, and a range of qualifiers."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from designer.document import Spec
from estimator.results import ReadPlan
from tests.contexts import estimate

DEVICE = {
    "id": "device",
    "name": "device",
    "values": {"kind": "pattern", "text": "d{n:04}"},
    "distinct": 50,
    "popularity": {"kind": "uniform"},
}
METRIC = DEVICE | {
    "id": "metric",
    "name": "metric",
    "values": {"kind": "pattern", "text": "m{n:04}"},
    "distinct": 1_000,
}
NUMBER = METRIC | {"kind": "integer", "values": {"kind": "range", "min": 1, "max": 1_000}}
MINUTE = {"kind": "time", "resolution": "minute"}
OF_METRIC = {"kind": "field", "field": "metric"}
CELL_BYTES = 1_000


def plan(
    *qualifier: dict[str, Any], metric: dict[str, Any] = METRIC, fields: Sequence[dict[str, Any]] = (), **read: Any
) -> ReadPlan:
    """Plan a read of one device's row, into which a minute of a month or a metric writes a column of a kilobyte."""
    parts = [{"id": f"q{place}", "after": "#", **part} for place, part in enumerate(qualifier)]
    column = {"id": "c", "qualifier_from": parts, "value": {"kind": "random", "typical_bytes": CELL_BYTES}}
    kind = {
        "id": "rows",
        "key": [{"id": "k", "kind": "field", "field": "device"}],
        "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}],
        "reads": [{"id": "r", "rate_per_second": 1, "binds": [{"field": "device"}, *read.pop("binds", ())], **read}],
    }
    families = [{"id": "f", "name": "f", "gc": {"kind": "max_versions", "versions": 1}, "columns": [column]}]
    spec = Spec.model_validate(
        {
            "horizon_months": 1,
            "fields": [DEVICE, metric, *fields],
            "activities": [{"id": "a", "rate_per_second": 50}],
            "tables": [{"id": "t", "row_kinds": [kind], "families": families}],
        }
    )
    (found,) = estimate(spec).tables["t"].reads
    return found


def test_newest_columns_that_stand_first_are_read_with_a_block_and_returned_alone() -> None:
    found = plan(MINUTE | {"reversed": True}, newest_columns=20)

    assert found.cells_returned == pytest.approx(20)
    assert found.bytes_returned == pytest.approx(20 * CELL_BYTES, rel=0.1)
    assert found.bytes_scanned == pytest.approx(found.bytes_returned + 65_536, rel=0.01)
    assert found.bytes_filtered == 0.0


def test_newest_columns_that_stand_last_come_with_the_whole_row() -> None:
    whole, newest = plan(MINUTE), plan(MINUTE, newest_columns=20)

    assert newest.cells_returned == whole.cells_returned > 10_000
    assert newest.bytes_scanned == whole.bytes_scanned


def test_a_limit_above_the_columns_of_a_row_limits_nothing() -> None:
    whole, newest = plan(MINUTE | {"reversed": True}), plan(MINUTE | {"reversed": True}, newest_columns=10**6)

    assert newest.cells_returned == pytest.approx(whole.cells_returned)


def test_columns_that_are_not_named_by_age_have_no_newest() -> None:
    assert plan(OF_METRIC, newest_columns=20) == plan(OF_METRIC)


def test_a_range_of_texts_is_one_range_of_qualifiers() -> None:
    whole = plan(OF_METRIC)
    found = plan(OF_METRIC, binds=[{"field": "metric", "from_value": "m0100", "to_value": "m0199"}])

    assert found.cells_returned == pytest.approx(whole.cells_returned / 10)
    assert found.bytes_scanned == pytest.approx(found.bytes_returned + 65_536, rel=0.01)


@pytest.mark.parametrize(
    ("transforms", "is_in_order"),
    [([{"kind": "pad", "width": 4}], True), ([{"kind": "pad", "width": 4}, {"kind": "reverse_digits"}], False)],
)
def test_a_range_of_numbers_is_filtered_where_qualifiers_are_in_another_order(
    transforms: Any, is_in_order: bool
) -> None:
    part = OF_METRIC | {"transforms": transforms}
    found = plan(part, metric=NUMBER, binds=[{"field": "metric", "from_value": "1", "to_value": "100"}])
    whole = plan(part, metric=NUMBER)

    assert found.cells_returned == pytest.approx(whole.cells_returned / 10)
    assert (found.bytes_scanned < whole.bytes_scanned) is is_in_order
    assert (found.bytes_filtered > 0.8 * whole.bytes_scanned) is not is_in_order


def test_a_range_behind_a_time_is_filtered() -> None:
    some = [{"field": "metric", "from_value": "m0100", "to_value": "m0199"}]
    found, whole = plan(MINUTE, OF_METRIC, binds=some), plan(MINUTE, OF_METRIC)

    assert found.cells_returned == pytest.approx(whole.cells_returned / 10)
    assert found.bytes_scanned == pytest.approx(whole.bytes_scanned)


def test_a_span_of_time_is_a_range_of_columns_that_begin_with_it() -> None:
    found = plan(MINUTE, time={"days": 2, "age_days": 5})

    assert found.cells_returned == pytest.approx(2 * 1_440, rel=0.01)
    assert found.bytes_scanned == pytest.approx(found.bytes_returned + 65_536, rel=0.01)
    of_newest = plan(MINUTE, time={"days": 2}, newest_columns=20).cells_returned  # they sort last
    assert of_newest == pytest.approx(2 * 1_440, rel=0.01)
    assert plan(MINUTE | {"reversed": True}, time={"days": 2}, newest_columns=20).cells_returned == pytest.approx(20)


def test_a_span_is_a_range_of_columns_behind_a_value_that_the_caller_knows() -> None:
    both, known = (OF_METRIC, MINUTE), ({"field": "metric"},)

    assert plan(*both, time={"days": 2}).cells_returned == plan(*both).cells_returned
    minutes, events_of_one = 2 * 1_440, 50 * 60 / 50 / 1_000
    some = plan(*both, time={"days": 2}, binds=known).cells_returned
    assert some == pytest.approx(minutes * -math.expm1(-events_of_one), rel=0.01)
    assert plan(MINUTE | {"hash": "md5", "hash_digits": 6}, time={"days": 2}).cells_returned > 2 * 1_441


UNIT = METRIC | {"id": "unit", "name": "unit", "values": {"kind": "pattern", "text": "u{n:02}"}, "distinct": 8}


@pytest.mark.parametrize(("order", "is_in_order"), [(("metric", "unit"), True), (("unit", "metric"), False)])
def test_a_known_part_of_a_qualifier_leaves_the_columns_with_it(order: tuple[str, ...], is_in_order: bool) -> None:
    parts = [{"kind": "field", "field": field} for field in order]
    whole = plan(*parts, fields=[UNIT])
    metric = plan(*parts, fields=[UNIT], binds=[{"field": "metric"}])

    assert metric.cells_returned == pytest.approx(whole.cells_returned / 1_000, rel=0.01)
    assert metric.cells_returned == pytest.approx(8, rel=0.01)  # units, each of which a month has written
    assert (metric.bytes_scanned < 100_000) is is_in_order  # one range of qualifiers, else all of them and a filter
    assert (metric.bytes_scanned == pytest.approx(whole.bytes_scanned)) is not is_in_order
    assert (metric.bytes_filtered > 0) is not is_in_order
