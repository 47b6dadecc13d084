"""Findings depend on an assumed write mode.

**What** The design does not specify whether an event adds a row or updates one. In the other case, some errors or
warnings do not occur.
**Why** Rows that are updated accumulate cells. Rows that are added need a different key for each event.
**Instead** Choose the write mode. If each event adds a row, the key needs a time or an id of the event.
**Fine when** The mode is undecided. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import NEWEST_ONLY, Part, design, field_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: questions need estimates with other values, and are made with them (`questions/lint.py`)."""
    return iter(())


def _device_rows(mode: str | None, gc: Part | None) -> Spec:
    """Build a design with a row per device."""
    return design(field_part("device"), per_second=10, write={"mode": mode}, gc=gc)


RULE = Rule(
    code="G003",
    severity="question",
    message=N_("Does each event of {write} add a row? The answer decides {count_findings}."),
    check=check,
    bad=lambda: _device_rows(None, None),
    good=lambda: _device_rows("overwrite", NEWEST_ONLY),
    near_miss=lambda: _device_rows(None, NEWEST_ONLY),
)
