"""Differences between two price books, figure by figure."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from .prices import BookError, Price, PriceBook


@dataclass(frozen=True)
class PriceChange:
    """One figure in both books, in the new one alone (added) or in the old one alone (removed)."""

    old: Price | None
    new: Price | None

    @property
    def any_price(self) -> Price:
        """Either of them, for its SKU and place."""
        price = self.new or self.old
        assert price is not None
        return price

    @property
    def share(self) -> Decimal | None:
        """By how much the figure rose, of the old one; None where there is no old one, or it was nothing."""
        if self.old is None or self.new is None or self.old.amount == 0:
            return None
        return (self.new.amount - self.old.amount) / self.old.amount


@dataclass(frozen=True)
class BookChanges:
    """Everything that differs, in the order of SKUs and places."""

    added: tuple[PriceChange, ...]
    removed: tuple[PriceChange, ...]
    changed: tuple[PriceChange, ...]


def book_changes(old: PriceBook, new: PriceBook) -> BookChanges:
    """Return the changes from the old book to the new one.

    Raises
    ------
    BookError
        If they are of different engines or currencies: then no figure of one is a figure of the other.
    """
    if old.engine != new.engine:
        raise BookError(f"{old.name} is for {old.engine} and {new.name} for {new.engine}: they price different things.")
    if old.currency != new.currency:
        raise BookError(f"{old.name} is in {old.currency} and {new.name} in {new.currency}: nothing is converted.")
    before, after = dict(_figures(old)), dict(_figures(new))
    both = [PriceChange(before.get(key), after.get(key)) for key in sorted(before | after)]
    return BookChanges(
        added=tuple(change for change in both if change.old is None),
        removed=tuple(change for change in both if change.new is None),
        changed=tuple(
            change
            for change in both
            if change.old and change.new and _price_content(change.old) != _price_content(change.new)
        ),
    )


def _figures(book: PriceBook) -> Iterator[tuple[tuple[str, str, Decimal], Price]]:
    for (sku, where), tiers in book.prices.items():
        yield from (((sku, where, price.from_gb), price) for price in tiers)


def _price_content(price: Price) -> tuple[Decimal, str, Decimal | None]:
    return price.amount, price.unit, price.to_gb
