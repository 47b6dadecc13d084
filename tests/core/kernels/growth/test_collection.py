"""Garbage collection against sums that can be done by hand, and against playing the versions one by one."""

import math

import numpy as np
import pytest

from designer.document.family import Intersection, MaxAge, MaxVersions, Needed, Never, Union
from estimator.kernels.growth.collection import (
    Policy,
    kept_in_full_rows,
    kept_versions,
    policy,
    readers_policy,
    stricter_policy,
)
from tests.cases import cases

THREE, MONTH = MaxVersions(versions=3), MaxAge(age_days=30)


@cases(
    "gc, ages, caps",
    [
        (None, (math.inf,), (math.inf,)),
        (Never(), (math.inf,), (math.inf,)),
        (THREE, (math.inf,), (3,)),
        (MONTH, (30, math.inf), (math.inf, 0)),
        (Union(rules=(THREE, MONTH)), (30, math.inf), (3, 0)),
        (Intersection(rules=(THREE, MONTH)), (30, math.inf), (math.inf, 3)),
        (Union(rules=(MaxAge(age_days=90), Intersection(rules=(THREE, MONTH)))), (30, 90, math.inf), (math.inf, 3, 0)),
        (Intersection(rules=(Never(), MONTH)), (math.inf,), (math.inf,)),
    ],
)
def test_a_rule_tree_becomes_steps(gc, ages, caps):
    assert policy(gc) == Policy(tuple(map(float, ages)), tuple(map(float, caps)))


def test_union_is_any_and_intersection_is_all():
    assert policy(Union(rules=(THREE, MONTH))).age_bound_days == 30
    assert policy(Intersection(rules=(THREE, MONTH))).age_bound_days == math.inf
    assert policy(Union(rules=(THREE, MONTH))).versions_bound == 0
    assert policy(Intersection(rules=(THREE, MONTH))).versions_bound == 3


def survivors(gc, ages_days):
    """Versions left of cells of these ages, newest first: the rule applied cell by cell."""

    def gone(rule, place, age):
        match rule:
            case MaxVersions():
                return place >= rule.versions
            case MaxAge():
                return age > rule.age_days
            case Never():
                return False
            case Union():
                return any(gone(r, place, age) for r in rule.rules)
            case Intersection():
                return all(gone(r, place, age) for r in rule.rules)

    return sum(not gone(gc, place, age) for place, age in enumerate(sorted(ages_days)))


TREES = [
    THREE,
    MONTH,
    Union(rules=(THREE, MONTH)),
    Intersection(rules=(THREE, MONTH)),
    Union(rules=(MaxAge(age_days=60), Intersection(rules=(MaxVersions(versions=2), MaxAge(age_days=5))))),
    Intersection(rules=(MaxVersions(versions=1), Union(rules=(MaxAge(age_days=10), MaxVersions(versions=40))))),
]


@pytest.mark.parametrize("gc", TREES)
@pytest.mark.parametrize("per_day", [0.02, 0.3, 1.0])
def test_kept_versions_are_the_mean_of_versions_played_one_by_one(gc, per_day):
    rng, days, tries = np.random.default_rng(7), 90.0, 600
    counts = rng.poisson(per_day * days, tries)
    played = np.array([survivors(gc, rng.uniform(0, days, n)) for n in counts], dtype=float)
    steps = policy(gc)

    kept = kept_versions(per_day * np.minimum(np.array(steps.ages), days), steps)

    assert float(kept) == pytest.approx(
        played.mean(), abs=4 * played.std() / math.sqrt(tries) + 0.01 * played.mean() + 1e-3
    )


def test_even_writes_are_counted_not_averaged():
    assert kept_versions(np.array([10_080.0]), policy(MaxVersions(versions=5_000)), regular=True) == 5_000
    assert kept_versions(np.array([10_080.0]), policy(None), regular=True) == 10_080


def test_rows_that_are_full_keep_up_to_the_cap_each():
    younger, per_row = np.array([[100.0]]), np.array([20.0])

    # Four full rows and, on average, two halves of a fifth and a sixth.
    assert kept_in_full_rows(younger, per_row, policy(MaxVersions(versions=4)))[0] == pytest.approx(
        4 * 4 + 2 * 3.6, rel=1e-2
    )
    assert kept_in_full_rows(younger, per_row, policy(None))[0] == 100


def test_surplus_is_only_what_is_beyond_both_versions_and_age():
    needed = readers_policy(Needed(versions=2, age_days=7))

    assert needed == Policy((7.0, math.inf), (math.inf, 2.0))
    assert stricter_policy(policy(THREE), needed) == Policy((7.0, math.inf), (3.0, 2.0))
    assert readers_policy(Needed(forever=True)) == readers_policy(None) == policy(None)
