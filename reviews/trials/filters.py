"""Filters of cells that the reads of a design ask for, without the words of any client."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from designer.document.key import Segment
from designer.wording.printable import printable
from reviews.exports.cbt import age_text
from reviews.exports.shared import gc

REGEX_BYTES_MAX = 20_000
"""A filter may have 20 KB (Bigtable, "Using filters", read 2026-11-26)."""


@dataclass(frozen=True)
class KeyRegex:
    """Rows whose key matches."""

    pattern: bytes

    def __str__(self) -> str:
        return f"RowKey({_readable_text(self.pattern)})"

    def matches(self, key: bytes) -> bool:
        """Return whether the engine takes a key."""
        python = self.pattern.decode("latin-1").replace(ANY, ".*")
        return re.fullmatch(python, key.decode("latin-1"), re.DOTALL) is not None


@dataclass(frozen=True)
class ColumnChoice:
    """Cells of some columns: names of families, each with a regular expression of qualifiers, or None for all."""

    columns: tuple[tuple[str, bytes | None], ...]

    def __str__(self) -> str:
        shown = (name if regex is None else f"{name}:{_readable_text(regex)}" for name, regex in self.columns)
        return f"Columns({', '.join(shown)})"


@dataclass(frozen=True)
class AgeLimit:
    """Cells that are not older."""

    days: float

    def __str__(self) -> str:
        return f"NewerThan({age_text(max(round(self.days * gc.DAY_MS), 1))})"


@dataclass(frozen=True)
class VersionLimit:
    """The newest so many cells of each column."""

    count: int

    def __str__(self) -> str:
        return f"CellsPerColumn({self.count})"


@dataclass(frozen=True)
class CellLimit:
    """The first so many cells of each row."""

    count: int

    def __str__(self) -> str:
        return f"CellsPerRow({self.count})"


CellFilter = KeyRegex | ColumnChoice | AgeLimit | VersionLimit | CellLimit
ANY = r"\C*"
"""Any bytes, in the engine's regular expressions (RE2)."""


def filter_text(filters: Sequence[CellFilter]) -> str:
    """Return filters in the order in which they apply."""
    return " → ".join(map(str, filters))


def quote(text: bytes) -> bytes:
    """Return the regular expression of exactly these bytes."""
    return b"".join(
        bytes([one]) if chr(one).isascii() and chr(one).isalnum() else b"\\x%02x" % one for one in text
    )  # fmt: skip


def key_pattern(texts: Sequence[tuple[Segment, bytes | None]], delimiters: Sequence[bytes]) -> bytes:
    """Return the regular expression of keys of which some segments are known, each with the delimiter behind it."""
    pieces = (ANY.encode() if text is None else quote(text) for _, text in texts)
    return b"".join(piece + quote(after) for piece, after in zip(pieces, delimiters, strict=True))


def any_of(patterns: Sequence[bytes]) -> bytes:
    """Return the regular expression of what matches one of several."""
    return patterns[0] if len(patterns) == 1 else b"(?:" + b"|".join(patterns) + b")"


def _readable_text(pattern: bytes) -> str:
    readable = re.sub(
        rb"\\x([0-9a-f]{2})",
        lambda found: bytes([int(found[1], 16)]) if 32 < int(found[1], 16) < 127 else found[0],
        pattern,
    )
    return printable(readable.decode("latin-1"))
