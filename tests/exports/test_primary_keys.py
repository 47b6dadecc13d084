"""Code for Tablestore's primary keys: it makes what the estimator makes, and the bounds that a trial reads by."""

import re
from types import ModuleType
from typing import Any

import pytest

from designer.document import Spec
from designer.document.columnkey import ColumnForm
from designer.examples import examples
from estimator.kernels.keys.patterns.inputs import inputs_of
from estimator.kernels.keys.rendering import render
from reviews.exports.code import ONE_LANGUAGE, make
from reviews.exports.key_code.primary_keys import BACKWARD_TEXT, plan_primary_keys
from reviews.exports.shared.result import ExportRemarks
from reviews.trials.column_ranges import key_values
from tests.contexts import Content
from tests.tablestore_designs import design

from .code_calls import argument, event_number, module_of

EXAMPLES = {each.spec.name: each.spec for each in examples() if each.spec.engine == "tablestore"}
EVENTS = 40


def check_keys(spec: Spec, module: ModuleType, events: int = EVENTS) -> int:
    """Compare keys with the estimator's; return how many."""
    kinds = [(table, kind) for table in spec.tables for kind in table.row_kinds]
    codes = {code.name: code for code in plan_primary_keys(spec, ExportRemarks())}
    assert len(kinds) == len(codes)
    compared = 0
    for (table, kind), code in zip(kinds, codes.values(), strict=True):
        if table.derived_from and table.derived_from.is_secondary_index:
            continue
        inputs, forms = (
            inputs_of(spec, table, kind, ids_max=1, seed=3),
            [ColumnForm(c.name, c.type) for c in code.columns],
        )
        for number in range(events):
            event = event_number(inputs, number)
            arguments = [argument(inputs, each, event) for each in code.parameters]
            values = key_values(render.key(inputs.segments, inputs.fields, event), forms)
            texts = [
                one.decode() if isinstance(one, bytes) and form.type == "STRING" else one
                for one, form in zip(values, forms, strict=True)
            ]
            made = getattr(module, f"make_{code.name}")(*arguments)
            assert made == list(zip([form.name for form in forms], texts, strict=True))
            if code.is_parsed:
                getattr(module, f"parse_{code.name}")(made)
            compared += 1
    return compared


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_module_makes_the_keys_of_the_estimator(name: str) -> None:
    made = make(Content(EXAMPLES[name]))
    module = module_of(made)
    assert made.refusals == ()
    assert module.verify() == len(module.VECTORS) > 0
    assert check_keys(EXAMPLES[name], module) > 0


def test_other_languages_are_refused_in_a_sentence() -> None:
    made = make(Content(next(iter(EXAMPLES.values())), code_language="go"))
    assert ([one.message for one in made.refusals], made.files) == ([ONE_LANGUAGE], ())


@pytest.fixture(scope="module")
def rich() -> ModuleType:
    made = make(Content(design()))
    assert {one.message for one in made.refusals} == {BACKWARD_TEXT}
    return module_of(made)


def bound_text(bound: list[tuple[str, Any]], module: ModuleType) -> str:
    names = {module.INF_MIN: "-inf", module.INF_MAX: "+inf"}
    return f"({', '.join(names[value] if isinstance(value, type) else str(value) for _, value in bound)})"


DAYS = (1_767_052_800_000_000, 1_767_225_600_000_000)


@pytest.mark.parametrize(
    ("read", "arguments", "first", "end"),
    [
        ("of user", ("ü1",), "(ü1, -inf, -inf)", "(ü1, +inf, +inf)"),
        ("newest", ("ü1",), "(ü1, +inf, +inf)", "(ü1, -inf, -inf)"),
        ("days", ("ü1", *DAYS), "(ü1, 1767052800, -inf)", "(ü1, 1767225601, -inf)"),
        ("days back", ("ü1", *DAYS), "(ü1, 1767225600, +inf)", "(ü1, 1767052799, +inf)"),
        ("all", (), "(-inf, -inf, -inf)", "(+inf, +inf, +inf)"),
    ],
)
def test_bounds_are_those_that_a_trial_reads_by(
    rich: ModuleType, read: str, arguments: tuple[Any, ...], first: str, end: str
) -> None:
    slug = re.sub("[^a-z]+", "_", read)
    ((low, high),) = getattr(rich, f"events_{slug}_ranges")(*arguments)
    assert (bound_text(low, rich), bound_text(high, rich)) == (first, end)


def test_a_salt_that_nobody_knows_is_a_range_for_each_of_its_values(rich: ModuleType) -> None:
    found = rich.salted_salted_days_ranges("ü0", *DAYS)
    assert [bound_text(low, rich) for low, _ in found] == [f"({salt}, ü0#2025-12-30)" for salt in range(3)]
    assert found[0][1] == [("salt", 0), ("user_day", "ü0#2026-01-02")]


def test_the_rich_design_is_made_and_parsed(rich: ModuleType) -> None:
    assert rich.verify() == len(rich.VECTORS) > 0
    assert check_keys(design(), rich, 20) > 0
    with pytest.raises(ValueError, match="other columns"):
        next(iter(rich.PARSERS.values()))([("x", "y")])
