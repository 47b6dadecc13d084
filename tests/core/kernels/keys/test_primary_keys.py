"""Primary keys of several columns sort as tuples of their columns, and are read back as such."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.columnkey import END, ColumnForm, ColumnKey, encode_signed, escape
from designer.document.field import Field
from designer.document.key import ColumnType, as_text
from estimator.kernels.keys import (
    EventDistribution,
    NotComputableError,
    TimeDistribution,
    compile_pattern,
    count_events,
    equal_bounds,
    key_summary,
    range_shares,
    sample_keys,
    stream,
)
from estimator.presentation.segments import split_key
from estimator.results import KeyFacts
from tests.cases import cases
from tests.core.kernels.keys.designs import Part, designs
from tests.core.kernels.keys.test_order import assert_exact, instants

TYPES: tuple[ColumnType, ...] = ("INTEGER", "STRING", "BINARY")
FORMS = {name: ColumnForm("", name) for name in TYPES}
LARGEST = 2**63 - 1

values = {
    "INTEGER": st.one_of(st.integers(-3, 3), st.integers(-(2**63), LARGEST), st.sampled_from([255, 256, -256])),
    "STRING": st.text(st.sampled_from("\0\1aé\U0010ffff"), max_size=3).map(str.encode),
    "BINARY": st.binary(max_size=3),
}


def key(forms: list[ColumnForm], row: tuple) -> ColumnKey:
    parts = [encode_signed(v) if isinstance(v, int) else escape(v) + END for v in row[:-1]]
    last = row[-1]
    return ColumnKey.from_bytes(b"".join(parts) + (encode_signed(last) if isinstance(last, int) else last), forms)


@given(data=st.data(), types=st.lists(st.sampled_from(list(FORMS)), min_size=1, max_size=4))
def test_keys_sort_as_tuples_of_columns_and_are_read_back(data, types):
    forms = [FORMS[name] for name in types]
    rows = data.draw(st.lists(st.tuples(*(values[name] for name in types)), min_size=2, max_size=6))

    keys = sorted(key(forms, row) for row in rows)

    assert [(*k.values, b"")[: len(forms)] for k in keys] == sorted(rows)  # an empty last column leaves no trace


def columned(spec: Spec, cuts: list[int]) -> Spec:
    """The same key in columns: segments cut at these places."""
    segments = spec.tables[0].row_kinds[0].key
    edges = [0, *sorted({cut for cut in cuts if cut < len(segments)}), len(segments)]
    columns = [
        {"id": f"c{a}", "name": f"c{a}", "type": "BINARY", "segments": [s.model_dump() for s in segments[a:b]]}
        for a, b in pairwise(edges)
    ]
    document = spec.model_dump(mode="json", exclude_unset=True)
    document["engine"] = "tablestore"
    document["tables"][0]["row_kinds"][0] |= {"key": (), "key_columns": columns}
    return Spec.model_validate(document)


@settings(suppress_health_check=list(HealthCheck))
@given(spec=designs(), cuts=st.lists(st.integers(1, 3), min_size=1, max_size=3), ids_max=st.sampled_from([4096, 5]))
def test_codes_of_columns_sort_as_their_real_bytes(spec, cuts, ids_max):
    try:
        pattern = compile_pattern(columned(spec, cuts), "k", ids_max=ids_max)
    except NotComputableError:
        assume(False)
    assume(all(getattr(component, "is_exact", True) for component in pattern.components))
    keys = 1
    for component in pattern.components:
        keys *= getattr(component, "count", None) or max(1, min(component.full[1] - component.full[0], 4))
    assume(keys <= 4_000)

    assert_exact(pattern, instants(pattern, 0, 5, 30), most=12)


DEVICE: Part = {"id": "device", "values": {"kind": "pattern", "text": "d{n}"}, "distinct": 120}
LEVEL: Part = {"id": "level", "kind": "integer", "values": {"kind": "range", "min": -60, "max": 60}}
ORDER: Part = {"id": "order", "kind": "integer", "distinct": 90, "growth_per_day": 8_640, "assigned": "sequential"}


def table(*columns: Part, writes: float | None = None) -> Spec:
    """A Tablestore design with these columns; ids are made from their places."""
    named = [
        {"id": f"c{n}", **column, "segments": [{"id": f"s{n}{m}", **s} for m, s in enumerate(column["segments"])]}
        for n, column in enumerate({"segments": (), **column} for column in columns)
    ]
    kind: Part = {"id": "k", "key_columns": named}
    if writes:
        kind["writes"] = [{"id": "w", "activity": "act"}]
    return Spec.model_validate(
        {"engine": "tablestore", "fields": [DEVICE, LEVEL, ORDER],
         "activities": [{"id": "act", "rate_per_second": writes}], "tables": [{"id": "t", "row_kinds": [kind]}]}
    )  # fmt: skip


def of(field: str, kind: str = "STRING", **more: object) -> Part:
    return {"type": kind, "segments": [{"kind": "field", "field": field, **more}]}


def at(kind: str = "INTEGER", **more: object) -> Part:
    return {"type": kind, "segments": [{"kind": "time", **more}]}


AUTO: Part = {"type": "INTEGER", "auto_increment": True}
NUMBERS = {
    "numbers below and above zero": (of("level", "INTEGER"), of("device")),
    "a number behind a text": (of("device"), of("level", "INTEGER"), at()),
    "numbers as events come": (of("order", "INTEGER"), of("device")),
    "buckets": (of("device"), {"type": "INTEGER", "segments": [
        {"kind": "derived", "field": "level", "how": {"kind": "bucket", "size": 7}}]}),
    "a salt": ({"type": "INTEGER", "segments": [{"kind": "salt", "fields": ["device"], "modulo": 11}]}, of("device")),
    "a random salt": ({"type": "INTEGER", "segments": [{"kind": "salt", "modulo": 11}]}, of("level", "INTEGER")),
    "digits backwards": (of("level", "INTEGER", transforms=[{"kind": "offset", "by": 60}, {"kind": "pad", "width": 3},
                                                            {"kind": "reverse_digits"}]), of("device")),
    "a literal": ({"type": "INTEGER", "segments": [{"kind": "literal", "text": "-7"}]}, of("device")),
    "a reversed time": (of("device"), at(reversed=True)),
    "a number counted down": (of("device"), of("level", "INTEGER", transforms=[{"kind": "descending", "top": 30}])),
    "numbers of five minutes": (of("device"), at(bucket_seconds=300, unit="bucket")),
    "ten days, newest first": (of("device"), at(bucket_seconds=864_000, unit="d", reversed=True)),
    "a day as a number": (of("level", "INTEGER"), at(resolution="day", pattern="%Y%m%d"), of("device")),
    "a day as nines minus it": (of("level", "INTEGER"), at(resolution="day", pattern="%Y%m%d", reversed=True)),
    "an odd day as a number": (at(resolution="day", pattern="%d%m%Y"), of("level", "INTEGER")),
    "an auto-increment column": (of("device"), AUTO),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_integer_columns_sort_as_numbers(name):
    spec = table(*NUMBERS[name], writes=0.2)
    pattern = compile_pattern(spec, "k")

    drawn = [k.values for k in map(pattern.readable_key, sample_keys(spec, "k", 300))]

    assert drawn == sorted(drawn)
    assert_exact(pattern, instants(pattern, 0, 5), most=12)


@cases("name", NUMBERS)
def test_drawn_keys_of_columns_fall_into_ranges_as_often_as_computed(name):
    pattern = compile_pattern(table(*NUMBERS[name], writes=0.2), "k")
    law, events = pattern.steady_distribution(), 4_000
    bounds = equal_bounds([(pattern, law, 1.0)], 8)

    shares = range_shares(pattern, law, bounds)[0]
    counts = count_events(stream(7, 0), pattern, law, 0, events, bounds)

    assert (abs(counts - events * shares) <= 5 * np.sqrt(events * shares * (1 - shares)) + 1).all()


def test_a_key_shows_its_numbers_and_survives_a_copy():
    spec = table(of("device"), at(resolution="day", pattern="%Y-%m-%d", kind="STRING"), of("level", "INTEGER"))
    law = EventDistribution(TimeDistribution.windows(1_795_132_800, 1_795_132_801))
    found = compile_pattern(spec, "k").readable_key(next(sample_keys(spec, "k", 1, distribution=law)))

    text = as_text(pickle.loads(pickle.dumps(found)))

    assert text.startswith("(d")
    assert ", 2026-11-20, " in text


@pytest.mark.parametrize(("connector", "wrong"), [(":", True), (",", False)])
def test_a_colon_turns_the_published_values_round_and_a_comma_does_not(connector, wrong):
    """Tablestore's best practices (read 2026-11-20): 54, a100 and a1001, 6777, zero-padded and joined."""
    seller = {"id": "device", "values": {"kind": "enumeration", "items": [{"value": "a100"}, {"value": "a1001"}]}}
    parts = [{"kind": "literal", "text": "000054", "after": connector},
             {"kind": "field", "field": "device", "after": connector}, {"kind": "literal", "text": "6777"}]  # fmt: skip
    spec = table({"segments": parts}).model_copy(update={"fields": (Field.model_validate(seller),)})

    keys = [as_text(key) for key in sorted(set(key_summary(compile_pattern(spec, "k")).samples))]

    in_order = [connector.join(("000054", seller, "6777")) for seller in ("a100", "a1001")]
    assert keys == (in_order[::-1] if wrong else in_order)


def facts(*columns: Part) -> KeyFacts:
    return key_summary(compile_pattern(table(*columns), "k"))


def test_a_day_as_a_number_has_as_many_values_as_there_are_days():
    day = facts(of("device"), at(pattern="%Y%m%d")).segments[1]

    assert (day.distinct, day.grows, day.bytes_max) == (365, "time", 8)


def test_keys_on_the_page_are_cut_into_columns_and_one_column_of_text_into_segments():
    def shown(*columns):
        spec, known = table(*columns), facts(*columns)
        return [
            text for _, text, _ in split_key(known.samples[0], spec.tables[0].row_kinds[0].segments, known.segments)
        ]

    number = {"type": "INTEGER", "segments": [{"kind": "literal", "text": "-7"}]}
    text = {"segments": [{"kind": "literal", "text": "v1", "after": "#"}, {"kind": "field", "field": "level"}]}

    assert shown(number) == ["-7"]
    assert shown(number, text)[0] == "-7"
    assert shown(text)[0] == "v1"


def test_sizes_are_what_the_service_counts():
    device, level = facts(of("device"), of("level", "INTEGER")).columns

    assert (device.bytes_min, device.bytes_max, level.bytes_typical) == (len("d0"), len("d119"), 8)


def test_numbers_in_an_integer_column_need_no_padding():
    as_number, as_text_ = (
        facts(of("level", kind, transforms=[{"kind": "offset", "by": 100}]), of("device")).segments[0]
        for kind in ("INTEGER", "STRING")
    )

    assert as_number.text_order
    assert not as_text_.text_order


@cases("column", [of("device", "INTEGER"), of("level", "INTEGER", after="#"), at(pattern="%Y-%m-%d"),
     {"type": "INTEGER", "segments": [{"kind": "hash", "fields": ["device"]}]},
     of("level", "INTEGER", transforms=[{"kind": "hex", "width": 8}]),
     of("level", "INTEGER", transforms=[{"kind": "percent"}]),
     {"type": "INTEGER", "segments": [{"kind": "field", "field": "level"}, {"kind": "time"}]},
     {"segments": []}])  # fmt: skip
def test_text_in_an_integer_column_and_an_empty_column_are_told(column):
    with pytest.raises(NotComputableError) as told:
        facts(of("device"), column)

    assert told.value.because.at in ("c1", "s10")


def test_a_row_key_is_one_column_of_text():
    document = table().model_dump(mode="json", exclude_unset=True)
    document["tables"][0]["row_kinds"][0] = {
        "id": "k", "key": [{"id": "a", "kind": "field", "field": "device", "after": ","},
                           {"id": "b", "kind": "field", "field": "level"}],
    }  # fmt: skip
    found = key_summary(compile_pattern(Spec.model_validate(document), "k"))

    assert [c.type for c in found.columns] == ["STRING"]
    assert "," in as_text(found.samples[0])
    assert not as_text(found.samples[0]).startswith("(")
