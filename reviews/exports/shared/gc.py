"""Garbage-collection rules as targets know them, and their limits."""

from collections.abc import Iterator
from typing import Any

from designer.document.collection import DAY_MS, Age, AllOf, AnyOf, Rule, Versions, rule_of, size_bytes
from designer.document.family import Gc, Intersection, MaxAge, Union
from designer.document.texts import N_
from estimator.engines import bigtable

__all__ = [
    "DAY_MS", "Age", "AllOf", "AnyOf", "Rule", "Versions", "find_inexact_age", "leaves", "rejection_reason", "rule_of",
    "size_bytes",
]  # fmt: skip

MOST_BYTES = int(bigtable.LIMITS["gc_rule_bytes"].value)
MOST_VERSIONS = 2**31 - 1
MOST_AGE_MS = (2**63 - 1) // 10**6
"""What Go's durations hold, which cbt and the Terraform provider read ages into: about 292 years."""


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
