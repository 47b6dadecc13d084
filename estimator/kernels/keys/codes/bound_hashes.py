"""Hashes of fields that are also in the key but are too many together for a table.

In a drawn key, they are the hashes of its own values. The number of keys in a range does not depend on them:
over that many pairs a hash is even, and is taken as independent.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from designer.document.key import HashSegment
from estimator.results.arrays import Ints

from ..patterns.pattern import KeyPattern, Level
from ..patterns.segments import Writer
from ..patterns.table import ValueTable
from ..patterns.uniform import HEX, UniformText
from ..rendering.hashes import hash_texts
from ..rendering.texts import Texts, concatenate
from .codec import Codec
from .groups import LetterGroup

_NIBBLE = np.zeros(256, dtype=np.int64)
_NIBBLE[list(HEX)] = np.arange(16)


@dataclass(frozen=True, eq=False)
class BoundHash:
    """A hash whose values are all told by rows of tables."""

    level: Level
    letters: UniformText
    algorithm: str
    values: tuple[tuple[int, Ints, Texts], ...]
    """Per field: the component that decides it, the value of each row, and the values' texts."""

    def texts(self, rows: Mapping[int, Ints]) -> Texts:
        """Return the hash's digits, without delimiter, for keys with these rows, int64 (keys,), by component."""
        data = concatenate([texts.take(value[rows[place]]) for place, value, texts in self.values])
        return hash_texts(self.algorithm, data, digits=len(self.letters.places))

    def draws(self, codec: Codec, rows: Mapping[int, Ints]) -> dict[tuple[int, int], Ints]:
        """Return the hash's digits as the draws of the codec's runs."""
        nibbles, out = _NIBBLE[self.texts(rows).data], {}
        for run in codec.groups:
            if isinstance(run, LetterGroup) and run.part[0] == self.level.component:
                here, nibbles = np.split(nibbles, [len(run.letters)], axis=1)
                out[run.part] = here @ (16 ** np.arange(len(run.letters) - 1, -1, -1))
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
            out.append(BoundHash(level, letters, segment.algorithm, values))
    return out


def _values(table: ValueTable, field: str) -> tuple[Ints, Texts]:
    return table.entries.rows[field][table.entry], Writer(table.entries).untransformed_texts(field)
