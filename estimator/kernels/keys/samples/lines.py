"""Sample keys as the lines of a file, CSV or NDJSON, with the values that each key was made from; at full speed.

A line is made as a key is: what stands around key and values are constants, and values are runs behind the key's own.
Where a key needs quotes or escapes, lines are written one by one instead.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from designer.document.columnkey import ColumnKey
from designer.document.ids import make_unique
from designer.document.key import FieldSegment, TimeSegment, as_text
from estimator.results.arrays import Bytes, Ints

from ..codes.codec import Codec
from ..codes.groups import CalendarGroup, LetterGroup, NumberGroup, RowGroup, SegmentGroup, write_texts
from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution
from ..patterns.inputs import fields_of
from ..patterns.pattern import KeyPattern, Level
from ..patterns.table import ValueTable
from ..rendering import clock
from ..rendering.columns import field_texts
from ..rendering.texts import Texts, write_digits
from .events import source_of
from .sample import Order, sample_blocks, sample_ranks

Format = Literal["csv", "ndjson"]

TIME = "time"
"""The column of the time that a key shows: UTC, to the millisecond, the start of what the key is as fine as."""

_PLAIN = bytes(byte for byte in range(ord(" "), ord("~") + 1) if byte not in b'",\\')
"""What needs neither quotes nor escapes in either format."""


def sample_lines(
    pattern: KeyPattern,
    distribution: EventDistribution,
    count: int,
    *,
    form: Format,
    values: bool = False,
    seed: int = 0,
    order: Order = "sorted",
    names: dict[str, str] | None = None,
) -> Iterator[tuple[bytes, int]]:
    """`count` keys as lines in pieces of bounded size: (bytes, keys in it). The first piece is the header of a CSV.

    Parameters
    ----------
    values
        With each key, what its fields and its time are: before any padding, reversing or cutting off.
    names : mapping of field id to str, optional
        What fields are called in the header; ids where it says nothing.

    Notes
    -----
    Bytes that are no printable text are written `\\xNN`. A primary key of columns has a column each and no values
    besides.
    """
    if pattern.inputs.columns:
        yield from _column_lines(pattern, distribution, count, form=form, seed=seed, order=order)
        return
    source = source_of(pattern, distribution)
    columns = _values(pattern, source.codec) if values else []
    heads = ["key", *_unique_names([(names or {}).get(value.name, value.name) for value in columns])]
    if form == "csv":
        yield _csv([heads]), 0
    fast = _line_codec(source.codec, columns, heads, form)
    one_by_one = _line_writer(heads, form)
    for ranks in sample_ranks(source, count, seed=seed, order=order):
        if fast is not None:
            data, _ = fast.keys([*ranks, *(value.group_ranks(ranks) for value in columns)], b"\n")
            yield data.tobytes(), len(ranks[0])
            continue
        yield one_by_one(_cells(source.codec, columns, ranks)), len(ranks[0])


def _column_lines(
    pattern: KeyPattern, distribution: EventDistribution, count: int, *, form: Format, seed: int, order: Order
) -> Iterator[tuple[bytes, int]]:
    heads = [column.label for column in pattern.inputs.columns]
    write = _line_writer(heads, form)
    if form == "csv":
        yield _csv([heads]), 0
    for block in sample_blocks(pattern, distribution, count, seed=seed, order=order):
        keys = [pattern.readable_key(key) for key in block.tolist()]
        yield write([[_value(v) for v in key.values] for key in keys if isinstance(key, ColumnKey)]), len(block)


def _value(value: int | bytes) -> str | int:
    return value if isinstance(value, int) else as_text(value)


# --- values ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SampleColumn:
    """One value of every key: a run behind the key's own."""

    name: str
    group: int
    """Which run of the key decides it."""
    make_texts: Callable[[Ints], Texts]
    """The texts of that run's ranks."""
    known_texts: Texts | None = None
    """All texts, by rank, where they are few."""

    part = (-1, 0)

    @cached_property
    def width(self) -> int:
        """Bytes of the longest text."""
        return int(self.sample.data.shape[1])

    @cached_property
    def has_varying_length(self) -> bool:
        """Texts may be of different lengths."""
        return not self.sample.is_fixed

    @cached_property
    def sample(self) -> Texts:
        """All texts where they are known, else one."""
        return self.known_texts if self.known_texts is not None else self.make_texts(np.zeros(1, dtype=np.int64))

    def group_ranks(self, ranks: Sequence[Ints]) -> Ints:
        """Return the ranks of this value's run."""
        return ranks[self.group]

    def texts(self, ranks: Ints) -> Texts:
        """Return the text of each rank."""
        return self.known_texts.take(ranks) if self.known_texts is not None else self.make_texts(ranks)

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """Write the values as a key's run writes its own."""
        return write_texts(self.texts(ranks), out, at)


def unshown_fields(pattern: KeyPattern, distribution: EventDistribution) -> tuple[str, ...]:
    """Return the ids of fields that keys are made from and that no column shows: their hashes are drawn, not made."""
    column_names = {value.name for value in _values(pattern, source_of(pattern, distribution).codec)}
    names = dict.fromkeys(name for level in pattern.levels for name in fields_of(level.segment))
    return tuple(name for name in names if name not in column_names)


def _values(pattern: KeyPattern, codec: Codec) -> list[SampleColumn]:
    """Return the key's fields and its time as values, in the order in which the key has them.

    Of two values that make the same key, as of a hash, the first one stands for both.
    """
    columns: dict[str, SampleColumn] = {}
    for level in pattern.levels:
        if isinstance(level.segment, TimeSegment):
            values = [_time(pattern, codec, level)]
        else:
            values = [_field(pattern, codec, level, name) for name in fields_of(level.segment)]
        for value in values:
            if value is not None and (value.name not in columns or value.name == TIME):
                columns[value.name] = value  # of several time segments the last one is the finest
    return list(columns.values())


def _runs_of(codec: Codec, component: int) -> list[int]:
    return [place for place, run in enumerate(codec.groups) if run.part[0] == component]


def _field(pattern: KeyPattern, codec: Codec, level: Level, name: str) -> SampleColumn | None:
    component = pattern.components[level.component]
    places = _runs_of(codec, level.component)
    if isinstance(component, ValueTable):
        run = codec.groups[places[-1]]
        assert isinstance(run, RowGroup)
        stage = next((stage for stage in component.stages if stage.shape.id == name), None)
        if stage is None:
            return None
        entries = component.entry[run.starts[:-1]]
        numbers = stage.number[component.entries.rows[name][entries]]
        texts = field_texts(stage.shape, numbers)
        return SampleColumn(name, places[-1], texts.take, texts)
    if len(places) != 1 or not isinstance(level.segment, FieldSegment):
        return None  # a uniform text in several parts: the key shows it as it is
    run = codec.groups[places[0]]
    after = run.digits.after if isinstance(run, NumberGroup) else run.after if isinstance(run, LetterGroup) else None
    if after is None:
        return None
    return SampleColumn(
        name, places[0], lambda ranks: _without_delimiter(run.texts(ranks), len(after)), _few_texts(run, len(after))
    )


def _few_texts(group: SegmentGroup, after_bytes: int) -> Texts | None:
    """All texts where they differ in length and there are few: then the longest is known."""
    if not group.has_varying_length:
        return None
    return _without_delimiter(group.texts(np.arange(group.size)), after_bytes) if group.size <= 1 << 20 else None


def _without_delimiter(texts: Texts, after_bytes: int) -> Texts:
    """Return the texts without the delimiter behind each."""
    if not after_bytes:
        return texts
    if texts.is_fixed:
        return Texts.from_fixed(texts.data[:, : texts.data.shape[1] - after_bytes])
    length = texts.length - after_bytes
    data = np.where(np.arange(texts.data.shape[1]) < length[:, None], texts.data, 0)[:, : int(length.max(initial=0))]
    return Texts(data.astype(np.uint8), length)


def _time(pattern: KeyPattern, codec: Codec, level: Level) -> SampleColumn | None:
    for place in _runs_of(codec, level.component):
        run = codec.groups[place]
        starts: Callable[[Ints], Ints]
        if isinstance(run, CalendarGroup) and run.calendar is level.order:
            starts = run.starts
        elif isinstance(run, NumberGroup) and run.steps is level.order and run.steps.firsts is not None:
            starts = _step_starts(run)
        elif isinstance(run, RowGroup) and isinstance(run.table, TimeSpans):
            texts = _iso(run.table.start_us[run.table.cell[run.starts[:-1]]])
            return SampleColumn(TIME, place, texts.take, texts)
        else:
            continue
        return SampleColumn(TIME, place, lambda ranks, starts=starts: _iso(starts(ranks)))  # type: ignore[misc]
    return None


def _step_starts(group: NumberGroup) -> Callable[[Ints], Ints]:
    steps = group.steps
    assert steps is not None
    assert steps.firsts is not None
    firsts, top = steps.firsts, steps.top
    return lambda ranks: firsts(ranks + group.low if top is None else top - (ranks + group.low))


def _iso(time_us: Ints) -> Texts:
    """Return times as ISO 8601 in UTC, to the millisecond.

    Texts come from tables of dates and of the seconds of a day.
    """
    if not len(time_us):
        return Texts.from_fixed(np.empty((0, 24), dtype=np.uint8))
    days = time_us // clock.DAY_US
    seconds, rest = np.divmod(time_us - days * clock.DAY_US, 1_000_000)
    first = int(days.min())
    dates = _dates(first, int(days.max()) - first + 1)
    out = np.empty((len(time_us), 24), dtype=np.uint8)
    out[:, :11] = dates.take(days - first).view(np.uint8).reshape(-1, 11)
    out[:, 11:19] = _seconds().take(seconds).view(np.uint8).reshape(-1, 8)
    out[:, 19] = ord(".")
    write_digits(out, (rest // 1_000).view(np.uint64), 20, 3)
    out[:, 23] = ord("Z")
    return Texts.from_fixed(out)


@lru_cache(maxsize=8)
def _dates(first: int, count: int) -> NDArray[np.void]:
    """`2027-12-16T` of so many days from a day since 1970 on."""
    texts = [f"{clock.from_micros(day * clock.DAY_US):%Y-%m-%dT}".encode() for day in range(first, first + count)]
    return np.frombuffer(b"".join(texts), dtype="V11")


@lru_cache(maxsize=1)
def _seconds() -> NDArray[np.void]:
    """`05:45:39` of every second of a day."""
    texts = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}".encode() for s in range(86_400)]
    return np.frombuffer(b"".join(texts), dtype="V8")


# --- lines ----------------------------------------------------------------------------------------------------


def _line_codec(codec: Codec, columns: Sequence[SampleColumn], heads: Sequence[str], form: Format) -> Codec | None:
    """Return a codec of full lines; None if a value needs quotes or escapes, or its texts are not all known."""
    # The codec of lines needs the longest text in advance, and refuses where it is not known.
    if any(value.has_varying_length and value.known_texts is None for value in columns):
        return None
    if not (all(map(_is_plain_group, codec.groups)) and all(_is_plain(value.sample) for value in columns)):
        return None
    if b"".join(codec.constants).translate(None, _PLAIN):
        return None
    before, between, last = _line_delimiters(heads, form)
    constants = [before[0] + codec.constants[0], *codec.constants[1:-1]]
    ends = [*between, last]
    constants.append(codec.constants[-1] + ends[0])
    constants += ends[1:]
    written_only = cast(Sequence[SegmentGroup], columns)  # nobody asks where a bound falls in a line
    return Codec((*codec.groups, *written_only), tuple(constants), codec.words, codec.is_order_preserving)


def _line_delimiters(heads: Sequence[str], form: Format) -> tuple[list[bytes], list[bytes], bytes]:
    if form == "csv":
        return [b""], [b","] * (len(heads) - 1), b""
    names = [json.dumps(head, ensure_ascii=False).encode() for head in heads]
    return [b"{" + names[0] + b': "'], [b'", ' + name + b': "' for name in names[1:]], b'"}'


def _is_plain_group(group: SegmentGroup) -> bool:
    if isinstance(group, NumberGroup):
        return not group.digits.raw_bytes and not (group.digits.before + group.digits.after).translate(None, _PLAIN)
    if isinstance(group, LetterGroup):
        return not (b"".join(group.letters) + group.after).translate(None, _PLAIN)
    many = (
        np.arange(group.size) if isinstance(group, RowGroup) else np.linspace(0, group.size - 1, 2_000).astype(np.int64)
    )
    return _is_plain(group.texts(many))


def _is_plain(texts: Texts) -> bool:
    """All bytes are plain but for the padding."""
    rest = texts.data.tobytes().translate(None, _PLAIN)
    # What is left after removing plain bytes must be exactly the padding: a NUL inside a text would be one byte too
    # many.
    return len(rest) == texts.data.size - int(texts.length.sum()) and not rest.strip(b"\0")


def _cells(codec: Codec, sample_columns: Sequence[SampleColumn], ranks: list[Ints]) -> list[list[str | int]]:
    data, ends = codec.keys(ranks)
    joined, stops = data.tobytes(), ends.tolist()
    keys = [as_text(joined[a:b]) for a, b in zip([0, *stops], stops, strict=False)]
    columns = [list(map(as_text, value.texts(value.group_ranks(ranks)).tolist())) for value in sample_columns]
    return [list(cells) for cells in zip(keys, *columns, strict=True)]


def _line_writer(heads: Sequence[str], form: Format) -> Callable[[list[list[str | int]]], bytes]:
    if form == "csv":
        return _csv
    return lambda rows: b"".join(
        json.dumps(dict(zip(heads, row, strict=True)), ensure_ascii=False).encode() + b"\n" for row in rows
    )


def _csv(rows: Sequence[Sequence[str | int]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _unique_names(names: list[str]) -> list[str]:
    """Return names that differ from each other and from the key's own column."""
    unique_names = ["key"]
    for name in names:
        unique_names.append(make_unique(name, unique_names, ending=" ", longest=None))
    return unique_names[1:]
