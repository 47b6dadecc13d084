"""Facts about a row kind's keys that are known without any traffic."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from designer.document.columnkey import END
from designer.document.durations import DAY_SECONDS
from designer.document.encodings import Descending, PercentEncoding, percent_encode
from designer.document.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    Offset,
    ReverseDigits,
    SaltSegment,
    TimeSegment,
    Transform,
    sorts_backwards,
)
from designer.document.rotation import TablePeriod
from estimator.results import ColumnFacts, KeyFacts, SegmentFacts
from estimator.results.arrays import Ints, distinct

from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution, TimeDistribution
from ..patterns.pattern import Constant, KeyPattern, Level
from ..patterns.table import TextColumn
from ..patterns.time_buckets import segment_seconds
from ..patterns.times import CalendarText, TimeSteps
from ..patterns.uniform import CountedValues, UniformText
from ..rendering import render
from ..rendering.layout import KeyColumnLayout
from ..values.shape import Enumeration, Random, Range, ValueShape
from ..values.shape import Pattern as ValuePattern
from .ambiguous_keys import find_ambiguous_keys, find_misordered_keys
from .classes import distinct_keys
from .reference_samples import draw_keys

SAMPLES = 12


def key_summary(pattern: KeyPattern) -> KeyFacts:
    """Return sizes, order, sample keys and delimiter problems of a compiled pattern, computed once per pattern."""
    summary = pattern.cache.get("summary")
    if not isinstance(summary, KeyFacts):
        summary = pattern.cache["summary"] = _summarise(pattern)
    return replace(summary, row_kind=pattern.row_kind)


def _summarise(pattern: KeyPattern) -> KeyFacts:
    segments = tuple(_segment_facts(pattern, level) for level in pattern.levels)
    law = pattern.steady_distribution()
    rows = EventDistribution(
        TimeDistribution.windows(pattern.inputs.first_s, max(pattern.inputs.end_s, pattern.inputs.first_s + 1))
    )
    return KeyFacts(
        row_kind=pattern.row_kind,
        segments=segments,
        bytes_min=sum(s.bytes_min for s in segments),
        bytes_typical=sum(s.bytes_typical for s in segments),
        bytes_max=sum(s.bytes_max for s in segments),
        samples=tuple(map(pattern.readable_key, sorted(draw_keys(pattern, law, SAMPLES, seed=pattern.inputs.seed)))),
        ambiguous=find_ambiguous_keys(pattern),
        disordered=find_misordered_keys(pattern),
        distinct_rows=distinct_keys(pattern, rows),
        ids_exact=pattern.has_exact_ids,
        ids_error_share=pattern.ids_error_share,
        columns=tuple(_column_facts(column, segments) for column in pattern.inputs.columns),
    )


def _column_facts(column: KeyColumnLayout, segments: Sequence[SegmentFacts]) -> ColumnFacts:
    own = [facts for facts in segments if facts.id in column.segments]
    return ColumnFacts(
        id=column.id,
        name=column.form.name,
        type=column.form.type,
        segments=column.segments,
        bytes_min=sum(s.bytes_min for s in own),
        bytes_typical=sum(s.bytes_typical for s in own),
        bytes_max=sum(s.bytes_max for s in own),
    )


def _segment_facts(pattern: KeyPattern, level: Level) -> SegmentFacts:
    mark = len(END) if level.segment.id in _column_end_segments(pattern) else 0
    least, typical, most = _sizes(pattern, level)
    return SegmentFacts(
        id=level.segment.id,
        bytes_min=least - mark,
        bytes_typical=typical - mark,
        bytes_max=most - mark,
        distinct=_distinct(pattern, level),
        grows=_growth_direction(pattern, level),
        fixed_width=least == most,
        prefix_free=level.order.prefix_free,
        text_order=_is_text_ordered(pattern, level),
    )


def _column_end_segments(pattern: KeyPattern) -> set[str]:
    """Segments whose delimiter holds the mark of their column's end, which is no part of the key."""
    return {column.segments[-1] for column in pattern.inputs.columns if column.has_end_mark}


def _sizes(pattern: KeyPattern, level: Level) -> tuple[int, float, int]:
    order = level.order
    if isinstance(level.segment, TablePeriod):
        return 0, 0.0, 0
    if isinstance(order, Constant):
        return len(order.text), float(len(order.text)), len(order.text)
    if isinstance(order, UniformText):
        size = len(order.text(0.0))
        return size, float(size), size
    if isinstance(order, TextColumn):
        least, most = int(order.texts.length.min()), int(order.texts.length.max())
        if least == most:
            return least, float(least), most
        component = pattern.components[level.component]
        sums = component.cumulative_shares(pattern.steady_distribution())  # type: ignore[union-attr]
        shares = np.diff(sums[0] if sums.ndim == 2 else sums)
        # The mean length of a key as written, so lengths count by the traffic of their rows, not by row.
        return least, float(shares @ order.texts.length[order.codes]), most
    if isinstance(order, CountedValues):
        low, high = order.full
    else:
        first, last = (int(s * 1e6) for s in (pattern.inputs.first_s, pattern.inputs.end_s))
        if isinstance(order, CalendarText):
            size = len(order.text(last))
            return size, float(size), size
        assert isinstance(order, TimeSteps)
        # Numbers of time get longer with time, and those subtracted from a constant get shorter.
        ends = sorted((order.text(first), order.text(last)), key=len)
        return len(ends[0]), float(len(order.text((first + last) // 2))), len(ends[1])
    blocks = [(len(order.digits.text(a)), b - a) for a, b in order.digits.blocks(low, high)]
    sizes = [size for size, _ in blocks]
    # Every number counts alike: of 0…999 there are 10 of one digit, 90 of two and 900 of three.
    return min(sizes), sum(size * n for size, n in blocks) / (high - low), max(sizes)


def _distinct(pattern: KeyPattern, level: Level) -> float:
    order = level.order
    stored_s = pattern.inputs.end_s - pattern.inputs.first_s
    if isinstance(order, Constant):
        return 1.0
    if isinstance(order, UniformText):
        return order.distinct
    if isinstance(order, CountedValues):
        return float(order.shape.total)
    if isinstance(order, CalendarText) or (isinstance(order, TimeSteps) and isinstance(level.segment, TimeSegment)):
        assert isinstance(level.segment, TimeSegment)
        length = segment_seconds(level.segment)
        # Behind a date, an hour repeats every day and has 24 values, not as many as there are hours in the stored
        # time.
        if level.segment.pattern and isinstance(order, CalendarText) and order.within:
            return float(min(stored_s, DAY_SECONDS) / length)
        return max(1.0, stored_s / length)
    if isinstance(order, TimeSteps):
        low, high = (order.number(int(s * 1e6)) for s in (pattern.inputs.first_s, pattern.inputs.end_s))
        return float(max(high - low, 1))
    assert isinstance(order, TextColumn)
    return _column_distinct(pattern, level, order)


def _column_distinct(pattern: KeyPattern, level: Level, column: TextColumn) -> float:
    """Texts of a table's column; where rows stand for others, as many as the field can have."""
    segment, text_count = level.segment, float(len(column.texts))
    if isinstance(segment, TimeSegment) and segment.hash is not None:
        stored_s = pattern.inputs.end_s - pattern.inputs.first_s
        return min(max(stored_s / segment_seconds(segment), 1.0), segment.hash_values)
    component = pattern.components[level.component]
    if isinstance(component, TimeSpans) or all(stage.is_exact for stage in component.stages):  # type: ignore[union-attr]
        return text_count
    shapes = pattern.shapes
    if isinstance(segment, FieldSegment):
        return text_count if segment.is_cut else float(shapes[segment.field].total)
    if isinstance(segment, HashSegment):
        owners = {shapes[f].owner for f in segment.fields}
        # A field that owns another one in the hash adds no combination: each value has exactly one owner.
        free = [float(shapes[f].total) for f in segment.fields if f not in owners]
        return min(segment.values, float(np.prod(free)))
    if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket):
        return max(text_count, math.ceil(shapes[segment.field].total / segment.how.size))
    if isinstance(segment, SaltSegment):
        return float(segment.modulo)
    return text_count


def _growth_direction(pattern: KeyPattern, level: Level):  # type: ignore[no-untyped-def]
    order, segment = level.order, level.segment
    if isinstance(order, CalendarText):
        return None if order.within else "time"
    if isinstance(order, TimeSteps):
        if isinstance(segment, TimeSegment) or not isinstance(segment, FieldSegment | DerivedSegment):
            return "time"
        timestamp = pattern.shapes[segment.field].kind == "timestamp"
        return "time" if timestamp else ("sequence" if _is_text_ordered(pattern, level) else None)
    if isinstance(segment, FieldSegment | DerivedSegment):
        shape = pattern.shapes[segment.field]
        is_reversed = any(isinstance(t, ReverseDigits) for t in segment.transforms)
        part = isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket)
        is_counter = isinstance(shape.values, Range | ValuePattern)
        if shape.growth_per_day > 0 and shape.is_sequential and is_counter and not is_reversed and not part:
            return "sequence" if _is_text_ordered(pattern, level) else None
    return None


def _is_text_ordered(pattern: KeyPattern, level: Level) -> bool:
    """Return True if the text sorts as the value does, tested on the values themselves in their order."""
    order, segment = level.order, level.segment
    if isinstance(segment, TimeSegment) and segment.hash is not None:
        return False
    if isinstance(order, Constant | UniformText | CalendarText):
        return True
    if isinstance(order, TimeSteps | CountedValues):
        if isinstance(order, CountedValues):
            low, high = order.full
        else:
            low, high = order.written_span(*(int(s * 1e6) for s in (pattern.inputs.first_s, pattern.inputs.end_s)))
            if not isinstance(segment, TimeSegment) and order.top is None:
                low, high = max(low, 0), max(high, 1)  # no number is below 0: history may reach back before the first
        texts = [
            text for a, b in order.digits.blocks(low, high) for text in (order.digits.text(a), order.digits.text(b - 1))
        ]
        # "-1" sorts before "0", but "-2" sorts behind "-1": one negative number keeps the order, two do not.
        negative = low < 0 and not order.digits.raw_bytes
        return texts == sorted(texts) and not (negative and low < -1)
    if isinstance(order, TextColumn) and isinstance(segment, TimeSegment):
        return False
    if isinstance(segment, FieldSegment | DerivedSegment):
        return _are_counted_values_ordered(pattern, level)
    return True


def _are_counted_values_ordered(pattern: KeyPattern, level: Level) -> bool:
    """Return True if the texts of counted values sort in the order of their numbers."""
    segment = level.segment
    assert isinstance(segment, FieldSegment | DerivedSegment)
    shape = pattern.shapes[segment.field]
    if not isinstance(shape.values, Range | ValuePattern):
        is_encoded = any(isinstance(t, PercentEncoding) for t in segment.transforms)
        return not is_encoded or _are_encoded_letters_ordered(shape)
    if isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket):
        return True
    start = shape.values.min if isinstance(shape.values, Range) else shape.values.start
    numbers = _order_probes(shape.total, start, _constants(segment.transforms))
    # Tried on real texts instead of deduced from transforms: zeros that are too few keep the order up to 10^width
    # only.
    texts = [render.segment_text(segment, {shape.id: shape}, render.Event({shape.id: n})) for n in numbers.tolist()]
    return texts == sorted(texts, reverse=sorts_backwards(segment))


def _are_encoded_letters_ordered(shape: ValueShape) -> bool:
    """Return True if percent-encoding keeps the order of all letters of a field, and so of its texts."""
    match shape.values:
        case Enumeration(items=items):
            letters = {bytes([byte]) for item in items for byte in item.value.encode()}
        case Random() as values:
            letters = {bytes([byte]) for letter in render.letters(values, shape.kind) for byte in letter}
        case _:
            return shape.kind != "bytes"
    texts = [percent_encode(letter) for letter in sorted(letters)]
    return texts == sorted(texts)


def _constants(transforms: Sequence[Transform]) -> Sequence[int]:
    """Return the numbers that are written as 0."""
    return [t.top if isinstance(t, Descending) else -t.by for t in transforms if isinstance(t, Descending | Offset)]


def _order_probes(total: int, start: int, zeros: Sequence[int]) -> Ints:
    """Value numbers that show an order: the first and last, and both sides of every power of ten or sixteen from 0."""
    # The order of padded and unpadded numerals can break only where the number of digits changes, or at 0. Offsets and
    # descending numbers move the 0, so powers are counted from there as well.
    sizes = np.array([10**k for k in range(18)] + [16**k for k in range(1, 15)])
    powers = np.concatenate([zero + sign * sizes for zero in (0, *zeros) for sign in (1, -1)])
    near = np.concatenate([powers + d - start for d in (-1, 0, 1, 2)] + [np.arange(32), total - 1 - np.arange(32)])
    spread = np.arange(64) * (total // 64)
    return distinct(np.clip(np.concatenate([near, spread]), 0, total - 1))
