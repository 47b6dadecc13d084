"""Hashes of many texts at once."""

import hashlib
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from . import render
from .texts import Texts


def hash_texts(algorithm: str, data: Texts, *, digits: int) -> Texts:
    """The first hex digits of each text's hash."""
    raw = _digests(algorithm, data)
    hexes = _HEX[raw].reshape(len(data), -1)
    return Texts.fixed(np.ascontiguousarray(hexes[:, :digits]))


def salts(data: Texts, modulo: int) -> NDArray[np.int64]:
    """The salt of each text: as `render.salted`, modulo."""
    first = np.ascontiguousarray(_digests("md5", data)[:, :8]).view(">u8").reshape(-1)
    return (first.astype(np.uint64) % np.uint64(modulo)).astype(np.int64)


def _digests(algorithm: str, data: Texts) -> NDArray[np.uint8]:
    texts = data.tolist()
    if algorithm == "fnv1a":
        joined = b"".join(render.fnv1a(text).to_bytes(8, "big") for text in texts)
    elif algorithm == "crc32":
        joined = b"".join(crc32(text).to_bytes(4, "big") for text in texts)
    else:
        new = getattr(hashlib, algorithm)
        joined = b"".join([new(text, usedforsecurity=False).digest() for text in texts])
    return np.frombuffer(joined, np.uint8).reshape(len(texts), -1)


_HEX = np.frombuffer("".join(f"{byte:02x}" for byte in range(256)).encode(), np.uint8).reshape(256, 2)
