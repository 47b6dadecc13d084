"""Code for reads: ranges of values and filters of columns are those that hold what the caller wants, and no more."""

import base64
import inspect
import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from designer.document import Spec
from estimator.kernels.keys.values.shape import shape_of
from reviews.exports.code import make
from reviews.exports.key_code.cell_filters import ColumnChoice
from reviews.exports.key_code.codes import ReadCode
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.shared.result import ExportRemarks
from reviews.trials import plan_trial
from reviews.trials.cells import span_of
from reviews.trials.sample import SEED, argument
from reviews.trials.tables import PlannedRead
from tests.cases import cases
from tests.contexts import Content, estimate

from .code_calls import EXAMPLES, Call, example, go_answers, module_of, node_answers
from .java_calls import java_answers
from .test_code import NOW_US, keyed

PAD = [{"kind": "pad", "width": 4}]
DOWN = [{"kind": "descending", "top": 9_999}, *PAD]
NUMBERS: list[dict[str, Any]] = [
    {"field": "n", "transforms": PAD},
    {"field": "n", "transforms": DOWN},
    {"field": "n", "transforms": [{"kind": "hex", "width": 4}]},
    {"field": "n", "transforms": [{"kind": "offset", "by": 7}, {"kind": "big_endian", "length": 2}]},
    {"kind": "derived", "field": "n", "how": {"kind": "bucket", "size": 7}, "transforms": PAD},
]


def numbers(segment: dict[str, Any], *, after: str = "#", **ends: str) -> Any:
    key = ({"kind": "field", "field": "s", "after": "#"}, {"kind": "field", **segment, "after": after},
           {"kind": "field", "field": "d"})  # fmt: skip
    read = {"id": "r", "name": "some", "binds": [{"field": "s"}, {"field": "n", **ends}]}
    return make(Content(keyed(*key, reads=(read,))))


@cases("segment", NUMBERS)
@cases("after", ["#", ""])
def test_a_range_of_numbers_holds_the_keys_of_these_numbers_alone(segment: dict[str, Any], after: str) -> None:
    module = module_of(numbers(segment, after=after, from_value="0", to_value="9"))
    size = segment.get("how", {}).get("size", 1)

    assert module.verify() > 0
    for low, high in ((0, 0), (3, 41), (41, 977), (977, 9_992)):
        ((first, end),) = module.t_some_ranges("a", low, high)
        for number in (0, 2, 3, 40, 41, 42, 976, 977, 978, 9_992):
            is_wanted = low // size <= number // size <= high // size
            assert (first <= module.make_t("a", number, "x.y") < end) == is_wanted, (low, high, number)
        assert not first <= module.make_t("b", low, "x.y") < end


@pytest.mark.parametrize("segment", NUMBERS[:4])
def test_an_open_range_ends_with_what_is_known_before_it(segment: dict[str, Any]) -> None:
    least = module_of(numbers(segment, from_value="5"))
    most = module_of(numbers(segment, to_value="5"))

    for module, holds in ((least, lambda number: number >= 5), (most, lambda number: number <= 5)):
        assert module.verify() > 0
        ((first, end),) = module.t_some_ranges("a", 5)
        assert [first <= module.make_t("a", number, "x") < end for number in (0, 5, 6, 9_000)] == [
            holds(number) for number in (0, 5, 6, 9_000)
        ]
        assert not first <= module.make_t("b", 5, "x") < end


@pytest.mark.parametrize("after", ["#", "", "\\x00", "~", "ab"])
def test_a_range_of_texts_holds_the_keys_of_all_these_texts(after: str) -> None:
    draw = random.Random(7)
    last: tuple[dict[str, Any], ...] = ({"kind": "field", "field": "n"},) if after else ()
    read = {"id": "r", "name": "some", "binds": [{"field": "u"}, {"field": "s", "from_value": "a", "to_value": "b"}]}
    key = ({"kind": "field", "field": "u", "after": "#"}, {"kind": "field", "field": "s", "after": after}, *last)
    module = module_of(make(Content(keyed(*key, reads=(read,)))))
    uuid, stop = "6fa459ea-ee8a-4ca4-894e-db77e160355e", after.replace("\\x00", "\0")
    texts = {"".join(draw.choices("!#Aabz~é", k=draw.randint(0, 4))) for _ in range(120)}
    texts = {text for text in texts if not stop or (text + stop).find(stop) == len(text)}

    for low, high in zip(sorted(texts), sorted(texts, key=str.encode)[3:], strict=False):
        if low.encode() > high.encode():
            continue
        ((first, end),) = module.t_some_ranges(uuid, low, high)
        for text in texts:
            made = module.make_t(uuid, text, *([7] if after else []))
            if low.encode() <= text.encode() <= high.encode():
                assert first <= made < end, (low, high, text)
            elif not after:
                assert not first <= made < end, (low, high, text)
    with pytest.raises(ValueError, match="ends before it begins"):
        module.t_some_ranges(uuid, "b", "a")


def test_numbers_without_padding_are_one_range_where_all_have_as_many_digits() -> None:
    for least, digits in ((100, 3), (1, 0)):
        spec = keyed({"kind": "field", "field": "n", "after": "#"}, {"kind": "field", "field": "s"},
                     reads=({"id": "r", "name": "some", "binds": [{"field": "n", "from_value": "150"}]},))  # fmt: skip
        (field, *others) = spec.model_dump(mode="json")["fields"]
        field["values"] = {"kind": "range", "min": least, "max": 999}
        made = make(Content(type(spec).model_validate(
            {**spec.model_dump(mode="json"), "fields": [field, *others]})))  # fmt: skip
        module = module_of(made)
        if digits:
            assert module.t_some_ranges(150) == [(b"150", b"")]
            with pytest.raises(ValueError, match="the number has other than 3 digits"):
                module.t_some_ranges(15)
        else:
            assert [str(one) for one in made.notes if one.at == "r"] == [
                "a range of n is no range of keys: filter the rows that the ranges contain"
            ]


@pytest.mark.parametrize("language", ["typescript", "java", "go"])
@pytest.mark.parametrize("bound", ["values", "beginnings"])
def test_all_languages_give_the_ranges_that_python_gives(bound: str, language: str, tmp_path: Path) -> None:
    made, calls = ranges_of_values() if bound == "values" else ranges_of_beginnings()
    ask = {"typescript": node_answers, "java": java_answers, "go": go_answers}[language]

    told = ask(tmp_path, {at: (spec, calls) for at, spec in made.items()})

    assert {at: one[:-1] for at, one in told.items()} == {
        at: [python_ranges(spec, call) for call in calls] for at, spec in made.items()
    }


def ranges_of_values() -> tuple[dict[str, Any], list[Call]]:
    made = {f"x{place}": numbers_spec(segment) for place, segment in enumerate(NUMBERS)}
    calls: list[Call] = [("ranges", "t_some", ("a", low, high)) for low, high in ((0, 0), (3, 41), (41, 3), (5, 10**7))]
    return made, calls


def ranges_of_beginnings() -> tuple[dict[str, Any], list[Call]]:
    made = {name: begun_spec(segment) for name, segment in BEGUN.items()}
    calls: list[Call] = [("ranges", "t_some", (7, text)) for text in ("", "ber", "x y", "a.example", "b#", "A/ü")]
    return made, calls


def numbers_spec(segment: dict[str, Any]) -> Any:
    key = ({"kind": "field", "field": "s", "after": "#"}, {"kind": "field", **segment, "after": "#"},
           {"kind": "field", "field": "d"})  # fmt: skip
    read = {"id": "r", "name": "some", "binds": [{"field": "s"}, {"field": "n", "from_value": "0", "to_value": "9"}]}
    return keyed(*key, reads=(read,))


def python_ranges(spec: Any, call: Call) -> Any:
    module = module_of(make(Content(spec)))
    try:
        return [[one.hex() for one in pair] for pair in module.t_some_ranges(*call[2])]
    except ValueError:
        return "refused"


# --- filters ---


def takes(message: Mapping[str, Any], family: str, qualifier: bytes) -> bool:
    """Return whether the filter of columns in a message takes a cell, as Bigtable documents it."""
    match message:
        case {"chain": {"filters": parts}}:
            return all(takes(part, family, qualifier) for part in parts)
        case {"interleave": {"filters": parts}}:
            count = sum(takes(part, family, qualifier) for part in parts)
            assert count <= 1, f"a cell of {qualifier!r} would be returned {count} times"
            return count == 1
        case {"familyNameRegexFilter": pattern}:
            return re.fullmatch(pattern, family) is not None
        case {"columnQualifierRegexFilter": pattern}:
            expression = base64.b64decode(pattern).replace(rb"\C*", b".*")
            return re.fullmatch(expression, qualifier, re.DOTALL) is not None
        case {"columnRangeFilter": {"familyName": name, **ends}}:
            known = {key: base64.b64decode(text) for key, text in ends.items()}
            return (
                family == name
                and known.get("startQualifierClosed", b"") <= qualifier
                and ("endQualifierOpen" not in known or qualifier < known["endQualifierOpen"])
                and ("endQualifierClosed" not in known or qualifier <= known["endQualifierClosed"])
            )
        case {"blockAllFilter": True}:
            return False
    return True  # of ages, versions and numbers of cells


def filter_arguments(planned: PlannedRead, read: ReadCode, spec: Spec) -> list[Any]:
    """Return what a trial's caller tells the function of a filter."""
    cells = (cell for row in planned.table.rows for cell in row.cells if cell.qualifier_event is not None)
    numbers: dict[str, int] = {}
    for cell in cells:
        numbers = {**cell.qualifier_event.numbers, **numbers} if cell.qualifier_event else numbers
    event = replace(planned.asked.event, numbers={**numbers, **planned.asked.event.numbers})
    names = {each.id for each in read.filter_parameters}
    sample: Any = SimpleNamespace(shapes={name: shape_of(spec, spec.find(name), seed=SEED) for name in names})
    given = [argument(sample, each.id, each.type, event) for each in read.filter_parameters]
    span = span_of(
        planned.read, max(row.event.time_us for row in planned.table.rows if row.row_kind == planned.kind.id)
    )
    return [*given, *(span if read.has_filter_span else ()), *([NOW_US] if read.filter.age_us is not None else [])]


@pytest.mark.parametrize("name", EXAMPLES)
def test_filters_take_the_columns_that_a_trial_asks_for(name: str) -> None:
    spec = example(name)
    module, codes = module_of(make(Content(spec))), {code.id: code for code in plan_keys(spec, ExportRemarks())}
    for planned in plan_trial(spec, estimate(spec), rows=30).reads:
        read = codes[planned.kind.id].reads[planned.kind.reads.index(planned.read)]
        told = json.loads(vars(module)[f"{read.name}_filter"](*filter_arguments(planned, read, spec)))
        sent = [one for one in planned.asked.filters if isinstance(one, ColumnChoice)]
        cells = {(planned.table.families[one.family], one.qualifier) for row in planned.table.rows for one in row.cells}
        for family, qualifier in cells:
            is_sent = all(any(choice.holds(family, qualifier) for choice in one.families) for one in sent)
            assert takes(told, family, qualifier) == is_sent, (read.name, family, qualifier, told)


def parameters(function: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def test_a_known_qualifier_is_an_argument_of_the_filter() -> None:
    module = module_of(make(Content(example("friends-columns"))))

    (name,) = (each for each in vars(module) if each.endswith("is_she_my_friend_filter"))
    assert parameters(vars(module)[name]) == ("friend",)
    told = json.loads(vars(module)[name]("ann"))

    first, end = base64.b64encode(b"ann").decode(), base64.b64encode(b"ann\0").decode()
    assert told["columnRangeFilter"].items() >= {"startQualifierClosed": first, "endQualifierOpen": end}.items()


def test_a_span_of_time_is_an_argument_of_the_filter() -> None:
    module = module_of(make(Content(example("balloons-new-columns"))))

    (name,) = (each for each in vars(module) if each.endswith("four_weeks_filter"))
    assert parameters(vars(module)[name]) == ("from_us", "to_us")
    told = json.loads(vars(module)[name](1_772_323_200_000_000, 1_772_409_600_000_000))
    assert takes(told, "pressure", b"t2026-03-01-1200")
    assert not takes(told, "pressure", b"t2026-03-03-1200")


QUALIFIERS = [{"id": "q1", "kind": "field", "field": "s", "after": "#"},
              {"id": "q2", "kind": "field", "field": "n", "transforms": PAD}]  # fmt: skip


def test_a_range_of_values_in_qualifiers_is_an_argument_of_the_filter() -> None:
    families = [{"id": "f", "name": "f", "columns": [{"id": "c", "qualifier_from": QUALIFIERS}]}]
    read = {"id": "r", "name": "of", "binds": [{"field": "u"}, {"field": "s"}, {"field": "n", "from_value": "5"}]}
    module = module_of(make(Content(keyed({"kind": "field", "field": "u"}, reads=(read,), families=families))))

    told = json.loads(module.t_of_filter("cpu", 41))

    assert module.verify() > 0
    qualifiers = (b"cpu#0041", b"cpu#9999", b"cpu#0040", b"mem#0041")
    assert [takes(told, "f", one) for one in qualifiers] == [True, True, False, False]


def test_a_filter_of_a_pattern_takes_no_column_that_begins_with_another_literal() -> None:
    columns = [
        {"id": f"c{sign}", "qualifier_from": [{"id": f"l{sign}", "kind": "literal", "text": sign, "after": "#"},
                                              {"id": f"s{sign}", "kind": "field", "field": "s"}]}
        for sign in ("d", "t")
    ]  # fmt: skip
    read = {"id": "r", "name": "of", "binds": [{"field": "n"}], "columns": ["ct"]}
    families = [{"id": "f", "name": "f", "columns": columns}]
    module = module_of(make(Content(keyed({"kind": "field", "field": "n"}, reads=(read,), families=families))))

    told = json.loads(module.t_of_filter())

    assert [takes(told, "f", one) for one in (b"t#cpu", b"t#", b"d#cpu", b"d#t#cpu", b"t")] == [
        True,
        True,
        *[False] * 3,
    ]


@cases("prefixes, qualifiers", [
        (("", ""), (b"cpu", b"cpv", b"aaa")),
        (("d#", "d"), (b"d#cpu", b"d#cpv", b"d", b"daaa")),
    ])  # fmt: skip
def test_a_cell_of_a_range_and_of_a_pattern_is_returned_once(
    prefixes: tuple[str, str], qualifiers: tuple[bytes, ...]
) -> None:
    """Of qualifiers {s} and {u} in one family, of which the caller knows s: both patterns take "cpu"."""
    columns = [
        {"id": f"c{field}", "qualifier_from": [
            *([{"id": f"l{field}", "kind": "literal", "text": prefix}] if prefix else []),
            {"id": f"s{field}", "kind": "field", "field": field}]}
        for field, prefix in zip("su", prefixes, strict=True)
    ]  # fmt: skip
    read = {"id": "r", "name": "of", "binds": [{"field": "n"}, {"field": "s"}]}
    families = [{"id": "f", "name": "f", "columns": columns}]
    module = module_of(make(Content(keyed({"kind": "field", "field": "n"}, reads=(read,), families=families))))

    told = json.loads(module.t_of_filter("cpu"))

    assert all(takes(told, "f", one) for one in qualifiers)


# --- beginnings of texts ---

BEGUN: dict[str, dict[str, Any]] = {
    "text": {"field": "s"}, "escaped": {"field": "s", "transforms": [{"kind": "percent"}]},
    "domain": {"field": "d", "transforms": [{"kind": "reverse_domain"}]},
}  # fmt: skip


def begun_spec(segment: dict[str, Any]) -> Spec:
    key = ({"kind": "field", "field": "w", "after": "#"}, {"kind": "field", **segment, "after": "#"},
           {"kind": "field", "field": "n"})  # fmt: skip
    read = {"id": "r", "name": "some", "binds": [{"field": "w"}, {"field": segment["field"], "prefix": True}]}
    return keyed(*key, reads=(read,))


def test_the_beginning_of_a_text_is_an_argument_of_the_ranges() -> None:
    module = module_of(make(Content(begun_spec({"field": "s"}))))

    assert module.verify() > 0
    assert module.t_some_ranges(7, "ber") == [(b"7#ber", b"7#bes")]
    assert module.t_some_ranges(7, "") == [(b"7#", b"7$")]
    with pytest.raises(ValueError, match=r"^s"):
        module.t_some_ranges(7, "b#")
    assert any(make is module.t_some_ranges for make, *_ in module.RANGES)


def test_the_parent_of_a_domain_is_an_argument_of_the_ranges() -> None:
    module = module_of(make(Content(example("reversed-domains"))))
    name = next(name for name in dir(module) if name.endswith("everything_under_a_parent_domain_ranges"))

    assert getattr(module, name)("google.com") == [(b"com.google", b"com.googlf")]
    assert list(inspect.signature(getattr(module, name)).parameters) == ["beginning_of_domain"]
