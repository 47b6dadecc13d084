"""Answers to the question how events arrive."""

from designer.document import effective_value
from designer.document.access import Write
from designer.document.activity import Activity, Every, Poisson
from designer.document.key import FieldSegment
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts
from estimator.results import Choice

from .edits import change

LONGEST_SECONDS = 1e9
"""The longest interval that the document accepts."""
REGULAR = N_("Yes, every {interval_seconds} for each {field}")
INDEPENDENT = N_("No, events are independent")


def arrivals(rows: RowKindFacts, write: Write) -> tuple[Choice, ...]:
    """Return arrival patterns of a write's activity: each value of the key's last field regularly, or independent."""
    activity: Activity = rows.spec.find(write.activity or "")
    choices = [Choice(INDEPENDENT, {}, change(activity, "arrival", Poisson()))]
    fields = [rows.spec.find(s.field) for s in rows.kind.segments if isinstance(s, FieldSegment)]
    entities = [field for field in fields if effective_value(rows.spec, field, "kind") != "timestamp"]
    if entities and activity.rate_per_second:
        count = float(effective_value(rows.spec, entities[-1], "distinct"))
        # 1,000 devices at 100 events a second send one each every 10 seconds.
        every = Every(seconds=min(count / activity.rate_per_second, LONGEST_SECONDS), field=entities[-1].id)
        params = {"interval_seconds": every.seconds, "field": entities[-1].label}
        choices.insert(0, Choice(REGULAR, params, change(activity, "arrival", every)))
    return tuple(choices)
