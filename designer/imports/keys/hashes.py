"""Detection of columns that are hash prefixes of other columns, by computing the hashes."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from zlib import crc32

from designer.document.key import HEX_DIGITS
from designer.document.texts import N_, Text

from .columns import Draft, draft

CHECKED = 60
"""So many keys are hashed to see whether it is so."""
MOST = 0.97
HASH = N_("the first {digits} hex digits of {algorithm} of another segment")
_HEX = re.compile(r"[0-9a-f]+")
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 64)
MODULI = (2, 3, 4, 5, 8, 10, 12, 16, 20, 24, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024, 4096)


def _fnv1a(text: bytes) -> str:
    state = 0xCBF29CE484222325
    for byte in text:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"


DIGESTS: dict[str, Callable[[bytes], str]] = {
    "md5": lambda text: hashlib.md5(text, usedforsecurity=False).hexdigest(),
    "sha1": lambda text: hashlib.sha1(text, usedforsecurity=False).hexdigest(),
    "sha256": lambda text: hashlib.sha256(text).hexdigest(),
    "crc32": lambda text: f"{crc32(text):08x}",
    "fnv1a": _fnv1a,
}


def hashed(found: list[Draft]) -> list[Draft]:
    """Return the drafts with hashes and salts of other columns recognised, also at the beginning of a column.

    `of` in such a segment holds the places of the hashed parts; `plain` means that the parts are hashed in the
    form that they have in the key.
    """
    parts = [part for one in found for part in _beginning(one)]
    placed = [_at(place, part) for place, part in enumerate(parts)]
    return [_hash(place, placed) or one for place, one in enumerate(placed)]


def _at(place: int, part: Draft) -> Draft:
    """Return the draft; a hash that precedes its source gets the place of that source."""
    return replace(part, segment={**part.segment, "of": (place + 1,)}) if "of" in part.segment else part


def _sources(place: int, found: Sequence[Draft]) -> Iterator[tuple[tuple[int, ...], list[str], bool]]:
    """Fields that a hash could be of: each, neighbours, all; as numbers and as they stand in the key (`plain`)."""
    fields = [n for n, one in enumerate(found) if n != place and one.field is not None]
    groups: list[tuple[int, ...]] = [*((n,) for n in fields), *pairwise(fields)]
    groups += [tuple(fields)] if len(fields) > 2 else []
    for group in groups:
        for plain in (False, True):
            columns = [(found[n].values if plain else found[n].texts)[:CHECKED] for n in group]
            yield group, ["".join(row) for row in zip(*columns, strict=True)], plain


def _hash(place: int, found: list[Draft]) -> Draft | None:
    one = found[place]
    some = one.values[:CHECKED]
    if one.sure or one.segment["kind"] != "field" or len({len(value) for value in some}) != 1:
        return None
    digits = len(some[0])
    for group, texts, plain in _sources(place, found):
        if (algorithm := _algorithm(some, texts)) is not None:
            segment = {"kind": "hash", "of": group, "plain": plain, "algorithm": algorithm, "digits": digits}
            return _made(one, segment, HASH, segment)
        if (modulo := _modulo(some, texts)) is not None:
            segment = {"kind": "salt", "of": group, "plain": plain, "modulo": modulo}
            return _made(one, segment, N_("a hash of another segment, modulo {modulo}"), segment)
    return None


def _made(one: Draft, segment: dict[str, Any], message: str, params: dict[str, Any]) -> Draft:
    after = {"after": one.segment["after"]} if "after" in one.segment else {}
    shown = {name: held for name, held in params.items() if isinstance(held, str | int)}
    return Draft({**segment, **after}, one.values, Text(message, shown))


def _algorithm(some: Sequence[str], texts: Sequence[str]) -> str | None:
    digits = len(some[0])
    if len(set(texts)) < 5 or digits > 64:
        return None
    for name, digest in DIGESTS.items():
        if digits <= HEX_DIGITS[name] and digest(_raw(texts[0]))[:digits] == some[0]:
            agree = sum(digest(_raw(text))[:digits] == value for text, value in zip(texts, some, strict=True))
            if agree >= MOST * len(some):
                return name
    return None


def _modulo(some: Sequence[str], texts: Sequence[str]) -> int | None:
    if len(set(texts)) < 5 or len(set(some)) < 2 or not all(v.isdecimal() and len(v) <= 4 for v in some):
        return None
    width, most = len(some[0]), max(map(int, some))
    numbers = [int.from_bytes(hashlib.md5(_raw(text), usedforsecurity=False).digest()[:8], "big") for text in texts]
    for modulo in sorted({most + 1, *MODULI}):
        if modulo > most and len(str(modulo - 1)) == width:
            agree = sum(number % modulo == int(value) for number, value in zip(numbers, some, strict=True))
            if agree >= MOST * len(some):
                return modulo
    return None


def _beginning(one: Draft) -> Iterator[Draft]:
    """Yield a column that begins with a hash of its own rest as two columns, else the column unchanged."""
    found = _head(one.values) if one.segment["kind"] == "field" and not one.sure else None
    if found is None:
        yield one
        return
    digits, algorithm, plain = found
    segment = {"kind": "hash", "of": (), "plain": plain, "algorithm": algorithm, "digits": digits}
    yield _made(Draft({}, [value[:digits] for value in one.values], one.what), segment, HASH, segment)
    rest = draft([value[digits:] for value in one.values])
    after = {"after": one.segment["after"]} if "after" in one.segment else {}
    yield replace(rest, segment={**rest.segment, **after})


def _head(values: Sequence[str]) -> tuple[int, str, bool] | None:
    """Return the number of leading characters that are a hash of the rest, and its algorithm.

    The third value is true if the rest is hashed in the form that it has in the key.
    """
    some, shortest = values[:CHECKED], min(map(len, values))
    for digits in (n for n in LENGTHS if n < shortest):
        head = [value[:digits] for value in some]
        if not all(_HEX.fullmatch(text) for text in head):
            return None
        for plain in (True, False):
            rest = [value[digits:] if plain else value[digits:].lstrip("0") for value in some]
            if (algorithm := _algorithm(head, rest)) is not None:
                return digits, algorithm, plain
    return None


def _raw(text: str) -> bytes:
    return text.encode("latin-1")
