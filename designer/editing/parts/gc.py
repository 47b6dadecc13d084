"""Garbage collection as a tree that is edited: rules are added, taken away, grouped and given back, as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from designer.document.integers import parse_integer

Rule = dict[str, Any]

GROUPS = ("union", "intersection")
LEAVES: Mapping[str, Rule] = {
    "max_age": {"kind": "max_age", "age_days": 30},
    "max_versions": {"kind": "max_versions", "versions": 3},
    "never": {"kind": "never"},
}
"""Where a new rule starts from: plain examples, to be changed."""


def read_value(value: Rule | None, previous: Rule | None, inputs: Mapping[str, Sequence[str]]) -> Rule | None:
    """Return the chosen rule with the values of the previous rule.

    A change of kind keeps every number that still fits.
    """
    return _read_rule(value, previous)


def _read_rule(value: Rule | None, previous: Rule | None) -> Rule | None:
    if value is None or previous is None:
        return value
    if value["kind"] == previous.get("kind"):
        # With another number of rules, it is not known which of them was which.
        if value["kind"] in GROUPS and len(value["rules"]) == len(previous["rules"]):
            pairs = zip(value["rules"], previous["rules"], strict=True)
            return value | {"rules": [_read_rule(rule, before) for rule, before in pairs]}
        return value
    if value["kind"] in GROUPS:
        rules = value["rules"] if previous["kind"] in GROUPS else [dict(previous), _missing_rule([previous])]
        return value | {"rules": rules}
    # Somebody who tries another kind and comes back finds their number again.
    return next((dict(leaf) for leaf in _leaves(previous) if leaf["kind"] == value["kind"]), _initial_rule(value))


def _initial_rule(value: Rule) -> Rule:
    return dict(LEAVES[value["kind"]])


def _leaves(rule: Rule) -> Iterator[Rule]:
    if rule.get("kind") in GROUPS:
        for inner in rule["rules"]:
            yield from _leaves(inner)
    else:
        yield rule


def _missing_rule(rules: Sequence[Rule]) -> Rule:
    """Build a new rule beside these, of the kind that is not present yet."""
    here = {rule["kind"] for rule in rules}
    return dict(LEAVES["max_versions" if "max_age" in here and "max_versions" not in here else "max_age"])


def apply_action(value: Rule | None, action: str) -> Rule | None:
    """Return the tree after an action.

    The action is `add PATH`, `remove PATH`, `group PATH`, `ungroup PATH` or `keep age|versions|both|all`. A
    path is `rules.1.rules.0`, empty for the whole tree. A path that no longer exists, because of somebody
    else's change, changes nothing.
    """
    what, _, path = action.partition(" ")
    if what == "keep":
        return _adapt_preset(value, path)
    if value is None:
        return None
    steps = [place for step in path.split(".") if (place := parse_integer(step)) is not None]
    try:
        return _change_rule(value, steps, what)
    except (IndexError, KeyError):
        return value


def _change_rule(rule: Rule, steps: Sequence[int], change: str) -> Rule:
    if len(steps) == 1 and change == "group":
        rules = list(rule["rules"])
        rules[steps[0]] = _group(rules[steps[0]], "intersection" if rule["kind"] == "union" else "union")
        return rule | {"rules": rules}
    if len(steps) > 1 or (steps and change == "add"):
        rules = list(rule["rules"])
        rules[steps[0]] = _change_rule(rules[steps[0]], steps[1:], change)
        return rule | {"rules": rules}
    if change == "add":
        # The kind that is not there yet: two ages in one group say no more than one.
        return rule | {"rules": [*rule["rules"], _missing_rule(rule["rules"])]}
    if change == "group":
        return _group(rule, "union")
    if change == "ungroup" and not steps:
        return dict(rule["rules"][0])
    rules = list(rule["rules"])
    if change == "ungroup":
        rules[steps[0] : steps[0] + 1] = rules[steps[0]]["rules"]
    elif change == "remove" and steps:
        del rules[steps[0]]
    return rules[0] if len(rules) == 1 else rule | {"rules": rules}  # a group of one says what its rule says


def _group(rule: Rule, kind: str) -> Rule:
    return {"kind": kind, "rules": [rule, _missing_rule([rule])]}


PRESETS: Mapping[str, tuple[str, ...]] = {
    "age": ("max_age",), "versions": ("max_versions",), "both": ("max_age", "max_versions"), "all": ("never",),
}  # fmt: skip


def _adapt_preset(value: Rule | None, preset: str) -> Rule | None:
    """Return a common policy with the numbers of the current one."""
    if preset not in PRESETS:
        return value
    before = list(_leaves(value)) if value else []
    rules = [
        next((dict(leaf) for leaf in before if leaf["kind"] == kind), dict(LEAVES[kind])) for kind in PRESETS[preset]
    ]
    return rules[0] if len(rules) == 1 else {"kind": "union", "rules": rules}
