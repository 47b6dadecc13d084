"""Primary keys of several columns as one byte string that sorts as the columns do, and what people read instead.

An INTEGER column is eight bytes, 2^63 added, big-endian: negative numbers first. A text or binary column is its bytes
and a mark for its end, so that a shorter value comes before all that it begins, whatever follows; a NUL within is
written so that it sorts behind that mark. The last column needs neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .key import ColumnType, KeyDisplay, as_text

END = b"\x00\x01"
"""Ends a column that another one follows."""

_NUL, _INSIDE = b"\x00", b"\x00\xff"
_SIGN = 1 << 63
INTEGER_BYTES = 8


@dataclass(frozen=True)
class ColumnForm:
    """Form of one column in the bytes of a key."""

    name: str
    type: ColumnType


def encode_signed(number: int) -> bytes:
    """Return a 64-bit number as eight bytes in numeric order.

    >>> encode_signed(-1) < encode_signed(0) < encode_signed(17)
    True

    Raises
    ------
    ValueError
        If the number does not fit into 64 bits.
    """
    if not -_SIGN <= number < _SIGN:
        raise ValueError(f"{number} does not fit into an INTEGER column")
    return (number + _SIGN).to_bytes(INTEGER_BYTES, "big")


def escape(raw: bytes) -> bytes:
    """Return a text or binary value in escaped form, without its end marker."""
    return raw.replace(_NUL, _INSIDE)


class ColumnKey(KeyDisplay):
    """A key, or the beginning of one, that knows its columns: bytes for everything computed, a tuple for people."""

    columns: tuple[ColumnForm, ...]

    @staticmethod
    def from_bytes(raw: bytes, columns: Sequence[ColumnForm]) -> "ColumnKey":
        """Build a key from its bytes and its columns."""
        key = ColumnKey(raw)
        key.columns = tuple(columns)
        return key

    def __reduce__(self) -> tuple[object, ...]:
        return ColumnKey.from_bytes, (bytes(self), self.columns)

    @property
    def values(self) -> tuple[int | bytes, ...]:
        """The value of each column, as far as the bytes reach."""
        column_values, rest = [], bytes(self)
        for place, column in enumerate(self.columns):
            if not rest:
                break
            value, rest = _split_first(column, rest, last=place == len(self.columns) - 1)
            column_values.append(value)
        return tuple(column_values)

    @property
    def texts(self) -> tuple[str, ...]:
        """The same as text."""
        return tuple(str(v) if isinstance(v, int) else as_text(v) for v in self.values)

    @property
    def text(self) -> str:
        """`(d0001, 2026-11-20, 17)`; the value of one column without parentheses."""
        texts = self.texts
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})" if texts else ""


def _split_first(column: ColumnForm, rest: bytes, *, last: bool) -> tuple[int | bytes, bytes]:
    """Return the first column's value and the remaining bytes.

    If the bytes end within the column, the value is the part that is present.
    """
    if column.type == "INTEGER":
        body = rest[:INTEGER_BYTES]
        # The smallest number that begins so.
        return int.from_bytes(body.ljust(INTEGER_BYTES, b"\0"), "big") - _SIGN, rest[INTEGER_BYTES:]
    if last:
        return rest, b""
    at = 0
    while (at := rest.find(_NUL, at)) >= 0 and rest[at : at + 2] != END:
        at += len(_INSIDE)
    body, behind = (rest, b"") if at < 0 else (rest[:at], rest[at + len(END) :])
    return body.replace(_INSIDE, _NUL), behind
