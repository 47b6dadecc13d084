"""Rules that weigh both sides, on whole designs: salts, buckets of numbers, filters, Tablestore's newest rows."""

import pytest

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules.shared.edits import change
from estimator.advice.rules.shared.examples import (
    DEVICE,
    NEWEST_ONLY,
    Part,
    design,
    field_part,
    read_part,
    readings,
    salt_part,
    time_part,
)
from estimator.engines import ENGINES, bigtable
from estimator.presentation.charts.growth import row_growth
from estimator.presentation.figures import stored_text
from tests.contexts import estimate
from tests.core.advice.rules.pipeline import found


def messages_of(spec: Spec, code: str) -> list[str]:
    return [english(f.message, f.params) for f in found(spec) if f.rule == code]


def salted_readings(per_second: float) -> Spec:
    reads = (read_part(binds=("device",), time={"days": 1 / 24}, rate_per_second=1),)
    return readings(salt_part(8), time_part("#"), field_part("device"), per_second=per_second, reads=reads)


@pytest.mark.parametrize(("rate", "told"), [(20_000, "It prevents a hot range"), (10, "Writes do not need it")])
def test_a_salt_is_weighed_by_the_load_that_it_prevents(rate, told):
    sentences = [*messages_of(salted_readings(rate), "K007"), *messages_of(salted_readings(rate), "K008")]

    assert sentences
    assert any(told in sentence for sentence in sentences)


@pytest.mark.parametrize(("rate", "severity"), [(60_000, "note"), (10, "warning")])
def test_a_salt_before_a_field_that_readers_know_warns_only_where_it_prevents_nothing(rate, severity):
    """One device has nearly all of the load: without the salt, its newest rows would heat one node."""
    busy = {**DEVICE, "popularity": {"kind": "weights", "weights": [9], "rest": 1}}
    reads = (read_part(binds=("device",), time={"days": 1 / 24}, rate_per_second=0.001, latency="batch"),)
    spec = readings(salt_part(4), field_part("device", "#"), time_part(), fields=(busy,), per_second=rate, reads=reads)

    assert [f.severity for f in found(spec) if f.rule == "K007"] == [severity]


def journal(size: int, *, per_day: float = 86_400, newest_rows: int | None = None) -> Spec:
    """Ten journals whose events are numbered; a row holds the events of one bucket of numbers."""
    number: Part = {
        "id": "number", "name": "sequence_nr", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 10**12},
        "distinct": 1, "growth_per_day": per_day, "assigned": "sequential", "unique_within": "device",
    }  # fmt: skip
    device = {**DEVICE, "distinct": 10, "popularity": {"kind": "uniform"}}
    bucket = {"id": "bucket", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": size}}
    pad = {"kind": "pad", "width": 12}
    column = {"qualifier_from": [field_part("number", "", pad)], "value": {"kind": "text", "typical_bytes": 200}}
    return design(
        field_part("device", "#"),
        {**bucket, "transforms": [pad]},
        fields=(device, number),
        per_second=10 * per_day / DAY_SECONDS,
        write={"mode": "new_column"},
        column=column,
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",), rate_per_second=0.1, newest_rows=newest_rows),),
    )


@pytest.mark.parametrize("is_growth_stated", [True, False])
def test_each_owner_of_numbers_goes_through_its_own_buckets(is_growth_stated: bool):
    """Each of 10 journals has 864 events a day and as many numbers: 864 × 365.25 / 100 rows of 100 events.

    A growth that was stated made it ten times as many rows of 10 events.
    """
    spec = journal(100, per_day=864)
    if not is_growth_stated:
        spec, _ = apply(spec, change(spec.find("number"), "growth_per_day", None))
    table = estimate(spec).tables["table"]
    assert table.growth is not None
    (rows,) = table.growth.kinds

    assert rows.events_per_row == pytest.approx(100)
    assert rows.rows == pytest.approx(10 * 864 * 365.25 / 100, rel=1e-3)
    assert table.reads[0].rows_returned == pytest.approx(864 * 365.25 / 100, rel=1e-3)


def test_a_bucket_of_numbers_that_makes_rows_too_large_is_told_its_size():
    spec = journal(5_000_000)

    (finding,) = [f for f in found(spec) if f.rule == "R003"]
    mended, _ = apply(spec, finding.fix)

    assert finding.params["resolution"].params["size"] == 5_000_000
    assert [f for f in found(mended) if f.rule in ("R001", "R002", "R003")] == []


def test_a_bucket_of_numbers_that_a_read_meets_by_the_hundred_is_too_fine():
    spec = journal(100, per_day=864)

    (finding,) = [f for f in found(spec) if f.rule == "R009"]
    mended, _ = apply(spec, finding.fix)

    assert finding.params["rows_read"] > 100
    assert [f.rule for f in found(mended) if f.rule in ("R001", "R002", "R009")] == []
    assert messages_of(journal(100, per_day=864, newest_rows=10), "R009") == []


@pytest.mark.parametrize(("buckets", "rows_read"), [(20, []), (99, []), (150, [150])])
def test_entities_that_a_range_of_numbers_asks_for_are_no_buckets(buckets: int, rows_read: list[int]):
    """One log is numbered, and 10 devices write into each bucket of 100 numbers: a range reads 10 rows of each bucket.

    20 buckets are 200 rows, of which a longer bucket leaves 10; 150 are 150 rows of each device.
    """
    plain = journal(100, per_day=8_640).model_dump(mode="json", exclude_unset=True)
    (kind,), (_, number) = plain["tables"][0]["row_kinds"], plain["fields"]
    kind["key"] = [{**kind["key"][1], "after": "#"}, {**kind["key"][0], "after": ""}]
    last = 100_000 + 100 * buckets - 1
    kind["reads"][0]["binds"] = [{"field": "number", "from_value": "100000", "to_value": str(last)}]
    del number["unique_within"]
    number["growth_per_day"] = 86_400
    spec = Spec.model_validate(plain)
    plan = estimate(spec).tables["table"].reads[0]

    assert plan.rows_returned == pytest.approx(10 * buckets, rel=1e-3)
    assert [f.params["rows_read"] for f in found(spec) if f.rule == "R009"] == [
        pytest.approx(n, rel=1e-3) for n in rows_read
    ]


@pytest.mark.parametrize(("filters", "told"), [({"newest_versions": 1}, True), ({}, False)])
def test_versions_that_a_filter_drops_count_as_dragged_along(filters, told):
    many = {"kind": "max_versions", "versions": 1_000}
    spec = design(
        field_part("device"),
        per_second=100,
        write={"mode": "overwrite"},
        gc=many,
        column={"value": {"kind": "json", "typical_bytes": 20_000}},
        reads=(read_part(binds=("device",), rate_per_second=2_000, **filters),),
    )

    assert [("a filter drops" in text) for text in messages_of(spec, "F008")] == [True] * told


def test_values_that_a_filter_drops_count_as_dragged_along():
    reads = (read_part(binds=("device",), time={"days": 1}, match_share=0.001, rate_per_second=500),)
    spec = readings(field_part("device", "#"), time_part(), per_second=5_000, reads=reads)

    assert ["a filter drops" in text for text in messages_of(spec, "F008")] == [True]


def overwritten(per_second: float) -> Spec:
    """Two rows of one cell, overwritten all the time, of which garbage collection leaves one version."""
    two = {**DEVICE, "distinct": 2, "popularity": {"kind": "uniform"}}
    return design(
        field_part("device"), fields=(two,), per_second=per_second, write={"mode": "overwrite"}, gc=NEWEST_ONLY,
        column={"value": {"kind": "text", "typical_bytes": 200}}, reads=(read_part(binds=("device",)),),
    )  # fmt: skip


@pytest.mark.parametrize(("rate", "code", "severity"), [(20, "R001", "warning"), (2, "R002", "note")])
def test_an_uncollected_week_is_an_upper_bound_and_no_error(rate, code, severity):
    (row,) = [f for f in found(overwritten(rate)) if f.rule == code]

    assert row.severity == severity
    assert row.params["live_bytes"] < 1_000 < row.params["limit_bytes"] < row.params["largest_bytes"]
    assert "live cells" in english(row.message, row.params)
    assert "may exceed" in english(row.message, row.params)


def test_a_row_gathers_no_more_than_its_tablet_server_leaves_uncompacted():
    growth = estimate(overwritten(20_000)).tables["table"].growth
    assert growth is not None
    (rows,) = growth.kinds

    assert rows.largest_bytes.max() == rows.live_largest_bytes.max() + bigtable.UNCOLLECTED_BYTES_MOST
    assert rows.live_largest_bytes.max() < 1_000


def test_no_limit_of_a_row_depends_on_how_much_a_row_gathers():
    for engine in ENGINES.values():
        limits = [engine.LIMITS[name].value for name in engine.ROW_LIMITS]
        assert all(limit < engine.UNCOLLECTED_BYTES_MOST for limit in limits)


def test_live_and_expired_bytes_are_told_apart():
    growth = estimate(overwritten(20)).tables["table"].growth
    assert growth is not None
    text = stored_text(growth)

    assert growth.live_bytes < 0.01 * growth.physical_bytes[-1]
    assert english(text.message, text.params).endswith("not collected yet")
    (note,) = [f for f in found(overwritten(20)) if f.rule == "I024"]
    assert note.params["live_bytes"] == growth.live_bytes
    (rows,) = growth.kinds
    assert "Expired cells may take" in english(row_growth(rows).title.message, row_growth(rows).title.params)
    assert [str(line.name) for line in row_growth(rows).lines][2] == "largest, live cells"


def test_a_row_of_live_cells_is_an_error_from_the_day_on_which_they_pass_the_limit():
    (row,) = [f for f in found(journal(50_000_000)) if f.rule == "R001"]

    assert row.severity == "error"
    growth = estimate(journal(50_000_000)).tables["table"].growth
    assert growth is not None
    assert row.params["date"] == next(c.date for c in growth.kinds[0].live_crossings if c.limit == "row_bytes")


def test_tablestore_reads_the_newest_rows_backwards_whatever_the_order_of_the_key():
    def scanned(**settings: bool) -> float:
        reads = (read_part(binds=("device",), newest_rows=20, rate_per_second=1),)
        spec = readings(
            field_part("device", "#"), time_part(**settings), per_second=100, reads=reads, engine="tablestore"
        )
        return estimate(spec).tables["table"].reads[0].rows_scanned

    assert scanned() == scanned(reversed=True) == 20
