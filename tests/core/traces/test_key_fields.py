"""Values, kinds and hashes found in whole columns of keys are those found in each key alone."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.key import FieldSegment, Segment
from designer.document.keytext import parse_key
from designer.imports.keys import ShapeFinder, find_shapes, key_parts, key_values_regex, propose
from estimator.traces.byte_columns import ByteColumn
from estimator.traces.key_fields import FieldFinder, KindFinder
from estimator.traces.value_counts import ENTRY_BYTES, KeyCounter, ValueCounter, distinct_in_any

SPEC = Spec.model_validate(
    {
        "fields": [
            {"id": "user", "name": "user"},
            {"id": "n", "name": "n", "kind": "integer"},
            {"id": "uuid", "name": "uuid", "kind": "uuid"},
            {"id": "flag", "name": "flag", "kind": "boolean"},
            {"id": "raw", "name": "raw", "values": {"kind": "random", "min": 3, "max": 3}},
        ]
    }
)
PATTERNS = (
    "{user}#{time}", "event#{user}#{n}", "{n}", "{n}#{user}", "{user}", "{hash(user):4}#{user}",
    "{salt(user):16}#{user}", "{uuid}#{n}", '{time:day:"%Y-%m-%d"}#{user}', '{user}#{time:day:"%Y%m%d"}',
    "{user}::{n}", "{flag}#{user}", "{raw}{user}", "{n:pad5}#{user}", "{user}#{n:pad8}", "{n:hex6}#{user}",
    "{user}-{n}", "{user}#{time:rev}", "{user}]{n}", "{user}^{n}", "{time:bucket=10d:unit=bucket}#{user}",
    "{user:first3}{n}", "{user:percent}#{n}", "{n:bytes4}{user}", "{n:hex6}{n}", "{user}#{time:second:unit=s}",
)  # fmt: skip
PIECES = (
    "#", "::", "-", "]", "^", "user", "event", "u1", "a0f3", "00017", "17", "-4", "1790000000123", "true", "\n", "é",
    "2026-11-27", "20261127", "2026-13-99", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "xyz", "20784", "7" * 30, "",
)  # fmt: skip
KEYS = st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join).map(str.encode), max_size=40)


SEGMENTS = [(text, parse_key(SPEC, text).segments) for text in PATTERNS]


def segment_places(segments: tuple[Segment, ...]) -> tuple[int, ...]:
    return tuple(n for n, segment in enumerate(segments) if isinstance(segment, FieldSegment))


def assert_same_as_alone(spec: Spec, segments: tuple[Segment, ...], keys: list[bytes]) -> None:
    places = segment_places(segments)
    regex = re.compile(key_values_regex(spec, segments, places), re.DOTALL)
    matches = [(place, match) for place, match in enumerate(map(regex.fullmatch, keys)) if match]
    found, columns = FieldFinder(spec, segments, places).find(ByteColumn.from_cells(keys))
    assert found.tolist() == [place for place, _ in matches]
    assert [column.cells() for column in columns] == [
        [match[n] for _, match in matches] for n in range(1, len(places) + 1)
    ]


@pytest.mark.parametrize(("text", "segments"), SEGMENTS, ids=PATTERNS)
@settings(max_examples=60)
@given(keys=KEYS)
def test_values_of_any_keys_are_those_of_the_expression(
    text: str, segments: tuple[Segment, ...], keys: list[bytes]
) -> None:
    assert_same_as_alone(SPEC, segments, keys)


def test_most_patterns_are_found_without_expressions() -> None:
    others = {text for text, segments in SEGMENTS if key_parts(SPEC, segments) is None}
    assert others == {"{user}::{n}", "{flag}#{user}", "{user:percent}#{n}"}


LINES = [b"user00017#%d" % (1_790_000_000_000 + n) for n in range(50)]


@pytest.mark.parametrize(
    "more",
    [
        [], [b"user00017"], [b"user00017", b"user00018#1790000000001"], [b"a\nb#1790000000001"], [b"#1790000000001"],
        [b"x#y#1790000000001"], [b"user00017#"], [b"\n"], [b"user00017\n", b"#1790000000001"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", [0, 25, 50])
def test_values_among_usual_keys_are_those_of_the_expression(more: list[bytes], place: int) -> None:
    proposal = propose(Spec(), LINES + [b"user%05d#1790000000000" % n for n in range(30)])
    keys = [*LINES]
    keys[place:place] = more
    assert_same_as_alone(Spec(fields=proposal.fields), proposal.segments, keys)


@settings(max_examples=60)
@given(keys=KEYS)
def test_kinds_of_any_keys_are_those_of_the_expressions(keys: list[bytes]) -> None:
    usual = [text % n for n in range(200) for text in (b"user#%d", b"event#%d#2026-11-27", b"order#%d#line")]
    shapes = find_shapes(usual)
    assert len(shapes) == 3
    some = [key for key in keys if key] + usual[:9]
    assert KindFinder(shapes).find(ByteColumn.from_cells(some)).tolist() == ShapeFinder(shapes).find(some)


@given(cells=st.lists(st.binary(max_size=40), max_size=30))
def test_equal_cells_alone_have_equal_hashes_wherever_they_stand(cells: list[bytes]) -> None:
    hashes = ByteColumn.from_cells(cells).hashes().tolist()
    assert len(set(hashes)) == len(set(cells))
    assert [ByteColumn.from_cells([cell]).hashes()[0] for cell in cells] == hashes


def test_hashes_are_spread_evenly_also_of_alike_cells() -> None:
    hashes = ByteColumn.from_cells([b"user%07d" % n for n in range(200_000)]).hashes()
    assert np.unique(hashes).size == 200_000
    for shift in (0, 24, 56):
        counts = np.bincount(((hashes >> np.uint64(shift)) & np.uint64(255)).astype(np.int64), minlength=256)
        # Poisson's law: six standard deviations of 200,000 / 256.
        assert np.abs(counts - 200_000 / 256).max() < 6 * np.sqrt(200_000 / 256)


@pytest.mark.parametrize("limit", [10**6, 2_000])
def test_counted_keys_are_those_that_a_loop_counts(limit: int) -> None:
    random = np.random.default_rng(1)
    drawn = [b"key%d" % n for n in random.zipf(1.4, 400_000).tolist()]
    truth, keys, values = Counter(drawn), KeyCounter(limit * ENTRY_BYTES), ValueCounter(limit * ENTRY_BYTES)
    for first in range(0, len(drawn), 7_001):
        column = ByteColumn.from_cells(drawn[first : first + 7_001])
        keys.add_keys(column, column.hashes())
        values.add(column.hashes())
    assert keys.busiest_keys(5) == truth.most_common(5)
    assert values.total == len(drawn)
    if limit > len(truth):
        assert sorted(values.counts()[1].tolist()) == sorted(truth.values())
        assert distinct_in_any([values]).once == sum(count == 1 for count in truth.values())
    else:
        assert values.counts()[0].size <= limit
        assert values.distinct == pytest.approx(len(truth), rel=0.1)


def test_some_cells_of_a_long_buffer_do_not_hold_it() -> None:
    column = ByteColumn.from_cells([b"x%06d" % n for n in range(10_000)]).take(np.array([3, 9_999]))
    assert len(column.pack().buffer) == 14
    assert column.pack().cells() == column.cells() == [b"x000003", b"x009999"]
    assert ByteColumn.join([column, ByteColumn.from_cells([b"", b"yz"])]).cells() == [*column.cells(), b"", b"yz"]
