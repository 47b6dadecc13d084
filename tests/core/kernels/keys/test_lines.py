"""Sample keys as lines of a file: the same keys as one by one, with the values that they were made from."""

import csv
import datetime
import io
import json
from typing import Any

import pytest

from designer.document import Spec
from designer.document.key import HashSegment
from designer.examples import example
from estimator.kernels.keys import KeyPattern, compile_pattern, sample_keys
from estimator.kernels.keys.rendering.render import hash_text
from estimator.kernels.keys.samples.lines import Format, sample_lines, unshown_fields
from estimator.kernels.keys.samples.sample import Order

ORDERS: tuple[Order, ...] = ("sorted", "arrival")


def written_lines(pattern: KeyPattern, count: int = 300, **more: Any) -> str:
    form: Format = more.pop("form", "csv")
    return b"".join(
        data for data, _ in sample_lines(pattern, pattern.steady_distribution(), count, form=form, **more)
    ).decode()


def rows(pattern: KeyPattern, **more: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(written_lines(pattern, **more))))


def one(segments: list[dict[str, Any]], **field: Any) -> KeyPattern:
    table = {"id": "t", "row_kinds": [{"id": "k", "key": segments}]}
    return compile_pattern(Spec.model_validate({"fields": [{"id": "f", **field}], "tables": [table]}), "k")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("slug", "kind"), [("iot-fleet", "alert-row"), ("hash-only", "device-day"),
                                            ("balloons-new-cells", "balloon-week")])  # fmt: skip
def test_the_keys_are_those_that_are_shown_one_by_one(slug: str, kind: str, order: Order) -> None:
    spec = example(slug).spec
    keys = [key.decode() for key in sample_keys(spec, kind, 300, order=order)]

    lines = rows(compile_pattern(spec, kind), order=order, values=True)

    assert [line[0] for line in lines[1:]] == keys
    assert {len(line) for line in lines} == {len(lines[0])}


def test_values_are_what_the_key_was_made_from_before_any_change() -> None:
    pattern = one(
        [{"id": "a", "kind": "field", "field": "f", "transforms": [{"kind": "pad", "width": 6}], "after": "#"},
         {"id": "b", "kind": "time", "reversed": True, "resolution": "second"}],
        kind="integer", distinct=500, values={"kind": "range", "min": 1, "max": 500},
    )  # fmt: skip

    for key, value, time in rows(pattern, values=True)[1:]:
        padded, stamp = key.split("#")
        assert padded == value.zfill(6)
        assert time.endswith(":00.000Z") or time[17:19].isdigit()
        assert len(stamp) >= 10
    assert rows(pattern, values=True)[0] == ["key", "f", "time"]


def test_the_time_is_the_one_that_the_key_shows() -> None:
    pattern = one([{"id": "b", "kind": "time", "resolution": "second", "unit": "s"}])
    for key, time in rows(pattern, values=True)[1:]:
        assert int(datetime.datetime.fromisoformat(time).timestamp()) == int(key)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_a_readable_time_is_the_one_that_the_key_shows_also_where_the_last_comes_first(
    is_reversed: bool, order: Order
) -> None:
    pattern = one(
        [{"id": "b", "kind": "time", "pattern": "%Y%m%d", "resolution": "day", "reversed": is_reversed, "after": "#"},
         {"id": "a", "kind": "field", "field": "f"}],
        kind="integer", distinct=5, values={"kind": "range", "min": 1, "max": 5},
    )  # fmt: skip

    lines = rows(pattern, values=True, order=order)[1:]

    assert len({key.split("#")[0] for key, *_ in lines}) > 2
    for key, time, _ in lines:
        day = key.split("#")[0]
        shown = "".join(str(9 - int(digit)) for digit in day) if is_reversed else day
        assert time == f"{shown[:4]}-{shown[4:6]}-{shown[6:]}T00:00:00.000Z"


def test_a_key_with_commas_and_quotes_is_read_back_whole() -> None:
    items = [{"value": text, "weight": 1} for text in ('a"b', "c,d", "e\\f", "plain")]
    pattern = one([{"id": "a", "kind": "field", "field": "f"}], values={"kind": "enumeration", "items": items})

    found = {(line[0], line[1]) for line in rows(pattern, values=True)[1:]}

    assert found == {
        (text.replace("\\", "\\\\"), text.replace("\\", "\\\\")) for text in ('a"b', "c,d", "e\\f", "plain")
    }


@pytest.mark.parametrize("slug", ["iot-fleet", "campus-cards"])
def test_every_line_of_ndjson_says_what_the_csv_says(slug: str) -> None:
    spec = example(slug).spec
    kind = spec.tables[0].row_kinds[0].id
    pattern = compile_pattern(spec, kind)

    heads, *lines = rows(pattern, values=True, names={"fleet": "the fleet"})
    said = [
        json.loads(line)
        for line in written_lines(pattern, form="ndjson", values=True, names={"fleet": "the fleet"}).splitlines()
    ]

    assert [[str(each[head]) for head in heads] for each in said] == lines


def test_keys_that_do_not_sort_as_their_codes_keep_their_values() -> None:
    items = [{"value": text, "weight": 1} for text in ("a", "a1", "a10", "b")]
    pattern = one(
        [{"id": "a", "kind": "field", "field": "f", "after": ":"}, {"id": "b", "kind": "time", "resolution": "day"}],
        values={"kind": "enumeration", "items": items},
    )

    lines = rows(pattern, values=True)[1:]

    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    assert all(line[0].split(":")[0] == line[1] for line in lines)


def test_a_field_that_stands_in_a_hash_alone_has_a_column_from_which_the_hash_follows() -> None:
    segments = [{"id": "a", "kind": "hash", "fields": ["f"], "digits": 8, "after": "#"},
                {"id": "b", "kind": "time", "resolution": "second"}]  # fmt: skip
    pattern = one(segments, kind="integer", distinct=500, values={"kind": "range", "min": 1, "max": 500})
    segment = pattern.inputs.segments[0]
    assert isinstance(segment, HashSegment)

    head, *lines = rows(pattern, values=True)

    assert head == ["key", "f", "time"]
    assert all(key.split("#")[0].encode() == hash_text(segment, value.encode()) for key, value, _ in lines)
    assert unshown_fields(pattern, pattern.steady_distribution()) == ()


def test_a_field_whose_hashes_are_drawn_is_told_to_be_without_a_column() -> None:
    fields = [{"id": name, "kind": "integer", "distinct": 10**6} for name in ("f", "g")]
    key = [{"id": "a", "kind": "hash", "fields": ["f", "g"], "digits": 8}]
    spec = Spec.model_validate({"fields": fields, "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})
    pattern = compile_pattern(spec, "k")
    assert rows(pattern, values=True)[0] == ["key"]
    assert unshown_fields(pattern, pattern.steady_distribution()) == ("f", "g")
