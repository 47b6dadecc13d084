"""Hashes of many texts at once."""

import hashlib
from collections.abc import Callable
from zlib import crc32

import numpy as np

from designer.document.hashes import ALPHABETS, HashAlgorithm, HashForm, bits_per_place
from estimator.results.arrays import Bytes, Ints

from . import md5
from .texts import Texts

ARRAY_LEAST = 2_000
"""From so many texts on, arrays beat one by one."""


def hash_texts(algorithm: HashAlgorithm, form: HashForm, digits: int, data: Texts) -> Texts:
    """Return the beginning of each text's hash in a form, as `render.hash_text`."""
    bits = bits_per_place(form)
    # Only the bytes that the first digits need: 8 hexadecimal digits take 4 of the 32 bytes of a SHA-256.
    used = -(-bits * digits // 8)
    raw = np.ascontiguousarray(_digests(algorithm, data)[:, :used])
    if form == "raw":
        return Texts.from_fixed(raw)
    if form == "hex":
        return Texts.from_fixed(np.ascontiguousarray(_HEX[raw].reshape(len(data), -1)[:, :digits]))
    wide = np.unpackbits(raw, axis=1)[:, : bits * digits]
    # The last digit of base 32 or base 64 can want bits behind the hash; they count as 0, as in RFC 4648.
    wide = np.pad(wide, ((0, 0), (0, bits * digits - wide.shape[1])))
    places = wide.reshape(len(data), digits, bits) @ (1 << np.arange(bits - 1, -1, -1))
    return Texts.from_fixed(np.frombuffer(ALPHABETS[form], np.uint8)[places])


def salts(data: Texts, modulo: int) -> Ints:
    """Return the salt of each text: as `render.salted`, modulo."""
    first = np.ascontiguousarray(_digests("md5", data)[:, :8]).view(">u8").reshape(-1)
    return (first.astype(np.uint64) % np.uint64(modulo)).astype(np.int64)


def _digests(algorithm: str, data: Texts) -> Bytes:
    if algorithm == "fnv1a":
        return _fnv1a(data)
    if algorithm == "md5" and len(data) >= ARRAY_LEAST and data.data.shape[1] <= md5.LONGEST:
        return md5.md5(data)
    hasher = _hash_function(algorithm)
    joined = b"".join([hasher(text) for text in data.tolist()])
    return np.frombuffer(joined, np.uint8).reshape(len(data), -1)


def _hash_function(algorithm: str) -> Callable[[bytes], bytes]:
    if algorithm == "crc32":
        return lambda text: crc32(text).to_bytes(4, "big")
    new = getattr(hashlib, algorithm)
    return lambda text: bytes(new(text, usedforsecurity=False).digest())


def _fnv1a(data: Texts) -> Bytes:
    """64-bit FNV-1a, as `designer.document.hashes.fnv1a`."""
    state = np.full(len(data), 0xCBF29CE484222325, dtype=np.uint64)
    for place in range(data.data.shape[1]):
        # Offset basis and prime of 64-bit FNV-1a; uint64 wraps modulo 2^64, as the algorithm requires. Rows that have
        # ended keep their state, since padding is no part of the text.
        more = (state ^ data.data[:, place]) * np.uint64(0x100000001B3)
        state = more if data.is_fixed else np.where(place < data.length, more, state)
    return state.astype(">u8").view(np.uint8).reshape(-1, 8)


_HEX = np.frombuffer("".join(f"{byte:02x}" for byte in range(256)).encode(), np.uint8).reshape(256, 2)
