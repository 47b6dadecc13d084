"""Drift: what is made of an export does not differ from its design, and each change is named at its place."""

import io
import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command

from designer.document import Spec, dump
from designer.document.base import path_text
from designer.document.load import from_data
from designer.document.validation_errors import InvalidDocumentError
from designer.examples import examples
from designer.management.base import CommandError
from designer.wording.formatting import english_text
from estimator.observations import ObservationError, read_measurements
from reviews.drift import Drift, find_drift, read_files, table_names
from reviews.drift.reports import schema as drift_schema
from reviews.exports import format_named
from reviews.exports.shared.content import ExportContent
from tests.cases import cases
from tests.contexts import Content
from tests.designs import forty_tables, hostile
from tests.exports import running
from tests.exports.test_law import at, fields, otherwise, rich, rich_spec

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


def test_what_runs_and_no_tool_can_make_as_designed_is_not_called_beyond_the_design() -> None:
    """A rule of 100 µs and a cluster in a zone of another region, to which a profile routes: all three run."""
    data = json.loads(json.dumps(DESIGN))
    data["tables"][0]["families"][0]["gc"] = {"kind": "max_age", "age_days": 1e-9}
    data["instance"]["clusters"][1]["zone"] = "us-west1-a"

    drift = drift_of(from_data(data), *answers())

    assert places(drift) == ["changed app profile/batch", "changed cluster/fleet-us", "changed table/readings/family/d"]
    assert [each.element for each in drift.differences] == ["p1", "c2", "f1"]
    assert all("not in the design" not in english_text(each.text) for each in drift.differences)
    assert {refusal.at for refusal in drift.not_compared} == {"p1", "c2", "f1"}


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


@cases(
    "change, expected",
    [
        (lambda data: data["tables"].pop(1), ["missing table/events"]),
        (lambda data: data["tables"].append({"name": "projects/p/instances/fleet-prod/tables/x"}), ["extra table/x"]),
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
            ["changed instance/storage"],
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
        data["tables"].append({"name": "projects/p/instances/fleet-prod/tables/tmp_1"})

    assert places(drift_of(from_data(DESIGN), *answers(change), ignored=["cluster/*/nodes", "table/tmp_*"])) == []
    assert places(drift_of(from_data(DESIGN), *answers(change), ignored=["cluster"])) == ["extra table/tmp_1"]


FAMILIES = "Family Name\tGC Policy\n-----------\t---------\nd\t<never>\n"


def test_a_list_of_families_is_of_the_table_that_is_stated_or_named_by_its_file(tmp_path: Path) -> None:
    spec = from_data({**DESIGN, "tables": [{"id": "t1", "name": "readings"}, {"id": "t2", "name": "alerts"}]})
    assert table_names(spec, ["x/alerts.txt", "families.txt", "-"]) == ["alerts", "", ""]
    assert table_names(spec, ["x/alerts.txt"], "readings") == ["readings"]
    one = from_data({**DESIGN, "tables": [{"id": "t1", "name": "readings"}]})
    assert table_names(one, ["any.txt"]) == ["readings"]
    assert dict(read_files([FAMILIES], ["alerts"]).told.tables) == {"alerts": {"families": {"d": {"gc": None}}}}
    for name, text in (("design.json", dump(spec)), ("families.txt", FAMILIES), ("alerts.txt", FAMILIES)):
        (tmp_path / name).write_text(text)
    design, families = tmp_path / "design.json", tmp_path / "families.txt"
    with pytest.raises(CommandError, match=f"keywright drift {design} {families} --table TABLE"):
        call_command("drift", str(design), str(families))
    with pytest.raises(CommandError, match="the design has no table 'alert'; did you mean 'alerts'") as typo:
        call_command("drift", str(design), str(families), "--table", "alert")
    assert typo.value.returncode == 2
    printed = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("drift", str(design), str(tmp_path / "alerts.txt"), stdout=printed)
    assert "table alerts, family d: present" in printed.getvalue()


RICH_ANSWERS = [running.terraform_state, running.gcloud, running.cbt]


@pytest.mark.parametrize("tool", RICH_ANSWERS)
def test_what_each_tool_tells_of_exported_designs_does_not_differ_from_them(tool: Any) -> None:
    for spec in (rich_spec("bigtable"), *(example.spec for example in BIGTABLE)):
        assert places(drift_of(spec, *tool(spec))) == [], spec.name


def test_files_of_several_tools_are_one_picture() -> None:
    spec = rich_spec("bigtable")

    assert places(drift_of(spec, *(text for tool in RICH_ANSWERS for text in tool(spec)))) == []


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["first", "all"])
def test_every_field_that_an_export_writes_is_drift_at_its_place_and_no_other_is(is_whole: bool) -> None:
    """Of every field the first place and another value; in the long form all places, and two values at the first."""
    data, spec = rich("bigtable"), rich_spec("bigtable")
    state, lines = read_files(running.terraform_state(spec)), written_lines(spec)
    silent, loud, elsewhere, seen = [], [], [], set()
    for (model, field), ways in fields("terraform").items():
        is_omitted = field in format_named("terraform").omits.get(model, ())
        for path in ways if is_whole and not is_omitted else ways[:1]:
            for changed in islice(otherwise("bigtable", path, model, field), 2 if is_whole and path == ways[0] else 1):
                found = find_drift(ExportContent(changed), state).differences
                where, is_written = f"{model.__name__}.{field} ({path_text(path)})", written_lines(changed) != lines
                is_open = not at_changed(changed, path, field)
                silent += [where] * (is_written and not found and not is_open and where.split()[0] not in NOT_COMPARED)
                loud += [where] * (not is_written and bool(found) and field != "zone")
                is_part = isinstance(at(data, path)[field], list | dict)
                # What no tool makes any more may be another thing, such as a profile of a cluster in a wrong zone.
                strangers = {one.element for one in found if not one.is_refused} - ids_on(data, path)
                elsewhere += [where] * (bool(strangers) and not is_part and field != "name")
                seen |= {where.split()[0]} if found else set()
    assert (silent, loud, elsewhere) == ([], [], [])
    assert seen >= {
        "Table.name", "Table.split_keys", "Table.change_stream_days", "Backup.kept_days", "Family.name",
        "MaxAge.age_days", "MaxVersions.versions", "FixedNodes.count", "Autoscaling.min", "Autoscaling.max",
        "Autoscaling.cpu_target", "Autoscaling.storage_target_gib", "AppProfile.routing", "AppProfile.priority",
        "AppProfile.data_boost", "Instance.storage",
    }  # fmt: skip


NOT_COMPARED = {
    "Spec.name", "Instance.name", "Instance.project", "Table.row_key_schema",
    *(f"{model}.{field}" for model in ("Terraform", "TerraformInstance") for field in ("address", "arguments")),
    "TerraformInstance.provider_version", "TerraformArgument.name", "TerraformArgument.value",
    *(f"{model}.terraform" for model in ("Instance", "Table", "Family", "AppProfile")),
}  # fmt: skip
"""Names of designs and instances: one design may run as several instances. What Terraform alone knows runs nowhere; a
schema is compared where one is told."""


def written_lines(spec: Spec) -> list[str]:
    """What the Terraform export writes of what runs: no comments, and nothing that names the design alone."""
    leave = ("#", "display_name", "description")
    return [line for line in terraform(spec).splitlines() if not line.strip().startswith(leave)]


def at_changed(spec: Spec, path: tuple[str | int, ...], field: str) -> Any:
    part: Any = spec
    for step in path:
        part = part[step] if isinstance(step, int) else getattr(part, step)
    return getattr(part, field)


def ids_on(data: Any, path: tuple[str | int, ...]) -> set[str]:
    """The ids of the elements around a part; empty stands for the instance."""
    held = [at(data, path[:length]) for length in range(len(path) + 1)]
    return {one["id"] for one in held if isinstance(one, dict) and "id" in one} | {""}


DESCRIBED = {"name": "projects/p/instances/fleet-prod/tables/readings"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(DESCRIBED),
        json.dumps({**DESCRIBED, "stats": {"rowCount": "1"}}),
        json.dumps({**DESCRIBED, "columnFamilies": {"d": {"gcRule": {"new": 1}}, "n": {"valueType": {"new": {}}}},
                    "stats": {"rowCount": "1"}}),
        "$ cbt ls readings\nFamily Name\tGC Policy\nd\tsomething new\nn\t<never>\n",
        'resource "google_bigtable_table" "t" {\n name = "readings"\n deletion_protection = var.a\n'
        ' change_stream_retention = var.b\n split_keys = var.c\n dynamic "column_family" {}\n'
        ' automated_backup_policy { retention_period = var.d }\n}',
    ],
    ids=["names", "statistics", "new words", "new words of cbt", "expressions"],
)  # fmt: skip
def test_what_a_file_does_not_tell_or_tells_in_words_that_are_not_known_is_no_difference(text: str) -> None:
    ignored = ["table/events"] if "resource" in text else []  # Terraform has every table that it manages
    assert places(drift_of(from_data(DESIGN), text, ignored=ignored)) == []


def test_rules_that_collect_the_same_cells_are_equal() -> None:
    week, day = {"kind": "max_age", "age_days": 7}, {"kind": "max_age", "age_days": 1}
    for rule, other in (
        ({"kind": "never"}, {}),
        ({"kind": "union", "rules": [week, day]}, {"maxAge": "86400s"}),
        ({"kind": "intersection", "rules": [week, day]}, {"maxAge": "604800s"}),
        ({"kind": "intersection", "rules": [week]}, {"union": {"rules": [{"maxAge": "604800s"}]}}),
    ):
        spec = from_data({"tables": [{"id": "t", "name": "readings", "families": [{"name": "d", "gc": rule}]}]})
        told = {**DESCRIBED, "columnFamilies": {"d": {"gcRule": other}}}
        assert places(drift_of(spec, json.dumps(told))) == []
        told["columnFamilies"]["d"]["gcRule"] = {"maxNumVersions": 77}
        assert places(drift_of(spec, json.dumps(told))) == ["changed table/readings/family/d/gc"]


def test_a_row_key_schema_counts_where_one_is_told() -> None:
    spec = from_data({
        "fields": [{"id": "a", "name": "a", "kind": "uuid"}, {"id": "b", "name": "b", "kind": "uuid"}],
        "tables": [{"id": "t", "name": "readings", "row_kinds": [{"id": "r", "key": [
            {"id": "k1", "kind": "field", "field": "a", "after": "#"}, {"id": "k2", "kind": "field", "field": "b"}]}]}],
    })  # fmt: skip
    made = format_named("row_key_schema").make(Content(spec)).files
    struct = json.loads(next(one.text for one in made if one.name.endswith(".json")))["structType"]

    assert places(drift_of(spec, json.dumps({**DESCRIBED, "rowKeySchema": struct}))) == []
    struct["fields"].reverse()
    told = json.dumps({**DESCRIBED, "rowKeySchema": struct})
    assert places(drift_of(spec, told)) == ["changed table/readings/row_key"]


def test_files_of_several_instances_are_refused() -> None:
    other = {"name": "projects/p/instances/staging/tables/readings"}
    with pytest.raises(InvalidDocumentError, match="several instances: fleet-prod, staging"):
        drift_of(from_data(DESIGN), json.dumps(DESCRIBED), json.dumps(other))


def test_one_list_of_several_instances_is_refused_in_any_order() -> None:
    names = ("prod/tables/readings", "staging/tables/readings")
    for order in (names, names[::-1]):
        listed = [{"name": f"projects/p/instances/{name}", "columnFamilies": {}} for name in order]
        with pytest.raises(InvalidDocumentError, match="several instances: prod, staging"):
            read_files([json.dumps(listed)])
    clusters = [{"name": f"projects/p/instances/{name}/clusters/c1", "serveNodes": 3} for name in ("prod", "staging")]
    with pytest.raises(InvalidDocumentError, match="several instances: prod, staging"):
        read_files([json.dumps(clusters)])


def test_a_state_and_files_of_several_instances_are_refused() -> None:
    resources = [
        {"mode": "managed", "type": kind, "name": f"{name}_{kind[-5:]}", "address": f"{kind}.{name}", "values": values}
        for name in ("prod", "staging")
        for kind, values in (
            ("google_bigtable_instance", {"name": name, "cluster": [{"cluster_id": "c1", "zone": "europe-west1-b"}]}),
            ("google_bigtable_table", {"name": "readings", "instance_name": name, "column_family": [{"family": name}]}),
        )
    ]
    text = "".join(
        f'resource "google_bigtable_instance" "{name}" {{ name = "{name}" }}\n'
        f'resource "google_bigtable_table" "{name}" {{\n  name = "readings"\n'
        f"  instance_name = google_bigtable_instance.{name}.name\n}}\n"
        for name in ("prod", "staging")
    )
    for order in (resources, resources[::-1]):
        state = {"format_version": "1.0", "values": {"root_module": {"resources": order}}}
        with pytest.raises(InvalidDocumentError, match="several instances: prod, staging"):
            read_files([json.dumps(state)])
    with pytest.raises(InvalidDocumentError, match="several instances: prod, staging"):
        read_files([text])


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
    assert f"line={one['line']},title=drift what-runs-differs::readings: table readings" in github
    (issue,) = json.loads(run(tmp_path, "--format", "gitlab", files=differing)[1])
    assert issue["location"]["lines"]["begin"] == one["line"]
    assert 'failures="1"' in run(tmp_path, "--format", "junit", files=differing)[1]
    jsonschema.validate(told, drift_schema())


def test_what_cannot_be_compared_ends_with_2_and_a_sentence(tmp_path: Path) -> None:
    design = tmp_path / "fleet.json"
    design.write_text(dump(from_data(DESIGN)))
    with pytest.raises(CommandError, match="cannot be read") as missing:
        call_command("drift", str(design), str(tmp_path / "none.json"))
    (tmp_path / "keys.txt").write_text("a#1\nb#2\n")
    with pytest.raises(CommandError, match="it looks like lines of text") as keys:
        call_command("drift", str(design), str(tmp_path / "keys.txt"))
    design.write_text(dump(from_data({"engine": "tablestore", "tables": []})))
    (tmp_path / "table.json").write_text(running.gcloud(from_data(DESIGN))[0])
    with pytest.raises(CommandError, match="of different engines") as other:
        call_command("drift", str(design), str(tmp_path / "table.json"))
    assert [each.value.returncode for each in (missing, keys, other)] == [2, 2, 2]


def test_a_report_of_findings_says_that_nothing_could_be_compared(tmp_path: Path) -> None:
    design, out = tmp_path / "fleet.json", io.StringIO()
    design.write_text(dump(from_data(DESIGN)))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("drift", str(design), str(tmp_path / "none.json"), "--format", "gitlab", stdout=out)
    (issue,) = json.loads(out.getvalue())

    assert (issue["check_name"], issue["severity"]) == ("unusable file", "blocker")
    assert issue["location"] == {"path": str(design), "lines": {"begin": 1}}
    assert "none.json cannot be read" in issue["description"]


# --- what the design leaves open -------------------------------------------------------------------------------------


def left_open(drift: Drift) -> list[str]:
    return [str(each.text) for each in drift.not_designed]


OPEN: dict[str, Any] = {
    "name": "Fleet",
    "instance": {"name": "fleet-prod", "clusters": [{"id": "c1", "name": "fleet-eu", "region": "europe-west1"}]},
    "tables": [{"id": "t1", "name": "readings", "families": [{"id": "f1", "name": "d"}]}],
}  # fmt: skip
BACKUP = "projects/p/instances/fleet-prod/clusters/fleet-eu/backups/"


def backup(name: str, days: int, kind: str = "STANDARD", table: str = "readings") -> dict[str, Any]:
    return {
        "name": BACKUP + name, "sourceTable": f"projects/p/instances/fleet-prod/tables/{table}", "sizeBytes": "12",
        "startTime": "2026-11-01T02:00:00.123456789Z", "expireTime": f"2026-11-{1 + days:02}T02:00:01Z",
        "endTime": "2026-11-01T02:10:00Z", "state": "READY", "backupType": kind,
    }  # fmt: skip


def test_what_runs_beyond_what_a_design_says_is_named() -> None:
    schema = {"fields": [{"fieldName": "a", "type": {"bytesType": {"encoding": {"raw": {}}}}}]}
    table = {**DESCRIBED, "columnFamilies": {"d": {}}, "deletionProtection": True, "granularity": "MILLIS",
             "rowKeySchema": schema}  # fmt: skip
    base = "projects/p/instances/fleet-prod"
    cluster = {"name": f"{base}/clusters/fleet-eu", "location": "projects/p/locations/europe-west1-b", "serveNodes": 4,
               "defaultStorageType": "HDD", "encryptionConfig": {"kmsKeyName": "projects/p/k"}}  # fmt: skip
    instance = {"name": base, "displayName": "Fleet", "edition": "ENTERPRISE_PLUS", "labels": {"team": "iot"}}
    profile = {"name": f"{base}/appProfiles/default", "singleClusterRouting": {"clusterId": "fleet-eu"},
               "standardIsolation": {"priority": "PRIORITY_LOW"}}  # fmt: skip

    drift = drift_of(from_data(OPEN), *map(json.dumps, (table, cluster, instance, [profile])))

    assert places(drift) == []
    assert left_open(drift) == [
        "app profile default, priority: low; the design does not say",
        "cluster fleet-eu, encryption key: projects/p/k; the design does not say",
        "cluster fleet-eu, nodes: 4; the design does not say",
        "cluster fleet-eu, zone: europe-west1-b; the design does not say",
        "instance, edition: enterprise_plus; the design does not say",
        "instance, labels: team=iot; the design does not say",
        "instance, storage: HDD; the design does not say",
        "table readings, deletion protection: on; the design does not say",
        "table readings, row key schema: a: bytes; the design does not say",
    ]
    ignored = drift_of(from_data(OPEN), json.dumps(table), ignored=["table/readings/deletion_protection"])
    assert len(ignored.not_designed) == 1
    usual = {**DESCRIBED, "columnFamilies": {"d": {}}, "granularity": "MILLIS"}
    assert left_open(drift_of(from_data(OPEN), json.dumps(usual))) == []


@pytest.mark.parametrize("tool", RICH_ANSWERS)
def test_no_export_of_an_example_runs_beyond_its_design_but_in_what_had_to_be_chosen(tool: Any) -> None:
    for example in BIGTABLE:
        names = {each.place[-1] for each in drift_of(example.spec, *tool(example.spec)).not_designed}
        assert names <= {"nodes", "zone"}, example.spec.name


def test_backups_that_exist_are_compared_with_those_designed() -> None:
    spec = from_data({**OPEN, "tables": [{**OPEN["tables"][0], "backups": [{"id": "b1", "kept_days": 7}]}]})
    week, other = backup("b1", 7), backup("b2", 20, "HOT")

    assert (places(drift_of(spec, json.dumps([week]))), left_open(drift_of(spec, json.dumps([week])))) == ([], [])
    both = drift_of(spec, json.dumps([other, week]))
    assert places(both) == []
    assert left_open(both) == ["table readings, backup hot, 20d: exists; the design does not say"]
    (missing,) = drift_of(spec, json.dumps([other])).differences
    assert (str(missing.text), missing.element) == ("table readings, backup standard, 7d: designed, but missing", "b1")
    assert places(drift_of(spec, json.dumps(other))) == []  # one that is described is no list
    assert places(drift_of(spec, json.dumps([other]), json.dumps([week]))) == []  # a list of each cluster
    elsewhere = drift_of(spec, json.dumps([week, backup("b3", 3, table="gone")]))
    assert (places(elsewhere), left_open(elsewhere)) == ([], [])  # it outlives its table
    assert list(read_files([json.dumps([week])]).remarks(read_files([json.dumps([week])]).results[0])) == []


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ('[{"chunks": [], "lastScannedRowKey": ""}]', "a JSON list of objects with chunks, lastScannedRowKey"),
        ("time,key\n1,a\n", "CSV whose first line is time, key"),
        ("apiVersion: v1\nkind: Pod\n", "YAML with apiVersion, kind"),
        ("some words here\nand there\n", "lines of text, the first “some words here”"),
    ],
)
def test_a_file_that_is_not_recognised_is_told_by_its_looks_and_what_is_read(text: str, looks: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        read_files([text])
    assert f"it looks like {looks}. These are read: terraform show -json" in str(refused.value)
    with pytest.raises(ObservationError) as unmeasured:
        read_measurements(text.encode())
    if not text.startswith("time"):
        assert f"it looks like {looks}. These are read: gcloud bigtable tables describe" in str(unmeasured.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The\nquick\nbrown\nfox\n", "it looks like lines of text, the first “The”, and no table of the design is"),
        ("2026-11-28 10:00:00 ERROR [main] failed\n2026-11-28 10:00:01 WARN [main] again\n", "the log of a program"),
        ("<!DOCTYPE html>\n<html><body>readings</body></html>\n", "a web page (HTML)"),
        ("Dear team,\nplease find the list of tables below.\nWe have three of them in the kitchen.\n", "prose: words"),
        ("cbt ls\nreadings\nError: deadline exceeded while reading\n", "line 3: not a table or a column family"),
        ("$ cbt ls readings\nFamily Name\tGC Policy\nd\t<never>\nmore prose here\n", "line 4: not a table"),
        ("$ cbt ls readings\nFamily Name\tGC Policy\nthis is prose about things\n", "line 3: not a table"),
    ],
)
def test_words_that_cbt_did_not_print_are_no_picture_of_what_runs(text: str, said: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        drift_of(from_data(DESIGN), text)
    assert said in str(refused.value)


def test_a_bare_list_is_of_cbt_if_a_table_of_the_design_is_in_it_or_its_command_above() -> None:
    assert "extra table/bogus" in places(drift_of(from_data(DESIGN), "bogus\nreadings\n"))
    assert "missing table/readings" in places(drift_of(from_data(DESIGN), "$ cbt ls\nbogus\n"))


# --- Tablestore ---------------------------------------------------------------------------------------------------

TABLESTORE = [example for example in examples() if example.spec.engine == "tablestore"]
ORDERS: dict[str, Any] = {
    "engine": "tablestore",
    "fields": [{"id": "o", "name": "order", "kind": "string"}],
    "tables": [{
        "id": "t", "name": "orders",
        "tablestore": {"ttl_seconds": 864_000, "max_versions": 3, "reserved_read_cu": 10, "reserved_write_cu": 5},
        "row_kinds": [{"id": "k", "key_columns": [
            {"id": "k1", "name": "order", "segments": [{"id": "s", "kind": "field", "field": "o"}]},
            {"id": "k2", "name": "number", "type": "INTEGER", "auto_increment": True},
        ]}],
    }],
}  # fmt: skip


BY_SHOP: dict[str, Any] = {
    "id": "i", "name": "by_shop", "derived_from": {"table": "t", "how": "global_index"},
    "row_kinds": [{"id": "ik", "key_columns": [
        {"id": "ik1", "name": "shop", "segments": [{"id": "is", "kind": "field", "field": "shop"}]}]}],
}  # fmt: skip
ATTRIBUTES = {"id": "a", "name": "attributes", "columns": [
    {"id": "c", "qualifier": "shop", "value": {"kind": "text"}}]}  # fmt: skip
INDEX_META = {"name": "by_shop", "primaryKey": ["shop", "order", "number"], "definedColumn": [],
              "indexType": "IT_GLOBAL_INDEX"}  # fmt: skip


def description(**changed: Any) -> str:
    """As the SDK for Node.js answers DescribeTable."""
    return json.dumps({
        "tableMeta": {"tableName": "orders", "primaryKey": [
            {"name": "order", "type": "STRING"}, {"name": "number", "type": "INTEGER", "option": "AUTO_INCREMENT"}]},
        "reservedThroughputDetails": {"capacityUnit": {"read": 10, "write": 5}, "lastIncreaseTime": 1_700_000_000},
        "tableOptions": {"timeToLive": 864_000, "maxVersions": 3, "deviationCellVersionInSec": 86_400},
        "streamDetails": {"enableStream": False},
    } | changed)  # fmt: skip


@cases("example", TABLESTORE)
def test_tables_that_are_described_as_they_were_exported_have_no_difference(example: Any) -> None:
    requests = format_named("tablestore").make(Content(example.spec)).files[0].text

    drift = drift_of(example.spec, requests, json.dumps({"table_names": [t.name for t in example.spec.tables]}))

    assert (drift.differences, drift.not_told) == ((), ())


@cases("changed, told", [
        ({}, []),
        ({"tableOptions": {"timeToLive": -1, "maxVersions": 3}}, ["changed table/orders/ttl_seconds"]),
        ({"tableOptions": {"timeToLive": 864_000, "maxVersions": 1}}, ["changed table/orders/max_versions"]),
        ({"capacityUnitDetails": {"capacityUnit": {"read": 0, "write": 6}}, "reservedThroughputDetails": None},
         ["changed table/orders/reserved_read_cu", "changed table/orders/reserved_write_cu"]),
        ({"tableMeta": {"tableName": "orders", "schema_of_primary_key": [["order", "STRING"], ["number", "INTEGER"]]}},
         ["changed table/orders/primary_key"]),
        ({"streamDetails": {"enableStream": True, "expirationTime": 24}}, ["changed table/orders/stream_hours"]),
        ({"sseDetails": {"enable": True}}, ["changed table/orders/encrypted"]),
        ({"tableMeta": {"tableName": "order", "primaryKey": [{"name": "order", "type": 2}]}},
         ["extra table/order"]),
    ])  # fmt: skip
def test_each_setting_of_a_described_table_is_compared(changed: dict[str, Any], told: list[str]) -> None:
    settings = {**ORDERS["tables"][0]["tablestore"], "stream_hours": 48, "encrypted": False}
    spec = from_data({**ORDERS, "tables": [{**ORDERS["tables"][0], "tablestore": settings}]})
    stream = {"streamDetails": {"enableStream": True, "expirationTime": 48}}
    assert places(drift_of(spec, description(**{**stream, **changed}))) == told


def test_secondary_indexes_are_compared_whatever_the_service_adds_to_their_keys() -> None:
    table = {**ORDERS["tables"][0], "tablestore": {"max_versions": 1}, "families": [ATTRIBUTES]}
    shop = {"id": "shop", "name": "shop", "kind": "string"}
    spec = from_data({**ORDERS, "fields": [*ORDERS["fields"], shop], "tables": [table, BY_SHOP]})
    options = {"tableOptions": {"timeToLive": -1, "maxVersions": 1}}

    def list_places(*metas: dict[str, Any]) -> list[str]:
        return places(drift_of(spec, description(**options, indexMetas=metas)))

    assert list_places(INDEX_META) == list_places({**INDEX_META, "primaryKey": ["shop"]}) == []
    assert (
        list_places() == list_places({**INDEX_META, "indexType": "IT_LOCAL_INDEX"}) == ["changed table/orders/indexes"]
    )
    assert places(drift_of(spec, description(**options))) == []  # a description without them says nothing


def test_a_stream_that_is_off_differs_from_a_designed_one_and_one_that_is_not_designed_is_named() -> None:
    on = {"streamDetails": {"enableStream": True, "expirationTime": 24}, "sseDetails": {"enable": True}}
    settings = {**ORDERS["tables"][0]["tablestore"], "stream_hours": 24}
    designed = from_data({**ORDERS, "tables": [{**ORDERS["tables"][0], "tablestore": settings}]})
    assert places(drift_of(designed, description())) == ["changed table/orders/stream_hours"]
    assert left_open(drift_of(from_data(ORDERS), description(**on))) == [
        "table orders, encryption: on; the design does not say",
        "table orders, stream retention: 24; the design does not say",
    ]


def test_what_a_design_for_tablestore_leaves_open_is_no_difference_and_a_list_tells_what_is_missing() -> None:
    open_design = from_data({**ORDERS, "tables": [{**ORDERS["tables"][0], "tablestore": None}]})
    assert places(drift_of(open_design, description())) == []
    names = json.dumps({"table_names": ["other"]})
    assert places(drift_of(open_design, names)) == ["missing table/orders", "extra table/other"]
    (difference,) = drift_of(from_data(ORDERS), description(tableOptions={"timeToLive": -1})).differences
    assert str(difference.text.params["running"]) == "-1"


@pytest.mark.parametrize("name", ["backups.json", "x/fleet-backups.json", "C:\\x\\Backup.json"])
def test_an_empty_list_tells_by_the_name_of_its_file_what_does_not_exist(name: str) -> None:
    spec = from_data({**OPEN, "tables": [{**OPEN["tables"][0], "backups": [{"id": "b1", "kept_days": 7}]}]})

    drift = find_drift(ExportContent(spec), read_files(["[ ]\n"], files=[name]))

    assert [str(each.text) for each in drift.differences] == [
        "table readings, backup standard, 7d: designed, but missing"
    ]


def test_an_empty_list_of_profiles_beside_tables_is_no_fault_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "profiles.json").write_text("[]\n")
    (tmp_path / "tables.json").write_text(json.dumps([{**DESCRIBED, "columnFamilies": {"d": {}}}]))
    (tmp_path / "design.json").write_text(json.dumps(OPEN))

    with pytest.raises(SystemExit) as ended:
        call_command("drift", str(tmp_path / "design.json"), str(tmp_path / "tables.json"),
                     str(tmp_path / "profiles.json"), stdout=io.StringIO(), stderr=io.StringIO())  # fmt: skip

    assert ended.value.code == 0


@pytest.mark.parametrize("name", ["", "hot-tablets.json", "mytables.json", "tables-and-clusters.json"])
def test_an_empty_list_of_an_unknown_kind_is_refused_with_the_names_that_tell_it(name: str) -> None:
    with pytest.raises(
        InvalidDocumentError, match=r"an empty list: its kind is unknown\. Name the file .*backups\.json"
    ):
        read_files(["[]"], files=[name])


def test_clusters_of_a_design_without_any_are_left_open_and_named() -> None:
    base = "projects/p/instances/fleet-prod"
    cluster = {"name": f"{base}/clusters/main", "location": "projects/p/locations/europe-west1-b", "serveNodes": 4}
    alone = from_data({**OPEN, "instance": {}})

    drift = drift_of(alone, json.dumps([cluster]))

    assert (places(drift), left_open(drift)) == ([], ["cluster main: exists; the design does not say"])
    assert places(drift_of(from_data(OPEN), json.dumps([cluster]))) == [
        "missing cluster/fleet-eu",
        "extra cluster/main",
    ]


@pytest.mark.parametrize("number", ["0", "9" * 25])
def test_a_rule_with_a_number_that_no_design_holds_is_told_as_none(number: str) -> None:
    rules = ({"maxNumVersions": number}, {"union": {"rules": [{"maxNumVersions": number}, {"maxAge": "5s"}]}})
    answers = [json.dumps({**DESCRIBED, "columnFamilies": {"d": {"gcRule": rule}}}) for rule in rules]
    answers.append(f"Family Name\tGC Policy\n-----------\t---------\nd\tversions() > {number}\n")
    for answer in answers:
        files = read_files([answer], ["readings"])
        assert "not recognised" in str([remark.message for remark in files.remarks(files.results[0])])
        assert [place for place in places(find_drift(ExportContent(from_data(DESIGN)), files)) if "/gc" in place] == []
