"""An accepted risk no longer holds.

**What** Somebody accepted a finding with a reason; since then its last day has passed, its measured effect has at
least doubled, or it finds nothing there any more.
**Why** An acceptance is a decision about a risk of a certain size, for a certain time. When either changes, somebody
should decide again; one that matches nothing hides the next finding on that element unseen.
**Instead** Decide again: accept it with a new end date, mend the cause, or remove the acceptance.
**Fine when** The decision has just been taken again and is about to be written down.
**Source** https://docs.astral.sh/ruff/rules/noqa-comments/ (read 2026-11-21)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Found, Rule
from ..shared.accepted_risks import CODE
from ..shared.examples import of, readings, time

IGNORE = {"id": "ignore", "rule": "K004", "at": "time_part", "reason": "Loaded once a night.", "owner": "Ana"}


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """Nothing: these notes need the findings and the day, and are made with them (`base/ignores.py`)."""
    return iter(())


RULE = Rule(
    code=CODE,
    severity="note",
    message=N_("{owner} accepted {rule}, and that no longer holds."),
    check=check,
    bad=lambda: readings(of("device", "#"), time(), per_second=5_000, ignores=[IGNORE]),
    good=lambda: readings(time("#"), of("device"), per_second=5_000, ignores=[IGNORE]),
    near_miss=lambda: readings(time("#"), of("device"), per_second=5_000, ignores=[{**IGNORE, "until": "2999-12-31"}]),
)
