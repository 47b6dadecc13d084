"""Values rendered many at once are the bytes that plain rendering gives, for every kind of field and transform."""

import gc

import numpy as np
import pytest

from designer.document import Spec
from designer.document.key import HashSegment
from estimator.kernels.keys.rendering import render
from estimator.kernels.keys.rendering.columns import field_texts
from estimator.kernels.keys.rendering.hashes import hash_texts, salts
from estimator.kernels.keys.rendering.texts import Strings, Texts, decimal
from estimator.kernels.keys.values.shape import shape_of
from tests.cases import cases

KINDS = [
    {"kind": "uuid"},
    {"kind": "uuid", "distinct": 10**9},
    {"kind": "boolean"},
    {"kind": "float"},
    {"kind": "bytes"},
    {"kind": "integer"},
    {"kind": "domain"},
    {"kind": "string"},
    {"values": {"kind": "pattern", "text": "a{n}z", "start": 95}},
    {"values": {"kind": "range", "min": -120, "max": 10**12}},
    {"kind": "float", "values": {"kind": "range", "min": -3, "max": 10**6}},
    {"values": {"kind": "random", "min": 4, "max": 4}},
    {"values": {"kind": "random", "min": 2, "max": 12}},
    {"values": {"kind": "random", "min": 3, "typical": 5, "max": 40, "alphabet": "abcé"}},
    {"values": {"kind": "random", "min": 3, "typical": 3.5, "max": 30, "alphabet": "0-9"}, "distinct": 10**12},
    {"kind": "bytes", "values": {"kind": "random", "min": 5, "max": 9}, "distinct": 10**9},
    {"values": {"kind": "random", "min": 1, "max": 2, "alphabet": "ab"}, "distinct": 6},
    {"values": {"kind": "enumeration", "items": [{"value": "é"}, {"value": ""}, {"value": "zz"}]}},
]


def shape(field, seed=3):
    spec = Spec.model_validate({"fields": [{"id": "f", **field}]})
    return shape_of(spec, spec.fields[0], seed=seed)


def numbers_of(shape):
    return np.unique(np.linspace(0, shape.total - 1, 300).astype(np.int64))


@cases("field", KINDS)
def test_many_values_are_as_plainly_rendered_ones(field):
    made = shape(field)
    numbers = numbers_of(made)

    texts = field_texts(made, numbers).tolist()

    assert texts == [render.as_text(render.value(made, n)) for n in numbers.tolist()]


@cases("field", [k for k in KINDS if k.get("kind") not in ("boolean", "float")])
def test_values_of_a_field_are_distinct(field):
    made = shape(field)
    numbers = np.arange(min(made.total, 20_000))

    assert len(set(field_texts(made, numbers).tolist())) == len(numbers)


@cases("algorithm", ["md5", "sha1", "sha256", "fnv1a", "crc32"])
@cases("width", [0, 7, 55, 64, 130])
@cases("form, digits", [("hex", 7), ("base64", 6), ("base64url", 5), ("raw", 3)])
def test_hashes_of_many_are_the_hashes_of_each(algorithm, width, form, digits):
    strings = [bytes([n % 256]) * (width if n % 3 else width // 2) + b"%d" % n for n in range(2_500)]

    segment = HashSegment(id="h", fields=("f",), algorithm=algorithm, form=form, digits=digits)
    texts = hash_texts(segment.algorithm, segment.form, segment.digits, Texts.of(strings)).tolist()

    assert texts == [render.hash_text(segment, s) for s in strings]


def test_salts_of_many_are_the_salts_of_each():
    strings = [b"user%d" % n for n in range(2_500)]

    assert salts(Texts.of(strings), 37).tolist() == [render.salt_number(s) % 37 for s in strings]


@pytest.mark.parametrize("width", [0, 1, 3, 9, 25])
def test_decimal_text_of_many_is_the_text_of_each(width):
    numbers = np.array([0, 1, 9, 10, 99, 9_999, 10_000, 12_345_678, 9_223_372_036_854_775_807, -1, -10, -987_654])

    assert decimal(numbers, width).tolist() == [f"{n:0{width}d}".encode() for n in numbers.tolist()]
    assert decimal(numbers[:5], width).tolist() == [f"{n:0{width}d}".encode() for n in numbers[:5].tolist()]


def test_byte_strings_sort_as_bytes_with_nuls_at_their_ends():
    strings = [
        b"",
        b"\0",
        b"\0\0",
        b"a",
        b"a\0",
        b"a\0\0",
        b"a\0b",
        b"ab",
        b"a" * 9,
        b"a" * 8,
        b"a" * 8 + b"\0",
        b"\xff",
    ]

    order, new = Texts.of(strings * 2).order()

    assert [(strings * 2)[n] for n in order] == sorted(strings * 2)
    assert int(new.sum()) == len(strings)


def test_strings_are_read_one_by_one_without_an_object_for_each_in_memory():
    made = [b"x" * (n % 300) for n in range(2_000)]

    strings = Strings(Texts.of(made))

    assert [strings[place] for place in range(len(strings))] == made
    assert {type(one) for held in vars(strings).values() for one in gc.get_referents(held)} <= {type}
