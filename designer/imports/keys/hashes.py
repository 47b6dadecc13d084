"""Detection of columns that are hash prefixes of other columns, by computing the hashes."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from zlib import crc32

from designer.document.hashes import HashAlgorithm, HashForm, encode_hash, full_hash_length
from designer.document.texts import N_, Text

from .columns import SegmentDraft, draft_segment

CHECKED = 60
"""So many keys are hashed to see whether it is so."""
MOST = 0.97
_HEX = re.compile(r"[0-9a-f]+")
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 64)
MODULI = (2, 3, 4, 5, 8, 10, 12, 16, 20, 24, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024, 4096)


def _fnv1a(text: bytes) -> bytes:
    state = 0xCBF29CE484222325
    for byte in text:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state.to_bytes(8, "big")


DIGESTS: dict[HashAlgorithm, Callable[[bytes], bytes]] = {
    "md5": lambda text: hashlib.md5(text, usedforsecurity=False).digest(),
    "sha1": lambda text: hashlib.sha1(text, usedforsecurity=False).digest(),
    "sha256": lambda text: hashlib.sha256(text).digest(),
    "crc32": lambda text: crc32(text).to_bytes(4, "big"),
    "fnv1a": _fnv1a,
}
FORMS: Mapping[HashForm, str] = {
    "hex": N_("the first {digits} hex digits of {algorithm} of another segment"),
    "base64": N_("the first {digits} characters of {algorithm} of another segment in base64"),
    "base64url": N_("the first {digits} characters of {algorithm} of another segment in base64url"),
}
"""Forms that are recognised, and how they are said."""


PARTS_MAX = 32
"""In keys of more parts no part is tried as a hash of others: the pairs to try grow with the square of their number."""


def recognise_hashes(segment_drafts: list[SegmentDraft]) -> list[SegmentDraft]:
    """Return the drafts with hashes and salts of other columns recognised, also at the beginning of a column.

    `of` in such a segment holds the places of the hashed parts; `plain` means that the parts are hashed in the
    form that they have in the key.
    """
    parts = [part for segment_draft in segment_drafts for part in _split_leading_hash(segment_draft)]
    drafts = [_with_source_place(place, part) for place, part in enumerate(parts)]
    if len(drafts) > PARTS_MAX:
        return drafts
    return [_find_hash(place, drafts) or draft for place, draft in enumerate(drafts)]


def _with_source_place(place: int, part: SegmentDraft) -> SegmentDraft:
    """Return the draft; a hash that precedes its source gets the place of that source."""
    return replace(part, segment={**part.segment, "of": (place + 1,)}) if "of" in part.segment else part


def _sources(place: int, segment_drafts: Sequence[SegmentDraft]) -> Iterator[tuple[tuple[int, ...], list[str], bool]]:
    """Fields that a hash could be of: each, neighbours, all; as numbers and as they stand in the key (`plain`)."""
    fields = [n for n, draft in enumerate(segment_drafts) if n != place and draft.field is not None]
    groups: list[tuple[int, ...]] = [*((n,) for n in fields), *pairwise(fields)]
    groups += [tuple(fields)] if len(fields) > 2 else []
    for group in groups:
        for plain in (False, True):
            columns = [(segment_drafts[n].values if plain else segment_drafts[n].texts)[:CHECKED] for n in group]
            yield group, ["".join(row) for row in zip(*columns, strict=True)], plain


def _find_hash(place: int, segment_drafts: list[SegmentDraft]) -> SegmentDraft | None:
    draft = segment_drafts[place]
    some = draft.values[:CHECKED]
    if draft.is_certain or draft.segment["kind"] != "field" or len({len(value) for value in some}) != 1:
        return None
    digits = len(some[0])
    for group, texts, plain in _sources(place, segment_drafts):
        for form, message in FORMS.items():
            if (algorithm := _find_algorithm(some, texts, form)) is not None:
                segment = {"kind": "hash", "of": group, "plain": plain, "algorithm": algorithm, "digits": digits}
                return _hash_draft(draft, segment if form == "hex" else {**segment, "form": form}, message, segment)
        if (modulo := _find_modulo(some, texts)) is not None:
            segment = {"kind": "salt", "of": group, "plain": plain, "modulo": modulo}
            return _hash_draft(draft, segment, N_("a hash of another segment, modulo {modulo}"), segment)
    return None


def _hash_draft(source: SegmentDraft, segment: dict[str, Any], message: str, params: dict[str, Any]) -> SegmentDraft:
    after = {"after": source.segment["after"]} if "after" in source.segment else {}
    details = {name: value for name, value in params.items() if isinstance(value, str | int)}
    return SegmentDraft({**segment, **after}, source.values, Text(message, details))


def _find_algorithm(sample: Sequence[str], texts: Sequence[str], form: HashForm) -> HashAlgorithm | None:
    digits = len(sample[0])
    # Of few values, a short hash could fit by chance.
    if len(set(texts)) < 5 or len(set(sample)) < 2 or digits > 64:
        return None
    for name, digest in DIGESTS.items():
        # One hash first: nearly all candidates fail at it, and only the right one is computed for the whole sample.
        if digits <= full_hash_length(name, form) and _begin_hash(digest, form, texts[0], digits) == sample[0]:
            pairs = zip(texts, sample, strict=True)
            agree = sum(_begin_hash(digest, form, text, digits) == value for text, value in pairs)
            if agree >= MOST * len(sample):
                return name
    return None


def _begin_hash(digest: Callable[[bytes], bytes], form: HashForm, text: str, length: int) -> str:
    return encode_hash(digest(_raw(text)), form)[:length].decode("latin-1")


def _find_modulo(sample: Sequence[str], texts: Sequence[str]) -> int | None:
    if len(set(texts)) < 5 or len(set(sample)) < 2 or not all(v.isdecimal() and len(v) <= 4 for v in sample):
        return None
    width, most = len(sample[0]), max(map(int, sample))
    numbers = [int.from_bytes(hashlib.md5(_raw(text), usedforsecurity=False).digest()[:8], "big") for text in texts]
    # The largest remainder of a sample may be missing, so round numbers above it are tried as well.
    for modulo in sorted({most + 1, *MODULI}):
        if modulo > most and len(str(modulo - 1)) == width:
            agree = sum(number % modulo == int(value) for number, value in zip(numbers, sample, strict=True))
            if agree >= MOST * len(sample):
                return modulo
    return None


def _split_leading_hash(column: SegmentDraft) -> Iterator[SegmentDraft]:
    """Yield a column that begins with a hash of its own rest as two columns, else the column unchanged."""
    leading_hash = (
        _find_leading_hash(column.values) if column.segment["kind"] == "field" and not column.is_certain else None
    )
    if leading_hash is None:
        yield column
        return
    digits, algorithm, plain = leading_hash
    segment = {"kind": "hash", "of": (), "plain": plain, "algorithm": algorithm, "digits": digits}
    yield _hash_draft(
        SegmentDraft({}, [value[:digits] for value in column.values], column.what), segment, FORMS["hex"], segment
    )
    rest = draft_segment([value[digits:] for value in column.values])
    after = {"after": column.segment["after"]} if "after" in column.segment else {}
    yield replace(rest, segment={**rest.segment, **after})


def _find_leading_hash(values: Sequence[str]) -> tuple[int, str, bool] | None:
    """Return the number of leading characters that are a hash of the rest, and its algorithm.

    The third value is true if the rest is hashed in the form that it has in the key.
    """
    some, shortest = values[:CHECKED], min(map(len, values))
    # From the shortest on; each head must be hexadecimal, or no longer one can be.
    for digits in (n for n in LENGTHS if n < shortest):
        head = [value[:digits] for value in some]
        if not all(_HEX.fullmatch(text) for text in head):
            return None
        for plain in (True, False):
            rest = [value[digits:] if plain else value[digits:].lstrip("0") for value in some]
            if (algorithm := _find_algorithm(head, rest, "hex")) is not None:
                return digits, algorithm, plain
    return None


def _raw(text: str) -> bytes:
    return text.encode("latin-1")
