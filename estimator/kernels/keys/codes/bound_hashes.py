"""Hashes of fields that are also in the key but are too many together for a table.

In a drawn key, they are the hashes of its own values. The number of keys in a range does not depend on them:
over that many pairs a hash is even, and is taken as independent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document.key import HashSegment
from estimator.results.arrays import Bytes, Ints

from ..patterns.pattern import KeyPattern, Level
from ..patterns.segments import Writer
from ..patterns.table import ValueTable
from ..patterns.uniform import UniformText
from ..rendering.hashes import hash_texts
from ..rendering.texts import Texts, concatenate
from .codec import Codec
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
        return hash_texts(self.segment, data)

    @property
    def segment(self) -> HashSegment:
        """The hash as the design has it."""
        assert isinstance(self.level.segment, HashSegment)
        return self.level.segment

    def draws(self, codec: Codec, rows: Mapping[int, Ints]) -> dict[tuple[int, int], Ints]:
        """Return the hash's letters as the draws of the codec's runs."""
        places, out = self.texts(rows).data, {}
        for run in codec.groups:
            if isinstance(run, LetterGroup) and run.part[0] == self.level.component:
                here, places = np.split(places, [len(run.letters)], axis=1)
                out[run.part] = _ranks(here, run.letters)
        return out


def bound_hashes(pattern: KeyPattern) -> list[BoundHash]:
    """Return the hashes of a pattern that no table holds although tables hold all that they are made of."""
    tables = {place: table for place, table in enumerate(pattern.components) if isinstance(table, ValueTable)}
    homes = {stage.shape.id: place for place, table in tables.items() for stage in table.stages}
    out = []
    for level in pattern.levels:
        segment, letters = level.segment, level.order
        if (
            isinstance(segment, HashSegment)
            and isinstance(letters, UniformText)
            and homes.keys() >= set(segment.fields)
        ):
            values = tuple((homes[name], *_values(tables[homes[name]], name)) for name in segment.fields)
            out.append(BoundHash(level, letters, values))
    return out


def _ranks(places: Bytes, letters: Sequence[bytes]) -> Ints:
    """Return the number of each text among all texts of these letters, in byte order. int64 (texts,)."""
    ranks = np.zeros(len(places), dtype=np.int64)
    for column, sorted_letters in zip(places.T, letters, strict=True):
        ranks = ranks * len(sorted_letters) + np.searchsorted(np.frombuffer(sorted_letters, np.uint8), column)
    return ranks


def _values(table: ValueTable, field: str) -> tuple[Ints, Texts]:
    return table.entries.rows[field][table.entry], Writer(table.entries).untransformed_texts(field)
