"""Garbage-collection rules as Bigtable's admin API takes them: a tree without `never` inside, ages in milliseconds."""

from dataclasses import dataclass

from .family import Gc, Intersection, MaxAge, MaxVersions, Union

DAY_MS = 86_400_000


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
