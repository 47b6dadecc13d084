"""Garbage collection as a tree that is edited, and how long cells stay by it."""

import math

import pytest

from designer.document.family import Intersection, MaxAge, MaxVersions, Never, Union
from designer.editing.parts.gc import apply_action, read_value
from designer.editing.parts.survival import LAG_DAYS, Lane, lanes, timeline

AGE, VERSIONS = {"kind": "max_age", "age_days": 45}, {"kind": "max_versions", "versions": 2}
EITHER = {"kind": "union", "rules": [AGE, VERSIONS]}


def test_a_rule_is_grouped_with_a_new_one_of_the_other_kind() -> None:
    assert apply_action(AGE, "group ") == {"kind": "union", "rules": [AGE, {"kind": "max_versions", "versions": 3}]}


def test_a_group_inside_any_of_begins_as_all_of() -> None:
    grouped = apply_action(EITHER, "group rules.1")

    inner = {"kind": "intersection", "rules": [VERSIONS, {"kind": "max_age", "age_days": 30}]}
    assert grouped == {"kind": "union", "rules": [AGE, inner]}
    assert apply_action(grouped, "ungroup rules.1") == {"kind": "union", "rules": [AGE, *inner["rules"]]}


def test_a_group_that_one_rule_is_left_in_becomes_that_rule() -> None:
    assert apply_action(EITHER, "remove rules.0") == VERSIONS
    assert apply_action({"kind": "intersection", "rules": [EITHER, AGE]}, "remove rules.0.rules.1") == {
        "kind": "intersection",
        "rules": [AGE, AGE],
    }


@pytest.mark.parametrize("do", ["remove rules.7", "add rules.0", "ungroup rules.0", "remove ", "dance rules.0"])
def test_a_button_for_what_is_gone_changes_nothing(do: str) -> None:
    assert apply_action(EITHER, do) == EITHER


def test_a_preset_takes_over_the_numbers_that_were_there() -> None:
    assert apply_action(AGE, "keep both") == {"kind": "union", "rules": [AGE, {"kind": "max_versions", "versions": 3}]}
    assert apply_action(EITHER, "keep versions") == VERSIONS
    assert apply_action(None, "keep all") == {"kind": "never"}


def test_another_kind_loses_no_number_that_still_fits() -> None:
    fresh = {"kind": "intersection", "rules": [{"kind": "max_age", "age_days": 30}]}

    assert read_value(EITHER | {"kind": "intersection"}, EITHER, {}) == EITHER | {"kind": "intersection"}
    assert read_value(fresh, AGE, {})["rules"][0] == AGE  # type: ignore[index]
    assert read_value({"kind": "max_versions", "versions": 1}, EITHER, {}) == VERSIONS
    nested = {"kind": "union", "rules": [{"kind": "max_versions", "versions": 1}, VERSIONS]}
    assert read_value(nested, EITHER, {}) == {
        "kind": "union",
        "rules": [{"kind": "max_versions", "versions": 3}, VERSIONS],
    }


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        (None, [Lane(1, None, math.inf)]),
        (Never(), [Lane(1, None, math.inf)]),
        (MaxAge(age_days=30), [Lane(1, None, 30.0)]),
        (MaxVersions(versions=3), [Lane(1, 3, math.inf), Lane(4, None, 0.0)]),
        (Intersection(rules=(MaxAge(age_days=30), MaxVersions(versions=3))), [Lane(1, 3, math.inf), Lane(4, None, 30)]),
        (
            Union(rules=(MaxAge(age_days=90), Intersection(rules=(MaxAge(age_days=30), MaxVersions(versions=1))))),
            [Lane(1, 1, 90.0), Lane(2, None, 30.0)],
        ),
    ],
)
def test_cells_stay_as_long_as_the_rule_says(rule: object, shown: list[Lane]) -> None:
    assert list(lanes(rule)) == shown  # type: ignore[arg-type]


def test_what_is_given_up_waits_up_to_a_week_in_the_picture() -> None:
    kept, pushed_out = timeline(Union(rules=(MaxAge(age_days=33), MaxVersions(versions=3)))).bars

    assert (kept.kept_share, kept.waiting_share) == pytest.approx((33 / 50, 7 / 50))
    assert (pushed_out.kept_share, pushed_out.waiting_share) == pytest.approx((0, LAG_DAYS / 50))
    assert timeline(MaxVersions(versions=3)).bars[0].kept_share == 1
    assert timeline(MaxVersions(versions=3)).bars[0].waiting_share == 0
