"""Findings depend on an assumed order of assignment.

**What** The design does not specify whether new values of a field are assigned in sequence. If they are not, some
errors or warnings do not occur.
**Why** Values in sequence at the start of a key send all new rows to the end of the table, to a single node.
**Instead** Choose whether the values are assigned in sequence.
**Fine when** The ids are not designed yet. In that case, prefer ids without order, such as UUIDs.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import design, field_part, read_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield nothing: questions need estimates with other values, and are made with them (`questions/lint.py`)."""
    return iter(())


def _numbered_orders(per_second: float, assigned: str | None) -> Spec:
    """Build a design in which every event is a new order with a number."""
    order = {
        "id": "order",
        "name": "order_id",
        "kind": "integer",
        "values": {"kind": "range", "min": 10**14, "max": 10**15 - 1},
        "distinct": 1_000,
        "growth_per_day": per_second * DAY_SECONDS,
        "assigned": assigned,
        "popularity": {"kind": "uniform"},
    }
    return design(field_part("order"), fields=(order,), per_second=per_second, reads=(read_part(binds=("order",)),))


RULE = Rule(
    code="G004",
    severity="question",
    message=N_("Are new values of {field} assigned in sequence? The answer decides {count_findings}."),
    check=check,
    bad=lambda: _numbered_orders(5_000, None),
    good=lambda: _numbered_orders(5_000, "arbitrary"),
    near_miss=lambda: _numbered_orders(40, None),
)
