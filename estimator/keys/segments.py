"""One segment's texts for many values at once."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from designer.spec.key import Bucket, DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment

from . import render
from .columns import as_texts, counted, derived, field_texts
from .hashes import hash_texts, salts
from .shape import Shape
from .texts import Texts, concatenated, decimal

Ints = NDArray[np.int64]


def segment_texts(
    segment: Segment, shapes: Mapping[str, Shape], numbers: Mapping[str, Ints], rows: Mapping[str, Ints]
) -> Texts:
    """The segment's text, without delimiter, for every entry of a table.

    Parameters
    ----------
    numbers : int64 (values,) by field
        Values of each field's own stage: each is rendered once.
    rows : int64 (entries,) by field
        Which of them each entry has.
    """
    if isinstance(segment, FieldSegment):
        texts = field_texts(shapes[segment.field], numbers[segment.field], segment.transforms)
        return _taken(texts, rows[segment.field])
    if isinstance(segment, DerivedSegment):
        texts = _derived(segment, shapes[segment.field], numbers[segment.field])
        return _taken(texts, rows[segment.field])
    if isinstance(segment, HashSegment | SaltSegment):
        return _hashed(segment, shapes, numbers, rows, segment.fields)
    raise TypeError(f"{segment.kind} follows no field")


def _taken(texts: Texts, rows: Ints) -> Texts:
    if len(texts) == len(rows) and np.array_equal(rows, np.arange(len(rows))):
        return texts
    return texts.take(rows)


def _derived(segment: DerivedSegment, shape: Shape, numbers: Ints) -> Texts:
    if isinstance(segment.how, Bucket):
        return derived(counted(shape, numbers) // segment.how.size, segment.transforms)
    how = segment.how
    texts = field_texts(shape, numbers).tolist()
    return Texts.of([render.as_text(render.transformed(render.text_part(t, how), segment.transforms)) for t in texts])


def _hashed(
    segment: HashSegment | SaltSegment,
    shapes: Mapping[str, Shape],
    numbers: Mapping[str, Ints],
    rows: Mapping[str, Ints],
    names: Sequence[str],
) -> Texts:
    single = len(names) == 1
    inputs = [as_texts(field_texts(shapes[name], numbers[name])) for name in names]
    data = inputs[0] if single else concatenated([_taken(t, rows[n]) for t, n in zip(inputs, names, strict=True)])
    if isinstance(segment, HashSegment):
        texts = hash_texts(segment.algorithm, data, digits=segment.digits)
    else:
        texts = decimal(salts(data, segment.modulo), render.salt_width(segment))
    return _taken(texts, rows[names[0]]) if single else texts
