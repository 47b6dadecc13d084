"""Garbage collection as targets know it: a rule tree without `never` inside, ages in milliseconds, and its limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document.family import Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.texts import N_

DAY_MS = 86_400_000
MOST_BYTES = 500
"""A family's rule, serialised (Bigtable admin API, read 2026-11-20)."""
MOST_VERSIONS = 2**31 - 1
MOST_AGE_MS = (2**63 - 1) // 10**6
"""What Go's durations hold, which cbt and the Terraform provider read ages into: about 292 years."""


@dataclass(frozen=True)
class Age:
    """Maximum age of a cell in milliseconds; older cells are deleted."""

    ms: int


@dataclass(frozen=True)
class Versions:
    """A cell goes when it is not among the newest so many."""

    count: int


@dataclass(frozen=True)
class AnyOf:
    """A cell goes when any of these says so."""

    rules: "tuple[Rule, ...]"


@dataclass(frozen=True)
class AllOf:
    """A cell goes when all of these say so."""

    rules: "tuple[Rule, ...]"


Rule = Age | Versions | AnyOf | AllOf


def rule_of(gc: Gc | None) -> Rule | None:
    """Return the rule without `never`, groups of one and nested groups of the same kind.

    None keeps all. In a union `never` has no effect, and an intersection with it never collects. Repeated rules
    are removed.
    """
    match gc:
        case MaxAge():
            return Age(round(gc.age_days * DAY_MS))
        case MaxVersions():
            return Versions(gc.versions)
        case Union():
            return _group(AnyOf, [rule for rule in map(rule_of, gc.rules) if rule is not None])
        case Intersection():
            rules = [rule_of(rule) for rule in gc.rules]
            return None if None in rules else _group(AllOf, [rule for rule in rules if rule is not None])
    return None


def _group(kind: type[AnyOf] | type[AllOf], rules: list[Rule]) -> Rule | None:
    flat = dict.fromkeys(inner for rule in rules for inner in (rule.rules if isinstance(rule, kind) else (rule,)))
    return kind(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def size_bytes(rule: Rule) -> int:
    """Return the size of the rule as the admin API's GcRule message, in bytes."""
    match rule:
        case Versions(count):
            return 1 + _varint(count)  # the tag, of one byte, and the number
        case Age(ms):
            seconds, nanos = ms // 1000, ms % 1000 * 10**6
            # Zeros are left out.
            inner = (1 + _varint(seconds) if seconds else 0) + (1 + _varint(nanos) if nanos else 0)
            return 1 + _varint(inner) + inner
    inner = sum(1 + _varint(size_bytes(rule)) + size_bytes(rule) for rule in rule.rules)
    return 1 + _varint(inner) + inner


def _varint(number: int) -> int:
    return max((number.bit_length() + 6) // 7, 1)


def leaves(rule: Rule) -> Iterator[Age | Versions]:
    """Yield the ages and versions in a rule."""
    if isinstance(rule, Age | Versions):
        yield rule
    else:
        for inner in rule.rules:
            yield from leaves(inner)


def find_inexact_age(gc: Gc | None) -> MaxAge | None:
    """Return an age in the rule that is not a whole number of milliseconds, which no target can express."""
    if isinstance(gc, MaxAge):
        ms = gc.age_days * DAY_MS
        # Days are seldom exact in milliseconds as floats.
        return gc if round(ms) < 1 or abs(ms - round(ms)) > 1e-9 * ms else None
    inner = gc.rules if isinstance(gc, Union | Intersection) else ()
    return next((age for age in map(find_inexact_age, inner) if age), None)


def rejection_reason(gc: Gc | None) -> tuple[str, dict[str, Any]] | None:
    """Return the reason why Bigtable rejects the rule, as a message with parameters, or None."""
    if bad := find_inexact_age(gc):
        return N_("the age {age_days} is not a whole number of milliseconds"), {"age_days": bad.age_days}
    rule = rule_of(gc)
    if rule is None:
        return None
    for leaf in leaves(rule):
        if isinstance(leaf, Versions) and leaf.count > MOST_VERSIONS:
            return N_("{count} versions exceed the maximum of {most}"), {
                "count": leaf.count,
                "most": MOST_VERSIONS,
            }
        if isinstance(leaf, Age) and leaf.ms > MOST_AGE_MS:
            return N_("the age {age_days} exceeds 292 years, the maximum of the tools"), {"age_days": leaf.ms / DAY_MS}
    if size_bytes(rule) > MOST_BYTES:
        return N_("the garbage-collection rule has {rule_bytes}; Bigtable accepts at most {most_bytes}"), {
            "rule_bytes": size_bytes(rule),
            "most_bytes": MOST_BYTES,
        }
    return None
