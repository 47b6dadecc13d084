"""Segments' texts for many values at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from designer.spec.key import Bucket, DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment

from . import render
from .columns import Column, Slow, as_texts, counted, derived, field_texts, values
from .hashes import hash_texts, salts
from .shape import Shape
from .texts import Texts, concatenated, decimal

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Writer:
    """The entries of one table, to be written segment by segment; every value of a field is rendered once.

    `numbers` int64 (values,) by field: the values of each field's own stage; `rows` int64 (entries,) by field: which
    of them each entry has.
    """

    shapes: Mapping[str, Shape]
    numbers: Mapping[str, Ints]
    rows: Mapping[str, Ints]
    _plain: dict[str, Column | None] = field(default_factory=dict, repr=False)

    def texts(self, segment: Segment) -> Texts:
        """The segment's text, without delimiter, of every entry."""
        if isinstance(segment, FieldSegment):
            shape, numbers = self.shapes[segment.field], self.numbers[segment.field]
            texts = field_texts(shape, numbers, segment.transforms, self._values(segment.field))
            return _taken(texts, self.rows[segment.field])
        if isinstance(segment, DerivedSegment):
            return _taken(self._derived(segment), self.rows[segment.field])
        if isinstance(segment, HashSegment | SaltSegment):
            return self._hashed(segment, segment.fields)
        raise TypeError(f"{segment.kind} follows no field")

    def _values(self, name: str) -> Column | None:
        if name not in self._plain:
            try:
                self._plain[name] = values(self.shapes[name], self.numbers[name])
            except Slow:
                self._plain[name] = None
        return self._plain[name]

    def _untransformed(self, name: str) -> Texts:
        return as_texts(field_texts(self.shapes[name], self.numbers[name], (), self._values(name)))

    def _derived(self, segment: DerivedSegment) -> Texts:
        how = segment.how
        if isinstance(how, Bucket):
            whole = counted(self.shapes[segment.field], self.numbers[segment.field])
            return derived(whole // how.size, segment.transforms)
        texts = [render.text_part(text, how) for text in self._untransformed(segment.field).tolist()]
        return Texts.of([render.as_text(render.transformed(text, segment.transforms)) for text in texts])

    def _hashed(self, segment: HashSegment | SaltSegment, names: Sequence[str]) -> Texts:
        single = len(names) == 1
        inputs = [self._untransformed(name) for name in names]
        if single:
            data = inputs[0]
        else:
            data = concatenated([_taken(t, self.rows[name]) for t, name in zip(inputs, names, strict=True)])
        if isinstance(segment, HashSegment):
            texts = hash_texts(segment.algorithm, data, digits=segment.digits)
        else:
            texts = decimal(salts(data, segment.modulo), render.salt_width(segment))
        return _taken(texts, self.rows[names[0]]) if single else texts


def _taken(texts: Texts, rows: Ints) -> Texts:
    if len(texts) == len(rows) and np.array_equal(rows, np.arange(len(rows))):
        return texts
    return texts.take(rows)
