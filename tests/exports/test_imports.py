"""Imports: what is exported is read back the same, what tools print is understood, the rest is said with its place."""

import base64
import contextlib
import json
import os
import time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from designer.document import InvalidDocumentError, Spec, dump, fingerprint
from designer.document.family import Family, MaxAge
from designer.document.load import from_data
from designer.imports import NAMES, detect_format, read
from designer.imports.shared import gcrules
from designer.wording import key_of
from reviews.exports import format_named
from reviews.exports.shared import gc
from tests.cases import cases
from tests.contexts import Content
from tests.designs import HOSTILE, forty_tables, hostile
from tests.exports import tools


def schema(spec: Spec) -> list[Any]:
    """What of a design a Bigtable instance is made of, without ids."""
    return [
        (table.name, sorted(table.split_keys), table.deletion_protection, table.change_stream_days,
         sorted((family.name, family.kind, gc.rule_of(family.gc)) for family in table.families))
        for table in spec.tables
    ]  # fmt: skip


def names() -> list[str]:
    return list(NAMES)


# --- round trips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [forty_tables, hostile])
def test_our_json_comes_back_identical(spec: Any) -> None:
    text = format_named("json").make(Content(spec())).files[0].text

    found = read(text)

    assert (found.format, found.remarks) == ("design", ())
    assert found.spec == spec()
    assert dump(found.spec) == text


def test_an_export_with_findings_gives_the_design_and_says_what_is_left() -> None:
    spec = from_data({"name": "x", "tables": [{"id": "t", "name": "t"}]})
    text = format_named("json").make(Content(spec, included_parts=frozenset(("findings",)))).files[0].text

    found = read(text)

    assert fingerprint(found.spec) == fingerprint(spec)
    assert [one.where for one in found.remarks] == ["findings"]
    assert "its export: the hash differs" in str(read(text.replace('"name": "x"', '"name": "y"')).remarks[-1])


def test_terraform_comes_back_as_it_was_exported() -> None:
    text = format_named("terraform").make(Content(forty_tables())).files[0].text

    found = read(text)

    assert (found.format, found.remarks) == ("terraform", ())
    assert schema(found.spec) == [
        (name, splits, protected, days, families) for name, splits, protected, days, families in schema(forty_tables())
    ]
    assert found.spec.name == "Forty tables"
    assert [(c.name, c.zone, c.nodes) for c in found.spec.instance.clusters] == [
        (c.name, c.zone, c.nodes) for c in forty_tables().instance.clusters
    ]
    assert [(p.name, p.routing, p.priority, p.transactions) for p in found.spec.instance.app_profiles] == [
        (p.name, p.routing, p.priority, p.transactions) for p in forty_tables().instance.app_profiles
    ]


def test_hostile_terraform_is_read_without_loss_of_a_character() -> None:
    text = format_named("terraform").make(Content(hostile())).files[0].text

    found = read(text)

    assert found.remarks == ()
    assert [one.description for one in found.spec.instance.app_profiles if one.description]
    keys = [key for table in found.spec.tables for key in table.split_keys]
    assert '"; rm -rf / #' in keys
    assert '${file("/etc/passwd")} %{ for x in y }' in keys


def test_terraform_evaluates_the_file_to_what_is_read(tmp_path: Any) -> None:
    """The values of the first table's split keys, by Terraform itself."""
    terraform = tools.needs("terraform")
    text = format_named("terraform").make(Content(hostile())).files[0].text
    lines = [line.split("=", 1)[1] for line in text.splitlines() if line.strip().startswith("split_keys")]
    (tmp_path / "main.tf").write_text(f"locals {{\n  keys = [{', '.join(lines)}]\n}}\n")

    done = tools.run(terraform, "console", folder=tmp_path, given="base64encode(jsonencode(flatten(local.keys)))\n")

    evaluated = json.loads(base64.b64decode(done.stdout.strip().strip('"')))
    read_back = [key.replace("\\\\", "\\") for table in read(text).spec.tables for key in table.split_keys]
    assert read_back == evaluated


def test_cbt_ls_of_the_emulator_comes_back_as_it_was_made(emulator: str, tmp_path: Any) -> None:
    tools.needs("cbt")
    bash = tools.needs("bash")
    spec = Spec.model_validate({**json.loads(dump(forty_tables())), "instance": {}})
    few = spec.model_copy(update={"tables": spec.tables[:7]})
    script = next(one.text for one in format_named("cbt").make(Content(few)).files if one.name.endswith("tables.sh"))
    (tmp_path / "tables.sh").write_text(script)
    flags = {"PROJECT": "p", "INSTANCE": "back", "CBT_FLAGS": "-creds /dev/null", "BIGTABLE_EMULATOR_HOST": emulator}
    assert tools.run(bash, "tables.sh", folder=tmp_path, **flags).returncode == 0
    cbt = ("cbt", "-project", "p", "-instance", "back", "-creds", "/dev/null")
    shown = []
    for table in few.tables:
        done = tools.run(*cbt, "ls", table.name, BIGTABLE_EMULATOR_HOST=emulator)
        shown.append(f"$ cbt -instance back ls {table.name}\n{done.stdout}")

    found = read("\n".join(shown))

    assert (found.format, found.remarks) == ("cbt", ())
    assert [(name, families) for name, _, _, _, families in schema(found.spec)] == [
        (name, families) for name, _, _, _, families in schema(few)
    ]
    assert found.spec.instance.name == "back"


@pytest.mark.parametrize("kind", ["yaml", "json"])
def test_a_row_key_schema_comes_back_as_the_same_key(kind: str) -> None:
    fields = [{"id": "a", "name": "a", "kind": "uuid"}, {"id": "n", "name": "n", "kind": "bytes"}]
    key = [{"id": "k1", "kind": "field", "field": "a", "after": "#"}, {"id": "k2", "kind": "literal", "text": "v"}]
    spec = from_data({"fields": fields, "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "r", "key": key}]}]})
    made = format_named("row_key_schema").make(Content(spec))

    found = read(next(one.text for one in made.files if one.name.endswith(kind)))

    assert (found.format, found.remarks) == ("row_key_schema", ())
    (table,) = found.spec.tables
    assert [segment.after for segment in table.row_kinds[0].key] == ["#", ""]
    assert [field.name for field in found.spec.fields] == ["a", "literal"]


# --- what the tools print -------------------------------------------------------------------------------------------

DESCRIBED = {
    "name": "projects/p/instances/prod/tables/readings",
    "columnFamilies": {
        "m": {"gcRule": {"union": {"rules": [{"maxAge": "2592000s"}, {"maxNumVersions": 2}]}}, "valueType": {}},
        "t": {"valueType": {"aggregateType": {"sum": {}, "inputType": {"int64Type": {}}}}},
    },
    "deletionProtection": True,
    "changeStreamConfig": {"retentionPeriod": "172800s"},
    "automatedBackupPolicy": {"retentionPeriod": "604800s", "frequency": "86400s"},
    "tieredStorageConfig": {"infrequentAccess": {"includeIfOlderThan": "2592000s"}},
    "rowKeySchema": {"fields": [{"fieldName": "device", "type": {"stringType": {"encoding": {"utf8Bytes": {}}}}},
                                {"fieldName": "at", "type": {"timestampType": {}}}],
                     "encoding": {"delimitedBytes": {"delimiter": "Iw=="}}},
    "newThing": 1,
}  # fmt: skip


def test_gcloud_describe_is_understood_and_an_unknown_key_is_said() -> None:
    found = read(json.dumps(DESCRIBED))

    assert found.format == "gcloud"
    assert read(f"---\n{yaml.safe_dump(DESCRIBED)}---\n").spec == found.spec  # without --format=json
    assert [str(one) for one in found.remarks] == ["readings: newThing not recognised"]
    (table,) = found.spec.tables
    assert (table.name, table.deletion_protection, table.change_stream_days) == ("readings", True, 2)
    assert (table.infrequent_access_days, table.backups[0].kept_days, table.backups[0].every_hours) == (30, 7, 24)
    assert [(family.name, family.kind) for family in table.families] == [("m", "ordinary"), ("t", "sum")]
    assert gc.rule_of(table.families[0].gc) == gc.AnyOf((gc.Age(2_592_000_000), gc.Versions(2)))
    assert [segment.kind for segment in table.row_kinds[0].key] == ["field", "time"]
    assert found.spec.instance.name == "prod"


def test_lists_of_clusters_and_profiles_are_taken_together() -> None:
    base = "projects/p/instances/prod"
    scaling = {"autoscalingLimits": {"minServeNodes": 2, "maxServeNodes": 5},
               "autoscalingTargets": {"cpuUtilizationPercent": 40}}  # fmt: skip
    clusters = [
        {"name": f"{base}/clusters/a", "location": "projects/p/locations/us-east1-c", "serveNodes": 3,
         "defaultStorageType": "HDD"},
        {"name": f"{base}/clusters/b", "location": "projects/p/locations/us-west1-a", "defaultStorageType": "HDD",
         "clusterConfig": {"clusterAutoscalingConfig": scaling}, "nodeScalingFactor": "NODE_SCALING_FACTOR_2X"},
    ]  # fmt: skip
    routed = {"clusterId": "a", "allowTransactionalWrites": True}
    profiles = [{"name": f"{base}/appProfiles/one", "singleClusterRouting": routed},
                {"name": f"{base}/appProfiles/near", "multiClusterRoutingUseAny": {"rowAffinity": {}}},
                {"name": f"{base}/appProfiles/gone", "singleClusterRouting": {"clusterId": "z"}}]  # fmt: skip

    found = read(json.dumps([*clusters, *profiles]))

    first, second = found.spec.instance.clusters
    assert (first.zone, first.region, first.nodes.count) == ("us-east1-c", "us-east1", 3)  # type: ignore[union-attr]
    assert (second.nodes.min, second.nodes.cpu_target, second.node_scaling) == (2, 0.4, 2)  # type: ignore[union-attr]
    assert found.spec.instance.storage == "hdd"
    assert found.spec.instance.app_profiles[0].clusters == (first.id,)
    assert [one.row_affinity for one in found.spec.instance.app_profiles] == [False, True, False]
    assert [one.where for one in found.remarks] == ["gone"]


HCL = """
variable "name" { default = "from-variable" }
locals { age = "720h" }
resource "google_bigtable_instance" "i" {
  name    = var.name
  edition = "ENTERPRISE_PLUS"
  cluster {
    cluster_id = "cluster-a"
    zone       = var.zone
    num_nodes  = 3
  }
}
resource "google_bigtable_table" "t" {
  name          = "readings"
  instance_name = google_bigtable_instance.i.id
  new_argument  = 1
  column_family {
    family = "m"
    type   = "intsum"
  }
  column_family {
    family = "n"
    gc_rule {
      max_age { duration = "1h" }
    }
  }
}
resource "google_bigtable_gc_policy" "p" {
  table         = google_bigtable_table.t.name
  column_family = "m"
  mode          = "UNION"
  max_age { duration = local.age }
  max_version { number = 3 }
}
resource "google_bigtable_gc_policy" "q" {
  table         = google_bigtable_table.t.name
  column_family = "n"
  gc_rules      = <<EOF
    {"mode": "intersection", "rules": [{"max_age": "1w1h30m"}, {"max_version": 2}]}
  EOF
}
resource "google_bigtable_gc_policy" "lost" {
  table         = "elsewhere"
  column_family = "m"
}
resource "google_storage_bucket" "b" { name = "x" }
module "more" { source = "./more" }
"""


def test_terraform_by_hand_is_understood_and_the_rest_is_said_with_its_line() -> None:
    found = read(HCL)

    (table,) = found.spec.tables
    by_name = {family.name: family for family in table.families}
    assert gc.rule_of(by_name["m"].gc) == gc.AnyOf((gc.Age(2_592_000_000), gc.Versions(3)))
    assert by_name["m"].kind == "sum"
    assert gc.rule_of(by_name["n"].gc) == gc.AllOf((gc.Age(610_200_000), gc.Versions(2)))
    assert (found.spec.instance.name, found.spec.instance.edition) == ("from-variable", "enterprise_plus")
    said = "\n".join(map(str, found.remarks))
    assert "line 13, google_bigtable_table.t: new_argument not recognised" in said
    assert "line 13, google_bigtable_table.t: column_family.gc_rule not recognised" in said
    assert "google_storage_bucket: 1 found: not part of a design" in said
    assert "zone is an expression whose value is not in the text: var.zone" in said
    assert "google_bigtable_gc_policy.lost: applies to the family m of the table elsewhere" in said
    assert "module more" in said


WRITTEN_ONCE = """
variable "env" { default = "prod" }
variable "cluster" { default = { zone = "us-east1-c", nodes = 3 } }
locals {
  prefix = "kw-${var.env}"
  round  = "${local.round}!"
}
resource "google_bigtable_instance" "i" {
  name   = "${local.prefix}-instance"
  labels = { team = "x" }
  cluster {
    cluster_id   = "${var.env}-c1"
    zone         = var.cluster.zone
    num_nodes    = var.cluster.nodes
    storage_type = var.storage
  }
}
resource "google_bigtable_table" "many" {
  for_each   = toset(var.regions)
  name       = "${each.key}-table"
  split_keys = ["a", var.key]
  column_family { family = "m" }
  column_family { family = var.family }
  dynamic "column_family" {
    for_each = var.more
    content { family = column_family.value }
  }
}
resource "google_bigtable_gc_policy" "p" {
  table         = google_bigtable_table.many[each.key].name
  column_family = "m"
  max_age { days = 7 }
}
resource "google_bigtable_table" "same" {
  name = "twice${local.round}"
  automated_backup_policy {
    retention_period = "72h"
    locations        = ["projects/p/locations/us-east1-c"]
  }
}
resource "google_bigtable_table" "one" { name = "${var.env}-t" }
resource "google_bigtable_table" "two" { name = "prod-t" }
resource "google_bigtable_app_profile" "p" {
  app_profile_id                    = "any"
  multi_cluster_routing_cluster_ids = var.routed
  row_affinity                      = true
}
"""


def test_terraform_of_variables_and_repetition_is_followed_and_what_is_not_in_it_is_said_once() -> None:
    found = read(WRITTEN_ONCE)

    assert found.spec.instance.name == "kw-prod-instance"
    (cluster,) = found.spec.instance.clusters
    assert (cluster.name, cluster.zone, cluster.nodes.count) == ("prod-c1", "us-east1-c", 3)  # type: ignore[union-attr]
    assert [table.name for table in found.spec.tables] == ["many", "same", "prod-t"]
    (family,) = found.spec.tables[0].families
    assert (family.name, gc.rule_of(family.gc)) == ("m", gc.Age(7 * 86_400_000))
    said = [str(one).split(", google_bigtable_")[1] for one in found.remarks]
    outside = "is an expression whose value is not in the text"
    assert sorted(said) == sorted(
        [
            f"instance.i: storage_type {outside}: var.storage",
            "table.many: for_each sets the number of resources: one is imported; terraform show -json has them all",
            "table.many: dynamic column_family not recognised",
            f'table.many: name {outside}: "${{each.key}}-table"',
            f"table.many: split_keys {outside}: var.key",
            f"table.many: family {outside}: var.family",
            f'table.same: name {outside}: "twice${{local.round}}"',
            "table.same: automated_backup_policy.locations is not part of a design",
            "table.two: duplicate table name prod-t: this table is ignored",
            f"app_profile.p: multi_cluster_routing_cluster_ids {outside}: var.routed",
        ]
    )


def test_a_state_is_read_over_all_its_modules() -> None:
    def resource(kind: str, **values: Any) -> dict[str, Any]:
        return {"type": kind, "name": "x", "address": f"{kind}.x", "mode": "managed", "values": values}

    inner = resource("google_bigtable_gc_policy", table="readings", column_family="m", gc_rules="",
                     max_age=[{"days": 7, "duration": ""}], max_version=[])  # fmt: skip
    data = {
        "format_version": "1.0",
        "values": {"root_module": {
            "resources": [resource("google_bigtable_table", name="readings", instance_name="prod",
                                   column_family=[{"family": "m", "type": ""}], split_keys=["a"],
                                   deletion_protection="PROTECTED")],
            "child_modules": [{"resources": [inner]}],
        }},
    }  # fmt: skip

    found = read(json.dumps(data))

    assert (found.format, found.remarks) == ("terraform_state", ())
    (table,) = found.spec.tables
    assert gc.rule_of(table.families[0].gc) == gc.Age(7 * 86_400_000)
    assert (table.split_keys, found.spec.instance.name) == (("a",), "prod")
    everything = [*data["values"]["root_module"]["resources"], inner]
    stored = {"version": 4, "terraform_version": "1.11.4", "resources": [
        {"mode": "managed", "type": one["type"], "name": "x", "instances": [{"attributes": one["values"]}]}
        for one in everything
    ]}  # fmt: skip
    assert read(json.dumps(stored)).spec == found.spec


def test_sample_keys_become_a_table_with_their_pattern() -> None:
    keys = "\n".join(f"t{n % 7}#d{n:05}#2026112{n % 9}" for n in range(60))

    found = read(keys)

    assert found.format == "sample_keys"
    assert len(found.spec.tables[0].row_kinds[0].key) == 3


CQL = """-- chat
CREATE TABLE IF NOT EXISTS chat.messages (
  channel_id bigint, bucket int, message_id timeuuid, author_id bigint static, content text, tags map<text, int>,
  PRIMARY KEY ((channel_id, bucket), message_id)
) WITH CLUSTERING ORDER BY (message_id DESC) AND default_time_to_live = 2592000;
CREATE TABLE scores (game_id uuid, score int, sent_at timestamp, PRIMARY KEY (game_id, score, sent_at))
  WITH CLUSTERING ORDER BY (score DESC, sent_at DESC);
CREATE TABLE users (user_id uuid PRIMARY KEY, name text);
CREATE INDEX ON chat.messages (author_id);
"""


def test_cql_tables_have_their_primary_key_their_columns_and_their_time_to_live() -> None:
    found = read(CQL)
    messages, scores, users = found.spec.tables

    assert found.format == "cql"
    assert [key_of(found.spec, table.row_kinds[0]) for table in found.spec.tables] == [
        "{channel_id}#{field(bucket)}#{time:rev}#{message_id}", "{game_id}#{score}#{sent_at:rev}", "{user_id}",
    ]  # fmt: skip
    assert messages.families[0].gc == MaxAge(age_days=30)
    assert [(each.qualifier, each.value.kind) for each in messages.families[0].columns] == [
        ("author_id", "integer"), ("content", "text"), ("tags", "json"),
    ]  # fmt: skip
    assert (scores.families[0].columns, users.families[0].gc) == ((), None)
    assert [str(each) for each in found.remarks] == [
        "line 9: only CREATE TABLE is imported", "messages: static columns are stored in each row: author_id",
        "scores: score ascends: only times are stored newest first",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "comment", ["see https://x", "a -- b", "it''s /* here", "two\n lines // b", "CREATE TABLE u (a int PRIMARY KEY)"]
)
def test_a_quoted_text_of_cql_is_no_comment_and_no_table(comment: str) -> None:
    found = read(
        f'CREATE TABLE t ("a--b" int PRIMARY KEY, v text) -- don\'t\n'
        f"WITH comment = '{comment}' AND default_time_to_live = 86400; // isn't\nCREATE INDEX ON t (v);"
    )

    (table,) = found.spec.tables
    assert table.families[0].gc == MaxAge(age_days=1)
    assert [field.name for field in found.spec.fields] == ["a--b"]
    line = 3 + comment.count("\n")
    assert [str(each) for each in found.remarks] == [f"line {line}: only CREATE TABLE is imported"]


@pytest.mark.parametrize("text", ["CREATE TABLE t (a int", "create table t ()", "create table t (a int, b text)"])
def test_cql_without_an_end_is_refused_and_without_a_key_has_none(text: str) -> None:
    if "int" in text and ")" not in text:
        with pytest.raises(InvalidDocumentError, match="not closed"):
            read(text)
    else:
        assert read(text).spec.tables[0].row_kinds[0].key == ()


def test_the_names_of_an_instance_are_tables() -> None:
    found = read("readings\nlatest\n")

    assert found.format == "cbt"
    assert [table.name for table in found.spec.tables] == ["readings", "latest"]


# --- limits and nonsense --------------------------------------------------------------------------------------------


@cases("text, said", [
        ("", "the file is empty"), ("   \n", "the file is empty"), ("{", "JSON"), ("[" * 100, "deep"),
        ('{"foo": 1}', "JSON in an unknown format"), ("[]", "an empty list"),
        ("x" * 2_000_001, "larger"),
        ('resource "x" {\n  a = [\n}\n', "line 3"), ("fields:\n- fieldName: a\n  b: [", "line 3"),
        ("fields: &a\n- fieldName: x\n- *a", "aliases"),
        ('resource "google_storage_bucket" "b" {}', "no Bigtable resources found"),
        ("NAME\nreadings\nevents\n", "prints for people"), ("NAME\r\nreadings\r\n", "prints for people"),
        ("NAME      CLUSTERS  STATE\nreadings  c1,c2     READY\n", "prints for people"),
        ("$ gcloud bigtable instances tables list --instances=prod\nNAME\nreadings\n", "prints for people"),
        (b"a\xff\xfe", "0xff"), (b"\xff\xfea", "0x61"), ("#!/usr/bin/env bash\ncbt createtable readings", "commands"),
    ])  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(text: Any, said: str) -> None:
    with pytest.raises(InvalidDocumentError, match=said):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 300_000 + "x",
        " " * 300_000 + "x",
        f"$ cbt{' ' * 300_000}x",
        f"Family Name\tGC Policy\nf\t{'(' * 300_000}",
        f"resource x {{\n a = [{'1,' * 100_000}] }}\n",
        "".join(f'locals {{ v{n} = "{f"${{local.v{n + 1}}}" * 50}" }}\n' for n in range(9))
        + 'resource "google_bigtable_table" "t" { name = local.v0 }\nlocals { v9 = "xx" }\n',
        json.dumps({"name": "projects/p/instances/i/tables/t",
                    "columnFamilies": {"f": {"gcRule": {"maxAge": "1" * 300_000}}}}),
    ],
    ids=["line ends", "blanks", "command", "groups", "list", "texts", "digits"],
)  # fmt: skip
def test_a_text_made_to_take_for_ever_takes_seconds_and_is_no_fault(text: str) -> None:
    before = time.process_time()

    with contextlib.suppress(InvalidDocumentError):
        read(text)

    assert time.process_time() - before < 8


TEXTS = st.text(max_size=60) | st.sampled_from([*HOSTILE, HCL, json.dumps(DESCRIBED)])


@given(st.lists(TEXTS, min_size=1, max_size=3).map("\n".join), st.sampled_from([*NAMES, ""]))
def test_any_text_is_read_or_refused_and_never_a_fault(text: str, name: str) -> None:
    with contextlib.suppress(InvalidDocumentError):
        assert isinstance(read(text, name).spec, Spec)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4)
    | st.just("projects/p/instances/i/tables/t"),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["name", "columnFamilies", "gcRule", "union", "rules", "maxAge", "fields", "encoding", "type",
                         "values", "format_version", "root_module", "resources", "valueType", "clusterConfig",
                         "delimitedBytes"]),
        inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(JSONS, st.sampled_from(["gcloud", "row_key_schema", "terraform_state", "design", ""]))
def test_any_json_is_read_or_refused_and_never_a_fault(data: Any, name: str) -> None:
    with contextlib.suppress(InvalidDocumentError):
        read(json.dumps(data), name)


def rules() -> st.SearchStrategy[Any]:
    leaf = st.integers(1, 10**7).map(lambda ms: gc.Age(ms * 1000)) | st.integers(1, 99).map(gc.Versions)
    groups = st.sampled_from([gc.AnyOf, gc.AllOf])
    return st.recursive(
        leaf,
        lambda inner: st.builds(lambda kind, held: kind(tuple(held)), groups, st.lists(inner, min_size=2, max_size=3)),
        max_leaves=6,
    )  # fmt: skip


@given(rules())
def test_every_rule_comes_back_from_every_tools_words(rule: gc.Rule) -> None:
    from reviews.exports.shared.terraform_rules import top_rule

    def as_cbt(one: gc.Rule) -> str:
        match one:
            case gc.Versions(count):
                return f"versions() > {count}"
            case gc.Age(ms):
                return f"age() > {ms * 1000}"
        return f"({(' || ' if isinstance(one, gc.AnyOf) else ' && ').join(map(as_cbt, one.rules))})"

    def normal(data: Any) -> Any:
        return gc.rule_of(Family.model_validate({"id": "f", "gc": data}).gc)

    wanted = normal(gcrules.from_terraform(top_rule(rule)))
    assert normal(gcrules.from_cbt(as_cbt(rule))) == wanted
    assert list(gc.leaves(wanted)) == list(dict.fromkeys(gc.leaves(wanted))) or wanted is not None


def test_what_a_terminal_shows_around_the_output_of_cbt_is_passed_over() -> None:
    noise = "2026/05/22 01:52:11 -creds flag unset, will use gcloud credential"
    prompt = "ana@cloudshell:~ (project-1)$"
    text = f"{prompt} cbt ls t\n{noise}\nFamily Name\tGC Policy\n-----------\t---------\nm\t\tage() > 7d\n{prompt}\n"

    found = read(text.encode("utf-16"))  # as PowerShell's `>` writes it

    (table,) = found.spec.tables
    assert (found.remarks, table.name, gc.rule_of(table.families[0].gc)) == ((), "t", gc.Age(7 * 86_400_000))


def test_tables_as_the_api_lists_them_are_taken_together() -> None:
    found = read(json.dumps({"tables": [DESCRIBED, {**DESCRIBED, "name": DESCRIBED["name"] + "2"}]}))

    assert (found.format, len(found.spec.tables)) == ("gcloud", 2)


def test_of_a_list_of_several_instances_the_first_is_imported_and_the_others_are_named() -> None:
    tables = [{"name": f"projects/p/instances/{name}/tables/t", "columnFamilies": {family: {}}}
              for name, family in (("prod", "m"), ("back", "n"))]  # fmt: skip
    clusters = [{"name": f"projects/p/instances/{name}/clusters/c1", "serveNodes": nodes}
                for name, nodes in (("back", 9), ("prod", 3))]  # fmt: skip

    found = read(json.dumps([*clusters, *tables]))

    assert [(table.name, [family.name for family in table.families]) for table in found.spec.tables] == [("t", ["m"])]
    assert [cluster.nodes.count for cluster in found.spec.instance.clusters] == [3]  # type: ignore[union-attr]
    assert (found.spec.instance.name, found.other_instances) == ("prod", ("back",))
    assert [str(one) for one in found.remarks] == ["back: a design has one instance: this one is ignored"]
    alone = read(json.dumps(clusters))
    assert (alone.spec.instance.name, len(alone.spec.instance.clusters), alone.other_instances) == (
        "back", 1, ("prod",)
    )  # fmt: skip


STAGES = """
resource "google_bigtable_instance" "main" {
  for_each = toset(["prod", "back"])
  name     = each.key
  cluster {
    cluster_id = "c1"
    zone       = "europe-west1-b"
    num_nodes  = each.key == "prod" ? 3 : 9
  }
}
resource "google_bigtable_table" "t" {
  for_each      = toset(["prod", "back"])
  name          = "t"
  instance_name = google_bigtable_instance.main[each.key].name
  column_family {
    family = each.key
  }
}
resource "google_bigtable_app_profile" "p" {
  app_profile_id = "batch"
  instance       = "back"
}
"""


def test_of_terraform_files_of_several_instances_that_of_the_first_table_is_imported() -> None:
    found = read(STAGES)

    name = found.spec.instance.name
    other = {"prod": "back", "back": "prod"}[name]
    assert [[family.name for family in table.families] for table in found.spec.tables] == [[name]]
    assert [cluster.nodes.count for cluster in found.spec.instance.clusters] == [{"prod": 3, "back": 9}[name]]  # type: ignore[union-attr]
    assert len(found.spec.instance.app_profiles) == (name == "back")
    assert found.other_instances == (other,)
    assert [str(one) for one in found.remarks] == [f"{other}: a design has one instance: this one is ignored"]


def test_what_is_described_twice_is_imported_once_with_what_either_text_says() -> None:
    base = "projects/p/instances/prod"
    cluster = {"name": f"{base}/clusters/c1", "serveNodes": 3}
    views = [{"name": f"{base}/tables/t", "deletionProtection": True},
             {"name": f"{base}/tables/t", "columnFamilies": {"m": {}}}]  # fmt: skip

    found = read(json.dumps([cluster, *views, cluster]))

    (table,) = found.spec.tables
    assert (table.deletion_protection, [family.name for family in table.families]) == (True, ["m"])
    assert (len(found.spec.instance.clusters), found.other_instances) == (1, ())


HEREDOCS = """
variable "ttl" { default = "168h" }
resource "google_bigtable_table" "t" {
  name = "readings"
  split_keys = [<<EOF
a\\n$${b}
EOF
  ]
  column_family { family = "d" }
  column_family { family = "e" }
  column_family { family = "f" }
}
resource "google_bigtable_gc_policy" "f" {
  table         = google_bigtable_table.t.name
  column_family = "f"
  gc_rules      = null
  max_age { days = 3 }
}
resource "google_bigtable_gc_policy" "d" {
  table         = google_bigtable_table.t.name
  column_family = "d"
  gc_rules = <<EOF
{ "rules": [ { "max_age": "${var.ttl}" } ] }
EOF
}
resource "google_bigtable_gc_policy" "e" {
  table         = google_bigtable_table.t.name
  column_family = "e"
  gc_rules = <<-EOF
    {
      "rules": [ { "max_age": "${24 * 7}h" } ]
    }
  EOF
}
"""


def test_templates_of_a_heredoc_are_evaluated_or_named() -> None:
    found = read(HEREDOCS)

    (table,) = found.spec.tables
    rules = [family.gc and gc.rule_of(family.gc) for family in table.families]
    assert rules == [gc.Age(7 * 86_400_000), None, gc.Age(3 * 86_400_000)]
    assert [key.strip() for key in table.split_keys] == ["a\\\\n${b}"]  # a backslash is a character there
    (remark,) = found.remarks
    assert '.e: gc_rules is an expression whose value is not in the text: "<<-EOF { "rules": [' in str(remark)


def test_older_words_of_cbt_for_no_rule_are_none() -> None:
    found = read("$ cbt ls t\nFamily Name GC Policy\n----------- ---------\ncsv   [default]\n")

    assert (found.remarks, [family.gc for family in found.spec.tables[0].families]) == ((), [None])


def test_detection_names_the_format() -> None:
    assert detect_format(HCL) == "terraform"
    for block in (
        'module "bt" {\n  source = "./mod"\n}', 'data "google_project" "p" {}', 'output "a" {\n  value = 1\n}',
        'import {\n  to = google_bigtable_table.t\n  id = "t"\n}', "moved {\n  from = a.b\n  to = a.c\n}",
    ):  # fmt: skip
        assert detect_format(f"# of the team\n{block}\n") == "terraform", block
    assert detect_format('import {\n  a,\n} from "b"\n') != "terraform"
    assert detect_format("Family Name\tGC Policy\n") == "cbt"
    assert detect_format("a#1\nb#2\n") == "sample_keys"
    assert os.path.sep not in detect_format("")


def test_our_terraform_of_a_design_with_a_project_comes_back() -> None:
    data = {
        "name": "shop", "instance": {"name": "shop", "project": "my-project"},
        "tables": [{"id": "t", "name": "orders", "families": [{"id": "d", "name": "d"}]}],
    }  # fmt: skip
    text = format_named("terraform").make(Content(from_data(data))).files[0].text
    assert text.count('"my-project"') >= 1

    result = read(text)

    assert (result.format, result.spec.instance.project) == ("terraform", "my-project")
    assert [table.name for table in result.spec.tables] == ["orders"]


@pytest.mark.parametrize("tool", ["gcloud", "cbt"])
def test_our_own_scripts_are_commands_and_no_tables_of_another_database(tool: str) -> None:
    files = format_named(tool).make(Content(forty_tables())).files

    assert len(files) > 1
    for file in files:
        with pytest.raises(InvalidDocumentError, match="these are commands for a tool"):
            read(file.text)
