"""Terraform's Bigtable resources, from a file or a state → data of a document. Others are named as left out."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_, Text, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from . import gcrules
from .result import ImportRemark
from .structs import build_row_kind

INSTANCE, TABLE = "google_bigtable_instance", "google_bigtable_table"
POLICY, PROFILE = "google_bigtable_gc_policy", "google_bigtable_app_profile"
KNOWN: Mapping[str, frozenset[str]] = {
    INSTANCE: frozenset(("name", "display_name", "cluster", "labels", "deletion_protection", "force_destroy", "project",
                         "instance_type", "edition", "deletion_policy")),
    TABLE: frozenset(("name", "instance_name", "split_keys", "column_family", "deletion_protection", "project",
                      "change_stream_retention", "automated_backup_policy", "row_key_schema", "deletion_policy")),
    POLICY: frozenset(("instance_name", "table", "column_family", "gc_rules", "mode", "max_age", "max_version",
                       "project", "deletion_policy", "ignore_warnings")),
    PROFILE: frozenset(("app_profile_id", "instance", "description", "multi_cluster_routing_use_any", "project",
                        "multi_cluster_routing_cluster_ids", "single_cluster_routing", "standard_isolation",
                        "data_boost_isolation_read_only", "ignore_warnings", "row_affinity",
                        "deletion_policy")),
}  # fmt: skip
INSIDE: Mapping[tuple[str, ...], frozenset[str]] = {
    (INSTANCE, "cluster"): frozenset(("cluster_id", "zone", "num_nodes", "storage_type", "kms_key_name", "state",
                                      "autoscaling_config", "node_scaling_factor")),
    (INSTANCE, "cluster", "autoscaling_config"): frozenset(("min_nodes", "max_nodes", "cpu_target", "storage_target")),
    (TABLE, "column_family"): frozenset(("family", "type")),
    (TABLE, "automated_backup_policy"): frozenset(("retention_period", "frequency", "locations")),
    (POLICY, "max_age"): frozenset(("days", "duration")),
    (POLICY, "max_version"): frozenset(("number",)),
    (PROFILE, "single_cluster_routing"): frozenset(("cluster_id", "allow_transactional_writes")),
    (PROFILE, "standard_isolation"): frozenset(("priority",)),
    (PROFILE, "data_boost_isolation_read_only"): frozenset(("compute_billing_owner",)),
}  # fmt: skip
"""What is known inside of blocks."""
LEFT: Mapping[str, tuple[str, ...]] = {INSTANCE: ("labels",), PROFILE: ("description", "row_affinity")}
"""What is known and has no place in a design; all else of `KNOWN` is read, or tells how Terraform goes about it."""
HOW_MANY = ("count", "for_each")
META = frozenset(("id", "timeouts", "lifecycle", "depends_on", "provider", "effective_labels", "terraform_labels"))


class UnknownExpression(str):
    """An expression whose value the text does not say."""

    __slots__ = ()


@dataclass(frozen=True)
class Resource:
    """A resource: blocks are lists of mappings, as in a state."""

    kind: str
    label: str
    values: Mapping[str, Any]
    where: str | Text


def build_document(resources: Sequence[Resource], remarks: list[ImportRemark]) -> dict[str, Any]:
    """Return the data of a document with all of the resources."""
    ours = [one for one in resources if one.kind in KNOWN]
    others = Counter(one.kind for one in resources if one.kind not in KNOWN)
    for kind, count in others.items():
        remarks.append(ImportRemark(kind, N_("{count} found: not part of a design"), {"count": count}))
    if not ours:
        raise InvalidDocumentError([Problem((), build_text(N_("no Bigtable resources found")))])
    for one in ours:
        remarks += _unsupported_parts(one)
    by_kind = {kind: [one for one in ours if one.kind == kind] for kind in KNOWN}
    fields: list[dict[str, Any]] = []
    tables: dict[str, dict[str, Any]] = {}
    for one in by_kind[TABLE]:
        table = _table(one, fields, remarks)
        if table["name"] in tables:
            message = N_("duplicate table name {name}: this table is ignored")
            remarks.append(ImportRemark(one.where, message, {"name": table["name"]}))
        tables.setdefault(table["name"], table)
    for one in by_kind[POLICY]:
        _policy(one, tables, remarks)
    instance = _instance(by_kind, remarks)
    shown = next((str(v) for one in by_kind[INSTANCE] if (v := one.values.get("display_name")) and is_known(v)), "")
    return {
        "name": shown or instance.get("name", ""), "fields": fields, "tables": list(tables.values()),
        "instance": instance,
    }  # fmt: skip


def _unsupported_parts(resource: Resource) -> Iterator[ImportRemark]:
    """Yield the parts of a resource that a design does not support."""
    for name in sorted(set(resource.values) - KNOWN[resource.kind] - META):
        if name in HOW_MANY:
            yield ImportRemark(resource.where, N_("{key} sets the number of resources: one is imported"), {"key": name})
        elif name == "dynamic":
            made = {key for block in iterate_blocks(resource.values, name) for key in block}
            yield from (
                ImportRemark(resource.where, N_("{key} not recognised"), {"key": f"dynamic {key}"})
                for key in sorted(made)
            )
        else:
            yield ImportRemark(resource.where, N_("{key} not recognised"), {"key": name})
    for name in LEFT.get(resource.kind, ()):
        if resource.values.get(name):
            yield ImportRemark(resource.where, N_("{key} is not part of a design"), {"key": name})
    for (kind, *path), known in INSIDE.items():
        if kind == resource.kind:
            unknown = {key for block in _blocks_at(resource.values, path) for key in block} - known
            for key in sorted(unknown):
                yield ImportRemark(resource.where, N_("{key} not recognised"), {"key": ".".join([*path, key])})


def _blocks_at(values: Mapping[str, Any], path: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks at a path of names."""
    if not path:
        yield values
        return
    for block in iterate_blocks(values, path[0]):
        yield from _blocks_at(block, path[1:])


def is_known(value: Any) -> bool:
    """Return whether a value is in the text."""
    return not isinstance(value, UnknownExpression)


def _read_value(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> Any:
    """Return a value that the text contains.

    For an expression, return None and add an entry to `remarks`.
    """
    held = values.get(name)
    if is_known(held):
        return held
    message = N_("{key} is an expression whose value is not in the text: {value}")
    remarks.append(ImportRemark(resource.where, message, {"key": name, "value": str(held)[:80]}))
    return None


def _read_text(resource: Resource, name: str, remarks: list[ImportRemark], default: str | None = None) -> str:
    """Return a text value.

    For an expression, return the label and add an entry to `remarks`.
    """
    value = resource.values.get(name)
    if isinstance(value, str) and is_known(value):
        return value
    if value is not None:
        message = N_("{key} is an expression whose value is not in the text: {value}")
        remarks.append(ImportRemark(resource.where, message, {"key": name, "value": str(value)[:80]}))
    return resource.label if default is None else default


def iterate_blocks(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks of a name."""
    held = values.get(name)
    for one in held if isinstance(held, list) else [held]:
        if isinstance(one, Mapping):
            yield one


def _read_number(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> int | None:
    held = values.get(name)
    if held in (None, 0, ""):
        return None
    try:
        return int(held)
    except (TypeError, ValueError):
        message = N_("{key} is an expression whose value is not in the text: {value}")
        remarks.append(ImportRemark(resource.where, message, {"key": name, "value": str(held)[:80]}))
        return None


def _read_days(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> float | None:
    held = values.get(name)
    if held in (None, "", "0"):
        return None
    try:
        return gcrules.duration_ms(str(held)) / gcrules.DAY_MS or None
    except gcrules.InvalidRuleError:
        remarks.append(ImportRemark(resource.where, N_("{duration} is not a duration"), {"duration": str(held)[:40]}))
        return None


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(resource: Resource, fields: list[dict[str, Any]], remarks: list[ImportRemark]) -> dict[str, Any]:
    values = resource.values
    table: dict[str, Any] = {"name": _read_text(resource, "name", remarks), "families": []}
    for block in iterate_blocks(values, "column_family"):
        kind = gcrules.family_kind(block.get("type"))
        if kind is None:
            remarks.append(
                ImportRemark(resource.where, N_("value type not recognised; imported as an ordinary family"))
            )
        if (family := _read_value(resource, block, "family", remarks)) is not None:
            table["families"].append({"name": str(family), "kind": kind or "ordinary"})
    splits = _read_value(resource, values, "split_keys", remarks) or []
    if isinstance(splits, list):
        keys = [_read_value(resource, {"split_keys": key}, "split_keys", remarks) for key in splits]
        table["split_keys"] = [str(key).replace("\\", "\\\\") for key in keys if key is not None]
    protection = _read_value(resource, values, "deletion_protection", remarks)
    if protection in ("PROTECTED", "UNPROTECTED"):
        table["deletion_protection"] = protection == "PROTECTED"
    if days := _read_days(resource, values, "change_stream_retention", remarks):
        table["change_stream_days"] = days
    for block in iterate_blocks(values, "automated_backup_policy"):
        if block.get("locations"):
            message = N_("{key} is not part of a design")
            remarks.append(ImportRemark(resource.where, message, {"key": "automated_backup_policy.locations"}))
        if kept := _read_days(resource, block, "retention_period", remarks):
            every = _read_days(resource, block, "frequency", remarks)
            table["backups"] = [{"kept_days": kept, **({"every_hours": every * 24} if every else {})}]
    schema = values.get("row_key_schema")
    if schema:
        try:
            struct = json.loads(schema) if isinstance(schema, str) else schema
            table["row_kinds"] = [build_row_kind(struct.get("structType", struct), fields, resource.where, remarks)]
        except (ValueError, AttributeError, KeyError, TypeError):
            remarks.append(ImportRemark(resource.where, N_("row key schema not recognised")))
    return table


def _policy(resource: Resource, tables: Mapping[str, dict[str, Any]], remarks: list[ImportRemark]) -> None:
    table, name = _read_text(resource, "table", remarks, ""), _read_text(resource, "column_family", remarks, "")
    families = tables[table]["families"] if table in tables else []
    family = next((each for each in families if each["name"] == name), None)
    if family is None and table and name:
        message = N_("applies to the family {family} of the table {table}, which is not in the text")
        remarks.append(ImportRemark(resource.where, message, {"family": name, "table": table}))
    if family is None:
        return
    try:
        rule = gc_rule(resource.values)
    except (gcrules.InvalidRuleError, ValueError, TypeError, KeyError, AttributeError):
        remarks.append(ImportRemark(resource.where, N_("garbage-collection rule not recognised")))
        return
    if rule:
        family["gc"] = rule


def gc_rule(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rule of a policy, or None if it has none."""
    rules = values.get("gc_rules")
    if rules:
        return gcrules.from_terraform(json.loads(rules) if isinstance(rules, str) else rules)
    found = []
    for block in iterate_blocks(values, "max_age"):
        if block.get("duration"):
            found.append(gcrules.age_rule(gcrules.duration_ms(str(block["duration"]))))
        elif block.get("days"):
            found.append({"kind": "max_age", "age_days": int(block["days"])})
    found += [
        {"kind": "max_versions", "versions": int(block["number"])} for block in iterate_blocks(values, "max_version")
    ]
    if len(found) < 2:
        return found[0] if found else None
    mode = str(values.get("mode", "")).lower()
    if mode not in ("union", "intersection"):
        raise gcrules.InvalidRuleError(mode)
    return {"kind": mode, "rules": found}


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(by_kind: Mapping[str, list[Resource]], remarks: list[ImportRemark]) -> dict[str, Any]:
    instance: dict[str, Any] = {"clusters": [], "app_profiles": []}
    for place, one in enumerate(by_kind[INSTANCE]):
        if place:
            remarks.append(ImportRemark(one.where, N_("a design has one instance: this one is ignored")))
            continue
        instance["name"] = _read_text(one, "name", remarks)
        edition = str(_read_value(one, one.values, "edition", remarks) or "").lower()
        if edition in ("enterprise", "enterprise_plus"):
            instance["edition"] = edition
        clusters = list(iterate_blocks(one.values, "cluster"))
        instance["clusters"] = [_cluster(one, each, f"cluster-{n}", remarks) for n, each in enumerate(clusters)]
        kinds = {
            str(_read_value(one, each, "storage_type", remarks) or "").lower() if "storage_type" in each else "ssd"
            for each in clusters
        } & {"ssd", "hdd"}
        if len(kinds) == 1:
            instance["storage"] = kinds.pop()
    names = {one["name"]: one["id"] for one in instance["clusters"]}
    instance["app_profiles"] = [_profile(one, names, remarks) for one in by_kind[PROFILE]]
    if not instance.get("name"):
        other = next((v for one in by_kind[TABLE] if (v := one.values.get("instance_name")) and is_known(v)), "")
        if other:
            instance["name"] = str(other).rsplit("/", 1)[-1]
    return instance


def _cluster(resource: Resource, block: Mapping[str, Any], id_: str, remarks: list[ImportRemark]) -> dict[str, Any]:
    named = Resource(resource.kind, resource.label, block, resource.where)
    cluster: dict[str, Any] = {"id": id_, "name": _read_text(named, "cluster_id", remarks, "")}
    zone = _read_text(named, "zone", remarks, "") if block.get("zone") else ""
    cluster |= {"zone": zone, "region": zone.rpartition("-")[0]}
    scaling = next(iterate_blocks(block, "autoscaling_config"), None)
    if scaling:
        names = ("min_nodes", "max_nodes", "cpu_target", "storage_target")
        least, most, cpu, gib = (_read_number(resource, scaling, name, remarks) for name in names)
        if least and most:
            cluster["nodes"] = {"kind": "autoscaling", "min": least, "max": most}
            if cpu:
                cluster["nodes"]["cpu_target"] = cpu / 100
            if gib:
                cluster["nodes"]["storage_target_gib"] = gib
    elif count := _read_number(resource, block, "num_nodes", remarks):
        cluster["nodes"] = {"kind": "fixed", "count": count}
    if block.get("node_scaling_factor") == "NodeScalingFactor2X":
        cluster["node_scaling"] = 2
    if block.get("kms_key_name"):
        remarks.append(ImportRemark(resource.where, N_("{key} is not part of a design"), {"key": "kms_key_name"}))
    return cluster


def _profile(resource: Resource, clusters: Mapping[str, str], remarks: list[ImportRemark]) -> dict[str, Any]:
    single = next(iterate_blocks(resource.values, "single_cluster_routing"), None)
    routed = single and {"multi_cluster_routing_cluster_ids": [single.get("cluster_id")]}
    wanted = _read_value(resource, routed or resource.values, "multi_cluster_routing_cluster_ids", remarks) or []
    for cluster in wanted:
        if str(cluster) not in clusters:
            message = N_("routes to the cluster {cluster}, which is not in the text")
            remarks.append(ImportRemark(resource.where, message, {"cluster": str(cluster)}))
    isolation = next(iterate_blocks(resource.values, "standard_isolation"), None) or {}
    priority = (
        str(_read_value(resource, isolation, "priority", remarks) or "PRIORITY_HIGH").removeprefix("PRIORITY_").lower()
    )
    return {
        "name": _read_text(resource, "app_profile_id", remarks), "routing": "single" if single else "multi",
        "clusters": [clusters[str(each)] for each in wanted if str(each) in clusters],
        "transactions": bool(single and _read_value(resource, single, "allow_transactional_writes", remarks) is True),
        "priority": priority if priority in ("low", "medium", "high") else "high",
        "data_boost": next(iterate_blocks(resource.values, "data_boost_isolation_read_only"), None) is not None,
    }  # fmt: skip
