"""Findings depend on an assumed owner.

**What** The design does not specify whether each value of a field belongs to one value of the field before it. If it
does not, some errors or warnings do not occur.
**Why** Values that belong to one owner share the traffic of that owner. The rows of a busy owner are then busier.
**Instead** Choose whether the values belong to one owner.
**Fine when** The relation is undecided. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, TENANT, Part, design, field_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: questions need estimates with other values, and are made with them (`questions/lint.py`)."""
    return iter(())


def _devices(per_second: float, belongs_to: str | None = None, popularity: Part | None = None) -> Spec:
    """Build a design of devices of tenants, one of which has half of the traffic."""
    tenant = {**TENANT, "popularity": {"kind": "weights", "weights": [1], "rest": 1}}
    device = {**DEVICE, "popularity": popularity, "belongs_to": belongs_to}
    return design(
        field_part("tenant", "#"),
        field_part("device"),
        fields=(tenant, device),
        per_second=per_second,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
    )


RULE = Rule(
    code="G005",
    severity="question",
    message=N_("Does each {field} belong to one {owner}? The answer decides {count_findings}."),
    check=check,
    bad=lambda: _devices(50),
    good=lambda: _devices(50, "-", {"kind": "uniform"}),
    near_miss=lambda: _devices(1),
)
