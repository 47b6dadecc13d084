"""Rows of a row kind that a caller's knowledge leaves: requested against stored popularity."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.document import Spec, assumed, owner_id
from designer.document.access import Bind, Read
from designer.document.durations import DAY_SECONDS, MONTH_DAYS, RESOLUTION_SECONDS
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment, TimeSegment
from designer.document.popularity import Popularity, Uniform
from designer.document.table import RowKind, Table
from estimator.kernels.keys.patterns.times import told_apart
from estimator.results import KeyFacts, RowKindSize

from ..growth.collection import policy
from ..population.draws import popularities
from ..population.values import values_in_use
from .assumptions import BEGINNING
from .functional_dependencies import owners
from .known_segments import Begun, Fixed, Knowledge, buckets_of
from .popularity_overlap import meeting_share, owned_meeting_share
from .storage_age import StoredTime

FILLS = 1.5
"""Rows with more than so many times the cells of one write, and no count of versions below it, fill over time."""


@dataclass(frozen=True)
class Stored:
    """The rows of one kind at the end of the horizon, as the planner sees them."""

    spec: Spec
    table: Table
    kind: RowKind
    facts: KeyFacts
    size: RowKindSize
    time: StoredTime

    @cached_property
    def distinct(self) -> dict[str, float]:
        """Different values of each segment, by its id."""
        return {segment.id: segment.distinct for segment in self.facts.segments}

    @cached_property
    def grows(self) -> dict[str, str | None]:
        """Growth of each segment by id, None where it does not only grow."""
        return {segment.id: segment.grows for segment in self.facts.segments}

    @cached_property
    def times(self) -> tuple[TimeSegment, ...]:
        """The key's time segments."""
        return tuple(segment for segment in self.kind.segments if isinstance(segment, TimeSegment))

    @cached_property
    def per_event(self) -> bool:
        """True if each event makes a row, so that a popular value has more rows, not only larger ones."""
        fine = any(RESOLUTION_SECONDS[told_apart(t)] <= 1 for t in self.times)
        return fine or any(s.grows == "sequence" for s in self.facts.segments)

    @cached_property
    def fills(self) -> bool:
        """True if rows grow with what is written into them, so that a popular entity's row is larger."""
        caps = {family.id: policy(family.gc).caps[0] for family in self.table.families}
        return any(c.cells_stored > FILLS * c.cells_written and caps[c.family] > FILLS for c in self.size.columns)

    @cached_property
    def draws(self) -> dict[str, Popularity]:
        """Popularities within the activity that writes most of these rows, where not the field's own."""
        writing = [write for write in self.kind.writes if write.activity and not write.deletes]
        if not writing:
            return {}
        return popularities(self.spec, self.spec.find(writing[0].activity or ""))

    @cached_property
    def all_fields(self) -> tuple[str, ...]:
        """Fields that the key is made from, and their owners."""
        names = {name for segment in self.kind.segments for name in segment_fields(segment)}
        return tuple(sorted(names | {owner for name in names for owner in owners(self.spec, name)}))

    @cached_property
    def key_fields(self) -> frozenset[str]:
        """Fields whose own value stands in the key."""
        return frozenset(s.field for s in self.kind.segments if isinstance(s, FieldSegment))

    def values(self, field: str) -> float:
        """Values of a field in use at the end of the horizon."""
        days = float(assumed(self.spec, self.spec, "horizon_months")) * MONTH_DAYS
        return max(float(values_in_use(self.spec, self.spec.find(field), np.array([days]))[0]), 1.0)

    def drawn(self, field: str) -> Popularity:
        """Return the popularity with which writes draw a field: the activity's own, else the field's."""
        if field in self.draws:
            return self.draws[field]
        return assumed(self.spec, self.spec.find(field), "popularity")  # type: ignore[no-any-return]

    def crowd(self, field: str) -> Popularity:
        """Return the spread of rows over a field's values: as drawn if each event makes one, else as entities."""
        return self.drawn(field) if self.per_event else self.peers(field)

    def peers(self, field: str) -> Popularity:
        """Return the spread of entities over a field's values: even, or over an owner by the fan-out."""
        for child in self.spec.fields:
            if child.id in self.key_fields and owner_id(self.spec, child.id) == field:
                return assumed(self.spec, child, "fan_out").law  # type: ignore[no-any-return]
        return Uniform()

    def below(self, field: str) -> float:
        """Values of a field under one value of the owner that stands in the key with it; all, where none does."""
        owner = self.owner(field)
        return self.values(field) if owner is None else max(self.values(field) / self.values(owner), 1.0)

    def owner(self, field: str) -> str | None:
        """Return the field's owner if it is in the key, too."""
        owner = owner_id(self.spec, field)
        return owner if owner in self.key_fields else None

    def owned_factor(self, field: str, owner_asked: Popularity, asked: Popularity, *, drawn: bool = False) -> float:
        """By how much owner and value together leave more (or less) than owner and value each by itself say.

        `drawn`: of events, else of rows. The owner that is asked for most may have the most values, too.
        """
        owner = self.owner(field)
        if owner is None:
            return 1.0
        spread = self.drawn if drawn else self.crowd
        stored, owner_stored = spread(field), spread(owner)
        fan_out = assumed(self.spec, self.spec.find(field), "fan_out").law
        each = meeting_share(owner_asked, owner_stored, self.values(owner))
        each *= meeting_share(asked, stored, self.below(field))
        together = owned_meeting_share(
            owner_asked, owner_stored, self.values(owner),
            asked=asked, stored=stored, values=self.values(field), fan_out=fan_out,
        )  # fmt: skip
        return together / each if each > 0 else 1.0


def segment_fields(segment: Segment) -> tuple[str, ...]:
    """Ids of the fields that a segment is made from."""
    if isinstance(segment, HashSegment | SaltSegment):
        return segment.fields
    return (segment.field,) if isinstance(segment, FieldSegment | DerivedSegment) else ()


def bind_of(read: Read, field: str) -> Bind | None:
    """Return a read's bind of a field, if there is one."""
    return next((bind for bind in read.binds if bind.field == field), None)


def asked_of(stored: Stored, read: Read, field: str) -> Popularity:
    """Return the popularity with which a read requests a field's values."""
    bind = bind_of(read, field)
    return (bind.popularity if bind else None) or stored.drawn(field)


def values_asked(read: Read, bound: Sequence[Segment]) -> float:
    """Return the number of combinations of known values that one request asks for.

    It is the product over the fields that the key begins with.
    """
    fields = {field for segment in bound for field in segment_fields(segment)}
    return math.prod(float(bind.values) for bind in read.binds if bind.field in fields)


def rows_share(stored: Stored, read: Read, segments: Sequence[Segment], known: Mapping[str, Knowledge]) -> float:
    """Share of the kind's rows that what the caller knows of these segments leaves, at most 1.

    Parameters
    ----------
    stored : Stored
    read : Read
    segments : sequence of Segment
        Those that find (or filter) rows.
    known : mapping of segment id to Knowledge

    Returns
    -------
    float
        The mean over the values that callers ask for: a popular value counts as often as it is asked for. [1]
    """
    told = [s for s in segments if isinstance(known[s.id], Fixed | Begun)]
    direct = {s.field for s in told if isinstance(s, FieldSegment) and isinstance(known[s.id], Fixed)}
    implied = {owner for field in direct for owner in owners(stored.spec, field)}
    share = 1.0
    for field in sorted(direct | (implied & stored.key_fields)):
        share *= min(_field_share(stored, read, field, known_owner=field in implied), 1.0)
    for field in sorted(direct & stored.key_fields):
        if (owner := stored.owner(field)) is not None:
            share *= stored.owned_factor(field, asked_of(stored, read, owner), asked_of(stored, read, field))
    for segment in told:
        share *= _segment_share(stored, read, segment, known[segment.id], direct | implied)
    return share * _time_share(stored, read, [s for s in told if isinstance(s, TimeSegment)])


def _field_share(stored: Stored, read: Read, field: str, *, known_owner: bool) -> float:
    """Share of the rows under the value asked for, given the owner's value where both stand in the key."""
    bind = bind_of(read, field)
    if bind is None and not known_owner:
        return 1.0
    asked = bind.popularity if bind else None
    share = meeting_share(asked or stored.drawn(field), stored.crowd(field), stored.below(field))
    return share if known_owner else share * (bind.values if bind else 1)


def _segment_share(stored: Stored, read: Read, segment: Segment, known: Knowledge, direct: set[str]) -> float:
    """Return the share that a coarser form of a field leaves where the field itself is not found."""
    if isinstance(segment, FieldSegment):
        begun = isinstance(known, Begun) and segment.field not in direct
        return stored.values(segment.field) ** (BEGINNING.value - 1) if begun else 1.0
    fields: Sequence[str] = ()
    if isinstance(segment, HashSegment | SaltSegment):
        fields = segment.fields
    elif isinstance(segment, DerivedSegment):
        fields = (segment.field,)
    if not fields or set(fields) <= direct:
        return 1.0
    asked = math.prod(bind.values for bind in read.binds if bind.field in fields)
    return min(asked / max(stored.distinct[segment.id], 1.0), 1.0)


def _time_share(stored: Stored, read: Read, times: Sequence[TimeSegment]) -> float:
    """Share of the kind's rows in the buckets that the caller's time meets."""
    if not times:
        return 1.0
    finest = min(times, key=lambda t: RESOLUTION_SECONDS[told_apart(t)])
    length = RESOLUTION_SECONDS[told_apart(finest)] / DAY_SECONDS
    if read.time is None or read.exact_time:
        return stored.time.share(float(assumed(stored.spec, read, "age_days")), length)
    age = max(read.time.age_days, float(assumed(stored.spec, read, "age_days")))
    more_days = buckets_of(read.time.days, finest) * length - read.time.days
    return stored.time.share(age, read.time.days, more_days=more_days)
