"""The order of keys is the order of their real bytes: shares below any byte string, against all keys rendered."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from designer.document import Spec
from estimator.kernels.keys import (
    EventDistribution,
    NotComputableError,
    TimeDistribution,
    compile_pattern,
    shares_below,
)
from tests.core.kernels.keys.designs import design, designs, escaped
from tests.core.kernels.keys.truth import all_keys

MICRO = 1e-6


def instants(pattern, *hours):
    """Two windows, each of moments one microsecond long, unevenly likely."""
    at = pattern.inputs.end_s - 86_400 * 20 + np.array(hours) * 3600
    start = np.round(np.stack([at, at + 777.321]), 6)
    weight = np.stack([np.arange(1, len(at) + 1), np.arange(len(at), 0, -1)]).astype(float)
    return EventDistribution(TimeDistribution(start, start + MICRO, weight / weight.sum(axis=1, keepdims=True)))


def awkward(keys):
    """Bounds around keys: beginnings, neighbours, a NUL or \\xff more."""
    out = {b"", b"\x00", b"\xff", b"\xff" * 60}
    for key in keys:
        out |= {key, key + b"\x00", key + b"\xff", key[:-1], key[: len(key) // 2], key[: len(key) // 2] + b"\xff"}
        for place in {0, len(key) // 3, len(key) - 1} if key else ():
            for step in (-1, 1):
                out.add(key[:place] + bytes([(key[place] + step) % 256]) + key[place + 1 :])
    return tuple(sorted(out))


def assert_exact(pattern, law, *, most=400):
    for window in range(law.time.count):
        keys, share = all_keys(pattern, law, window)
        bounds = awkward(keys[:: max(1, len(keys) // most)])
        order = sorted(range(len(keys)), key=keys.__getitem__)
        ranked = [keys[n] for n in order]
        sums = np.concatenate(([0.0], np.cumsum(share[order])))
        places = np.searchsorted(np.array(ranked, dtype=object), np.array(bounds, dtype=object))

        below = shares_below(pattern, law, bounds)[window]

        worst = int(np.argmax(np.abs(below - sums[places])))
        assert below[worst] == pytest.approx(sums[places[worst]], abs=1e-9), (bounds[worst], ranked[:20])


@settings(suppress_health_check=list(HealthCheck))
@given(spec=designs(), ids_max=st.sampled_from([4096, 5]))
def test_any_key_sorts_as_its_real_bytes(spec: Spec, ids_max: int):
    try:
        pattern = compile_pattern(spec, "k", ids_max=ids_max)
    except NotComputableError:
        assume(False)
    assume(all(getattr(component, "is_exact", True) for component in pattern.components))
    law = instants(pattern, 0, 5, 30, 24 * 12)
    keys = 1
    for component in pattern.components:
        keys *= getattr(component, "count", None) or max(1, min(component.full[1] - component.full[0], 4))
    assume(keys <= 20_000)

    assert_exact(pattern, law, most=25)


@pytest.mark.parametrize("first", range(0, 256, 16))
def test_every_delimiter_byte_sorts_right_behind_values_that_contain_its_neighbours(first):
    for byte in range(first, first + 16):
        behind_its_neighbours(byte)


def behind_its_neighbours(byte):
    values = ["", "a", "ab", *(chr(b) for b in (byte - 1, byte, byte + 1) if 0 <= b < 128)]
    items = [{"value": v, "weight": n + 1} for n, v in enumerate(dict.fromkeys(values))]
    spec = design(
        [{"id": "f", "values": {"kind": "enumeration", "items": items}},
         {"id": "n", "values": {"kind": "range", "min": 8, "max": 101}, "distinct": 94}],
        [{"kind": "field", "field": "f", "after": escaped(bytes([byte]))},
         {"kind": "field", "field": "n", "after": escaped(bytes([byte]))}],
    )  # fmt: skip
    pattern = compile_pattern(spec, "k", ids_max=50 if byte % 2 else 4096)

    assert_exact(pattern, instants(pattern, 0), most=12)


ORDER = {"id": "o", "distinct": 990, "growth_per_day": 100_000, "values": {"kind": "pattern", "text": "{n}"}}
COUNT = {"id": "o", "kind": "integer", "distinct": 990, "growth_per_day": 100_000}
LINE = {"id": "l", "values": {"kind": "range", "min": 1, "max": 12}, "unique_within": "o"}
OF = {"kind": "field", "field": "o"}
ITEM = {"kind": "field", "field": "l"}
UPPER = {"kind": "case", "to": "upper"}
DOWN = {"kind": "descending", "top": 999_999_999}
TIME = {"kind": "time", "reversed": True, "after": "#"}
NEW = {
    "padded": (COUNT, [OF | {"transforms": [{"kind": "pad", "width": 12}]}]),
    "too narrow": (COUNT, [OF | {"transforms": [{"kind": "pad", "width": 3}], "after": "-"}, ITEM]),
    "unpadded": (ORDER, [OF | {"after": "#"}, ITEM]),
    "unpadded, a delimiter among the digits": (ORDER, [OF | {"after": "5"}, ITEM]),
    "unpadded, no delimiter": (ORDER, [OF, ITEM]),
    "raw": (COUNT, [OF | {"transforms": [{"kind": "big_endian", "length": 8}]}, ITEM]),
    "raw, in seven bytes": (COUNT, [OF | {"transforms": [{"kind": "big_endian", "length": 7}], "after": "#"}, ITEM]),
    "hexadecimal": (COUNT, [OF | {"transforms": [{"kind": "hex", "width": 8}], "after": "#"}, ITEM]),
    "hexadecimal, too narrow": (COUNT, [OF | {"transforms": [{"kind": "hex", "width": 3}], "after": "a"}, ITEM]),
    "hexadecimal in upper case": (COUNT, [OF | {"transforms": [{"kind": "hex", "width": 8}, UPPER]}, ITEM]),
    "counting down": (COUNT, [OF | {"transforms": [DOWN, {"kind": "pad", "width": 9}], "after": "#"}, ITEM]),
    "counting down, unpadded": (COUNT, [OF | {"transforms": [DOWN], "after": "#"}, ITEM]),
    "counting down in bytes": (COUNT, [OF | {"transforms": [DOWN, {"kind": "big_endian", "length": 5}]}, ITEM]),
    "counting down below zero": (COUNT, [OF | {"transforms": [DOWN | {"top": 3_000_000}], "after": "#"}, ITEM]),
    "shifted": (COUNT, [OF | {"transforms": [{"kind": "offset", "by": -5_000_000}]}, ITEM]),
    "in buckets": (
        COUNT,
        [{"kind": "derived", "field": "o", "how": {"kind": "bucket", "size": 1000}, "after": "/"}, OF],
    ),
    "hashed": (ORDER, [{"kind": "hash", "fields": ["o"], "digits": 2, "after": "#"}, OF | {"after": "#"}, ITEM]),
    "salted": (ORDER, [{"kind": "salt", "fields": ["o"], "modulo": 12, "after": "#"}, TIME, OF]),
    "behind a readable day": (COUNT, [{"kind": "time", "pattern": "%Y%m%d", "resolution": "day"}, OF]),
    "behind a reversed day": (COUNT, [{"kind": "time", "pattern": "%Y%m%d", "reversed": True, "after": "#"}, OF]),
    "behind a reversed day and a reversed hour": (
        COUNT,
        [
            {"kind": "time", "pattern": "%Y%m%d", "reversed": True},
            {"kind": "time", "pattern": "%H", "reversed": True},
            OF,
        ],
    ),
    "between parts of the time": (COUNT, [TIME | {"unit": "s"}, OF | {"after": "#"}, {"kind": "time", "unit": "us"}]),
}


@pytest.mark.parametrize("name", NEW)
def test_numbers_given_as_events_come_sort_as_their_real_bytes(name):
    field, segments = NEW[name]
    pattern = compile_pattern(design([field, LINE], segments, 1.0), "k")
    assert pattern.inputs.per_event == {"o"}

    assert_exact(pattern, instants(pattern, 0, 5, 30, 24 * 12), most=20)


def test_a_chain_of_owners_of_which_few_stand_for_all_has_only_its_own_values():
    fields = [
        {"id": "f0", "distinct": 2},
        *({"id": f"f{i}", "distinct": 12, "belongs_to": f"f{i - 1}"} for i in (1, 2)),
    ]
    kind = {"id": "k", "key": [{"id": "s0", "kind": "field", "field": "f2"}]}
    spec = Spec.model_validate(
        {
            "fields": [{"name": each["id"], "kind": "string", **each} for each in fields],
            "tables": [{"id": "t", "row_kinds": [kind]}],
        }
    )

    assert compile_pattern(spec, "k", ids_max=5).row_kind == "k"  # values beyond the twelfth ended in an IndexError
