"""Conversion of pasted text or a file into keys as bytes, one per line.

Lines are plain, quoted, escaped or hexadecimal, or they are rows in the output of `cbt read` or of HBase's `scan`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_BYTES = 8 << 20
MOST_KEYS = 1_000_000
LONGEST = 4096
"""Bytes of a row key that Bigtable takes (quotas, read 2026-11-20); what is longer is no key."""

_DASHES = re.compile(rb"-{20,}")
_SCAN_HEAD = re.compile(rb"ROW\s+COLUMN\+CELL\s*")
_SCANNED = re.compile(rb" (?P<key>\S(?:.*?\S)?)\s+column=\S+:.*")
_QUOTED = re.compile(rb"""b?(?P<sign>["'])(?P<text>.*)(?P=sign)""")
"""As programs write texts, and Python bytes: `b'user\\x00'`."""
_HEX = re.compile(rb"0x(?:[0-9a-fA-F]{2})+")
_ESCAPE = re.compile(rb'\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|([\\"\'nrt0]))')
_BARE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|(?!)()|(\\))")
"""Without quotes a backslash before a letter is more likely one of the key's own."""
_SIGNS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0"}
_FIRST = 1000
"""So many lines tell how the keys are written."""


@dataclass(frozen=True)
class KeyLines:
    """The keys of a text."""

    keys: tuple[bytes, ...]
    left_out: int
    """Lines longer than any key."""
    cut: bool
    """There was more than is looked at."""

    @property
    def is_sorted(self) -> bool:
        """Sorted as in the table: perhaps its beginning only."""
        return all(key <= other for key, other in pairwise(self.keys))


def read_lines(raw: bytes) -> KeyLines:
    """Read the keys of a text in their order, without empty lines."""
    is_truncated = len(raw) > MOST_BYTES
    # Notepad and Excel begin a text with the byte order mark, which is no part of the first key.
    lines = raw[:MOST_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if is_truncated and len(lines) > 1:
        lines.pop()  # the last one may be half a key
    rows = _rows([line.removesuffix(b"\r") for line in lines])
    keys = [key for key in _unescape_lines(rows[:MOST_KEYS]) if 0 < len(key) <= LONGEST]
    left_out = sum(len(line) > LONGEST for line in rows)
    return KeyLines(tuple(keys), left_out, is_truncated or len(rows) > MOST_KEYS)


def _rows(lines: Sequence[bytes]) -> list[bytes]:
    """Return the non-empty lines; of what `cbt read` and HBase's `scan` print, the keys alone, each once."""
    if any(_DASHES.fullmatch(line) for line in lines[:_FIRST]):
        # `cbt read` prints a line of dashes, then the key, then its cells.
        return [line for before, line in pairwise(lines) if line and _DASHES.fullmatch(before)]
    if any(_SCAN_HEAD.fullmatch(line) for line in lines[:_FIRST]):
        scanned = (match["key"] for line in lines if (match := _SCANNED.fullmatch(line)) is not None)
        return list(dict.fromkeys(scanned))  # a line for each cell
    return [line for line in lines if line.strip()]


def _unescape_lines(lines: Sequence[bytes]) -> Iterable[bytes]:
    """Return the bytes that the lines represent."""
    first = lines[:_FIRST]
    if first and all(_HEX.fullmatch(line) for line in first):
        return (bytes.fromhex(line[2:].decode()) if _HEX.fullmatch(line) else line for line in lines)
    # A spreadsheet writes the head of a column without quotes.
    quoted = first[1:] if len(first) > 1 and _QUOTED.fullmatch(first[0]) is None else first
    if quoted and all(map(_QUOTED.fullmatch, quoted)):
        return map(_unquote, lines)
    return map(unescape, lines)


def _unquote(line: bytes) -> bytes:
    match = _QUOTED.fullmatch(line)
    return line if match is None else _ESCAPE.sub(_unescape_byte, match["text"])


def unescape(line: bytes) -> bytes:
    r"""Return the bytes of a line without quotes, in which `\x00` stands for a byte."""
    return _BARE.sub(_unescape_byte, line) if b"\\" in line else line


def _unescape_byte(match: re.Match[bytes]) -> bytes:
    two, octal, four, sign = match.groups()
    if two:
        return bytes([int(two, 16)])
    if octal:
        # \777 is more than a byte; C takes the lower eight bits of it.
        return bytes([int(octal, 8) & 0xFF])
    if four:
        return chr(int(four, 16)).encode(errors="replace")
    return _SIGNS.get(sign, sign)
