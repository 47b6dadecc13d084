"""Forms in which keys hold hashes: hexadecimal digits, base64 and raw bytes, bit for bit."""

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, get_args
from zlib import crc32

HashAlgorithm = Literal["md5", "sha1", "sha256", "fnv1a", "crc32"]
HashForm = Literal["hex", "base64", "base64url", "raw"]

ALGORITHMS: tuple[HashAlgorithm, ...] = get_args(HashAlgorithm)
HASH_FORMS: tuple[HashForm, ...] = get_args(HashForm)

HASH_BITS: Mapping[HashAlgorithm, int] = {"md5": 128, "sha1": 160, "sha256": 256, "fnv1a": 64, "crc32": 32}
"""Bits of each hash; the numbers of fnv1a and crc32 are taken as big-endian bytes."""

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ALPHABETS: Mapping[HashForm, bytes] = {
    "hex": b"0123456789abcdef",
    "base64": _DIGITS + b"+/",
    "base64url": _DIGITS + b"-_",
    "raw": bytes(range(256)),
}
"""What stands for 0, 1, 2, … in each form (RFC 4648, sections 4, 5 and 8, with lower-case digits)."""


def bits_per_place(form: HashForm) -> int:
    """Return the bits that one digit, character or byte of a form holds."""
    return len(ALPHABETS[form]).bit_length() - 1  # alphabets have 2^bits letters


def full_hash_length(algorithm: HashAlgorithm, form: HashForm) -> int:
    """Return the digits, characters without padding, or bytes of a whole hash."""
    return -(-HASH_BITS[algorithm] // bits_per_place(form))


def hash_values(algorithm: HashAlgorithm, form: HashForm, length: int) -> float:
    """Return how many different texts the beginning of a hash can be."""
    return 2.0 ** min(length * bits_per_place(form), HASH_BITS[algorithm])


@lru_cache(maxsize=256)
def hash_letters(algorithm: HashAlgorithm, form: HashForm, length: int) -> tuple[bytes, ...]:
    """Return the letters of each place of the beginning of a hash, in byte order; all of a place are as likely.

    The last character of a whole hash in base64 holds the bits that are left, with zeros behind them.
    """
    alphabet, bits = ALPHABETS[form], bits_per_place(form)
    surplus = [max(bits * (place + 1) - HASH_BITS[algorithm], 0) for place in range(length)]
    # A letter with spare bits, which are zeros, is one of every 2^spare of the alphabet.
    return tuple(bytes(sorted(alphabet[:: 1 << spare])) for spare in surplus)


def hash_digest(algorithm: HashAlgorithm, data: bytes) -> bytes:
    """Return a hash as bytes; `fnv1a` is the 64-bit one, big-endian as `crc32` is."""
    if algorithm == "fnv1a":
        return fnv1a(data).to_bytes(8, "big")
    if algorithm == "crc32":
        return crc32(data).to_bytes(4, "big")
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()


def fnv1a(data: bytes) -> int:
    """64-bit FNV-1a.

    Examples
    --------
    >>> hex(fnv1a(b"foobar"))
    '0x85944171f73967e8'

    References
    ----------
    Fowler, Noll, Vo; draft-eastlake-fnv.
    """
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return state


def encode_hash(digest: bytes, form: HashForm) -> bytes:
    """Return a whole hash as a form writes it, base64 without the padding `=`.

    >>> encode_hash(bytes.fromhex("fb ff bf"), "base64"), encode_hash(bytes.fromhex("fb ff bf"), "base64url")
    (b'+/+/', b'-_-_')
    """
    match form:
        case "raw":
            return digest
        case "hex":
            return digest.hex().encode()
        case "base64":
            return base64.b64encode(digest).rstrip(b"=")
        case "base64url":
            return base64.urlsafe_b64encode(digest).rstrip(b"=")
