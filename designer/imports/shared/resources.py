"""Terraform's Bigtable resources, from a file or a state → data of a document. Others are named as left out."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from . import gcrules
from .build import build_import
from .managed import family_type_data, managed_data, merge_managed
from .resource import (
    INSTANCE,
    KNOWN,
    POLICY,
    PROFILE,
    TABLE,
    Resource,
    gc_rule,
    is_known,
    iterate_blocks,
    read_days,
    read_number,
    read_text,
    read_value,
    resources_by_instance,
    unsupported_parts,
)
from .result import ImportRemark, ImportResult
from .stated_resources import stated_parts
from .structs import build_row_kind


def import_resources(
    format_name: str, resources: Sequence[Resource], remarks: list[ImportRemark], provider_version: str = ""
) -> ImportResult:
    """Return the document of one instance's resources; other instances are named."""
    instances = resources_by_instance([resource for resource in resources if resource.kind in KNOWN])
    # Resources of two instances have names in common, and together would be of something that runs nowhere.
    other_instances = tuple(instances)[1:]
    for other in other_instances:
        remarks.append(ImportRemark(other, N_("a design has one instance: this one is ignored")))
    ours = next(iter(instances.values()))
    document = _build_document(ours, [r for r in resources if r.kind not in KNOWN], remarks)
    parts = stated_parts(ours, document)
    if provider_version:
        managed = document["instance"].get("terraform", {})
        document["instance"]["terraform"] = {**managed, "provider_version": provider_version}
    return replace(build_import(format_name, document, remarks, parts), other_instances=other_instances)


def _build_document(
    ours: Sequence[Resource], other_resources: Sequence[Resource], remarks: list[ImportRemark]
) -> dict[str, Any]:
    """Return the data of a document with all of the resources."""
    others = Counter(resource.kind for resource in other_resources)
    for kind, count in others.items():
        remarks.append(ImportRemark(kind, N_("{count} found: not part of a design"), {"count": count}))
    if not ours:
        raise InvalidDocumentError([Problem((), build_text(N_("no Bigtable resources found")))])
    for own_resource in ours:
        remarks += unsupported_parts(own_resource)
    by_kind = {kind: [resource for resource in ours if resource.kind == kind] for kind in KNOWN}
    fields: list[dict[str, Any]] = []
    project = _project(ours, remarks)
    tables: dict[str, dict[str, Any]] = {}
    for own_resource in by_kind[TABLE]:
        table = _table(own_resource, fields, remarks)
        if table["name"] in tables:
            message = N_("duplicate table name {name}: this table is ignored")
            remarks.append(ImportRemark(own_resource.where, message, {"name": table["name"]}))
        # The first one counts: policies refer to tables by name, and a second one would take its rules.
        tables.setdefault(table["name"], table)
    for own_resource in by_kind[POLICY]:
        _policy(own_resource, tables, remarks)
    instance = {**_instance(by_kind, remarks), **({"project": project} if project else {})}
    display_name = next(
        (str(v) for resource in by_kind[INSTANCE] if (v := resource.values.get("display_name")) and is_known(v)), ""
    )
    return {
        "name": display_name or instance.get("name", ""), "fields": fields, "tables": list(tables.values()),
        "instance": instance,
    }  # fmt: skip


def _project(resources: Sequence[Resource], remarks: list[ImportRemark]) -> str:
    """Return the project of the first resource that says one; another one is named."""
    projects = [
        (resource.where, v)
        for resource in resources
        if isinstance(v := resource.values.get("project"), str) and is_known(v)
    ]
    first = projects[0][1] if projects else ""
    for where, project in projects:
        if project != first:
            message = N_("is in the project {other}; the design is for {project}")
            remarks.append(ImportRemark(where, message, {"other": project, "project": first}))
    return first


def _with_terraform(data: dict[str, Any], managed: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "terraform": merge_managed(data.get("terraform", {}), managed)} if managed else data


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(resource: Resource, fields: list[dict[str, Any]], remarks: list[ImportRemark]) -> dict[str, Any]:
    values = resource.values
    table: dict[str, Any] = {"name": read_text(resource, "name", remarks), "families": []}
    for block in iterate_blocks(values, "column_family"):
        kind = gcrules.family_kind(block.get("type"))
        if kind is None:
            remarks.append(
                ImportRemark(resource.where, N_("value type not recognised; imported as an ordinary family"))
            )
        if (family := read_value(resource, block, "family", remarks)) is not None:
            family_data = {"name": str(family), "kind": kind or "ordinary"}
            table["families"].append(_with_terraform(family_data, family_type_data(block.get("type"))))
    splits = read_value(resource, values, "split_keys", remarks) or []
    if isinstance(splits, list):
        keys = [read_value(resource, {"split_keys": key}, "split_keys", remarks) for key in splits]
        # In a document a backslash begins an escaped byte; in Terraform's text it is a character of the key.
        table["split_keys"] = [str(key).replace("\\", "\\\\") for key in keys if key is not None]
    protection = read_value(resource, values, "deletion_protection", remarks)
    if protection in ("PROTECTED", "UNPROTECTED"):
        table["deletion_protection"] = protection == "PROTECTED"
    if days := read_days(resource, values, "change_stream_retention", remarks):
        table["change_stream_days"] = days
    for block in iterate_blocks(values, "automated_backup_policy"):
        if block.get("locations"):
            message = N_("{key} is not part of a design")
            remarks.append(ImportRemark(resource.where, message, {"key": "automated_backup_policy.locations"}))
        if retention := read_days(resource, block, "retention_period", remarks):
            every = read_days(resource, block, "frequency", remarks)
            table["backups"] = [{"kept_days": retention, **({"every_hours": every * 24} if every else {})}]
    schema = values.get("row_key_schema")
    if schema:
        try:
            struct = json.loads(schema) if isinstance(schema, str) else schema
            table["row_kinds"] = [build_row_kind(struct.get("structType", struct), fields, resource.where, remarks)]
        except (ValueError, AttributeError, KeyError, TypeError):
            remarks.append(ImportRemark(resource.where, N_("row key schema not recognised")))
        # None, not False: a schema that was not understood may still be there.
        table["row_key_schema"] = "row_kinds" in table or None
    return _with_terraform(
        {key: value for key, value in table.items() if value is not None}, managed_data(resource, remarks)
    )


def _policy(resource: Resource, tables: Mapping[str, dict[str, Any]], remarks: list[ImportRemark]) -> None:
    table, name = read_text(resource, "table", remarks, ""), read_text(resource, "column_family", remarks, "")
    families = tables[table]["families"] if table in tables else []
    family = next((family for family in families if family["name"] == name), None)
    if family is None and table and name:
        message = N_("applies to the family {family} of the table {table}, which is not in the text")
        remarks.append(ImportRemark(resource.where, message, {"family": name, "table": table}))
    if family is None:
        return
    family |= _with_terraform(family, managed_data(resource, remarks))
    if not is_known(resource.values.get("gc_rules")):
        read_value(resource, resource.values, "gc_rules", remarks)  # which names it
        return
    try:
        rule = gc_rule(resource.values)
    except (gcrules.InvalidRuleError, ValueError, TypeError, KeyError, AttributeError):
        remarks.append(ImportRemark(resource.where, N_("garbage-collection rule not recognised")))
        return
    if rule:
        family["gc"] = rule


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(by_kind: Mapping[str, list[Resource]], remarks: list[ImportRemark]) -> dict[str, Any]:
    instance: dict[str, Any] = {"clusters": [], "app_profiles": []}
    for place, resource in enumerate(by_kind[INSTANCE]):
        if place:
            remarks.append(ImportRemark(resource.where, N_("a design has one instance: this one is ignored")))
            continue
        instance["name"] = read_text(resource, "name", remarks)
        instance |= _with_terraform({}, managed_data(resource, remarks))
        instance["labels"] = _labels(resource, remarks)
        edition = str(read_value(resource, resource.values, "edition", remarks) or "").lower()
        if edition in ("enterprise", "enterprise_plus"):
            instance["edition"] = edition
        clusters = list(iterate_blocks(resource.values, "cluster"))
        instance["clusters"] = [
            _cluster(resource, cluster, f"cluster-{n}", remarks) for n, cluster in enumerate(clusters)
        ]
        kinds = {
            # The provider's default.
            str(read_value(resource, cluster, "storage_type", remarks) or "").lower()
            if "storage_type" in cluster
            else "ssd"
            for cluster in clusters
        } & {"ssd", "hdd"}
        if len(kinds) == 1:
            instance["storage"] = kinds.pop()
    names = {cluster["name"]: cluster["id"] for cluster in instance["clusters"]}
    instance["app_profiles"] = [_profile(profile, names, remarks) for profile in by_kind[PROFILE]]
    if not instance.get("name"):
        other = next((v for table in by_kind[TABLE] if (v := table.values.get("instance_name")) and is_known(v)), "")
        if other:
            instance["name"] = str(other).rsplit("/", 1)[-1]
    return instance


def _labels(resource: Resource, remarks: list[ImportRemark]) -> list[dict[str, str]]:
    labels = read_value(resource, resource.values, "labels", remarks)
    if not isinstance(labels, Mapping):
        return []
    values = {name: read_value(resource, labels, name, remarks) for name in labels}
    return [{"name": str(name), "value": str(value)} for name, value in values.items() if value is not None]


def _cluster(resource: Resource, block: Mapping[str, Any], id_: str, remarks: list[ImportRemark]) -> dict[str, Any]:
    cluster_resource = Resource(resource.kind, resource.label, block, resource.where)
    cluster: dict[str, Any] = {"id": id_, "name": read_text(cluster_resource, "cluster_id", remarks, "")}
    zone = read_text(cluster_resource, "zone", remarks, "") if block.get("zone") else ""
    cluster |= {"zone": zone, "region": zone.rpartition("-")[0]}
    scaling = next(iterate_blocks(block, "autoscaling_config"), None)
    if scaling:
        names = ("min_nodes", "max_nodes", "cpu_target", "storage_target")
        least, most, cpu, gib = (read_number(resource, scaling, name, remarks) for name in names)
        if least and most:
            cluster["nodes"] = {"kind": "autoscaling", "min": least, "max": most}
            if cpu:
                cluster["nodes"]["cpu_target"] = cpu / 100
            if gib:
                cluster["nodes"]["storage_target_gib"] = gib
    elif count := read_number(resource, block, "num_nodes", remarks):
        cluster["nodes"] = {"kind": "fixed", "count": count}
    if block.get("node_scaling_factor") == "NodeScalingFactor2X":
        cluster["node_scaling"] = 2
    if key := read_value(resource, block, "kms_key_name", remarks):
        cluster["kms_key"] = str(key)
    return cluster


def _profile(resource: Resource, clusters: Mapping[str, str], remarks: list[ImportRemark]) -> dict[str, Any]:
    single = next(iterate_blocks(resource.values, "single_cluster_routing"), None)
    routed = single and {"multi_cluster_routing_cluster_ids": [single.get("cluster_id")]}
    cluster_ids = read_value(resource, routed or resource.values, "multi_cluster_routing_cluster_ids", remarks) or []
    for cluster in cluster_ids:
        if str(cluster) not in clusters:
            message = N_("routes to the cluster {cluster}, which is not in the text")
            remarks.append(ImportRemark(resource.where, message, {"cluster": str(cluster)}))
    isolation = next(iterate_blocks(resource.values, "standard_isolation"), None) or {}
    priority = (
        str(read_value(resource, isolation, "priority", remarks) or "PRIORITY_HIGH").removeprefix("PRIORITY_").lower()
    )
    description = read_value(resource, resource.values, "description", remarks)
    profile = {
        "name": read_text(resource, "app_profile_id", remarks), "routing": "single" if single else "multi",
        "clusters": [clusters[str(cluster_id)] for cluster_id in cluster_ids if str(cluster_id) in clusters],
        "transactions": bool(single and read_value(resource, single, "allow_transactional_writes", remarks) is True),
        "priority": priority if priority in ("low", "medium", "high") else "high",
        "data_boost": next(iterate_blocks(resource.values, "data_boost_isolation_read_only"), None) is not None,
        "row_affinity": read_value(resource, resource.values, "row_affinity", remarks) is True,
        "description": str(description or ""),
    }  # fmt: skip
    return _with_terraform(profile, managed_data(resource, remarks))
