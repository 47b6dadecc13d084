"""C014: fixed qualifiers that read like qualifiers from fields."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from estimator.advice.rules import findings
from estimator.advice.rules.columns.qualifier_without_fields import RULE
from tests.core.advice.rules.made import TODAY, estimate


def _with_qualifier(text: str) -> Spec:
    spec = RULE.near_miss()
    column = spec.find("column").model_copy(update={"qualifier": text})
    family = spec.find("family").model_copy(update={"columns": (column,)})
    table = spec.tables[0].model_copy(update={"families": (family,)})
    return spec.model_copy(update={"tables": (table,)})


def _fixes(spec: Spec) -> list[object]:
    return [one.fix for one in findings(spec, estimate(spec), TODAY) if one.rule == RULE.code]


@pytest.mark.parametrize(("text", "shown"), [("{minute}", 1), ("m{minute:pad2}", 2), ("{time:rev}", 1), ("{pin}", 1)])
def test_braces_in_a_fixed_qualifier_are_offered_as_fields(text: str, shown: int) -> None:
    spec = _with_qualifier(text)
    (fix,) = _fixes(spec)

    column = apply(spec, fix)[0].find("column")

    assert (column.qualifier, len(column.qualifier_from)) == ("", shown)
    assert _fixes(apply(spec, fix)[0]) == []


@pytest.mark.parametrize("text", ["minute", "{", "{}", "{{minute}}", "a}b"])
def test_other_qualifiers_are_what_they_are(text: str) -> None:
    assert _fixes(_with_qualifier(text)) == []
