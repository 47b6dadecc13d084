"""Code for Tablestore's primary keys: it makes what the estimator makes, and the bounds that a trial reads by."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from designer.document import Spec
from designer.document.columnkey import ColumnForm
from designer.document.load import from_data, load
from designer.examples import examples
from estimator.kernels.keys.patterns.inputs import inputs_of
from estimator.kernels.keys.rendering import render
from reviews.exports.code import make
from reviews.exports.key_code.columns.codes import PrimaryKeyCode
from reviews.exports.key_code.columns.plan import BACKWARD_TEXT, plan_primary_keys
from reviews.exports.shared.result import ExportRemarks
from reviews.trials.column_ranges import key_values
from tests.cases import cases
from tests.contexts import Content
from tests.tablestore_designs import design

from .code_calls import Call, argument, columns_in_words, event_number, go_answers, module_of, node_answers
from .java_calls import java_answers

EXAMPLES = {each.spec.name: each.spec for each in examples() if each.spec.engine == "tablestore"}
EVENTS = 40


def estimator_keys(spec: Spec, events: int) -> Iterator[tuple[PrimaryKeyCode, Call, list[tuple[str, Any]]]]:
    """Yield calls that make keys, and what the estimator makes of the same values."""
    kinds = [(table, kind) for table in spec.tables for kind in table.row_kinds]
    codes = {code.name: code for code in plan_primary_keys(spec, ExportRemarks())}
    assert len(kinds) == len(codes)
    for (table, kind), code in zip(kinds, codes.values(), strict=True):
        if table.derived_from and table.derived_from.is_secondary_index:
            continue
        inputs, forms = (
            inputs_of(spec, table, kind, ids_max=1, seed=3),
            [ColumnForm(c.name, c.type) for c in code.columns],
        )
        for number in range(events):
            event = event_number(inputs, number)
            arguments = tuple(argument(inputs, each, event) for each in code.parameters)
            values = key_values(render.key(inputs.segments, inputs.fields, event), forms)
            texts = [
                one.decode() if isinstance(one, bytes) and form.type == "STRING" else one
                for one, form in zip(values, forms, strict=True)
            ]
            yield code, ("make", code.name, arguments), list(zip([form.name for form in forms], texts, strict=True))


def check_keys(spec: Spec, module: ModuleType, events: int = EVENTS) -> int:
    """Compare keys with the estimator's; return how many."""
    compared = 0
    for code, (_, name, arguments), key in estimator_keys(spec, events):
        made = getattr(module, f"make_{name}")(*arguments)
        assert made == key
        if code.is_parsed:
            getattr(module, f"parse_{name}")(made)
        compared += 1
    return compared


@cases("name", EXAMPLES)
def test_the_module_makes_the_keys_of_the_estimator(name: str) -> None:
    made = make(Content(EXAMPLES[name]))
    module = module_of(made)
    assert made.refusals == ()
    assert module.verify() == len(module.VECTORS) > 0
    assert check_keys(EXAMPLES[name], module) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_module_makes_ten_thousand_keys_of_the_estimator(name: str) -> None:
    assert check_keys(EXAMPLES[name], module_of(make(Content(EXAMPLES[name]))), 10_000) >= 10_000


def check_language(answers_of: Callable[..., dict[str, list[Any]]], folder: Path, events: int) -> None:
    """Compare the keys of another language with the estimator's, of all examples and the rich designs."""
    designs = {f"x{place}": spec for place, spec in enumerate([*EXAMPLES.values(), design(), ranged_design()])}
    keys = {name: [(call, key) for _, call, key in estimator_keys(spec, events)] for name, spec in designs.items()}

    answers = answers_of(folder, {name: (spec, [call for call, _ in keys[name]]) for name, spec in designs.items()})

    for name, made in keys.items():
        assert answers[name].pop() > 0
        assert answers[name] == [columns_in_words(key) for _, key in made]


LANGUAGES = pytest.mark.parametrize(
    "answers_of", [node_answers, java_answers, go_answers], ids=["typescript", "java", "go"]
)


@LANGUAGES
def test_other_languages_make_the_keys_of_the_estimator(
    answers_of: Callable[..., dict[str, list[Any]]], tmp_path: Path
) -> None:
    check_language(answers_of, tmp_path, EVENTS)


@pytest.mark.slow
@LANGUAGES
def test_other_languages_make_ten_thousand_keys_of_the_estimator(
    answers_of: Callable[..., dict[str, list[Any]]], tmp_path: Path
) -> None:
    check_language(answers_of, tmp_path, 10_000)


def test_what_a_language_cannot_make_exactly_is_refused_with_its_row_kind() -> None:
    upper = {"kind": "field", "field": "tag", "transforms": [{"kind": "case", "to": "upper"}]}
    spec = keyed_design([column("STRING", upper)], {})

    for language in ("typescript", "java", "go"):
        made = make(Content(spec, code_language=language))
        assert [remark.at for remark in made.refusals] == ["k"]
    assert make(Content(spec)).refusals == ()


@pytest.fixture(scope="module")
def rich() -> ModuleType:
    made = make(Content(design()))
    assert {one.message for one in made.refusals} == {BACKWARD_TEXT}
    return module_of(made)


def bound_text(bound: list[tuple[str, Any]], module: ModuleType) -> str:
    names = {module.INF_MIN: "-inf", module.INF_MAX: "+inf"}
    return f"({', '.join(names[value] if isinstance(value, type) else str(value) for _, value in bound)})"


DAYS = (1_767_052_800_000_000, 1_767_225_600_000_000)


@pytest.mark.parametrize(
    ("read", "arguments", "first", "end"),
    [
        ("of user", ("ü1",), "(ü1, -inf, -inf)", "(ü1, +inf, +inf)"),
        ("newest", ("ü1",), "(ü1, +inf, +inf)", "(ü1, -inf, -inf)"),
        ("days", ("ü1", *DAYS), "(ü1, 1767052800, -inf)", "(ü1, 1767225601, -inf)"),
        ("days back", ("ü1", *DAYS), "(ü1, 1767225600, +inf)", "(ü1, 1767052799, +inf)"),
        ("all", (), "(-inf, -inf, -inf)", "(+inf, +inf, +inf)"),
    ],
)
def test_bounds_are_those_that_a_trial_reads_by(
    rich: ModuleType, read: str, arguments: tuple[Any, ...], first: str, end: str
) -> None:
    slug = re.sub("[^a-z]+", "_", read)
    ((low, high),) = getattr(rich, f"events_{slug}_ranges")(*arguments)
    assert (bound_text(low, rich), bound_text(high, rich)) == (first, end)


def column(type_: str, *segments: dict[str, Any]) -> dict[str, Any]:
    return {"type": type_, "segments": list(segments)}


TAGS = ("a", "a!", "a€", "ab", "b", "z", "ß", "\U0010ffff")
"""Below and above a "#" where they go on."""


def keyed_design(key: list[dict[str, Any]], reads: dict[str, dict[str, Any]]) -> Spec:
    """A table for the service with these columns and reads."""
    columns = [
        {**each, "id": f"c{place}", "name": f"c{place}",
         "segments": [{**one, "id": f"c{place}-{n}"} for n, one in enumerate(each["segments"])]}
        for place, each in enumerate(key)
    ]  # fmt: skip
    return from_data({
        "name": "Ranges", "engine": "tablestore",
        "fields": [
            {"id": "n", "name": "n", "kind": "integer", "values": {"kind": "range", "min": -12, "max": 12}},
            {"id": "tag", "name": "tag", "values": {"kind": "enumeration", "items": [{"value": t} for t in TAGS]}},
            {"id": "raw", "name": "raw", "kind": "bytes", "values": {"kind": "random", "min": 0, "max": 2}},
        ],
        "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "k", "key_columns": columns, "reads": [
            {"id": name.replace(" ", "-"), "name": name, **read} for name, read in reads.items()]}]}],
    })  # fmt: skip


N, TAG, RAW = ({"kind": "field", "field": name} for name in ("n", "tag", "raw"))
DOWN = {**N, "transforms": [{"kind": "offset", "by": 20}, {"kind": "descending", "top": 99}]}
KEYS: dict[str, list[dict[str, Any]]] = {
    "numbers": [column("INTEGER", N), column("STRING", TAG)],
    "numbers down": [column("INTEGER", DOWN), column("STRING", TAG)],
    "texts": [column("STRING", TAG), column("INTEGER", N)],
    "last texts": [column("INTEGER", N), column("STRING", TAG)],
    "texts before": [column("STRING", {**TAG, "after": "#"}, {**N, "transforms": [
        {"kind": "offset", "by": 20}, {"kind": "pad", "width": 2}]})],
    "bytes": [column("BINARY", RAW), column("STRING", TAG)],
}  # fmt: skip
ASKED = {"numbers": "n", "numbers down": "n", "texts": "tag", "last texts": "tag", "texts before": "tag",
         "bytes": "raw"}  # fmt: skip


def reads_of(field: str, *known: str) -> dict[str, dict[str, Any]]:
    binds = [{"field": one} for one in known]
    some = "3" if field == "n" else "b"
    ends = {"both": {"from_value": some, "to_value": some}, "low": {"from_value": some}, "high": {"to_value": some}}
    return {name: {"binds": [*binds, {"field": field, **end}]} for name, end in ends.items()}


def ranged_design() -> Spec:
    """Ranges of numbers, texts and bytes in columns, in one table."""
    return keyed_design(
        [column("INTEGER", N), *KEYS["texts before"], column("BINARY", RAW)],
        {"in n": {"binds": [{"field": "n", "from_value": "3", "to_value": "4"}]},
         "in tag": {"binds": [{"field": "n"}, {"field": "tag", "from_value": "b"}]},
         "to tag": {"binds": [{"field": "n"}, {"field": "tag", "to_value": "b"}]},
         "begun": {"binds": [{"field": "n"}, {"field": "tag", "prefix": True}]},
         "in raw": {"binds": [{"field": "n"}, {"field": "tag"}, {"field": "raw", "to_value": "b"}]}},
    )  # fmt: skip


VALUES: dict[str, Sequence[Any]] = {"n": range(-12, 13), "tag": TAGS, "raw": (b"", b"\0", b"a", b"a\xff", b"\xff\xff")}


def encode(key: list[tuple[str, Any]], module: ModuleType) -> list[tuple[int, Any]]:
    """Return a key or a bound by which the service sorts."""
    texts = [value.encode() if isinstance(value, str) else value for _, value in key]
    return [(0, 0) if one is module.INF_MIN else (2, 0) if one is module.INF_MAX else (1, one) for one in texts]


@pytest.mark.parametrize("form", KEYS)
@pytest.mark.parametrize("end", ["both", "low", "high"])
def test_ranges_of_values_hold_the_rows_of_these_values(form: str, end: str) -> None:
    field = ASKED[form]
    spec = keyed_design(KEYS[form], reads_of(field, *(["n"] if form == "last texts" else [])))
    module = module_of(make(Content(spec)))
    (code,) = plan_primary_keys(spec, ExportRemarks())
    assert module.verify() > 0
    assert all(read.vectors for read in code.reads)
    names = [parameter.id for parameter in code.parameters]
    rows = [dict(zip(names, values, strict=True)) for values in product(*(VALUES[name] for name in names))]
    keys = [(row, encode(module.make_t(*row.values()), module)) for row in rows]

    def order(value: Any) -> Any:
        return value.encode() if isinstance(value, str) else value

    for low, high in product(VALUES[field], repeat=2):
        if order(low) > order(high):
            continue
        given = [*([-12] if form == "last texts" else []), *([low] if end != "high" else []),
                 *([high] if end != "low" else [])]  # fmt: skip
        ((first, last),) = getattr(module, f"t_{end}_ranges")(*given)
        lowest, highest = encode(first, module), encode(last, module)
        for row, key in keys:
            is_asked = (end == "high" or order(row[field]) >= order(low)) and (
                end == "low" or order(row[field]) <= order(high)
            )
            is_known = form != "last texts" or row["n"] == -12
            is_within = lowest <= key < highest
            # A text that goes on below the delimiter stands before the shorter one: such rows are filtered.
            is_as_asked = is_within or not is_asked if form == "texts before" else is_within == (is_asked and is_known)
            assert is_as_asked, (row, given)


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    module = module_of(make(Content(keyed_design(KEYS["numbers"], reads_of("n")))))

    with pytest.raises(ValueError, match="ends before it begins"):
        module.t_both_ranges(4, 3)


def test_a_salt_that_nobody_knows_is_a_range_for_each_of_its_values(rich: ModuleType) -> None:
    found = rich.salted_salted_days_ranges("ü0", *DAYS)
    assert [bound_text(low, rich) for low, _ in found] == [f"({salt}, ü0#2025-12-30)" for salt in range(3)]
    assert found[0][1] == [("salt", 0), ("user_day", "ü0#2026-01-02")]


def test_the_rich_design_is_made_and_parsed(rich: ModuleType) -> None:
    assert rich.verify() == len(rich.VECTORS) > 0
    assert check_keys(design(), rich, 20) > 0
    with pytest.raises(ValueError, match="other columns"):
        next(iter(rich.PARSERS.values()))([("x", "y")])


LISTED = """
engine: {engine}
fields: {{user: distinct=100}}
activities: {{Seen: 1/s}}
tables:
  t:
    {key}
    writes: [Seen]
    reads: {{Of a day: "1/s, time=1d"}}
    families:
      f: {{columns: {{v: (10B)}}}}
"""


MANY_SALTS = {
    "tablestore": ("key_columns: '[salt INTEGER] {salt(user):1000} | [day] {time:day} | [user] {user}'", 1000),
    "bigtable": ("key: '{salt(user):4000}#{time:day}#{user}'", 4000),
}
"""By engine a key and its salts."""


def test_java_compiles_where_a_salt_has_more_values_than_a_method_has_room_for(tmp_path: Path) -> None:
    specs = {engine: load(LISTED.format(engine=engine, key=key)) for engine, (key, _) in MANY_SALTS.items()}
    answers = java_answers(tmp_path, {engine: (spec, ()) for engine, spec in specs.items()})

    for engine, (_, salts) in MANY_SALTS.items():
        (file,) = (tmp_path / engine).glob("*.java")
        assert file.read_text(encoding="utf-8").count(f"< {salts};") == 1, engine
        assert answers[engine][-1] > 0, engine


def test_columns_that_a_read_of_whole_rows_also_gets_are_noted() -> None:
    data = json.loads(design().model_dump_json())
    table = data["tables"][0]
    named = {"id": "named", "qualifier_from": [{"id": "q", "kind": "field", "field": "user"}]}
    table["families"][0]["columns"].append(named)
    read = next(read for read in table["row_kinds"][0]["reads"] if read["name"] == "column")
    read["columns"] = ["named"]

    notes = [str(remark) for remark in make(Content(from_data(data))).notes if remark.at == read["id"]]

    assert notes == ["also returned, as no qualifier tells them from what the read gets: ratio, raw, rare"]
