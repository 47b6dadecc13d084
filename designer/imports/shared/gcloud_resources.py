"""Resources that gcloud prints, by instance and kind, from JSON or YAML data."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from designer.document.texts import N_

from .result import ImportRemark

KNOWN: Mapping[str, frozenset[str]] = {
    "tables": frozenset(("name", "columnFamilies", "deletionProtection", "changeStreamConfig", "automatedBackupPolicy",
                         "rowKeySchema", "tieredStorageConfig", "granularity", "clusterStates", "stats")),
    "instances": frozenset(("name", "displayName", "state", "type", "createTime", "labels", "satisfiesPzs",
                            "satisfiesPzi", "edition", "tags")),
    "clusters": frozenset(("name", "location", "serveNodes", "defaultStorageType", "clusterConfig", "nodeScalingFactor",
                           "state", "encryptionConfig")),
    "backups": frozenset(("name", "sourceTable", "sourceBackup", "expireTime", "startTime", "endTime", "sizeBytes",
                          "state", "encryptionInfo", "backupType", "hotToStandardTime")),
    "appProfiles": frozenset(("name", "etag", "description", "multiClusterRoutingUseAny", "singleClusterRouting",
                              "priority", "standardIsolation", "dataBoostIsolationReadOnly")),
}  # fmt: skip
"""What is read, or tells only of the present state."""
LEFT = {"instances": ("tags",)}
"""What is known and has no place in a design."""


def iterate_objects(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a description, of a list, of lists, or of an answer of the API."""
    for entry in data if isinstance(data, list) else [data]:
        if isinstance(entry, dict) and "name" not in entry and set(entry) & set(KNOWN):
            yield from iterate_objects(
                [resource for kind in KNOWN for resource in entry.get(kind) or ()]
            )  # as the API itself lists
        elif isinstance(entry, dict):
            yield entry
        elif isinstance(entry, list):
            yield from (resource for resource in entry if isinstance(resource, dict))


def collection_name(resource: Mapping[str, Any]) -> str:
    """Return `tables`, `clusters` … by the resource's name; empty if it is none of these."""
    parts = str(resource.get("name", "")).split("/")
    return parts[-2] if len(parts) >= 4 and parts[0] == "projects" and parts[-2] in KNOWN else ""


def resource_id(resource: Mapping[str, Any]) -> str:
    """Return the last part of a resource's name."""
    return str(resource.get("name", "")).rsplit("/", 1)[-1]


def resources_by_instance(
    objects: Iterable[dict[str, Any]], remarks: list[ImportRemark]
) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the resources of each instance by kind; the first instance is that of the first table, if there is any.

    What is described twice is one resource, with what either text says.
    """
    by_kind: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in KNOWN}
    for resource in objects:
        if kind := collection_name(resource):
            path = str(resource["name"]).split("/", 2)[2]
            by_kind[kind][path] = {**by_kind[kind].get(path, {}), **resource}
        else:
            remarks.append(ImportRemark(str(resource.get("name", "?"))[:80], N_("not a supported Bigtable resource")))
    instances: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for kind, resources in by_kind.items():
        for resource in resources.values():
            # A backup is of its table, also where it was copied to another instance.
            name = str(resource.get("sourceTable") or resource["name"]).split("/")[3]
            instances.setdefault(name, {other: [] for other in KNOWN})[kind].append(resource)
    return instances


def unsupported_parts(resources_by_kind: Mapping[str, list[dict[str, Any]]]) -> Iterator[ImportRemark]:
    """Yield the parts of resources that are not known, or have no place in a design."""
    for kind, resources in resources_by_kind.items():
        for resource in resources:
            for key in sorted(set(resource) - KNOWN[kind]):
                yield ImportRemark(resource_id(resource), N_("{key} not recognised"), {"key": key})
            for key in LEFT.get(kind, ()):
                if resource.get(key):
                    yield ImportRemark(resource_id(resource), N_("{key} is not part of a design"), {"key": key})
