"""Options in a key text: of fields, as their transforms, and of hashes, salts and parts."""

import re
from typing import Any

from ..hashes import ALGORITHMS, HASH_FORMS
from ..texts import N_, TextList
from .scanning import KeyTextError, TextScanner, Word

TRANSFORMS = "padN, reverse, domain, lower, upper, firstN, plusN, minusN, from=N, hexN, bytesN, percent"
_TRANSFORM = re.compile(r"(pad|first|plus|minus|bytes|hex)(\d+)|reverse|domain|lower|upper|percent")


def transform_of(scanner: TextScanner, name: str, word: Word) -> dict[str, Any]:
    """Return the transform that an option means; raise `KeyTextError` where it is none."""
    if name == "from":
        return {"kind": "descending", "top": scanner.whole_number(word, minimum=0)}
    match = None if name or word.quoted else _TRANSFORM.fullmatch(word.text)
    if match is None:
        option = f"{name}={word.text}" if name else word.text
        raise KeyTextError(
            word.at, N_("{option} is not a transform; use one of {known}"), option=option, known=TRANSFORMS
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


def hash_options(scanner: TextScanner, options: list[tuple[str, Word]]) -> dict[str, Any]:
    """Return what the options of a hash set."""
    found: dict[str, Any] = {}
    for name, word in options:
        if not name and word.text in ALGORITHMS:
            found["algorithm"] = word.text
        elif not name and word.text in HASH_FORMS:
            found["form"] = word.text
        elif not name and word.text.isdecimal():
            found["digits"] = scanner.whole_number(word, minimum=1, maximum=64)
        else:
            known, forms = TextList(ALGORITHMS), TextList(HASH_FORMS)
            message = N_("a hash takes a length, one of {known} and one of {forms}")
            raise KeyTextError(word.at, message, known=known, forms=forms)
    return found


def modulo_of(scanner: TextScanner, head: Word, options: list[tuple[str, Word]]) -> int:
    """Return the number of values of a salt."""
    if len(options) != 1 or options[0][0]:
        raise KeyTextError(head.at, N_("a salt needs its number of values, for example salt(user):16"))
    return scanner.whole_number(options[0][1], minimum=1, maximum=65_536)


def part_options(scanner: TextScanner, options: list[tuple[str, Word]]) -> dict[str, Any]:
    """Return what the options of a part of a value set."""
    found: dict[str, Any] = {}
    for name, word in options:
        if name == "before":
            found["before"] = word.text
        elif name in ("start", "length"):
            found[name] = scanner.whole_number(word, minimum=0 if name == "start" else 1)
        else:
            raise KeyTextError(word.at, N_("a part takes start, length and before, not {name}"), name=name)
    return found
