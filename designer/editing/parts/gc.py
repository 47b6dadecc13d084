"""Garbage collection as a tree that is edited: rules are added, taken away, grouped and given back, as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Rule = dict[str, Any]

GROUPS = ("union", "intersection")
LEAVES: Mapping[str, Rule] = {
    "max_age": {"kind": "max_age", "age_days": 30},
    "max_versions": {"kind": "max_versions", "versions": 3},
    "never": {"kind": "never"},
}
"""Where a new rule starts from: plain examples, to be changed."""


def settled(value: Rule | None, was: Rule | None, inputs: Mapping[str, Sequence[str]]) -> Rule | None:
    """Return the chosen rule with the values of the previous rule.

    A change of kind keeps every number that still fits.
    """
    return _settled(value, was)


def _settled(value: Rule | None, was: Rule | None) -> Rule | None:
    if value is None or was is None:
        return value
    if value["kind"] == was.get("kind"):
        if value["kind"] in GROUPS and len(value["rules"]) == len(was["rules"]):
            pairs = zip(value["rules"], was["rules"], strict=True)
            return value | {"rules": [_settled(rule, before) for rule, before in pairs]}
        return value
    if value["kind"] in GROUPS:
        held = value["rules"] if was["kind"] in GROUPS else [dict(was), _other([was])]
        return value | {"rules": held}
    return next((dict(leaf) for leaf in _leaves(was) if leaf["kind"] == value["kind"]), _first(value))


def _first(value: Rule) -> Rule:
    return dict(LEAVES[value["kind"]])


def _leaves(rule: Rule) -> Iterator[Rule]:
    if rule.get("kind") in GROUPS:
        for inner in rule["rules"]:
            yield from _leaves(inner)
    else:
        yield rule


def _other(rules: Sequence[Rule]) -> Rule:
    """Build a new rule beside these, of the kind that is not present yet."""
    here = {rule["kind"] for rule in rules}
    return dict(LEAVES["max_versions" if "max_age" in here and "max_versions" not in here else "max_age"])


def asked(value: Rule | None, do: str) -> Rule | None:
    """Return the tree after an action.

    The action is `add PATH`, `remove PATH`, `group PATH`, `ungroup PATH` or `keep age|versions|both|all`. A
    path is `rules.1.rules.0`, empty for the whole tree. A path that no longer exists, because of somebody
    else's change, changes nothing.
    """
    what, _, path = do.partition(" ")
    if what == "keep":
        return _kept(value, path)
    if value is None:
        return None
    steps = [int(step) for step in path.split(".") if step.isdigit()]
    try:
        return _changed(value, steps, what)
    except (IndexError, KeyError):
        return value


def _changed(rule: Rule, steps: Sequence[int], what: str) -> Rule:
    if len(steps) == 1 and what == "group":
        held = list(rule["rules"])
        held[steps[0]] = _group(held[steps[0]], "intersection" if rule["kind"] == "union" else "union")
        return rule | {"rules": held}
    if len(steps) > 1 or (steps and what == "add"):
        held = list(rule["rules"])
        held[steps[0]] = _changed(held[steps[0]], steps[1:], what)
        return rule | {"rules": held}
    if what == "add":
        return rule | {"rules": [*rule["rules"], _other(rule["rules"])]}
    if what == "group":
        return _group(rule, "union")
    if what == "ungroup" and not steps:
        return dict(rule["rules"][0])
    held = list(rule["rules"])
    if what == "ungroup":
        held[steps[0] : steps[0] + 1] = held[steps[0]]["rules"]
    elif what == "remove" and steps:
        del held[steps[0]]
    return held[0] if len(held) == 1 else rule | {"rules": held}  # a group of one says what its rule says


def _group(rule: Rule, kind: str) -> Rule:
    return {"kind": kind, "rules": [rule, _other([rule])]}


PRESETS: Mapping[str, tuple[str, ...]] = {
    "age": ("max_age",), "versions": ("max_versions",), "both": ("max_age", "max_versions"), "all": ("never",),
}  # fmt: skip


def _kept(value: Rule | None, preset: str) -> Rule | None:
    """Return a common policy with the numbers of the current one."""
    if preset not in PRESETS:
        return value
    before = list(_leaves(value)) if value else []
    rules = [
        next((dict(leaf) for leaf in before if leaf["kind"] == kind), dict(LEAVES[kind])) for kind in PRESETS[preset]
    ]
    return rules[0] if len(rules) == 1 else {"kind": "union", "rules": rules}
