"""Generated events: codes sort as keys, counts agree with exact shares, samples are true keys in true order."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings

from designer.document import Spec
from estimator.kernels.keys import (
    EventDistribution,
    NotComputableError,
    TimeDistribution,
    compile_pattern,
    count_events,
    draw_counts,
    equal_bounds,
    key_summary,
    range_shares,
    sample_blocks,
    sample_keys,
    stream,
)
from estimator.kernels.keys.samples.events import bounds_of, source_of
from estimator.kernels.keys.samples.sample import keys_of
from estimator.kernels.keys.values.alias import AliasTable
from tests.core.kernels.keys.chi2 import chi2_p_value
from tests.core.kernels.keys.designs import design, designs
from tests.core.kernels.keys.test_order import awkward, instants


def twice(resolution: str, pattern: str, again: str) -> Spec:
    """The same time in two segments, the second of which the first does not decide whole."""
    first = {"kind": "time", "resolution": resolution, "pattern": pattern}
    return design([], [first, {"kind": "time", "resolution": again, "pattern": "%Y%m%d"}])


DAY_DOWN = {"kind": "time", "pattern": "%Y%m%d", "reversed": True}


@settings(suppress_health_check=list(HealthCheck))
@given(spec=designs())
@example(spec=twice("millisecond", "%Y%m%d", "week"))
@example(spec=design([], [DAY_DOWN]))
@example(spec=design([], [DAY_DOWN, {"kind": "time", "pattern": "%H", "reversed": True}]))
@example(spec=design([], [{"kind": "time", "resolution": "week"}, DAY_DOWN]))
@example(spec=twice("day", "%H%M", "year"))  # one time of day, and years that have no share
def test_codes_sort_as_the_keys_that_they_stand_for(spec: Spec):
    try:
        pattern = compile_pattern(spec, "k")
    except NotComputableError:
        assume(False)
    law = instants(pattern, 0, 5, 30, 24 * 12)
    source = source_of(pattern, law)
    drawn = source.draw(stream(1, 0), 300)
    keys = keys_of(source, drawn)

    if not source.codec.is_order_preserving:
        assert list(sample_keys(spec, "k", 300, seed=1, distribution=law)) == sorted(keys)
        return
    codes = source.codec.codes(drawn)
    order = np.lexsort(codes[::-1])
    assert [keys[n] for n in order] == sorted(keys)
    assert list(sample_keys(spec, "k", 300, seed=1, distribution=law)) == sorted(keys)
    bounds = awkward(keys[:4])
    places = bounds_of(source.codec, bounds).ranges_of(codes)
    assert [sum(bound <= key for bound in bounds) for key in keys] == places.tolist()


SPECS = {
    "hashed users by reversed time": design(
        [
            {"id": "u", "name": "user_id", "distinct": 30_000},
            {
                "id": "e",
                "values": {
                    "kind": "enumeration",
                    "items": [{"value": v, "weight": w} for v, w in (("a", 5), ("bb", 2), ("ccc", 1))],
                },
            },
        ],
        [
            {"kind": "hash", "fields": ["u"], "after": "#"},
            {"kind": "field", "field": "u", "after": "#"},
            {"kind": "field", "field": "e", "after": "#"},
            {"kind": "time", "reversed": True},
        ],
    ),
    "devices of tenants by day and millisecond": design(
        [
            {"id": "t", "distinct": 60, "popularity": {"kind": "zipf", "theta": 0.9}},
            {"id": "d", "distinct": 3_000, "belongs_to": "t"},
        ],
        [
            {"kind": "field", "field": "t", "after": "#"},
            {"kind": "time", "pattern": "%Y%m%d%H", "resolution": "hour", "after": "#"},
            {"kind": "field", "field": "d", "after": "#"},
            {"kind": "time", "unit": "us", "resolution": "microsecond"},
        ],
    ),
    "orders in sequence behind a salt": design(
        [
            {
                "id": "o",
                "distinct": 1_000_000,
                "growth_per_day": 90_000,
                "values": {"kind": "pattern", "text": "{n:012}"},
            }
        ],
        [{"kind": "salt", "fields": ["o"], "modulo": 8, "after": "-"}, {"kind": "field", "field": "o"}],
        1.0,
    ),
    "fresh uuids": design(
        [{"id": "o", "kind": "uuid", "distinct": 1_000_000, "growth_per_day": 90_000}],
        [{"kind": "field", "field": "o"}],
        1.0,
    ),
    "a million of millions of numbers": design(
        [
            {
                "id": "o",
                "distinct": 10**12,
                "values": {"kind": "range", "min": 0, "max": 10**13},
                "popularity": {"kind": "uniform"},
            }
        ],
        [{"kind": "field", "field": "o", "transforms": [{"kind": "pad", "width": 14}]}],
    ),
    "days before months": design(
        [{"id": "u", "distinct": 40}],
        [
            {"kind": "field", "field": "u", "after": "/"},
            {"kind": "time", "pattern": "%d/%m/%Y %H", "resolution": "hour"},
        ],
    ),
    "unpadded numbers without a delimiter": design(
        [{"id": "u", "values": {"kind": "range", "min": 0, "max": 2_000}}, {"id": "v", "distinct": 9}],
        [{"kind": "field", "field": "u"}, {"kind": "field", "field": "v"}],
    ),
}


def two_hours(pattern, windows=4):
    end = pattern.inputs.end_s
    return EventDistribution(TimeDistribution.windows(end - 7200, end, windows))


@pytest.mark.parametrize("name", SPECS)
def test_generated_events_agree_with_exact_shares(name):
    pattern = compile_pattern(SPECS[name], "k")
    law = two_hours(pattern)
    bounds = equal_bounds([(pattern, law, 1.0)], 200)
    shares = range_shares(pattern, law, bounds)

    for window in (0, 3):
        counts = count_events(stream(7, window), pattern, law, window, 200_000, bounds)

        assert counts.sum() == 200_000
        assert 1e-4 < chi2_p_value(counts, shares[window]) < 1 - 1e-6


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("order", ["sorted", "arrival"])
def test_samples_are_as_many_true_keys_as_asked_for(name, order):
    pattern = compile_pattern(SPECS[name], "k")
    blocks = list(sample_blocks(pattern, two_hours(pattern), 70_000, seed=3, order=order))
    keys = [key for block in blocks for key in block.tolist()]

    assert len(keys) == 70_000
    if order == "sorted":
        assert keys == sorted(keys)
    assert {len(key) for key in keys} <= set(range(key_summary(pattern).bytes_min, key_summary(pattern).bytes_max + 1))


def test_arriving_keys_come_in_the_order_of_time():
    spec = design([], [{"kind": "time", "unit": "us", "resolution": "microsecond"}])
    keys = list(sample_keys(spec, "k", 200_000, order="arrival"))

    assert len(keys) == 200_000
    assert keys == sorted(keys)


def test_many_keys_are_sorted_in_several_passes(monkeypatch):
    pattern = compile_pattern(SPECS["hashed users by reversed time"], "k")
    law = two_hours(pattern)
    once = b"".join(block.data.tobytes() for block in sample_blocks(pattern, law, 150_000, end=b"\n"))
    monkeypatch.setattr("estimator.kernels.keys.samples.sample.SORTED_AT_ONCE", 40_000)

    assert b"".join(block.data.tobytes() for block in sample_blocks(pattern, law, 150_000, end=b"\n")) == once


def test_counts_are_the_same_on_one_thread_and_on_three():
    pattern = compile_pattern(SPECS["hashed users by reversed time"], "k")
    law = two_hours(pattern, 8)
    bounds = equal_bounds([(pattern, law, 1.0)], 100)

    def count(window):
        return count_events(stream(5, window), pattern, law, window, 100_000, bounds)

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(count, range(8)))

    np.testing.assert_array_equal(together, [count(window) for window in range(8)])


def test_a_day_of_any_number_of_events_is_one_draw():
    shares = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])

    counts = draw_counts(stream(1, 0), shares, [10**12, 10**3])

    assert counts.sum(axis=1).tolist() == [10**12, 10**3]
    np.testing.assert_allclose(counts[0] / 1e12, shares[0], atol=1e-5)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1000])
def test_alias_columns_add_up_to_the_shares(n):
    shares = np.random.default_rng(n).pareto(0.7, n) + 1e-9
    shares[n // 2] = 0 if n > 2 else shares[n // 2]
    alias = AliasTable.of(shares)

    total = np.bincount(np.arange(n), alias.own_share, minlength=n) + np.bincount(
        alias.other, 1 - alias.own_share, minlength=n
    )

    np.testing.assert_allclose(total / n, shares / shares.sum(), atol=1e-12)
