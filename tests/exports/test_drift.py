"""Drift: what is made of an export does not differ from its design, and each change is named at its place."""

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from designer.document import Spec, dump
from designer.document.load import from_data
from designer.examples import examples
from reviews.drift import Drift, find_drift, read_files
from reviews.exports import format_named
from reviews.exports.shared.content import ExportContent
from tests.contexts import Content
from tests.designs import forty_tables, hostile

BIGTABLE = [example for example in examples() if example.spec.engine == "bigtable"]


def drift_of(spec: Spec, *texts: str, ignored: Sequence[str] = ()) -> Drift:
    return find_drift(ExportContent(spec), read_files(texts), ignored=ignored)


def terraform(spec: Spec) -> str:
    return format_named("terraform").make(Content(spec)).files[0].text


def places(drift: Drift) -> list[str]:
    return [f"{each.change} {each.path}" for each in drift.differences]


DESIGN: dict[str, Any] = {
    "name": "Fleet",
    "instance": {
        "name": "fleet-prod",
        "edition": "enterprise",
        "storage": "ssd",
        "clusters": [
            {"id": "c1", "name": "fleet-eu", "region": "europe-west1", "zone": "europe-west1-b",
             "nodes": {"kind": "autoscaling", "min": 3, "max": 9, "cpu_target": 0.6}},
            {"id": "c2", "name": "fleet-us", "region": "us-east1", "zone": "us-east1-c",
             "nodes": {"kind": "fixed", "count": 4}, "node_scaling": 2},
        ],
        "app_profiles": [{"id": "p1", "name": "batch", "routing": "single", "clusters": ["c2"], "priority": "low"}],
    },
    "tables": [
        {"id": "t1", "name": "readings", "deletion_protection": True, "change_stream_days": 3,
         "backups": [{"kept_days": 7, "every_hours": 24}],
         "families": [
             {"id": "f1", "name": "d", "gc": {"kind": "union", "rules": [
                 {"kind": "max_age", "age_days": 90}, {"kind": "max_versions", "versions": 2}]}},
             {"id": "f2", "name": "n", "kind": "sum"},
         ]},
        {"id": "t2", "name": "events", "families": [{"id": "f3", "name": "e"}]},
    ],
}  # fmt: skip
"""With every setting that is compared."""

ANSWERS: dict[str, Any] = {
    "tables": [
        {"name": "projects/p/instances/fleet-prod/tables/readings", "granularity": "MILLIS", "deletionProtection": True,
         "changeStreamConfig": {"retentionPeriod": "259200s"},
         "automatedBackupPolicy": {"retentionPeriod": "604800s", "frequency": "86400s"},
         "columnFamilies": {
             "d": {"gcRule": {"union": {"rules": [{"maxNumVersions": 2}, {"maxAge": "7776000s"}]}}},
             "n": {"valueType": {"aggregateType": {"sum": {}, "inputType": {"int64Type": {}}}}}}},
        {"name": "projects/p/instances/fleet-prod/tables/events", "columnFamilies": {"e": {}}},
    ],
    "clusters": [
        {"name": "projects/p/instances/fleet-prod/clusters/fleet-eu", "location": "projects/p/locations/europe-west1-b",
         "defaultStorageType": "SSD", "clusterConfig": {"clusterAutoscalingConfig": {
             "autoscalingLimits": {"minServeNodes": 3, "maxServeNodes": 9},
             "autoscalingTargets": {"cpuUtilizationPercent": 60, "storageUtilizationGibPerNode": 2560}}}},
        {"name": "projects/p/instances/fleet-prod/clusters/fleet-us", "location": "projects/p/locations/us-east1-c",
         "serveNodes": 4, "defaultStorageType": "SSD", "nodeScalingFactor": "NODE_SCALING_FACTOR_2X"},
    ],
    "appProfiles": [
        {"name": "projects/p/instances/fleet-prod/appProfiles/batch", "singleClusterRouting": {"clusterId": "fleet-us"},
         "standardIsolation": {"priority": "PRIORITY_LOW"}},
        {"name": "projects/p/instances/fleet-prod/appProfiles/default",
         "multiClusterRoutingUseAny": {}, "standardIsolation": {"priority": "PRIORITY_HIGH"}},
    ],
}  # fmt: skip
"""What gcloud prints of an instance as designed, by `tables list --view=full`, `clusters list`, `app-profiles list`."""


def answers(change: Callable[[dict[str, Any]], None] = lambda _: None) -> list[str]:
    data = json.loads(json.dumps(ANSWERS))
    change(data)
    return [json.dumps(each) for each in data.values()]


@pytest.mark.parametrize("example", BIGTABLE, ids=lambda example: example.slug)
def test_what_terraform_makes_of_an_example_does_not_differ_from_it(example: Any) -> None:
    assert places(drift_of(example.spec, terraform(example.spec))) == []


@pytest.mark.parametrize("spec", [forty_tables, hostile])
def test_names_that_exports_make_are_the_names_that_run(spec: Any) -> None:
    inexpressible = ["table/*/splits"]  # Terraform takes no bytes that are no text: the export refuses them
    assert places(drift_of(spec(), terraform(spec()), ignored=inexpressible)) == []


def test_an_instance_as_designed_has_no_difference() -> None:
    drift = drift_of(from_data(DESIGN), *answers())
    assert places(drift) == []
    assert drift.not_told == ()


def in_table(**more: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["tables"][0].update(more)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data["tables"].pop(1), ["missing table/events"]),
        (lambda data: data["tables"].append({"name": "projects/p/instances/i/tables/x"}), ["extra table/x"]),
        (in_table(deletionProtection=False), ["changed table/readings/deletion_protection"]),
        (lambda data: data["tables"][0].pop("deletionProtection"), ["changed table/readings/deletion_protection"]),
        (lambda data: data["tables"][0].pop("changeStreamConfig"), ["changed table/readings/change_stream"]),
        (in_table(changeStreamConfig={"retentionPeriod": "86400s"}), ["changed table/readings/change_stream"]),
        (in_table(automatedBackupPolicy={}), ["changed table/readings/backups"]),
        (lambda data: data["tables"][0]["columnFamilies"].pop("n"), ["missing table/readings/family/n"]),
        (lambda data: data["tables"][0]["columnFamilies"].update(x={}), ["extra table/readings/family/x"]),
        (lambda data: data["tables"][0]["columnFamilies"].update(n={}), ["changed table/readings/family/n/kind"]),
        (
            lambda data: data["tables"][0]["columnFamilies"].update(d={"gcRule": {"maxAge": "7776000s"}}),
            ["changed table/readings/family/d/gc"],
        ),
        (lambda data: data["clusters"][1].update(serveNodes=6), ["changed cluster/fleet-us/nodes"]),
        (
            lambda data: data["clusters"][0].update(clusterConfig={}, serveNodes=3),
            ["changed cluster/fleet-eu/nodes"],
        ),
        (lambda data: data["clusters"][1].pop("nodeScalingFactor"), ["changed cluster/fleet-us/node_scaling"]),
        (
            lambda data: data["clusters"][1].update(location="projects/p/locations/us-east1-d"),
            ["changed cluster/fleet-us/zone"],
        ),
        (
            lambda data: [each.update(defaultStorageType="HDD") for each in data["clusters"]],
            ["changed cluster/fleet-eu/nodes", "changed instance/storage"],  # its target per node is of SSD
        ),
        (lambda data: data["appProfiles"].pop(0), ["missing app profile/batch"]),
        (
            lambda data: data["appProfiles"][0].update(standardIsolation={"priority": "PRIORITY_HIGH"}),
            ["changed app profile/batch/priority"],
        ),
        (
            lambda data: data["appProfiles"][0]["singleClusterRouting"].update(allowTransactionalWrites=True),
            ["changed app profile/batch/transactions"],
        ),
        (
            lambda data: data["appProfiles"][0]["singleClusterRouting"].update(clusterId="fleet-eu"),
            ["changed app profile/batch/routing"],
        ),
    ],
)
def test_each_change_is_named_at_its_place(change: Callable[[dict[str, Any]], None], expected: list[str]) -> None:
    assert places(drift_of(from_data(DESIGN), *answers(change))) == expected


def test_what_no_file_tells_is_no_difference() -> None:
    names = "readings\nevents\n"
    drift = drift_of(from_data(DESIGN), names)
    assert places(drift) == []
    assert [str(each) for each in drift.not_told] == [
        "table readings, family d", "table readings, family n", "table events, family e",
        "cluster fleet-eu", "cluster fleet-us", "app profile batch",
    ]  # fmt: skip
    (table,) = drift_of(from_data(DESIGN), json.dumps(ANSWERS["tables"][0])).not_told[:1]
    assert str(table) == "table events"  # one table that was described says nothing of others


def test_a_rule_in_the_notation_of_cbt_is_the_same_rule() -> None:
    head = "cbt -instance fleet-prod ls readings\nFamily Name\tGC Policy\n-----------\t---------\n"
    text = f"{head}d\tversions() > 2 || age() > 2160h\n"
    month = text.replace("2160h", "720h")
    assert places(drift_of(from_data(DESIGN), text)) == ["missing table/readings/family/n"]
    assert places(drift_of(from_data(DESIGN), month, ignored=["table/*/family/n"])) == [
        "changed table/readings/family/d/gc"
    ]


def test_a_place_that_is_ignored_does_not_count_nor_what_is_below() -> None:
    def change(data: dict[str, Any]) -> None:
        data["clusters"][1].update(serveNodes=6)
        data["tables"].append({"name": "projects/p/instances/i/tables/tmp_1"})

    assert places(drift_of(from_data(DESIGN), *answers(change), ignored=["cluster/*/nodes", "table/tmp_*"])) == []
    assert places(drift_of(from_data(DESIGN), *answers(change), ignored=["cluster"])) == ["extra table/tmp_1"]


def run(tmp_path: Path, *arguments: str, files: Sequence[str] = ()) -> tuple[int, str]:
    design = tmp_path / "fleet.keywright.json"
    design.write_text(dump(from_data(DESIGN)))
    paths = []
    for place, text in enumerate(files or answers()):
        paths.append(tmp_path / f"{place}.json")
        paths[-1].write_text(text)
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("drift", str(design), *map(str, paths), *arguments, stdout=out)
    return int(ended.value.code or 0), out.getvalue()


def test_the_command_ends_with_1_where_something_differs(tmp_path: Path) -> None:
    assert run(tmp_path) == (0, "No difference.\n")
    differing = answers(in_table(deletionProtection=False))
    code, text = run(tmp_path, files=differing)
    assert (code, text.splitlines()) == (
        1, ["  ~ table readings, deletion protection: off, designed on", "1 difference."],
    )  # fmt: skip
    assert run(tmp_path, "--ignore", "table/readings", files=differing)[0] == 0


def test_programs_get_the_same_with_places_and_lines(tmp_path: Path) -> None:
    differing = answers(in_table(deletionProtection=False))
    told = json.loads(run(tmp_path, "--json", files=differing)[1])
    assert told["format"] == "keywright-drift/1"
    (one,) = told["differences"]
    assert (one["place"], one["designed"], one["running"], one["element"]) == (
        "table/readings/deletion_protection", "on", "off", "t1",
    )  # fmt: skip
    assert one["line"] > 1
    (result,) = json.loads(run(tmp_path, "--sarif", files=differing)[1])["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == one["line"]
    github = run(tmp_path, "--format", "github", files=differing)[1]
    assert github.startswith("::error file=")
    assert f"line={one['line']},title=Drift::table readings" in github


def test_what_cannot_be_compared_ends_with_2_and_a_sentence(tmp_path: Path) -> None:
    design = tmp_path / "fleet.json"
    design.write_text(dump(from_data(DESIGN)))
    with pytest.raises(CommandError, match="cannot be read") as missing:
        call_command("drift", str(design), str(tmp_path / "none.json"))
    (tmp_path / "keys.txt").write_text("a#1\nb#2\n")
    with pytest.raises(CommandError, match="does not tell what runs") as keys:
        call_command("drift", str(design), str(tmp_path / "keys.txt"))
    design.write_text(dump(from_data({"engine": "tablestore", "tables": []})))
    with pytest.raises(CommandError, match="Bigtable cannot create its tables") as other:
        call_command("drift", str(design), str(tmp_path / "keys.txt"))
    assert [each.value.returncode for each in (missing, keys, other)] == [2, 2, 2]
