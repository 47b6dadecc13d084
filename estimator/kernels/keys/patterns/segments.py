"""Segments' texts for many values at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from designer.document.key import Bucket, DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment, as_bytes
from estimator.results.arrays import Ints

from ..rendering import render
from ..rendering.columns import (
    Column,
    NoArrayFormError,
    as_texts,
    counted_numbers,
    field_texts,
    signed_texts,
    transform_numbers,
    values,
)
from ..rendering.hashes import hash_texts, salts
from ..rendering.layout import IntegerSalt
from ..rendering.texts import Texts, append_delimiter, concatenate, decimal
from ..values.shape import ValueShape
from ..values.value_tables import Entries
from .representatives import weigh_representatives
from .table import EncodedTexts, encode_texts

Value = TypeVar("Value")

_KEPT_MOST = 8


@dataclass(frozen=True, eq=False)
class Writer:
    """The entries of tables, to be written segment by segment; every value of a field is rendered once."""

    entries: Entries
    _plain: dict[str, Column | None] = field(default_factory=dict, repr=False)
    _texts: dict[Segment, Texts] = field(default_factory=dict, repr=False)
    _coded: dict[Segment, EncodedTexts] = field(default_factory=dict, repr=False)
    _spread: dict[Segment, tuple[Entries, float]] = field(default_factory=dict, repr=False)

    @cached_property
    def shapes(self) -> dict[str, ValueShape]:
        """The fields by id."""
        return {stage.shape.id: stage.shape for stage in self.entries.stages}

    @cached_property
    def numbers(self) -> dict[str, Ints]:
        """By field, the values of its own stage. int64 (values,) each."""
        return {stage.shape.id: stage.number for stage in self.entries.stages}

    @property
    def rows(self) -> dict[str, Ints]:
        """By field, which of them each entry has. int64 (entries,) each."""
        return self.entries.rows

    def encoded_texts(self, segment: Segment) -> EncodedTexts:
        """Return the segment's sorted text with its delimiter for every entry; the last few are cached."""
        return _get_or_compute(
            self._coded, segment, lambda: encode_texts(append_delimiter(self.texts(segment), as_bytes(segment.after)))
        )

    def weighted_entries(self, lead: Segment) -> tuple[Entries, float]:
        """Return the entries weighted for keys that begin with a segment, and the error, as `weigh_representatives`."""
        return _get_or_compute(self._spread, lead, lambda: self._weigh_entries(lead))

    def _weigh_entries(self, lead: Segment) -> tuple[Entries, float]:
        stages, error_share = weigh_representatives(self.entries.stages, lead, self.texts(lead))
        return (self.entries if stages is self.entries.stages else Entries(stages)), error_share

    def texts(self, segment: Segment) -> Texts:
        """Return the segment's text, without delimiter, for every entry; the last few are cached."""
        return _get_or_compute(self._texts, segment, lambda: self._render(segment))

    def _render(self, segment: Segment) -> Texts:
        if isinstance(segment, FieldSegment):
            shape, numbers = self.shapes[segment.field], self.numbers[segment.field]
            texts = field_texts(shape, numbers, segment.transforms, self._values(segment.field))
            return _take_texts(texts, self.rows[segment.field])
        if isinstance(segment, DerivedSegment):
            return _take_texts(self._render_derived(segment), self.rows[segment.field])
        if isinstance(segment, HashSegment | SaltSegment):
            return self._render_hashed(segment, segment.fields)
        raise TypeError(f"{segment.kind} follows no field")

    def _values(self, name: str) -> Column | None:
        if name not in self._plain:
            try:
                self._plain[name] = values(self.shapes[name], self.numbers[name])
            except NoArrayFormError:
                # None remembers that the field has no array form, so that the attempt is not repeated for each
                # segment.
                self._plain[name] = None
        return self._plain[name]

    def untransformed_texts(self, name: str) -> Texts:
        """Return the text of each of a field's own values, in the form that is hashed."""
        return as_texts(field_texts(self.shapes[name], self.numbers[name], (), self._values(name)))

    def _render_derived(self, segment: DerivedSegment) -> Texts:
        how = segment.how
        if isinstance(how, Bucket):
            whole = counted_numbers(self.shapes[segment.field], self.numbers[segment.field])
            return transform_numbers(whole // how.size, segment.transforms)
        texts = [render.text_part(text, how) for text in self.untransformed_texts(segment.field).tolist()]
        return Texts.of([render.as_text(render.apply_transforms(text, segment.transforms)) for text in texts])

    def _render_hashed(self, segment: HashSegment | SaltSegment, names: Sequence[str]) -> Texts:
        single = len(names) == 1
        inputs = [self.untransformed_texts(name) for name in names]
        # With one field it is enough to hash its own values, and to repeat the result for entries that share them.
        if single:
            data = inputs[0]
        else:
            data = concatenate([_take_texts(t, self.rows[name]) for t, name in zip(inputs, names, strict=True)])
        if isinstance(segment, HashSegment):
            texts = hash_texts(segment.algorithm, segment.form, segment.digits, data)
        else:
            texts = salt_texts(segment, salts(data, segment.modulo))
        return _take_texts(texts, self.rows[names[0]]) if single else texts


def salt_texts(segment: SaltSegment, numbers: Ints) -> Texts:
    """Salts as the segment writes them."""
    if isinstance(segment, IntegerSalt):
        return signed_texts(numbers)
    return decimal(numbers, render.salt_width(segment))


def _get_or_compute(cache: dict[Segment, Value], segment: Segment, make: Callable[[], Value]) -> Value:
    cached = cache.get(segment)
    if cached is None:
        cached = make()
        if len(cache) >= _KEPT_MOST:
            cache.pop(next(iter(cache)), None)
        cache[segment] = cached
    return cached


def _take_texts(texts: Texts, rows: Ints) -> Texts:
    # Entries of the field's own stage are in order already; a copy of 65,536 texts would be wasted.
    if len(texts) == len(rows) and np.array_equal(rows, np.arange(len(rows))):
        return texts
    return texts.take(rows)
