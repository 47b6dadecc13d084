"""A new rule's files: the rule with everything that it must say, and a test at its threshold and just below.

`manage.py new_rule` writes them. They can be imported as they are; the tests fail until they are filled in.
"""

import datetime
import keyword
import re
from collections.abc import Iterable

from estimator.results import Severity

from .rule_list import SUBJECTS

LETTERS = {letter: subject.lower() for letter, subject in SUBJECTS.items() if letter != "A"}
"""What the first letter of a new rule's code says it is about."""

FOLDERS = {
    "K": "keys",
    "T": "tables",
    "F": "families",
    "C": "columns",
    "R": "rows",
    "Q": "reads",
    "W": "writes",
    "I": "instance",
    "G": "guesses",
}
"""The first letter of a code → the folder of its rule."""

NAME = re.compile(r"[a-z]+(-[a-z]+)*")

ENTRY = re.compile(r"[A-Z]\d{3} ")
"""The beginning of a line of the catalogue of codes."""

RULE = '''"""SAY IN ONE SHORT SENTENCE WHAT IS WRONG.

**What** When it is found, in the engine's own words.
**Why** What the engine does then, and what that costs.
**Instead** What to do about it.
**Fine when** When it is right to leave it as it is.
**Source** https://example.com/the-page-that-says-so (read {today})
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import {engines}, Rule, Violation
from ..shared.examples import design, field_part, time_part

WASTE_SHARE = 0.5
"""Why from here on: the reason, or the page that says so."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind; quiet while the figure is not known."""
    for rows in row_kinds(spec, estimate):
        share = None  # the figure of the estimate that it is about
        if share is not None and share >= WASTE_SHARE:
            params = {{"table": rows.table.label, "waste_share": share, "limit_share": WASTE_SHARE}}
            yield Violation(at=rows.kind.id, params=params, effect=share)


RULE = Rule(
    code="{code}",
    severity="{severity}",
    message=N_("SAY WHAT IS MEASURED: {{waste_share}} of {{table}}. It hurts from {{limit_share}}."),
    check=check,
    bad=lambda: design(time_part("#"), field_part("device"), per_second=20_000),
    good=lambda: design(field_part("device", "#"), time_part(), per_second=20_000),
    near_miss=lambda: design(time_part("#"), field_part("device"), per_second=20),
    engines={engines},
)
'''

TEST = '''"""{code} on figures made by hand."""

import pytest

from estimator.advice.rules import findings
from estimator.advice.rules.{folder}.{module} import RULE, WASTE_SHARE
from tests.core.advice.rules.made import TODAY, estimate


def found(spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == RULE.code]


@pytest.mark.parametrize(("share", "expected"), [(WASTE_SHARE, ["{severity}"]), (WASTE_SHARE - 0.001, [])])
def test_say_what_is_found_and_from_where(share, expected):
    spec = RULE.bad()

    assert [f.severity for f in found(spec)] == expected  # give the estimate this share


def test_the_threshold_is_the_one_that_the_source_says():
    assert WASTE_SHARE == 0.5
'''


class RuleTemplateError(ValueError):
    """No rule can be made from what was asked for; the text says why."""


def next_code(requested: str, codes: Iterable[str]) -> str:
    """Return the requested code, or the next free one of a letter; codes are never reused, so gaps remain."""
    if requested in LETTERS:
        # A code stands in accepted risks and in links, so a number that is free again could be taken for the old rule.
        return f"{requested}{max((int(code[1:]) for code in codes if code[0] == requested), default=0) + 1:03}"
    if requested[:1] not in LETTERS or not re.fullmatch(r".\d{3}", requested):
        letters = ", ".join(f"{letter} ({about})" for letter, about in LETTERS.items())
        raise RuleTemplateError(
            f"{requested!r} is no code: it is a letter, with or without three digits. The letters: {letters}."
        )
    if requested in set(codes):
        raise RuleTemplateError(f"There is a rule {requested} already.")
    return requested


def module_of(name: str, names: Iterable[str]) -> str:
    """Return the module name for a rule: the problem in words, as in timestamp-first."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise RuleTemplateError(f"{name!r} is no name: name the problem in small letters, such as timestamp-first.")
    if name in set(names):
        raise RuleTemplateError(f"There is a rule {name} already.")
    return name.replace("-", "_")


def with_entry(catalogue: str, entry: str) -> str:
    """Return the text of the catalogue of codes with the line of a new rule at its place.

    Raises
    ------
    RuleTemplateError
        If the text has no lines of codes.
    """
    lines = catalogue.splitlines(keepends=True)
    before = [number for number, line in enumerate(lines) if ENTRY.match(line) and line[:4] < entry[:4]]
    if not before:
        raise RuleTemplateError("The catalogue of codes has another form than expected.")
    return "".join((*lines[: before[-1] + 1], f"{entry}\n", *lines[before[-1] + 1 :]))


def rule_text(code: str, severity: Severity, *, engines: str, today: datetime.date) -> str:
    """Return the text of a rule's file; `engines` is the constant of `rules.shared` for the engines."""
    return RULE.format(code=code, severity=severity, engines=engines, today=today)


def text_of_tests(code: str, module: str, *, severity: Severity) -> str:
    """Return the text of the file with a rule's tests."""
    return TEST.format(code=code, folder=FOLDERS[code[0]], module=module, severity=severity)
