"""Numbers that a column holds in another form than decimal digits: hexadecimal, raw bytes, counted down."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document.key import LONG_MAX

FEW = 8
"""Of fewer values the first digit could be the same by chance."""
NEAR = 1_000
"""What is counted down is less than this part of what it is subtracted from."""
_LOWER, _UPPER, _DECIMAL = (re.compile(letters) for letters in (r"0[0-9a-f]{3,15}", r"0[0-9A-F]{3,15}", r"[0-9]{4,19}"))


@dataclass(frozen=True)
class EncodedNumbers:
    """The transforms that write the numbers, and how a text is read back."""

    transforms: tuple[dict[str, Any], ...]
    read: Callable[[str], int]


def find_encoded_numbers(different: Collection[str]) -> EncodedNumbers | None:
    """Return the form of the numbers in a column's different values; None where they are no such numbers."""
    sizes = {len(value) for value in different}
    if len(different) < FEW or len(sizes) != 1:
        return None
    return next(_forms(different, sizes.pop()), None)


def _forms(different: Collection[str], size: int) -> Iterator[EncodedNumbers]:
    # Numbers of eight bytes are small beside 2^64, so they begin with zeros; random bytes do not.
    if size <= 8 and not _is_printable(different) and all(value[0] == "\0" for value in different):
        yield _build_encoding({"kind": "big_endian", "length": size})
    if re.search("[a-fA-F]", "".join(different)):
        for shape, more in ((_LOWER, ()), (_UPPER, ({"kind": "case", "to": "upper"},))):
            if all(map(shape.fullmatch, different)):
                yield _build_encoding({"kind": "hex", "width": size}, *more)
    if all(map(_DECIMAL.fullmatch, different)):
        # What programs subtract from: as many nines as the number has digits, and Java's Long.MAX_VALUE.
        for top in (10**size - 1, LONG_MAX):
            if len(str(top)) == size and top <= LONG_MAX and all(0 <= top - int(v) < top // NEAR for v in different):
                yield _build_encoding({"kind": "descending", "top": top}, {"kind": "pad", "width": size})


def _is_printable(values: Collection[str]) -> bool:
    return all(value.isascii() and value.isprintable() for value in values)


def _build_encoding(*transforms: dict[str, Any]) -> EncodedNumbers:
    return EncodedNumbers(transforms, lambda value: int(decimal_text(value, transforms)))


def decimal_text(value: str, transforms: Sequence[Mapping[str, Any]]) -> str:
    """Return the decimal digits, without zeros in front, of the number that a column's text stands for."""
    match transforms[0]:
        case {"kind": "big_endian"}:
            return str(int.from_bytes(value.encode("latin-1"), "big"))
        case {"kind": "hex"}:
            return str(int(value, 16))
        case {"kind": "descending", "top": int(top)}:
            return str(top - int(value))
    return value.lstrip("0") or "0"
