"""Terraform files: what its own parser, `terraform fmt`, its evaluator and python-hcl2 make of them."""

import base64
import json
import os
import re

import hcl2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.load import from_data
from designer.document.terraform import TerraformInstance
from reviews.exports.shared import gc
from reviews.exports.shared.hcl import comment, is_kept_unchanged, quote
from reviews.exports.shared.names import label
from reviews.exports.shared.terraform_rules import top_rule
from reviews.exports.terraform import make
from tests.cases import cases
from tests.contexts import Content
from tests.designs import HOSTILE, forty_tables, hostile
from tests.exports import tools

ARGUMENTS = {
    "google_bigtable_instance": {"name", "display_name", "cluster"},
    "google_bigtable_table": {"name", "instance_name", "split_keys", "column_family", "deletion_protection",
                              "change_stream_retention", "automated_backup_policy"},
    "google_bigtable_gc_policy": {"instance_name", "table", "column_family", "gc_rules"},
    "google_bigtable_app_profile": {"instance", "app_profile_id", "description", "multi_cluster_routing_use_any",
                                    "multi_cluster_routing_cluster_ids", "single_cluster_routing", "standard_isolation",
                                    "data_boost_isolation_read_only"},
}  # fmt: skip
"""Of the provider's schema, 6.50 (read 2026-11-20)."""


def text_of(spec: Spec) -> str:
    (file,) = make(Content(spec)).files
    return file.text


def resources(text: str) -> dict[tuple[str, str], dict]:
    """The resources of a file by kind and label, without the parser's own marks."""
    found = {}
    for block in hcl2.loads(text).get("resource", []):
        for kind, inner in block.items():
            for name, body in inner.items():
                found[kind.strip('"'), name.strip('"')] = body
    return found


def full() -> Spec:
    """A design that uses all that Terraform can be told."""
    return from_data(
        {
            "name": "All of it",
            "tables": [
                {"id": "t", "name": "readings", "deletion_protection": True, "change_stream_days": 2,
                 "split_keys": ["b", "a,1", "天"], "backups": [{"id": "b", "kept_days": 30}],
                 "families": [{"id": "f", "name": "m", "gc": {"kind": "max_age", "age_days": 730}},
                              {"id": "g", "name": "n", "kind": "sum", "gc": {"kind": "never"}}]},
                {"id": "1t", "name": "more", "families": []},
            ],
            "instance": {
                "name": "all-of-it", "storage": "hdd",
                "clusters": [
                    {"id": "c1", "name": "cluster-a", "zone": "europe-west1-b",
                     "nodes": {"kind": "autoscaling", "min": 2, "max": 8, "cpu_target": 0.35,
                               "storage_target_gib": 8192}},
                    {"id": "c2", "name": "cluster-b", "node_scaling": 2, "nodes": {"kind": "fixed", "count": 4}},
                ],
                "app_profiles": [
                    {"id": "p1", "name": "any"},
                    {"id": "p2", "name": "both", "clusters": ["c1", "c2"], "priority": "low"},
                    {"id": "p3", "name": "tx", "routing": "single", "clusters": ["c1"], "transactions": True},
                    {"id": "p4", "name": "boost", "routing": "single", "clusters": ["c2"], "data_boost": True},
                ],
            },
        }
    )  # fmt: skip


@pytest.mark.parametrize("spec", [full, forty_tables, hostile])
def test_only_arguments_that_the_provider_has_are_written(spec) -> None:
    for (kind, name), body in resources(text_of(spec())).items():
        assert set(body) - {"__is_block__", "__comments__"} <= ARGUMENTS[kind], name


def test_everything_that_terraform_can_be_told_is_there() -> None:
    made = make(Content(full()))
    found = resources(made.files[0].text)

    assert made.refusals == ()
    table = found["google_bigtable_table", "t"]
    assert table["deletion_protection"] == '"PROTECTED"'
    assert table["change_stream_retention"] == '"48h0m0s"'
    assert table["split_keys"] == ['"a,1"', '"b"', '"天"']
    assert [each.get("type") for each in table["column_family"]] == [None, '"intsum"']
    assert table["automated_backup_policy"][0]["retention_period"] == '"720h0m0s"'
    assert ("google_bigtable_gc_policy", "g") not in found  # the API collects nothing unless it is told to
    assert '"17520h"' in found["google_bigtable_gc_policy", "f"]["gc_rules"]
    first, second = found["google_bigtable_instance", "instance"]["cluster"]
    assert first["autoscaling_config"][0] | {"__is_block__": 0} == {
        "min_nodes": 2, "max_nodes": 8, "cpu_target": 35, "storage_target": 8192, "__is_block__": 0,
    }  # fmt: skip
    assert (second["zone"], second["num_nodes"]) == ("${var.zone_of_c2}", 4)
    assert found["google_bigtable_app_profile", "p2"]["multi_cluster_routing_cluster_ids"] == [
        '"cluster-a"',
        '"cluster-b"',
    ]


@cases(
    "versions, is_possible",
    [
        ("< 7.34", False),
        ("< 7.34.0", False),
        ("< 7.34.1", True),
        ("< 7.35", True),
        ("< 7", False),
        ("< 8", True),
        ("<= 7.34", True),
        ("<= 7.33.9", False),
        ("~> 7", True),
        ("~> 7.33.1", False),
        ("~> 7.34.0", True),
        ("> 7.0, < 7.34.0", False),
        ("7.34.0", True),
    ],
)
def test_versions_of_a_provider_allow_one_that_knows_editions(versions: str, is_possible: bool) -> None:
    assert TerraformInstance(provider_version=versions).is_possible((7, 34)) is is_possible


def test_the_edition_is_said_and_asks_for_a_provider_that_knows_it() -> None:
    instance = full().instance
    plus = make(
        Content(full().model_copy(update={"instance": instance.model_copy(update={"edition": "enterprise_plus"})}))
    )

    assert plus.refusals == ()
    assert resources(plus.files[0].text)["google_bigtable_instance", "instance"]["edition"] == '"ENTERPRISE_PLUS"'
    assert '">= 7.34"' in plus.files[0].text
    assert '">= 6.50"' in text_of(full())


def test_modes_are_in_lower_case_inside_of_gc_rules() -> None:
    rule = gc.AnyOf((gc.Age(604_800_000), gc.AllOf((gc.Versions(2), gc.Age(1_500)))))

    assert top_rule(gc.Versions(2)) == {"rules": [{"max_version": 2}]}
    assert top_rule(rule) == {
        "mode": "union",
        "rules": [{"max_age": "168h"}, {"mode": "intersection", "rules": [{"max_version": 2}, {"max_age": "1500ms"}]}],
    }


def test_labels_are_ids_so_a_rename_keeps_them_and_no_two_share_one() -> None:
    assert [label(one) for one in ("readings", "1t", "id-1t", "_x", "-")] == [
        "readings",
        "id-1t",
        "id-id-1t",
        "id-_x",
        "id--",
    ]


def test_a_split_key_that_terraform_would_change_is_refused() -> None:
    spec = from_data({"tables": [{"id": "t", "name": "x", "split_keys": ["e\u0301", "\\xff", "n\\x00", "ok"]}]})

    made = make(Content(spec))

    assert [remark.at for remark in made.refusals] == ["t"] * 3
    assert resources(made.files[0].text)["google_bigtable_table", "t"]["split_keys"] == ['"ok"']


def test_infrequent_access_is_refused() -> None:
    spec = from_data({"tables": [{"id": "t", "name": "x", "infrequent_access_days": 30}]})

    assert [(one.at, "Infrequent" in str(one)) for one in make(Content(spec)).refusals] == [("t", True)]


@pytest.mark.parametrize(
    ("nodes", "more", "refused"),
    [
        ({"kind": "autoscaling", "min": 1, "max": 10}, {}, False),
        ({"kind": "autoscaling", "min": 1, "max": 11}, {}, True),
        ({"kind": "fixed", "count": 4}, {"node_scaling": 2}, False),
        ({"kind": "fixed", "count": 3}, {"node_scaling": 2}, True),
        ({"kind": "autoscaling", "min": 2, "max": 5}, {"node_scaling": 2}, True),
        ({"kind": "fixed", "count": 1}, {"zone": "us-east1-c"}, True),
    ],
)
def test_clusters_that_the_api_refuses_are_refused(nodes: dict, more: dict, refused: bool) -> None:
    first = {"id": "a", "name": "cluster-a", "zone": "us-east1-c", "nodes": {"kind": "fixed", "count": 1}}
    second = {"id": "b", "name": "cluster-b", "zone": "us-west1-a", "nodes": nodes, **more}

    made = make(Content(from_data({"instance": {"clusters": [first, second]}})))

    assert [one.at for one in made.refusals] == (["b"] if refused else [])


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30) | st.sampled_from(HOSTILE)


@given(TEXTS)
def test_a_comment_is_one_line(text: str) -> None:
    assert comment(text).isprintable()


@given(TEXTS)
def test_a_string_is_one_line_and_has_no_template(text: str) -> None:
    literal = quote(text)

    assert literal.isprintable()
    inside = literal[1:-1]
    assert re.fullmatch(r'(?:[^"\\$%]|\\["\\nrt]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|[$%](?!\{))*', inside)


@settings(max_examples=3)
@given(st.lists(TEXTS.filter(is_kept_unchanged), min_size=1, max_size=40))
def test_terraform_evaluates_every_string_to_itself(tmp_path_factory, texts: list[str]) -> None:
    terraform = tools.needs("terraform")
    folder = tmp_path_factory.mktemp("texts")
    (folder / "main.tf").write_text(f"locals {{\n  texts = [{', '.join(map(quote, texts))}]\n}}\n")

    done = tools.run(terraform, "console", "-no-color", folder=folder, given="base64encode(jsonencode(local.texts))\n")

    assert json.loads(base64.b64decode(done.stdout.strip().strip('"'))) == texts, done.stderr


@pytest.mark.parametrize("spec", [full, forty_tables, hostile])
def test_terraform_parses_the_file_and_would_lay_it_out_the_same(spec, tmp_path) -> None:
    terraform = tools.needs("terraform")
    (tmp_path / "main.tf").write_bytes(make(Content(spec())).files[0].data)

    done = tools.run(terraform, "fmt", "-check", "-diff", "-no-color", folder=tmp_path)

    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_terraform_plans_the_file(tmp_path) -> None:
    terraform = tools.needs("terraform")
    mirror = os.environ.get("TF_PLUGIN_CACHE_DIR") or os.environ.get("KEYWRIGHT_TERRAFORM_PROVIDERS")
    if not mirror:
        pytest.skip("Terraform's provider google is not on this machine (KEYWRIGHT_TERRAFORM_PROVIDERS): not planned")
    (tmp_path / "main.tf").write_bytes(make(Content(full())).files[0].data)
    made = tools.run(terraform, "init", f"-plugin-dir={mirror}", "-no-color", folder=tmp_path)
    assert made.returncode == 0, made.stderr

    done = tools.run(terraform, "validate", "-json", folder=tmp_path)

    assert json.loads(done.stdout)["valid"], done.stdout
    nobody = {"GOOGLE_PROJECT": "planned", "GOOGLE_OAUTH_ACCESS_TOKEN": "none"}  # of what is new, no API is asked
    done = tools.run(terraform, "plan", "-refresh=false", "-input=false", "-no-color", folder=tmp_path, **nobody)
    resources = (tmp_path / "main.tf").read_text().count("\nresource ")
    assert done.returncode == 0, done.stderr
    assert f"Plan: {resources} to add, 0 to change, 0 to destroy." in done.stdout
