"""The JSON Schema: what it lets through, what not, and what it tells an editor."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from designer.document import dump, load
from designer.document.base import Element
from designer.document.references import POINTERS
from designer.document.schema import classes, schema, text
from designer.examples import examples


@pytest.fixture(scope="module")
def parts() -> dict[str, Any]:
    """The schema of every class by its name."""
    made = schema()
    return {**made["$defs"], "Spec": made}


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    made = schema()
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(made)


def design(**parts: Any) -> dict[str, Any]:
    return {"format": 1, **parts}


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.slug)
def test_every_example_is_valid(validator: Draft202012Validator, example: Any) -> None:
    assert [error.message for error in validator.iter_errors(json.loads(dump(example.spec)))] == []


@pytest.mark.parametrize(
    "unfinished",
    [
        {},
        {"tables": [{}]},
        {"fields": [{"name": "device", "distinct": None, "values": None, "kind": None}]},
        {"fields": [{"name": "trip", "distinct": 1e15}]},
        {"instance": {"prices": [{"sku": "node", "usd": 0.65}, {"sku": "ssd", "usd": "0.17"}]}},
    ],
)
def test_what_loads_though_it_is_unfinished_is_valid(validator: Draft202012Validator, unfinished: Any) -> None:
    load(json.dumps(unfinished))

    assert validator.is_valid(unfinished)


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        (design(colour="red"), "$"),
        (design(format=2), "$.format"),
        (design(engine="bigtabel"), "$.engine"),
        (design(fields=[{"id": "Not an id"}]), "$.fields[0].id"),
        (design(fields=[{"distinct": 0}]), "$.fields[0].distinct"),
        (design(fields=[{"values": {"min": 1, "max": 2}}]), "$.fields[0].values"),
        (design(activities=[{"rate_per_second": -1}]), "$.activities[0].rate_per_second"),
        (design(activities=[{"profile": {"kind": "week", "hours": [1]}}]), "$.activities[0].profile"),
        (design(tables=[{"row_kinds": [{"key": [{"text": "a"}]}]}]), "$.tables[0].row_kinds[0].key[0]"),
        (design(tables=[{"families": [{"gc": {"kind": "union", "rules": []}}]}]), "$.tables[0].families[0].gc"),
        (design(instance={"prices": [{"sku": "node", "usd": "-1"}]}), "$.instance.prices[0].usd"),
        (design(instance={"prices": [{"usd": 1}]}), "$.instance.prices[0]"),
    ],
)
def test_what_is_broken_is_not_valid_where_it_is_broken(
    validator: Draft202012Validator, broken: Any, place: str
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        load(json.dumps(broken))

    assert [error.json_path for error in validator.iter_errors(broken)] == [place]


def test_every_class_is_described_and_refuses_what_it_does_not_know(parts: dict[str, Any]) -> None:
    assert parts.keys() == {model.__name__ for model in classes()}
    assert [name for name, part in parts.items() if not part.get("description")] == []
    assert all(part["additionalProperties"] is False for part in parts.values())


def test_an_editor_learns_units_guesses_and_what_an_id_is_of(parts: dict[str, Any]) -> None:
    field = parts["Field"]["properties"]

    assert field["distinct"]["title"] == "Distinct values"
    assert field["distinct"]["x-unit"] == "values"
    assert parts["Backup"]["properties"]["every_hours"]["x-guess"] == 24.0
    assert field["belongs_to"]["x-element"] == "Field"
    assert parts["TimeSegment"]["properties"]["unit"]["enum"] == ["us", "ms", "s", "m", "h", "d", "bucket"]
    told = [(model, name) for model in classes() for name in model.model_fields
            if "x-element" in parts[model.__name__]["properties"][name]]  # fmt: skip
    assert set(told) == set(POINTERS)


def test_ids_may_be_missing_but_kinds_may_not(parts: dict[str, Any]) -> None:
    assert not any("id" in parts[m.__name__].get("required", ()) for m in classes() if issubclass(m, Element))
    assert parts["FieldSegment"]["required"] == ["field", "kind"]


def test_only_words_of_json_schema_and_our_own_are_used() -> None:
    assert "discriminator" not in text()
    assert '"default": null' not in text()
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["$id"] == "https://keywright.example/schema/design-1.json"
