"""Options of a field in a key text → its transforms."""

import re
from typing import Any

from ..texts import N_
from .scanning import KeyTextError, TextScanner, Word

TRANSFORMS = "padN, reverse, domain, lower, upper, firstN, plusN, minusN, from=N, hexN, bytesN, percent"
_TRANSFORM = re.compile(r"(pad|first|plus|minus|bytes|hex)(\d+)|reverse|domain|lower|upper|percent")


def transform_of(scanner: TextScanner, name: str, word: Word) -> dict[str, Any]:
    """Return the transform that an option means; raise `KeyTextError` where it is none."""
    if name == "from":
        return {"kind": "descending", "top": scanner.whole_number(word, minimum=0)}
    match = None if name or word.quoted else _TRANSFORM.fullmatch(word.text)
    if match is None:
        shown = f"{name}={word.text}" if name else word.text
        raise KeyTextError(
            word.at, N_("{option} is not a transform; use one of {known}"), option=shown, known=TRANSFORMS
        )
    digits = match[2] or ""
    match match[1] or match[0]:
        case "pad":
            return {"kind": "pad", "width": scanner.number_between(word, digits, 1, 40)}
        case "first":
            return {"kind": "truncate", "length": scanner.number_between(word, digits, 1, 10**6)}
        case "plus":
            return {"kind": "offset", "by": scanner.number_between(word, digits, 0, 2**63 - 1)}
        case "minus":
            return {"kind": "offset", "by": -scanner.number_between(word, digits, 0, 2**63)}
        case "bytes":
            return {"kind": "big_endian", "length": scanner.number_between(word, digits, 1, 8)}
        case "hex":
            return {"kind": "hex", "width": scanner.number_between(word, digits, 1, 40)}
        case "reverse":
            return {"kind": "reverse_digits"}
        case "domain":
            return {"kind": "reverse_domain"}
        case "percent":
            return {"kind": "percent"}
        case case:
            return {"kind": "case", "to": case}
