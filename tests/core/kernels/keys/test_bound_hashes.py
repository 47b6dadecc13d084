"""Hashes of values that are too many together for a table."""

from hashlib import md5

import pytest

from designer.document import Spec
from estimator.kernels.keys import compile_pattern, key_summary, sample_keys


def _pairs(*, digits: int = 4, theta: float = 0.9) -> Spec:
    """Users and items, more pairs than any table holds, their hash in front of both."""
    fields = [
        {"id": "user", "kind": "string", "values": {"kind": "random", "min": 6, "max": 9, "alphabet": "a-z"},
         "distinct": 2_000_000, "popularity": {"kind": "zipf", "theta": theta}},
        {"id": "item", "kind": "integer", "values": {"kind": "range", "min": 0, "max": 99_999}, "distinct": 100_000},
    ]  # fmt: skip
    key = [
        {"id": "h", "kind": "hash", "fields": ["user", "item"], "algorithm": "md5", "digits": digits, "after": "#"},
        {"id": "u", "kind": "field", "field": "user", "after": "#"},
        {"id": "i", "kind": "field", "field": "item", "transforms": [{"kind": "pad", "width": 6}]},
    ]
    return Spec.model_validate({"fields": fields, "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})


def _true(key: bytes, digits: int) -> bool:
    found, user, item = key.split(b"#")
    return found == md5(user + str(int(item)).encode(), usedforsecurity=False).hexdigest()[:digits].encode()


@pytest.mark.parametrize("digits", [4, 32])
def test_a_key_shows_the_hash_of_its_own_values_in_byte_order_and_as_keys_arrive(digits):
    spec = _pairs(digits=digits)

    ordered = list(sample_keys(spec, "k", 2_500))
    arriving = list(sample_keys(spec, "k", 500, order="arrival"))
    shown = key_summary(compile_pattern(spec, "k")).samples

    assert all(_true(key, digits) for key in (*ordered, *arriving, *shown))
    assert ordered == sorted(ordered)
    assert list(shown) == sorted(shown)
    assert len(set(ordered)) > 2_000
