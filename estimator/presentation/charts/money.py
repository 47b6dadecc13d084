"""The bill of one month by its lines, and what moves it most."""

import numpy as np

from designer.document.money import Currency, Money
from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results import Bill, BillLine, Sensitivity
from estimator.results.arrays import Floats

from .types import BarChart, ChartBar, LineChart, LineSeries


def bill_lines(bill: Bill) -> BarChart:
    """Cost per line, largest first; a line without a price is hatched."""
    lines = sorted((line for line in bill.lines if line.cost is not None), key=lambda line: -(line.cost or 0))
    top = lines[0] if lines and bill.total else None
    if top is None:
        title = Text(N_("No lines have a price yet"))
    elif bill.open_lines:
        title = Text(
            N_("At least {total_cost} a month; lines without a price: {open_lines}"),
            {"total_cost": bill.money(bill.total), "open_lines": len(bill.open_lines)},
        )
    else:
        title = Text(
            N_("One line accounts for {largest_share} of {total_cost} a month"),
            {"largest_share": float((top.cost or 0) / bill.total), "total_cost": bill.money(bill.total)},
        )
    return BarChart(
        title=title,
        unit=bill.currency.lower(),
        what=Text(N_("cost per month")),
        bars=tuple(map(_bar, (*lines, *bill.open_lines))),
    )


def _bar(line: BillLine) -> ChartBar:
    return ChartBar(
        label=Text(line.label, line.params),
        value=None if line.cost is None else float(line.cost),
        low=None if line.low is None else float(line.low),
        high=None if line.high is None else float(line.high),
        because=Text(N_("no price")) if line.cost is None else None,
        at=line.at,
    )


def monthly_cost_chart(bills: tuple[Bill, ...]) -> LineChart:
    """Return the total of each month of the horizon, with its band."""

    def costs(name: str) -> Floats:
        return np.array([float(getattr(bill, name)) for bill in bills])

    return LineChart(
        title=Text(
            N_("The first month costs {first_cost}, the last {last_cost}"),
            {"first_cost": bills[0].money(bills[0].total), "last_cost": bills[-1].money(bills[-1].total)},
        ),
        unit=bills[0].currency.lower(),
        what=Text(N_("cost per month")),
        moments=tuple(bill.first_day for bill in bills),
        ticks="month",
        lines=(LineSeries(Text(N_("expected")), costs("total"), costs("low"), costs("high")),),
    )


def sensitivity(items: tuple[Sensitivity, ...], currency: Currency = "USD") -> BarChart:
    """Draw by how much each uncertain input moves the last month's total, from its low to its high value."""
    ranked = sorted(items, key=lambda item: -abs(item.high - item.low))
    if not ranked:
        title = Text(N_("No uncertain input affects the bill"))
    else:
        spread = abs(ranked[0].high - ranked[0].low)
        params = {"spread_cost": Money(spread, currency)}
        title = Text(N_("One uncertain input changes the bill by {spread_cost} a month"), params)
    return BarChart(
        title=title,
        unit=currency.lower(),
        what=Text(N_("cost per month, low to high")),
        bars=tuple(
            ChartBar(Text(item.label, item.params), float(abs(item.high - item.low)), at=item.at) for item in ranked
        ),
    )
