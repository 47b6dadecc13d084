"""Published schemas: what their sources recommend has no error and no warning, what they warn of is found."""

import pytest

from estimator.advice.questions import lint
from tests.contexts import context, estimate

from . import Published
from .criticised import CRITICISED
from .recommended import RECOMMENDED
from .systems import SOUND, UNSOUND

GRAVE = ("error", "warning")


def _found(one: Published) -> dict[str, str]:
    """Return the sentences of errors and warnings by rule."""
    spec = one.spec
    return {each.rule: str(each) for each in lint(spec, estimate(spec), context()) if each.severity in GRAVE}


@pytest.mark.parametrize("one", [*RECOMMENDED, *SOUND], ids=lambda one: one.name)
def test_a_recommended_schema_has_no_error_and_no_warning(one: Published) -> None:
    assert _found(one) == {}


@pytest.mark.parametrize("one", [*CRITICISED, *UNSOUND], ids=lambda one: one.name)
def test_what_a_source_warns_of_is_found(one: Published) -> None:
    assert set(one.faults) & _found(one).keys()
