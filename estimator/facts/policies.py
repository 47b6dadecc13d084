"""Garbage-collection policies as the rules that make them, and in words."""

import math

from designer.document.family import Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.texts import N_, Text
from estimator.kernels.growth.collection import Policy

NEWEST = N_("the newest version")
VERSIONS = N_("{count} versions")
AGE = "{age_days}"
EITHER = N_("{versions} and everything within {age_days}")
BOTH = N_("{versions} within {age_days}")
ALL = N_("everything")


def collection_rule(steps: Policy) -> Gc | None:
    """Return the rule that collects so; None if it collects nothing, or not as one age and one count.

    >>> collection_rule(Policy((30.0, math.inf), (3.0, 0.0)))
    Union(kind='union', rules=(MaxVersions(kind='max_versions', versions=3), MaxAge(kind='max_age', age_days=30.0)))
    """
    merged = simplify(steps)
    match merged.caps:
        case (count,) if math.isfinite(count):
            return MaxVersions(versions=int(count))
        case (count, 0.0) if math.isfinite(count):
            return Union(rules=(MaxVersions(versions=int(count)), MaxAge(age_days=merged.ages[0])))
        case (_, 0.0):
            return MaxAge(age_days=merged.ages[0])
        case (young, old) if math.isinf(young):
            return Intersection(rules=(MaxVersions(versions=int(old)), MaxAge(age_days=merged.ages[0])))
    return None


def describe_policy(steps: Policy) -> Text:
    """Return a description of how much a policy keeps: a number of versions, a time, or both."""
    merged = simplify(steps)
    match merged.caps:
        case (count,) if math.isfinite(count):
            return _versions(count)
        case (count, 0.0) if math.isfinite(count):
            return Text(BOTH, {"versions": _versions(count), "age_days": merged.ages[0]})
        case (_, 0.0):
            return Text(AGE, {"age_days": merged.ages[0]})
        case (young, old) if math.isinf(young):
            return Text(EITHER, {"versions": _versions(old), "age_days": merged.ages[0]})
    return Text(ALL)


def _versions(count: float) -> Text:
    return Text(NEWEST) if count == 1 else Text(VERSIONS, {"count": int(count)})


def simplify(steps: Policy) -> Policy:
    """Return the policy without steps that change nothing."""
    last = len(steps.ages) - 1
    places = [i for i in range(last + 1) if i == last or steps.caps[i] != steps.caps[i + 1]]
    return Policy(tuple(steps.ages[i] for i in places), tuple(steps.caps[i] for i in places))
