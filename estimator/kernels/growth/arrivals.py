"""Writes as flows into the rows of one kind: when events come, and how they spread over entities and time buckets."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.document import Spec, assumed, owner_id, owner_of, write_mode
from designer.document.access import Write, WriteMode
from designer.document.activity import Activity, Every
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment
from designer.document.popularity import Popularity, Uniform
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.results import Because, Open
from estimator.results.arrays import Floats

from ..population.clock import Clock
from ..population.values import values_in_use
from .cells import DELETES, written_columns

MADE_FOR_DAYS = 15.0
"""Spreads are those of the last month of the horizon: on average so long before its end."""


@dataclass(frozen=True)
class Spread:
    """Distribution of one write's events over the rows of a kind, in classes of equally popular entities."""

    shares: Floats
    """(classes,) share of all events that one entity of the class gets."""
    counts: Floats
    """(classes,) entities in the class."""
    bucket_seconds: float | None
    """How long one row receives; None: as long as the entity lives."""
    hottest: str
    """Who the most popular entity is, in words."""
    per_event: bool
    """Every event makes a row of its own."""
    hottest_key_bytes: float = 0.0
    """Length of its keys; 0: not known."""


@dataclass(frozen=True)
class KindShape:
    """Facts about a row kind's key that growth depends on."""

    key_bytes: float
    spreads: dict[str, Spread]
    """By write id."""
    row_bytes: float = 0.0
    """What a row takes once, beside its cells: Tablestore's primary key."""


@dataclass(frozen=True)
class Flow:
    """One write with its clock and its spread."""

    write: Write
    mode: WriteMode
    """What it does to its row, as set or assumed."""
    columns: tuple[tuple[Family, Column], ...]
    clock: Clock
    rows_per_event: float
    spread: Spread
    regular: bool
    """Events come at even intervals per entity."""

    @cached_property
    def column_ids(self) -> frozenset[str]:
        """The columns that it touches."""
        return frozenset(column.id for _, column in self.columns)

    def rows_between(self, first: Floats, last: Floats) -> Floats:
        """Return the number of row mutations from one day to another, in rows."""
        return self.clock.between(first, last) * self.rows_per_event


@dataclass(frozen=True)
class KindFlows:
    """All writes into one row kind."""

    kind: RowKind
    key_bytes: float
    writing: tuple[Flow, ...]
    deleting: tuple[Flow, ...]
    span_days: float
    """How long one row receives: the bucket, or the lifetime of its entity; infinity is for ever. [day]"""
    entity_days: Floats
    entity_factor: Floats
    """Entities on each of these days ÷ entities that the spreads are made for."""
    row_bytes: float = 0.0
    """What a row takes once, beside its cells."""

    @property
    def per_event(self) -> bool:
        """Every event of the creating writes makes a row of its own."""
        return bool(self.writing) and all(flow.spread.per_event for flow in self.writing)

    @property
    def creating(self) -> tuple[Flow, ...]:
        """Writes whose every event makes a row: those that append, or all writes if none appends."""
        return tuple(f for f in self.writing if f.mode == "append_row") or self.writing

    def entities(self, days: Floats) -> Floats:
        """Return the growth factor of the entities, a ratio [1]."""
        return np.interp(days, self.entity_days, self.entity_factor)

    @property
    def busiest(self) -> Flow | None:
        """The write whose busiest entity has the largest share of it: that entity's row is the largest."""
        return max(self.writing, key=lambda flow: float(flow.spread.shares.max(initial=0.0)), default=None)

    def flows_into(self, column: Column) -> tuple[Flow, ...]:
        """Return the writes that touch this column."""
        return tuple(flow for flow in self.writing if column.id in flow.column_ids)


def kind_flows(
    spec: Spec, table: Table, kind: RowKind, shape: KindShape, clocks: dict[str, Clock], horizon_days: float
) -> KindFlows:
    """Return the flows of one row kind; `clocks` are by activity."""
    flows = [_flow(spec, table, kind, write, shape.spreads[write.id], clocks) for write in kind.writes]
    writing = tuple(flow for flow in flows if flow.write.mode not in DELETES)
    deleting = tuple(flow for flow in flows if flow.write.mode in DELETES)
    buckets = [f.spread.bucket_seconds for f in writing]
    bucket_days = min((b / DAY_SECONDS for b in buckets if b is not None), default=math.inf)
    days = np.linspace(0.0, horizon_days, 25)
    factor, lifetime = _entities(spec, kind, days)
    span_days = min(bucket_days, lifetime)
    return KindFlows(kind, shape.key_bytes, writing, deleting, span_days, days, factor, shape.row_bytes)


def _flow(spec: Spec, table: Table, kind: RowKind, write: Write, spread: Spread, clocks: dict[str, Clock]) -> Flow:
    activity = activity_of(spec, write)
    return Flow(
        write=write,
        mode=write_mode(spec, write),
        columns=written_columns(table, kind, write),
        clock=clocks[activity.id],
        rows_per_event=float(assumed(spec, write, "rows_per_event")),
        spread=spread,
        regular=isinstance(activity.arrival, Every),
    )


def activity_of(spec: Spec, write: Write) -> Activity:
    """Return the activity that a write follows from; raise Open if it names none."""
    if write.activity is None:
        raise Open(Because(N_("The write “{write}” does not specify an activity."), write.id, {"write": write.label}))
    activity: Activity = spec.find(write.activity)
    return activity


def popularities(spec: Spec, activity: Activity) -> dict[str, Popularity]:
    """Return the popularities of fields within an activity, where they differ from the field's own.

    "Every n seconds per value" makes all values equally frequent, and their owners as frequent as they have values.
    """
    found: dict[str, Popularity] = {}
    if isinstance(activity.arrival, Every):
        field = spec.find(activity.arrival.field)
        found[field.id] = Uniform()
        while (owner := owner_of(spec, field)) is not None and owner.id not in found:
            found[owner.id] = assumed(spec, field, "fan_out").law
            field = owner
    found.update({draw.field: draw.popularity for draw in activity.draws if draw.popularity is not None})
    return found


def _entities(spec: Spec, kind: RowKind, days: Floats) -> tuple[Floats, float]:
    """Return the growth factor of the row kind's entities and the shortest lifetime of their fields in days."""
    fields = _key_fields(spec, kind)
    factor, lifetime = np.ones_like(days), math.inf
    then = np.array([max(float(days[-1]) - MADE_FOR_DAYS, 0.0)])
    owners = {owner_id(spec, field.id) for field in fields} | {field.unique_within for field in fields}
    for field in fields:
        if field.lifetime_days is not None:
            lifetime = min(lifetime, field.lifetime_days)
        if field.id not in owners and assumed(spec, field, "kind") != "timestamp":
            now = values_in_use(spec, field, days)
            factor = factor * now / max(float(values_in_use(spec, field, then)[0]), 1.0)
    return np.maximum(factor, 1e-9), lifetime


def _key_fields(spec: Spec, kind: RowKind) -> tuple[Field, ...]:
    ids: dict[str, None] = {}
    for segment in kind.segments:
        match segment:
            case FieldSegment() | DerivedSegment():
                ids[segment.field] = None
            case HashSegment() | SaltSegment():
                ids.update(dict.fromkeys(segment.fields))
    return tuple(_found(spec, ids))


def _found(spec: Spec, ids: Iterable[str]) -> Iterable[Field]:
    return (field for field in map(spec.find, ids) if isinstance(field, Field))
