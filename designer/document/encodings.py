"""Transforms that write a number or a text in another form: hexadecimal, counted down, percent-encoded."""

from typing import Literal
from urllib.parse import quote_from_bytes

from pydantic import Field

from .base import Model, Whole


class Hexadecimal(Model):
    """Hexadecimal digits in lower case, zeros in front up to `width`. A wider value stays as it is.

    The case transform behind it writes upper case.
    """

    kind: Literal["hex"] = "hex"
    width: Whole = Field(title="Digits", ge=1, le=40)


class Descending(Model):
    """A constant minus the number, so that the largest sorts first; a width or bytes behind it keep the order."""

    kind: Literal["descending"] = "descending"
    top: Whole = Field(title="Subtracted from", ge=0, le=2**63 - 1)


class PercentEncoding(Model):
    """Bytes other than A-Z, a-z, 0-9 and - . _ ~ as a percent sign and two hexadecimal digits in upper case."""

    kind: Literal["percent"] = "percent"


UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
"""Bytes that percent-encoding leaves as they are (RFC 3986, 2.3)."""


def percent_encode(text: bytes) -> bytes:
    """Return a text with all but unreserved bytes percent-encoded."""
    return quote_from_bytes(text, safe="").encode()
