"""A plan of a file against a state, attribute by attribute: what Terraform would change, without its provider.

The provider's schemas as its source has them (google/services/bigtable, read 2026-11-27): of each attribute what it is
where the file leaves it out. A provider that is there does the same with `terraform plan`, in the tests that need it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from designer.imports.shared.hcl import parse
from designer.imports.shared.hcl_names import TerraformNames
from reviews.exports.shared import gc
from reviews.exports.shared.terraform_rules import _meaning

COMPUTED = object()
"""The provider fills the attribute in, so a file that leaves it out changes nothing."""
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "google_bigtable_instance": {
        "name": None, "cluster": COMPUTED, "display_name": COMPUTED, "instance_type": "PRODUCTION",
        "force_destroy": False, "deletion_protection": True, "labels": None, "terraform_labels": COMPUTED,
        "effective_labels": COMPUTED, "project": COMPUTED, "deletion_policy": "DELETE", "id": COMPUTED,
        "timeouts": None, "edition": COMPUTED,
    },
    "cluster": {
        "cluster_id": None, "zone": COMPUTED, "num_nodes": COMPUTED, "storage_type": "SSD", "kms_key_name": COMPUTED,
        "autoscaling_config": None, "state": COMPUTED, "node_scaling_factor": "NodeScalingFactor1X",
    },
    "autoscaling_config": {"min_nodes": None, "max_nodes": None, "cpu_target": None, "storage_target": COMPUTED},
    "google_bigtable_table": {
        "name": None, "column_family": None, "instance_name": None, "split_keys": None, "project": COMPUTED,
        "deletion_protection": COMPUTED, "change_stream_retention": COMPUTED, "automated_backup_policy": COMPUTED,
        "row_key_schema": None, "deletion_policy": "DELETE", "id": COMPUTED, "timeouts": None,
    },
    "column_family": {"family": None, "type": None},
    "automated_backup_policy": {"retention_period": COMPUTED, "frequency": COMPUTED},
    "google_bigtable_gc_policy": {
        "instance_name": None, "table": None, "column_family": None, "gc_rules": None, "mode": None, "max_age": None,
        "max_version": None, "project": COMPUTED, "deletion_policy": None, "ignore_warnings": False, "id": COMPUTED,
        "timeouts": None,
    },
    "max_age": {"days": COMPUTED, "duration": COMPUTED},
    "max_version": {"number": None},
    "google_bigtable_app_profile": {
        "app_profile_id": None, "description": None, "ignore_warnings": False, "instance": None,
        "multi_cluster_routing_use_any": None, "single_cluster_routing": None, "standard_isolation": COMPUTED,
        "data_boost_isolation_read_only": None, "name": COMPUTED, "multi_cluster_routing_cluster_ids": None,
        "row_affinity": None, "project": COMPUTED, "deletion_policy": "DELETE", "id": COMPUTED, "timeouts": None,
    },
    "single_cluster_routing": {"cluster_id": None, "allow_transactional_writes": None},
    "standard_isolation": {"priority": None},
    "data_boost_isolation_read_only": {"compute_billing_owner": None},
    "timeouts": {"create": None, "read": None, "update": None, "delete": None},
}  # fmt: skip
SETS = ("column_family", "automated_backup_policy")
EMPTY = (None, "", [], {}, False, 0)
Resources = Mapping[str, tuple[str, Mapping[str, Any]]]


def state_resources(state: Mapping[str, Any]) -> Resources:
    """The resources of `terraform show -json` by address."""
    found = {}

    def add(module: Mapping[str, Any]) -> None:
        for one in module.get("resources", ()):
            found[one["address"]] = (one["type"], one["values"])
        for inner in module.get("child_modules", ()):
            add(inner)

    add(state["values"]["root_module"])
    return found


def file_resources(text: str) -> tuple[Resources, Mapping[str, str], Mapping[str, str]]:
    """The resources of a file by address, what is moved (from → to), and what is imported (to → id)."""
    parsed = parse(text)
    names = TerraformNames(parsed)
    found = {}
    for block in parsed.get("resource", ()):
        for kind, inner in block.items():
            for label, body in inner.items():
                values = {name: names.value(held) for name, held in body.items() if not name.startswith("__")}
                found[f"{kind}.{label}".replace('"', "")] = (kind.strip('"'), values)
    moved = {_plain(one["from"]): _plain(one["to"]) for one in parsed.get("moved", ())}
    imported = {_plain(one["to"]): names.value(one["id"]) for one in parsed.get("import", ())}
    return found, moved, imported


def _plain(expression: str) -> str:
    return expression.removeprefix("${").removesuffix("}")


def changes(text: str, state: Mapping[str, Any]) -> list[str]:
    """What a plan of the file would change of the state; empty is "no changes"."""
    (wanted, moved, _), there = file_resources(text), state_resources(state)
    found = []
    seen = set()
    for address, (kind, values) in there.items():
        target = moved.get(address, address)
        if target not in wanted:
            found.append(f"{address} destroyed")
            continue
        seen.add(target)
        found += [f"{address}: {change}" for change in _differences(kind, wanted[target][1], values)]
    return found + [f"{address} created" for address in wanted if address not in seen]


def _differences(kind: str, wanted: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[str]:
    schema = SCHEMAS[kind]
    for name in sorted({*wanted, *there} - {"lifecycle"}):
        if name not in schema:
            yield f"{name} is no argument"
            continue
        new, old, default = wanted.get(name), there.get(name), schema[name]
        if name not in wanted:
            if default is not COMPUTED and _shape(name, old) not in (_shape(name, default), *EMPTY):
                yield f"{name}: {old!r} removed"
        elif name in SCHEMAS and not isinstance(new, str):
            yield from _block_differences(name, _blocks(name, new), _blocks(name, old))
        elif _shape(name, new) != _shape(name, old) and not (new in EMPTY and old in EMPTY):
            yield f"{name}: {old!r} → {new!r}"


def _blocks(name: str, held: Any) -> list[Mapping[str, Any]]:
    blocks = [held] if isinstance(held, Mapping) else list(held or ())
    return sorted(blocks, key=lambda one: str(one.get("family", ""))) if name in SETS else blocks


def _block_differences(name: str, new: list[Any], old: list[Any]) -> Iterator[str]:
    if len(new) != len(old):
        yield f"{name}: {len(old)} → {len(new)}"
    for one, other in zip(new, old, strict=False):
        yield from (f"{name}.{change}" for change in _differences(name, one, other))


def _shape(name: str, value: Any) -> Any:
    """A value as the provider compares it."""
    if value in EMPTY:
        return None
    if name == "gc_rules":
        return _rule(json.loads(value))
    if name in ("row_key_schema", "type") and str(value).startswith("{"):
        return json.loads(value)
    if name in ("instance_name", "instance"):
        return str(value).rsplit("/", 1)[-1]
    return value


def _rule(rule: Mapping[str, Any]) -> Any:
    """A rule group by group, as the provider compares it: with its order, without units of time."""
    if "rules" in rule:
        inner = [_rule(one) for one in rule["rules"]]
        return [rule.get("mode", ""), inner] if len(inner) > 1 else inner[0]
    found = _meaning({"gc_rules": json.dumps({"rules": [rule]})})
    return found.ms if isinstance(found, gc.Age) else ("versions", int(rule["max_version"]))
