"""Statements of Terraform's resources about what they create.

An argument that is not set has its default; one that is an expression without a value in the text is unknown.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import gcrules
from .managed import is_plain
from .resource import (
    HOW_MANY,
    INSTANCE,
    POLICY,
    PROFILE,
    TABLE,
    Resource,
    gc_rule,
    is_known,
    iterate_blocks,
)
from .stated_parts import CLUSTERS, PROFILES, TABLE_DEFAULTS, TABLES, StatedParts, Values, known_values, stated_families

ARGUMENTS: Mapping[str, str] = {
    "deletion_protection": "deletion_protection",
    "change_stream_days": "change_stream_retention",
    "backups": "automated_backup_policy",
    "split_keys": "split_keys",
}
"""The provider's names of a table's fields."""


def stated_parts(resources: Sequence[Resource], document: Mapping[str, Any]) -> StatedParts:
    """Return what the resources tell, of which `document` was made; of a kind that is there, all is there."""
    by_kind = {
        kind: [resource for resource in resources if resource.kind == kind]
        for kind in (INSTANCE, TABLE, POLICY, PROFILE)
    }
    tables = {table["name"]: table for table in document["tables"]}
    policies = list(_policies(by_kind[POLICY]))
    return StatedParts(
        instance=known_values(document["instance"], ("clusters", "app_profiles", *_unnamed_fields(by_kind[INSTANCE]))),
        tables={
            str(resource.values["name"]): _table(resource, tables[resource.values["name"]], policies)
            for resource in by_kind[TABLE]
            if _is_one(resource, "name")
        },
        clusters=dict(_clusters(by_kind[INSTANCE][:1], document["instance"]["clusters"])),
        app_profiles={
            resource.values["app_profile_id"]: _profile(resource, profile)
            for resource, profile in zip(by_kind[PROFILE], document["instance"]["app_profiles"], strict=True)
            if _is_one(resource, "app_profile_id")
        },
        whole=frozenset(_whole_lists(by_kind)),
    )


def _unnamed_fields(instances: Sequence[Resource]) -> Iterator[str]:
    """Yield the fields that the text leaves open: the name, if the label stands for it, and labels."""
    if not all(_is_text(instance.values.get("name")) for instance in instances):
        yield "name"
    labels = [instance.values.get("labels") for instance in instances]
    if not labels or any(
        _has_unknown(label) or (isinstance(label, Mapping) and not is_plain(label)) for label in labels
    ):
        yield "labels"


def _whole_lists(by_kind: Mapping[str, Sequence[Resource]]) -> Iterator[str]:
    if by_kind[TABLE] and all(_is_one(resource, "name") for resource in by_kind[TABLE]):
        yield TABLES
    if by_kind[PROFILE] and all(_is_one(resource, "app_profile_id") for resource in by_kind[PROFILE]):
        yield PROFILES
    blocks = [block for resource in by_kind[INSTANCE] for block in iterate_blocks(resource.values, "cluster")]
    if blocks and all(_is_text(block.get("cluster_id")) for block in blocks) and "dynamic" not in _names(by_kind):
        yield CLUSTERS


def _names(by_kind: Mapping[str, Sequence[Resource]]) -> set[str]:
    return {name for resource in by_kind[INSTANCE] for name in resource.values}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_known(value)


def _is_one(resource: Resource, name: str) -> bool:
    """Return whether a resource makes one thing, of a known name."""
    return _is_text(resource.values.get(name)) and not any(argument in resource.values for argument in HOW_MANY)


# --- tables ---------------------------------------------------------------------------------------------------------


def _policies(resources: Sequence[Resource]) -> Iterator[tuple[Resource, str | None, str | None]]:
    """Yield each policy with its table and family; None stands for names that are not in the text."""
    for resource in resources:
        table, family = resource.values.get("table"), resource.values.get("column_family")
        is_one = not any(argument in resource.values for argument in HOW_MANY)
        yield resource, table if is_one and _is_text(table) else None, family if is_one and _is_text(family) else None


def _table(
    resource: Resource, table: Mapping[str, Any], policies: Sequence[tuple[Resource, str | None, str | None]]
) -> Values:
    values: dict[str, Any] = {}
    for name, argument in ARGUMENTS.items():
        if name in table and not (name == "split_keys" and _has_unknown(resource.values.get(argument))):
            values[name] = table[name]
        elif not resource.values.get(argument):
            values[name] = TABLE_DEFAULTS[name]
    if resource.values.get("row_key_schema") and "row_kinds" in table:
        values["row_key"] = resource.values["row_key_schema"]
    blocks = list(iterate_blocks(resource.values, "column_family"))
    # With a block whose name or number is open, the list would call families missing that are there.
    if "dynamic" not in resource.values and all(_is_text(block.get("family")) for block in blocks):
        values["families"] = stated_families(table["families"], _unknown_fields(str(table["name"]), blocks, policies))
    return values


def _has_unknown(value: Any) -> bool:
    return not is_known(value) or (isinstance(value, list) and not all(map(is_known, value)))


def _unknown_fields(
    table: str,
    blocks: Sequence[Mapping[str, Any]],
    policies: Sequence[tuple[Resource, str | None, str | None]],
) -> Mapping[str, set[str]]:
    """Return the fields of families that the text leaves open."""
    unknown: dict[str, set[str]] = {str(block["family"]): set() for block in blocks}
    for block in blocks:
        if _has_unknown(block.get("type")) or gcrules.family_kind(block.get("type")) is None:
            unknown[str(block["family"])].add("kind")
    for policy, its_table, family in policies:
        if its_table is not None and its_table != table:
            continue
        for name in unknown:
            # A policy whose table or family is an expression may be of any of them, so none of their rules is known.
            if family in (None, name) and (its_table is None or family is None or not _is_readable(policy)):
                unknown[name].add("gc")
    return unknown


def _is_readable(policy: Resource) -> bool:
    try:
        return gc_rule(policy.values) is not None
    except (gcrules.InvalidRuleError, ValueError, TypeError, KeyError, AttributeError):
        return False


# --- the instance ---------------------------------------------------------------------------------------------------


def _clusters(instances: Sequence[Resource], clusters: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Values]]:
    blocks = [block for instance in instances for block in iterate_blocks(instance.values, "cluster")]
    for block, cluster in zip(blocks, clusters, strict=True):
        if not _is_text(block.get("cluster_id")):
            continue
        unknown = {"id", "name", "region"} | (set() if _is_text(block.get("zone")) else {"zone"})
        unsaid = {"node_scaling": 1, "kms_key": None}
        open_arguments = {"node_scaling": "node_scaling_factor", "kms_key": "kms_key_name"}
        defaults = {
            name: default for name, default in unsaid.items() if not _has_unknown(block.get(open_arguments[name]))
        }
        yield cluster["name"], {**defaults, **known_values(cluster, unknown)}


def _profile(resource: Resource, profile: Mapping[str, Any]) -> Values:
    single = next(iterate_blocks(resource.values, "single_cluster_routing"), None)
    cluster_ids = (
        [single.get("cluster_id")] if single else resource.values.get("multi_cluster_routing_cluster_ids") or []
    )
    isolation = next(iterate_blocks(resource.values, "standard_isolation"), None) or {}
    values = {**profile, "clusters": tuple(map(str, cluster_ids)) if isinstance(cluster_ids, list) else ()}
    unknown = {"clusters"} if _has_unknown(cluster_ids) else set()
    unknown |= {"priority"} if _has_unknown(isolation.get("priority")) else set()
    unknown |= {"row_affinity"} if _has_unknown(resource.values.get("row_affinity")) else set()
    unknown |= {"transactions"} if single and _has_unknown(single.get("allow_transactional_writes")) else set()
    return known_values(values, unknown)
