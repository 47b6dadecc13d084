"""Import of `gcloud bigtable … describe` and `… list` output, JSON or YAML.

It covers tables, instances, clusters and app profiles.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.texts import N_, said
from designer.document.validation_errors import Problem, Unusable

from .shared import gcrules
from .shared.build import made
from .shared.result import Imported, Missed
from .shared.structs import kind_of
from .shared.yamls import documents

TITLE = "gcloud"
_NAME = re.compile(r"^name: projects/[^/\s]+/instances/\S+$", re.MULTILINE)
KNOWN: Mapping[str, frozenset[str]] = {
    "tables": frozenset(("name", "columnFamilies", "deletionProtection", "changeStreamConfig", "automatedBackupPolicy",
                         "rowKeySchema", "tieredStorageConfig", "granularity", "clusterStates", "stats")),
    "instances": frozenset(("name", "displayName", "state", "type", "createTime", "labels", "satisfiesPzs",
                            "satisfiesPzi", "edition", "tags")),
    "clusters": frozenset(("name", "location", "serveNodes", "defaultStorageType", "clusterConfig", "nodeScalingFactor",
                           "state", "encryptionConfig")),
    "appProfiles": frozenset(("name", "etag", "description", "multiClusterRoutingUseAny", "singleClusterRouting",
                              "priority", "standardIsolation", "dataBoostIsolationReadOnly")),
}  # fmt: skip
"""What is read, or tells only of the present state."""
LEFT = {"instances": ("labels", "tags"), "clusters": ("encryptionConfig",), "appProfiles": ("description",)}
"""What is known and has no place in a design."""


def looks(text: str, data: Any) -> bool:
    """Return whether the data is an object, or a list of objects, with resource names; YAML by such a name."""
    if data is None:
        return _NAME.search(text) is not None
    return any(_kind(one) for one in _objects(data))


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, dict) and "name" not in one and set(one) & set(KNOWN):
            yield from _objects([each for kind in KNOWN for each in one.get(kind) or ()])  # as the API itself lists
        elif isinstance(one, dict):
            yield one
        elif isinstance(one, list):
            yield from (each for each in one if isinstance(each, dict))


def _kind(one: Mapping[str, Any]) -> str:
    """`tables`, `clusters` … by the resource's name."""
    parts = str(one.get("name", "")).split("/")
    return parts[-2] if len(parts) >= 4 and parts[0] == "projects" and parts[-2] in KNOWN else ""


def read(text: str, data: Any) -> Imported:
    """Build a design from all resources in the data."""
    missed: list[Missed] = []
    if data is None:
        data = documents(text)
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KNOWN}
    for one in _objects(data):
        kind = _kind(one)
        if kind:
            found[kind].append(one)
            for key in sorted(set(one) - KNOWN[kind]):
                missed.append(Missed(_called(one), N_("{key} not recognised"), {"key": key}))
            for key in LEFT.get(kind, ()):
                if one.get(key):
                    missed.append(Missed(_called(one), N_("{key} is not part of a design"), {"key": key}))
        else:
            missed.append(Missed(str(one.get("name", "?"))[:80], N_("not a supported Bigtable resource")))
    if not any(found.values()):
        raise Unusable([Problem((), said(N_("no tables, instances, clusters or app profiles found")))])
    fields: list[dict[str, Any]] = []
    tables = [_table(one, fields, missed) for one in found["tables"]]
    document = {"name": _name(found), "fields": fields, "tables": tables, "instance": _instance(found, missed)}
    return made("gcloud", document, missed)


def _called(one: Mapping[str, Any]) -> str:
    return str(one.get("name", "")).rsplit("/", 1)[-1]


def _name(found: Mapping[str, list[dict[str, Any]]]) -> str:
    for one in found["instances"]:
        return str(one.get("displayName") or _called(one))
    every = [one for kind in found.values() for one in kind]
    return str(every[0]["name"]).split("/")[3]


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(one: dict[str, Any], fields: list[dict[str, Any]], missed: list[Missed]) -> dict[str, Any]:
    name = _called(one)
    families = one.get("columnFamilies") or {}
    table: dict[str, Any] = {"name": name, "families": [
        each for family, held in families.items() if (each := _family(name, family, held or {}, missed))
    ]}  # fmt: skip
    if "deletionProtection" in one:
        table["deletion_protection"] = bool(one["deletionProtection"])
    stream = (one.get("changeStreamConfig") or {}).get("retentionPeriod")
    if stream:
        table["change_stream_days"] = _days(stream, name, missed)
    backups = one.get("automatedBackupPolicy") or {}
    if backups.get("retentionPeriod"):
        every = _days(backups["frequency"], name, missed) if backups.get("frequency") else None
        table["backups"] = [{"kept_days": _days(backups["retentionPeriod"], name, missed),
                             **({"every_hours": every * 24} if every else {})}]  # fmt: skip
    if backups.get("locations"):
        missed.append(Missed(name, N_("{key} is not part of a design"), {"key": "automatedBackupPolicy.locations"}))
    cold = ((one.get("tieredStorageConfig") or {}).get("infrequentAccess") or {}).get("includeIfOlderThan")
    if cold:
        table["infrequent_access_days"] = _days(cold, name, missed)
    if one.get("rowKeySchema"):
        table["row_kinds"] = [kind_of(one["rowKeySchema"], fields, name, missed)]
    return {key: held for key, held in table.items() if held is not None}


def _family(table: str, name: str, held: Mapping[str, Any], missed: list[Missed]) -> dict[str, Any] | None:
    family: dict[str, Any] = {"name": name}
    kind = gcrules.kind_of(held.get("valueType"))
    if kind is None:
        missed.append(Missed(f"{table} / {name}", N_("value type not recognised; imported as an ordinary family")))
    family["kind"] = kind or "ordinary"
    if held.get("gcRule"):
        try:
            family["gc"] = gcrules.of_api(held["gcRule"])
        except (gcrules.NoRule, ValueError, TypeError, AttributeError):
            missed.append(Missed(f"{table} / {name}", N_("garbage-collection rule not recognised")))
    return family


def _days(duration: Any, where: str, missed: list[Missed]) -> float | None:
    try:
        return gcrules.duration_ms(str(duration)) / gcrules.DAY_MS or None
    except gcrules.NoRule:
        missed.append(Missed(where, N_("{duration} is not a duration"), {"duration": str(duration)[:40]}))
        return None


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(found: Mapping[str, list[dict[str, Any]]], missed: list[Missed]) -> dict[str, Any]:
    instance: dict[str, Any] = {}
    every = [one for kind in found.values() for one in kind]
    names = {str(one["name"]).split("/")[3] for one in every}
    instance["name"] = sorted(names)[0]
    if len(names) > 1:
        others = ", ".join(sorted(names)[1:])
        missed.append(Missed(others, N_("a design has one instance: these tables are added to it")))
    for one in found["instances"]:
        if one.get("edition") in ("ENTERPRISE", "ENTERPRISE_PLUS"):
            instance["edition"] = str(one["edition"]).lower()
    instance["clusters"] = [_cluster(one) for one in found["clusters"]]
    kinds = {str(one.get("defaultStorageType", "")).lower() for one in found["clusters"]} & {"ssd", "hdd"}
    if len(kinds) == 1:
        instance["storage"] = kinds.pop()
    ids = {str(one["name"]).rsplit("/", 1)[-1]: f"cluster-{n}" for n, one in enumerate(found["clusters"])}
    for cluster, id_ in zip(instance["clusters"], ids.values(), strict=True):
        cluster["id"] = id_
    instance["app_profiles"] = [_profile(one, ids, missed) for one in found["appProfiles"]]
    return instance


def _cluster(one: Mapping[str, Any]) -> dict[str, Any]:
    zone = str(one.get("location", "")).rsplit("/", 1)[-1]
    cluster: dict[str, Any] = {"name": _called(one), "zone": zone, "region": zone.rpartition("-")[0]}
    scaling = (one.get("clusterConfig") or {}).get("clusterAutoscalingConfig")
    if scaling:
        limits, targets = scaling.get("autoscalingLimits") or {}, scaling.get("autoscalingTargets") or {}
        least, most = limits.get("minServeNodes", 1), limits.get("maxServeNodes", 1)
        cluster["nodes"] = {"kind": "autoscaling", "min": least, "max": most}
        if targets.get("cpuUtilizationPercent"):
            cluster["nodes"]["cpu_target"] = targets["cpuUtilizationPercent"] / 100
        if targets.get("storageUtilizationGibPerNode"):
            cluster["nodes"]["storage_target_gib"] = targets["storageUtilizationGibPerNode"]
    elif one.get("serveNodes"):
        cluster["nodes"] = {"kind": "fixed", "count": one["serveNodes"]}
    if one.get("nodeScalingFactor") == "NODE_SCALING_FACTOR_2X":
        cluster["node_scaling"] = 2
    return cluster


def _profile(one: Mapping[str, Any], ids: Mapping[str, str], missed: list[Missed]) -> dict[str, Any]:
    name = _called(one)
    single = one.get("singleClusterRouting")
    wanted = (
        [single.get("clusterId", "")]
        if single
        else (one.get("multiClusterRoutingUseAny") or {}).get("clusterIds") or []
    )
    if "rowAffinity" in (one.get("multiClusterRoutingUseAny") or {}):
        missed.append(Missed(name, N_("{key} is not part of a design"), {"key": "rowAffinity"}))
    for cluster in wanted:
        if cluster not in ids:
            missed.append(
                Missed(name, N_("routes to the cluster {cluster}, which is not in the text"), {"cluster": cluster})
            )
    priority = (one.get("standardIsolation") or {}).get("priority") or one.get("priority") or "PRIORITY_HIGH"
    return {
        "name": name, "routing": "single" if single else "multi", "clusters": [ids[c] for c in wanted if c in ids],
        "transactions": bool(single and single.get("allowTransactionalWrites")),
        "priority": str(priority).removeprefix("PRIORITY_").lower(),
        "data_boost": bool(one.get("dataBoostIsolationReadOnly")),
    }  # fmt: skip
