"""Transforms that write a number or a text in another form: hexadecimal digits, a number counted down."""

from typing import Literal

from pydantic import Field

from .base import Model


class Hexadecimal(Model):
    """Hexadecimal digits in lower case, zeros in front up to `width`. A wider value stays as it is.

    The case transform behind it writes upper case.
    """

    kind: Literal["hex"] = "hex"
    width: int = Field(title="Digits", ge=1, le=40)


class Descending(Model):
    """A constant minus the number, so that the largest sorts first; a width or bytes behind it keep the order."""

    kind: Literal["descending"] = "descending"
    top: int = Field(title="Subtracted from", ge=0, le=2**63 - 1)
