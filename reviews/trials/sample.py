"""Sample rows of a design: few values of each field that meet often, with cells of all sizes and versions."""

import itertools
import math
import random
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.collection import policy
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.field import Range
from designer.document.key import Segment, TimeSegment, as_bytes, segment_fields
from designer.document.table import RowKind, Table
from estimator.kernels.growth.cells import columns_of, value_bytes, value_bytes_max
from estimator.kernels.keys.patterns.inputs import KeyInputs, inputs_of
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.rendering.render import Event, as_text, field_value, key, parts, value
from estimator.kernels.keys.values.shape import ValueShape, shape_of, start_s
from estimator.results import TablePart
from reviews.exports.key_code.codes import ReadCode
from reviews.exports.key_code.expressions import BEGINNING
from reviews.exports.key_code.vectors import Argument, reference_values

SEED = 1
DAY_US = DAY_SECONDS * 1_000_000
NUMBERS = (1, 10, 0, 2, 11, 100, 3)
"""Of a field's values: among them some whose texts begin like each other's."""
TIMES_MAX = 6
QUALIFIERS_MAX = 4
VERSIONS_MAX = 3
SHORTEST, TYPICAL = 1, 2
"""Places of rows by the lengths of their values."""
VALUE_BYTES_MAX = 4 << 20
"""Of one value: Google's client library sends and takes messages of a few MiB without more ado."""
TABLE_BYTES_MAX = 32 << 20
ROWS_LEAST = 8
OUTSIDE = 1.5
"""So many times the age that a read asks for is outside of what it wants."""


ValueType = Literal["BINARY", "STRING", "INTEGER", "DOUBLE"]
"""Of a value, where an engine has types of its own."""
NUMBER_BYTES = 8


@dataclass(frozen=True)
class CellValues:
    """Values that cells of an engine can hold, and those that cells of a table must hold."""

    bytes_max: int = VALUE_BYTES_MAX
    types: Mapping[str, ValueType] = field(default_factory=dict)
    """Types of values by the column's id; others are bytes."""
    needs_cell: bool = True
    """A row without a cell is none."""
    age_max_days: float = math.inf
    """Of what is written; 0: the engine dates it."""
    fields: Mapping[str, ValueShape] = field(default_factory=dict)
    """Fields that only some columns hold."""
    held: Callable[[str, Event], bytes | None] = lambda _column, _event: None
    """The value that a column, by its id, holds in an event; None: any."""


ORDINARY_VALUES = CellValues()


@dataclass(frozen=True)
class TrialCell:
    """One cell to be written."""

    family: str
    """Id of the family."""
    column: str
    """Id of the column."""
    qualifier: bytes
    age_us: int
    """Before the moment of the trial."""
    value_bytes: int
    seed: int
    """Of the value; of an aggregate the number that is added."""
    is_number: bool = False
    qualifier_event: Event | None = None
    """What a qualifier made from fields is of."""
    type: ValueType = "BINARY"
    held: bytes | None = None
    """The value, if the event says it."""

    @property
    def value(self) -> bytes:
        """The value, made anew each time: a plan holds none. Numbers are eight bytes, big-endian."""
        if self.held is not None:
            return self.held
        if self.is_number:
            return self.seed.to_bytes(NUMBER_BYTES, "big")
        noise = random.Random(self.seed)
        if self.type == "DOUBLE":
            return struct.pack(">d", noise.uniform(-1e9, 1e9))
        if self.type == "STRING":
            return noise.randbytes(-(-self.value_bytes // 2)).hex()[: self.value_bytes].encode()
        return noise.randbytes(self.value_bytes)


@dataclass(frozen=True)
class TrialRow:
    """One row to be written."""

    row_kind: str
    key: bytes
    event: Event
    cells: tuple[TrialCell, ...]


@dataclass(frozen=True)
class KindSample:
    """Sample rows of one row kind, in the order of their keys."""

    kind: RowKind
    inputs: KeyInputs
    shapes: Mapping[str, ValueShape]
    """Of all fields in keys and qualifiers."""
    rows: tuple[TrialRow, ...]
    cut_columns: tuple[str, ...]
    """Ids of columns whose largest values are written shorter."""

    @property
    def latest_us(self) -> int:
        """The latest time of an event."""
        return max((row.event.time_us for row in self.rows), default=0)


def sample_kind(
    spec: Spec, table: Table, kind: RowKind, part: TablePart | None, *, families: Collection[str], rows: int,
    values: CellValues = ORDINARY_VALUES,
) -> KindSample:  # fmt: skip
    """Return about so many rows of a row kind, fewer where they would be large; cells in these families by id.

    Raises
    ------
    NotComputableError
        If the key has no segments yet, or holds what it cannot.
    """
    inputs = inputs_of(spec, table, kind, ids_max=1, seed=SEED)
    made_families = [family for family in table.families if family.id in families]
    columns = [pair for pair in columns_of(table, kind) if pair[0] in made_families and pair[0].kind != "hll"]
    # Bigtable has no row without a cell.
    columns = columns or (list(_stand_in(made_families)) if values.needs_cell else [])
    names = {name for _, column in columns for segment in column.qualifier_from for name in segment_fields(segment)}
    shapes = {**{name: shape_of(spec, spec.find(name), seed=SEED) for name in names}, **values.fields, **inputs.fields}
    drawing = _Cells(spec, kind, part, columns, shapes, values)
    # Some rows are written however large they are, or reads of a table of large rows would have nothing to return.
    count = max(min(rows, int(TABLE_BYTES_MAX / max(drawing.row_bytes, 1.0))), min(rows, ROWS_LEAST))
    rows_by_key: dict[bytes, TrialRow] = {}
    for event in _events(spec, kind, inputs, count):
        text = key(inputs.segments, inputs.fields, event)
        # Events of one key are one row; writing it twice would add versions that the plan does not know.
        if text not in rows_by_key:
            event = _with_fields(event, values.fields, text, kind)
            rows_by_key[text] = TrialRow(kind.id, text, event, tuple(drawing.cells(text, event, len(rows_by_key))))
    return KindSample(
        kind, inputs, shapes, tuple(rows_by_key[text] for text in sorted(rows_by_key)), drawing.cut_columns
    )


def _stand_in(families: Sequence[Family]) -> Iterator[tuple[Family, Column]]:
    """Yield a column where the design has none yet: a row needs a cell."""
    for family in families:
        if family.kind == "ordinary" and not family.columns:
            yield family, Column(id="stand-in")
            return


# --- events -----------------------------------------------------------------------------------------------------------


def _events(spec: Spec, kind: RowKind, inputs: KeyInputs, count: int) -> Iterator[Event]:
    """Yield events over a grid of few values of each field and few times, at most so many."""
    times = _times(spec, kind, inputs)
    names = [name for name, shape in inputs.shapes if not inputs.is_timestamp(name)]
    # The root, so that the grid of all fields and times has about as many points as rows are wanted.
    most = max(2, math.floor((count / len(times)) ** (1 / max(len(names), 1))))
    values = [_numbers(inputs.fields[name], kind)[:most] for name in names]
    # With two values each, twenty fields already make a million points.
    grid = list(itertools.islice(itertools.product(times, *values), 200_000))
    if len(grid) > count:
        grid = random.Random(SEED).sample(grid, count)
    salts = [segment.id for segment in inputs.segments if segment.kind == "salt" and not segment.fields]
    for place, (time_us, *numbers) in enumerate(sorted(grid)):
        yield Event(dict(zip(names, numbers, strict=True)), time_us, dict.fromkeys(salts, place))


def _with_fields(event: Event, fields: Mapping[str, ValueShape], row_key: bytes, kind: RowKind) -> Event:
    """Return an event that has a value of each of these fields, too."""
    noise = random.Random(row_key)
    numbers = {name: noise.choice(_numbers(shape, kind)) for name, shape in sorted(fields.items())}
    return Event({**numbers, **event.numbers}, event.time_us, event.salts)


def _numbers(shape: ValueShape, kind: RowKind) -> list[int]:
    """Return some values of a field, among them the ends of ranges that reads ask for."""
    low, high = shape.values_in_use(shape.start_s)
    numbers = [low + number for number in NUMBERS if low + number < high] or [low]
    ends = (end for read in kind.reads for bind in read.binds if bind.field == shape.id
            for end in (bind.from_value, bind.to_value) if end is not None)  # fmt: skip
    if isinstance(first := value(shape, 0) if isinstance(shape.values, Range) else None, int):
        places = [int(end) - first for end in ends if end.removeprefix("-").isdecimal()]
        numbers = [*numbers[:1], *(place for place in places if low <= place < high), *numbers[1:]]
    return list(dict.fromkeys(numbers))


def _times(spec: Spec, kind: RowKind, inputs: KeyInputs) -> list[int]:
    """Return times around those that reads ask for, and a few that follow each other; one where no key holds any."""
    own = [segment for segment in inputs.segments if isinstance(segment, TimeSegment)]
    # At one o'clock in the afternoon: not at the start of a bucket, where errors of rounding would not show.
    latest = round(start_s(spec) * 1_000_000) + 13 * 3_600_000_000
    if not own and not any(inputs.is_timestamp(name) for name, _ in inputs.shapes):
        return [latest]
    step = min((segment_seconds(segment) for segment in own), default=0.001) * 1_000_000
    back = {0.0, step}
    for read in kind.reads:
        if read.time is not None:
            back |= {(read.time.age_days + read.time.days * share) * DAY_US for share in (0.4, OUTSIDE)}
    back |= {2 * step, 3 * step, 5 * step}
    offsets = sorted(back)
    while len(offsets) > TIMES_MAX:
        del offsets[2]  # the steps behind the first are many
    return [latest - round(age_us) for age_us in offsets]


# --- cells ------------------------------------------------------------------------------------------------------------


@dataclass
class _Cells:
    """Draws the cells of rows."""

    spec: Spec
    kind: RowKind
    part: TablePart | None
    columns: Sequence[tuple[Family, Column]]
    shapes: Mapping[str, ValueShape]
    values: CellValues

    def __post_init__(self) -> None:
        sizes = self.part.sizes.get(self.kind.id) if self.part else None
        self.stored = {column.column: column for column in sizes.columns} if sizes else {}
        self.old_days = max((read.cell_days or 0.0 for read in self.kind.reads), default=0.0) * OUTSIDE
        self.old_days = min(self.old_days, self.values.age_max_days)

    @property
    def row_bytes(self) -> float:
        """Bytes of the values in a row, about."""
        return sum(
            self._size(family, column, TYPICAL)
            * len(self._ages(family, column, 0))
            * (QUALIFIERS_MAX if column.qualifier_from else 1)
            for family, column in self.columns
        )

    @property
    def cut_columns(self) -> tuple[str, ...]:
        """Columns whose largest values are longer than what is written."""
        return tuple(
            column.id
            for family, column in self.columns
            if value_bytes_max(self.spec, family, column) > self.values.bytes_max
        )

    def cells(self, row_key: bytes, event: Event, place: int) -> Iterator[TrialCell]:
        """Yield the cells of a row, of which so many came before."""
        noise = random.Random(row_key)
        for family, column in self.columns:
            if not self._is_there(column, place):
                continue
            value, type_ = self.values.held(column.id, event), self.values.types.get(column.id, "BINARY")
            for number, (qualifier, of) in enumerate(self._qualifiers(column, event)):
                for version, age_us in enumerate(self._ages(family, column, place + number)):
                    is_number = family.kind != "ordinary"
                    # A version is another length than the next: what reads or counts the wrong one is told by bytes.
                    of_place = place if version % 2 == 0 else SHORTEST if place != SHORTEST else TYPICAL
                    size = self._size(family, column, of_place) if value is None else len(value)
                    seed = place + 1 if is_number else noise.getrandbits(64)
                    yield TrialCell(
                        family.id, column.id, qualifier, age_us, size, seed, is_number, of, type_, value
                    )  # fmt: skip

    def _is_there(self, column: Column, place: int) -> bool:
        presence = 1.0 if column.presence is None else column.presence
        # Multiples of the golden ratio are spread evenly: the share is met with few rows, without chance. The first has
        # all.
        return place == 0 or (place * 0.6180339887498949) % 1 < presence

    def _qualifiers(self, column: Column, event: Event) -> Iterator[tuple[bytes, Event | None]]:
        if not column.qualifier_from:
            yield as_bytes(column.qualifier), None
            return
        qualifiers: dict[bytes, Event] = {}
        for number in range(QUALIFIERS_MAX):
            other = self._event_of_qualifier(column.qualifier_from, event, number)
            qualifiers.setdefault(b"".join(parts(column.qualifier_from, self.shapes, other)), other)
        yield from qualifiers.items()

    def _event_of_qualifier(self, segments: Sequence[Segment], event: Event, number: int) -> Event:
        names = dict.fromkeys(
            name for segment in segments for name in segment_fields(segment) if name not in event.numbers
        )
        numbers, rest = {}, number
        for place, name in enumerate(names, 1):
            some = _numbers(self.shapes[name], self.kind)[: 2 if place < len(names) else None]
            rest, digit = divmod(rest, len(some))
            numbers[name] = some[digit]
        times = [segment_seconds(segment) for segment in segments if isinstance(segment, TimeSegment)]
        back = round(number * min(times, default=0.0) * 1_000_000)
        salts = {segment.id: number for segment in segments if segment.kind == "salt"}
        return Event({**event.numbers, **numbers}, event.time_us - back, {**event.salts, **salts})

    def _ages(self, family: Family, column: Column, place: int) -> list[int]:
        """Return the ages of a column's versions, those that its rule keeps. [us]"""
        if self.values.age_max_days == 0:
            return [0]
        count, old = self._versions(family, column), self.old_days
        ages = [number * 60_000_000 / DAY_US for number in range(1, count + 1)]
        # Some cells are older than what a read asks for, so that a filter by age has something to leave out.
        if old > ages[-1] and place % 3 == 2:
            ages[-1] = old
        keeps = policy(family.gc)
        # What the rule would collect is not written: the engine may do so at any moment of the trial.
        retained = [age for newer, age in enumerate(ages) if newer < keeps.cap_at(age)] or [0.0]
        return [round(age * DAY_US) for age in retained]

    def _versions(self, family: Family, column: Column) -> int:
        size = self.stored.get(column.id)
        if family.kind != "ordinary" or column.qualifier_from:
            return 1
        if size is None or size.cells_written <= 0:
            return 2
        return max(min(round(size.cells_stored / size.cells_written), VERSIONS_MAX), 1)

    def _size(self, family: Family, column: Column, place: int) -> int:
        """Return the bytes of a value: the first row's are the largest, the second's the shortest."""
        if family.kind != "ordinary" or self.values.types.get(column.id) in ("INTEGER", "DOUBLE"):
            return NUMBER_BYTES
        typical = round(value_bytes(self.spec, family, column))
        largest = round(value_bytes_max(self.spec, family, column))
        size = largest if place == 0 else max(2 * typical - largest, 0) if place == SHORTEST else typical
        return min(size, self.values.bytes_max)


def argument(sample: KindSample, name: str, type_: str, event: Event) -> Argument:
    """Return the value of a parameter of the code for keys in an event."""
    if type_ == "time":
        return event.time_us
    if type_ == "salt":
        return event.salts[name]
    value = field_value(sample.shapes[name], event)
    if type_ == "boolean":
        return value == b"true"
    return value.decode() if isinstance(value, bytes) and type_ == "text" else value


def known_values(spec: Spec, sample: KindSample, read: Read, code: ReadCode, event: Event) -> Mapping[str, Argument]:
    """Return what a caller tells a function of the code for keys: values of an event, and the ends of ranges."""
    binds = {bind.field: bind for bind in read.binds}
    arguments: list[Argument] = []
    for parameter in code.parameters:
        if not parameter.bound:
            arguments.append(argument(sample, parameter.id, parameter.type, event))
            continue
        bind = binds[parameter.id]
        if parameter.bound == BEGINNING:
            begun = beginning_text(spec, sample, bind, event)
            arguments.append(begun if parameter.type == "bytes" else begun.decode())
            continue
        text = (bind.from_value if parameter.bound == "from" else bind.to_value) or ""
        arguments.append(
            int(text) if parameter.type == "integer" else text.encode() if parameter.type == "bytes" else text
        )
    return reference_values(spec, code.parameters, arguments)


def value_text(sample: KindSample, name: str, event: Event) -> bytes:
    """Return the text of a field's value in an event."""
    return as_text(field_value(sample.shapes[name], event))


def is_domain(spec: Spec, bind: Bind) -> bool:
    """Return whether a field holds domains, of which the beginning is the parent."""
    return bool(effective_value(spec, spec.find(bind.field), "kind") == "domain")


def beginning_text(spec: Spec, sample: KindSample, bind: Bind, event: Event) -> bytes:
    """Return what a caller knows of a text: its parent domain, or its first half in whole characters."""
    text = value_text(sample, bind.field, event)
    end = -(-len(text) // 2)
    # Bytes 10xxxxxx continue a character of UTF-8; half a character would be no text.
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return text.split(b".", 1)[-1] if is_domain(spec, bind) else text[:end]
