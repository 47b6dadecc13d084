"""HBase, Tablestore and row key schemas: what can be said, and what is refused with its element."""

import ast
import base64
import json
import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.instance import Cluster, Instance
from designer.document.load import from_data
from reviews.exports.hbase import key_text, limits
from reviews.exports.hbase import make as hbase
from reviews.exports.row_key_schema import make as schemas
from reviews.exports.shared import gc
from reviews.exports.tablestore import make as tablestore
from tests.cases import cases
from tests.contexts import Content
from tests.designs import HOSTILE, hostile

DAY = gc.Age(86_400_000)
V2, V5 = gc.Versions(2), gc.Versions(5)

# --- HBase ----------------------------------------------------------------------------------------------------------


@cases("rule, said", [
        (None, (None, None, None)), (V5, (5, None, None)), (DAY, (None, 86_400_000, None)),
        (gc.AnyOf((DAY, V5)), (5, 86_400_000, None)), (gc.AllOf((V2, DAY)), (None, 86_400_000, 2)),
        (gc.AnyOf((V5, gc.AllOf((DAY, V2)))), (5, 86_400_000, 2)),
        (gc.AnyOf((V5, V2)), None), (gc.AllOf((DAY, gc.Age(1))), None), (gc.AnyOf((DAY, gc.AllOf((DAY, V2)))), None),
        (gc.AllOf((V2, gc.AnyOf((DAY, V5)))), None), (gc.AnyOf((DAY, V2, gc.Age(1))), None),
    ])  # fmt: skip
def test_hbase_says_six_kinds_of_rules_and_no_other(rule: gc.Rule | None, said: object) -> None:
    assert limits(rule) == said


def family(**said: object) -> Spec:
    return from_data(
        {"name": "x", "tables": [{"id": "t", "name": "t", "families": [{"id": "f", "name": "m", **said}]}]}
    )


@pytest.mark.parametrize(
    "said",
    [
        {"gc": {"kind": "max_age", "age_days": 0.5 / 86_400}},
        {"gc": {"kind": "max_age", "age_days": 25_000}},
        {"kind": "sum"},
        {"gc": {"kind": "union", "rules": [{"kind": "max_versions", "versions": 2}, {"kind": "intersection", "rules": [
            {"kind": "max_age", "age_days": 1}, {"kind": "max_versions", "versions": 2}]}]}},
    ],
)  # fmt: skip
def test_what_hbase_cannot_say_is_refused_by_family_and_nothing_milder_is_written(said: dict) -> None:
    made = hbase(Content(family(**said)))

    assert [remark.at for remark in made.refusals] == ["f", "t"]
    assert "create" not in re.sub("#.*", "", made.files[0].text)


@given(st.binary(max_size=30))
def test_hbase_reads_a_split_key_back_byte_for_byte(key: bytes) -> None:
    literal = key_text(key)
    inside = literal[1:-1]

    assert not re.search(r"['\\](?!x[0-9A-F]{2})", inside)  # for Ruby: no end, no escape but the one it leaves alone
    read = re.sub(r"\\x([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), inside)
    assert read.encode("latin-1") == key


def test_every_command_of_a_hostile_design_is_one_line_of_ruby_that_calls_create() -> None:
    text = hbase(Content(hostile())).files[0].text

    for line in text.splitlines():
        string = r"'(?:[^'\\]|\\x[0-9A-F]{2})*'"
        attributes = rf"\{{NAME => {string}(?:, [A-Z_]+ => \d+)+\}}"
        assert re.fullmatch(
            rf"|#.*|create {string}(?:, {attributes})+(?:, SPLITS => \[{string}(?:, {string})*\])?", line
        ), line


# --- row key schemas ------------------------------------------------------------------------------------------------

FIELDS = [
    {"id": "a", "name": "a", "kind": "uuid"}, {"id": "n", "name": "n", "kind": "integer"},
    {"id": "raw", "name": "raw", "kind": "bytes"}, {"id": "s", "name": HOSTILE[0], "kind": "uuid"},
]  # fmt: skip
EIGHT = [{"kind": "big_endian", "length": 8}]


def keyed(*segments: dict, more: list[dict] | None = None) -> Spec:
    key = [{"id": f"k{n}", "kind": "field", **one} for n, one in enumerate(segments)]
    kinds = [{"id": "r", "key": key}, *(more or [])]
    return from_data({"name": "x", "fields": FIELDS, "tables": [{"id": "t", "name": "t", "row_kinds": kinds}]})


def test_the_yaml_has_the_delimiter_as_text_and_the_json_in_base64() -> None:
    made = schemas(Content(keyed({"field": "a", "after": "#"}, {"field": "s"})))

    texts = {one.name.rsplit(".", 1)[1]: one.text for one in made.files}
    in_yaml, in_json = yaml.safe_load(texts["yaml"]), json.loads(texts["json"])["structType"]
    assert in_yaml["encoding"] == {"delimitedBytes": {"delimiter": "#"}}
    assert in_json["encoding"] == {"delimitedBytes": {"delimiter": base64.b64encode(b"#").decode()}}
    assert in_yaml["fields"] == in_json["fields"]
    names = [field["fieldName"] for field in in_json["fields"]]
    assert all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in names)


def test_no_field_of_a_struct_has_a_name_of_a_family_or_of_the_service() -> None:
    """Invariant 4 of the admin API's `Table.row_key_schema`."""
    spec = keyed({"field": "a", "after": "#"}, {"field": "n"})
    table = spec.tables[0].model_copy(update={"families": from_data(
        {"tables": [{"id": "t", "families": [{"id": "f", "name": "a"}]}]}
    ).tables[0].families})  # fmt: skip
    fields = (*spec.fields[:1], spec.fields[1].model_copy(update={"name": "_key"}), *spec.fields[2:])

    made = schemas(Content(spec.model_copy(update={"tables": (table,), "fields": fields})))

    found = json.loads(made.files[0].text)["structType"]["fields"]
    assert [re.sub("_[0-9a-f]{6}$", "", one["fieldName"]) for one in found] == ["a", "key"]
    assert not {one["fieldName"] for one in found} & {"a", "_key"}
    assert [one.at for one in made.notes[:2]] == ["k0", "k1"]


def test_values_below_the_delimiter_or_unknown_are_noted() -> None:
    def noted(delimiter: str, **field: object) -> list[str]:
        fields = [{"id": "x", "name": "x", **field}, {"id": "y", "name": "y", "kind": "uuid"}]
        key = [{"id": "k0", "kind": "field", "field": "x", "after": delimiter},
               {"id": "k1", "kind": "field", "field": "y"}]  # fmt: skip
        spec = from_data({"fields": fields, "tables": [{"id": "t", "row_kinds": [{"id": "r", "key": key}]}]})
        return [str(one) for one in schemas(Content(spec)).notes if one.at == "k0"]

    assert noted("#", kind="integer") == []
    assert ["above the delimiter" in one for one in noted(":", kind="integer")] == [True]


def test_a_key_of_one_number_is_a_singleton() -> None:
    made = schemas(Content(keyed({"field": "n", "transforms": EIGHT})))

    found = json.loads(made.files[0].text)["structType"]
    assert found["encoding"] == {"singleton": {}}
    assert found["fields"][0]["type"] == {"int64Type": {"encoding": {"bigEndianBytes": {}}}}


@cases(
    "segments, at",
    [
        (({"field": "a"}, {"field": "s"}), "k0"),
        (({"field": "a", "after": "#"}, {"field": "n", "after": "|"}, {"field": "s"}), "k1"),
        (({"field": "a", "after": "#"}, {"field": "s", "after": "#"}), "k1"),
        (({"field": "a", "after": "-"}, {"field": "n"}), "k0"),
        (({"field": "raw", "after": "#"}, {"field": "a"}), "k0"),
        (({"field": "n", "transforms": EIGHT, "after": "#"}, {"field": "a"}), "k0"),
        (({"kind": "literal", "text": "a#b", "after": "#"}, {"field": "a"}), "k0"),
        (({"kind": "time", "pattern": "%Y-%m", "after": "-"}, {"field": "n"}), "k0"),
        ((), "r"),
    ],
)
def test_what_no_struct_describes_is_refused_by_segment(segments: tuple, at: str) -> None:
    made = schemas(Content(keyed(*segments)))

    assert [remark.at for remark in made.refusals] == [at]
    assert made.files == ()


def test_rows_of_another_key_in_one_table_are_refused() -> None:
    other = [{"id": "r2", "key": [{"id": "z", "kind": "field", "field": "a"}]}]

    made = schemas(Content(keyed({"field": "a", "after": "#"}, {"field": "n"}, more=other)))

    assert [remark.at for remark in made.refusals] == ["r2"]


# --- Tablestore -----------------------------------------------------------------------------------------------------

COLUMNS = [{"id": "c1", "name": "card"}, {"id": "c2", "name": "seq", "type": "INTEGER", "auto_increment": True}]


def stored(columns: list[dict], **said: object) -> Spec:
    table = {"id": "t", "name": "cards", "row_kinds": [{"id": "r", "key_columns": columns}], **said}
    return from_data({"name": "x", "engine": "tablestore", "tables": [table]})


def test_the_request_has_the_apis_names_and_the_program_the_same_data() -> None:
    own = {"ttl_seconds": 864_000, "max_versions": 3, "reserved_read_cu": 10}

    made = tablestore(Content(stored(COLUMNS, tablestore=own)))

    as_json, program = made.files
    requests = json.loads(as_json.text)
    assert requests == [
        {
            "table_meta": {
                "table_name": "cards",
                "primary_key": [
                    {"name": "card", "type": "STRING"}, {"name": "seq", "type": "INTEGER", "option": "AUTO_INCREMENT"},
                ],
            },
            "table_options": {"time_to_live": 864_000, "max_versions": 3, "deviation_cell_version_in_sec": 86_400},
            "reserved_throughput": {"capacity_unit": {"read": 10, "write": 0}},
        }
    ]  # fmt: skip
    tables = next(node for node in ast.parse(program.text).body if isinstance(node, ast.Assign))
    assert ast.literal_eval(tables.value) == requests


def test_streams_and_encryption_are_literals_of_python_in_the_program() -> None:
    made = tablestore(Content(stored(COLUMNS, tablestore={"stream_hours": 24, "encrypted": True})))

    requests = json.loads(made.files[0].text)
    tables = next(node for node in ast.parse(made.files[1].text).body if isinstance(node, ast.Assign))
    assert requests[0]["stream_spec"]["enable_stream"] is requests[0]["sse_spec"]["enable"] is True
    assert ast.literal_eval(tables.value) == requests


@pytest.mark.parametrize(
    ("columns", "at"),
    [
        ([], "t"),
        ([{"id": f"c{n}", "name": f"c{n}"} for n in range(5)], "c4"),
        ([{"id": "c1", "name": "a", "type": "INTEGER", "auto_increment": True}], "c1"),
        ([COLUMNS[0], {"id": "c2", "name": "b", "auto_increment": True}], "c2"),
        ([*COLUMNS, {"id": "c3", "name": "c", "type": "INTEGER", "auto_increment": True}], "c3"),
    ],
)
def test_keys_that_tablestore_does_not_take_are_refused_by_column(columns: list[dict], at: str) -> None:
    made = tablestore(Content(stored(columns)))

    assert [remark.at for remark in made.refusals] == [at]
    assert made.files == ()


def test_limits_that_the_sdk_does_not_check_are_checked() -> None:
    assert tablestore(Content(stored(COLUMNS, tablestore={"ttl_seconds": 86_399}))).refusals
    assert not tablestore(Content(stored(COLUMNS, tablestore={"ttl_seconds": 86_400}))).refusals
    assert tablestore(Content(stored(COLUMNS, tablestore={"reserved_read_cu": 100_001}))).refusals
    assert tablestore(Content(stored(COLUMNS, tablestore={"max_versions": 2**31}))).refusals
    assert not tablestore(Content(stored(COLUMNS, tablestore={"max_versions": 2**31 - 1}))).refusals
    reserved = stored(COLUMNS, tablestore={"reserved_read_cu": 1})
    capacity = reserved.instance.model_copy(update={"tablestore_type": "capacity"})
    assert not tablestore(Content(reserved)).refusals
    assert tablestore(Content(reserved.model_copy(update={"instance": capacity}))).refusals
    assert tablestore(Content(stored(COLUMNS, split_keys=["a"]))).refusals
    clusters = tuple(Cluster(id=place, region=place) for place in ("cn-hangzhou", "cn-beijing"))
    two = stored(COLUMNS).model_copy(update={"instance": Instance(clusters=clusters)})
    assert [remark.at for remark in tablestore(Content(two)).refusals] == ["cn-beijing"]


def test_hostile_names_stay_data_in_the_program() -> None:
    tables = [
        {"id": f"t{n}", "name": name, "row_kinds": [{"id": f"r{n}", "key_columns": [{"id": f"c{n}", "name": name}]}]}
        for n, name in enumerate(HOSTILE)
    ]

    made = tablestore(Content(from_data({"name": "".join(HOSTILE[:9]), "engine": "tablestore", "tables": tables})))

    tree = ast.parse(made.files[1].text)
    held = ast.literal_eval(next(node for node in tree.body if isinstance(node, ast.Assign)).value)
    names = [one["table_meta"]["table_name"] for one in held]
    assert len(set(names)) == len(HOSTILE)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,254}", name) for name in names)
    assert len(tree.body) == len(ast.parse(tablestore(Content(stored(COLUMNS))).files[1].text).body)
