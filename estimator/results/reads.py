"""Access of one read by the engine."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .arrays import Floats
from .unknown import UnknownReason

Access = Literal["point", "multi_point", "range", "multi_range", "prefix", "scan"]


@dataclass(frozen=True, eq=False)
class ReadCourse:
    """Work of one request over the horizon, which follows what is stored."""

    node_seconds: Floats
    """(months + 1,) on the first day, and after each month."""
    mean_node_seconds: Floats
    """(months,) in the mean of each month."""
    mean_bytes_returned: Floats
    """(months,) in the mean of each month."""

    def of_month(self, month: int) -> "ReadCourse":
        """Return that of one month alone, from 0."""
        ends, mean = slice(month, month + 2), slice(month, month + 1)
        return ReadCourse(self.node_seconds[ends], self.mean_node_seconds[mean], self.mean_bytes_returned[mean])


@dataclass(frozen=True)
class ReadPlan:
    """Access of one read by the engine: the known prefix of the key, and what is scanned for it."""

    read: str
    row_kind: str
    access: Access
    bound: tuple[str, ...]
    """Ids of the leading segments that the caller's knowledge fixes."""
    open_at: str | None
    """The first segment that is not fixed, if any: everything from here on is scanned or filtered."""
    filtered: tuple[str, ...]
    """Segments that the caller knows but that stand after the open one: filtered, not found."""
    ranges: float
    """Separate ranges (or keys) per request: salts, enumerations, keys per call, buckets of a time range."""
    rows_scanned: float
    rows_returned: float
    cells_returned: float
    bytes_scanned: float
    bytes_returned: float
    """With qualifier and timestamp per cell, the family once for its cells and the key once a row, uncompressed."""
    bytes_wanted: float
    """Of those returned: less where the caller needs only a part of each value."""
    node_seconds: float
    """Node time per request."""
    per_second: float | None
    """Mean rate over the week at the end of the horizon."""
    rows_total: float | None
    """Rows in the row kind at the end of the horizon: what a full scan reads."""
    row_bytes_above: float = 0.0
    """By how much a row of the largest values that the read asks for exceeds the mean row."""
    bytes_dragged: float = 0.0
    """Of the bytes scanned: columns that the read does not want, in families that it must touch."""
    bytes_filtered: float = 0.0
    """Of the bytes scanned: cells of wanted columns that a filter drops, by version, qualifier or value."""

    listed: tuple[str, ...] = ()
    """Segments that the caller does not know and asks for value by value."""
    ends_at_limit: bool = False
    """The scan ends at the last row of its limit, whatever lies behind it."""
    refused: UnknownReason | None = None
    """Why the engine cannot answer it: no load and no cost is computed from such a read."""
    course: ReadCourse | None = field(default=None, compare=False, repr=False)
    """Its work in other months; None: the same as at the end of the horizon."""

    def over(self, months: int) -> ReadCourse:
        """Return its work over a horizon of so many months, the last of which may be a part of one."""
        if self.course is not None:
            return self.course
        seconds = np.full(months + 1, self.node_seconds)
        return ReadCourse(seconds, seconds[1:], np.full(months, self.bytes_returned))

    @property
    def rows_to_scan(self) -> float:
        """Rows scanned, as people expect: who knows the key, or the beginning, of rows that exist reads one at least.

        The mean is less where some that are asked for are not there, and that is what load and cost follow from.
        """
        return self._expectation(self.rows_scanned)

    @property
    def rows_to_return(self) -> float:
        """Rows returned, as people expect."""
        return self._expectation(self.rows_returned)

    def _expectation(self, rows: float) -> float:
        return 1.0 if self.access in ("point", "prefix") and 0 < rows < 1 else rows

    @property
    def has_actual_rows(self) -> bool:
        """True if its rows are those that will exist; before any rate is known, all possible rows are used."""
        return self.rows_total is not None or self.access in ("point", "multi_point")
