"""Keys of one design, end to end: shares, bounds, classes and samples agree with each other."""

import numpy as np
import pytest

from designer.document import Spec
from estimator.kernels.keys import (
    EventDistribution,
    NotComputableError,
    TimeDistribution,
    compile_pattern,
    equal_bounds,
    hottest_row,
    prefix_shares,
    range_shares,
    row_classes,
)

FIELDS = [
    {"id": "tenant", "name": "tenant", "distinct": 50},
    {"id": "device", "name": "device", "distinct": 2000, "belongs_to": "tenant"},
]


def design(*segments: dict[str, object]) -> Spec:
    return Spec.model_validate(
        {"fields": FIELDS, "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": list(segments)}]}]}
    )


SPEC = design(
    {"id": "a", "kind": "field", "field": "tenant", "after": "#"},
    {"id": "b", "kind": "time", "pattern": "%Y%m%d", "resolution": "day", "after": "#"},
    {"id": "c", "kind": "field", "field": "device", "after": "#"},
    {"id": "d", "kind": "time", "reversed": True},
)


def day(pattern, windows=96):
    end = pattern.inputs.end_s
    return EventDistribution(TimeDistribution.windows(end - 86_400, end, windows))


def test_shares_of_ranges_add_to_one_in_every_window():
    pattern = compile_pattern(SPEC, "k")
    bounds = equal_bounds([(pattern, day(pattern), 1.0)], 64)

    shares = range_shares(pattern, day(pattern), bounds)

    assert shares.shape == (96, 64)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_equal_bounds_hold_equal_shares_of_the_day():
    pattern = compile_pattern(SPEC, "k")

    bounds = equal_bounds([(pattern, day(pattern), 1.0)], 64)

    np.testing.assert_allclose(range_shares(pattern, day(pattern, 1), bounds), 1 / 64, rtol=1e-6)


def test_a_device_lies_below_its_tenant_alone():
    pattern = compile_pattern(SPEC, "k")

    shares = prefix_shares(pattern, day(pattern), 3)

    assert shares.distinct_prefixes == 2000
    assert float(shares.shares @ shares.prefixes_per_class) == pytest.approx(1)


def test_rows_are_entities_in_time_buckets():
    pattern = compile_pattern(SPEC, "k")

    rows = row_classes(pattern, day(pattern))
    key, share = hottest_row(pattern, day(pattern), 3)

    assert rows.counts.sum() == 2000
    assert rows.bucket_seconds == 0.001
    assert share == pytest.approx(1 / 2000 / 900_000, rel=1e-3)
    assert key.startswith(b"tenant")


def test_a_key_without_segments_is_open_and_says_where():
    with pytest.raises(NotComputableError) as error:
        compile_pattern(design(), "k")

    assert error.value.because.at == "k"
