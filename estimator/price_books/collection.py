"""Price books by their names, as a value: reading their files is the shelf's."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.document import Spec
from designer.document.money import Currency
from estimator.engines import engine_of

from .prices import BookError, PriceBook


@dataclass(frozen=True, eq=False)
class PriceBooks:
    """All price books that can be used, and why others cannot.

    A name always means the same book, so a design can name the one that it is priced with. A design that names none is
    priced with the newest that comes with the application: an imported book changes no design by itself.
    """

    by_name: Mapping[str, PriceBook | BookError]
    shipped: frozenset[str]
    """Names of the books that come with the application."""

    def __contains__(self, name: str) -> bool:
        """Return True if there is a book of this name, readable or not."""
        return name in self.by_name

    def load(self, name: str | None = None, *, engine: str = "bigtable", currency: Currency | None = None) -> PriceBook:
        """Return a book by name; where none is named, the engine's newest of those that come with the application.

        `currency` is of that newest one: where none is wanted, any.

        Raises
        ------
        BookError
            If there is no such book, it is another engine's, or it cannot be used.
        """
        if name is None:
            books = [
                # An imported book must not change the bill of designs that name no book.
                b
                for b in self._iter_engine_books(engine)
                if b.name in self.shipped and currency in (None, b.currency)
            ]
            if not books:
                raise BookError(f"There is no price book for {engine}.")
            return max(books, key=_age)
        book = self.by_name.get(name)
        if book is None:
            names = ", ".join(book.name for book in self._iter_engine_books(engine)) or "none"
            raise BookError(f"There is no price book {name!r}; there are: {names}.")
        if isinstance(book, BookError):
            raise book
        if book.engine != engine:
            raise BookError(f"The price book {name!r} is for {book.engine}, not for {engine}.")
        return book

    def load_for(self, spec: Spec) -> PriceBook:
        """Return the book that a design names, else its engine's newest in the currency of its regions.

        Raises
        ------
        BookError
            As `load`.
        """
        return self.load(spec.instance.price_book, engine=spec.engine, currency=engine_of(spec).book_currency(spec))

    def find(self, spec: Spec) -> PriceBook | None:
        """Return the book that a design is priced with; None where it is not here, as it was imported elsewhere."""
        try:
            return self.load_for(spec)
        except BookError:
            return None

    def newest(self, engine: str, currency: Currency, *, today: datetime.date) -> PriceBook | None:
        """Return the newest of all books of an engine in a currency, but for those that begin later."""
        books = (book for book in self._iter_engine_books(engine) if book.currency == currency and book.date <= today)
        return max(books, key=_age, default=None)

    def of_engine(self, engine: str) -> tuple[PriceBook, ...]:
        """Return every book of an engine, the newest first."""
        return tuple(sorted(self._iter_engine_books(engine), key=_age, reverse=True))

    def _iter_engine_books(self, engine: str) -> Iterator[PriceBook]:
        """Those that can be used; a broken file hides nothing but itself."""
        return (book for book in self.by_name.values() if isinstance(book, PriceBook) and book.engine == engine)


def _age(book: PriceBook) -> tuple[object, str]:
    return book.date, book.name
