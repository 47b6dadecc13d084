"""The files of price books: those that come with the application, then those in the folders that it was told of."""

import datetime
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from designer.document import Spec
from designer.document.money import Currency

from .collection import PriceBooks
from .folders import book_folders
from .prices import BookError, PriceBook, read_book

SHIPPED = Path(__file__).parent / "books"


@dataclass(frozen=True)
class ShelvedBook:
    """The file of one book."""

    path: Path
    shipped: bool
    """It comes with the application."""

    @property
    def name(self) -> str:
        """Name by which designs refer to it."""
        return self.path.stem

    def read(self) -> PriceBook:
        """Return the content of the book.

        Raises
        ------
        BookError
            If it cannot be read, or calls itself otherwise than its file is called.
        """
        try:
            state = self.path.stat()
            # Time and size are part of the cache's key: a file that is replaced is read again.
            book = _read(self.path, state.st_mtime_ns, state.st_size)
        except (OSError, UnicodeDecodeError) as error:
            raise BookError(f"{self.path}: {getattr(error, 'strerror', None) or error}.") from error
        except BookError as error:
            raise BookError(f"{self.path}: {error}") from error
        if book.name != self.name:
            raise BookError(f"{self.path}: the book calls itself {book.name!r}; its file must be called so, too.")
        return book


@lru_cache(maxsize=64)
def _read(path: Path, changed_ns: int, bytes_: int) -> PriceBook:
    return read_book(path.read_text(encoding="utf-8"))


def list_shelf() -> tuple[ShelvedBook, ...]:
    """Every book's file, by name; a name that comes with the application cannot be taken."""
    books = {path.stem: ShelvedBook(path, True) for path in sorted(SHIPPED.glob("*.json"))}
    for folder in filter(os.path.isdir, book_folders()):  # False too for a folder in a home that is another's
        for path in sorted(folder.glob("*.json")):
            # The first folder wins: designs that name a book get the same figures whatever is added later.
            books.setdefault(path.stem, ShelvedBook(path, False))
    return tuple(books[name] for name in sorted(books))


def read_price_books() -> PriceBooks:
    """Return all books as they are now; files that have not changed are not read again."""
    shelf, books = list_shelf(), dict[str, PriceBook | BookError]()
    for entry in shelf:
        try:
            books[entry.name] = entry.read()
        except BookError as error:
            books[entry.name] = error
    return PriceBooks(books, frozenset(book.name for book in shelf if book.shipped))


def load_book(name: str | None = None, *, engine: str = "bigtable", currency: Currency | None = None) -> PriceBook:
    """Return a price book as `PriceBooks.load`, of the books that there are now."""
    return read_price_books().load(name, engine=engine, currency=currency)


def newest_name(spec: Spec, today: datetime.date) -> str | None:
    """Return the name of the newest book for a design that names none: a new design is given it to keep."""
    books = read_price_books()
    book = books.find(spec)
    newest = books.newest(spec.engine, book.currency, today=today) if book else None
    return newest.name if newest else None
