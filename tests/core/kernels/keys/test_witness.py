"""What delimiters do: keys that two tuples share, and keys that sort otherwise than their tuples."""

import pytest

from estimator.kernels.keys import compile_pattern, key_summary
from tests.core.kernels.keys.designs import design


def listed(name, *values):
    return {"id": name, "values": {"kind": "enumeration", "items": [{"value": value} for value in values]}}


def facts(fields, *segments, **options):
    return key_summary(compile_pattern(design(fields, list(segments)), "k", **options))


def field(name, after="", *transforms):
    return {"kind": "field", "field": name, "after": after, "transforms": list(transforms)}


def test_k1_a_colon_sorts_after_digits_so_longer_ids_come_first():
    fields = [{"id": "n", "values": {"kind": "range", "min": 54, "max": 54}}, listed("d", "a100", "a1001"),
              {"id": "t", "values": {"kind": "range", "min": 6777, "max": 6777}}]  # fmt: skip

    found = facts(fields, field("n", ":", {"kind": "pad", "width": 6}), field("d", ":"), field("t"))

    (pair,) = found.disordered
    assert (pair.first_key, pair.second_key) == (b"000054:a100:6777", b"000054:a1001:6777")
    assert pair.first < pair.second
    assert pair.first_key > pair.second_key
    assert found.samples[-1] == b"000054:a100:6777"


def test_k2_a_comma_sorts_before_digits_so_tuples_keep_their_order():
    fields = [listed("d", "a100", "a1001"), listed("t", "6777")]

    found = facts(fields, field("d", ","), field("t"))

    assert found.disordered == ()
    assert sorted(set(found.samples)) == [b"a100,6777", b"a1001,6777"]


def test_k3_numbers_as_text_sort_by_their_first_digit():
    found = facts([listed("n", "3", "20", "03")], field("n"))

    assert sorted(set(found.samples)) == [b"03", b"20", b"3"]


def test_k4_reversed_domains_bring_one_owner_together():
    fields = [listed("d", "drive.google.com", "en.wikipedia.org", "maps.google.com") | {"kind": "domain"}]

    found = facts(fields, field("d", "", {"kind": "reverse_domain"}))

    assert sorted(set(found.samples)) == [b"com.google.drive", b"com.google.maps", b"org.wikipedia.en"]


AMBIGUOUS = {
    "a delimiter in a value": ([listed("a", "x", "x#y"), listed("b", "z", "y#z")], ["#", ""]),
    "no delimiter behind a varying length": ([listed("a", "1", "11"), listed("b", "1", "11")], ["", ""]),
    "counted numbers side by side": (
        [{"id": "a", "distinct": 500, "values": {"kind": "pattern", "text": "{n}"}},
         {"id": "b", "distinct": 500, "values": {"kind": "pattern", "text": "{n}"}}], ["", ""]),
    "random text that can hold the delimiter": (
        [{"id": "a", "values": {"kind": "random", "min": 3, "max": 12, "alphabet": "a-z#"}},
         {"id": "b", "values": {"kind": "random", "min": 3, "max": 12, "alphabet": "a-z#"}}], ["#", ""]),
    "random text with nothing between": (
        [{"id": "a", "values": {"kind": "random", "min": 3, "max": 12}},
         {"id": "b", "values": {"kind": "random", "min": 3, "max": 12}}], ["", ""]),
    "a third segment makes up for it": (
        [listed("a", "x", "x-y"), listed("b", "y-u", "u"), listed("c", "w")], ["-", "-", ""]),
}  # fmt: skip


@pytest.mark.parametrize("case", AMBIGUOUS)
def test_two_tuples_with_one_key_are_shown(case):
    fields, delimiters = AMBIGUOUS[case]
    names = [f["id"] for f in fields]

    pair = facts(fields, *map(field, names, delimiters)).ambiguous

    assert pair is not None
    assert pair.first != pair.second
    assert pair.first_key == pair.second_key
    assert b"".join(v.encode() + d.encode() for v, d in zip(pair.first, delimiters, strict=True)) == pair.first_key
    assert b"".join(v.encode() + d.encode() for v, d in zip(pair.second, delimiters, strict=True)) == pair.second_key


UNIQUE = {
    "the value with the delimiter is last": ([listed("a", "x", "y"), listed("b", "z", "y#z")], ["#", ""]),
    "fixed widths": ([listed("a", "11", "12"), listed("b", "1", "11")], ["", ""]),
    "the delimiter is in no value": ([listed("a", "1", "11"), listed("b", "1", "1#1")], ["#", ""]),
    "nothing can make up for it": ([listed("a", "x", "x#y"), listed("b", "z", "w")], ["#", ""]),
    "random text without the delimiter": (
        [{"id": "a", "values": {"kind": "random", "min": 3, "max": 12}},
         {"id": "b", "values": {"kind": "random", "min": 3, "max": 12, "alphabet": "a-z#"}}], ["#", ""]),
    "random text of one length": (
        [{"id": "a", "values": {"kind": "random", "min": 12, "max": 12, "alphabet": "a-z#"}},
         {"id": "b", "values": {"kind": "random", "min": 3, "max": 12, "alphabet": "a-z#"}}], ["#", ""]),
}  # fmt: skip


@pytest.mark.parametrize("case", UNIQUE)
def test_keys_that_decode_uniquely_are_left_in_peace(case):
    fields, delimiters = UNIQUE[case]

    assert facts(fields, *map(field, [f["id"] for f in fields], delimiters)).ambiguous is None


def test_owned_values_share_a_key_only_if_real_pairs_do():
    tenants = listed("t", "a", "aa")
    owned = {"id": "d", "distinct": 40, "values": {"kind": "pattern", "text": "{n:02}"}, "belongs_to": "t"}

    assert facts([tenants, owned], field("t"), field("d")).ambiguous is None


def test_unpadded_counters_behind_a_colon_are_disordered_at_any_cardinality():
    fields = [
        {"id": "a", "distinct": 10**15, "popularity": {"kind": "uniform"}, "values": {"kind": "pattern", "text": "{n}"}}
    ]

    (pair,) = facts(fields, field("a", ":"), {"kind": "literal", "text": "x"}).disordered

    assert pair.first < pair.second
    assert pair.first_key > pair.second_key
