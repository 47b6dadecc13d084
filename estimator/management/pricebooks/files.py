"""Reading what is given and writing whole files only. Every failure is a sentence and exit code 2."""

import re
import sys
from pathlib import Path

from designer.management.base import CommandError
from designer.management.writing import write_atomically
from estimator.kernels.pricing import BookError, PriceBook, read_book
from estimator.management.commandline import UNUSABLE
from estimator.price_books.comparison import book_changes
from estimator.price_books.folders import book_folders
from estimator.price_books.shelf import list_shelf

MOST_BYTES = 256 << 20
"""Bigtable's list of SKUs is about a megabyte; this is room for all of Google Cloud's."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")


def text_of(file: str) -> str:
    """Return the text of a file; `-` is standard input."""
    try:
        raw = sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else _bytes(Path(file))
        if len(raw) > MOST_BYTES:
            raise CommandError(f"{file}: it is larger than {MOST_BYTES >> 20} MiB", returncode=UNUSABLE)
        # PowerShell and Windows editors write a byte order mark at the beginning.
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{file}: it is no text in UTF-8", returncode=UNUSABLE) from None
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def load_named_book(name: str) -> PriceBook:
    """Return a book by its name, or by its file if that ends in .json."""
    try:
        if name.endswith(".json"):
            return read_book(text_of(name))
        # Only a name on the shelf is opened: a name is never made into a path.
        for entry in list_shelf():
            if entry.name == name:
                return entry.read()
    except BookError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error
    there = ", ".join(book.name for book in list_shelf())
    raise CommandError(f"there is no price book {name!r}; there are: {there}", returncode=UNUSABLE)


def place_for(name: str | None, out: str | None) -> tuple[str | None, Path | None]:
    """Name and file of a book to be made, as far as they are asked for: a book is called as its file is."""
    if out is not None:
        path = Path(out)
        if path.suffix != ".json" or name not in (None, path.stem):
            raise CommandError(f"{out}: a book's file is called as the book, and ends in .json", returncode=UNUSABLE)
        name = path.stem
    if name is not None and not _NAME.fullmatch(name):
        message = "a book's name is small letters, digits, points, dashes and underscores"
        raise CommandError(f"{name!r}: {message}", returncode=UNUSABLE)
    return name, None if out is None else path


def shelve(book: PriceBook, text: str, path: Path | None) -> tuple[Path, bool]:
    """Store a book on the shelf; False if already there. Its name never comes to denote another book."""
    path = path or book_folders()[0] / f"{book.name}.json"
    # Designs name a book: if the name came to mean other figures, their bills would change in silence (another folder
    # on the shelf can hold the same name).
    namesake = next(
        (entry for entry in list_shelf() if entry.name == book.name and entry.path.resolve() != path.resolve()), None
    )
    if namesake is not None:
        raise CommandError(
            f"{book.name} is the name of {namesake.path}: choose another with --name", returncode=UNUSABLE
        )
    try:
        if path.exists():
            # A command that runs each night and finds the same prices must not fail.
            if _holds_same_book(path, book):
                return path, False
            message = "exists with other contents, and designs may use it: choose another name with --name"
            raise CommandError(f"{path} {message}", returncode=UNUSABLE)
        write_atomically(path, text.encode())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}", returncode=UNUSABLE) from error
    return path, True


def _holds_same_book(path: Path, book: PriceBook) -> bool:
    """Return whether a file already is this book, regardless of when its figures were read."""
    try:
        there = read_book(path.read_text(encoding="utf-8"))
        changes = book_changes(there, book)
    except (BookError, UnicodeDecodeError):
        return False
    return there.date == book.date and not (changes.added or changes.removed or changes.changed)
