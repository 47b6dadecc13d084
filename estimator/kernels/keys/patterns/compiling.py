"""From a row kind to its pattern: which segments go together, then what decides each group."""

from collections.abc import Sequence
from math import prod

import numpy as np

from designer.document import Spec
from designer.document.key import (
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    as_bytes,
)
from designer.document.texts import N_
from designer.memory import Cache, get_or_compute
from estimator.results import NotComputableError, UnknownReason

from ..rendering.texts import Texts, append_delimiter
from ..values.shape import ValueShape
from ..values.value_tables import Entries, stages_of
from .cells import cells_of
from .hashed_times import refuse_hashes
from .independent_segments import counter_for, letters_for
from .inputs import KeyInputs, fields_of, inputs_of
from .pattern import Component, Constant, KeyPattern, Level
from .segments import Writer, salt_texts
from .table import encode_texts, table_of
from .time_segments import is_timed, steps_for
from .times import EventTime
from .uniform import CountedValues, UniformText

PATTERNS, WRITERS, TABLES = "compiled keys", "values of fields", "tables of values"
"""What a cache holds: values of fields that belong together, by the content of the fields, as keys of many tables are
made from the same; and tables of them by the content of their segments, whatever their ids."""


def compile_pattern(
    spec: Spec, row_kind: str, *, ids_max: int = 65_536, seed: int = 0, cache: Cache | None = None
) -> KeyPattern:
    """Return the row key of a row kind, ready to compute with. In a cache it stands by the content that it depends on.

    Parameters
    ----------
    ids_max
        Most rows of a table of values; beyond, the most popular stand for themselves and others for the rest.

    Raises
    ------
    NotComputableError
        If no key can be made: no segments, a field without a counter in its values, a number that does not fit.
    """
    table, kind = next((t, k) for t, k in spec.row_kinds() if k.id == row_kind)
    inputs = inputs_of(spec, table, kind, ids_max=ids_max, seed=seed)
    refuse_hashes(inputs, kind)
    try:
        pattern = get_or_compute(cache, PATTERNS, inputs, lambda: _Compiler(inputs, cache).build_pattern())
    except ValueError as error:
        raise NotComputableError(
            UnknownReason(N_("The row key of {row_kind} cannot be generated: {reason}."), kind.id,
                    {"row_kind": kind.label, "reason": str(error)})
        ) from error  # fmt: skip
    return KeyPattern(
        pattern.inputs,
        pattern.levels,
        pattern.components,
        pattern.has_exact_ids,
        pattern.ids_error_share,
        kind.id,
        pattern.cache,
    )


def pattern_of(inputs: KeyInputs) -> KeyPattern:
    """Return the pattern of given inputs, uncached; raise ValueError if no key can be made of them."""
    return _Compiler(inputs, None).build_pattern()


class _Compiler:
    """Sorts segments into components, then builds each."""

    def __init__(self, inputs: KeyInputs, cache: Cache | None) -> None:
        self.inputs, self.cache = inputs, cache
        self.components: list[Component] = []
        self.levels: dict[str, Level] = {}
        self.exact, self.error = True, 0.0

    def build_pattern(self) -> KeyPattern:
        timed: list[Segment] = []
        tabled: list[Segment] = []
        for segment in self.inputs.segments:
            if isinstance(segment, LiteralSegment):
                self.levels[segment.id] = Level(segment, -1, Constant(as_bytes(segment.text) + as_bytes(segment.after)))
            elif is_timed(self.inputs, segment):
                # All segments of time are decided by one draw of the time. Drawn one by one, a date and an hour would
                # not agree.
                timed.append(segment)
            # What arithmetic can compute needs no table, so it has no limit of values and no error of representatives.
            elif not self._compile_independent(segment):
                tabled.append(segment)
        self._time(timed)
        for group in self._groups(tabled):
            self._group(group)
        if not self.components:  # the same key for all
            self.components.append(table_of(Entries(), [encode_texts(Texts.of([b""]))], fixed_shares=np.ones(1)))
        levels = tuple(self.levels[segment.id] for segment in self.inputs.segments)
        return KeyPattern(self.inputs, levels, tuple(self.components), self.exact, self.error)

    # --- which segments are decided by what ---

    def _compile_independent(self, segment: Segment) -> bool:
        """Build a component for this segment alone, if it is independent of all others."""
        after, inputs = as_bytes(segment.after), self.inputs
        if isinstance(segment, SaltSegment) and (not segment.fields or any(map(inputs.is_new, segment.fields))):
            self._even_choice(segment, salt_texts(segment, np.arange(segment.modulo)), after)
            return True
        if isinstance(segment, HashSegment):
            of_values = segment.fields and not any(map(inputs.is_new, segment.fields))
            if of_values and not self._has_too_many_ids(segment.fields):
                return False
            self._add(segment, UniformText(segment.id, segment.letters, after))
            return True
        return isinstance(segment, FieldSegment) and self._field(segment, after)

    def _field(self, segment: FieldSegment, after: bytes) -> bool:
        places = letters_for(self.inputs, segment)
        if places is not None:
            first, end = self.inputs.fields[segment.field].values_in_use(self.inputs.end_s)
            values = None if segment.field in self.inputs.per_event else float(end - first)
            self._add(segment, UniformText(segment.id, places, after, values))
            return True
        counter = counter_for(self.inputs, segment, after)
        if counter is not None:
            self._add(segment, counter)
        return counter is not None

    def _has_too_many_ids(self, names: Sequence[str]) -> bool:
        roots = {self._root(name) for name in names}
        # A hash of independent fields has as many inputs as combinations: 10,000 users × 10,000 items are 10^8 rows.
        # Over that many, a hash is even, so it is drawn by itself. Fields of one root have no more combinations than
        # values.
        many = len(roots) > 1 and prod(self.inputs.fields[name].total for name in names) > self.inputs.ids_max
        self.exact = self.exact and not many
        return many

    def _root(self, name: str) -> str:
        owner = self.inputs.fields[name].owner
        return name if owner is None or owner in self.inputs.per_event else self._root(owner)

    def _groups(self, segments: Sequence[Segment]) -> list[list[Segment]]:
        """Segments whose fields hang together by owners or by a common hash."""
        groups: list[tuple[set[str], list[Segment]]] = []
        for segment in segments:
            # A segment can connect groups that were apart until now: a hash of user and item joins both.
            roots, members = {self._root(name) for name in fields_of(segment)}, [segment]
            for group in [g for g in groups if g[0] & roots]:
                roots, members = roots | group[0], group[1] + members
                groups.remove(group)
            groups.append((roots, members))
        return [sorted(group[1], key=self.inputs.segments.index) for group in groups]

    # --- building ---

    def _add(self, segment: Segment, component: UniformText | CountedValues) -> None:
        self.components.append(component)
        self.levels[segment.id] = Level(segment, len(self.components) - 1, component)

    def _even_choice(self, segment: Segment, texts: Texts, after: bytes) -> None:
        table = table_of(
            Entries(), [encode_texts(append_delimiter(texts, after))], fixed_shares=np.full(len(texts), 1 / len(texts))
        )
        self.components.append(table)
        self.levels[segment.id] = Level(segment, len(self.components) - 1, table.columns[0])

    def _time(self, segments: Sequence[Segment]) -> None:
        if not segments:
            return
        hashed = [segment for segment in segments if isinstance(segment, TimeSegment) and segment.hash is not None]
        plain_segments = [segment for segment in segments if segment not in hashed]
        steps = [steps_for(self.inputs, segment, plain_segments[:n]) for n, segment in enumerate(plain_segments)]
        if any(step is None for step in steps):
            self._spans(segments)
            return
        if plain_segments:
            self.components.append(EventTime())
        for segment, step in zip(plain_segments, steps, strict=True):
            assert step is not None
            self.levels[segment.id] = Level(segment, len(self.components) - 1, step)
        for segment in hashed:
            self._spans([segment])

    def _spans(self, segments: Sequence[Segment]) -> None:
        place = len(self.components)
        cells = cells_of(segments, self.inputs.fields, self.inputs.first_s, self.inputs.end_s)
        self.exact = self.exact and cells.is_exact
        self.components.append(cells)
        for segment, column in zip(segments, cells.columns, strict=True):
            self.levels[segment.id] = Level(segment, place, column)

    def _group(self, segments: list[Segment]) -> None:
        names: dict[str, None] = {}
        for segment in segments:
            for name in fields_of(segment):
                # Owners come before what they own, as each stage of a table divides the entries of the stage before.
                chain = [name]
                while (owner := self.inputs.fields[chain[-1]].owner) is not None and owner not in self.inputs.per_event:
                    chain.append(owner)
                names.update(dict.fromkeys(reversed(chain)))
        writer = self._writer(tuple(self.inputs.fields[name] for name in names), self.inputs.ids_max)
        # Without ids, tables of different row kinds with the same content are built once.
        contents = tuple(segment.model_copy(update={"id": ""}) for segment in segments)
        entries, error = writer.weighted_entries(contents[0])
        self.exact = self.exact and entries.is_exact
        self.error = max(self.error, error)
        table = get_or_compute(
            self.cache, TABLES, (entries, contents),
            lambda: table_of(entries, [writer.encoded_texts(content) for content in contents]),
        )  # fmt: skip
        self.components.append(table)
        for segment, column in zip(segments, table.columns, strict=True):
            self.levels[segment.id] = Level(segment, len(self.components) - 1, column)

    def _writer(self, shapes: tuple[ValueShape, ...], ids_max: int) -> Writer:
        return get_or_compute(
            self.cache, WRITERS, (shapes, ids_max), lambda: Writer(Entries(stages_of(shapes, ids_max=ids_max)))
        )
