"""Findings depend on an assumed number of values.

**What** The design does not specify how many values a field has. With more values, some errors or warnings do not
occur.
**Why** Fewer values concentrate traffic and data on fewer rows. Whether a limit is exceeded depends on their number.
**Instead** Choose or enter the number of values on the start date, and how many are added per day.
**Fine when** You have no data yet. In that case, accept the question and decide later.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import NEWEST_ONLY, TENANT, design, field_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: questions need estimates with other values, and are made with them (`questions/lint.py`)."""
    return iter(())


def _overwritten(per_second: float, distinct: int | None) -> Spec:
    """Build a design of tenants, equally busy, whose rows are overwritten."""
    tenant = {**TENANT, "values": {"kind": "pattern", "text": "t{n:05}"}, "distinct": distinct}
    return design(
        field_part("tenant"), fields=(tenant,), per_second=per_second, write={"mode": "overwrite"}, gc=NEWEST_ONLY
    )


RULE = Rule(
    code="G002",
    severity="question",
    message=N_("How many values does {field} have? The answer decides {count_findings}."),
    check=check,
    bad=lambda: _overwritten(5_000, None),
    good=lambda: _overwritten(5_000, 20_000),
    near_miss=lambda: _overwritten(100, None),
)
