"""The bill assumes that a history load never ends.

**What** An activity loads history. Its duration is not specified, so its rate counts to the end of the horizon.
**Why** Nodes, storage, traffic and the total of the last month then include a history load that still runs. Most
loads end after hours or days.
**Instead** Enter the day on which the activity ends. Or compare two estimates. The one with the load shows the nodes
while it runs. The one at a rate of 0, with the loaded data as stored at the start, shows the later bill.
**Fine when** The load is permanent, for example a mirror that is rebuilt continuously.
**Source** https://cloud.google.com/bigtable/pricing (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.activity import Backfill
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import Part, history


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per load of history that writes anything."""
    rates: dict[str, float] = {}
    for rows in row_kinds(spec, estimate):
        for write, load in rows.writes:
            rates[write.activity or ""] = rates.get(write.activity or "", 0.0) + load.rows_per_second
    for activity in spec.activities:
        rate = rates.get(activity.id, 0.0)
        if isinstance(activity.arrival, Backfill) and rate > 0 and activity.ends_on is None:
            share = rate / sum(rates.values())
            params = {"activity": activity.label, "rate_per_second": rate, "load_share": share}
            yield Violation(at=activity.id, field="arrival", params=params, effect=share)


HISTORY: Part = {"kind": "backfill", "days": 30, "sorted": False}
PRESENT: Part = {"kind": "every", "seconds": 0.5, "field": "device"}


RULE = Rule(
    code="I025",
    severity="note",
    message=N_(
        "{activity} loads history without a specified duration. The bill assumes that its "
        "{rate_per_second} ({load_share} of all rows written) continues to the end of the horizon. For "
        "the later bill, enter the day on which it ends."
    ),
    check=check,
    bad=lambda: history(HISTORY, per_second=2_000),
    good=lambda: history(PRESENT, per_second=2_000),
    near_miss=lambda: history(HISTORY, per_second=0),
)
