"""A table as it is stored: sorted sample rows with their cells, the load at their place, and where reads go."""

import datetime
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from zlib import crc32

import numpy as np

from designer.document import effective_value
from designer.document.columnkey import ColumnForm, ColumnKey
from designer.document.family import Column, Family
from designer.document.key import as_text
from designer.document.table import RowKind, Table
from designer.wording import colour_class, key_chips
from estimator.facts.scans import is_wasteful
from estimator.kernels.compression.content import KindContent
from estimator.kernels.compression.table_content import kind_content
from estimator.kernels.compression.values import make_values
from estimator.kernels.keys import compile_pattern, quantile_rows
from estimator.presentation.design_page import DesignPage
from estimator.presentation.segments import readable_text, split_values, time_of
from estimator.results import ColumnSize, NotComputableError, TablePart
from estimator.results.arrays import Floats

from ..cards import Card, column_words, kept_words, name_of
from ..strips import Band, BusiestHour, SampleSegment, colour_bands, day_shares, group_starts
from .extents import ReadTarget, end_target, read_extents, read_target
from .groups import sample_groups
from .views import (
    HATCHED,
    HATCHED_BESIDE,
    ColumnHead,
    Extent,
    KeyHead,
    KeyPart,
    KindRows,
    SampleCell,
    SampleRow,
    TableRows,
)  # fmt: skip

OUTSTANDING = 1.5
"""A range with so many times the mean load is shown, too."""
SEARCHES, PLACES_SEARCHED = 4, 34
"""How a place in that range is looked for: a thirty-third of the way remains after each search."""
COLUMNS = 4
"""Columns with sample cells; the others are counted."""
VALUE_BYTES = 4096
"""Sample values are made no longer than this: only their beginning is shown."""
CHARACTERS = 28
"""Characters of a sample value."""
DAY_STEP = 2
"""Levels of load that the day of a row shows alike."""
IDS_MOST = 1 << 14
"""Values of a field among which the rows are drawn; with more, the page would wait for them."""
IDS_WHOLE = 1 << 17
"""With no more values, all of them are."""


def table_rows(page: DesignPage, table: Table, card: Card, hour: BusiestHour | None) -> TableRows:
    """Return a table as it is stored at the end of the horizon."""
    kinds = tuple(_RowSampler(page, table, kind, card, hour).kind for kind in table.row_kinds)
    return TableRows(card, kinds)


class _RowSampler:
    """Sample rows of one row kind."""

    def __init__(self, page: DesignPage, table: Table, row_kind: RowKind, card: Card, hour: BusiestHour | None) -> None:
        self.spec, self.table, self.row_kind, self.card, self.hour = page.spec, table, row_kind, card, hour
        self.part: TablePart = page.estimate.tables[table.id]
        self.cache = page.context.cache
        self.facts = self.part.keys.get(row_kind.id)
        self.size = self.part.sizes.get(row_kind.id)
        self.reads = tuple(line for line in card.reads if line.id in {read.id for read in row_kind.reads})
        self.plans = {plan.read: plan for plan in self.part.reads}

    @property
    def kind(self) -> KindRows:
        """The row kind with its rows; without rows while they are not known."""
        columns = tuple(self._columns())
        facts = {segment.id: segment for segment in self.facts.segments} if self.facts else {}
        return KindRows(
            id=self.row_kind.id,
            name=name_of(self.row_kind),
            keys=tuple(KeyHead(chip, facts.get(chip.id)) for chip in key_chips(self.spec, self.row_kind.segments)),
            key_bytes=self.facts.bytes_typical if self.facts else None,
            columns=columns[:COLUMNS],
            column_count=len(columns),
            rows=self._rows(columns[:COLUMNS]),
            writes=tuple(w for w in self.card.writes if w.id in {write.id for write in self.row_kind.writes}),
            reads=self.reads,
            day=self.hour.at.date() if self.hour else None,
            windows=1 if self._day_shares is None else self._day_shares.shape[1],
        )

    def _columns(self) -> Iterator[ColumnHead]:
        sizes = {column.column: column for column in self.size.columns} if self.size else {}
        column_ids = {id_ for write in self.row_kind.writes for id_ in write.columns}
        writes_all = any(not write.columns and not write.deletes for write in self.row_kind.writes)
        for family in self.table.families:
            for column in family.columns:
                if column.id in sizes or column.id in column_ids or writes_all or not self.row_kind.writes:
                    yield self._column(family, column, sizes.get(column.id))

    def _column(self, family: Family, column: Column, size: ColumnSize | None) -> ColumnHead:
        cells = size.cells_stored if size else 0.0
        return ColumnHead(
            id=column.id,
            family_id=family.id,
            family=family.label,
            name=column_words(self.spec, column),
            kept=kept_words(self.spec, self.table, family),
            cells=cells,
            expired=cells * self._expired_share(family),
        )

    def _expired_share(self, family: Family) -> float:
        growths = self.part.growth.families if self.part.growth else ()
        of_kind = [growth for growth in growths if growth.family == family.id and growth.row_kind == self.row_kind.id]
        total = sum(growth.bytes_by_cause.total for growth in of_kind)
        return sum(growth.uncollected_bytes for growth in of_kind) / total if total > 0 else 0.0

    # --- rows

    def _rows(self, columns: Sequence[ColumnHead]) -> tuple[SampleRow, ...]:
        content = self._content()
        if content is None or self.facts is None or self.size is None:
            return ()
        hottest_place = self._hottest_place(content)
        targets = self._targets
        hottest_places = [] if hottest_place is None else [hottest_place]
        sample = sample_groups(
            content, hottest_places, end_target(targets.values(), len(self.facts.segments)), self._key
        )
        groups, rows = sample.groups, self.size.rows
        keys = [key for group in groups for key in group.keys]
        if not keys:
            return ()
        parts = [self._key(key) for key in keys]
        hottest = next((group.keys[0] for group in groups if group.place == hottest_place), None)
        nowhere: list[Extent] = [""] * len(parts)
        extents = {
            id_: read_extents(parts, sample.ranks(rows), target, sample.shown, sample.end)
            for id_, target in targets.items()
        }
        wasteful = [read.id in self.plans and is_wasteful(self.plans[read.id]) for read in self.reads]
        gaps = list(sample.gaps(rows))
        precise_places = _precise_places(parts)
        hatched_most = HATCHED if len(columns) == 1 else HATCHED_BESIDE
        return tuple(
            SampleRow(
                key=tuple(
                    _mark_repeated(
                        parts[number - 1] if number and gaps[number] is None else (), parts[number], precise_places
                    )
                ),
                cells=tuple(self._cell(column, number, sizes, hatched_most) for column in columns),
                load_share=self._load_share(keys[number]),
                day=self._day(keys[number], keys[number]),
                day_before=self._day(keys[number - 1] if number else b"", keys[number]) if gaps[number] else (),
                is_hottest=keys[number] == hottest,
                marks=tuple(
                    (extents.get(read.id, nowhere)[number], is_wasteful)
                    for read, is_wasteful in zip(self.reads, wasteful, strict=True)
                ),
                rows_before=gaps[number],
            )
            for number, sizes in enumerate(float(size) for group in groups for size in group.sizes)
        )

    @property
    def _targets(self) -> dict[str, ReadTarget]:
        """Return the rows of each read with a plan."""
        reads = (read for read in self.row_kind.reads if read.id in self.plans)
        return {read.id: read_target(self.row_kind, read, self.plans[read.id]) for read in reads}

    def _content(self) -> KindContent | None:
        """Return what the rows hold; None while it is not known."""
        if self.size is None or self.size.rows <= 0 or self.size.bytes_stored <= 0:
            return None
        try:
            pattern = compile_pattern(self.spec, self.row_kind.id, cache=self.cache)
            stored_bytes = self.size.rows * self.size.bytes_stored
            return kind_content(
                self.spec, self.table, self.row_kind, pattern, self.size, stored_bytes, ids_max=self._ids_most
            )
        except NotComputableError:
            return None

    @property
    def _ids_most(self) -> int:
        """Return among how many values of a field rows are drawn: all if a field has few enough to be quick."""
        values = (segment.distinct for segment in self.facts.segments if not segment.grows) if self.facts else ()
        return IDS_WHOLE if max(values, default=0.0) <= IDS_WHOLE else IDS_MOST

    def _key(self, key: bytes) -> tuple[SampleSegment, ...]:
        kind, facts = self.row_kind, self.facts
        assert facts is not None
        heads = [column.parts[0] for column in kind.key_columns if column.parts]
        forms = [ColumnForm(column.name, column.type) for column in kind.key_columns]
        key = ColumnKey.from_bytes(key, forms) if forms else key
        parts = split_values(key, kind.segments, facts.segments)
        owners = heads if len(parts) == len(heads) else kind.segments  # a primary key is cut at its columns
        return tuple(
            SampleSegment(
                readable_text(value), after, colour_class(self.spec, owners[place]), time_of(owners[place], value)
            )
            for place, value, after in parts
        )

    def _cell(self, column: ColumnHead, number: int, size: float, hatched_most: int) -> SampleCell:
        design_column = next(c for family in self.table.families for c in family.columns if c.id == column.id)
        typical = float(effective_value(self.spec, design_column.value, "typical_bytes") or 0)
        kind = effective_value(self.spec, design_column.value, "kind")
        values = make_values(
            kind,
            1,
            typical_bytes=min(typical, VALUE_BYTES),
            max_bytes=VALUE_BYTES,
            seed=crc32(column.id.encode()),
            part=number,
        )
        cells, expired = column.cells * size, round(column.expired * size)
        more = max(round(cells) - expired - 1, 0)
        return SampleCell(design_column.label, _preview(kind, values[0]), typical, more, expired, hatched_most)

    @cached_property
    def _day_shares(self) -> Floats | None:
        """(ranges, windows) How busy the node of each key range is over the reference day."""
        traffic = self.part.traffic
        return day_shares(traffic.heat, self.hour) if traffic and self.hour else None

    @property
    def _range_shares(self) -> Floats | None:
        """(ranges,) At the busiest hour."""
        return None if self._day_shares is None or self.hour is None else self._day_shares[:, self.hour.window]

    def _day(self, above: bytes, key: bytes) -> tuple[Band, ...]:
        """Return the load of the busiest key range between two keys, window by window; of theirs if none is between."""
        if self._day_shares is None:
            return ()
        first, last = self._range_of(above), self._range_of(key)
        between = slice(first + 1, last) if last > first + 1 else slice(first, last + 1)
        return colour_bands(self._day_shares[between].max(axis=0), DAY_STEP)

    def _range_of(self, key: bytes) -> int:
        """Return the number of the key range that a key lies in, among those with a load."""
        bounds = self.part.traffic.heat.bounds if self.part.traffic else ()
        if self._range_shares is None:
            return 0
        starts = group_starts(len(bounds) + 1, len(self._range_shares))
        return bisect_right(starts.tolist(), bisect_right(bounds, key)) - 1

    def _load_share(self, key: bytes) -> float | None:
        return None if self._range_shares is None else float(self._range_shares[self._range_of(key)])

    def _hottest_place(self, content: KindContent) -> float | None:
        """Return a place in the hottest range, as a share of the stored bytes; None if none stands out."""
        shares = self._range_shares
        if shares is None or shares.max() < OUTSTANDING * shares.mean():
            return None
        hottest, low, high = int(shares.argmax()), 0.0, 1.0
        for _ in range(SEARCHES):
            places = np.linspace(low, high, PLACES_SEARCHED)[1:-1]
            keys = quantile_rows(content.pattern, content.distribution, places).keys
            ranges = [self._range_of(key) for key in keys]
            if hottest in ranges:
                return float(places[ranges.index(hottest)])
            low = float(max((place for place, at in zip(places, ranges, strict=True) if at < hottest), default=low))
            high = float(min((place for place, at in zip(places, ranges, strict=True) if at > hottest), default=high))
        return None


def _precise_places(rows: Sequence[Sequence[SampleSegment]]) -> frozenset[int]:
    """Return the places in a key at which two neighbours have different times of one minute."""
    return frozenset(
        place
        for above, below in pairwise(rows)
        for place, (upper, lower) in enumerate(zip(above, below, strict=False))
        if upper.at and lower.at and upper.at != lower.at and _minute(upper.at) == _minute(lower.at)
    )


def _minute(moment: datetime.datetime) -> datetime.datetime:
    return moment.replace(second=0, microsecond=0)


def _mark_repeated(
    above: Sequence[SampleSegment], row: Sequence[SampleSegment], precise_places: frozenset[int]
) -> Iterator[KeyPart]:
    is_repeated = bool(above)
    for number, segment in enumerate(row):
        is_repeated = is_repeated and number < len(above) and above[number] == segment
        yield KeyPart(segment, is_repeated, "second" if number in precise_places else "moment")


def _preview(kind: str, value: bytes) -> str:
    """Return the beginning of a value as people read it."""
    if kind == "integer":
        return f"{int.from_bytes(value, 'big'):,}"
    text = as_text(value[:CHARACTERS])
    if "\\x" in text:
        return f"0x{value[: CHARACTERS // 4].hex()}…"
    return text if len(value) <= CHARACTERS else f"{text}…"
