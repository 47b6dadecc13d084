"""Committed spend on nodes: what it covers is taken off, what was committed is paid, used or not.

20 % less for one year, 40 % for three; nodes only; a fee for every hour that the month is billed with. The commitment
is on-demand dollars an hour. Covered is the lesser of committed and used in each hour, all clusters together: nodes
that an autoscaler adds by day are not covered by what lies idle at night.
Source: Bigtable, committed use discounts (updated 2025-08-27).
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.document.instance import Commitment
from designer.document.money import Currency, Money
from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth, cents, format_decimal
from estimator.results import BillLine

from . import nodes

ORDER = 90
DISCOUNT = {1: Decimal("0.20"), 3: Decimal("0.40")}
WEEK_HOURS = 168
_SOURCE = "https://cloud.google.com/bigtable/docs/cuds (updated 2025-08-27)"


ALL = {1: N_("Commitment, 1 year"), 3: N_("Commitment, 3 years")}
SOME = {
    1: N_("Commitment, 1 year, for nodes with a price"),
    3: N_("Commitment, 3 years, for nodes with a price"),
}


def lines(month: BillMonth) -> Iterator[BillLine]:
    """Two lines: the node-hours covered, and the fee."""
    commitment = month.spec.instance.commitment
    if commitment is None:
        return
    # A commitment covers nodes only, so the node lines of this month are made again to be compared with it.
    used = list(nodes.lines(month))
    hourly = _split_by_hour(month, used)
    committed = _committed_per_hour(month, commitment, used, hourly)
    partly = commitment.all_nodes and any(line.cost is None for line in used)
    rate = 1 - DISCOUNT[commitment.years]
    credit = None
    if committed is not None:
        covered = sum((share * min(cost, committed) for cost, share in hourly), Decimal(0))
        most = sum((line.cost for line in used if line.cost is not None), Decimal(0))
        # Rounding of hours must not credit more than the node lines cost.
        credit = -min(cents(covered * month.hours), most)
    fee = None if committed is None else cents(committed * month.hours * rate)
    params: dict[str, object] = {
        "committed_cost": "?" if committed is None else Money(committed, month.prices.book.currency),
        "paid_hours": month.hours,
        "rate": format_decimal(rate),
    }
    yield _line(
        item="commitment_covered",
        label=N_("Nodes covered by the commitment"),
        formula=N_("− their cost without a commitment: per hour, the smaller of used and committed"),
        amount=Decimal(0) if credit is None else -credit,
        rate=Decimal(-1),
        cost=credit,
        currency=month.prices.book.currency,
        params=params,
    )
    yield _line(
        item="commitment",
        label=(SOME if partly and committed is not None else ALL)[commitment.years],
        formula=N_("{committed_cost} an hour × {paid_hours} × {rate}"),
        amount=Decimal(0) if committed is None else committed * month.hours,
        rate=rate,
        cost=fee,
        currency=month.prices.book.currency,
        params=params,
    )


Hourly = list[tuple[Decimal, Decimal]]
"""On-demand money an hour of all nodes that have a price, and the share of the month's hours in which it is so."""


def _split_by_hour(month: BillMonth, used: list[BillLine]) -> Hourly:
    priced_nodes = [
        (there, line.unit_price, line.cost)
        for there, line in zip(month.nodes, used, strict=True)
        if line.unit_price is not None and line.cost is not None
    ]
    still = sum((cost / month.hours for there, _, cost in priced_nodes if there.nodes_by_hour is None), Decimal(0))
    moving = [
        (there.nodes_by_hour[month.index + 1], there.week_shares[month.index + 1], price)
        for there, price, _ in priced_nodes
        if there.nodes_by_hour is not None and there.week_shares is not None
    ]
    if not moving:
        return [(still, Decimal(1))]
    # All clusters have the same weeks.
    share_by_cost: dict[Decimal, Decimal] = {}
    for week, share in enumerate(moving[0][1]):
        weight = Decimal(repr(float(share)))
        for hour in range(WEEK_HOURS if weight else 0):
            cost = sum((price * Decimal(repr(float(plan[week, hour]))) for plan, _, price in moving), still)
            # Few different costs occur, so equal hours are counted together instead of one entry each.
            share_by_cost[cost] = share_by_cost.get(cost, Decimal(0)) + weight / WEEK_HOURS
    return list(share_by_cost.items())


def _committed_per_hour(
    month: BillMonth, commitment: Commitment, used: list[BillLine], hourly: Hourly
) -> Decimal | None:
    """On-demand money an hour that is committed; None where no node price is known, or dollars meet another bill.

    All nodes are those of the month's fullest hour. Of clusters without a price nothing is counted, neither used nor
    committed: with a price they only add to the total, which so stays a lower bound.
    """
    if commitment.usd_per_hour is not None:
        return commitment.usd_per_hour if month.prices.book.currency == "USD" else None
    if all(line.cost is None for line in used):
        return None
    if commitment.all_nodes:
        # The fullest hour, which is what "all nodes" commits to; quieter hours then pay for what they do not use.
        return max(cost for cost, _ in hourly)
    price = used[0].unit_price if used else None
    return None if price is None else Decimal(repr(commitment.nodes or 0.0)) * price


def _line(
    *,
    item: str,
    label: str,
    formula: str,
    amount: Decimal,
    rate: Decimal,
    cost: Decimal | None,
    currency: Currency,
    params: dict[str, object],
) -> BillLine:
    return BillLine(
        item=item, label=label, params=params, at="", sku=f"bigtable.{item}", where="", quantity=amount, unit=currency,
        unit_price=None if cost is None else rate, price_source=_SOURCE, price_seen="2025-08-27",
        price_origin="missing" if cost is None else "book", cost=cost, low=cost, high=cost, formula=formula,
    )  # fmt: skip
