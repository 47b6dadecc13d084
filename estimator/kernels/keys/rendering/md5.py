"""MD5 of many short texts at once, in NumPy: ten times faster than one by one from some thousands on."""

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Bytes, Ints

from .texts import Texts

Words = NDArray[np.uint32]

LONGEST = 55
"""One block of 64 bytes holds a text of so many, the bit behind it and its length."""

_CHUNK = 8_192
_SHIFTS = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
# RFC 1321, 3.4: T[i] = floor(2^32 · |sin i|), i in radians.
_SINES = np.floor(np.abs(np.sin(np.arange(1, 65, dtype=np.float64))) * 2.0**32).astype(np.uint32)
_START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)


def md5(data: Texts) -> Bytes:
    """Return the 16 bytes of each text's MD5.

    Parameters
    ----------
    data
        Texts of at most `LONGEST` bytes.

    Returns
    -------
    uint8, shape (n, 16)

    References
    ----------
    RFC 1321.
    """
    out = np.empty((len(data), 4), dtype="<u4")
    for start in range(0, len(data), _CHUNK):
        rows = slice(start, start + _CHUNK)
        out[rows] = _block(_words(data.data[rows], data.length[rows]))
    return out.view(np.uint8)


def _words(data: Bytes, length: Ints) -> Words:
    """Return the padded block of each text as 16 words, one row per word."""
    block = np.zeros((len(data), 64), dtype=np.uint8)
    block[:, : data.shape[1]] = data
    # RFC 1321, 3.1 and 3.2: a 1 bit behind the text, then zeros, then the length in bits. Two bytes hold 8 · 55.
    block[np.arange(len(data)), length] = 0x80
    block[:, 56:58] = (length * 8).astype("<u2")[:, None].view(np.uint8)
    return np.ascontiguousarray(block.view("<u4").T)


def _block(words: Words) -> Words:
    a, b, c, d = (np.full(words.shape[1], start, dtype=np.uint32) for start in _START)
    # Rows of words are the lanes: each step is a few array operations over all texts of the chunk, into reused arrays.
    mixed, other = np.empty_like(a), np.empty_like(a)
    for step in range(64):
        turn, at = divmod(step, 16)
        if turn == 0:  # (b & c) | (~b & d)
            np.bitwise_xor(c, d, out=mixed)
            np.bitwise_and(mixed, b, out=mixed)
            np.bitwise_xor(mixed, d, out=mixed)
        elif turn == 1:  # (d & b) | (~d & c)
            np.bitwise_xor(b, c, out=mixed)
            np.bitwise_and(mixed, d, out=mixed)
            np.bitwise_xor(mixed, c, out=mixed)
        elif turn == 2:
            np.bitwise_xor(b, c, out=mixed)
            np.bitwise_xor(mixed, d, out=mixed)
        else:
            np.bitwise_not(d, out=mixed)
            np.bitwise_or(mixed, b, out=mixed)
            np.bitwise_xor(mixed, c, out=mixed)
        mixed += a
        mixed += _SINES[step]
        mixed += words[(at, (5 * at + 1) % 16, (3 * at + 5) % 16, (7 * at) % 16)[turn]]
        shift = _SHIFTS[turn][step % 4]
        np.left_shift(mixed, np.uint32(shift), out=other)
        np.right_shift(mixed, np.uint32(32 - shift), out=mixed)
        mixed |= other
        mixed += b
        a, b, c, d, mixed = d, mixed, b, c, a
    return np.stack([part + np.uint32(start) for part, start in zip((a, b, c, d), _START, strict=True)], axis=1)
