"""The bill of one month by its lines, and what moves it most."""

import numpy as np

from designer.formats import Text
from designer.spec.texts import N_
from estimator.results import Bill, BillLine, Sensitivity

from .kinds import Bar, Bars, Floats, Line, Lines


def bill_lines(bill: Bill) -> Bars:
    """Dollars per line, largest first; a line without a price is hatched."""
    priced = sorted((line for line in bill.lines if line.usd is not None), key=lambda line: -(line.usd or 0))
    top = priced[0] if priced and bill.total_usd else None
    if top is None:
        title = Text(N_("Nothing has a price yet"))
    elif bill.open_lines:
        title = Text(
            N_("At least {total_usd} a month; lines without a price: {open_lines}"),
            {"total_usd": bill.total_usd, "open_lines": len(bill.open_lines)},
        )
    else:
        title = Text(
            N_("One line makes {largest_share} of {total_usd} a month"),
            {"largest_share": float((top.usd or 0) / bill.total_usd), "total_usd": bill.total_usd},
        )
    return Bars(
        title=title,
        unit="usd",
        what=Text(N_("dollars a month")),
        bars=tuple(map(_bar, (*priced, *bill.open_lines))),
    )


def _bar(line: BillLine) -> Bar:
    return Bar(
        label=Text(line.label, line.params),
        value=None if line.usd is None else float(line.usd),
        low=None if line.low_usd is None else float(line.low_usd),
        high=None if line.high_usd is None else float(line.high_usd),
        because=Text(N_("no price")) if line.usd is None else None,
        at=line.at,
    )


def months(bills: tuple[Bill, ...]) -> Lines:
    """The total of each month of the horizon, with its band."""

    def dollars(name: str) -> Floats:
        return np.array([float(getattr(bill, name)) for bill in bills])

    return Lines(
        title=Text(
            N_("The first month costs {first_usd}, the last {last_usd}"),
            {"first_usd": bills[0].total_usd, "last_usd": bills[-1].total_usd},
        ),
        unit="usd",
        what=Text(N_("dollars a month")),
        moments=tuple(bill.first_day for bill in bills),
        ticks="month",
        lines=(Line(Text(N_("expected")), dollars("total_usd"), dollars("low_usd"), dollars("high_usd")),),
    )


def sensitivity(items: tuple[Sensitivity, ...]) -> Bars:
    """By how much each uncertain input moves the last month's total, from its low to its high value."""
    ranked = sorted(items, key=lambda item: -abs(item.high_usd - item.low_usd))
    if not ranked:
        title = Text(N_("No uncertain input moves the bill"))
    else:
        spread = abs(ranked[0].high_usd - ranked[0].low_usd)
        title = Text(N_("One uncertain input moves the bill by {spread_usd} a month"), {"spread_usd": spread})
    return Bars(
        title=title,
        unit="usd",
        what=Text(N_("dollars a month, from low to high")),
        bars=tuple(
            Bar(Text(item.label, item.params), float(abs(item.high_usd - item.low_usd)), at=item.at) for item in ranked
        ),
    )
