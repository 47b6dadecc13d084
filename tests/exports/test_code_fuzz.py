"""Random keys with values that fit and values that do not: every language answers as Python does."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data
from designer.document.validation_errors import InvalidDocumentError
from reviews.exports.code import make
from reviews.exports.key_code import java
from reviews.exports.key_code.codes import KeyCode
from reviews.exports.key_code.go import translate_regex
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.key_code.vectors import reference_values, segment_bytes
from reviews.exports.key_code.writing import called_functions
from reviews.exports.shared.result import ExportRemarks
from tests.contexts import Content

from .code_calls import Call, go_answers, module_of, node_answers, python_answer
from .java_calls import java_answers

FIELDS = (
    {"id": "n", "name": "new", "kind": "integer"},
    {"id": "g", "name": "text", "kind": "integer", "values": {"kind": "range", "min": -5, "max": 2**62}},
    {"id": "s", "name": "class", "kind": "string"},
    {"id": "b", "name": "bytes", "kind": "bytes"},
    {"id": "u", "name": "first", "kind": "uuid"},
    {"id": "d", "name": "func", "kind": "domain"},
    {"id": "f", "name": "float", "kind": "float"},
    {"id": "o", "name": "is it", "kind": "boolean"},
    {"id": "t", "name": "from us", "kind": "timestamp"},
    {"id": "c", "name": "counted", "kind": "string", "values": {"kind": "pattern", "text": "d{n:04}é"}},
    {"id": "e", "name": "名", "kind": "string", "values": {
        "kind": "enumeration", "items": [{"value": "straße"}, {"value": "ΌΣΟΣ"}, {"value": "🎈#"}]}},
    {"id": "r", "name": "random", "kind": "string", "values": {"kind": "random", "min": 3, "max": 9}},
)  # fmt: skip
FAMILIES = [
    {"id": "f1", "name": "a.b", "columns": [
        {"id": "c1", "qualifier": "x"}, {"id": "c2", "qualifier": "\"é\\xff"}, {"id": "c3", "qualifier": "z"}]},
    {"id": "f2", "name": "m", "columns": [
        {"id": "c4", "qualifier_from": [{"id": "q", "kind": "time", "reversed": True}]}]},
    {"id": "f3", "name": "v", "columns": [
        {"id": "c5", "qualifier_from": [{"id": "q5", "kind": "field", "field": "s", "after": "#"}, {
            "id": "q6", "kind": "field", "field": "n", "transforms": [{"kind": "pad", "width": 5}]}]},
        {"id": "c6", "qualifier_from": [{"id": "q7", "kind": "field", "field": "b", "after": "\\xff"}]}]},
]  # fmt: skip
NAMES = [str(field["id"]) for field in FIELDS]
AFTER = ("", "#", "#", "::", "\\x00", "\\xff", "é", "a#", ".")
TEXTS = ("", "a", "42", "-7", "+05", " 12\n", "1_000", "1__0", "x-1", "d0012é", "dé", "straße", "İI", "ΌΣΟΣ Σ", "🎈",
         "a#b", "a.b.google.com", "\ud800", "\x00", "%~é/", "\ufeffx", "ǅ")  # fmt: skip
BYTES = (
    b"",
    b"a",
    b"\xff\x00",
    b"\xe2\x82A",
    b"\xf0\x9f\x8e",
    b"\xed\xa0\x80",
    b"\xc3\x89",
    b"42",
    "🎈é".encode(),
    b"\xef\xbb\xbf1",
)
NUMBERS = (0, 1, -1, 7, 255, 256, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**64 - 1, 2**64, -(2**63), 10**25, -(10**25))
TIMES = (0, -1, 1_709_164_800_123_456, 1_735_689_599_000_001, -62_135_596_800_000_000, -62_135_596_800_000_001,
         253_402_300_799_999_999, 253_402_300_800_000_000, 10**19, -(10**19), 2**63)  # fmt: skip
PATTERNS = ("%Y%m%d", "%G-W%V %a", "%y %j %I%p %B %b %-m/%-d %-H %-V %%", "%H:%M:%S.%f é1", "%Y-%m-%dT%H")
RESOLUTIONS = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year")


def random_segment(draw: random.Random) -> dict[str, Any]:
    kind = draw.choice(("field", "field", "field", "field", "hash", "salt", "derived", "time", "time", "literal"))
    some = {"fields": draw.sample(NAMES, draw.randint(1, 3))}
    match kind:
        case "hash":
            form, algorithm = draw.choice(("hex", "raw", "base64", "base64url")), draw.choice(
                ("md5", "sha1", "sha256", "fnv1a", "crc32"))  # fmt: skip
            hashed = {"algorithm": algorithm, "form": form, "digits": draw.randint(1, 6)}
            return {"kind": kind, **hashed, **draw.choice((some, some, {"fields": []}))}
        case "salt":
            return {"kind": kind, "modulo": draw.choice((1, 2, 10, 11, 101)), **draw.choice((some, {}))}
        case "literal":
            return {"kind": kind, "text": draw.choice(("a", "\\x00\\\\é", "$", "`${x}`", '"'))}
        case "time" if draw.random() < 0.2:
            bucket = draw.choice(({"resolution": "hour"}, {"bucket_seconds": 437}, {"pattern": "%Y%m%d %H"}))
            form, algorithm = draw.choice(("hex", "raw", "base64url")), draw.choice(("sha1", "fnv1a"))
            return {"kind": kind, **bucket, "hash": algorithm, "hash_form": form, "hash_digits": draw.randint(1, 6)}
        case "time":
            return {"kind": kind, **random_time(draw)}
    segment = {"kind": kind, "field": draw.choice(NAMES), "transforms": random_transforms(draw)}
    if kind == "derived":
        segment["how"] = draw.choice((
            {"kind": "bucket", "size": draw.choice((1, 7, 2**40))},
            {"kind": "part", "start": draw.randint(0, 2), "length": draw.choice((None, 1, 3))},
            {"kind": "part", "before": draw.choice((".", "é", "🎈"))},
        ))  # fmt: skip
    return segment


def random_time(draw: random.Random) -> dict[str, Any]:
    time: dict[str, Any] = {"resolution": draw.choice(RESOLUTIONS), "reversed": draw.random() < 0.4}
    if draw.random() < 0.2:
        time["bucket_seconds"] = draw.choice((7, 437, 86_400))
    if draw.random() < 0.4:
        return {**time, "pattern": draw.choice(PATTERNS)}
    time["unit"] = draw.choice(("us", "ms", "s", "m", "h", "d", "bucket"))
    if draw.random() < 0.3:
        time["field"] = "t"
    return {**time, **draw.choice(({}, {"raw": True}, {"reverse_from": 10**13 - 1}))}


def random_transforms(draw: random.Random) -> list[dict[str, Any]]:
    known = (
        {"kind": "pad", "width": draw.randint(1, 12)}, {"kind": "reverse_digits"}, {"kind": "reverse_domain"},
        {"kind": "case", "to": draw.choice(("lower", "upper"))}, {"kind": "truncate", "length": draw.randint(1, 5)},
        {"kind": "offset", "by": draw.choice((-50, 2**60))}, {"kind": "descending", "top": draw.choice((9, 2**63 - 1))},
        {"kind": "big_endian", "length": draw.randint(1, 8)}, {"kind": "hex", "width": draw.randint(1, 16)},
        {"kind": "percent"},
    )  # fmt: skip
    return [draw.choice(known) for _ in range(draw.choice((0, 0, 1, 1, 2)))]


def random_design(draw: random.Random) -> Spec | None:
    key = [{"id": f"k{n}", **random_segment(draw), "after": draw.choice(AFTER)} for n in range(draw.randint(1, 4))]
    reads = [
        {"id": f"r{n}", "name": f"read {n}",
         "binds": [random_bind(draw, one) for one in draw.sample(NAMES, draw.randint(1, 9))],
         **draw.choice(({}, {"time": {"days": 3}}, {"exact_time": True}, {"newest_rows": 9})),
         **draw.choice(({}, {"cell_days": 0.5}, {"newest_versions": 2}, {"columns": ["c1", "c2"]},
                        {"columns": ["c2", "c4"]}, {"families": ["f2"], "newest_columns": 7}))}
        for n in range(3)
    ]  # fmt: skip
    tables = [{
        "id": "x", "name": "default", "families": FAMILIES, "row_kinds": [{"id": "y", "key": key, "reads": reads}],
    }]  # fmt: skip
    try:
        return from_data({"name": "fuzz", "fields": FIELDS, "tables": tables})
    except InvalidDocumentError:
        return None


def random_bind(draw: random.Random, field: str) -> dict[str, Any]:
    bound = "3" if field in "ngf" else "true" if field == "o" else "x"
    return {"field": field, **draw.choice(({}, {}, {"from_value": bound}, {"to_value": bound},
                                           {"from_value": bound, "to_value": bound}))}  # fmt: skip


def random_value(draw: random.Random, kind: str) -> Any:
    match kind:
        case "text":
            return draw.choice(TEXTS)
        case "bytes":
            return draw.choice((*BYTES, draw.randbytes(draw.randint(0, 130))))
        case "boolean":
            return draw.random() < 0.5
        case "time":
            return draw.choice(
                (*TIMES, draw.randrange(-(10**17), 10**17), draw.randrange(10**16), draw.randrange(10**16))
            )
    return draw.choice((*NUMBERS, draw.randrange(10**6), draw.randrange(2**64)))


def random_calls(draw: random.Random, code: KeyCode, module: ModuleType, count: int) -> Iterator[Call]:
    for _ in range(count):
        make_key: Call = ("make", code.name, tuple(random_value(draw, each.type) for each in code.parameters))
        yield make_key
        for read in code.reads:
            span = (random_value(draw, "time"), random_value(draw, "time")) if read.time else ()
            yield "ranges", read.name, (*(random_value(draw, each.type) for each in read.parameters), *span)
            known = [random_value(draw, each.type) for each in read.filter_parameters]
            span = (random_value(draw, "time"), random_value(draw, "time")) if read.has_filter_span else ()
            now = () if read.filter.age_us is None else (draw.randrange(10**14, 10**16),)
            yield "filter", read.name, (*known, *span, *now)
        made = python_answer(module, make_key)
        if made != "refused" and code.regex is not None:
            yield from (("parse", code.name, (each,)) for each in broken_keys(draw, bytes.fromhex(made)))
    if code.regex is not None:
        yield from (("parse", code.name, (each,)) for _, made in code.vectors for each in broken_keys(draw, made))


def broken_keys(draw: random.Random, key: bytes) -> Iterator[bytes]:
    yield key
    place = draw.randint(0, len(key))
    yield key[:place] + draw.choice((b"", b"#", b"\n", b"\x85", b"0", b"\xb2")) + key[place + draw.randint(0, 2) :]


def random_designs(seed: int, count: int) -> dict[str, tuple[Spec, list[Call]]]:
    draw, designs = random.Random(seed), {}
    while len(designs) < count:
        spec = random_design(draw)
        made = make(Content(spec)) if spec else None
        if spec and made and made.files:
            module = module_of(made)
            (code,) = plan_keys(spec, ExportRemarks())
            designs[f"fuzz{len(designs)}"] = (spec, list(random_calls(draw, code, module, 15)))
    return designs


def check(folder: Path, seed: int, count: int) -> None:
    made = random_designs(seed, count).items()
    designs = {name: one for name, one in made if make(Content(one[0], code_language="typescript")).files}

    answers = node_answers(folder, designs)

    for name, (spec, calls) in designs.items():
        module = module_of(make(Content(spec)))
        (code,) = plan_keys(spec, ExportRemarks())
        for call, answer in zip(calls, answers[name], strict=False):
            if not changes_letters(code, call):
                assert answer == python_answer(module, call), (call, spec.tables[0].row_kinds[0].key)


def test_typescript_answers_as_python_does(tmp_path: Path) -> None:
    check(tmp_path, 1, 40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_typescript_answers_as_python_does_to_many_random_keys(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed, 150)


def changes_letters(code: KeyCode, call: Call) -> bool:
    """Return whether a call may change the case of letters beyond ASCII, which Python alone does."""
    changes_case = call[0] != "parse" and {"lower", "upper"} & set(called_functions(code))
    return bool(changes_case) and any(isinstance(one, str | bytes) and not one.isascii() for one in call[2])


def fits(code: KeyCode, call: Call) -> bool:
    """Return whether whole numbers of 64 bits say these values, and no case of letters beyond ASCII is changed."""
    whole = all(not isinstance(one, int) or -(2**63) <= one < 2**63 for one in call[2])
    return whole and not changes_letters(code, call) and not any(salt < 0 for salt in salts_of(code, call))


def in_64_bits(answer: Any) -> Any:
    """Return an answer, or a refusal of a whole number that does not fit."""
    words = answer if isinstance(answer, list) and answer and isinstance(answer[0], str) else ()
    is_large = any(word[0] == "n" and not -(2**63) <= int(word[1:]) < 2**63 for word in words)
    return "refused" if is_large else answer


def can_go(code: KeyCode, call: Call) -> bool:
    """Return whether Go has words for these values and does not refuse keys of this kind."""
    if call[0] == "parse":
        return code.regex is not None and translate_regex(code.regex) is not None
    return fits(code, call) and not any(isinstance(one, str) and "\ud800" in one for one in call[2])


def salts_of(code: KeyCode, call: Call) -> list[int]:
    if call[0] != "make":
        return []
    return [value for each, value in zip(code.parameters, call[2], strict=True) if each.type == "salt"]


@pytest.mark.slow
def test_go_answers_as_python_does(tmp_path: Path) -> None:
    designs = {}
    for name, (spec, calls) in random_designs(1, 25).items():
        (code,) = plan_keys(spec, ExportRemarks())
        if make(Content(spec, code_language="go")).files:
            designs[name] = (spec, [call for call in calls if can_go(code, call)])

    answers = go_answers(tmp_path, designs)

    for name, (spec, calls) in designs.items():
        module = module_of(make(Content(spec)))
        for call, answer in zip(calls, answers[name], strict=False):
            assert answer == in_64_bits(python_answer(module, call)), (call, spec.tables[0].row_kinds[0].key)


def check_java(folder: Path, seed: int, count: int) -> None:
    designs = {}
    for name, (spec, calls) in random_designs(seed, count).items():
        (code,) = plan_keys(spec, ExportRemarks())
        if make(Content(spec, code_language="java")).files:
            cuts = code.regex is not None and java.translate_regex(code.regex) is not None
            designs[name] = (spec, [call for call in calls if fits(code, call) and (cuts or call[0] != "parse")])

    answers = java_answers(folder, designs)

    for name, (spec, calls) in designs.items():
        module = module_of(make(Content(spec)))
        for call, answer in zip(calls, answers[name], strict=False):
            assert answer == in_64_bits(python_answer(module, call)), (call, spec.tables[0].row_kinds[0].key)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_java_answers_as_python_does(tmp_path: Path, seed: int) -> None:
    check_java(tmp_path, seed, 100)


@pytest.mark.slow
def test_java_takes_the_longest_keys_apart(tmp_path: Path) -> None:
    """Java's regular expressions call themselves for some groups, and a stack ends."""
    key = [{"id": f"k{place}", "kind": "field", "field": "s", "transforms": [{"kind": "percent"}], "after": after}
           for place, after in enumerate(("#", "a#", ""))]  # fmt: skip
    tables = [{"id": "x", "name": "x", "row_kinds": [{"id": "y", "key": key}]}]
    spec = from_data({"name": "long", "fields": FIELDS, "tables": tables})
    longest = [one * (4096 // len(one)) for one in (b"%7E", b"a", b"a%7E")]
    calls: list[Call] = [("parse", "x", (text + b"#" + text + b"a#" + text,)) for text in longest]

    answers = java_answers(tmp_path, {"long": (spec, calls)})

    module = module_of(make(Content(spec)))
    assert answers["long"][:-1] == [python_answer(module, call) for call in calls]
    assert "refused" not in answers["long"]


def key_or_error(module: ModuleType, code: KeyCode, call: Call) -> bytes | str:
    try:
        return bytes(getattr(module, f"make_{code.name}")(*call[2]))
    except ValueError as error:
        return str(error)


def test_a_key_is_made_only_if_it_is_cut_as_it_was_made() -> None:
    """Whatever the values: either the key's parts are the texts of its segments, or an error names a field."""
    seen = {"made": 0, "refused": 0}
    for name, (spec, calls) in random_designs(11, 40).items():
        module = module_of(make(Content(spec)))
        (code,) = plan_keys(spec, ExportRemarks())
        labels = [*(str(field["name"]) for field in FIELDS), "time"]
        for call in calls:
            if call[0] != "make":
                continue
            key = key_or_error(module, code, call)
            seen["refused" if isinstance(key, str) else "made"] += 1
            if isinstance(key, str):
                assert key.startswith(tuple(labels)), (name, key)
                continue
            if code.regex is not None:
                match = re.fullmatch(code.regex, key.decode("latin-1"), re.DOTALL)
                values = reference_values(spec, code.parameters, call[2])
                texts = [segment_bytes(segment, values) for segment in spec.tables[0].row_kinds[0].key]
                assert match is not None, (name, call, key)
                assert [group.encode("latin-1") for group in match.groups()] == texts, (name, call, key)
                getattr(module, f"parse_{code.name}")(key)
    assert min(seen.values()) > 40, seen
