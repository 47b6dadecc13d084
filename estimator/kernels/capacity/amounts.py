"""From quantities to bill lines: amounts are rounded first, multiplied as decimals and rounded to the cent, half up."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from designer.document import Spec
from designer.document.money import Money
from designer.document.texts import N_, Text
from estimator.price_books.prices import Price, Prices
from estimator.results import BillLine, ClusterNodes, Params
from estimator.results.arrays import Floats

from ..population.timeline import billed_hours
from .demand import Demand

CENT = Decimal("0.01")
_THOUSANDTH = Decimal("0.001")
_WIDE = Context(prec=400)
"""So that absurd growth (×11 a month for ten years) gives an absurd amount and no error."""
SECONDS_PER_HOUR = 3_600


def cents(amount: Decimal) -> Decimal:
    """Return the amount rounded to the cent, half up."""
    return amount.quantize(CENT, ROUND_HALF_UP, _WIDE)


def round_quantity(amount: float | Decimal) -> Decimal:
    """Return an amount rounded to the bill's three decimals, so that a line can be recomputed by hand."""
    # The shortest text that names the float: 1.0005 is then a tie that rounds up, while its binary value, which is
    # 1.000499999999999989…, would round down.
    exact = amount if isinstance(amount, Decimal) else Decimal(repr(float(amount)))
    return exact.quantize(_THOUSANDTH, ROUND_HALF_UP, _WIDE)


def format_decimal(amount: Decimal) -> str:
    """Return the decimal with thousands separators and no trailing zeros, exactly as it is multiplied."""
    text = f"{amount:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True)
class PricedMonth:
    """One month of the horizon, and its prices: the part of what bill lines are computed from that engines share."""

    spec: Spec
    prices: Prices
    index: int
    """0 is the first; it lies between columns `index` and `index + 1` of the monthly arrays."""
    first_day: datetime.date
    totals_only: bool
    """Lines without a price are not asked for."""

    def can_omit(self, skus: tuple[str, ...], where: str) -> bool:
        """Return True if a line may be omitted: it has no price and only totals are requested."""
        return self.totals_only and not self.prices.tiers(skus, where)

    @cached_property
    def hours(self) -> int:
        """Hours that a month is billed with."""
        return billed_hours(self.spec, self.first_day)


@dataclass(frozen=True)
class BillMonth(PricedMonth):
    """One month of a Bigtable bill."""

    demand: Demand
    nodes: tuple[ClusterNodes, ...]

    def mean(self, monthly: Floats) -> Floats:
        """Average over the month of something known at its beginning and end; (..., months + 1) → (...)."""
        average: Floats = (monthly[..., self.index] + monthly[..., self.index + 1]) / 2
        return average

    def mean_stored(self, which: Literal["stored", "stored_low", "stored_high"] = "stored") -> Floats:
        """Return each table's mean bytes over the month: (tables,)."""
        stored_bytes: Floats = getattr(self.demand, which)
        return self.mean(stored_bytes) * self.demand.mean_ratio[:, self.index] + self.demand.passing[:, self.index]

    def mean_infrequent(self, which: Literal["stored", "stored_low", "stored_high"] = "stored") -> Floats:
        """Return the part of the mean bytes that is in infrequent access: (tables,)."""
        ratio = self.demand.infrequent_mean_ratio[:, self.index]
        return np.minimum(self.mean(self.demand.infrequent_bytes(which)) * ratio, self.mean_stored(which))


@dataclass(frozen=True)
class Charge:
    """A quantity to be priced: everything on a line but the price."""

    item: str
    label: str
    at: str
    skus: tuple[str, ...]
    """Where its price is looked for, in order."""
    where: str
    amount: Decimal
    unit: str
    formula: str
    """Template; `{amount}` and `{unit_price}` are filled in, with `params`."""
    params: Params = field(default_factory=dict)
    low: Decimal | None = None
    high: Decimal | None = None
    """The band of the amount; None is the amount itself."""


NO_PRICE = N_("no public price: enter one for {sku}")
OPEN_FORMULA = N_("{amount} {unit} × unknown price")


class HasPrices(Protocol):
    """A month, as far as its prices are asked for."""

    @property
    def prices(self) -> Prices:
        """Unit prices of the design."""
        ...


def price_charge(month: HasPrices, charge: Charge) -> BillLine:
    """Return the bill line of a charge at its single price; its cost is open where there is no price."""
    tiers = month.prices.tiers(charge.skus, charge.where)
    return _line(charge, tiers[0] if tiers else None)


def price_by_tier(month: BillMonth, charge: Charge, before: Decimal) -> Iterator[BillLine]:
    """Yield the lines of a charge whose price falls with the month's volume.

    `before` is the volume already used. An amount above the last tier that has a price is open.
    """
    tiers = month.prices.tiers(charge.skus, charge.where)
    if not tiers:
        yield _line(charge, None)
        return
    start, end = before, before + charge.amount
    for tier in tiers:
        upper = end if tier.to_gb is None else min(end, tier.to_gb)
        # Only the part of the amount that lies in the tier has its price: of 2,000 GB after 0, the first 1,024 GB have
        # one price and 976 GB the next.
        part = upper - max(start, tier.from_gb)
        if part > 0:
            yield _line(_part(charge, part), tier)
    last = tiers[-1].to_gb
    if last is not None and end > last:
        yield _line(_part(charge, end - max(start, last)), None)


def _part(charge: Charge, amount: Decimal) -> Charge:
    # The band of a tier's part is in proportion, so that the bands of all parts add up to the band of the charge.
    share = amount / charge.amount
    return Charge(
        charge.item, charge.label, charge.at, charge.skus, charge.where, amount, charge.unit, charge.formula,
        charge.params,
        None if charge.low is None else charge.low * share,
        None if charge.high is None else charge.high * share,
    )  # fmt: skip


def _line(charge: Charge, price: Price | None) -> BillLine:
    low, high = (
        charge.amount if charge.low is None else charge.low,
        charge.amount if charge.high is None else charge.high,
    )
    free = price is not None and price.amount == 0
    origin: Literal["book", "you", "free", "missing"] = "missing" if price is None else price.origin
    params = {
        **charge.params,
        "amount": format_decimal(charge.amount),
        "unit": Text(charge.unit),
        "sku": charge.skus[0],
    }
    if price is not None:
        params["unit_price"] = Money(price.amount, price.currency)
    return BillLine(
        item=charge.item,
        label=charge.label,
        params=params,
        at=charge.at,
        sku=charge.skus[0] if price is None else price.sku,
        where=charge.where,
        quantity=charge.amount,
        unit=charge.unit,
        unit_price=None if price is None else price.amount,
        price_source="" if price is None else (f"{price.source} ({price.note})" if price.note else price.source),
        price_seen="" if price is None else price.seen,
        price_origin="free" if free and origin == "book" else origin,
        cost=None if price is None else cents(charge.amount * price.amount),
        # A band encloses its amount, also where a bound was computed apart and is off by rounding.
        low=None if price is None else cents(min(low, charge.amount) * price.amount),
        high=None if price is None else cents(max(high, charge.amount) * price.amount),
        formula=OPEN_FORMULA if price is None else charge.formula,
    )
