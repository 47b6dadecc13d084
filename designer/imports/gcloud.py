"""Import of `gcloud bigtable … describe` and `… list` output, JSON or YAML.

It covers tables, instances, clusters and app profiles. Of backups only their tables are imported: a design has
policies, not copies.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .shared import gcrules
from .shared.build import build_import
from .shared.dates import parse_date
from .shared.gcloud_resources import (
    KNOWN,
    collection_name,
    iterate_objects,
    resource_id,
    resources_by_instance,
    unsupported_parts,
)
from .shared.result import ImportRemark, ImportResult
from .shared.stated_parts import (
    CLUSTERS,
    COPIES,
    PROFILES,
    TABLE_DEFAULTS,
    TABLES,
    StatedParts,
    Values,
    known_values,
    merge_stated,
    stated_families,
)
from .shared.structs import build_row_kind
from .shared.yamls import documents

TITLE = "gcloud"
_NAME = re.compile(r"^name: projects/[^/\s]+/instances/\S+$", re.MULTILINE)
_UNREADABLE = (gcrules.InvalidRuleError, ValueError, TypeError, AttributeError)
ONLY_POLICIES = N_("single backups are not part of a design, only their policy")


def can_read(text: str, data: Any) -> bool:
    """Return whether the data is an object, or a list of objects, with resource names; YAML by such a name."""
    if data is None:
        return _NAME.search(text) is not None
    return any(collection_name(resource) for resource in iterate_objects(data))


def read(text: str, data: Any) -> ImportResult:
    """Build a design from all resources in the data."""
    remarks: list[ImportRemark] = []
    is_list = isinstance(data, list) or (isinstance(data, dict) and "name" not in data)
    if data is None:
        data = documents(text)
        # `gcloud … list --format=yaml` begins each resource with ---, also where there is only one; `describe` does
        # not.
        is_list = len(data) > 1 or text.lstrip().startswith("---")
    instances = resources_by_instance(iterate_objects(data), remarks)
    nothing: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KNOWN}
    instance_name, resources = next(iter(instances.items()), ("", nothing))
    # Resources of two instances have names in common, and together would be of something that runs nowhere.
    other_instances = tuple(instances)[1:]
    for other in other_instances:
        remarks.append(ImportRemark(other, N_("a design has one instance: this one is ignored")))
    remarks += unsupported_parts(resources)
    backups = resources.pop("backups")
    if backups:
        remarks.append(ImportRemark("backups", ONLY_POLICIES))
    copies = _copies_by_table(backups)
    has_only_copies = not any(resources.values())
    if has_only_copies:
        resources["tables"] = [{"name": name} for name in copies]
    if not any(resources.values()):
        raise InvalidDocumentError(
            [Problem((), build_text(N_("no tables, instances, clusters or app profiles found")))]
        )
    fields: list[dict[str, Any]] = []
    tables = [_table(table, fields, remarks) for table in resources["tables"]]
    document = {
        "name": _design_name(resources, instance_name),
        "fields": fields,
        "tables": tables,
        "instance": _instance(instance_name, resources, remarks),
    }
    told = _told_parts(resources, document, is_list=is_list)
    if has_only_copies:  # which outlive their tables
        told = StatedParts(instance=told.instance)
    backed_up = StatedParts(
        tables={resource_id({"name": name}): {COPIES: held} for name, held in copies.items()},
        whole=frozenset((COPIES,) if is_list and backups else ()),
    )
    result = build_import("gcloud", document, remarks, merge_stated((told, backed_up))[0])
    return replace(result, other_instances=other_instances)


def _copies_by_table(backups: Iterable[Mapping[str, Any]]) -> dict[str, tuple[tuple[str, float], ...]]:
    """Return by the name of its table, as the backups have it, of each the kind and for how many days it is kept."""
    copies: dict[str, tuple[tuple[str, float], ...]] = {}
    for backup in backups:
        if source := str(backup.get("sourceTable", "")):
            kind = "hot" if str(backup.get("backupType", "")).upper() == "HOT" else "standard"
            days = _kept_days(backup)
            copies[source] = (*copies.get(source, ()), *([(kind, days)] if days else []))
    return copies


def _kept_days(backup: Mapping[str, Any]) -> float | None:
    """Return for how long a backup is kept, to the hour; within an hour of whole days it is those."""
    first, last = (parse_date(str(backup.get(name))) for name in ("startTime", "expireTime"))
    if first is None or last is None or (first.tzinfo is None) != (last.tzinfo is None):
        return None
    # The service notes start and end of a copy seconds apart from the policy's days.
    hours = round((last - first).total_seconds() / 3600)
    days = round(hours / 24)
    return days if days and abs(hours - 24 * days) <= 1 else hours / 24


# --- what is told ---------------------------------------------------------------------------------------------------

TOLD_BY: Mapping[str, str] = {
    "deletion_protection": "deletionProtection",
    "change_stream_days": "changeStreamConfig",
    "infrequent_access_days": "tieredStorageConfig",
    "backups": "automatedBackupPolicy",
}
"""The API's names of what it leaves out where it is off. Tiered storage is told by some versions only."""


def _told_parts(
    resources_by_kind: Mapping[str, list[dict[str, Any]]], document: Mapping[str, Any], *, is_list: bool
) -> StatedParts:
    """Return what the resources tell; a list has every member of its kinds."""
    names = {"tables": TABLES, "clusters": CLUSTERS, "appProfiles": PROFILES}
    instance = document["instance"]
    return StatedParts(
        instance=known_values(instance, ("clusters", "app_profiles")),
        tables={
            table["name"]: _told_table(resource, table)
            for resource, table in zip(resources_by_kind["tables"], document["tables"], strict=True)
        },
        clusters={
            cluster["name"]: {"node_scaling": 1, "kms_key": None, **known_values(cluster, ("id", "name", "region"))}
            for cluster in instance["clusters"]
        },
        app_profiles={
            profile["name"]: {**profile, "clusters": tuple(_routed_clusters(resource))}
            for resource, profile in zip(resources_by_kind["appProfiles"], instance["app_profiles"], strict=True)
        },
        whole=frozenset(names[kind] for kind in names if is_list and resources_by_kind[kind]),
    )


def _told_table(resource: Mapping[str, Any], table: Mapping[str, Any]) -> Values:
    """Return what a table's resource tells: by its view names, statistics, the schema or all of it."""
    values = {name: table[name] for name in TOLD_BY if name in table}
    # What a view leaves out is not told; only the full view and that of the schema leave out what is off.
    if "granularity" in resource or ("columnFamilies" in resource and "stats" not in resource):
        silent = (name for name, raw in TOLD_BY.items() if not resource.get(raw) and raw != "tieredStorageConfig")
        values = {**{name: TABLE_DEFAULTS[name] for name in silent}, **values}
    if "columnFamilies" in resource or "granularity" in resource:
        unknown: dict[str, set[str]] = {}
        for name, family in (resource.get("columnFamilies") or {}).items():
            unknown[name] = _unknown_fields(family or {})
        values["families"] = stated_families(table["families"], unknown)
    if resource.get("rowKeySchema"):
        values["row_key"] = resource["rowKeySchema"]
    return values


def _unknown_fields(settings: Mapping[str, Any]) -> set[str]:
    unknown = {"kind"} if gcrules.family_kind(settings.get("valueType")) is None else set()
    try:
        _ = settings.get("gcRule") and gcrules.from_api(settings["gcRule"])
    except _UNREADABLE:
        unknown.add("gc")
    return unknown


def _routed_clusters(resource: Mapping[str, Any]) -> Iterator[str]:
    single = resource.get("singleClusterRouting")
    if single:
        yield str(single.get("clusterId", ""))
    else:
        yield from map(str, (resource.get("multiClusterRoutingUseAny") or {}).get("clusterIds") or ())


def _design_name(resources_by_kind: Mapping[str, list[dict[str, Any]]], instance_name: str) -> str:
    names = (resource.get("displayName") for resource in resources_by_kind["instances"])
    return str(next(filter(None, names), instance_name))


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(resource: dict[str, Any], fields: list[dict[str, Any]], remarks: list[ImportRemark]) -> dict[str, Any]:
    name = resource_id(resource)
    families = resource.get("columnFamilies") or {}
    table: dict[str, Any] = {"name": name, "families": [
        content for family, settings in families.items() if (content := _family(name, family, settings or {}, remarks))
    ]}  # fmt: skip
    if "deletionProtection" in resource:
        table["deletion_protection"] = bool(resource["deletionProtection"])
    stream = (resource.get("changeStreamConfig") or {}).get("retentionPeriod")
    if stream:
        table["change_stream_days"] = _days(stream, name, remarks)
    backups = resource.get("automatedBackupPolicy") or {}
    if backups.get("retentionPeriod"):
        every = _days(backups["frequency"], name, remarks) if backups.get("frequency") else None
        table["backups"] = [{"kept_days": _days(backups["retentionPeriod"], name, remarks),
                             **({"every_hours": every * 24} if every else {})}]  # fmt: skip
    if backups.get("locations"):
        remarks.append(
            ImportRemark(name, N_("{key} is not part of a design"), {"key": "automatedBackupPolicy.locations"})
        )
    cold = ((resource.get("tieredStorageConfig") or {}).get("infrequentAccess") or {}).get("includeIfOlderThan")
    if cold:
        table["infrequent_access_days"] = _days(cold, name, remarks)
    if resource.get("rowKeySchema"):
        table["row_kinds"] = [build_row_kind(resource["rowKeySchema"], fields, name, remarks)]
        table["row_key_schema"] = True
    # A duration that is not understood is noted, and its field stays open.
    return {key: value for key, value in table.items() if value is not None}


def _family(table: str, name: str, settings: Mapping[str, Any], remarks: list[ImportRemark]) -> dict[str, Any] | None:
    family: dict[str, Any] = {"name": name}
    kind = gcrules.family_kind(settings.get("valueType"))
    if kind is None:
        remarks.append(
            ImportRemark(f"{table} / {name}", N_("value type not recognised; imported as an ordinary family"))
        )
    family["kind"] = kind or "ordinary"
    if settings.get("gcRule"):
        try:
            family["gc"] = gcrules.from_api(settings["gcRule"])
        except _UNREADABLE:
            remarks.append(ImportRemark(f"{table} / {name}", N_("garbage-collection rule not recognised")))
    return family


def _days(duration: Any, where: str, remarks: list[ImportRemark]) -> float | None:
    try:
        return gcrules.duration_ms(str(duration)) / gcrules.DAY_MS or None
    except gcrules.InvalidRuleError:
        remarks.append(ImportRemark(where, N_("{duration} is not a duration"), {"duration": str(duration)[:40]}))
        return None


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(
    name: str, resources_by_kind: Mapping[str, list[dict[str, Any]]], remarks: list[ImportRemark]
) -> dict[str, Any]:
    every = [resource for kind in resources_by_kind.values() for resource in kind]
    instance: dict[str, Any] = {"name": name, "project": _project(every, remarks)}
    for source in resources_by_kind["instances"]:
        labels = source.get("labels") or {}
        instance["labels"] = [{"name": str(name), "value": str(value)} for name, value in labels.items()]
        if source.get("edition") in ("ENTERPRISE", "ENTERPRISE_PLUS"):
            instance["edition"] = str(source["edition"]).lower()
    instance["clusters"] = [_cluster(resource) for resource in resources_by_kind["clusters"]]
    kinds = {str(one.get("defaultStorageType", "")).lower() for one in resources_by_kind["clusters"]} & {"ssd", "hdd"}
    if len(kinds) == 1:
        instance["storage"] = kinds.pop()
    ids = {resource_id(one): f"cluster-{n}" for n, one in enumerate(resources_by_kind["clusters"])}
    for cluster, id_ in zip(instance["clusters"], ids.values(), strict=True):
        cluster["id"] = id_
    instance["app_profiles"] = [_profile(profile, ids, remarks) for profile in resources_by_kind["appProfiles"]]
    return instance


def _project(resources: list[dict[str, Any]], remarks: list[ImportRemark]) -> str:
    """Return the project of the first resource; another one is named."""
    first = str(resources[0]["name"]).split("/")[1]
    for other in sorted({str(one["name"]).split("/")[1] for one in resources} - {first}):
        message = N_("is in the project {other}; the design is for {project}")
        remarks.append(ImportRemark("", message, {"other": other, "project": first}))
    return first


def _cluster(resource: Mapping[str, Any]) -> dict[str, Any]:
    zone = str(resource.get("location", "")).rsplit("/", 1)[-1]
    cluster: dict[str, Any] = {"name": resource_id(resource), "zone": zone, "region": zone.rpartition("-")[0]}
    scaling = (resource.get("clusterConfig") or {}).get("clusterAutoscalingConfig")
    if scaling:
        limits, targets = scaling.get("autoscalingLimits") or {}, scaling.get("autoscalingTargets") or {}
        least, most = limits.get("minServeNodes", 1), limits.get("maxServeNodes", 1)
        cluster["nodes"] = {"kind": "autoscaling", "min": least, "max": most}
        if targets.get("cpuUtilizationPercent"):
            cluster["nodes"]["cpu_target"] = targets["cpuUtilizationPercent"] / 100
        if targets.get("storageUtilizationGibPerNode"):
            cluster["nodes"]["storage_target_gib"] = targets["storageUtilizationGibPerNode"]
    elif resource.get("serveNodes"):
        cluster["nodes"] = {"kind": "fixed", "count": resource["serveNodes"]}
    if resource.get("nodeScalingFactor") == "NODE_SCALING_FACTOR_2X":
        cluster["node_scaling"] = 2
    if key := (resource.get("encryptionConfig") or {}).get("kmsKeyName"):
        cluster["kms_key"] = str(key)
    return cluster


def _profile(resource: Mapping[str, Any], ids: Mapping[str, str], remarks: list[ImportRemark]) -> dict[str, Any]:
    name = resource_id(resource)
    single = resource.get("singleClusterRouting")
    cluster_ids = (
        [single.get("clusterId", "")]
        if single
        else (resource.get("multiClusterRoutingUseAny") or {}).get("clusterIds") or []
    )
    for cluster in cluster_ids:
        if cluster not in ids:
            remarks.append(
                ImportRemark(
                    name, N_("routes to the cluster {cluster}, which is not in the text"), {"cluster": cluster}
                )
            )
    # Earlier versions of the API have the priority beside the isolation; without one it is high.
    priority = (resource.get("standardIsolation") or {}).get("priority") or resource.get("priority") or "PRIORITY_HIGH"
    return {
        "name": name, "routing": "single" if single else "multi", "clusters": [ids[c] for c in cluster_ids if c in ids],
        "transactions": bool(single and single.get("allowTransactionalWrites")),
        "priority": str(priority).removeprefix("PRIORITY_").lower(),
        "data_boost": bool(resource.get("dataBoostIsolationReadOnly")),
        "row_affinity": "rowAffinity" in (resource.get("multiClusterRoutingUseAny") or {}),
        "description": str(resource.get("description") or ""),
    }  # fmt: skip
