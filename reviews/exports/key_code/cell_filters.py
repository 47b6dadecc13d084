"""Filters of cells that reads ask for: values, and the messages of Bigtable's API that they are.

The names are those of `google.bigtable.v2.RowFilter` in protobuf's JSON mapping (its .proto file, read 2026-11-26):
every language and client library can read these.
"""

import base64
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from designer.document.key import LiteralSegment, Segment, as_bytes, as_text
from designer.wording.printable import printable

from ..cbt import age_text
from ..shared import gc

REGEX_BYTES_MAX = 20_000
"""A filter may have 20 KB (Bigtable, "Using filters", read 2026-11-26)."""
ANY = rb"\C*"
"""Any bytes, in the engine's regular expressions (RE2)."""
_PRINTABLE = re.compile(rb"[ -~]*")


@dataclass(frozen=True)
class KeyRegex:
    """Rows whose key matches."""

    pattern: bytes

    def __str__(self) -> str:
        return f"RowKey({_readable_text(self.pattern)})"

    def matches(self, key: bytes) -> bool:
        """Return whether the engine takes a key."""
        return _matches(self.pattern, key)


@dataclass(frozen=True)
class ColumnPattern:
    """Qualifiers that match a regular expression."""

    pattern: bytes
    beginning: bytes = b""
    """With what all of them begin."""

    def matches(self, qualifier: bytes) -> bool:
        """Return whether the engine takes a qualifier."""
        return _matches(self.pattern, qualifier)


@dataclass(frozen=True)
class ColumnRange:
    """Qualifiers from a first one to what is behind the last; an empty end is none."""

    first: bytes
    end: bytes
    beginning: bytes = b""
    """With what all of them begin, whatever the caller names."""

    def may_meet(self, other: "ColumnPattern | ColumnRange") -> bool:
        """Return whether a qualifier may be among those of another choice, too."""
        return self.beginning.startswith(other.beginning) or other.beginning.startswith(self.beginning)

    def matches(self, qualifier: bytes) -> bool:
        """Return whether the engine takes a qualifier."""
        return self.first <= qualifier and (not self.end or qualifier < self.end)


@dataclass(frozen=True)
class FamilyChoice:
    """Cells of one family; no columns: all of them."""

    family: str
    columns: tuple[bytes | ColumnPattern | ColumnRange, ...] = ()
    """Qualifiers, patterns and ranges of them."""

    def holds(self, family: str, qualifier: bytes) -> bool:
        """Return whether a cell is chosen."""
        return family == self.family and (
            not self.columns
            or any(
                column == qualifier if isinstance(column, bytes) else column.matches(qualifier)
                for column in self.columns
            )
        )

    def __str__(self) -> str:
        texts = map(_column_text, self.columns)
        names = "|".join(texts)
        return f"{self.family}:{names}" if self.family and names else self.family or names


def _column_text(column: bytes | ColumnPattern | ColumnRange) -> str:
    match column:
        case ColumnPattern(pattern=pattern):
            return _readable_text(pattern)
        case ColumnRange(first=first, end=end):
            return f"[{as_text(first)}, {as_text(end)})"
    return as_text(column)


@dataclass(frozen=True)
class ColumnChoice:
    """Cells of some families; of none: nothing."""

    families: tuple[FamilyChoice, ...]

    def __str__(self) -> str:
        return f"Columns({', '.join(map(str, self.families))})"


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


def filter_text(filters: Sequence[CellFilter]) -> str:
    """Return filters in the order in which they apply."""
    return " → ".join(map(str, filters))


# --- regular expressions ---


def quote(text: bytes) -> bytes:
    """Return the regular expression of exactly these bytes, as RE2 quotes them and Google's clients do.

    Bytes above ASCII stay as they are: as an escape, RE2 would take one for a character and match its UTF-8.

    References
    ----------
    QuoteMeta of RE2, whose syntax the filters have.
    """
    # NUL has an escape of its own: a backslash before the byte itself is no valid expression.
    return re.sub(rb"[^A-Za-z0-9_\x80-\xff]", lambda match: rb"\x00" if match[0] == b"\0" else b"\\" + match[0], text)


def key_pattern(texts: Sequence[tuple[Segment, bytes | None]], delimiters: Sequence[bytes]) -> bytes:
    """Return the regular expression of keys of which some segments are known, each with the delimiter behind it.

    A literal is known to everybody: what tells the columns of a family apart is often nothing else.
    """
    pieces = (_segment_pattern(segment, text) for segment, text in texts)
    return b"".join(piece + quote(after) for piece, after in zip(pieces, delimiters, strict=True))


def _segment_pattern(segment: Segment, text: bytes | None) -> bytes:
    if isinstance(segment, LiteralSegment):
        return quote(as_bytes(segment.text))
    return ANY if text is None else quote(text)


def any_of(patterns: Sequence[bytes]) -> bytes:
    """Return the regular expression of what matches one of several."""
    return patterns[0] if len(patterns) == 1 else b"(?:" + b"|".join(patterns) + b")"


def _matches(pattern: bytes, text: bytes) -> bool:
    # Python's re has no \C; for bytes, "." with DOTALL is the same.
    return re.fullmatch(pattern.replace(ANY, b".*"), text, re.DOTALL) is not None


def _readable_text(pattern: bytes) -> str:
    return printable(re.sub(rb"\\([^A-Za-z0-9])", rb"\1", pattern).decode("latin-1"))


# --- messages ---


def filter_message(filters: Sequence[CellFilter], start_us: Callable[[float], str]) -> Mapping[str, Any]:
    """Return filters as one message.

    Parameters
    ----------
    filters
        In the order in which they apply.
    start_us
        Days → the time of the oldest cells that old, in microseconds as JSON has them: a text.
    """
    messages = [_message(cell_filter, start_us) for cell_filter in filters]
    return _combine("chain", messages) if messages else {"passAllFilter": True}


def _message(cell_filter: CellFilter, start_us: Callable[[float], str]) -> Mapping[str, Any]:
    match cell_filter:
        case KeyRegex(pattern=pattern):
            return {"rowKeyRegexFilter": _base64(pattern)}
        case ColumnChoice(families=families):
            return _choice_message(families)
        case AgeLimit(days=days):
            return {"timestampRangeFilter": {"startTimestampMicros": start_us(days)}}
        case VersionLimit(count=count):
            return {"cellsPerColumnLimitFilter": count}
        case CellLimit(count=count):
            return {"cellsPerRowLimitFilter": count}
        case _:
            assert_never(cell_filter)


def _choice_message(families: Sequence[FamilyChoice]) -> Mapping[str, Any]:
    if not families:
        return {"blockAllFilter": True}
    if not any(family.columns for family in families):
        return {"familyNameRegexFilter": "|".join(map(_name_regex, families))}
    return _combine("interleave", [_family_message(family) for family in families])


def _name_regex(choice: FamilyChoice) -> str:
    return quote(choice.family.encode()).decode()


def _family_message(choice: FamilyChoice) -> Mapping[str, Any]:
    family = {"familyNameRegexFilter": _name_regex(choice)}
    if not choice.columns:
        return family
    own_ranges = [column for column in choice.columns if isinstance(column, ColumnRange)]
    ranges = [
        _combine(
            "chain",
            [_range_message(choice.family, column), *_outside_messages(choice.family, own_ranges[:place], [column])],
        )
        for place, column in enumerate(own_ranges)
    ]
    qualifiers = [column for column in choice.columns if not isinstance(column, ColumnRange)]
    exact = [qualifier for qualifier in qualifiers if isinstance(qualifier, bytes)]
    if len(exact) == len(qualifiers) and not all(map(_PRINTABLE.fullmatch, exact)):
        return _combine(
            "interleave", [*ranges, *(_qualifier_message(choice.family, _base64(qualifier)) for qualifier in exact)]
        )
    if not qualifiers:
        return _combine("interleave", ranges)
    pattern = b"|".join(
        qualifier.pattern if isinstance(qualifier, ColumnPattern) else quote(qualifier) for qualifier in qualifiers
    )
    patterns = [qualifier for qualifier in qualifiers if isinstance(qualifier, ColumnPattern)]
    outside = _outside_messages(choice.family, own_ranges, patterns)
    by_name = _combine("chain", [family, {"columnQualifierRegexFilter": _base64(pattern)}, *outside])
    return _combine("interleave", [*ranges, by_name])


def _outside_messages(
    family: str, ranges: Sequence[ColumnRange], others: Sequence[ColumnPattern | ColumnRange]
) -> Iterator[Mapping[str, Any]]:
    """Yield filters of what is outside of the ranges that others may meet: an interleave returns a cell of both twice.

    References
    ----------
    `RowFilter.Interleave` in Bigtable's data.proto (read 2026-11-29).
    """
    for column in ranges:
        if any(map(column.may_meet, others)):
            ends = [{"endQualifierOpen": column.first}, *([{"startQualifierClosed": column.end}] if column.end else [])]
            sides = [{name: _base64(end) for name, end in side.items()} for side in ends]
            yield _combine("interleave", [{"columnRangeFilter": {"familyName": family, **side}} for side in sides])


def _range_message(family: str, column: ColumnRange) -> Mapping[str, Any]:
    ends = {"startQualifierClosed": column.first, "endQualifierOpen": column.end}
    return {"columnRangeFilter": {"familyName": family, **{name: _base64(end) for name, end in ends.items() if end}}}


def _qualifier_message(family: str, qualifier: str) -> Mapping[str, Any]:
    """Return the filter of one qualifier as it is, where a regular expression would have to quote its bytes."""
    return {
        "columnRangeFilter": {"familyName": family, "startQualifierClosed": qualifier, "endQualifierClosed": qualifier}
    }


def _combine(how: str, messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return messages[0] if len(messages) == 1 else {how: {"filters": messages}}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
