"""Generated values look like what they say they are."""

import json
import struct

import numpy as np
import pytest

from estimator.kernels.compression.codecs import compress_block
from estimator.kernels.compression.values import KINDS, draw_sizes, make_values, stream
from tests.cases import cases

TYPICAL = {
    "empty": 0, "enumeration": 8, "float": 8, "integer": 8, "json": 120, "protobuf": 80, "random": 32,
    "small_integers": 2, "text": 40,
}  # fmt: skip


def values(kind, count=400, *, typical=None, most=0.0, seed=7, part=0):
    return make_values(kind, count, typical_bytes=typical or TYPICAL[kind], max_bytes=most, seed=seed, part=part)


def zstd_share(kind, **more):
    raw = b"".join(values(kind, 32_768 // TYPICAL[kind], **more))
    return compress_block(raw).zstd / len(raw)


def decoded(message):
    """Fields of a protocol-buffer message by number: the wire format read back."""
    fields, at = {}, 0

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            number, shift, at = number | (byte & 0x7F) << shift, shift + 7, at + 1
            if byte < 0x80:
                return number

    while at < len(message):
        tag = varint()
        size = {0: None, 1: 8, 5: 4}[tag & 7] if tag & 7 != 2 else varint()
        fields[tag >> 3] = varint() if size is None else message[at : at + size]
        at += size or 0
    assert at == len(message)
    return fields


@cases("kind", KINDS)
def test_the_same_seed_makes_the_same_values_and_another_part_others_of_the_same_column(kind):
    assert values(kind) == values(kind)
    assert kind == "empty" or values(kind, part=1) != values(kind)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"empty", "protobuf"}))
def test_values_have_the_size_asked_for(kind):
    assert {len(value) for value in values(kind)} == {TYPICAL[kind]}


def test_sizes_keep_the_mean_and_never_pass_the_largest():
    sizes = draw_sizes(stream(1), 20_000, 120.4, 2_000)

    assert sizes.mean() == pytest.approx(120.4, rel=0.02)
    assert sizes.max() <= 2_000
    assert np.median(sizes) < 120
    assert draw_sizes(stream(1), 5, 30, 30).tolist() == [30] * 5


def test_json_is_read_by_a_parser_and_its_names_are_those_of_the_column():
    objects = [json.loads(value) for value in values("json", part=0) + values("json", part=1)]

    assert len({tuple(each) for each in objects}) <= 3  # what no longer fits is left out
    assert len({json.dumps(each) for each in objects}) > 700


def test_a_large_json_object_holds_a_list_of_objects_and_little_text():
    objects = [json.loads(value) for value in values("json", 40, typical=2_000)]

    assert {len(value) for value in values("json", 40, typical=2_000)} == {2_000}
    assert all(len(each["items"]) >= 4 for each in objects)
    assert len({tuple(item) for each in objects for item in each["items"]}) == 1
    assert np.mean([len(each["note"]) for each in objects]) < 600


@pytest.mark.parametrize("size", [0, 1, 2, 9, 12, 30])
def test_short_json_is_still_json(size):
    assert all(len(value) == size and (size == 0 or json.loads(value) is not None)
               for value in values("json", typical=size or 1e-9))  # fmt: skip


def test_protobuf_is_decoded_by_its_wire_format():
    messages = [decoded(value) for value in values("protobuf")]

    assert all(79 <= len(value) <= 80 for value in values("protobuf"))
    assert len({tuple(each) for each in messages}) <= 3
    assert len(messages[0]) >= 5


def test_an_enumeration_has_few_values_and_favours_the_first():
    drawn = values("enumeration")

    counts = sorted((drawn.count(value) for value in set(drawn)), reverse=True)
    assert len(counts) <= 12
    assert counts[0] > 5 * counts[-1]


def test_counters_are_eight_byte_numbers_most_of_them_small():
    numbers = [struct.unpack(">q", value)[0] for value in values("integer")]

    assert min(numbers) >= 0
    assert sorted(numbers)[200] < 100_000


def test_floats_are_readings_with_two_decimals():
    readings = [struct.unpack(">d", value)[0] for value in values("float")]

    assert all(reading == pytest.approx(round(reading, 2), abs=1e-9) for reading in readings)
    assert all(float(value) > 0 for value in values("float", typical=6))


def test_text_has_words_as_frequent_as_a_language_has_them():
    words = b" ".join(values("text", 2_000)).split()

    assert 0.02 < words.count(b"the") / len(words) < 0.08
    assert len(set(words)) > 1_000


def test_random_bytes_compress_least_and_listed_values_most():
    random, protobuf, text, listed = (zstd_share(kind) for kind in ("random", "protobuf", "text", "enumeration"))

    assert random == 1
    assert 0.35 < text < protobuf < 0.8
    assert listed < 0.2
