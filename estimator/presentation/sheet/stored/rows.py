"""A table as it is stored: sorted sample rows with their cells, the load at their place, and where reads go."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from zlib import crc32

import numpy as np

from designer.document import effective_value
from designer.document.family import Column, Family
from designer.document.key import as_text
from designer.document.table import RowKind, Table
from designer.wording import colour_class, key_chips
from estimator.facts.served import is_wasteful
from estimator.kernels.compression.content import KindContent
from estimator.kernels.compression.rows import draw_row_sequences
from estimator.kernels.compression.table_content import kind_content
from estimator.kernels.compression.values import make_values, stream
from estimator.kernels.keys import compile_pattern, quantile_rows
from estimator.presentation.design_page import DesignPage
from estimator.presentation.segments import readable_text, split_values, time_of
from estimator.results import ColumnSize, NotComputableError, ReadPlan, TablePart
from estimator.results.arrays import Floats

from ..cards import Card, ReadLine, column_words, kept_words, name_of
from ..strips import BusiestHour, SampleSegment, range_shares
from .views import ColumnHead, Extent, KeyHead, KeyPart, KindRows, SampleCell, SampleRow, TableRows

PLACES = (0.09, 0.3, 0.5, 0.7, 0.91)
"""Shares of the stored bytes at which rows are shown."""
MIDDLE = 0.5
OUTSTANDING = 1.5
"""A range with so many times the mean load is shown, too."""
SEARCHES, PLACES_SEARCHED = 4, 34
"""How a place in that range is looked for: a thirty-third of the way remains after each search."""
NEIGHBOURS = 4
"""Rows beside each other that are shown at the middle place."""
COLUMNS = 4
"""Columns with sample cells; the others are counted."""
VALUE_BYTES = 4096
"""Sample values are made no longer than this: only their beginning is shown."""
CHARACTERS = 28
"""Characters of a sample value."""
IDS_MOST = 1 << 14
"""Values of a field among which the rows are drawn; with more, the page would wait for them."""
SEED = 7


def table_rows(shown: DesignPage, table: Table, card: Card, hour: BusiestHour | None) -> TableRows:
    """Return a table as it is stored at the end of the horizon."""
    kinds = tuple(_RowSampler(shown, table, kind, card, hour).kind for kind in table.row_kinds)
    return TableRows(card, kinds)


@dataclass(frozen=True)
class _Group:
    """Rows beside each other."""

    place: float
    """Share of the stored bytes before them."""
    keys: list[bytes]
    sizes: list[float]
    """Of each, its events ÷ those of the mean row."""


class _RowSampler:
    """Sample rows of one row kind."""

    def __init__(
        self, shown: DesignPage, table: Table, row_kind: RowKind, card: Card, hour: BusiestHour | None
    ) -> None:
        self.spec, self.table, self.row_kind, self.card, self.hour = shown.spec, table, row_kind, card, hour
        self.part: TablePart = shown.estimate.tables[table.id]
        self.cache = shown.context.cache
        self.facts = self.part.keys.get(row_kind.id)
        self.size = self.part.sizes.get(row_kind.id)
        self.reads = tuple(line for line in card.reads if line.id in {read.id for read in row_kind.reads})
        self.plans = {plan.read: plan for plan in self.part.reads}

    @property
    def kind(self) -> KindRows:
        """The row kind with its rows; without rows while they are not known."""
        columns = tuple(self._columns())
        facts = {each.id: each for each in self.facts.segments} if self.facts else {}
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
        )

    def _columns(self) -> Iterator[ColumnHead]:
        sizes = {each.column: each for each in self.size.columns} if self.size else {}
        written = {id_ for write in self.row_kind.writes for id_ in write.columns}
        writes_all = any(not write.columns and not write.deletes for write in self.row_kind.writes)
        for family in self.table.families:
            for column in family.columns:
                if column.id in sizes or column.id in written or writes_all or not self.row_kind.writes:
                    yield self._column(family, column, sizes.get(column.id))

    def _column(self, family: Family, column: Column, size: ColumnSize | None) -> ColumnHead:
        cells = size.cells_stored if size else 0.0
        return ColumnHead(
            id=column.id,
            family_id=family.id,
            family=family.label,
            name=column_words(self.spec, column),
            kept=kept_words(family.gc),
            cells=cells,
            expired=cells * self._expired_share(family),
        )

    def _expired_share(self, family: Family) -> float:
        growths = self.part.growth.families if self.part.growth else ()
        of_kind = [each for each in growths if each.family == family.id and each.row_kind == self.row_kind.id]
        total = sum(each.bytes_by_cause.total for each in of_kind)
        return sum(each.uncollected_bytes for each in of_kind) / total if total > 0 else 0.0

    # --- rows

    def _rows(self, columns: Sequence[ColumnHead]) -> tuple[SampleRow, ...]:
        content = self._content()
        if content is None or self.facts is None:
            return ()
        hottest_place = self._hottest_place(content)
        places = sorted({*PLACES, *([] if hottest_place is None else [hottest_place])})
        groups = [self._without_strangers(group) for group in _sample_groups(content, places)]
        keys = [key for group in groups for key in group.keys]
        parts = [self._key(key) for key in keys]
        middle = sum(len(group.keys) for group in groups if group.place < MIDDLE) % max(len(keys), 1)
        hottest = next((group.keys[0] for group in groups if group.place == hottest_place), None)
        extents = [_extents(parts, self._bound_count(read), self.plans.get(read.id), middle) for read in self.reads]
        wasteful = [read.id in self.plans and is_wasteful(self.plans[read.id]) for read in self.reads]
        gaps = list(_rows_between(groups, self.size.rows if self.size else 0.0))
        return tuple(
            SampleRow(
                key=tuple(_mark_repeated(parts[number - 1] if number and gaps[number] is None else (), parts[number])),
                cells=tuple(self._cell(column, number, sizes) for column in columns),
                load_share=self._load_share(keys[number]),
                is_hottest=keys[number] == hottest,
                marks=tuple(
                    (extent[number], is_wasteful) for extent, is_wasteful in zip(extents, wasteful, strict=True)
                ),
                rows_before=gaps[number],
            )
            for number, sizes in enumerate(float(size) for group in groups for size in group.sizes)
        )

    def _without_strangers(self, group: _Group) -> _Group:
        """Return the longest run of neighbours that share their first segment."""
        runs = [list(run) for _, run in groupby(range(len(group.keys)), lambda place: self._key(group.keys[place])[0])]
        longest = max(runs, key=len)[:NEIGHBOURS]
        return _Group(group.place, [group.keys[place] for place in longest], [group.sizes[place] for place in longest])

    def _content(self) -> KindContent | None:
        """Return what the rows hold; None while it is not known."""
        if self.size is None or self.size.rows <= 0 or self.size.bytes_stored <= 0:
            return None
        try:
            pattern = compile_pattern(self.spec, self.row_kind.id, cache=self.cache)
            stored_bytes = self.size.rows * self.size.bytes_stored
            return kind_content(
                self.spec, self.table, self.row_kind, pattern, self.size, stored_bytes, ids_max=IDS_MOST
            )
        except NotComputableError:
            return None

    def _key(self, key: bytes) -> tuple[SampleSegment, ...]:
        kind, facts = self.row_kind, self.facts
        assert facts is not None
        heads = [column.parts[0] for column in kind.key_columns if column.parts]
        parts = split_values(key, kind.segments, facts.segments)
        owners = heads if len(parts) == len(heads) else kind.segments  # a primary key is cut at its columns
        return tuple(
            SampleSegment(
                readable_text(value), after, colour_class(self.spec, owners[place]), time_of(owners[place], value)
            )
            for place, value, after in parts
        )

    def _bound_count(self, read: ReadLine) -> int:
        """Return how many leading parts of the key a read knows."""
        plan = self.plans.get(read.id)
        heads = [column.parts[0].id for column in self.row_kind.key_columns if column.parts]
        order = heads or [segment.id for segment in self.row_kind.segments]
        bound = set(plan.bound) if plan else set()
        return next((place for place, id_ in enumerate(order) if id_ not in bound), len(order))

    def _cell(self, column: ColumnHead, number: int, size: float) -> SampleCell:
        found = next(c for family in self.table.families for c in family.columns if c.id == column.id)
        typical = float(effective_value(self.spec, found.value, "typical_bytes") or 0)
        kind = effective_value(self.spec, found.value, "kind")
        values = make_values(
            kind,
            1,
            typical_bytes=min(typical, VALUE_BYTES),
            max_bytes=VALUE_BYTES,
            seed=crc32(column.id.encode()),
            part=number,
        )
        cells, expired = column.cells * size, round(column.expired * size)
        return SampleCell(_preview(kind, values[0]), typical, max(round(cells) - expired - 1, 0), expired)

    @cached_property
    def _range_shares(self) -> Floats | None:
        """(ranges,) How busy the node of each key range is at the busiest hour."""
        traffic = self.part.traffic
        return range_shares(traffic.heat, self.hour) if traffic and self.hour else None

    def _range_of(self, key: bytes) -> int:
        """Return the number of the key range that a key lies in, among those with a load."""
        bounds = self.part.traffic.heat.bounds if self.part.traffic else ()
        ranges = 0 if self._range_shares is None else len(self._range_shares)
        return bisect_right(bounds, key) * ranges // (len(bounds) + 1)

    def _load_share(self, key: bytes) -> float | None:
        return None if self._range_shares is None else float(self._range_shares[self._range_of(key)])

    def _hottest_place(self, content: KindContent) -> float | None:
        """Return a place in the hottest range, as a share of the stored bytes; None if none stands out."""
        shares = self._range_shares
        if shares is None or shares.max() < OUTSTANDING * shares.mean():
            return None
        wanted, low, high = int(shares.argmax()), 0.0, 1.0
        for _ in range(SEARCHES):
            places = np.linspace(low, high, PLACES_SEARCHED)[1:-1]
            keys = quantile_rows(content.pattern, content.distribution, places).keys
            ranges = [self._range_of(key) for key in keys]
            if wanted in ranges:
                return float(places[ranges.index(wanted)])
            low = float(max((place for place, at in zip(places, ranges, strict=True) if at < wanted), default=low))
            high = float(min((place for place, at in zip(places, ranges, strict=True) if at > wanted), default=high))
        return None


# --- which rows


def _sample_groups(content: KindContent, places: Sequence[float]) -> list[_Group]:
    """Return rows at each place in key order: neighbours at the middle one, a single row elsewhere."""
    sequences = draw_row_sequences(content, places, 2 * NEIGHBOURS, stream(SEED))  # some draws meet one row
    groups: list[_Group] = []
    for place, found in zip(places, sequences, strict=True):
        count = 2 * NEIGHBOURS if place == MIDDLE else 1
        if found.keys and (not groups or found.keys[0] > groups[-1].keys[-1]):
            groups.append(_Group(place, found.keys[:count], found.size.tolist()[:count]))
    return groups


def _rows_between(groups: Sequence[_Group], rows: float) -> Iterator[float | None]:
    """Yield for each row how many lie between it and the row above; None beside it."""
    place, count = None, 0
    for group in groups:
        yield None if place is None else max(rows * (group.place - place) - count, 0.0)
        yield from [None] * (len(group.keys) - 1)
        place, count = group.place, len(group.keys)


def _mark_repeated(above: Sequence[SampleSegment], row: Sequence[SampleSegment]) -> Iterator[KeyPart]:
    is_repeated = bool(above)
    for number, segment in enumerate(row):
        is_repeated = is_repeated and number < len(above) and above[number] == segment
        yield KeyPart(segment, is_repeated)


def _extents(parts: Sequence[Sequence[SampleSegment]], bound: int, plan: ReadPlan | None, middle: int) -> list[Extent]:
    """Return for each row whether a request for the middle row goes to it."""
    if plan is None:
        return [""] * len(parts)
    if plan.access in ("point", "multi_point"):
        touched = [number == middle for number in range(len(parts))]
    else:
        wanted = parts[middle][:bound]
        touched = [row[:bound] == wanted for row in parts]
    places = [number for number, is_touched in enumerate(touched) if is_touched]
    first, last = places[0], places[-1]
    return [_extent(number, first, last) for number in range(len(parts))]


def _extent(number: int, first: int, last: int) -> Extent:
    if not first <= number <= last:
        return ""
    if first == last:
        return "only"
    return "first" if number == first else "last" if number == last else "inside"


def _preview(kind: str, value: bytes) -> str:
    """Return the beginning of a value as people read it."""
    if kind == "integer":
        return f"{int.from_bytes(value, 'big'):,}"
    text = as_text(value[:CHARACTERS])
    if "\\x" in text:
        return f"0x{value[: CHARACTERS // 4].hex()}…"
    return text if len(value) <= CHARACTERS else f"{text}…"
