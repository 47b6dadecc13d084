"""Terraform's Bigtable resources, from a file or a state → data of a document. Others are named as left out."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_, Text, said
from designer.document.validation_errors import Problem, Unusable

from . import gcrules
from .result import Missed
from .structs import kind_of

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


class Unknown(str):
    """An expression whose value the text does not say."""

    __slots__ = ()


@dataclass(frozen=True)
class Resource:
    """A resource: blocks are lists of mappings, as in a state."""

    kind: str
    label: str
    values: Mapping[str, Any]
    where: str | Text


def document(resources: Sequence[Resource], missed: list[Missed]) -> dict[str, Any]:
    """Return the data of a document with all of the resources."""
    ours = [one for one in resources if one.kind in KNOWN]
    others = Counter(one.kind for one in resources if one.kind not in KNOWN)
    for kind, count in others.items():
        missed.append(Missed(kind, N_("{count} found: not part of a design"), {"count": count}))
    if not ours:
        raise Unusable([Problem((), said(N_("no Bigtable resources found")))])
    for one in ours:
        missed += _left(one)
    by_kind = {kind: [one for one in ours if one.kind == kind] for kind in KNOWN}
    fields: list[dict[str, Any]] = []
    tables: dict[str, dict[str, Any]] = {}
    for one in by_kind[TABLE]:
        table = _table(one, fields, missed)
        if table["name"] in tables:
            message = N_("duplicate table name {name}: this table is ignored")
            missed.append(Missed(one.where, message, {"name": table["name"]}))
        tables.setdefault(table["name"], table)
    for one in by_kind[POLICY]:
        _policy(one, tables, missed)
    instance = _instance(by_kind, missed)
    shown = next((str(v) for one in by_kind[INSTANCE] if (v := one.values.get("display_name")) and _known(v)), "")
    return {
        "name": shown or instance.get("name", ""), "fields": fields, "tables": list(tables.values()),
        "instance": instance,
    }  # fmt: skip


def _left(one: Resource) -> Iterator[Missed]:
    """Yield the parts of a resource that a design does not support."""
    for name in sorted(set(one.values) - KNOWN[one.kind] - META):
        if name in HOW_MANY:
            yield Missed(one.where, N_("{key} sets the number of resources: one is imported"), {"key": name})
        elif name == "dynamic":
            made = {key for block in _blocks(one.values, name) for key in block}
            yield from (
                Missed(one.where, N_("{key} not recognised"), {"key": f"dynamic {key}"}) for key in sorted(made)
            )
        else:
            yield Missed(one.where, N_("{key} not recognised"), {"key": name})
    for name in LEFT.get(one.kind, ()):
        if one.values.get(name):
            yield Missed(one.where, N_("{key} is not part of a design"), {"key": name})
    for (kind, *path), known in INSIDE.items():
        if kind == one.kind:
            unknown = {key for block in _within(one.values, path) for key in block} - known
            for key in sorted(unknown):
                yield Missed(one.where, N_("{key} not recognised"), {"key": ".".join([*path, key])})


def _within(values: Mapping[str, Any], path: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks at a path of names."""
    if not path:
        yield values
        return
    for block in _blocks(values, path[0]):
        yield from _within(block, path[1:])


def _known(value: Any) -> bool:
    return not isinstance(value, Unknown)


def _said(one: Resource, values: Mapping[str, Any], name: str, missed: list[Missed]) -> Any:
    """Return a value that the text contains.

    For an expression, return None and add an entry to `missed`.
    """
    held = values.get(name)
    if _known(held):
        return held
    message = N_("{key} is an expression whose value is not in the text: {value}")
    missed.append(Missed(one.where, message, {"key": name, "value": str(held)[:80]}))
    return None


def _text(one: Resource, name: str, missed: list[Missed], default: str | None = None) -> str:
    """Return a text value.

    For an expression, return the label and add an entry to `missed`.
    """
    value = one.values.get(name)
    if isinstance(value, str) and _known(value):
        return value
    if value is not None:
        message = N_("{key} is an expression whose value is not in the text: {value}")
        missed.append(Missed(one.where, message, {"key": name, "value": str(value)[:80]}))
    return one.label if default is None else default


def _blocks(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    held = values.get(name)
    for one in held if isinstance(held, list) else [held]:
        if isinstance(one, Mapping):
            yield one


def _number(one: Resource, values: Mapping[str, Any], name: str, missed: list[Missed]) -> int | None:
    held = values.get(name)
    if held in (None, 0, ""):
        return None
    try:
        return int(held)
    except (TypeError, ValueError):
        message = N_("{key} is an expression whose value is not in the text: {value}")
        missed.append(Missed(one.where, message, {"key": name, "value": str(held)[:80]}))
        return None


def _days(one: Resource, values: Mapping[str, Any], name: str, missed: list[Missed]) -> float | None:
    held = values.get(name)
    if held in (None, "", "0"):
        return None
    try:
        return gcrules.duration_ms(str(held)) / gcrules.DAY_MS or None
    except gcrules.NoRule:
        missed.append(Missed(one.where, N_("{duration} is not a duration"), {"duration": str(held)[:40]}))
        return None


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(one: Resource, fields: list[dict[str, Any]], missed: list[Missed]) -> dict[str, Any]:
    values = one.values
    table: dict[str, Any] = {"name": _text(one, "name", missed), "families": []}
    for block in _blocks(values, "column_family"):
        kind = gcrules.kind_of(block.get("type"))
        if kind is None:
            missed.append(Missed(one.where, N_("value type not recognised; imported as an ordinary family")))
        if (family := _said(one, block, "family", missed)) is not None:
            table["families"].append({"name": str(family), "kind": kind or "ordinary"})
    splits = _said(one, values, "split_keys", missed) or []
    if isinstance(splits, list):
        keys = [_said(one, {"split_keys": key}, "split_keys", missed) for key in splits]
        table["split_keys"] = [str(key).replace("\\", "\\\\") for key in keys if key is not None]
    protection = _said(one, values, "deletion_protection", missed)
    if protection in ("PROTECTED", "UNPROTECTED"):
        table["deletion_protection"] = protection == "PROTECTED"
    if days := _days(one, values, "change_stream_retention", missed):
        table["change_stream_days"] = days
    for block in _blocks(values, "automated_backup_policy"):
        if block.get("locations"):
            message = N_("{key} is not part of a design")
            missed.append(Missed(one.where, message, {"key": "automated_backup_policy.locations"}))
        if kept := _days(one, block, "retention_period", missed):
            every = _days(one, block, "frequency", missed)
            table["backups"] = [{"kept_days": kept, **({"every_hours": every * 24} if every else {})}]
    schema = values.get("row_key_schema")
    if schema:
        try:
            struct = json.loads(schema) if isinstance(schema, str) else schema
            table["row_kinds"] = [kind_of(struct.get("structType", struct), fields, one.where, missed)]
        except (ValueError, AttributeError, KeyError, TypeError):
            missed.append(Missed(one.where, N_("row key schema not recognised")))
    return table


def _policy(one: Resource, tables: Mapping[str, dict[str, Any]], missed: list[Missed]) -> None:
    table, name = _text(one, "table", missed, ""), _text(one, "column_family", missed, "")
    families = tables[table]["families"] if table in tables else []
    family = next((each for each in families if each["name"] == name), None)
    if family is None and table and name:
        message = N_("applies to the family {family} of the table {table}, which is not in the text")
        missed.append(Missed(one.where, message, {"family": name, "table": table}))
    if family is None:
        return
    try:
        rule = _rule(one.values)
    except (gcrules.NoRule, ValueError, TypeError, KeyError, AttributeError):
        missed.append(Missed(one.where, N_("garbage-collection rule not recognised")))
        return
    if rule:
        family["gc"] = rule


def _rule(values: Mapping[str, Any]) -> dict[str, Any] | None:
    rules = values.get("gc_rules")
    if rules:
        return gcrules.of_terraform(json.loads(rules) if isinstance(rules, str) else rules)
    found = []
    for block in _blocks(values, "max_age"):
        if block.get("duration"):
            found.append(gcrules.age(gcrules.duration_ms(str(block["duration"]))))
        elif block.get("days"):
            found.append({"kind": "max_age", "age_days": int(block["days"])})
    found += [{"kind": "max_versions", "versions": int(block["number"])} for block in _blocks(values, "max_version")]
    if len(found) < 2:
        return found[0] if found else None
    mode = str(values.get("mode", "")).lower()
    if mode not in ("union", "intersection"):
        raise gcrules.NoRule(mode)
    return {"kind": mode, "rules": found}


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(by_kind: Mapping[str, list[Resource]], missed: list[Missed]) -> dict[str, Any]:
    instance: dict[str, Any] = {"clusters": [], "app_profiles": []}
    for place, one in enumerate(by_kind[INSTANCE]):
        if place:
            missed.append(Missed(one.where, N_("a design has one instance: this one is ignored")))
            continue
        instance["name"] = _text(one, "name", missed)
        edition = str(_said(one, one.values, "edition", missed) or "").lower()
        if edition in ("enterprise", "enterprise_plus"):
            instance["edition"] = edition
        clusters = list(_blocks(one.values, "cluster"))
        instance["clusters"] = [_cluster(one, each, f"cluster-{n}", missed) for n, each in enumerate(clusters)]
        kinds = {
            str(_said(one, each, "storage_type", missed) or "").lower() if "storage_type" in each else "ssd"
            for each in clusters
        } & {"ssd", "hdd"}
        if len(kinds) == 1:
            instance["storage"] = kinds.pop()
    names = {one["name"]: one["id"] for one in instance["clusters"]}
    instance["app_profiles"] = [_profile(one, names, missed) for one in by_kind[PROFILE]]
    if not instance.get("name"):
        other = next((v for one in by_kind[TABLE] if (v := one.values.get("instance_name")) and _known(v)), "")
        if other:
            instance["name"] = str(other).rsplit("/", 1)[-1]
    return instance


def _cluster(one: Resource, block: Mapping[str, Any], id_: str, missed: list[Missed]) -> dict[str, Any]:
    named = Resource(one.kind, one.label, block, one.where)
    cluster: dict[str, Any] = {"id": id_, "name": _text(named, "cluster_id", missed, "")}
    zone = _text(named, "zone", missed, "") if block.get("zone") else ""
    cluster |= {"zone": zone, "region": zone.rpartition("-")[0]}
    scaling = next(_blocks(block, "autoscaling_config"), None)
    if scaling:
        names = ("min_nodes", "max_nodes", "cpu_target", "storage_target")
        least, most, cpu, gib = (_number(one, scaling, name, missed) for name in names)
        if least and most:
            cluster["nodes"] = {"kind": "autoscaling", "min": least, "max": most}
            if cpu:
                cluster["nodes"]["cpu_target"] = cpu / 100
            if gib:
                cluster["nodes"]["storage_target_gib"] = gib
    elif count := _number(one, block, "num_nodes", missed):
        cluster["nodes"] = {"kind": "fixed", "count": count}
    if block.get("node_scaling_factor") == "NodeScalingFactor2X":
        cluster["node_scaling"] = 2
    if block.get("kms_key_name"):
        missed.append(Missed(one.where, N_("{key} is not part of a design"), {"key": "kms_key_name"}))
    return cluster


def _profile(one: Resource, clusters: Mapping[str, str], missed: list[Missed]) -> dict[str, Any]:
    single = next(_blocks(one.values, "single_cluster_routing"), None)
    routed = single and {"multi_cluster_routing_cluster_ids": [single.get("cluster_id")]}
    wanted = _said(one, routed or one.values, "multi_cluster_routing_cluster_ids", missed) or []
    for cluster in wanted:
        if str(cluster) not in clusters:
            message = N_("routes to the cluster {cluster}, which is not in the text")
            missed.append(Missed(one.where, message, {"cluster": str(cluster)}))
    isolation = next(_blocks(one.values, "standard_isolation"), None) or {}
    priority = str(_said(one, isolation, "priority", missed) or "PRIORITY_HIGH").removeprefix("PRIORITY_").lower()
    return {
        "name": _text(one, "app_profile_id", missed), "routing": "single" if single else "multi",
        "clusters": [clusters[str(each)] for each in wanted if str(each) in clusters],
        "transactions": bool(single and _said(one, single, "allow_transactional_writes", missed) is True),
        "priority": priority if priority in ("low", "medium", "high") else "high",
        "data_boost": next(_blocks(one.values, "data_boost_isolation_read_only"), None) is not None,
    }  # fmt: skip
