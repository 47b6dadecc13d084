"""An accepted risk is no longer valid.

**What** A finding was accepted with a reason. Since then, its end date has passed, its effect has at least doubled,
or the rule no longer finds anything.
**Why** An acceptance covers a risk of a certain size for a certain time. If either changes, decide again. An
acceptance that matches no finding hides the next finding on that element.
**Instead** Decide again: accept the risk with a new end date, fix the cause, or remove the acceptance.
**Fine when** The risk was just reviewed, and the new decision is about to be recorded.
**Source** https://docs.astral.sh/ruff/rules/noqa-comments/ (read 2026-11-21)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.accepted_risks import CODE
from ..shared.examples import field_part, readings, time_part

IGNORE = {"id": "ignore", "rule": "K004", "at": "time_part", "reason": "Loaded once a night.", "owner": "Ana"}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: these notes need the findings and the day, and are made with them (`shared/accepted_risks.py`)."""
    return iter(())


RULE = Rule(
    code=CODE,
    severity="note",
    message=N_("{owner} accepted {rule}, but the acceptance is no longer valid."),
    check=check,
    bad=lambda: readings(field_part("device", "#"), time_part(), per_second=5_000, ignores=[IGNORE]),
    good=lambda: readings(time_part("#"), field_part("device"), per_second=5_000, ignores=[IGNORE]),
    near_miss=lambda: readings(
        time_part("#"), field_part("device"), per_second=5_000, ignores=[{**IGNORE, "until": "2999-12-31"}]
    ),
)
