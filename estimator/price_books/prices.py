"""Price books: dated data files of public unit prices with a source per figure; and the prices that a design has."""

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, get_args

from designer.document.instance import PriceOverride
from designer.document.money import Currency
from designer.document.texts import N_

from .regions import places

OLD_AFTER_DAYS = 180
"""A book older than this says so: half a year, in which list prices may well have moved."""


MOST = Decimal(10) ** 15
"""No price and no monthly volume is larger; exact arithmetic with one that is would not end."""


class BookError(ValueError):
    """A price book that cannot be used; the text is a sentence that names the place."""


@dataclass(frozen=True)
class Price:
    """One unit price, from a book or entered."""

    sku: str
    where: str
    """A region, a destination, or a route `from>to` of regions or areas; empty holds everywhere."""
    unit: str
    amount: Decimal
    source: str
    seen: str
    """The day, month or year on which it was seen; empty for an entered price."""
    confidence: str = ""
    note: str = ""
    from_gb: Decimal = Decimal(0)
    to_gb: Decimal | None = None
    """Monthly volume in which it holds; None is without end."""
    currency: Currency = "USD"
    origin: Literal["book", "you"] = "book"


@dataclass(frozen=True)
class PriceBook:
    """Prices by SKU and place; several of one SKU and place are tiers by monthly volume, ascending."""

    name: str
    engine: str
    date: datetime.date
    note: str
    prices: Mapping[tuple[str, str], tuple[Price, ...]]
    currency: Currency = "USD"
    """Of every price in it, and so of every bill made with it."""

    def outdated_days(self, today: datetime.date) -> int | None:
        """Return the age in days of a book that should be renewed; None if it need not be."""
        age = (today - self.date).days
        return age if age > OLD_AFTER_DAYS else None


@dataclass(frozen=True)
class Prices:
    """Unit prices of one design: those entered in the book's currency go before the book's."""

    book: PriceBook
    entered: tuple[PriceOverride, ...] = ()
    _found: dict[tuple[tuple[str, ...], str], tuple[Price, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def tiers(self, skus: tuple[str, ...], where: str) -> tuple[Price, ...]:
        """Prices of the first of the SKUs that is entered for the place, else that is in the book; none is empty.

        Later SKUs stand in for the first: an HDD node is priced as a node.
        """
        key = (skus, where)
        if key not in self._found:
            self._found[key] = self._tiers(skus, where)
        return self._found[key]

    def _tiers(self, skus: tuple[str, ...], where: str) -> tuple[Price, ...]:
        # By SKU first and then by place: a price of the very SKU that holds everywhere goes before a stand-in's price
        # for the region.
        pairs = [(sku, place) for sku in skus for place in places(where)]
        for sku, place in pairs:
            for entry in self.entered:
                price = entry.price
                # Nothing is converted: an entered price in another currency is not used with this book.
                if entry.sku == sku and entry.where == place and price.currency == self.book.currency:
                    source = entry.source or ENTERED
                    return (Price(sku, place, "", price.amount, source, "", currency=price.currency, origin="you"),)
        return next((self.book.prices[key] for key in pairs if key in self.book.prices), ())


ENTERED = N_("entered in this design")


def read_book(text: str) -> PriceBook:
    """Return a price book from its JSON; each price is under its currency's name: `"usd": "0.65"`.

    Raises
    ------
    BookError
        If a price has no source, no day on which it was seen or no unit, is negative or no number, stands there twice,
        or its tiers leave a gap.
    """
    try:
        raw = json.loads(text)
        name, engine, date = raw["name"], raw["engine"], datetime.date.fromisoformat(raw["date"])
        rows = raw["prices"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BookError(f"This is no price book: {error}.") from error
    for field_name, value, type_ in (("name", name, str), ("engine", engine, str), ("prices", rows, list)):
        if not isinstance(value, type_):
            raise BookError(f"This is no price book: {field_name} is {value!r:.60}.")
    currency = _currency(raw.get("currency", "USD"))
    tiers_by_key: dict[tuple[str, str], list[Price]] = {}
    for number, row in enumerate(rows):
        price = _price(row, f"prices[{number}]", currency)
        _add_tier(tiers_by_key.setdefault((price.sku, price.where), []), price, f"prices[{number}]")
    prices = {key: tuple(tiers) for key, tiers in tiers_by_key.items()}
    return PriceBook(name, engine, date, str(raw.get("note", "")), prices, currency)


def _currency(value: object) -> Currency:
    for currency in get_args(Currency):
        if value == currency:
            return currency  # type: ignore[no-any-return]
    raise BookError(f"The book's currency must be one of {', '.join(get_args(Currency))}, not {value!r}.")


def _price(row: Any, place: str, currency: Currency) -> Price:
    if not isinstance(row, Mapping):
        raise BookError(f"{place} is no price: {row!r:.60}.")
    for name in ("sku", "unit", "source", "seen", "confidence"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise BookError(f"{place} has no {name}.")
    amount_key = currency.lower()
    amount = _amount(row.get(amount_key), f"{place}.{amount_key}")
    upper = None if row.get("to_gb") is None else _amount(row["to_gb"], f"{place}.to_gb")
    return Price(
        sku=row["sku"], where=str(row.get("where", "")), unit=row["unit"], amount=amount, source=row["source"],
        seen=row["seen"], confidence=row["confidence"], note=str(row.get("note", "")),
        from_gb=_amount(row.get("from_gb", "0"), f"{place}.from_gb"), to_gb=upper,
        currency=currency,
    )  # fmt: skip


def _amount(value: object, place: str) -> Decimal:
    # A float has been rounded to binary already: 0.65 would not be 0.65.
    if isinstance(value, bool | float) or not isinstance(value, str | int):
        raise BookError(f"{place} must be a decimal number written as text, not {value!r}.")
    try:
        amount = Decimal(value)
    except InvalidOperation:
        raise BookError(f"{place} is no number: {value!r}.") from None
    if not amount.is_finite() or amount < 0 or amount > MOST:
        raise BookError(f"{place} must not be negative, infinite or beyond all prices: {value!r:.60}.")
    return amount


def _add_tier(tiers: list[Price], price: Price, place: str) -> None:
    if tiers and (tiers[-1].to_gb is None or any(t.from_gb == price.from_gb for t in tiers)):
        raise BookError(f"{place} prices {price.sku} in {price.where or 'all places'} a second time.")
    if price.from_gb != (tiers[-1].to_gb if tiers else 0):
        raise BookError(f"{place} leaves a gap below {price.from_gb} GB.")
    tiers.append(price)
