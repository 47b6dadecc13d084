"""A rule: plain data around one function that looks at a design and its estimate."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from designer.document import Engine, Spec
from estimator.results import Choice, Estimate, Params, Severity

from .explanation import Explanation, explanation

BOTH: tuple[Engine, ...] = ("bigtable", "tablestore")
BIGTABLE: tuple[Engine, ...] = ("bigtable",)
TABLESTORE: tuple[Engine, ...] = ("tablestore",)


@dataclass(frozen=True)
class Violation:
    """Result of a check: an element, its field and the measured effect; the rule adds the rest."""

    at: str
    params: Params = field(default_factory=dict)
    field: str = ""
    effect: float | None = None
    """More is worse; accepted risks are compared with it."""
    severity: Severity | None = None
    """None: the rule's own."""
    message: str = ""
    """Empty: the rule's own."""
    fix: Any | None = None
    fix_safe: bool = False
    fix_label: str = ""
    choices: tuple[Choice, ...] = ()
    """Answers, of a question."""
    about: tuple[str, ...] = ()
    """Elements whose trouble this explains: findings of rules that stand under this one go there."""
    cause: str = ""
    """The element by which it is looked for in another's `about`; empty: the first of its own."""


Check = Callable[[Spec, Estimate], Iterator[Violation]]


@dataclass(frozen=True)
class Rule:
    """One entry of the catalogue. Its name is its file's name, its explanation the file's docstring."""

    code: str
    severity: Severity
    message: str
    check: Check
    bad: Callable[[], Spec]
    """A design that it finds fault with."""
    good: Callable[[], Spec]
    """The same, done well: quiet."""
    near_miss: Callable[[], Spec]
    """Just on the right side: a note, or quiet."""
    engines: tuple[Engine, ...] = BOTH
    messages: Mapping[Engine, Mapping[str, str]] = field(default_factory=dict)
    """By engine the messages that it has of its own, by those that they stand for; empty: the rule's own."""
    under: tuple[str, ...] = ()
    """Codes of the rules whose findings cause this rule's: it then stands under the first of them."""
    since: str = "0.1"

    @property
    def name(self) -> str:
        """timestamp-first, from timestamp_first.py."""
        return self.check.__module__.rpartition(".")[2].replace("_", "-")

    @cached_property
    def explanation(self) -> Explanation:
        """The parts of the file's docstring."""
        return explanation(sys.modules[self.check.__module__].__doc__ or "")

    def message_of(self, violation: Violation, engine: Engine) -> str:
        """Return the message of something found, in the engine's words."""
        return self.messages.get(engine, {}).get(violation.message, violation.message) or self.message

    @property
    def title(self) -> str:
        """The docstring's first sentence."""
        return self.explanation.title

    @property
    def source(self) -> str:
        """The page that the rule rests on first of all."""
        return self.explanation.sources[0].address
