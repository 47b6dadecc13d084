"""Buttons of forms: what they add is accepted by the document, what is added is removed, another action is refused."""

import copy
from typing import Any

import pytest

from designer.document import Spec
from designer.document.edits import Set, apply
from designer.document.load import from_data
from designer.editing import forms
from designer.examples import example, examples
from tests.cases import cases

SLUGS = [one.slug for one in examples()]


def controls(spec: Spec) -> list[tuple[str, forms.Control]]:
    return [(at, control) for at in ("", *spec.by_id) for control in forms.controls(spec, at)]


@cases("slug", SLUGS)
def test_an_added_item_is_accepted_by_the_document_and_removed_again(slug: str) -> None:
    spec = example(slug).spec
    for at, control in controls(spec):
        if not control.of_parts or control.editor:
            continue
        item = forms.initial_item(spec, at, control.field, control.value or ())
        if item is None or None in item.values():
            continue  # there is nothing that it could refer to
        longer = forms.reshape(copy.deepcopy(control.value), "add", item)
        edit = Set(at=at, name=control.field, value=longer, was=control.value)
        changed, inverse = apply(spec, edit)
        assert len(forms.control(changed, at, control.field).inside) == len(control.inside) + 1
        assert apply(changed, inverse)[0] == spec


@cases("slug", SLUGS)
def test_a_missing_part_begins_with_values_that_the_document_accepts(slug: str) -> None:
    spec = example(slug).spec
    for at, control in controls(spec):
        if control.kind != "part" or control.value is not None or control.editor or len(control.options) > 1:
            continue
        part = forms.initial_part(spec, at, control.field)
        assert (part is None) == control.lacks_target
        if part is None:
            continue
        changed, inverse = apply(spec, Set(at=at, name=control.field, value=part, was=None))
        assert forms.control(changed, at, control.field).value is not None
        assert apply(changed, inverse)[0] == spec


@pytest.mark.parametrize(
    ("others", "offered"),
    [((), False), (({},), True), (({"derived_from": {"table": "t", "how": "dual_write"}},), False)],
)
def test_a_source_of_a_table_is_offered_where_another_table_can_be_it(others: tuple[Any, ...], offered: bool) -> None:
    tables = [{"id": "t", "name": "t"}, *({"id": "u", "name": "u", **more} for more in others)]
    spec = from_data({"tables": tables})

    assert forms.control(spec, "t", "derived_from").lacks_target != offered
    assert (forms.initial_part(spec, "t", "derived_from") is not None) == offered


@cases("action", [
        "remove 0", "remove -1", "remove x", "remove rules.9", "remove rules.-1", "remove rules.0.age_days",
        "add rules.x", "add nothing", "add rules.0.nothing", "add kind", "remove rules.1e0", "remove rules.\u0661",
    ])  # fmt: skip
def test_an_action_without_a_place_in_the_value_is_refused(action: str) -> None:
    value = {"kind": "any_of", "rules": [{"kind": "max_age", "age_days": 30}]}

    with pytest.raises(forms.InvalidActionError):
        forms.reshape(copy.deepcopy(value), action)


@pytest.mark.parametrize("action", ["", "add", "remove", "open rules", "Remove rules.0"])
def test_an_action_that_no_button_has_changes_nothing(action: str) -> None:
    value = {"rules": [{"kind": "max_age", "age_days": 30}]}

    assert forms.reshape(copy.deepcopy(value), action) == value


@pytest.mark.parametrize("items", [[], [{"a": 1}], [{"a": 1}, {"b": 2}]])
def test_a_new_item_is_like_the_last_one_and_goes_alone(items: list[dict[str, Any]]) -> None:
    added = forms.reshape({"rules": copy.deepcopy(items)}, "add rules")

    assert added["rules"][:-1] == items
    assert added["rules"][-1] == (items[-1] if items else {"kind": "max_age", "age_days": 30})
    assert forms.reshape(added, f"remove rules.{len(items)}") == {"rules": items}


def test_cleared_is_not_set() -> None:
    assert forms.reshape({"kind": "max_age", "age_days": 30}, "clear") is None


@cases(
    "value, structure",
    [
        (None, None),
        (5, None),
        ([], []),
        ([1, "a"], []),
        ([{"kind": "a", "x": 1}, {"kind": "b"}], [{"kind": "a"}, {"kind": "b"}]),
        ({"kind": "a", "x": 1}, {"kind": "a"}),
        ({"kind": "a", "inner": {"kind": "b", "y": 2}}, {"kind": "a", "inner": {"kind": "b"}}),
        ({"kind": "a", "hours": [1, 2]}, {"kind": "a"}),
    ],
)
def test_the_structure_of_a_value_is_its_kinds_and_numbers_of_parts(value: Any, structure: Any) -> None:
    assert forms.value_structure(value) == structure


@cases("slug", SLUGS)
def test_the_structure_changes_with_a_part_and_not_with_a_figure(slug: str) -> None:
    for _, control in controls(example(slug).spec):
        value = control.value
        if isinstance(value, dict):
            figures = {name: held + 1 if type(held) in (int, float) else held for name, held in value.items()}
            assert forms.value_structure(figures) == forms.value_structure(value)
        if control.of_parts and value:
            assert forms.value_structure(value[:-1]) != forms.value_structure(value)
