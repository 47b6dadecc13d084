"""Garbage collection as steps, up to which age a cell stays by how many newer ones there are, and as Bigtable takes it.

As the admin API takes it, a rule is a tree without `never` inside, with ages in milliseconds.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from .family import Gc, Intersection, MaxAge, MaxVersions, Never, Union

DAY_MS = 86_400_000


@dataclass(frozen=True)
class Policy:
    """A garbage-collection rule as steps: a cell not older than `ages[i]` stays while it is among the newest `caps[i]`.

    Every rule can be said so, because each only ever removes older cells and those with more newer ones.
    """

    ages: tuple[float, ...]
    """Ascending, the last is infinity. [day]"""
    caps: tuple[float, ...]
    """Not increasing; infinity is no limit, 0 is gone. [versions]"""

    @property
    def age_bound_days(self) -> float:
        """The age from which nothing is left; infinity if some cell stays for ever. [day]"""
        gone = [age for age, cap in zip((0.0, *self.ages), self.caps, strict=False) if cap == 0]
        return gone[0] if gone else math.inf

    @property
    def versions_bound(self) -> float:
        """Cells of one column that stay however old they are; infinity is all. [versions]"""
        return self.caps[-1]

    def shifted(self, days: float) -> "Policy":
        """Return what it keeps by the age of the write, where cells get timestamps so long after it.

        >>> Policy((1.0, math.inf), (math.inf, 0.0)).shifted(30)
        Policy(ages=(31.0, inf), caps=(inf, 0.0))
        """
        if days == 0:
            return self
        steps = [(age + days, cap) for age, cap in zip(self.ages, self.caps, strict=True) if age + days > 0]
        return Policy(tuple(age for age, _ in steps), tuple(cap for _, cap in steps))

    def cap_at(self, age_days: float) -> float:
        """Return the maximum number of newer cells, plus one, at which a cell of this age is kept.

        0 means that the cell is deleted. [versions]
        """
        return next(cap for until, cap in zip(self.ages, self.caps, strict=True) if age_days <= until)


KEEP_ALL = Policy((math.inf,), (math.inf,))


@lru_cache(maxsize=1024)
def policy(gc: Gc | None) -> Policy:
    """Return the steps of a rule tree; None keeps every cell.

    A union takes the stricter limit at every age, an intersection the milder one.

    >>> from designer.document.family import MaxAge, MaxVersions, Union
    >>> policy(Union(rules=(MaxVersions(versions=3), MaxAge(age_days=30))))
    Policy(ages=(30.0, inf), caps=(3.0, 0.0))
    """
    if gc is None:
        return KEEP_ALL
    ages = (*sorted({float(a) for a in _ages(gc)}), math.inf)
    caps = tuple(_cap(gc, age) for age in ages)
    # Steps at which nothing changes are left out: two rules that say the same have the same steps.
    steps = [i for i in range(len(ages)) if i == len(ages) - 1 or caps[i] != caps[i + 1]]
    return Policy(tuple(ages[i] for i in steps), tuple(caps[i] for i in steps))


def _ages(gc: Gc) -> list[float]:
    match gc:
        case MaxAge():
            return [gc.age_days]
        case Union() | Intersection():
            return [age for rule in gc.rules for age in _ages(rule)]
    return []


def _cap(gc: Gc, age: float) -> float:
    """Return the maximum number of newer cells, plus one, at which a cell of this age is kept."""
    match gc:
        case MaxVersions():
            return float(gc.versions)
        case MaxAge():
            return math.inf if age <= gc.age_days else 0.0
        case Never():
            return math.inf
        case Union():
            return min(_cap(rule, age) for rule in gc.rules)
        case Intersection():
            return max(_cap(rule, age) for rule in gc.rules)


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
