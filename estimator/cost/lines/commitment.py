"""Committed spend on nodes: what it covers is taken off, what was committed is paid, used or not.

20 % less for one year, 40 % for three; nodes only; 730 hours a month whatever the month is billed with. The commitment
is on-demand dollars an hour. Covered is the lesser of committed and used, here by the month's mean hour.
Source: Bigtable, committed use discounts (updated 2025-08-27).
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.spec.instance import Commitment
from designer.spec.money import Currency, Money
from designer.spec.texts import N_

from ...results import BillLine
from ..money import Month, cents, figure
from . import nodes

ORDER = 90
DISCOUNT = {1: Decimal("0.20"), 3: Decimal("0.40")}
PAID_HOURS = 730
_SOURCE = "https://cloud.google.com/bigtable/docs/cuds (updated 2025-08-27)"


def lines(month: Month) -> Iterator[BillLine]:
    """Two lines: the node-hours covered, and the fee."""
    commitment = month.spec.instance.commitment
    if commitment is None:
        return
    used = list(nodes.lines(month))
    committed = _committed(month, commitment, used)
    per_hour = [line.cost / month.hours for line in used if line.cost is not None]
    covered = None if committed is None else min(sum(per_hour, Decimal(0)), committed)
    rate = 1 - DISCOUNT[commitment.years]
    credit = None if covered is None else -cents(covered * month.hours)
    fee = None if committed is None else cents(committed * PAID_HOURS * rate)
    params: dict[str, object] = {
        "years": commitment.years,
        "committed_cost": "?" if committed is None else Money(committed, month.prices.book.currency),
        "paid_hours": PAID_HOURS,
        "rate": figure(rate),
    }
    yield _line(
        item="commitment_covered",
        label=N_("Nodes covered by the commitment"),
        formula=N_("− what they would cost without it"),
        amount=Decimal(0) if credit is None else -credit,
        rate=Decimal(-1),
        cost=credit,
        currency=month.prices.book.currency,
        params=params,
    )
    yield _line(
        item="commitment",
        label=N_("Commitment, {years} years"),
        formula=N_("{committed_cost} an hour × {paid_hours} h × {rate}"),
        amount=Decimal(0) if committed is None else committed * PAID_HOURS,
        rate=rate,
        cost=fee,
        currency=month.prices.book.currency,
        params=params,
    )


def _committed(month: Month, commitment: Commitment, used: list[BillLine]) -> Decimal | None:
    """On-demand money an hour that is committed; None where a node price is not known, or dollars meet another bill."""
    if commitment.usd_per_hour is not None:
        return commitment.usd_per_hour if month.prices.book.currency == "USD" else None
    if any(line.cost is None for line in used):
        return None
    if commitment.all_nodes:
        return sum((line.cost or Decimal(0) for line in used), Decimal(0)) / month.hours
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
