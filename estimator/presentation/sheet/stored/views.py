"""The table view: one table with sample rows of each of its row kinds."""

import datetime
from dataclasses import dataclass
from typing import Literal

from designer.document.texts import Text
from designer.wording import Chip
from estimator.results import SegmentFacts

from ..cards import Card, ReadLine, WriteLine
from ..strips import Band, SampleSegment

HATCHED, HATCHED_BESIDE = 12, 3
"""Expired cells that are drawn one by one, of a lone column and of one of several; beyond, they are counted."""
CELL_CHARACTERS, ABRIDGED_HEAD = 26, 8
"""Characters of a key's part that a cell has room for, and those of them that a longer text keeps of its beginning."""
Extent = Literal["", "first", "inside", "last", "only"]
"""Whether a read goes to a row, and to rows above and below it."""


@dataclass(frozen=True)
class KeyHead:
    """One segment of the row key, above its values."""

    chip: Chip
    facts: SegmentFacts | None


@dataclass(frozen=True)
class ColumnHead:
    """One column of a family, above its cells."""

    id: str
    family_id: str
    family: str
    name: Text
    kept: Text
    cells: float
    """In the mean stored row, expired ones included."""
    expired: float
    """Of those, expired."""


@dataclass(frozen=True)
class SampleCell:
    """The newest cell of one column in one row, and how many more there are."""

    column: str
    text: str
    value_bytes: float
    more: int
    """Live cells besides it."""
    expired: int
    hatched_most: int = HATCHED

    @property
    def hatched(self) -> range:
        """One for each expired cell that is drawn."""
        return range(min(self.expired, self.hatched_most))

    @property
    def uncounted(self) -> int:
        """Expired cells that are not drawn."""
        return max(self.expired - self.hatched_most, 0)


def abridge_text(text: str) -> str:
    """Return a text that fits into a cell: neighbours often begin alike, so its end stays.

    >>> abridge_text("device_of_the_customer_of_the_reseller000731")
    'device_o…he_reseller000731'
    """
    if len(text) <= CELL_CHARACTERS:
        return text
    return f"{text[:ABRIDGED_HEAD]}…{text[ABRIDGED_HEAD + 1 - CELL_CHARACTERS :]}"


@dataclass(frozen=True)
class KeyPart:
    """One segment of a sample key."""

    segment: SampleSegment
    is_repeated: bool
    """True if this and all segments before it are those of the row above."""
    form: str = "moment"
    """How a time is written: to the minute, or to the second where neighbours have times of one minute."""

    @property
    def value(self) -> str | datetime.date:
        """Its text, of a long one both ends; where it is a time, that time, or its day if it is midnight."""
        at = self.segment.at
        if at is None:
            return abridge_text(self.segment.text)
        return at if at.time() != datetime.time() else at.date()

    @property
    def title(self) -> str:
        """The whole text where something else is shown."""
        return "" if self.value == self.segment.text else self.segment.text


@dataclass(frozen=True)
class SampleRow:
    """One stored row."""

    key: tuple[KeyPart, ...]
    cells: tuple[SampleCell, ...]
    load_share: float | None
    """Load of its key range at the busiest hour, 1 at the limit of a node; None while it is not known."""
    is_hottest: bool
    """True for the row shown because its key range is hotter than the others."""
    marks: tuple[tuple[Extent, bool], ...]
    """For each read, whether a request goes to this row, and whether it scans far more rows than it returns."""
    rows_before: float | None
    """Rows between this and the row above; None beside it."""
    day: tuple[Band, ...] = ()
    """Load of its key range over the reference day, from left to right."""
    day_before: tuple[Band, ...] = ()
    """Of the busiest of the key ranges between this and the row above, window by window."""

    @property
    def gap_marks(self) -> tuple[tuple[Extent, bool], ...]:
        """For each read, whether a request goes to the rows before this one."""
        return tuple(("inside" if extent in ("inside", "last") else "", wasteful) for extent, wasteful in self.marks)


@dataclass(frozen=True)
class KindRows:
    """The rows of one kind."""

    id: str
    name: str
    keys: tuple[KeyHead, ...]
    key_bytes: float | None
    columns: tuple[ColumnHead, ...]
    column_count: int
    rows: tuple[SampleRow, ...]
    writes: tuple[WriteLine, ...]
    reads: tuple[ReadLine, ...]
    day: datetime.date | None = None
    """The reference day, of which the load is shown."""
    windows: int = 1
    """Of that day."""

    @property
    def has_load(self) -> bool:
        """True if the load at each row is known."""
        return any(row.load_share is not None for row in self.rows)

    @property
    def uncounted_columns(self) -> int:
        """Columns without sample cells."""
        return self.column_count - len(self.columns)

    @property
    def width(self) -> int:
        """Columns of the table before the load and the reads."""
        return max(len(self.keys), 1) + len(self.columns) + (self.uncounted_columns > 0)

    @property
    def labels_from(self) -> int:
        """The first row that a read goes to: what the reads are called is written from there on."""
        marked = (number for number, row in enumerate(self.rows) if any(extent for extent, _ in row.marks))
        return next(marked, 0)

    @property
    def labels_span(self) -> int:
        """Lines from there on, gaps between rows among them."""
        rest = self.rows[self.labels_from :]
        return len(rest) + sum(bool(row.rows_before) for row in rest[1:])


@dataclass(frozen=True)
class TableRows:
    """One table with sample rows of each of its kinds."""

    card: Card
    kinds: tuple[KindRows, ...]
