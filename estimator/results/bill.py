"""The bill of a month, what moves it most, and what a bigger world would cost."""

import datetime
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from designer.document.money import Currency, Money

from .unknown import Params


@dataclass(frozen=True)
class BillLine:
    """One line of the bill for one month: quantity × unit price, redone on paper by its formula."""

    item: str
    """What it is: node, storage, backup, replication, egress, change_stream, …"""
    label: str
    params: Params
    at: str
    """The element that it is for: a cluster, a table, a backup, a read."""
    sku: str
    where: str
    quantity: Decimal
    unit: str
    unit_price: Decimal | None
    """None: no public price, none entered; the line is open."""
    price_source: str
    price_seen: str
    """The day on which the price was seen, or empty."""
    price_origin: Literal["book", "you", "free", "missing"]
    cost: Decimal | None
    """Rounded to the cent, half up."""
    low: Decimal | None
    high: Decimal | None
    formula: str
    """Message template that shows the arithmetic with `params`."""


@dataclass(frozen=True)
class Bill:
    """The bill of one month of the horizon."""

    month: int
    """0 is the first month."""
    first_day: datetime.date
    lines: tuple[BillLine, ...]
    total: Decimal
    """Sum of the lines that have a price."""
    low: Decimal
    high: Decimal
    open_lines: tuple[BillLine, ...]
    """Lines without a price: while there are any, the total reads "≥"."""
    currency: Currency = "USD"
    """Of every amount and unit price on it: the price book's."""

    @cached_property
    def stored_gib_price(self) -> Decimal | None:
        """A GiB-month of storage in all clusters together; None while nothing is stored or a price is open."""
        lines = [line for line in self.lines if line.item == "storage"]
        if not lines or any(line.unit_price is None or line.unit != "GiB-month" for line in lines):
            return None
        return sum((line.unit_price for line in lines if line.unit_price is not None), Decimal(0))

    def money(self, amount: Decimal) -> Money:
        """Return an amount in the bill's currency, for a message."""
        return Money(amount, self.currency)


@dataclass(frozen=True)
class Sensitivity:
    """Change of the last month's total when one uncertain input goes from its low to its high value."""

    name: str
    at: str
    label: str
    params: Params
    low: Decimal
    high: Decimal


@dataclass(frozen=True)
class Outlook:
    """A bigger world: ×10 traffic, largest entity ×10, one more year. What it costs and what breaks first."""

    name: Literal["traffic_x10", "entity_x10", "year_more"]
    cost: Decimal | None
    breaks: str | None
    """Message about the first limit that breaks; None: nothing does."""
    params: Params
    at: str
