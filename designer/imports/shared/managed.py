"""Data of an element that only Terraform has: its resource's address and further arguments."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.terraform import parse_address
from designer.document.texts import N_

from . import gcrules
from .resource import INSTANCE, POLICY, PROFILE, TABLE, Resource, gc_rule, is_known, iterate_blocks
from .result import ImportRemark

EVERY = {"deletion_policy": "DELETE", "timeouts": None, "lifecycle": None}
KEPT: Mapping[str, Mapping[str, Any]] = {
    INSTANCE: {"force_destroy": False, "deletion_protection": True, "instance_type": "PRODUCTION", **EVERY},
    TABLE: EVERY,
    POLICY: {"ignore_warnings": False, **EVERY, "deletion_policy": None},
    PROFILE: {"ignore_warnings": False, **EVERY},
}
"""Arguments that are kept, with the value that Terraform has without them (the provider's source, read 2026-11-27)."""
BLOCKS = ("timeouts", "lifecycle")
LEGACY = ("mode", "max_age", "max_version")
"""How a policy said its rule before `gc_rules`: a plan replaces a policy whose file goes from one to the other."""


def managed_data(resource: Resource, remarks: list[ImportRemark]) -> dict[str, Any]:
    """Return the data of the field `terraform` of the element that a resource makes; empty if there is nothing."""
    arguments = dict(_arguments(resource, remarks))
    if resource.kind == POLICY:
        arguments |= _rule_arguments(resource)
    if resource.kind == TABLE and isinstance(schema := resource.values.get("row_key_schema"), str) and is_known(schema):
        arguments["row_key_schema"] = schema
    result: dict[str, Any] = {}
    if resource.address and parse_address(resource.address):
        result["address"] = resource.address
    if arguments:
        result["arguments"] = [{"name": name, "value": json.dumps(value)} for name, value in arguments.items()]
    return result


def family_type_data(value: Any) -> dict[str, Any]:
    """Return the same of a family whose value type no design has."""
    if not isinstance(value, str) or not is_known(value) or gcrules.family_kind(value) is not None:
        return {}
    return {"arguments": [{"name": "type", "value": json.dumps(value)}]}


def merge_managed(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return two such data as one."""
    arguments = [*first.get("arguments", ()), *second.get("arguments", ())]
    return {**first, **second, **({"arguments": arguments} if arguments else {})}


def _arguments(resource: Resource, remarks: list[ImportRemark]) -> Iterator[tuple[str, Any]]:
    for name, default in KEPT[resource.kind].items():
        value = resource.values.get(name)
        if name in BLOCKS:
            value = _block(next(iterate_blocks(resource.values, name), None))
        # A state tells every argument; what is as without it need not be kept.
        if value in (None, "", default):
            continue
        if is_plain(value):
            yield name, value
        else:
            message = N_("{key} is an expression whose value is not in the text: {value}")
            remarks.append(ImportRemark(resource.where, message, {"key": name, "value": str(value)[:80]}))


def _block(block: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a block without what it leaves open; what changes are ignored of is named, not computed."""
    values = {name: value for name, value in (block or {}).items() if value not in (None, "", [])}
    ignored = values.get("ignore_changes")
    if isinstance(ignored, list):
        values["ignore_changes"] = [str(attribute) for attribute in ignored]
    elif ignored is not None:
        values["ignore_changes"] = str(ignored)
    return values or None


def _rule_arguments(resource: Resource) -> dict[str, Any]:
    """Return the arguments of a rule that `gc_rules` made of the rule alone would not repeat."""
    values = resource.values
    legacy = {name: values[name] for name in LEGACY if values.get(name) not in (None, "", [])}
    # The old form has to stay, or a plan would replace the policy, instead of leaving it alone (decision 61).
    if legacy:
        return legacy if all(map(is_plain, legacy.values())) else {}
    rules = values.get("gc_rules")
    if not isinstance(rules, str) or not is_known(rules):
        return {}
    try:
        rule = gc_rule(values)
        parsed = json.loads(rules)
    except (gcrules.InvalidRuleError, ValueError, TypeError, KeyError, AttributeError):
        return {}
    # A simple rule is written the same way again; of a nested one the provider compares the text.
    return {"gc_rules": rules} if rule and _is_nested(parsed) else {}


def _is_nested(rule: Mapping[str, Any]) -> bool:
    return any(isinstance(inner, Mapping) and "rules" in inner for inner in rule.get("rules", ()))


def is_plain(value: Any) -> bool:
    """Return whether a value has no expression in it."""
    if isinstance(value, Mapping):
        return all(map(is_plain, value.values()))
    return all(map(is_plain, value)) if isinstance(value, list) else is_known(value)
