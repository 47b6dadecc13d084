"""One module per rule.

A rule's file is named for the problem, holds its explanation in the docstring, a `check`, three examples and a `RULE`.
"""

import datetime
import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from designer.document import Spec
from estimator.results import Estimate, Finding

from .shared.explanation import Explanation
from .shared.rule import Rule, Violation
from .shared.run import arrange, judge

__all__ = ["RULES", "Explanation", "Rule", "Violation", "explanations", "findings"]


def _rules() -> Iterator[Rule]:
    for folder in pkgutil.iter_modules(__path__):
        if folder.name != "shared":
            subject = importlib.import_module(f"{__name__}.{folder.name}")
            for module in pkgutil.iter_modules(subject.__path__):
                yield importlib.import_module(f"{subject.__name__}.{module.name}").RULE


RULES: Mapping[str, Rule] = {rule.code: rule for rule in sorted(_rules(), key=lambda rule: rule.code)}
"""Every rule by its code."""


def findings(spec: Spec, estimate: Estimate, today: datetime.date) -> tuple[Finding, ...]:
    """Return what the rules find as if all assumed values were entered; `questions.lint` tells these apart."""
    return arrange(RULES.values(), spec, judge(RULES.values(), spec, estimate), today)


def explanations() -> Mapping[str, Explanation]:
    """Return the parts of every rule's explanation by its code; their `texts` are messages to translate."""
    return {code: rule.explanation for code, rule in RULES.items()}
