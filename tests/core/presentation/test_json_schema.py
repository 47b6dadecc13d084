"""What commands print as JSON is what its schema says, and names its format."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from designer.document.design import Spec
from designer.examples import example, examples
from estimator.comparison.designs import DesignWithEstimate, align, compare
from estimator.comparison.designs import plain_data as diff
from estimator.presentation import estimate_data as estimates
from estimator.presentation.json_schema import schema_of
from estimator.presentation.lint_reports import json_data as lint
from estimator.presentation.lint_reports.checked_design import CheckedDesign
from estimator.presentation.lint_reports.json_data import json_report
from estimator.results import Estimate
from tests.contexts import answer

OUTPUTS = {"lint": lint, "estimate": estimates, "diff": diff}
SOME = ("timestamp-first", "campus-cards")
MANY_NUMBERS = 100
"""Longer arrays take their time and hold nothing but numbers."""


@pytest.fixture(scope="module")
def validators() -> dict[str, Draft202012Validator]:
    return {name: Draft202012Validator(module.schema()) for name, module in OUTPUTS.items()}


def outputs(spec: Spec, before: Spec) -> dict[str, Any]:
    """What the commands print about a design."""
    found = answer(spec)
    alignment = align(before, spec)
    sides = [DesignWithEstimate(one, answer(one).estimate, answer(one).findings) for one in (before, alignment.spec)]
    compared = compare(sides[0], sides[1], alignment=alignment, compute=None)
    return {
        "lint": json.loads(json_report([CheckedDesign("a.json", spec, {}, found.findings, found.estimate.because)])),
        "estimate": estimates.estimate_data(found.estimate, maximum=MANY_NUMBERS),
        "diff": {**diff.as_data(compared), "failed": ["a limit"]},
    }


def problems(spec: Spec, before: Spec, validators: dict[str, Draft202012Validator]) -> list[str]:
    said = outputs(spec, before)
    return [
        f"{name} {error.json_path}: {error.message[:200]}"
        for name in OUTPUTS
        for error in validators[name].iter_errors(json.loads(json.dumps(said[name])))
    ]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_schema_is_one_and_says_the_format(name: str) -> None:
    schema = OUTPUTS[name].schema()

    Draft202012Validator.check_schema(schema)
    assert schema["properties"]["format"] == {"const": f"keywright-{name}/1"}
    assert "format" in schema["required"]


@pytest.mark.parametrize("slug", SOME)
def test_outputs_of_designs_are_valid(slug: str, validators: dict[str, Draft202012Validator]) -> None:
    assert problems(example(slug).spec, example(SOME[0]).spec, validators) == []


@pytest.mark.slow
@pytest.mark.parametrize("slug", [one.slug for one in examples()])
def test_outputs_of_all_examples_are_valid(slug: str, validators: dict[str, Draft202012Validator]) -> None:
    assert problems(example(slug).spec, example(SOME[0]).spec, validators) == []


def test_what_is_not_as_said_is_found(validators: dict[str, Draft202012Validator]) -> None:
    said = outputs(example(SOME[0]).spec, example(SOME[0]).spec)
    said["lint"]["findings"][0]["line"] = 0
    said["estimate"]["tables"]["readings"] = {}
    del said["diff"]["bill"]

    assert all(list(validators[name].iter_errors(json.loads(json.dumps(said[name])))) for name in OUTPUTS)


def test_every_part_of_an_estimate_has_a_type_that_the_schema_knows() -> None:
    definitions: dict[str, Any] = {}
    schema_of(Estimate, definitions)
    open_ = {
        f"{name}.{field}" for name, one in definitions.items() for field, held in one["properties"].items() if not held
    }

    assert open_ == set()
