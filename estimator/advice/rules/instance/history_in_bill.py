"""The bill reckons with a load of history as if it went on.

**What** An activity loads history. How long that takes is not said, so its rate counts to the end of the horizon.
**Why** Nodes, storage and traffic of the last month are then those of a month in which history is still being loaded,
and so is the total. Most loads are over after hours or days.
**Instead** Look at both: with the load, for the nodes while it runs; and at a rate of 0, for the bill after
it, with what it leaves stated as stored at the start.
**Fine when** The load does go on, as where a mirror is made anew all the time.
**Source** https://cloud.google.com/bigtable/pricing (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.activity import Backfill
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Found, Rule
from ..shared.examples import Part, history


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per load of history that writes anything."""
    written: dict[str, float] = {}
    for rows in row_kinds(spec, estimate):
        for write, load in rows.writes:
            written[write.activity or ""] = written.get(write.activity or "", 0.0) + load.rows_per_second
    for activity in spec.activities:
        rate = written.get(activity.id, 0.0)
        if isinstance(activity.arrival, Backfill) and rate > 0:
            share = rate / sum(written.values())
            params = {"activity": activity.label, "rate_per_second": rate, "load_share": share}
            yield Found(at=activity.id, field="arrival", params=params, effect=share)


HISTORY: Part = {"kind": "backfill", "days": 30, "sorted": False}
PRESENT: Part = {"kind": "every", "seconds": 0.5, "field": "device"}


RULE = Rule(
    code="I025",
    severity="note",
    message=N_(
        "{activity} loads history, and how long that takes is not said: the bill reckons with its {rate_per_second}, "
        "{load_share} of all rows written, to the end of the horizon. For the bill after it, set its rate to 0 and "
        "state what it leaves as stored at the start."
    ),
    check=check,
    bad=lambda: history(HISTORY, per_second=2_000),
    good=lambda: history(PRESENT, per_second=2_000),
    near_miss=lambda: history(HISTORY, per_second=0),
)
