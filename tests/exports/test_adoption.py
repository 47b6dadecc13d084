"""What runs is adopted: a state, imported and exported again, plans no change, and its addresses stay."""

import json
import os
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data
from designer.document.validation_errors import InvalidDocumentError
from designer.imports import ImportResult, read
from reviews.exports import ExportResult
from reviews.exports.shared import gc
from reviews.exports.terraform import make
from tests.cases import cases
from tests.contexts import Content
from tests.exports import tools
from tests.exports.states import SCHEMA, state
from tests.exports.terraform_plan import changes, file_resources

Data = dict[str, Any]


@cache
def import_state() -> ImportResult:
    return read(json.dumps(state()))


def export(spec: Spec, *, adopts: bool = False) -> ExportResult:
    return make(replace(Content(spec), adopts=adopts))


@cache
def file_text() -> str:
    return export(import_state().spec).files[0].text


def edited_design(change: Any) -> Spec:
    """The imported design, changed as data."""
    from designer.document.dump import to_plain_data

    data = to_plain_data(import_state().spec)
    change(data)
    return from_data(data)


def test_a_state_imported_and_exported_plans_no_change() -> None:
    assert changes(file_text(), state()) == []
    assert export(import_state().spec).refusals == ()


def test_all_but_a_type_that_no_design_has_is_understood() -> None:
    said = [str(one) for one in import_state().remarks]

    assert said == [
        'module.bt.google_bigtable_table.t["us.events"]: value type not recognised; imported as an ordinary family'
    ]


def test_what_changes_in_a_design_is_planned() -> None:
    def change(data: Data) -> None:
        data["tables"][0] |= {"split_keys": ["c", "m", "x"], "deletion_protection": False}
        data["tables"][1]["families"][0]["gc"] = {"kind": "max_age", "age_days": 8}
        data["tables"][2]["name"] = "events_us"
        data["instance"]["labels"].pop()
        data["instance"]["clusters"][1]["kms_key"] = "projects/p/locations/l/keyRings/r/cryptoKeys/other"

    made = export(edited_design(change))
    found = changes(made.files[0].text, state())

    assert {one.split(": ")[1] for one in found} == {
        "split_keys", "deletion_protection", "gc_rules", "max_age", "name", "table", "labels", "cluster.kms_key_name",
    }  # fmt: skip
    assert any("replaces the policy" in str(note) for note in made.notes)


def test_addresses_of_the_root_module_stay_and_others_are_moved_from() -> None:
    resources, moved, _ = file_resources(file_text())

    assert {"google_bigtable_table.orders", "google_bigtable_app_profile.Batch_jobs"} <= set(resources)
    assert moved['module.bt.google_bigtable_table.t["eu.events"]'] == "google_bigtable_table.events-eu"
    assert moved["module.bt.google_bigtable_instance.this[0]"] == "google_bigtable_instance.instance"
    assert len(moved) == 6


def test_a_renamed_element_keeps_its_address() -> None:
    spec = edited_design(lambda data: data["instance"]["app_profiles"][1].update(name="reports"))

    assert [one for one in changes(export(spec).files[0].text, state()) if "destroyed" in one] == []


def test_a_plan_is_read_as_what_it_plans() -> None:
    plan = {"format_version": "1.2", "planned_values": state()["values"], "resource_changes": []}

    assert read(json.dumps(plan)).spec == import_state().spec


def stored_state(data: Data) -> Data:
    """The same state as Terraform stores it."""

    def modules(module: Data) -> Iterator[tuple[str, Data]]:
        yield from ((module.get("address", ""), one) for one in module.get("resources", ()))
        for inner in module.get("child_modules", ()):
            yield from modules(inner)

    found: dict[tuple[str, str, str], Data] = {}
    for module, one in modules(data["values"]["root_module"]):
        key = one["address"].partition("[")[2].rpartition("]")[0]
        held = found.setdefault((module, one["type"], one["name"]), {
            **({"module": module} if module else {}), "mode": "managed", "type": one["type"], "name": one["name"],
            "provider": 'provider["registry.terraform.io/hashicorp/google"]', "instances": []})  # fmt: skip
        version = 1 if one["type"] == "google_bigtable_instance" else 0
        instance = {"schema_version": version, "attributes": one["values"]}
        held["instances"].append({**instance, **({"index_key": json.loads(key)} if key else {})})
    return {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {},
            "resources": list(found.values())}  # fmt: skip


def test_a_stored_state_has_the_same_addresses() -> None:
    assert read(json.dumps(stored_state(state()))).spec == import_state().spec


FILE = """
terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}
resource "google_bigtable_instance" "main" {
  name    = "main-prod"
  edition = "ENTERPRISE_PLUS"
  cluster {
    cluster_id = "main-prod-c1"
    zone       = "us-east1-b"
    num_nodes  = 3
  }
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [labels, cluster[0].num_nodes]
  }
}
resource "google_bigtable_table" "users" {
  name          = "users"
  instance_name = google_bigtable_instance.main.name
  column_family { family = "f" }
  timeouts { create = "90m" }
  lifecycle { ignore_changes = all }
  provider = google.other
  depends_on = [google_bigtable_instance.main, data.external.approved]
}
resource "google_bigtable_table" "many" {
  for_each      = toset(var.named_elsewhere)
  name          = each.key
  instance_name = google_bigtable_instance.main.name
}
"""


def test_lifecycle_and_timeouts_of_a_file_are_kept_and_the_provider_alias_is_named() -> None:
    found = read(FILE)
    text = export(found.spec).files[0].text

    assert 'resource "google_bigtable_instance" "main" {' in text
    assert "    ignore_changes  = [labels, cluster[0].num_nodes]\n    prevent_destroy = true\n" in text or (
        "prevent_destroy = true" in text and "= [labels, cluster[0].num_nodes]" in text
    )
    assert "ignore_changes = all" in text
    assert 'create = "90m"' in text
    said = [str(one) for one in found.remarks]
    assert any("provider is not part of a design" in one for one in said)
    assert any("depends_on = [data.external.approved] is not part of a design" in one for one in said)
    assert any("for_each sets the number of resources" in one and "terraform show -json" in one for one in said)


REPEATED = """
variable "tables" {
  default = {
    users  = { days = 30, families = ["p", "s"] }
    events = { days = 7, families = ["e"] }
  }
}
locals { shards = 3 }
resource "google_bigtable_instance" "main" {
  name = "prod-instance"
  cluster {
    cluster_id = "prod-c1"
    zone       = "us-central1-b"
    num_nodes  = 3
  }
}
resource "google_bigtable_table" "t" {
  for_each      = var.tables
  name          = "prod-${each.key}"
  instance_name = google_bigtable_instance.main.name
  dynamic "column_family" {
    for_each = toset(each.value.families)
    content { family = column_family.value }
  }
}
resource "google_bigtable_gc_policy" "t" {
  for_each      = google_bigtable_table.t
  instance_name = google_bigtable_instance.main.name
  table         = each.value.name
  column_family = var.tables[each.key].families[0]
  max_age { days = var.tables[each.key].days }
}
resource "google_bigtable_table" "shard" {
  count         = local.shards
  name          = "shard-${count.index + 1}"
  instance_name = google_bigtable_instance.main.name
  column_family { family = "m" }
}
resource "google_bigtable_gc_policy" "shard" {
  count         = 3
  instance_name = google_bigtable_instance.main.name
  table         = google_bigtable_table.shard[count.index].name
  column_family = "m"
  gc_rules      = jsonencode({ rules = [{ max_version = count.index + 1 }] })
}
"""


def test_what_a_file_repeats_over_sets_maps_counts_and_other_resources_is_each_of_its_resources() -> None:
    found = read(REPEATED)
    text = export(found.spec).files[0].text
    families = {
        table.name: [(family.name, gc.rule_of(family.gc)) for family in table.families] for table in found.spec.tables
    }
    day = 86_400_000

    assert [str(one) for one in found.remarks] == []
    assert families == {
        "prod-users": [("p", gc.Age(30 * day)), ("s", None)],
        "prod-events": [("e", gc.Age(7 * day))],
        **{f"shard-{number}": [("m", gc.Versions(number))] for number in (1, 2, 3)},
    }
    for address in ('table.t["users"]', 'gc_policy.t["events"]', "table.shard[0]", "gc_policy.shard[2]"):
        assert f"  from = google_bigtable_{address}\n" in text


CHOSEN = """
variable "env" { default = "prod" }
variable "zones" { default = ["b", "c"] }
variable "ttl" { default = null }
variable "tables" {
  default = {
    "users"  = { families = ["p"], days = 30, on = true }
    "events" = { families = ["e"], days = 7, on = true }
    "old"    = { families = ["o"], days = 1, on = false }
  }
}
resource "google_bigtable_instance" "main" {
  name = "shop-${var.env == "prod" ? "main" : var.env}"
  dynamic "cluster" {
    for_each = (var.env != "prod" && length(var.zones) > 9) ? ["b"] : var.zones
    content {
      cluster_id = "shop-${cluster.value}"
      zone       = "us-east1-${cluster.value}"
      num_nodes  = var.env == "prod" && !false ? 3 : 1
    }
  }
}
resource "google_bigtable_table" "t" {
  for_each = {
    for name, table in var.tables :
    name => table
    if table.on
  }
  name          = each.key
  instance_name = google_bigtable_instance.main.name
  dynamic "column_family" {
    for_each = toset([for family in each.value.families : "${family}1"])
    content { family = column_family.value }
  }
}
resource "google_bigtable_gc_policy" "t" {
  for_each      = { for name, table in var.tables : name => table.days if table.on }
  instance_name = google_bigtable_instance.main.name
  table         = google_bigtable_table.t[each.key].name
  column_family = "${var.tables[each.key].families[0]}1"
  gc_rules      = jsonencode({ rules = [{ max_age = var.ttl == null ? "${each.value * 1}h" : var.ttl }] })
}
resource "google_bigtable_app_profile" "batch" {
  count          = var.env == "prod" ? 1 : 0
  instance       = google_bigtable_instance.main.name
  app_profile_id = "batch"
  single_cluster_routing { cluster_id = "shop-b" }
}
resource "google_bigtable_table" "test" {
  count         = var.env == "test" ? 1 : 0
  name          = "test"
  instance_name = google_bigtable_instance.main.name
}
"""


def test_what_a_file_chooses_by_a_condition_or_makes_of_a_collection_is_followed() -> None:
    found = read(CHOSEN.replace("each.value * 1}h", "each.value}h"))
    instance = found.spec.instance
    text = export(found.spec).files[0].text

    assert [str(one) for one in found.remarks] == []
    assert (instance.name, [cluster.name for cluster in instance.clusters]) == ("shop-main", ["shop-b", "shop-c"])
    assert {cluster.nodes.count for cluster in instance.clusters} == {3}
    assert {table.name: [(f.name, gc.rule_of(f.gc)) for f in table.families] for table in found.spec.tables} == {
        "users": [("p1", gc.Age(30 * 3_600_000))], "events": [("e1", gc.Age(7 * 3_600_000))],
    }  # fmt: skip
    assert 'from = google_bigtable_table.t["users"]\n' in text
    assert "from = google_bigtable_app_profile.batch[0]\n" in text


def test_an_expression_within_a_choice_that_is_not_known_is_said() -> None:
    assert any("gc_rules is an expression whose value is not in the text" in str(one) for one in read(CHOSEN).remarks)


@cases("repeated", [
        "count = 501", "count = var.unsaid", "for_each = { for k in var.unsaid : k => k }",
        "for_each = toset([var.unsaid])",
        "for_each = google_bigtable_table.t", "count = true", "count = -1", "count = var.unsaid ? 1 : 0",
        'count = "2" > 1 ? 1 : 0', "for_each = [for k in local.itself : k]", "for_each = { for k in [1] : k => k... }",
    ])  # fmt: skip
def test_what_the_file_does_not_say_or_repeats_too_often_is_one_resource_and_said(repeated: str) -> None:
    found = read(f'resource "google_bigtable_table" "t" {{\n  {repeated}\n  name = "t"\n}}\n')

    assert [table.name for table in found.spec.tables] == ["t"]
    assert any("sets the number of resources: one is imported" in str(one) for one in found.remarks)


def test_a_block_that_repeats_over_nothing_makes_nothing() -> None:
    none = 'resource "google_bigtable_table" "t" {\n  for_each = toset([])\n  name = each.key\n}\n'
    one = 'resource "google_bigtable_table" "other" { name = "other" }\n'

    assert [table.name for table in read(none + one).spec.tables] == ["other"]


@pytest.mark.parametrize(
    ("versions", "written"),
    [
        ("~> 6.50", None), ("~> 7.10.0", None), ("< 7.34", None), ("= 7.33", None),
        ("~> 7.0", "~> 7.0, >= 7.34"), (">= 6.0", ">= 6.0, >= 7.34"), ("7.40.1", "7.40.1, >= 7.34"),
    ],
)  # fmt: skip
def test_the_edition_is_written_for_providers_that_have_it(versions: str, written: str | None) -> None:
    spec = read(FILE.replace("~> 6.50", versions)).spec

    made = export(spec)

    assert ('"ENTERPRISE_PLUS"' in made.files[0].text) == (written is not None)
    assert f'version = "{written or versions}"' in made.files[0].text
    assert [one for one in made.refusals if "7.34" in str(one)] != [] or written


def test_what_runs_and_is_in_no_state_is_imported_by_blocks() -> None:
    data = {"tables": [{"id": "t", "name": "orders", "families": [
                {"id": "f", "name": "o", "gc": {"kind": "max_versions", "versions": 1}}]},
                {"id": "u", "name": "users", "terraform": {"address": "google_bigtable_table.users"}}],
            "instance": {"name": "shop-prod", "project": "shop-project",
                         "clusters": [{"id": "c", "name": "shop-prod-c1", "zone": "us-east1-b",
                                       "nodes": {"kind": "fixed", "count": 3}}],
                         "app_profiles": [{"id": "p", "name": "default"}]}}  # fmt: skip

    made = export(from_data(data), adopts=True)

    assert [one.name for one in made.files] == ["design.tf", "design.import.tf"]
    assert file_resources(made.files[1].text)[2] == {
        "google_bigtable_instance.instance": "projects/shop-project/instances/shop-prod",
        "google_bigtable_table.t": "projects/shop-project/instances/shop-prod/tables/orders",
        "google_bigtable_app_profile.p": "projects/shop-project/instances/shop-prod/appProfiles/default",
    }
    assert any("does not import garbage-collection policies" in str(one) for one in made.notes)
    del data["instance"]["project"]  # type: ignore[attr-defined]
    assert 'id = "projects/${var.project}/instances/shop-prod"' in export(from_data(data), adopts=True).files[1].text
    assert len(export(from_data(data)).files) == 1


@cases("address", ["x", 'a.b["${c}"]', "a.b\n.c", 'a.b["x"', "module.a", "a.b[c]", "a.b.c", "a b.c"])
def test_no_other_text_is_an_address(address: str) -> None:
    with pytest.raises(InvalidDocumentError, match="address"):
        from_data({"tables": [{"id": "t", "terraform": {"address": address}}]})


def test_addresses_that_cannot_stay_are_not_written_twice() -> None:
    same = {"address": "google_bigtable_table.t2"}
    tables = [{"id": "t1", "name": "a", "terraform": same}, {"id": "t2", "name": "b"},
              {"id": "t3", "name": "c", "terraform": same},
              {"id": "t4", "name": "d", "terraform": {"address": "google_storage_bucket.b"}}]  # fmt: skip

    made = export(from_data({"tables": tables}))
    resources, _, _ = file_resources(made.files[0].text)

    assert [values["name"] for _, values in resources.values()] == ["a", "b", "c", "d"]
    assert next(iter(resources)) == "google_bigtable_table.t2"
    assert any("another kind of resource" in str(one) for one in made.notes)


def test_a_row_key_schema_stays_as_it_is_until_the_key_changes() -> None:
    assert json.dumps(SCHEMA) in file_text()
    longer = edited_design(
        lambda data: (
            data["tables"][0]["row_kinds"][0]["key"].reverse()
            or data["tables"][0]["row_kinds"][0]["key"][0].update(after="#")
            or data["tables"][0]["row_kinds"][0]["key"][1].pop("after", None)
        )
    )

    found = [one for one in changes(export(longer).files[0].text, state()) if "row_key_schema" in one]

    assert len(found) == 1


@pytest.mark.parametrize(
    "argument",
    [
        ("name", '"x"'), ("lifecycle", '{"ignore_changes": ["a } b"]}'), ("timeouts", "[1]"), ("force_destroy", "1.5"),
        ("for_each", '["a"]'),
    ],
)  # fmt: skip
def test_an_argument_that_is_not_kept_is_refused(argument: tuple[str, str]) -> None:
    name, value = argument
    managed = {"arguments": [{"name": name, "value": value}]}

    made = export(from_data({"tables": [{"id": "t", "name": "a", "terraform": managed}]}))

    assert [one.at for one in made.refusals] == ["t"]
    assert name not in made.files[0].text.partition("google_bigtable_table")[2].replace("  name ", "").replace(
        "_name", ""
    )


def test_terraform_lays_the_adopted_files_out_the_same(tmp_path: Path) -> None:
    terraform = tools.needs("terraform")
    (tmp_path / "main.tf").write_text(file_text())
    spec = from_data({"tables": [{"id": "t", "name": "orders"}]})
    (tmp_path / "import.tf").write_bytes(export(spec, adopts=True).files[1].data)

    done = tools.run(terraform, "fmt", "-check", "-diff", "-no-color", folder=tmp_path)

    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_terraform_plans_no_change_of_the_state(tmp_path: Path) -> None:
    terraform = tools.needs("terraform")
    mirror = os.environ.get("TF_PLUGIN_CACHE_DIR") or os.environ.get("KEYWRIGHT_TERRAFORM_PROVIDERS")
    if not mirror:
        pytest.skip("Terraform's provider google is not on this machine: the plan is compared attribute by attribute")
    (tmp_path / "main.tf").write_text(file_text())
    (tmp_path / "terraform.tfstate").write_text(json.dumps(stored_state(state())))
    assert tools.run(terraform, "init", f"-plugin-dir={mirror}", "-no-color", folder=tmp_path).returncode == 0
    nobody = {"GOOGLE_PROJECT": "shop-project", "GOOGLE_OAUTH_ACCESS_TOKEN": "none"}

    done = tools.run(terraform, "plan", "-refresh=false", "-input=false", "-no-color", folder=tmp_path, **nobody)

    assert done.returncode == 0, done.stderr
    assert "0 to add, 0 to change, 0 to destroy" in done.stdout or "No changes" in done.stdout


def test_the_comparison_finds_what_a_file_leaves_out() -> None:
    other = deepcopy(state())
    values: Mapping[str, Any] = other["values"]["root_module"]["resources"][0]["values"]
    values["split_keys"].append("zz")  # type: ignore[index]

    assert changes(file_text(), other) == [
        "google_bigtable_table.orders: split_keys: ['m', 'c', 'x', 'zz'] → ['m', 'c', 'x']"
    ]
    assert "google_bigtable_table.orders destroyed" in changes("", state())


@cases("text, tool, line", [
        ("2026/05/22 01:52:11 -creds flag unset, will use gcloud credential\n"
         "2026/05/22 01:52:12 Getting list of tables: rpc error: code = NotFound desc = Instance not found", "cbt", 2),
        ("$ cbt -instance i ls\n2026/11/27 00:42:43 missing -project and -instance", "cbt", 2),
        ("ERROR: (gcloud.bigtable.instances.tables.describe) NOT_FOUND: Table t not found.\n- '@type': x", "gcloud", 1),
        ("╷\n│ Error: No state file was found!\n│ \n│ State management commands require a state.\n╵", "Terraform", 2),
        ("bash: cbt: command not found", "the shell", 1),
        ("zsh: command not found: cbt".replace("command not found: cbt", "cbt: command not found"), "the shell", 1),
        ('Traceback (most recent call last):\n  File "/opt/x.py", line 1, in <module>\nKeyError: 1', "Python", 1),
        ('{"error": {"code": 404, "message": "Table not found", "status": "NOT_FOUND"}}', "the API", 1),
    ])  # fmt: skip
def test_an_error_that_was_pasted_is_recognised(text: str, tool: str, line: int) -> None:
    with pytest.raises(InvalidDocumentError, match=f"error of {tool}") as refused:
        read(text)

    assert refused.value.problems[0].line == line


def test_an_answer_with_a_notice_above_is_no_error() -> None:
    notice = "2026/05/22 01:52:11 -creds flag unset, will use gcloud credential\n"

    found = read(
        f"{notice}$ cbt -instance shop ls orders\nFamily Name\tGC Policy\n-----------\t---------\no\t<never>\n"
    )

    assert [table.name for table in found.spec.tables] == ["orders"]


def test_tables_below_a_notice_of_cbt_are_no_keys() -> None:
    notice = "2026/05/22 01:52:11 -creds flag unset, will use gcloud credential\n"

    found = read(f"{notice}orders_2026\nusers2\n")

    assert [table.name for table in found.spec.tables] == ["orders_2026", "users2"]
