"""Definitions of other databases: their keys, columns and lives become a design, and the rest is said."""

import json
from typing import Any

import pytest

from designer.document import InvalidDocumentError
from designer.document.family import Intersection, MaxAge, MaxVersions, Union
from designer.document.table import Table
from designer.imports import ImportResult, read
from designer.wording import key_of

ORDERS = {
    "TableName": "Orders",
    "ItemCount": 1_200_000,
    "TableStatus": "ACTIVE",
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "DeletionProtectionEnabled": True,
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "KeySchema": [
        {"AttributeName": "orderDate", "KeyType": "RANGE"}, {"AttributeName": "customerId", "KeyType": "HASH"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "customerId", "AttributeType": "N"}, {"AttributeName": "orderDate", "AttributeType": "S"},
        {"AttributeName": "status", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by-status",
        "KeySchema": [
            {"AttributeName": "status", "KeyType": "HASH"}, {"AttributeName": "orderDate", "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total", "customerId"]},
    }],
}  # fmt: skip
TEMPLATE = """
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  AppTable:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub "${AWS::StackName}-app"
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - AttributeName: PK
          AttributeType: S
        - {AttributeName: SK, AttributeType: B}
      KeySchema:
        - {AttributeName: PK, KeyType: HASH}
        - {AttributeName: SK, KeyType: RANGE}
      TimeToLiveSpecification: {AttributeName: expires_at, Enabled: true}
"""
SHELL = r"""hbase:001:0> create 'ns:metrics', {NAME => 'd', TTL => 604800}, {NAME => 'm', VERSIONS => 5,
  MIN_VERSIONS => 2, TTL => '1 DAY 12 HOURS', COMPRESSION => 'SNAPPY', IS_MOB => true}, SPLITS => ['g', "n\x00"]
Created table ns:metrics
hbase:002:0> put 'ns:metrics', 'r', 'd:a', 'v'
create 'plain', 'f1', "f2"
create 'kept', {NAME => 'all', VERSIONS => 2147483647, TTL => 'FOREVER'}, {NAME => 'odd', TTL => 'a while'}
"""
DESCRIBED = """hbase:001:0> describe 'readings'
Table readings is ENABLED
readings, {TABLE_ATTRIBUTES => {METADATA => {'hbase.store.file-tracker.impl' => 'DEFAULT'}}}
COLUMN FAMILIES DESCRIPTION
{NAME => 'f1', INDEX_BLOCK_ENCODING => 'NONE', VERSIONS => '3', KEEP_DELETED_CELLS => 'FALSE', \
TTL => '604800 SECONDS (7 DAYS)', MIN_VERSIONS => '0', BLOCKSIZE => '65536 B (64KB)'}

{NAME => 'f2', VERSIONS => '1', TTL => 'FOREVER', ENCRYPTION => 'AES'}
2 row(s)
"""


def keys(result: ImportResult) -> list[str]:
    return [key_of(result.spec, kind) for table in result.spec.tables for kind in table.row_kinds]


def rules(table: Table) -> dict[str, Any]:
    return {family.name: family.gc for family in table.families}


def columns(table: Table) -> dict[str, str]:
    return {column.qualifier: column.value.kind for column in table.families[0].columns}


@pytest.mark.parametrize("wrap", [
    lambda table: {"Table": table},
    lambda table: table,
    lambda table: [{"TableDescription": table}],
    lambda table: {"Resources": {"X": {"Type": "AWS::DynamoDB::Table", "Properties": table}}},
])  # fmt: skip
def test_a_table_of_dynamodb_is_read_wherever_it_stands(wrap: Any) -> None:
    result = read(json.dumps(wrap(ORDERS)))
    orders, index = result.spec.tables

    assert result.format == "dynamodb"
    assert keys(result) == [
        '{customerId}#{orderDate:day:"%Y%m%d"}', '{status}#{orderDate:day:"%Y%m%d"}#{customerId}',
    ]  # fmt: skip
    kinds = {field.name: field.kind for field in result.spec.fields}
    assert kinds == {"customerId": "integer", "orderDate": "timestamp", "status": None}
    assert (orders.name, orders.rows_stored, orders.deletion_protection, orders.change_stream_days) == (
        "Orders", 1_200_000, True, 1,
    )  # fmt: skip
    assert columns(orders) == {"status": "text"}
    assert index.name == "Orders_by-status"
    assert index.derived_from is not None
    assert (index.derived_from.table, index.derived_from.how) == (orders.id, "index_table")
    assert columns(index) == {"total": "text"}
    assert [str(remark) for remark in result.remarks] == ["Orders: BillingModeSummary is not part of a design"]


def test_a_template_with_tags_names_the_resource_and_says_what_no_definition_tells() -> None:
    result = read(TEMPLATE)

    assert [table.name for table in result.spec.tables] == ["AppTable"]
    assert keys(result) == ["{PK}#{SK}"]
    assert [str(remark) for remark in result.remarks] == [
        "AppTable: PK, SK are general names: import sample keys, which show what they hold",
        "AppTable: items expire at the time in their attribute expires_at: specify how long rows are kept",
        "AppTable: BillingMode is not part of a design",
    ]


@pytest.mark.parametrize("text", [
    '{"KeySchema": [3], "AttributeDefinitions": [4]}', '{"KeySchema": [], "AttributeDefinitions": [{}]}',
    "Resources:\n  KeySchema:\n",
])  # fmt: skip
def test_a_damaged_table_of_dynamodb_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvalidDocumentError, match=r"does not match the output of DynamoDB|no tables found"):
        read(text)


def test_tables_that_the_shell_of_hbase_creates_have_its_families_and_splits() -> None:
    result = read(SHELL)
    metrics, plain, kept = result.spec.tables

    assert result.format == "hbase"
    assert rules(metrics) == {
        "d": Union(rules=(MaxVersions(versions=1), MaxAge(age_days=7))),
        "m": Union(rules=(
            MaxVersions(versions=5), Intersection(rules=(MaxAge(age_days=1.5), MaxVersions(versions=2))),
        )),
    }  # fmt: skip
    assert metrics.split_keys == ("g", r"n\x00")
    assert rules(plain) == {"f1": MaxVersions(versions=1), "f2": MaxVersions(versions=1)}
    assert rules(kept) == {"all": None, "odd": None}
    assert [str(remark) for remark in result.remarks] == [
        "ns:metrics: a table's name cannot contain a colon: imported as ns_metrics",
        "ns_metrics: IS_MOB is not part of a design",
        "kept.odd: rule a while not recognised",
    ]


def test_a_description_of_hbase_has_the_rules_of_its_families() -> None:
    result = read(DESCRIBED)
    (readings,) = result.spec.tables

    assert (result.format, readings.name) == ("hbase", "readings")
    assert rules(readings) == {
        "f1": Union(rules=(MaxVersions(versions=3), MaxAge(age_days=7))), "f2": MaxVersions(versions=1),
    }  # fmt: skip
    assert [str(remark) for remark in result.remarks] == ["readings: ENCRYPTION is not part of a design"]


def test_a_name_of_a_time_may_stand_in_the_keys_of_several_tables() -> None:
    result = read(
        "CREATE TABLE a (x uuid, ts timestamp, PRIMARY KEY (x, ts)); CREATE TABLE b (y uuid, ts timestamp, "
        "PRIMARY KEY (y, ts));"
    )

    assert keys(result) == ["{x}#{ts}", "{y}#{ts}"]
    assert result.remarks == ()


def test_constraints_of_sql_are_no_columns() -> None:
    result = read(
        "CREATE TABLE a (id bigint, b int, m map<text, frozen<list<int>>>, key varchar(20), "
        "CONSTRAINT fk FOREIGN KEY (b) REFERENCES z (id), UNIQUE (b), CHECK (b > 0 AND b < 9), INDEX ix (b), "
        "c int CHECK (c < 3), PRIMARY KEY (id, b))"
    )

    assert keys(result) == ["{id}#{b}"]
    assert columns(result.spec.tables[0]) == {"m": "json", "key": "text", "c": "integer"}


def test_one_bad_table_does_not_take_the_others_with_it() -> None:
    """The others have fields, which a table read alone does not know."""
    result = read(
        f"CREATE TABLE b (z int PRIMARY KEY) WITH default_time_to_live = {'9' * 18};"
        "CREATE TABLE a (x uuid PRIMARY KEY);"
    )

    assert [table.name for table in result.spec.tables] == ["a"]
    assert len(result.remarks) == 1


@pytest.mark.parametrize("text", [
    'CREATE TABLE t (a text, at timestamp, v int, CONSTRAINT "t_pkey" PRIMARY KEY (a, at DESC));',
    "CREATE TABLE `t` (`a` varchar(255), `at` timestamp, v int, PRIMARY KEY (`a`(99), `at` DESC) USING BTREE);",
    "CREATE TABLE t (a STRING(36) NOT NULL, at TIMESTAMP, v INT64) PRIMARY KEY (a, at DESC);",
    "CREATE TABLE t (A text, At timestamp, v int, PRIMARY KEY (a, AT)) WITH CLUSTERING ORDER BY (aT DESC);",
])  # fmt: skip
def test_a_primary_key_is_found_where_each_database_writes_it(text: str) -> None:
    result = read(text)

    assert [key.lower() for key in keys(result)] == ["{a}#{at:rev}"]
    assert [column.qualifier for column in result.spec.tables[0].families[0].columns] == ["v"]
    assert result.remarks == ()


def test_a_key_that_is_added_later_is_that_of_its_table_and_a_table_without_says_so() -> None:
    result = read(
        "CREATE TABLE public.t (a integer NOT NULL, b text);\nCREATE TABLE u (c text);\n"
        "ALTER TABLE ONLY public.t\n    ADD CONSTRAINT t_pkey PRIMARY KEY (a);"
    )

    assert keys(result) == ["{a}", ""]
    assert [str(remark) for remark in result.remarks] == ["u: no primary key found: specify the row key"]


def test_a_timeuuid_that_is_named_as_a_time_goes_on_to_tell_rows_apart() -> None:
    table = "CREATE TABLE t (host text, ts timeuuid, PRIMARY KEY (host, ts))"

    assert keys(read(table)) == ["{host}#{ts}#{ts_id}"]
    assert keys(read(f"{table} WITH CLUSTERING ORDER BY (ts DESC)")) == ["{host}#{ts:rev}#{ts_id}"]


def test_settings_within_a_family_of_hbase_and_later_changes_are_read() -> None:
    result = read(
        "Table t is ENABLED\n"
        "{NAME => 'f', VERSIONS => '2', CONFIGURATION => {'k' => 'v'}, METADATA => {'a' => 'b'}, TTL => 'FOREVER'}\n"
        "create 'u', 'f', SPLITS => ['m', 'a]b']\nalter 'u', NAME => 'f', VERSIONS => 7\n"
        "alter 'u', {NAME => 'g', TTL => 86400}, {NAME => 'h', METHOD => 'delete'}\n"
    )
    described, altered = result.spec.tables

    assert rules(described) == {"f": MaxVersions(versions=2)}
    assert rules(altered) == {
        "f": MaxVersions(versions=7), "g": Union(rules=(MaxVersions(versions=1), MaxAge(age_days=1))),
    }  # fmt: skip
    assert altered.split_keys == ("m", "a]b")


KEYS = [f"user{number * 7_919 % 1_000_000:06d}#{1_767_225_600 + number * 61}" for number in range(60)]


@pytest.mark.parametrize("text", [
    "\n".join(f"b'{key}'" for key in KEYS),
    "\n".join(f"'{key}'" for key in KEYS),
    "row_key\n" + "\n".join(f'"{key}"' for key in KEYS),
    "ROW                          COLUMN+CELL\n"
    + "\n".join(f" {key}      column=cf:{name}, timestamp=1, value=abc" for key in KEYS for name in "ab"),
])  # fmt: skip
def test_keys_are_read_as_programs_print_them(text: str) -> None:
    assert keys(read(text)) == keys(read("\n".join(KEYS)))
