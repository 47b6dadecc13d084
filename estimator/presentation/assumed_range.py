"""The range of the bill and of the load if assumed values differ, in words."""

from collections.abc import Mapping
from decimal import Decimal

from designer.document import Spec
from designer.document.texts import N_, Text, TextList
from designer.wording import element_label
from estimator.engines import engine_of
from estimator.results import AssumedRange, Bill, Estimate

DIGITS = 3
"""So many stay significant: the range is of a model, not of an invoice."""
NAMES = ("low_rounded_cost", "high_rounded_cost")
BILL = N_("{low_rounded_cost}–{high_rounded_cost} if assumed values differ")
UNSERVED = N_("from {low_rounded_cost}, or more than can be served, if assumed values differ")
BUSIEST_NODE = N_("busiest node at {low_share}–{high_share} if assumed values differ")
BUSIEST_PARTITION = N_("busiest partition at {low_share}–{high_share} if assumed values differ")
EVEN = N_("assumed: all values of {fields} are equally busy, as a few busy ones could not be served")


def bill_range_text(value_range: AssumedRange | None, bill: Bill) -> Text | None:
    """Return the range of the last month's total; None if no assumed value moves it, or it has no price."""
    if value_range is None or value_range.low is None or value_range.high is None:
        return None
    ends = rounded(value_range.low), rounded(value_range.high)
    if value_range.is_served and ends[0] == ends[1]:
        return None
    params = {name: bill.money(amount) for name, amount in zip(NAMES, ends, strict=True)}
    return Text(BILL if value_range.is_served else UNSERVED, params)


def load_range_text(spec: Spec, value_range: AssumedRange | None) -> Text | None:
    """Return the range of the load of the busiest node or partition; None if no assumed value moves it."""
    if value_range is None or value_range.low_share is None or value_range.high_share is None:
        return None
    params = {"low_share": value_range.low_share, "high_share": value_range.high_share}
    return Text(BUSIEST_NODE if engine_of(spec).HAS_NODES else BUSIEST_PARTITION, params)


def even_text(spec: Spec, estimate: Estimate) -> Text | None:
    """Return which values are taken as equally busy, since the usual assumption could not be served; None if none."""
    names = [element_label(spec, name) for name in assumed_even(estimate)]
    return Text(EVEN, {"fields": TextList(names)}) if names else None


def assumed_even(estimate: Estimate) -> tuple[str, ...]:
    """Return the ids of fields whose values are taken as equally busy, since a skew could not be served."""
    return tuple(dict.fromkeys(name for part in estimate.tables.values() for name in part.assumed_even))


def range_texts(spec: Spec, estimate: Estimate, value_range: AssumedRange | None) -> Mapping[str, Text]:
    """Return the ranges that assumed values make, by what they are of: the bill and the load; and where they begin."""
    bill = None if estimate.bill is None else bill_range_text(value_range, estimate.bill)
    texts = {"bill": bill, "load": load_range_text(spec, value_range), "even": even_text(spec, estimate)}
    return {name: text for name, text in texts.items() if text is not None}


def rounded(amount: Decimal) -> Decimal:
    """Return an end of the range with so few digits as a model has."""
    return Decimal(f"{amount:.{DIGITS}g}")
