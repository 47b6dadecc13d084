"""Rules that weigh both sides, on whole designs: salts, buckets of numbers, filters, Tablestore's newest rows."""

import pytest

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.edits import apply
from designer.wording.formatting import english
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
from tests.contexts import estimate
from tests.core.advice.rules.pipeline import found


def said(spec: Spec, code: str) -> list[str]:
    return [english(f.message, f.params) for f in found(spec) if f.rule == code]


def salted(per_second: float) -> Spec:
    reads = (read_part(binds=("device",), time={"days": 1 / 24}, rate_per_second=1),)
    return readings(salt_part(8), time_part("#"), field_part("device"), per_second=per_second, reads=reads)


@pytest.mark.parametrize(("rate", "told"), [(20_000, "It prevents a hot range"), (10, "Writes do not need it")])
def test_a_salt_is_weighed_by_the_load_that_it_prevents(rate, told):
    sentences = [*said(salted(rate), "K007"), *said(salted(rate), "K008")]

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
    assert said(journal(100, per_day=864, newest_rows=10), "R009") == []


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

    assert [("a filter drops" in text) for text in said(spec, "F008")] == [True] * told


def test_values_that_a_filter_drops_count_as_dragged_along():
    reads = (read_part(binds=("device",), time={"days": 1}, match_share=0.001, rate_per_second=500),)
    spec = readings(field_part("device", "#"), time_part(), per_second=5_000, reads=reads)

    assert ["a filter drops" in text for text in said(spec, "F008")] == [True]


def test_tablestore_reads_the_newest_rows_backwards_whatever_the_order_of_the_key():
    def scanned(**settings: bool) -> float:
        reads = (read_part(binds=("device",), newest_rows=20, rate_per_second=1),)
        spec = readings(
            field_part("device", "#"), time_part(**settings), per_second=100, reads=reads, engine="tablestore"
        )
        return estimate(spec).tables["table"].reads[0].rows_scanned

    assert scanned() == scanned(reversed=True) == 20
