"""Price books by their names: those that come with the application, then those in the folders that it was told of.

A name always means the same book, so a design can name the one that it is priced with. A design that names none is
priced with the newest that comes with the application: what somebody imports changes no design by itself.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from designer.document import Spec
from designer.document.money import Currency
from estimator.engines import engine_of

from .folders import folders
from .prices import BookError, PriceBook, read_book

SHIPPED = Path(__file__).parent / "books"


@dataclass(frozen=True)
class Shelved:
    """The file of one book."""

    path: Path
    shipped: bool
    """It comes with the application."""

    @property
    def name(self) -> str:
        """What designs call it."""
        return self.path.stem

    def book(self) -> PriceBook:
        """What is in it.

        Raises
        ------
        BookError
            If it cannot be read, or calls itself otherwise than its file is called.
        """
        try:
            state = self.path.stat()
            found = _read(self.path, state.st_mtime_ns, state.st_size)
        except (OSError, UnicodeDecodeError) as error:
            raise BookError(f"{self.path}: {getattr(error, 'strerror', None) or error}.") from error
        except BookError as error:
            raise BookError(f"{self.path}: {error}") from error
        if found.name != self.name:
            raise BookError(f"{self.path}: the book calls itself {found.name!r}; its file must be called so, too.")
        return found


@lru_cache(maxsize=64)
def _read(path: Path, changed_ns: int, bytes_: int) -> PriceBook:
    return read_book(path.read_text(encoding="utf-8"))


def shelf() -> tuple[Shelved, ...]:
    """Every book's file, by name; a name that comes with the application cannot be taken."""
    found = {path.stem: Shelved(path, True) for path in sorted(SHIPPED.glob("*.json"))}
    for folder in folders():
        for path in sorted(folder.glob("*.json")):
            found.setdefault(path.stem, Shelved(path, False))
    return tuple(found[name] for name in sorted(found))


def is_here(name: str) -> bool:
    """Whether a book of this name can be looked up: what was computed without it holds only until it comes."""
    return any(one.name == name for one in shelf())


def load_book(name: str | None = None, *, engine: str = "bigtable", currency: Currency | None = None) -> PriceBook:
    """A price book by name; where none is named, the engine's newest of those that come with the application.

    `currency` is of that newest one: where none is wanted, any.

    Raises
    ------
    BookError
        If there is no such book, it is another engine's, or it cannot be used.
    """
    if name is None:
        found = [b for b in _books(engine, shipped_only=True) if currency in (None, b.currency)]
        if not found:
            raise BookError(f"There is no price book for {engine}.")
        return max(found, key=_age)
    one = next((each for each in shelf() if each.name == name), None)
    if one is None:
        names = ", ".join(book.name for book in _books(engine)) or "none"
        raise BookError(f"There is no price book {name!r}; there are: {names}.")
    book = one.book()
    if book.engine != engine:
        raise BookError(f"The price book {name!r} is for {book.engine}, not for {engine}.")
    return book


def book_of(spec: Spec) -> PriceBook:
    """The book that a design names, else its engine's newest: on Tablestore in yuan for regions of mainland China.

    Raises
    ------
    BookError
        As `load_book`.
    """
    return load_book(spec.instance.price_book, engine=spec.engine, currency=engine_of(spec).book_currency(spec))


def newest_book(engine: str, currency: Currency, *, today: datetime.date) -> PriceBook | None:
    """The newest of all books of an engine in a currency, but for those that begin later."""
    found = (book for book in _books(engine) if book.currency == currency and book.date <= today)
    return max(found, key=_age, default=None)


def newest_name(spec: Spec, today: datetime.date) -> str | None:
    """The name of the newest book for a design that names none; what a new design is given to keep."""
    try:
        found = newest_book(spec.engine, book_of(spec).currency, today=today)
    except BookError:
        return None
    return found.name if found else None


def books_for(engine: str) -> tuple[PriceBook, ...]:
    """Every book of an engine, the newest first."""
    return tuple(sorted(_books(engine), key=_age, reverse=True))


def _age(book: PriceBook) -> tuple[object, str]:
    return book.date, book.name


def _books(engine: str, *, shipped_only: bool = False) -> Iterator[PriceBook]:
    """Those of an engine that can be used; a broken file in a folder hides nothing but itself."""
    for one in shelf():
        if one.shipped or not shipped_only:
            try:
                book = one.book()
            except BookError:
                continue
            if book.engine == engine:
                yield book
