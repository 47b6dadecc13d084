"""A row key made ready to compute with: which segments go together, and the table or arithmetic behind each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod
from typing import Any, Protocol

import numpy as np

from designer.spec import Spec, assumed
from designer.spec.columnkey import ColumnKey
from designer.spec.field import Random
from designer.spec.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    ReverseDigits,
    SaltSegment,
    Segment,
    TimeSegment,
    ZeroPad,
    as_bytes,
)
from designer.spec.popularity import Latest, Uniform
from designer.spec.table import RowKind
from designer.spec.table import Table as SpecTable
from designer.spec.texts import N_
from estimator.cache import Memory
from estimator.results import Because, KeyFacts, Open

from . import render
from .cells import Cells, cells_of
from .digits import Digits, digits_of
from .law import Law, TimeLaw
from .layout import EscapedTime, LaidColumn, Signed, WholeTime, laid_out
from .segments import Writer, salt_texts
from .shape import DAY_S, Shape, horizon_end_s, shape_of, start_s
from .stages import Entries, stages_of
from .table import Table, coded, table_of
from .texts import Texts, with_after
from .times import Calendar, Clock, Steps, epoch_steps, readable_steps, sequence_steps, sorts_as_time
from .uniform import HEX, Counter, Letters, letters_of

PER_EVENT_SHARE = 0.05
"""A field that gains at least so many values per row written is new per event: its values live for a few events."""


class Splitter(Protocol):
    """One segment's order within its component: which part of an interval sorts below a byte string."""

    @property
    def prefix_free(self) -> bool:
        """No text is the beginning of another."""

    def split(self, low: Any, high: Any, rest: bytes) -> tuple[Sequence[Any], Sequence[Any]]:
        """(intervals below, intervals whose text `rest` begins with and the bytes of it)."""


@dataclass(frozen=True)
class Constant:
    """A literal: one text."""

    text: bytes
    prefix_free: bool = True

    def split(self, low: int, high: int, rest: bytes) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
        """All of it below `rest`, or begun by it, or neither."""
        if rest.startswith(self.text):
            return [], [(low, high, len(self.text))]
        return ([(low, high)] if self.text < rest else []), []


Component = Table | Cells | Clock | Counter | Letters | Constant


@dataclass(frozen=True)
class Level:
    """One segment of the key: the component that decides it, and its order in there."""

    segment: Segment
    component: int
    """Place among the pattern's components; -1 is a literal."""
    order: Splitter


@dataclass(frozen=True)
class Inputs:
    """All that a compiled pattern depends on: no names, no descriptions, nothing of other tables."""

    segments: tuple[Segment, ...]
    shapes: tuple[tuple[str, Shape], ...]
    per_event: frozenset[str]
    """Fields that get a new value with about every event."""
    first_s: float
    """Start of the stored history, or of the design."""
    start_s: float
    end_s: float
    ids_max: int
    seed: int
    columns: tuple[LaidColumn, ...] = ()
    """Tablestore's primary-key columns; a Bigtable key has none."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """A compiled row key."""

    inputs: Inputs
    levels: tuple[Level, ...]
    components: tuple[Component, ...]
    ids_exact: bool
    ids_error_share: float
    row_kind: str = ""
    _cache: dict[object, object] = field(default_factory=dict, repr=False)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of the key."""
        return self.inputs.segments

    @property
    def shapes(self) -> dict[str, Shape]:
        """The fields that the key is made from, by id."""
        return dict(self.inputs.shapes)

    @property
    def prefix_free(self) -> bool:
        """Codes and bytes sort alike: no text but the last segment's is the beginning of another of its segment."""
        return all(level.order.prefix_free for level in self.levels[:-1])

    @property
    def quantiles_exact(self) -> bool:
        """The order of the segments is the order of the keys, also of counted ones."""
        counted = (level.order for level in self.levels if isinstance(level.order, Counter | Steps))
        return self.prefix_free and all(
            order.digits.raw_bytes or order.digits.width > 9 or isinstance(order, Steps) for order in counted
        )

    def shown(self, key: bytes) -> bytes:
        """A key, or the beginning of one, as people should read it."""
        if not self.inputs.columns:
            return key
        return ColumnKey.of(key, [column.form for column in self.inputs.columns])

    def value_text(self, segment: str, text: bytes) -> str:
        """What a segment shows, its delimiter included, as people should read it."""
        column = next((c for c in self.inputs.columns if segment in c.segments), None)
        if column is not None:
            text = ColumnKey.of(text, [column.form, column.form] if column.ended else [column.form]).texts[0].encode()
        return text.decode("utf-8", "backslashreplace")

    def forget(self) -> None:
        """Drop what was computed along the way."""
        self._cache.clear()

    def steady_law(self) -> Law:
        """The last month of the horizon, everything as popular as its field says."""
        return Law(TimeLaw.windows(self.inputs.end_s - 30 * DAY_S, self.inputs.end_s))

    def facts(self) -> KeyFacts:
        """What is known of the keys without any traffic."""
        from .facts import key_facts

        found = self._cache.get("facts")
        if not isinstance(found, KeyFacts):
            found = self._cache["facts"] = key_facts(self)
        return replace(found, row_kind=self.row_kind)


def compile_pattern(spec: Spec, row_kind: str, *, ids_max: int = 65_536, seed: int = 0) -> Pattern:
    """The row key of a row kind, ready to compute with. Cached by the content that it depends on.

    Parameters
    ----------
    ids_max
        Most rows of a table of values; beyond, the most popular stand for themselves and others for the rest.

    Raises
    ------
    Open
        If no key can be made: no segments, a field without a counter in its values, a number that does not fit.
    """
    table, kind = next((t, k) for t, k in spec.row_kinds() if k.id == row_kind)
    inputs = inputs_of(spec, table, kind, ids_max=ids_max, seed=seed)
    try:
        made = _compiled(inputs)
    except ValueError as error:
        raise Open(
            Because(N_("the row key of {row_kind} cannot be made: {reason}"), kind.id,
                    {"row_kind": kind.name or kind.id, "reason": str(error)})
        ) from error  # fmt: skip
    return Pattern(
        made.inputs, made.levels, made.components, made.ids_exact, made.ids_error_share, kind.id, made._cache
    )


def inputs_of(spec: Spec, table: SpecTable, kind: RowKind, *, ids_max: int, seed: int) -> Inputs:
    """What the pattern of a row kind depends on; `Open` where something lacks."""
    segments, columns = laid_out(spec, kind)
    names: dict[str, None] = {}
    for segment in segments:
        for name in fields_of(segment):
            while name is not None and name not in names:
                names[name] = None
                name = spec.find(name).belongs_to
    shapes = {name: shape_of(spec, spec.find(name), seed=seed) for name in names}
    start = start_s(spec)
    return Inputs(
        segments=segments,
        shapes=tuple(sorted(shapes.items())),
        per_event=frozenset(_per_event(spec, kind, shapes)),
        first_s=start - float(assumed(spec, table, "history_months") or 0) * 30.4375 * DAY_S,
        start_s=start,
        end_s=horizon_end_s(spec),
        ids_max=ids_max,
        seed=seed,
        columns=columns,
    )


def fields_of(segment: Segment) -> tuple[str, ...]:
    """Ids of the fields in a segment."""
    if isinstance(segment, HashSegment | SaltSegment):
        return segment.fields
    if isinstance(segment, FieldSegment | DerivedSegment):
        return (segment.field,)
    return ()


def _per_event(spec: Spec, kind: RowKind, shapes: dict[str, Shape]) -> list[str]:
    rows_per_day = 0.0
    for write in kind.writes:
        if write.activity is not None:
            rate = assumed(spec, spec.find(write.activity), "rate_per_second")
            rows_per_day += (rate or 0.0) * float(assumed(spec, write, "rows_per_event")) * DAY_S
    return [
        name
        for name, shape in shapes.items()
        if shape.growth_per_day > 0 and 0 < rows_per_day * PER_EVENT_SHARE <= shape.growth_per_day
    ]


def pattern_of(inputs: Inputs) -> Pattern:
    """The pattern of inputs that are at hand, for one use: it is not kept. ValueError if no key can be made of them."""
    return _Compiler(inputs).pattern()


@lru_cache(maxsize=96)
def _compiled(inputs: Inputs) -> Pattern:
    return _Compiler(inputs).pattern()


def forget_patterns() -> None:
    """Drop all compiled patterns: what measures a cold start calls this."""
    _compiled.cache_clear()
    _TABLES.forget()
    _WRITERS.forget()


class _Compiler:
    """Sorts segments into components, then builds each."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.shapes = dict(inputs.shapes)
        self.components: list[Component] = []
        self.levels: dict[str, Level] = {}
        self.exact, self.error = True, 0.0

    def pattern(self) -> Pattern:
        timed: list[Segment] = []
        tabled: list[Segment] = []
        for segment in self.inputs.segments:
            if isinstance(segment, LiteralSegment):
                self.levels[segment.id] = Level(segment, -1, Constant(as_bytes(segment.text) + as_bytes(segment.after)))
            elif self._is_timed(segment):
                timed.append(segment)
            elif not self._alone(segment):
                tabled.append(segment)
        self._time(timed)
        for group in self._groups(tabled):
            self._group(group)
        if not self.components:  # the same key for all
            self.components.append(table_of(Entries(), [coded(Texts.of([b""]))], fixed=np.ones(1)))
        levels = tuple(self.levels[segment.id] for segment in self.inputs.segments)
        return Pattern(self.inputs, levels, tuple(self.components), self.exact, self.error)

    # --- which segments are decided by what ---

    def _new(self, name: str) -> bool:
        return name in self.inputs.per_event or self._is_timestamp(name)

    def _is_timestamp(self, name: str) -> bool:
        return self.shapes[name].kind == "timestamp" and self.shapes[name].values is None

    def _is_timed(self, segment: Segment) -> bool:
        if isinstance(segment, TimeSegment):
            return True
        if isinstance(segment, FieldSegment | DerivedSegment):
            shape = self.shapes[segment.field]
            if self._is_timestamp(segment.field):
                return True
            if segment.field not in self.inputs.per_event or not shape.sequential:
                return False
            return not any(isinstance(t, ReverseDigits) for t in segment.transforms)
        return False

    def _alone(self, segment: Segment) -> bool:
        """Build a component for this segment alone, if it is independent of all others."""
        after = as_bytes(segment.after)
        if isinstance(segment, SaltSegment) and (not segment.fields or any(map(self._new, segment.fields))):
            self._even_choice(segment, salt_texts(segment, np.arange(segment.modulo)), after)
            return True
        if isinstance(segment, HashSegment) and (any(map(self._new, segment.fields)) or self._too_many(segment.fields)):
            digits = min(segment.digits, len(render.hash_digits(segment.algorithm, b"")))
            self._add(segment, Letters(segment.id, (HEX,) * digits, after))
            return True
        if isinstance(segment, FieldSegment):
            places = self._letters(segment)
            if places is not None:
                new = segment.field in self.inputs.per_event
                first, end = self.shapes[segment.field].existing(self.inputs.end_s)
                values = None if new else float(end - first)
                self._add(segment, Letters(segment.id, places, after, values))
                return True
            counter = self._counter(segment, after)
            if counter is not None:
                self._add(segment, counter)
                return True
        return False

    def _too_many(self, names: Sequence[str]) -> bool:
        roots = {self._root(name) for name in names}
        many = len(roots) > 1 and prod(self.shapes[name].total for name in names) > self.inputs.ids_max
        self.exact = self.exact and not many
        return many

    def _single(self, segment: FieldSegment) -> bool:
        """The field decides nothing else in the key and follows no owner."""
        uses = sum(segment.field in fields_of(other) for other in self.inputs.segments)
        return uses == 1 and (self._new(segment.field) or self.shapes[segment.field].owner is None)

    def _letters(self, segment: FieldSegment) -> tuple[bytes, ...] | None:
        shape = self.shapes[segment.field]
        new = segment.field in self.inputs.per_event
        if not new and (shape.total <= self.inputs.ids_max or shape.popularity.kind != "uniform"):
            return None
        if not self._single(segment):
            return None
        if new and shape.sequential and segment.transforms and isinstance(segment.transforms[-1], ReverseDigits):
            first = segment.transforms[0]
            width = first.width if isinstance(first, ZeroPad) else len(str(shape.total))
            return (b"0123456789",) * width
        if segment.transforms:
            return None
        if shape.kind == "uuid" and shape.values is None:
            return uuid_places()
        if isinstance(shape.values, Random) and shape.values.min == shape.values.max:
            letters = letters_of(render.letters(shape.values, shape.kind))
            return (letters,) * shape.values.min if letters else None
        return None

    def _counter(self, segment: FieldSegment, after: bytes) -> Counter | None:
        shape = self.shapes[segment.field]
        new = segment.field in self.inputs.per_event
        if not (new or (shape.total > self.inputs.ids_max and isinstance(shape.popularity, Uniform | Latest))):
            return None
        found = digits_of(shape, segment.transforms, after) if self._single(segment) else None
        if found is None:
            return None
        digits, scale = found
        base = scale.base + scale.offset
        free = digits_prefix_free(digits, base, base + shape.total)
        return Counter(segment.id, shape, digits, base, free)

    def _root(self, name: str) -> str:
        owner = self.shapes[name].owner
        return name if owner is None or owner in self.inputs.per_event else self._root(owner)

    def _groups(self, segments: Sequence[Segment]) -> list[list[Segment]]:
        """Segments whose fields hang together by owners or by a common hash."""
        groups: list[tuple[set[str], list[Segment]]] = []
        for segment in segments:
            roots, members = {self._root(name) for name in fields_of(segment)}, [segment]
            for group in [g for g in groups if g[0] & roots]:
                roots, members = roots | group[0], group[1] + members
                groups.remove(group)
            groups.append((roots, members))
        return [sorted(group[1], key=self.inputs.segments.index) for group in groups]

    # --- building ---

    def _add(self, segment: Segment, component: Letters | Counter) -> None:
        self.components.append(component)
        self.levels[segment.id] = Level(segment, len(self.components) - 1, component)

    def _even_choice(self, segment: Segment, texts: Texts, after: bytes) -> None:
        table = table_of(Entries(), [coded(with_after(texts, after))], fixed=np.full(len(texts), 1 / len(texts)))
        self.components.append(table)
        self.levels[segment.id] = Level(segment, len(self.components) - 1, table.columns[0])

    def _time(self, segments: Sequence[Segment]) -> None:
        if not segments:
            return
        made = [self._steps(segment, segments[:n]) for n, segment in enumerate(segments)]
        place = len(self.components)
        if all(step is not None for step in made):
            self.components.append(Clock())
            for segment, step in zip(segments, made, strict=True):
                assert step is not None
                self.levels[segment.id] = Level(segment, place, step)
            return
        cells = cells_of(segments, self.shapes, self.inputs.first_s, self.inputs.end_s)
        self.exact = self.exact and cells.exact
        self.components.append(cells)
        for segment, column in zip(segments, cells.columns, strict=True):
            self.levels[segment.id] = Level(segment, place, column)

    def _steps(self, segment: Segment, before: Sequence[Segment]) -> Steps | Calendar | None:
        after = as_bytes(segment.after)
        if isinstance(segment, EscapedTime):
            return None
        if isinstance(segment, TimeSegment):
            if isinstance(segment, WholeTime) and segment.pattern:
                return readable_steps(segment) if sorts_as_time(segment.pattern) else None
            if not segment.pattern:
                render.segment_text(segment, {}, render.Event({}, int(self.inputs.end_s * 1e6)))
                return epoch_steps(segment)
            if sorts_as_time(segment.pattern):
                return Calendar(segment.id, segment.pattern, segment.resolution, after)
            shown = [s.pattern for s in before if isinstance(s, TimeSegment) and s.pattern and not s.reversed]
            if shown and sorts_as_time(segment.pattern, "".join(shown)):
                return Calendar(segment.id, segment.pattern, segment.resolution, after, within=True)
            return None
        assert isinstance(segment, FieldSegment | DerivedSegment)
        if self._is_timestamp(segment.field):
            if isinstance(segment, FieldSegment) and not segment.transforms:
                return epoch_steps(TimeSegment(id=segment.id, after=segment.after))
            if isinstance(segment, FieldSegment) and all(isinstance(t, Signed) for t in segment.transforms):
                return epoch_steps(WholeTime(id=segment.id))
            return None
        size = segment.how.size if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket) else 1
        if isinstance(segment, DerivedSegment) and size == 1 and not isinstance(segment.how, Bucket):
            return None
        shape = self.shapes[segment.field]
        found = digits_of(shape, segment.transforms, after, size=size)
        if found is None:
            return None
        digits, scale = found
        steps = sequence_steps(segment.id, shape, digits, scale)
        low, high = (steps.number(int(s * 1e6)) for s in (self.inputs.first_s, self.inputs.end_s))
        free = digits_prefix_free(digits, low, high + 1)
        return replace(steps, prefix_free=free)

    def _group(self, segments: list[Segment]) -> None:
        names: dict[str, None] = {}
        for segment in segments:
            for name in fields_of(segment):
                chain = [name]
                while (owner := self.shapes[chain[-1]].owner) is not None and owner not in self.inputs.per_event:
                    chain.append(owner)
                names.update(dict.fromkeys(reversed(chain)))
        writer = _writer(tuple(self.shapes[name] for name in names), self.inputs.ids_max)
        contents = tuple(segment.model_copy(update={"id": ""}) for segment in segments)
        entries, error = writer.spread(contents[0])
        self.exact = self.exact and entries.exact
        self.error = max(self.error, error)
        table = _TABLES.get(
            (entries, contents), lambda: table_of(entries, [writer.coded(content) for content in contents])
        )
        self.components.append(table)
        for segment, column in zip(segments, table.columns, strict=True):
            self.levels[segment.id] = Level(segment, len(self.components) - 1, column)


_WRITERS: Memory[Writer] = Memory(limit_bytes=128 << 20)
"""Values of fields that belong together, by the content of the fields: keys of many tables are made from the same."""

_TABLES: Memory[Table] = Memory(limit_bytes=128 << 20)
"""Tables of values, by the content of their segments, whatever their ids."""


def _writer(shapes: tuple[Shape, ...], ids_max: int) -> Writer:
    return _WRITERS.get((shapes, ids_max), lambda: Writer(Entries(stages_of(shapes, ids_max=ids_max))))


def digits_prefix_free(digits: Digits, low: int, high: int) -> bool:
    """No number's text low…high-1 is the beginning of another's."""
    if digits.raw_bytes or (digits.after and not digits.after[:1].isdigit()):
        return True
    sizes = {len(digits.text(a)) for a, _ in digits.blocks(low, high) if a >= 0}
    return len(sizes) <= 1 and low >= 0


def uuid_places() -> tuple[bytes, ...]:
    """The letters of each place of a version-4 uuid."""
    shape = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx"
    return tuple({"x": HEX, "v": b"89ab"}.get(letter, letter.encode()) for letter in shape)


Build = Callable[[Inputs], Pattern]
