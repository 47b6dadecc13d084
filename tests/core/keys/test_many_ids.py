"""More random ids than a table holds: as many rows as there are ids, not as many as there could be."""

import pytest

from designer.spec import Spec
from estimator.keys import Law, TimeLaw, compile_pattern, row_classes, sample_keys


def test_a_hundred_thousand_random_ids_are_a_hundred_thousand_rows():
    spec = _devices(100_000)
    pattern = compile_pattern(spec, "k")
    end = pattern.inputs.end_s

    classes = row_classes(pattern, Law(TimeLaw.windows(end - 86_400, end, 1)))

    assert classes.counts.sum() == pytest.approx(100_000)
    assert classes.shares.max() == pytest.approx(1e-5)
    assert pattern.facts().segments[0].distinct == 100_000


def _devices(count: int) -> Spec:
    device = {
        "id": "device", "kind": "string", "values": {"kind": "random", "min": 8, "max": 8, "alphabet": "a-f0-9"},
        "distinct": count, "assigned": "arbitrary", "popularity": {"kind": "uniform"},
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
