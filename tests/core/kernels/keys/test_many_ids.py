"""More random ids than a table holds: as many rows as there are ids, not as many as there could be."""

import tracemalloc
from hashlib import md5

import numpy as np
import pytest

from designer.document import Spec
from designer.document.popularity import Uniform
from estimator.kernels.keys import (
    EventDistribution,
    TimeDistribution,
    compile_pattern,
    key_summary,
    quantile_rows,
    row_classes,
    sample_keys,
)


def test_a_hundred_thousand_random_ids_are_a_hundred_thousand_rows():
    spec = _devices(100_000)
    pattern = compile_pattern(spec, "k")
    end = pattern.inputs.end_s

    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    assert classes.counts.sum() == pytest.approx(100_000)
    assert classes.shares.max() == pytest.approx(1e-5)
    assert key_summary(pattern).segments[0].distinct == 100_000


@pytest.mark.parametrize("theta", [0.7, 0.9, 1.1])
def test_few_of_many_skewed_ids_are_as_busy_as_their_law_says_and_most_are_not(theta):
    spec = _devices(5_000_000, {"kind": "zipf", "theta": theta})
    end = (pattern := compile_pattern(spec, "k")).inputs.end_s

    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    ranks = np.cumsum(classes.counts)
    for rank in (50_000, 2_500_000, 4_900_000):
        share = classes.shares[np.searchsorted(ranks, rank)]
        assert share == pytest.approx(rank**-theta / np.sum(np.arange(1.0, 5e6 + 1) ** -theta), rel=0.06)
    assert (classes.shares @ classes.counts, ranks[-1]) == pytest.approx((1, 5e6))


def test_long_texts_take_no_more_memory_than_many_short_ones():
    """65,536 texts of 4,000 letters took 890 MB and 8 s: now as many bytes are held as of 65,536 of 512 letters."""
    spec = _devices(1_000_000, {"kind": "zipf", "theta": 0.9})
    long = {"kind": "random", "min": 4_000, "max": 4_000}
    document = spec.model_dump(mode="json", exclude_unset=True)
    document["fields"][0]["values"] = long
    tracemalloc.start()
    try:
        pattern = compile_pattern(Spec.model_validate(document), "k")
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    end = pattern.inputs.end_s
    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    assert peak_bytes < 200e6
    assert classes.shares.max() == pytest.approx(1 / np.sum(np.arange(1.0, 1e6 + 1) ** -0.9), rel=1e-6)
    assert classes.counts.sum() == pytest.approx(1e6)


def _devices(count: int, popularity: object = None) -> Spec:
    device = {
        "id": "device", "kind": "string", "values": {"kind": "random", "min": 8, "max": 8, "alphabet": "a-f0-9"},
        "distinct": count, "assigned": "arbitrary", "popularity": popularity or {"kind": "uniform"},
    }  # fmt: skip
    key = [{"id": "s", "kind": "field", "field": "device", "after": "#"}]
    return Spec.model_validate({"fields": [device], "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})


@pytest.mark.parametrize("distinct", [10**15, 10**18])
def test_ids_beyond_counting_are_spread_over_all_their_numbers(distinct):
    spec = Spec.model_validate(
        {
            "fields": [
                {"id": "f", "name": "f", "distinct": distinct, "values": {"kind": "pattern", "text": "{n:020}"}}
            ],
            "tables": [{"id": "t", "row_kinds": [{"id": "r", "key": [{"id": "s", "kind": "field", "field": "f"}]}]}],
        }
    )
    keys = [int(key) for key in sample_keys(spec, "r", 400)]

    assert keys == sorted(keys)
    assert 0 <= keys[0] < distinct / 20
    assert distinct * 0.95 < keys[-1] < distinct
    assert abs(sum(keys) / len(keys) / distinct - 0.5) < 0.08


@pytest.mark.parametrize("lead", [[], [{"id": "h", "kind": "hash", "fields": ["user"], "digits": 2, "after": "#"}]])
def test_rows_beside_each_other_are_as_close_in_a_sample_of_the_ids_as_among_all_of_them(lead):
    user = {
        "id": "user", "values": {"kind": "pattern", "text": "u{n:06}"}, "distinct": 20_000, "assigned": "arbitrary",
        "popularity": {"kind": "zipf", "theta": 0.5},
    }  # fmt: skip
    key = [*lead, {"id": "u", "kind": "field", "field": "user"}]
    spec = Spec.model_validate({"fields": [user], "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})
    law = {"user": Uniform()}

    def near(ids_max):
        pattern = compile_pattern(spec, "k", ids_max=ids_max)
        found = quantile_rows(
            pattern,
            EventDistribution(pattern.steady_distribution().time, law),
            (np.arange(6_000, 6_400) + 0.5) / 20_000,
        )
        numbers = np.array([int(row[-6:]) for row in found.keys])
        return len(set(found.keys)), np.median(np.abs(np.diff(numbers))), found.represented_keys.max()

    (few, few_apart, stands_for), (many, many_apart, _) = near(1_000), near(32_768)

    assert many == 400
    assert few > 240  # gaps of the sample are uneven: where one is narrow, values in it repeat
    assert few_apart == pytest.approx(many_apart, rel=0.35)
    assert stands_for == 1


def test_behind_a_long_hash_no_value_is_made_up():
    user = {"id": "user", "values": {"kind": "pattern", "text": "u{n:06}"}, "distinct": 20_000, "assigned": "arbitrary",
            "popularity": {"kind": "zipf", "theta": 0.5}}  # fmt: skip
    key = [{"id": "h", "kind": "hash", "fields": ["user"], "digits": 8}, {"id": "u", "kind": "field", "field": "user"}]
    spec = Spec.model_validate({"fields": [user], "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})
    pattern = compile_pattern(spec, "k", ids_max=1_000)

    found = quantile_rows(pattern, pattern.steady_distribution(), (np.arange(50) + 0.5) / 50)

    assert all(row[:8] == md5(row[8:]).hexdigest()[:8].encode() for row in found.keys)
    assert found.represented_keys.max() > 10


def zipf(count, theta):
    weights = np.arange(1, count + 1, dtype=np.float64) ** -theta
    return weights / weights.sum()


def of_owners(owners, values):
    """Devices of tenants, both skewed, in a table of far fewer entries than there are devices."""
    field = {"kind": "string", "values": {"kind": "random", "min": 8, "max": 8}, "assigned": "arbitrary"}
    tenant = {**field, "id": "tenant", "distinct": owners, "popularity": {"kind": "zipf", "theta": 0.9}}
    device = {**tenant, "id": "device", "distinct": values, "belongs_to": "tenant"}
    key = [
        {"id": "a", "kind": "field", "field": "tenant", "after": "#"},
        {"id": "b", "kind": "field", "field": "device"},
    ]
    kind = {"id": "k", "key": key}
    spec = Spec.model_validate({"fields": [tenant, device], "tables": [{"id": "t", "row_kinds": [kind]}]})
    pattern = compile_pattern(spec, "k", ids_max=4_000)
    return row_classes(pattern, pattern.steady_distribution())


@pytest.mark.parametrize(("owners", "offs"), [(20, (0.1, 0.1)), (1_000, (0.15, 0.1)), (20_000, (0.5, 0.3))])
def test_values_of_skewed_owners_are_as_many_and_as_skewed_as_all_of_them(owners, offs):
    """Also where an owner stands for others, and values behind the busy ones of each owner for each other.

    Where both popularities are stated, that of the devices decides.
    """
    classes = of_owners(owners, 100_000)

    true = zipf(100_000, 0.9)
    assert classes.counts.sum() == pytest.approx(100_000)
    assert classes.shares @ classes.counts == pytest.approx(1)
    assert classes.shares.max() == pytest.approx(true.max())
    for quantile, off in zip((0.5, 0.99), offs, strict=True):
        assert share_at(classes, quantile) == pytest.approx(np.quantile(true, quantile), rel=off)


def share_at(classes, quantile):
    order = np.argsort(classes.shares)
    counted = np.cumsum(classes.counts[order]) / classes.counts.sum()
    return classes.shares[order][np.searchsorted(counted, quantile)]
