"""Key texts as the bytes that they stand for, worked out by hand or with Python's own library."""

import re
import struct
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.encodings import UNRESERVED
from designer.document.key import Segment, sorts_backwards
from designer.document.keytext import parse_key
from estimator.facts.alphabets import value_bytes
from estimator.kernels.growth.cells import segment_bytes
from estimator.kernels.growth.longest_values import segment_bytes_max
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.kernels.keys.patterns import times
from estimator.kernels.keys.patterns.times import sequence_number
from estimator.kernels.keys.rendering import render
from estimator.kernels.keys.rendering.columns import field_texts
from estimator.kernels.keys.values.shape import ValueShape, shape_of
from tests.cases import cases
from tests.core.kernels.keys.designs import design

SPEC = Spec.model_validate(
    {"fields": [{"id": "n", "kind": "integer", "values": {"kind": "range", "min": 0, "max": 2**62}, "distinct": 9}]}
)
SHAPE = shape_of(SPEC, SPEC.fields[0], seed=0)


@cache
def segments(text: str) -> tuple[Segment, ...]:
    return parse_key(SPEC, text).segments


def key(text: str, number: int = 0) -> bytes:
    return render.key(segments(text), {"n": SHAPE}, render.Event({"n": number}))


@cases(
    "text, number, written",
    [
        ("{n:bytes1}", 200, b"\xc8"),
        ("{n:bytes3}", 70_000, b"\x01\x11\x70"),
        ("{n:bytes5}", 2**32 + 1, b"\x01\x00\x00\x00\x01"),
        ("{n:bytes6}", 1_700_000_000_000, struct.pack(">Q", 1_700_000_000_000)[2:]),
        ("{n:bytes7}", 255, b"\0\0\0\0\0\0\xff"),
        ("{n:hex8}", 48_879, b"0000beef"),
        ("{n:hex8:upper}", 48_879, b"0000BEEF"),
        ("{n:hex2}", 48_879, b"beef"),
        ("{n:plus16:hex4}", 239, b"00ff"),
        ("{n:from=999999:pad6}", 42, b"999957"),
        ("{n:from=4294967295:bytes4}", 1, b"\xff\xff\xff\xfe"),
        ("{n:from=65535:hex4}", 255, b"ff00"),
        ("{n:from=9223372036854775807}", 7, b"9223372036854775800"),
    ],
)
def test_a_number_has_the_bytes_that_its_form_says(text: str, number: int, written: bytes):
    assert key(text, number) == written


@cases(
    "text, written",
    [
        ("{hash(n):8}", b"1f0e3dad"),
        ("{hash(n):base64:22}", b"Hw49rZmQg0X3Q5+P+r3/xA"),  # printf 19 | openssl dgst -md5 -binary | base64
        ("{hash(n):base64:22}==", b"Hw49rZmQg0X3Q5+P+r3/xA=="),
        ("{hash(n):base64url:22}", b"Hw49rZmQg0X3Q5-P-r3_xA"),
        ("{hash(n):base64:3}", b"Hw4"),
        ("{hash(n):raw:4}", b"\x1f\x0e=\xad"),
        ("{hash(n):crc32:base64:6}", b"2IGdRQ"),
        ("{hash(n):fnv1a:raw:8}", b"\x07\xf8\x8b\x07\xb4\xb9\xfc\xbf"),
    ],
)
def test_a_hash_has_the_bytes_that_its_form_says(text: str, written: bytes):
    assert key(text, 19) == written


NOON = 1_795_178_096_789_000
"""2026-11-20 12:34:56.789 UTC, in microseconds: day 20,777 since 1970, a Friday."""


@cases(
    "text, written",
    [
        ("{time:bucket=5m}", b"1795177800000"),  # 12:30
        ("{time:bucket=5m:unit=s}", b"1795177800"),
        ("{time:bucket=5m:unit=bucket}", b"5983926"),
        ("{time:bucket=90m:unit=s}", b"1795176000"),  # 12:00: sixteen of them are a day
        ("{time:bucket=10d:unit=s}", b"1794528000"),  # 2026-11-13: day 20,770
        ('{time:bucket=10d:"%Y%m%d"}', b"20261113"),
        ('{time:bucket=5m:"%Y%m%d%H%M"}', b"202611201230"),
        ('{time:bucket=90m:"%H"}', b"12"),
        ("{time:day:unit=d}", b"20777"),
        ("{time:day:unit=bucket}", b"20777"),
        ("{time:unit=h}", b"498660"),
        ("{time:unit=m}", b"29919634"),
        ("{time:week:unit=bucket}", b"2968"),  # Monday 1969-12-29 began the first
        ("{time:month:unit=bucket}", b"682"),  # 56 years and ten months
        ("{time:year:unit=bucket}", b"56"),
        ("{time:bucket=30m:unit=bucket:rev:from=9999999}", b"9002678"),  # 997,321
        ('{time:"%Y%m%d":rev}', b"79738879"),  # 99999999 - 20261120
        ('{time:"%Y-%m-%d":rev}', b"7973-88-79"),
        ('{time:"%Y%m%d%H%M%S":rev}', b"79738879876543"),
        ('{time:day:"%Y%m%d00":rev}', b"7973887999"),
        ("{time:bucket=5m:unit=bucket:raw}", struct.pack(">Q", 5_983_926)),
    ],
)
def test_a_time_has_the_bytes_that_its_form_says(text: str, written: bytes):
    assert render.key(segments(text), {}, render.Event({}, NOON)) == written


ORDERED = [
    "{n:bytes1}", "{n:bytes3}", "{n:bytes5}", "{n:bytes6}", "{n:bytes7}", "{n:bytes8}", "{n:hex16}", "{n:hex16:upper}",
    "{n:from=4611686018427387904:pad19}", "{n:from=4611686018427387904:hex16}", "{n:from=4611686018427387904:bytes8}",
]  # fmt: skip


@settings(max_examples=20)
@given(pairs=st.lists(st.tuples(st.integers(0, 2**62), st.integers(0, 2**62)), min_size=1, max_size=9))
@example(pairs=[(9, 10), (15, 16), (255, 256), (99, 100), (2**24 - 1, 2**24), (2**62 - 1, 2**62)])
def test_bytes_sort_as_the_form_says(pairs: list[tuple[int, int]]):
    for text in ORDERED:
        segment = segments(text)[0]
        last = segment.transforms[-1]  # type: ignore[union-attr]
        most = 256**last.length - 1 if last.kind == "big_endian" else 2**62
        numbers = sorted({number % (most + 1) for pair in pairs for number in pair})

        keys = [key(text, number) for number in numbers]

        assert keys == sorted(keys, reverse=sorts_backwards(segment)), text


@cases("text", [*ORDERED[1:], "{n:hex3:lower}", "{n:from=70000}"])
def test_many_numbers_at_once_have_the_bytes_of_each(text: str):
    numbers = np.array([0, 1, 15, 16, 255, 65_535, 65_536, 70_001])
    transforms = segments(text)[0].transforms  # type: ignore[union-attr]

    assert field_texts(SHAPE, numbers, transforms).tolist() == [key(text, number) for number in numbers.tolist()]


def titles(values: tuple[str, ...]) -> Spec:
    listed = {"kind": "enumeration", "items": [{"value": value} for value in values]}
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "t", "transforms": [{"kind": "percent"}]}]}
    fields = [{"id": "t", "name": "t", "kind": "string", "values": listed}]
    return Spec.model_validate({"fields": fields, "tables": [{"id": "x", "row_kinds": [kind]}]})


def test_percent_encoding_writes_all_but_unreserved_bytes_as_two_digits():
    spec = titles(("a#b", "a b", "50%", "é", "x-1._~"))
    shape, segment = shape_of(spec, spec.fields[0], seed=0), parse_key(spec, "{t:percent}").segments[0]
    written = [render.segment_text(segment, {"t": shape}, render.Event({"t": n})) for n in range(5)]

    assert written == [b"a%23b", b"a%20b", b"50%25", b"%C3%A9", b"x-1._~"]
    assert value_bytes(spec, segment) == UNRESERVED | {ord("%")}
    assert segment_bytes(spec, segment) == sum(map(len, written)) / 5
    assert segment_bytes_max(spec, segment) >= max(map(len, written))


@pytest.mark.parametrize(
    ("values", "is_ordered"),
    [
        (("a.b", "a-b"), True),
        (("a b", "a-b"), True),  # a space and %20 both sort before a hyphen
        (("a/b", "a-b"), False),  # a slash sorts behind a hyphen, and %2F before it
        (("é", "z"), False),
    ],
)
def test_percent_encoded_text_is_in_order_where_its_letters_are(values: tuple[str, ...], is_ordered: bool):
    (facts,) = key_summary(compile_pattern(titles(values), "k")).segments

    assert facts.text_order is is_ordered


@cases(
    "values, transforms, written",
    [
        ({"kind": "pattern", "text": "ord-{n:09}"}, [], rb"[0-9]{7}[01]0-dro"),
        # 12,111,999 is 0xb8d07f.
        ({"kind": "range", "min": 0, "max": 10**12}, [{"kind": "hex", "width": 8}], rb"[0-9a-f]{5}[0-9ab]00"),
        ({"kind": "range", "min": 10**9, "max": 10**12}, [], rb"[0-9]{7}[01]01"),
        (
            {"kind": "range", "min": 0, "max": 10**12},
            [{"kind": "descending", "top": 999_999_999}, {"kind": "pad", "width": 9}],
            rb"[0-9]{7}[89]9",
        ),
        ({"kind": "range", "min": 0, "max": 10**12}, [{"kind": "big_endian", "length": 4}], rb"(?s:..)[\0-\xb8]\0"),
    ],
)
def test_a_new_number_backwards_is_what_its_form_writes(values: dict, transforms: list, written: bytes):
    """A year of 365 days of 28,800 numbers a day and 1,600,000 before it: 12,112,000, which are up to 12,111,999."""
    field = {
        "id": "n", "kind": "string" if values["kind"] == "pattern" else "integer", "values": values,
        "distinct": 1_600_000, "growth_per_day": 28_800, "assigned": "sequential",
    }  # fmt: skip
    segment = {"kind": "field", "field": "n", "transforms": [*transforms, {"kind": "reverse_digits"}]}
    pattern = compile_pattern(design([field], [segment], writes=1 / 3), "k")

    assert pattern.inputs.per_event == {"n"}
    samples = key_summary(pattern).samples
    assert all(re.fullmatch(written, sample) for sample in samples), samples


@cases("kind, letters", [("string", 199), ("bytes", 129), ("string", 4_000)])
def test_random_text_of_any_length_is_computed(kind: str, letters: int):
    """Of 36 letters, 36^199 is above 1.8e308, the largest float; so is 256^129 of bytes."""
    field = {
        "id": "n", "kind": kind, "values": {"kind": "random", "min": letters, "max": letters}, "distinct": 1_000_000,
        "popularity": {"kind": "uniform"}, "growth_per_day": 9_000_000,
    }  # fmt: skip
    facts = key_summary(compile_pattern(design([field], [{"kind": "field", "field": "n"}], writes=100), "k"))

    assert facts.bytes_max == letters
    assert facts.segments[0].distinct == 2.0**256


def test_a_long_sequence_that_grows_slowly_finds_its_times_at_once(monkeypatch: pytest.MonkeyPatch):
    """Of 10^12 numbers float64 tells 0.00012 apart: at 10 a day, a second. Looked at one by one, it is 10^6 steps."""
    field = {
        "id": "n", "kind": "integer", "values": {"kind": "range", "min": 0, "max": 10**15}, "distinct": 10**12,
        "growth_per_day": 10, "assigned": "sequential",
    }  # fmt: skip
    spec = design([field], [])
    shape = shape_of(spec, spec.fields[0], seed=0)
    asked: list[int] = []

    def count(shape: ValueShape, time_us: int) -> int:
        asked.append(time_us)
        return sequence_number(shape, time_us)

    monkeypatch.setattr(times, "sequence_number", count)
    for number in range(10**12, 10**12 + 50, 7):
        at = times.sequence_us(shape, number)
        assert sequence_number(shape, at - 1) < number <= sequence_number(shape, at)
    assert len(asked) < 8 * 100
