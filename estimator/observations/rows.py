"""Rows as `cbt read` and `cbt lookup` print them → the mean lengths of their keys, qualifiers and values."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from .measurements import SampledFamily, SampledRows

RULE = "-" * 40
"""The line before each row (read off the command's own output, cbt of the Google Cloud SDK, 2026-11-27)."""
_FAMILY = re.compile(r"  ([-_.A-Za-z0-9]{1,64})")
_TIME = re.compile(r"\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{6}\r?")
_VALUE = re.compile(r'    "(.*)"\r?')
_ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u([0-9a-f]{4})|U([0-9a-f]{8})|.)")
_REPLACEMENT = "\ufffd"


@dataclass
class _Lengths:
    cells: int = 0
    qualifier_bytes: int = 0
    values: int = 0
    value_bytes: int = 0


@dataclass
class _Rows:
    """Adds up the lengths of rows, line by line."""

    rows: int = 0
    key_bytes: int = 0
    families: defaultdict[str, _Lengths] = field(default_factory=lambda: defaultdict(_Lengths))
    _is_in_key: bool = False
    _last: _Lengths | None = None

    def take(self, line: str) -> None:
        """Take one line; a key may have several, with line ends of its own."""
        cell = _cell(line)
        value = _VALUE.fullmatch(line) if self._last is not None else None
        if line.removesuffix("\r") == RULE:
            self.rows, self._is_in_key, self._last = self.rows + 1, True, None
            self.key_bytes -= 1  # the end of a key's last line is not its own
        elif cell and self.rows:
            self._is_in_key, self._last = False, self.families[cell[0]]
            self._last.cells += 1
            self._last.qualifier_bytes += _size(cell[1])
        elif self._is_in_key:
            self.key_bytes += _size(line.removesuffix("\r")) + 1
        elif self._last is not None:
            self._last.values += value is not None
            self._last.value_bytes += 0 if value is None else _size(_ESCAPE.sub(_unescape, value[1]))
            self._last = None


def _cell(line: str) -> tuple[str, str] | None:
    """Return family and qualifier of a line that names a cell."""
    column, at, time = line.rpartition("@ ")
    name, colon, qualifier = column.partition(":")
    family = _FAMILY.fullmatch(name)
    return (family[1], qualifier.rstrip(" ")) if at and colon and family and _TIME.fullmatch(time) else None


def _unescape(match: re.Match[str]) -> str:
    """Return a text as long as what Go quotes so."""
    code = match[1] or match[2]
    if code is None or int(code, 16) > 0x10FFFF:
        return "x"
    character = chr(int(code, 16))
    return _REPLACEMENT if "\ud800" <= character <= "\udfff" else character  # half a character is written as that


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def sampled_rows(lines: Iterable[str], table: str) -> SampledRows | None:
    """Return the mean lengths of the rows in these lines; None if there is none."""
    totals = _Rows()
    for line in lines:
        totals.take(line)
    if totals.key_bytes <= 0 or not totals.families:
        return None
    families = (
        SampledFamily(
            name,
            family.cells,
            family.qualifier_bytes / family.cells,
            family.value_bytes / family.values if family.values else None,
        )
        for name, family in sorted(totals.families.items())
    )
    return SampledRows(table, totals.rows, totals.key_bytes / totals.rows, tuple(families))
