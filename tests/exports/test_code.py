"""Code for keys: what it makes is what the estimator makes, byte for byte."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data
from estimator.kernels.keys.rendering.clock import time_text
from reviews.exports.code import make
from reviews.exports.key_code.languages import LANGUAGES
from reviews.exports.shared.content import CODE_LANGUAGES
from tests.cases import cases
from tests.contexts import Content
from tests.designs import hostile

from .code_calls import (
    EXAMPLES,
    Call,
    estimator_keys,
    example,
    go_answers,
    module_of,
    node_answers,
    python_answer,
    some_estimator_keys,
)
from .java_calls import java_answers


def check(name: str, keys: Iterable[tuple[Call, bytes]]) -> None:
    made = make(Content(example(name)))
    module = module_of(made)
    assert made.refusals == ()
    assert module.verify() == len(module.VECTORS) > 0
    for call, key in keys:
        assert python_answer(module, call) == key.hex()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_module_makes_the_keys_of_the_estimator(name: str) -> None:
    check(name, some_estimator_keys(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_module_makes_ten_thousand_keys_of_the_estimator(name: str) -> None:
    check(name, estimator_keys(name, 10_000))


def check_typescript(folder: Path, events: int) -> None:
    keys = {name: list(estimator_keys(name, events) if events else some_estimator_keys(name)) for name in EXAMPLES}

    answers = node_answers(folder, {name: (example(name), [call for call, _ in keys[name]]) for name in EXAMPLES})

    for name in EXAMPLES:
        assert answers[name].pop() > 0
        assert answers[name] == [key.hex() for _, key in keys[name]]


def test_typescript_modules_make_the_keys_of_the_estimator(tmp_path: Path) -> None:
    check_typescript(tmp_path, 0)


@pytest.mark.slow
def test_typescript_modules_make_ten_thousand_keys_of_the_estimator(tmp_path: Path) -> None:
    check_typescript(tmp_path, 10_000)


def check_go(folder: Path, names: Sequence[str], events: int) -> None:
    keys = {f"x{place}": (name, list(estimator_keys(name, events))) for place, name in enumerate(names)}

    answers = go_answers(folder, {at: (example(name), [call for call, _ in made]) for at, (name, made) in keys.items()})

    for at, (_, made) in keys.items():
        assert answers[at].pop() > 0
        assert answers[at] == [key.hex() for _, key in made]


def test_go_packages_make_keys_of_the_estimator(tmp_path: Path) -> None:
    check_go(tmp_path, EXAMPLES[:2], 200)


def test_a_go_file_is_marked_as_generated_and_says_what_its_parts_are() -> None:
    lines = make(Content(example("iot-fleet"), code_language="go")).files[0].data.decode().splitlines()

    assert re.fullmatch(r"// Code generated .* DO NOT EDIT\.", lines[0])
    assert (
        "// LatestLastKnownStateParts holds the values in a key; hashes, salts and values that cannot be decoded are "
        "the bytes in it."
    ) in lines


@pytest.mark.slow
def test_go_packages_make_ten_thousand_keys_of_the_estimator(tmp_path: Path) -> None:
    check_go(tmp_path, EXAMPLES, 10_000)


def check_java(folder: Path, names: Sequence[str], events: int) -> None:
    keys = {name: list(estimator_keys(name, events)) for name in names}

    answers = java_answers(folder, {name: (example(name), [call for call, _ in keys[name]]) for name in names})

    for name in names:
        assert answers[name].pop() > 0
        assert answers[name] == [key.hex() for _, key in keys[name]]


def test_java_classes_make_keys_of_the_estimator(tmp_path: Path) -> None:
    check_java(tmp_path, EXAMPLES[:2], 200)


@pytest.mark.slow
def test_java_classes_make_ten_thousand_keys_of_the_estimator(tmp_path: Path) -> None:
    check_java(tmp_path, EXAMPLES, 10_000)


def test_every_language_that_can_be_asked_for_has_a_writer() -> None:
    assert list(LANGUAGES) == list(CODE_LANGUAGES)


def keyed(
    *segments: dict[str, Any], reads: tuple[dict[str, Any], ...] = (), families: Sequence[dict[str, Any]] = ()
) -> Spec:
    return from_data({
        "name": "x",
        "fields": [
            {"id": "n", "name": "n", "kind": "integer"},
            {"id": "w", "name": "w", "kind": "integer"},
            {"id": "s", "name": "s", "kind": "string"},
            {"id": "u", "name": "u", "kind": "uuid"},
            {"id": "d", "name": "d", "kind": "domain"},
            {"id": "e", "name": "e", "values": {"kind": "enumeration", "items": [{"value": "straße"}]}},
        ],
        "tables": [{"id": "t", "name": "t", "families": list(families), "row_kinds": [{"id": "k", "key": [
            {"id": f"g{place}", **each} for place, each in enumerate(segments)], "reads": list(reads)}]}],
    })  # fmt: skip


FIELD = {"kind": "field", "field": "n"}


SEGMENTS: list[dict[str, Any]] = [
    *({"kind": "hash", "fields": ["s", "n"], "algorithm": algorithm, "form": form, "digits": 5}
      for algorithm in ("md5", "sha1", "sha256", "fnv1a") for form in ("hex", "base64", "base64url", "raw")),
    {"kind": "hash", "fields": ["s"], "algorithm": "crc32", "digits": 8},
    {"kind": "salt", "fields": ["s"], "modulo": 101}, {"kind": "salt", "modulo": 8},
    *({**FIELD, "transforms": [{"kind": "big_endian", "length": length}]} for length in (1, 3, 8)),
    {**FIELD, "transforms": [{"kind": "hex", "width": 6}, {"kind": "case", "to": "upper"}]},
    {**FIELD, "transforms": [{"kind": "descending", "top": 2**63 - 1}, {"kind": "pad", "width": 19}]},
    {**FIELD, "transforms": [{"kind": "offset", "by": -50}, {"kind": "pad", "width": 5}]},
    {**FIELD, "transforms": [{"kind": "reverse_digits"}]},
    {"kind": "field", "field": "d", "transforms": [{"kind": "reverse_domain"}]},
    {"kind": "field", "field": "s", "transforms": [{"kind": "percent"}, {"kind": "truncate", "length": 3}]},
    {"kind": "derived", "field": "n", "how": {"kind": "bucket", "size": 7}},
    {"kind": "literal", "text": "a\\x00\\\\é"},
    {"kind": "time", "raw": True}, {"kind": "time", "reversed": True},
    {"kind": "time", "bucket_seconds": 437, "unit": "bucket"},
    {"kind": "time", "resolution": "week", "pattern": "%G-W%V %a"},
    {"kind": "time", "resolution": "month", "unit": "d"},
    {"kind": "time", "pattern": "%Y%m%d%H%M%S%f", "reversed": True},
    {"kind": "time", "pattern": "%y %j %I%p %B %b %-m/%-d %-H %-V %%"},
]  # fmt: skip


@cases("segment", SEGMENTS)
def test_every_kind_of_segment_is_made_as_the_design_makes_it(segment: dict[str, Any]) -> None:
    module = module_of(make(Content(keyed(segment))))

    assert module.verify() > 0


def test_typescript_makes_every_kind_of_segment_and_the_hostile_design(tmp_path: Path) -> None:
    designs = {f"segment{place}": (keyed(segment), ()) for place, segment in enumerate(SEGMENTS)}

    answers = node_answers(tmp_path, {**designs, "hostile": (hostile(), ())})

    assert all(count > 0 for (count,) in answers.values())


@pytest.mark.slow
def test_go_makes_every_kind_of_segment_and_the_hostile_design(tmp_path: Path) -> None:
    designs = {f"segment{place}": (keyed(segment), ()) for place, segment in enumerate(SEGMENTS)}

    answers = go_answers(tmp_path, {**designs, "hostile": (hostile(), ())})

    assert all(count > 0 for (count,) in answers.values())


@pytest.mark.slow
def test_java_makes_every_kind_of_segment_and_the_hostile_design(tmp_path: Path) -> None:
    designs = {f"segment{place}": (keyed(segment), ()) for place, segment in enumerate(SEGMENTS)}

    answers = java_answers(tmp_path, {**designs, "hostile": (hostile(), ())})

    assert all(count > 0 for (count,) in answers.values())


@pytest.mark.parametrize("language", ["TypeScript", "Go", "Java"])
def test_what_a_language_cannot_make_exactly_is_refused_with_its_row_kind(language: str) -> None:
    upper = {"kind": "field", "field": "e", "transforms": [{"kind": "case", "to": "upper"}]}

    made = make(Content(keyed(upper), code_language=language.lower()))

    told = f"{language} cannot change the case of letters beyond ASCII exactly"
    assert [(remark.at, str(remark)) for remark in made.refusals] == [("k", told)]
    assert make(Content(keyed(upper))).refusals == ()


def test_a_point_is_one_key_and_a_prefix_ends_before_the_next() -> None:
    key = ({"kind": "field", "field": "u", "after": "#"}, {"kind": "field", "field": "n"})
    one = {"id": "r1", "name": "one", "binds": [{"field": "u"}, {"field": "n"}]}
    of = {"id": "r2", "name": "of", "binds": [{"field": "u"}]}
    module = module_of(make(Content(keyed(*key, reads=(one, of)))))

    uuid = "6fa459ea-ee8a-4ca4-894e-db77e160355e"
    first = uuid.encode() + b"#"
    assert module.t_one_ranges(uuid, 7) == [(first + b"7", first + b"7\0")]
    assert module.t_of_ranges(uuid) == [(first, uuid.encode() + b"$")]
    assert vars(module.parse_t(first + b"7")) == {"u": uuid, "n": 7}


@cases("segment, value, told", [
        ({"field": "n", "transforms": [{"kind": "pad", "width": 12}]}, 42, 42),
        ({"field": "n", "transforms": [{"kind": "pad", "width": 9}, {"kind": "reverse_digits"}]}, 120, 120),
        ({"field": "n", "transforms": [{"kind": "offset", "by": 2**62}, {"kind": "big_endian", "length": 8}]}, 5, 5),
        ({"field": "n", "transforms": [{"kind": "descending", "top": 2**63 - 1}]}, 2**53 + 1, 2**53 + 1),
        ({"field": "n", "transforms": [{"kind": "hex", "width": 11}, {"kind": "case", "to": "upper"}]}, 2**40, 2**40),
        ({"field": "d", "transforms": [{"kind": "reverse_domain"}]}, "maps.google.com", "maps.google.com"),
        ({"field": "s", "transforms": [{"kind": "percent"}]}, "é/%41", "é/%41"),
        ({"field": "s", "transforms": [{"kind": "pad", "width": 5}]}, "7", b"00007"),
        ({"field": "s", "transforms": [{"kind": "truncate", "length": 2}]}, "abc", b"ab"),
        ({"kind": "hash", "fields": ["s"], "digits": 4}, "a", b"0cc1"),
        ({"kind": "time", "raw": True, "resolution": "second", "unit": "s"}, 1_709_164_800_123_456,
         1_709_164_800_000_000),
        ({"kind": "time", "reversed": True}, 1_709_164_800_123_456, 1_709_164_800_123_000),
        ({"kind": "time", "resolution": "week", "unit": "bucket"}, 1_709_164_800_123_456, 1_708_905_600_000_000),
        ({"kind": "time", "pattern": "%Y%m%d", "reversed": True}, 1_709_164_800_123_456, 1_709_164_800_000_000),
        ({"kind": "time", "pattern": "%Y-%jT%H"}, 1_709_168_500_123_456, 1_709_168_400_000_000),
        ({"kind": "time", "pattern": "%d.%m.%Y"}, 1_709_168_500_123_456, b"29.02.2024"),
    ])  # fmt: skip
def test_a_key_tells_the_values_that_can_be_turned_back_and_bytes_of_all_others(
    segment: dict[str, Any], value: Any, told: Any
) -> None:
    module = module_of(make(Content(keyed({"kind": "field", **segment}))))

    assert list(vars(module.parse_t(module.make_t(value))).values()) == [told]


def test_a_date_that_is_in_no_calendar_is_refused() -> None:
    module = module_of(make(Content(keyed({"kind": "time", "pattern": "%Y%m%d"}))))

    with pytest.raises(ValueError, match="day is out of range"):
        module.parse_t(b"20260231")


def test_a_read_that_knows_no_random_salt_has_a_range_for_each() -> None:
    key = ({"kind": "salt", "modulo": 3, "after": "#"}, {"kind": "field", "field": "n"})
    module = module_of(make(Content(keyed(*key, reads=({"id": "r", "name": "one", "binds": [{"field": "n"}]},)))))

    assert module.t_one_ranges(5) == [(b"0#5", b"0#5\0"), (b"1#5", b"1#5\0"), (b"2#5", b"2#5\0")]


@pytest.mark.parametrize(
    ("time", "first", "end"),
    [
        ({"pattern": "%Y%m%d", "resolution": "day"}, b"7#20261120#", b"7#20261122$"),
        ({"resolution": "day", "unit": "s", "reversed": True, "reverse_from": 10**10 - 1}, b"7#8204694399#",
         b"7#8204867199$"),
        ({"resolution": "day", "unit": "d"}, b"7#20777#", b"7#20779$"),
        ({"pattern": "%d.%m.%Y", "resolution": "day"}, b"7#", b"7$"),
    ],
)  # fmt: skip
def test_a_span_of_time_is_one_range_where_keys_sort_by_time(time: dict[str, Any], first: bytes, end: bytes) -> None:
    key = ({**FIELD, "after": "#"}, {"kind": "time", "after": "#", **time}, {"kind": "field", "field": "s"})
    read = {"id": "r", "name": "some", "binds": [{"field": "n"}], "time": {"days": 3}}
    module = module_of(make(Content(keyed(*key, reads=(read,)))))
    span = (1_795_132_800_000_000, 1_795_392_000_000_000 - 1)

    assert module.t_some_ranges(7, *(span if time.get("pattern") != "%d.%m.%Y" else ())) == [(first, end)]


def test_a_salt_of_a_field_that_a_read_does_not_know_is_listed_too() -> None:
    salt = {"kind": "salt", "fields": ["s"], "modulo": 2, "after": "#"}
    key = (salt, {"kind": "field", "field": "n", "after": "#"}, {"kind": "field", "field": "s"})
    module = module_of(make(Content(keyed(*key, reads=({"id": "r", "name": "of", "binds": [{"field": "n"}]},)))))

    assert module.t_of_ranges(5) == [(b"0#5#", b"0#5$"), (b"1#5#", b"1#5$")]
    assert module.make_t("a", 5)[:4] in (b"0#5#", b"1#5#")


FAMILIES = [
    {"id": "f", "name": "a.b", "columns": [
        {"id": "cx", "qualifier": "x.y"}, {"id": "cy", "qualifier": "y"}, {"id": "cz", "qualifier": "\\xff"}]},
    {"id": "m", "name": "m", "columns": [
        {"id": "ce", "qualifier_from": [{"id": "q", "kind": "time", "reversed": True}]}]},
]  # fmt: skip
FIRST = {"familyNameRegexFilter": r"a\.b"}
LAST = "/w=="
"""0xff as base64."""


@cases("read, row_filter", [
        ({}, {"passAllFilter": True}),
        ({"newest_versions": 3}, {"cellsPerColumnLimitFilter": 3}),
        ({"families": ["f", "m"]}, {"familyNameRegexFilter": r"a\.b|m"}),
        ({"columns": ["cx", "cy", "cz"]}, FIRST),
        ({"columns": ["cx", "cy"]}, {"chain": {"filters": [FIRST, {"columnQualifierRegexFilter": "eFwueXx5"}]}}),
        ({"columns": ["cz", "ce"], "newest_versions": 1}, {"chain": {"filters": [
            {"interleave": {"filters": [
                {"columnRangeFilter": {"familyName": "a.b", "startQualifierClosed": LAST, "endQualifierClosed": LAST}},
                {"familyNameRegexFilter": "m"},
            ]}},
            {"cellsPerColumnLimitFilter": 1},
        ]}}),
        ({"families": ["m"], "newest_columns": 20}, {"chain": {"filters": [
            {"familyNameRegexFilter": "m"}, {"cellsPerRowLimitFilter": 20}]}}),
        ({"cell_days": 2}, {"timestampRangeFilter": {"startTimestampMicros": "1794960000001000"}}),
    ])  # fmt: skip
def test_a_filter_takes_the_columns_versions_and_ages_that_a_read_wants(
    read: dict[str, Any], row_filter: dict[str, Any]
) -> None:
    spec = keyed(FIELD, reads=({"id": "r", "name": "of", **read},), families=FAMILIES)
    module = module_of(make(Content(spec)))

    told = module.t_of_filter(*([1_795_132_800_001_999] if "cell_days" in read else []))

    assert json.loads(told) == row_filter


HOUR_US = 3_600_000_000


@pytest.mark.parametrize(
    "time", [{"resolution": "second", "pattern": "%Y%m%d%H%M%S"}, {"unit": "us", "reversed": True}]
)
def test_columns_of_a_span_of_time_are_ranges_of_qualifiers(time: dict[str, Any]) -> None:
    last = {"id": "qt", "kind": "time", "after": "$", **time}
    parts = [{"id": "q", "kind": "field", "field": "s", "after": "#"}, last]
    families = [{"id": "m", "name": "m", "columns": [{"id": "ce", "qualifier_from": parts}]}]
    read = {"id": "r", "name": "of", "binds": [{"field": "n"}, {"field": "s"}], "time": {"days": 1 / 24}}
    spec = keyed(FIELD, reads=(read, read | {"id": "all", "name": "all", "binds": [{"field": "n"}]}), families=families)
    module, end_us = module_of(make(Content(spec))), 1_795_132_800_000_000
    segment = spec.tables[0].families[0].columns[0].qualifier_from[1]

    ((first, end),) = module.t_of_m_columns_ranges("cpu", end_us - HOUR_US, end_us)

    ages_us = {0: True, HOUR_US: True, -HOUR_US: False, 2 * HOUR_US: False}
    assert {age: first <= b"cpu#" + time_text(segment, end_us - age) + b"$" < end for age in ages_us} == ages_us
    assert not hasattr(module, "t_all_m_columns_ranges")


def test_columns_that_no_filter_can_take_are_noted_with_their_read() -> None:
    last = {"id": "q", "kind": "time"}
    families = [{"id": "m", "name": "m", "columns": [
        {"id": "ce", "qualifier_from": [last]}, {"id": "cs", "qualifier": "s"}]}]  # fmt: skip
    spec = keyed(FIELD, reads=({"id": "r", "columns": ["ce"], "newest_columns": 5},), families=families)

    told = [str(remark) for remark in make(Content(spec)).notes if remark.at == "r"]

    assert "the filter takes all columns: none returns the last ones of a row" in told


CALLED = {"id": "q0", "kind": "field", "field": "s"}
OF_DAY = {"id": "q1", "kind": "time", "resolution": "day", "pattern": "%Y%m%d"}
TAGGED = [{"id": "l", "kind": "literal", "text": "t", "after": "#"}, {**CALLED, "id": "q2"}]
OTHER: dict[str, Any] = {"id": "co", "qualifier": "size"}


@cases("chosen, other, read, names", [
        ({"qualifier_from": [CALLED]}, OTHER, {}, "m: size"),
        ({"qualifier_from": [CALLED]}, {"id": "co", "qualifier_from": [OF_DAY]}, {}, 'm: {time:day:"%Y%m%d"}'),
        ({"qualifier_from": TAGGED}, OTHER, {}, ""),
        ({"qualifier_from": TAGGED}, {"id": "co", "qualifier_from": [OF_DAY]}, {}, ""),
        ({"qualifier": "tag"}, {"id": "co", "qualifier_from": [CALLED]}, {}, ""),
        ({"qualifier_from": [CALLED]}, OTHER, {"binds": [{"field": "n"}, {"field": "s"}]}, ""),
        ({"qualifier_from": [CALLED]}, OTHER, {"binds": [{"field": "s", "to_value": "z"}]}, "m: size"),
    ])  # fmt: skip
def test_columns_that_a_filter_also_takes_are_noted_with_their_read(
    chosen: dict[str, Any], other: dict[str, Any], read: dict[str, Any], names: str
) -> None:
    families = [{"id": "m", "name": "m", "columns": [{"id": "ce", **chosen}, other]}]
    spec = keyed(FIELD, reads=({"id": "r", "columns": ["ce"], **read},), families=families)

    notes = [str(remark) for remark in make(Content(spec)).notes if remark.at == "r" and "also returned" in str(remark)]

    expected = f"also returned, as no qualifier tells them from what the read gets: {names}"
    assert notes == ([expected] if names else [])


def test_a_number_that_no_text_tells_is_refused_with_its_segment() -> None:
    made = make(Content(keyed({"kind": "derived", "field": "u", "how": {"kind": "bucket", "size": 7}})))

    assert [remark.at for remark in made.refusals] == ["g0"]
    assert made.files == ()


def test_the_module_of_a_hostile_design_runs_by_itself_in_any_folder(tmp_path: Path) -> None:
    path = tmp_path / "keys.py"
    path.write_bytes(make(Content(hostile())).files[0].data)

    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, check=False, cwd=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("keys are as designed\n")


STRICT = (
    {"kind": "field", "field": "s", "after": "#"}, {**FIELD, "transforms": [{"kind": "pad", "width": 6}], "after": "#"},
    {"kind": "field", "field": "w", "transforms": [{"kind": "descending", "top": 999}, {"kind": "pad", "width": 3}],
     "after": "#"},
    {"kind": "time", "reversed": True},
)  # fmt: skip
NOW_US = 1_795_132_800_000_000
REFUSED = [
    (("a#b", 7, 7, NOW_US), "s"), (("a", -7, 7, NOW_US), "n"), (("a", 1_234_567, 7, NOW_US), "n"),
    (("a", 7, 1000, NOW_US), "w"), (("a", 7, -1, NOW_US), "w"), (("a", 7, 7, -1), "time"),
]  # fmt: skip
"""Values with the delimiter, a sign or too many digits, above what they are subtracted from, and before 1970."""


def strict() -> Spec:
    return keyed(*STRICT, reads=({"id": "r", "name": "of", "binds": [{"field": "s"}, {"field": "n"}]},))


def test_values_that_a_key_cannot_hold_are_refused_with_their_field() -> None:
    module = module_of(make(Content(strict())))

    for arguments, field in REFUSED:
        with pytest.raises(ValueError, match=f"^{field}: "):
            module.make_t(*arguments)
    with pytest.raises(ValueError, match=r"^s: b'a#b' contains the delimiter b'#'$"):
        module.t_of_ranges("a#b", 7)
    assert {field for _, _, field in module.REFUSALS} == {"s", "n", "w", "time"}


def test_typescript_refuses_values_that_a_key_cannot_hold(tmp_path: Path) -> None:
    calls: list[Call] = [("make", "t", arguments) for arguments, _ in REFUSED]

    answers = node_answers(tmp_path, {"x": (strict(), calls)})

    assert answers["x"][:-1] == ["refused"] * len(REFUSED)


def test_java_refuses_values_that_a_key_cannot_hold(tmp_path: Path) -> None:
    calls: list[Call] = [("make", "t", arguments) for arguments, _ in REFUSED]

    answers = java_answers(tmp_path, {"x": (strict(), calls)})

    assert answers["x"][:-1] == ["refused"] * len(REFUSED)


def test_go_refuses_values_that_a_key_cannot_hold(tmp_path: Path) -> None:
    calls: list[Call] = [("make", "t", arguments) for arguments, _ in REFUSED]

    answers = go_answers(tmp_path, {"x": (strict(), calls)})

    assert answers["x"][:-1] == ["refused"] * len(REFUSED)


def test_a_value_that_is_escaped_may_hold_the_delimiter() -> None:
    key = ({"kind": "field", "field": "s", "transforms": [{"kind": "percent"}], "after": "#"}, FIELD)
    module = module_of(make(Content(keyed(*key))))

    assert module.make_t("a#b", 7) == b"a%23b#7"
    assert vars(module.parse_t(b"a%23b#7")) == {"s": "a#b", "n": 7}


def test_a_module_that_refuses_too_little_does_not_verify() -> None:
    """Without the check of a padded number, the refusals among the vectors find it."""
    text = make(Content(strict())).files[0].text
    lax = text.replace('    if re.fullmatch(b"[0-9]{1,%d}" % width, text) is None:', "    if False:")
    module = ModuleType("keys")
    exec(compile(lax, "keys.py", "exec"), module.__dict__)

    with pytest.raises(AssertionError, match="is not refused"):
        module.verify()
