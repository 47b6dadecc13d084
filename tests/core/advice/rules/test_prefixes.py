"""On the way from nothing to a design, no rule ever fails."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from designer.document import Spec
from designer.examples import example
from designer.wording.formatting import english
from estimator.advice.rules import RULES
from tests.core.advice.rules.pipeline import found

STARTS = {
    "K026": RULES["K026"].bad,
    "R003": RULES["R003"].bad,
    "I002": RULES["I002"].bad,
    "I018": RULES["I018"].bad,
    "one-counter-row": lambda: example("one-counter-row").spec,
}


def ways_back(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The document without the last element of each of its lists, and without each value that need not be set."""
    for path in list(_removable(document, ())):
        less = copy.deepcopy(document)
        holder: Any = less
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        yield less


def _removable(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(part, dict):
        for name, value in part.items():
            if name not in ("id", "kind", "field", "format"):
                yield (*path, name)
            yield from _removable(value, (*path, name))
    elif isinstance(part, list) and part:
        yield (*path, len(part) - 1)
        for place, item in enumerate(part):
            yield from _removable(item, (*path, place))


FEW = ("K026", "one-counter-row")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in FEW else pytest.mark.slow) for n in STARTS])
def test_no_rule_fails_on_a_design_of_which_something_lacks(name):
    whole = STARTS[name]().model_dump(mode="json", exclude_unset=True)
    tried = 0

    for less in ways_back(whole):
        try:
            spec = Spec.model_validate(less)
        except ValidationError:
            continue
        for finding in found(spec):
            assert finding.at in spec.by_id or finding.at == ""
            said = english(finding.message, finding.params).replace("month: unknown", "")
            assert "unknown" not in said, said
        tried += 1

    assert tried > 20
