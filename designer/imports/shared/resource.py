"""One of Terraform's Bigtable resources: what is known of its kind, and its values, as far as a text says them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_, Text

from . import gcrules
from .result import ImportRemark

INSTANCE, TABLE = "google_bigtable_instance", "google_bigtable_table"
POLICY, PROFILE = "google_bigtable_gc_policy", "google_bigtable_app_profile"
KNOWN: Mapping[str, frozenset[str]] = {
    INSTANCE: frozenset(("name", "display_name", "cluster", "labels", "deletion_protection", "force_destroy", "project",
                         "instance_type", "edition", "deletion_policy")),
    TABLE: frozenset(("name", "instance_name", "split_keys", "column_family", "deletion_protection", "project",
                      "change_stream_retention", "automated_backup_policy", "row_key_schema", "deletion_policy")),
    POLICY: frozenset(("instance_name", "table", "column_family", "gc_rules", "mode", "max_age", "max_version",
                       "project", "deletion_policy", "ignore_warnings")),
    PROFILE: frozenset(("app_profile_id", "name", "instance", "description", "multi_cluster_routing_use_any", "project",
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
_NAMES_INSTANCE = {INSTANCE: "name", TABLE: "instance_name", POLICY: "instance_name", PROFILE: "instance"}
_REFERENCE = re.compile(rf"(?<![\w.]){INSTANCE}\.([\w-]+)")
HOW_MANY = ("count", "for_each")
META = frozenset(("id", "timeouts", "lifecycle", "effective_labels", "terraform_labels"))


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
    address: str = ""
    """The address in a state; empty where the text does not say it."""


def resources_by_instance(resources: Sequence[Resource]) -> dict[str, list[Resource]]:
    """Return the Bigtable resources of each instance; the first instance is that of the first table, if there is any.

    Those of which the text does not say the instance are with the first one.
    """
    names = list(_instance_names(resources))
    first = [name for resource, name in zip(resources, names, strict=True) if name and resource.kind == TABLE]
    instances: dict[str, list[Resource]] = {next(iter([*first, *filter(None, names)]), ""): []}
    for resource, name in zip(resources, names, strict=True):
        instances.setdefault(name or next(iter(instances)), []).append(resource)
    return instances


def _instance_names(resources: Sequence[Resource]) -> Iterator[str]:
    """Yield the name of the instance of each resource, or a label that stands for it; empty where neither is known."""
    labels: dict[str, set[str]] = {}
    for resource in resources:
        if resource.kind == INSTANCE:
            labels.setdefault(resource.label, set()).add(read_text(resource, "name", []))
    is_named = bool(labels) or any(_known_instance(resource) for resource in resources)
    for resource in resources:
        match = _REFERENCE.search(str(resource.values.get(_NAMES_INSTANCE[resource.kind], "")))
        # Of a reference into another file, the label tells instances apart, but is none of the names that are known.
        named = labels.get(match[1], set() if is_named else {match[1]}) if match else set()
        if resource.kind == INSTANCE:
            yield read_text(resource, "name", [])
        else:
            yield _known_instance(resource) or (next(iter(named)) if len(named) == 1 else "")


def _known_instance(resource: Resource) -> str:
    value = resource.values.get(_NAMES_INSTANCE[resource.kind])
    return value.rsplit("/", 1)[-1] if isinstance(value, str) and is_known(value) else ""


def unsupported_parts(resource: Resource) -> Iterator[ImportRemark]:
    """Yield the parts of a resource that a design does not support."""
    for name in sorted(set(resource.values) - KNOWN[resource.kind] - META):
        if name in HOW_MANY:
            message = N_("{key} sets the number of resources: one is imported; terraform show -json has them all")
            yield ImportRemark(resource.where, message, {"key": name})
        elif name == "depends_on":
            # What these resources need of each other, an export says by its references.
            needed = resource.values[name]
            needed = list(map(str, needed)) if isinstance(needed, list) else [str(needed)]
            for one in needed:
                if not one.startswith("google_bigtable_"):
                    key = f"{name} = [{one}]"
                    yield ImportRemark(resource.where, N_("{key} is not part of a design"), {"key": key})
        elif name == "provider":
            yield ImportRemark(resource.where, N_("{key} is not part of a design"), {"key": name})
        elif name == "dynamic":
            keys = {key for block in iterate_blocks(resource.values, name) for key in block}
            yield from (
                ImportRemark(resource.where, N_("{key} not recognised"), {"key": f"dynamic {key}"})
                for key in sorted(keys)
            )
        else:
            yield ImportRemark(resource.where, N_("{key} not recognised"), {"key": name})
    for (kind, *path), known_keys in INSIDE.items():
        if kind == resource.kind:
            unknown = {key for block in _blocks_at(resource.values, path) for key in block} - known_keys
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


def read_value(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> Any:
    """Return a value that the text contains.

    For an expression, return None and add an entry to `remarks`.
    """
    value = values.get(name)
    if is_known(value):
        return value
    remarks.append(_unknown_value(resource, name, value))
    return None


def _unknown_value(resource: Resource, name: str, value: Any) -> ImportRemark:
    message = N_("{key} is an expression whose value is not in the text: {value}")
    shown = " ".join(str(value).split())[:80]  # a heredoc has lines
    return ImportRemark(resource.where, message, {"key": name, "value": shown})


def read_text(resource: Resource, name: str, remarks: list[ImportRemark], default: str | None = None) -> str:
    """Return a text value.

    For an expression, return the label and add an entry to `remarks`.
    """
    value = resource.values.get(name)
    if isinstance(value, str) and is_known(value):
        return value
    if value is not None:
        remarks.append(_unknown_value(resource, name, value))
    return resource.label if default is None else default


def iterate_blocks(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks of a name."""
    blocks = values.get(name)
    for block in blocks if isinstance(blocks, list) else [blocks]:
        if isinstance(block, Mapping):
            yield block


def read_number(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> int | None:
    value = values.get(name)
    if value in (None, 0, ""):
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        remarks.append(_unknown_value(resource, name, value))
        return None


def read_days(resource: Resource, values: Mapping[str, Any], name: str, remarks: list[ImportRemark]) -> float | None:
    duration = values.get(name)
    # "0" turns a change stream off.
    if duration in (None, "", "0"):
        return None
    try:
        return gcrules.duration_ms(str(duration)) / gcrules.DAY_MS or None
    except gcrules.InvalidRuleError:
        remarks.append(
            ImportRemark(resource.where, N_("{duration} is not a duration"), {"duration": str(duration)[:40]})
        )
        return None


def gc_rule(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rule of a policy, or None if it has none."""
    rules = values.get("gc_rules")
    if rules:
        return gcrules.from_terraform(json.loads(rules) if isinstance(rules, str) else rules)
    conditions = []
    for block in iterate_blocks(values, "max_age"):
        if block.get("duration"):
            conditions.append(gcrules.age_rule(gcrules.duration_ms(str(block["duration"]))))
        elif block.get("days"):
            conditions.append(gcrules.age_rule(int(block["days"]) * gcrules.DAY_MS))
    conditions += [gcrules.versions_rule(block["number"]) for block in iterate_blocks(values, "max_version")]
    # Without a second rule there is no mode, and the provider demands none.
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    mode = str(values.get("mode", "")).lower()
    if mode not in ("union", "intersection"):
        raise gcrules.InvalidRuleError(mode)
    return {"kind": mode, "rules": conditions}
