"""What tools would print of exported designs once they run, in the tools' own shapes."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from designer.document import Spec
from designer.document.table import Backup
from designer.imports.shared.gcrules import duration_ms
from designer.imports.shared.hcl import parse
from designer.imports.shared.hcl_names import TerraformNames
from designer.imports.shared.resource import INSTANCE, POLICY, PROFILE, TABLE, Resource
from designer.imports.terraform import _resources
from reviews.exports import format_named
from reviews.exports.shared.bigtable import plan_tables
from reviews.exports.shared.result import ExportRemarks
from tests.contexts import Content

BASE = "projects/p/instances/NAME"
START = datetime(2026, 11, 1, 2, tzinfo=UTC)
"""Of backups."""


def resources(spec: Spec) -> list[Resource]:
    """The evaluated resources of the Terraform export."""
    text = format_named("terraform").make(Content(spec)).files[0].text
    parsed = parse(text)
    return list(_resources(text, parsed, TerraformNames(parsed)))


def terraform_state(spec: Spec) -> list[str]:
    """As `terraform show -json` prints a state, policies in a module of their own."""
    made = [
        {"address": f"{one.kind}.{one.label}", "mode": "managed", "type": one.kind, "name": one.label,
         "values": dict(one.values)}
        for one in resources(spec)
    ]  # fmt: skip
    inner = [one for one in made if one["type"] == POLICY]
    outer = [one for one in made if one["type"] != POLICY]
    root = {"resources": outer, "child_modules": [{"address": "module.gc", "resources": inner}]}
    return [json.dumps({"format_version": "1.0", "values": {"root_module": root}})]


def gcloud(spec: Spec) -> list[str]:
    """As `gcloud bigtable … list --format=json` prints all of an instance, false and empty values left out."""
    held = resources(spec)
    tables = [_table(one, held) for one in held if one.kind == TABLE]
    instances = [one for one in held if one.kind == INSTANCE]
    clusters = [_cluster(block) for one in instances for block in one.values["cluster"]]
    profiles = [_profile(one) for one in held if one.kind == PROFILE]
    profiles.append({"name": f"{BASE}/appProfiles/default", "multiClusterRoutingUseAny": {}})
    backups = [_backup(table.name, one) for table in plan_tables(spec, ExportRemarks()) for one in table.table.backups]
    parts = {"tables": tables, "clusters": clusters, "profiles": profiles, "backups": backups}
    parts["both"] = [*tables, *backups] if tables and backups else []
    name = next((str(one.values["name"]) for one in instances), "i")
    told = {one: json.dumps(part).replace("/NAME/", f"/{name}/") for one, part in parts.items() if part}
    return [text for one, text in told.items() if one != "backups"]


def _backup(table: str, designed: Backup) -> dict[str, Any]:
    made = {"name": f"{BASE}/clusters/c/backups/{table}-{designed.id}", "sourceTable": f"{BASE}/tables/{table}",
            "state": "READY", "backupType": designed.kind.upper(), "startTime": f"{START.isoformat()}"}  # fmt: skip
    if designed.kept_days is not None:
        made["expireTime"] = f"{(START + timedelta(days=designed.kept_days)).isoformat()}"
    return made


def _table(one: Resource, held: list[Resource]) -> dict[str, Any]:
    values = one.values
    policies = {each.values["column_family"]: each for each in held if each.kind == POLICY
                and each.values["table"] == values["name"]}  # fmt: skip
    families: dict[str, Any] = {}
    for block in values.get("column_family", ()):
        family: dict[str, Any] = {}
        if block.get("type"):
            name = {"intsum": "sum", "intmin": "min", "intmax": "max", "inthll": "hllppUniqueCount"}[block["type"]]
            family["valueType"] = {"aggregateType": {name: {}}}
        if block["family"] in policies and policies[block["family"]].values.get("gc_rules"):
            family["gcRule"] = _rule(json.loads(policies[block["family"]].values["gc_rules"]))
        families[block["family"]] = family
    made = {"name": f"{BASE}/tables/{values['name']}", "columnFamilies": families, "granularity": "MILLIS",
            "deletionProtection": values.get("deletion_protection") == "PROTECTED"}  # fmt: skip
    if values.get("change_stream_retention"):
        made["changeStreamConfig"] = {"retentionPeriod": _age(values["change_stream_retention"])}
    for block in values.get("automated_backup_policy", ()):
        made["automatedBackupPolicy"] = {
            "retentionPeriod": _age(block["retention_period"]), "frequency": _age(block["frequency"]),
        }  # fmt: skip
    if values.get("row_key_schema"):
        made["rowKeySchema"] = json.loads(values["row_key_schema"])["structType"]
    return {name: value for name, value in made.items() if value not in (False, {})} | {"granularity": "MILLIS"}


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    if "max_age" in rule:
        return {"maxAge": _age(rule["max_age"])}
    if "max_version" in rule:
        return {"maxNumVersions": rule["max_version"]}
    rules = [_rule(each) for each in reversed(rule["rules"])]
    return rules[0] if len(rules) == 1 else {rule["mode"]: {"rules": rules}}


def _age(text: str) -> str:
    return f"{duration_ms(text) / 1000:.9f}".rstrip("0").rstrip(".") + "s"


def _cluster(block: dict[str, Any]) -> dict[str, Any]:
    factor = "2X" if block.get("node_scaling_factor") == "NodeScalingFactor2X" else "1X"
    made: dict[str, Any] = {
        "name": f"{BASE}/clusters/{block['cluster_id']}", "location": f"projects/p/locations/{block['zone']}",
        "defaultStorageType": block["storage_type"], "nodeScalingFactor": f"NODE_SCALING_FACTOR_{factor}",
        "serveNodes": block.get("num_nodes", 3), "state": "READY",
    }  # fmt: skip
    if block.get("kms_key_name"):
        made["encryptionConfig"] = {"kmsKeyName": block["kms_key_name"]}
    for scaling in block.get("autoscaling_config", ()):
        target = scaling.get("storage_target") or {"SSD": 2560, "HDD": 8192}[block["storage_type"]]
        made["clusterConfig"] = {"clusterAutoscalingConfig": {
            "autoscalingLimits": {"minServeNodes": scaling["min_nodes"], "maxServeNodes": scaling["max_nodes"]},
            "autoscalingTargets": {"cpuUtilizationPercent": scaling["cpu_target"],
                                   "storageUtilizationGibPerNode": target},
        }}  # fmt: skip
    return made


def _profile(one: Resource) -> dict[str, Any]:
    values = one.values
    made: dict[str, Any] = {"name": f"{BASE}/appProfiles/{values['app_profile_id']}"}
    for block in values.get("single_cluster_routing", ()):
        made["singleClusterRouting"] = {"clusterId": block["cluster_id"]}
        if block["allow_transactional_writes"]:
            made["singleClusterRouting"]["allowTransactionalWrites"] = True
    if values.get("multi_cluster_routing_use_any"):
        ids = values.get("multi_cluster_routing_cluster_ids") or []
        made["multiClusterRoutingUseAny"] = {"clusterIds": list(reversed(ids))} if ids else {}
        if values.get("row_affinity"):
            made["multiClusterRoutingUseAny"]["rowAffinity"] = {}
    for block in values.get("standard_isolation", ()):
        made["standardIsolation"] = {"priority": block["priority"]}
    if values.get("data_boost_isolation_read_only"):
        made["dataBoostIsolationReadOnly"] = {"computeBillingOwner": "HOST_PAYS"}
    return made


def cbt(spec: Spec) -> list[str]:
    """As `cbt ls` and `cbt ls TABLE` print tables, with the commands above them."""
    return ["\n".join(_cbt_lines(resources(spec)))]


def _cbt_lines(held: list[Resource]) -> Iterator[str]:
    tables = [one for one in held if one.kind == TABLE]
    name = next((one.values["name"] for one in held if one.kind == INSTANCE), "i")
    yield f"$ cbt -instance={name} ls"
    yield from (str(one.values["name"]) for one in tables)
    for one in tables:
        yield f"$ cbt -instance={name} ls {one.values['name']}"
        yield "Family Name\tGC Policy"
        yield "-----------\t---------"
        for block in one.values.get("column_family", ()):
            policy = next((each for each in held if each.kind == POLICY and each.values["table"] == one.values["name"]
                           and each.values["column_family"] == block["family"]), None)  # fmt: skip
            rules = policy.values.get("gc_rules") if policy else None
            rule = _cbt_rule(json.loads(rules)) if rules else "<never>"
            yield f"{block['family']}\t{rule}"


def _cbt_rule(rule: dict[str, Any]) -> str:
    if "max_age" in rule:
        return f"age() > {rule['max_age']}"
    if "max_version" in rule:
        return f"versions() > {rule['max_version']}"
    sign = " || " if rule.get("mode") == "union" else " && "
    return f"({sign.join(map(_cbt_rule, rule['rules']))})"
