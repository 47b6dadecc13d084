"""Hashes that are drawn apart from what they are made of, although that is in the key, too.

They are of fields that are too many together for a table, or of a time. In a drawn key, they are the hashes of its own
values. The number of keys in a range is taken as if they were independent: over that many pairs a hash is even, and
of a time all keys of a window have the same few.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document.key import HashSegment, TimeSegment
from estimator.results.arrays import Bytes, Ints

from ..patterns.cells import TimeSpans
from ..patterns.pattern import KeyPattern, Level
from ..patterns.segments import Writer
from ..patterns.table import ValueTable
from ..patterns.times import EventTime
from ..patterns.uniform import UniformText
from ..rendering import render
from ..rendering.hashes import hash_texts
from ..rendering.texts import Texts, concatenate
from .codec import Codec, Drawn
from .groups import LetterGroup


@dataclass(frozen=True, eq=False)
class BoundHash:
    """A hash whose values are all told by rows of tables."""

    level: Level
    letters: UniformText
    values: tuple[tuple[int, Ints, Texts], ...]
    """Per field: the component that decides it, the value of each row, and the values' texts."""

    def texts(self, rows: Mapping[int, Ints]) -> Texts:
        """Return the hash's digits, without delimiter, for keys with these rows, int64 (keys,), by component."""
        data = concatenate([texts.take(value[rows[place]]) for place, value, texts in self.values])
        segment = self.level.segment
        assert isinstance(segment, HashSegment)
        return hash_texts(segment.algorithm, segment.form, segment.digits, data)

    def draws(self, codec: Codec, draw: Drawn) -> dict[tuple[int, int], Ints]:
        """Return the hash's letters as the draws of the codec's runs."""
        rows = {place: ranks for (place, part), ranks in draw.items() if not part}
        return _letters(codec, self.level.component, self.texts(rows))


@dataclass(frozen=True, eq=False)
class HashOfTime:
    """A hash of the time that stands in the key, too, or of its bucket."""

    level: Level
    time: int
    """The component that decides the time."""
    spans: TimeSpans | None
    """The buckets, where each has a row of a table."""

    def draws(self, codec: Codec, draw: Drawn) -> dict[tuple[int, int], Ints]:
        """Return the row of the bucket, or the hash's letters as the draws of the codec's runs."""
        times = draw[self.time, 0]
        if self.spans is not None:
            return {(self.level.component, 0): self.spans.rows_at(times)}
        return _letters(codec, self.level.component, Texts.of([self.text(at) for at in times.tolist()]))

    def text(self, time_us: int) -> bytes:
        """Return the hash at a time, without delimiter."""
        return render.segment_text(self.level.segment, {}, render.Event({}, time_us))


def _letters(codec: Codec, component: int, texts: Texts) -> dict[tuple[int, int], Ints]:
    """Return texts of a component as the draws of the codec's runs."""
    places, out = texts.data, {}
    for run in codec.groups:
        if isinstance(run, LetterGroup) and run.part[0] == component:
            # A hash of 2^60 texts or more is divided into several letter groups, in the order of its places, so that
            # each rank fits a word. Each group takes its own columns from the front.
            here, places = np.split(places, [len(run.letters)], axis=1)
            out[run.part] = _ranks(here, run.letters)
    return out


def bound_hashes(pattern: KeyPattern) -> list[BoundHash | HashOfTime]:
    """Return the hashes of a pattern that are drawn apart from what they are made of, which is in the key, too."""
    return [*hashes_of_values(pattern), *hashes_of_time(pattern)]


def hashes_of_time(pattern: KeyPattern) -> list[HashOfTime]:
    time = next((place for place, component in enumerate(pattern.components) if isinstance(component, EventTime)), None)
    hashes = []
    for level in pattern.levels if time is not None else ():
        spans, segment = pattern.components[level.component], level.segment
        own = isinstance(segment, HashSegment) and not segment.fields
        if own or (isinstance(segment, TimeSegment) and segment.hash is not None):
            assert time is not None
            hashes.append(HashOfTime(level, time, spans if isinstance(spans, TimeSpans) else None))
    return hashes


def hashes_of_values(pattern: KeyPattern) -> list[BoundHash]:
    """Return the hashes that no table holds although tables hold all that they are made of."""
    tables = {place: table for place, table in enumerate(pattern.components) if isinstance(table, ValueTable)}
    homes = {stage.shape.id: place for place, table in tables.items() for stage in table.stages}
    out = []
    for level in pattern.levels:
        segment, letters = level.segment, level.order
        if (
            isinstance(segment, HashSegment)
            and isinstance(letters, UniformText)
            and segment.fields
            and homes.keys() >= set(segment.fields)
        ):
            values = tuple((homes[name], *_values(tables[homes[name]], name)) for name in segment.fields)
            out.append(BoundHash(level, letters, values))
    return out


def _ranks(places: Bytes, letters: Sequence[bytes]) -> Ints:
    """Return the number of each text among all texts of these letters, in byte order. int64 (texts,)."""
    ranks = np.zeros(len(places), dtype=np.int64)
    for column, sorted_letters in zip(places.T, letters, strict=True):
        # Horner's rule in mixed radix. Letters are in byte order, so a binary search returns the digit of a letter.
        ranks = ranks * len(sorted_letters) + np.searchsorted(np.frombuffer(sorted_letters, np.uint8), column)
    return ranks


def _values(table: ValueTable, field: str) -> tuple[Ints, Texts]:
    return table.entries.rows[field][table.entry], Writer(table.entries).untransformed_texts(field)
