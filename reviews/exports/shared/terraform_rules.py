"""A garbage-collection rule as the provider's arguments say it, in the form that a state has where there is one."""

from collections.abc import Mapping
from typing import Any

from designer.document.family import Family
from designer.document.terraform import Terraform
from designer.document.texts import N_
from designer.imports.shared.resource import gc_rule, iterate_blocks

from . import gc
from .bigtable import PlannedFamily
from .hcl import HclBlock, UnquotedText, value
from .result import ExportRemarks

_HOUR_MS = 3_600_000


def set_rule(block: HclBlock, family: PlannedFamily, remarks: ExportRemarks) -> None:
    """Write the rule of a family: as the design keeps it, as long as that means the same."""
    spelled = _kept_rule(family.family.terraform)
    if spelled and _meaning(spelled) == family.rule:
        for name, setting in spelled.items():
            _set_rule_part(block, name, setting)
    elif family.rule is not None:
        block.set("gc_rules", UnquotedText(f"jsonencode({value(top_rule(family.rule))})"))
        if spelled and "gc_rules" not in spelled:
            remarks.note(family.family.id, N_("the rule changed its form: Terraform replaces the policy"))


def _meaning(arguments: Mapping[str, Any]) -> gc.Rule | None:
    return gc.rule_of(Family.model_validate({"id": "f", "gc": gc_rule(arguments)}).gc)


def _kept_rule(managed: Terraform | None) -> Mapping[str, Any]:
    """Return the kept arguments of a policy's rule; empty if they are none that are understood."""
    names = ("gc_rules", "mode", "max_age", "max_version")
    arguments = {name: argument for name in names if managed and (argument := managed.argument(name)) is not None}
    try:
        return arguments if arguments and gc_rule(arguments) else {}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def _set_rule_part(block: HclBlock, name: str, setting: Any) -> None:
    if name in ("gc_rules", "mode"):
        block.set(name, str(setting))
        return
    for rule_part in iterate_blocks({name: setting}, name):
        inner = block.add_block(HclBlock(name))
        for key in ("days", "duration", "number"):
            if rule_part.get(key) not in (None, "", 0):  # what a state has where nothing is set
                inner.set(key, rule_part[key] if isinstance(rule_part[key], int | str) else str(rule_part[key]))
                if name == "max_age":
                    break  # the provider takes one of both, and has both in its state


def top_rule(rule: gc.Rule) -> Mapping[str, Any]:
    """Return a rule in the form of the provider's `gc_rules`: a list, and a mode if there are several."""
    data = nested_rule(rule)
    return data if "rules" in data else {"rules": [data]}


def nested_rule(rule: gc.Rule) -> Mapping[str, Any]:
    """Return a rule inside another rule.

    Its mode is in lower case, as the provider requires here.
    """
    match rule:
        case gc.Age(ms):
            return {"max_age": duration(ms)}
        case gc.Versions(count):
            return {"max_version": count}
    return {"mode": "union" if isinstance(rule, gc.AnyOf) else "intersection", "rules": [*map(nested_rule, rule.rules)]}


def duration(ms: int) -> str:
    """Return a duration in Go's form, in hours if it is a whole number of hours."""
    if ms % _HOUR_MS == 0:
        return f"{ms // _HOUR_MS}h"
    return f"{ms // 1000}s" if ms % 1000 == 0 else f"{ms}ms"
