"""The one door for input: what a request says in its query, form, headers, cookies, files and body, by type.

Views read nothing of a request elsewhere (`tests/core/test_house.py`). Text with a NUL or half a character is
refused here, because no database stores it.
"""

import datetime
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, QueryDict

from designer.document.integers import LARGEST, parse_integer
from designer.document.load import parse_json
from designer.document.texts import N_
from designer.document.validation_errors import InvalidDocumentError

from .errors import DesignError

JOINERS = "\u200c\u200d"
"""Format characters that are parts of letters."""
LONGEST_LINE = 200
LONGEST_HEADER = 2_000
LONGEST_WORD = 1_000
"""Characters of a word that is composed: accents on one letter take time by the square of their number."""
PACKED_SUFFIXES = (".gz", ".zst")
"""Endings of compressed files, behind that of their format."""
T = TypeVar("T", bound=str)


class UnreadableInputError(DesignError):
    """Error for input that no form of ours sends."""


class RequestParameters(Mapping[str, str]):
    """Parameters of a query or a form, by name: the last text of each name as a mapping, and readers of other types."""

    def __init__(self, data: QueryDict) -> None:
        self._data = data
        for name, texts in data.lists():
            if not all(map(is_storable, (name, *texts))):
                message = N_("The input contains a NUL or an unpaired surrogate. Remove it and try again.")
                raise UnreadableInputError(message).at(ascii(name).strip("'\""))

    def __getitem__(self, name: str) -> str:
        texts = self._data.getlist(name)
        if not texts:
            raise KeyError(name)
        return str(texts[-1])

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def line(self, name: str, *, most: int = LONGEST_LINE) -> str:
        """Return one line of visible characters, composed (NFC) and cut to `most`; "" if there is none."""
        return one_line(self.get(name, ""))[:most].rstrip()

    def number(self, name: str, *, minimum: int = 0, maximum: int = LARGEST) -> int | None:
        """Return a whole number between the bounds; None if there is none."""
        return parse_integer(self.get(name, "").strip(), minimum=minimum, maximum=maximum)

    def date(self, name: str) -> datetime.date | None:
        """Return a day of the years 1900 to 9998, written as 2026-11-23; None if there is none."""
        try:
            day = datetime.date.fromisoformat(self.get(name, "").strip())
        except ValueError:
            return None
        return day if 1900 <= day.year <= 9998 else None

    def choice(self, name: str, choices: Collection[T], default: T) -> T:
        """Return the one of the choices that is named, else the default."""
        text = self.get(name, "")
        return next((choice for choice in choices if choice == text), default)

    def texts(self, name: str) -> list[str]:
        """Return every text of a name."""
        return [str(text) for text in self._data.getlist(name)]

    def lists(self) -> dict[str, list[str]]:
        """Return every text of every name."""
        return {name: self.texts(name) for name in self}

    def nested_query(self, name: str) -> "RequestParameters":
        """Return the parameters of a query that is the text of one parameter."""
        return RequestParameters(QueryDict(self.get(name, "")))

    def json_data(self, name: str, default: str = "null") -> Any:
        """Return the data of a JSON text.

        Raises
        ------
        UnreadableInputError
            If it is none, too deep or too large.
        """
        try:
            return parse_json(self.get(name, "") or default)
        except InvalidDocumentError:
            raise UnreadableInputError(N_("The edit is invalid: reload the page and try again.")).at(name) from None


def query(request: HttpRequest) -> RequestParameters:
    """Return what the address says after its `?`."""
    return RequestParameters(request.GET)


def form(request: HttpRequest) -> RequestParameters:
    """Return what was posted."""
    return RequestParameters(request.POST)


def upload(request: HttpRequest, name: str, *, most_bytes: int) -> bytes | None:
    """Return at most one byte more than `most_bytes` of an uploaded file; None if there is none."""
    # One byte more than allowed: the caller sees that the file is too large without reading all of it.
    file = request.FILES.get(name)
    return file.read(most_bytes + 1) if file is not None else None


def upload_title(request: HttpRequest, name: str) -> str:
    """Return the name of an uploaded file without its endings, as a line; "" if there is none."""
    file = request.FILES.get(name)
    path = PurePath((file.name or "") if file is not None else "")
    stem = PurePath(path.stem).stem if path.suffix in PACKED_SUFFIXES else path.stem
    return one_line(stem)[:LONGEST_LINE].rstrip()


def uploads(request: HttpRequest, name: str, *, most_bytes: int) -> list[tuple[str, bytes]]:
    """Return the names and contents of uploaded files, of all of them at most one byte more than `most_bytes`."""
    files, remaining = [], most_bytes + 1
    for file in request.FILES.getlist(name):
        content = file.read(remaining)
        files.append((file.name or "", content))
        remaining -= len(content)
    return files


def from_server(request: HttpRequest, name: str) -> Any:
    """Return what the web server added to a request; None without. No header of a client has such a name."""
    return request.META.get(name)


def header(request: HttpRequest, name: str) -> str:
    """Return a header; "" if there is none, or one of a length that no client of ours sends."""
    text = request.headers.get(name, "")
    return text if len(text) <= LONGEST_HEADER else ""


def has_header(request: HttpRequest, name: str) -> bool:
    """Return whether a header was sent, of whatever length."""
    return name in request.headers


def forwarded_addresses(request: HttpRequest) -> list[str]:
    """Return the addresses in X-Forwarded-For, the last proxy's last; of whatever length the client's own part is."""
    # Not by `header`: what proxies added must not get lost behind what a client wrote before it.
    return [address.strip() for address in request.headers.get("X-Forwarded-For", "").split(",")]


def remote_address(request: HttpRequest) -> str:
    """Return the address at the other end of the connection, which may be a proxy's."""
    return str(request.META.get("REMOTE_ADDR", ""))


def cookie_number(request: HttpRequest, name: str) -> int:
    """Return the whole number in a cookie; 0 if there is none."""
    return parse_integer(request.COOKIES.get(name, "")) or 0


def body(request: HttpRequest) -> bytes:
    """Return the body as it came; `config.limits` bounds it, and who reads it says what is wrong with it."""
    return request.body


def is_storable(text: object) -> bool:
    """Return whether a text holds neither a NUL nor half a character (an unpaired surrogate)."""
    if not isinstance(text, str) or text.isascii():
        return "\0" not in str(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def one_line(text: str) -> str:
    """Return a text as one line of visible characters, composed (NFC) in words that are not endless.

    Characters that change the direction of text are removed, because they could alter the text beside it.
    """
    # Without composing, "é" typed on two systems would be two different names.
    words = (unicodedata.normalize("NFC", word) if len(word) <= LONGEST_WORD else word for word in text.split())
    return "".join(c for c in " ".join(words) if c in JOINERS or unicodedata.category(c) not in ("Cc", "Cf"))


class StorablePaths:
    """Answers 404 where a part of the path is text that no database stores."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        if not all(map(is_storable, kwargs.values())):
            raise Http404
