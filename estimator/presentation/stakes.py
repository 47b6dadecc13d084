"""Stakes of a finding: a figure in its own unit, its subject, and its time."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document.money import Money
from designer.document.texts import N_, Text

from .design_page import DesignPage, FindingView


@dataclass(frozen=True)
class Stakes:
    """Size of a risk; each part is None where the estimate does not know it."""

    figure: Text | None
    what: Text | None
    when: Text | None


def stakes(page: DesignPage, remark: FindingView) -> Stakes:
    """Return what is at stake in a finding and in its consequences: load, data or money, in this order."""
    figure, what, is_any_day = next(_figures(remark), (None, None, False))
    if remark.date:
        return Stakes(figure, what, Text(N_("from {first_month}"), {"first_month": remark.date}))
    if figure is None:
        return Stakes(None, None, None)
    month = _last_month(page)
    if is_any_day:
        return Stakes(figure, what, Text(N_("any day")))
    return Stakes(figure, what, Text(N_("in {last_month}"), {"last_month": month}) if month else None)


def _figures(remark: FindingView) -> Iterator[tuple[Text, Text, bool]]:
    """Yield what is known, the gravest first, and whether it may happen on any day."""
    params = [view.finding.params for view in (remark, *remark.under)]
    reachable = min(_numbers(params, "reachable_share"), default=1.0)
    if reachable < 1:
        yield Text("{refused_share}", {"refused_share": 1 - reachable}), Text(N_("of the load refused")), False
    used = max(_numbers(params, "utilisation_share"), default=0.0)
    if used > 1:
        yield Text("{used_share}", {"used_share": used}), Text(N_("of what one node can do")), False
    own = remark.finding.params
    if remark.finding.rule == BACKUP and isinstance(own.get("live_bytes"), float):
        yield Text("{lost_bytes}", {"lost_bytes": own["live_bytes"]}), Text(N_("could be lost")), True
    if remark.cost:
        yield Text("{total_cost}", {"total_cost": remark.cost}), Text(N_("a month")), False
    added = own.get("added_cost")
    if isinstance(added, Money) and added.amount:
        yield Text("+{added_cost}", {"added_cost": added}), Text(N_("a month to avoid it")), True
    # A row that grows too large can be a consequence, of a family that nothing collects.
    largest = max(_numbers(params, "largest_bytes"), default=None)
    if largest is not None:
        yield Text("{largest_bytes}", {"largest_bytes": largest}), Text(N_("in the largest row")), False


BACKUP = "I024"
"""The rule about tables without a backup: what they hold could be lost."""


def _numbers(params: list[Any], name: str) -> Iterator[float]:
    return (param[name] for param in params if isinstance(param.get(name), float))


def _last_month(page: DesignPage) -> datetime.date | None:
    """Return a day of the last month, whose load and bill findings are about."""
    ends = [part.growth.dates[-1] for part in page.estimate.tables.values() if part.growth]
    return max(ends) - datetime.timedelta(days=1) if ends else None
