"""Findings depend on an assumed access distribution.

**What** The design does not specify how traffic is distributed over the values of a field. With an even distribution,
some errors or warnings do not occur.
**Why** A few busy values can overload one row or one node. Whether that happens depends on the distribution.
**Instead** Choose an answer, or enter a measured distribution. The share of the busiest value is usually enough.
**Fine when** You have no data yet. In that case, accept the question and measure in a test.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import NEWEST_ONLY, TENANT, Part, design, field_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: questions need estimates with other values, and are made with them (`questions/lint.py`)."""
    return iter(())


def _overwritten(per_second: float, **field: Part | None) -> Spec:
    """Build a design of a thousand tenants whose rows are overwritten."""
    tenant = {**TENANT, "values": {"kind": "pattern", "text": "t{n:03}"}, "distinct": 1_000, **field}
    return design(
        field_part("tenant"), fields=(tenant,), per_second=per_second, write={"mode": "overwrite"}, gc=NEWEST_ONLY
    )


RULE = Rule(
    code="G001",
    severity="question",
    message=N_("How busy is the busiest {field}? The answer decides {count_findings}."),
    check=check,
    bad=lambda: _overwritten(100, popularity=None),
    good=lambda: _overwritten(100),
    near_miss=lambda: _overwritten(1, popularity=None),
)
