"""Inputs that a compiled row key depends on, and nothing else of the design."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec, effective_value, owner_id
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.field import Random
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment
from designer.document.popularity import Latest, Uniform
from designer.document.table import RowKind
from designer.document.table import Table as SpecTable

from ..rendering.layout import KeyColumnLayout, lay_out_key
from ..values.drawn_fields import drawn_fields, has_stated_popularity, owner_chain
from ..values.shape import ValueShape, horizon_end_s, shape_of, start_s

PER_EVENT_SHARE = 0.05
"""A field that gains at least so many values per row written is new per event: its values live for a few events."""

TEXTS_MOST_BYTES = 32 << 20
"""Of the texts of one field's values that a pattern holds: as many as 65,536 ids of 512 letters."""

DRAWN_SHARE = 0.5
"""Where it is stated how often values are drawn, they are drawn unless so many are new."""


@dataclass(frozen=True)
class KeyInputs:
    """All that a compiled pattern depends on: no names, no descriptions, nothing of other tables."""

    segments: tuple[Segment, ...]
    shapes: tuple[tuple[str, ValueShape], ...]
    per_event: frozenset[str]
    """Fields that get a new value with about every event."""
    first_s: float
    """Start of the stored history, or of the design."""
    start_s: float
    end_s: float
    ids_max: int
    seed: int
    columns: tuple[KeyColumnLayout, ...] = ()
    """Tablestore's primary-key columns; a Bigtable key has none."""
    drawn_unevenly: frozenset[str] = frozenset()
    """Fields of which a read or an activity states an access distribution of its own that is not even."""

    @cached_property
    def fields(self) -> Mapping[str, ValueShape]:
        """The fields that the key is made from, by id."""
        return dict(self.shapes)

    def is_timestamp(self, name: str) -> bool:
        """Return True if the field's values are times."""
        return self.fields[name].kind == "timestamp" and self.fields[name].values is None

    def is_new(self, name: str) -> bool:
        """Return True if the field has a new value with about every event."""
        return name in self.per_event or self.is_timestamp(name)


def inputs_of(spec: Spec, table: SpecTable, kind: RowKind, *, ids_max: int, seed: int) -> KeyInputs:
    """Return the inputs of a row kind's pattern; raise `Open` if something is missing.

    Of long random texts fewer than `ids_max` stand for all, so that memory and time are bounded.
    """
    segments, columns = lay_out_key(spec, kind)
    names: dict[str, None] = {}
    for segment in segments:
        for field in fields_of(segment):
            name: str | None = field
            while name is not None and name not in names:
                names[name] = None
                name = owner_id(spec, name)
    shapes = {name: shape_of(spec, spec.find(name), seed=seed) for name in names}
    start = start_s(spec)
    return KeyInputs(
        segments=segments,
        shapes=tuple(sorted(shapes.items())),
        per_event=frozenset(_per_event(spec, kind, shapes)),
        first_s=start - float(effective_value(spec, table, "history_months") or 0) * MONTH_DAYS * DAY_SECONDS,
        start_s=start,
        end_s=horizon_end_s(spec),
        ids_max=min((ids_max, *(TEXTS_MOST_BYTES // max(_longest_text(shape), 1) for shape in shapes.values()))),
        seed=seed,
        columns=columns,
        drawn_unevenly=frozenset(name for name in _drawn_unevenly(spec, kind, shapes) if name in shapes),
    )


def _longest_text(shape: ValueShape) -> int:
    """Return the letters of a random text, each of which is held; other texts are short. [letters]"""
    return shape.values.max if isinstance(shape.values, Random) else 0


def fields_of(segment: Segment) -> tuple[str, ...]:
    """Ids of the fields in a segment."""
    if isinstance(segment, HashSegment | SaltSegment):
        return segment.fields
    if isinstance(segment, FieldSegment | DerivedSegment):
        return (segment.field,)
    return ()


def _drawn_unevenly(spec: Spec, kind: RowKind, shapes: Collection[str]) -> Iterator[str]:
    activities = [spec.find(write.activity) for write in kind.writes if write.activity is not None]
    stated = [draw for activity in activities for draw in activity.draws]
    stated += [bind for read in kind.reads for bind in read.binds]
    yield from (entry.field for entry in stated if not isinstance(entry.popularity, Uniform | Latest | None))
    # What events draw beside the key decides who owns it, however even that is.
    drawn = dict.fromkeys(name for activity in activities for name in drawn_fields(spec, activity.id))
    hidden = (name for name in drawn if name not in shapes and has_stated_popularity(spec.find(name)))
    yield from (owner for name in hidden for owner in owner_chain(spec, name)[:-1])


def _per_event(spec: Spec, kind: RowKind, shapes: dict[str, ValueShape]) -> list[str]:
    rows_per_day, popular_fields = 0.0, {name for name, shape in shapes.items() if shape.has_stated_popularity}
    for write in kind.creating_writes:
        if write.activity is not None:
            activity = spec.find(write.activity)
            popular_fields |= {draw.field for draw in activity.draws if draw.popularity is not None}
            rate = effective_value(spec, activity, "rate_per_second")
            rows_per_day += (rate or 0.0) * float(effective_value(spec, write, "rows_per_event")) * DAY_SECONDS
    return [
        name
        for name, shape in shapes.items()
        # An order number gains one value per order and so one in a few rows; a user id that gains 1,000 values a day
        # beside 10 million rows is drawn from existing values.
        if 0 < rows_per_day * (DRAWN_SHARE if name in popular_fields else PER_EVENT_SHARE) <= shape.growth_per_day
    ]
