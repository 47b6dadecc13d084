"""Events that meet in one cell: the same row, the same qualifier and the same timestamp."""

import math
from collections.abc import Iterator

import numpy as np

from designer.document import Spec, effective_value, owner_id, owner_of
from designer.document.access import Write
from designer.document.activity import Activity, Poisson
from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS
from designer.document.family import Column, Family
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Resolution,
    SaltSegment,
    TimeSegment,
)
from designer.document.popularity import Popularity
from estimator.kernels.growth.cells import qualifiers
from estimator.kernels.growth.collection import policy
from estimator.kernels.keys.values.popularity import top_share
from estimator.kernels.population.draws import popularities
from estimator.results import EntityShares
from estimator.results.arrays import Floats, distinct

from .collisions import is_event_counter, lost_per_day, rate_per_second, slot_seconds, time_seconds
from .reading import RowKindFacts

ENGINE_SECONDS = 1e-3
"""Cell timestamps are kept to the millisecond, however fine the writer's clock is."""
CLASSES = 24
"""Ranks of a qualifier's values are taken together in so many classes."""
FEW = 1e-3
"""Expected events in one cell up to which losses are a square: m - 1 + exp(-m) is m² / 2 to a part in 3,000."""


def timestamp_seconds(spec: Spec, column: Column) -> float | None:
    """Return the shortest time in seconds between two timestamps of a column; None if all are equal."""
    kind = effective_value(spec, column, "timestamp")
    if kind == "constant":
        return None
    own = effective_value(spec, column, "timestamp_resolution") if kind == "event" else None
    resolution: Resolution = own or "millisecond"
    return max(RESOLUTION_SECONDS[resolution], ENGINE_SECONDS)


def cell_slot_seconds(
    rows: RowKindFacts, family: Family, column: Column, *, finer: dict[str, float] | None = None
) -> float | None:
    """Return the shortest time in seconds between two cells of one entity and qualifier field.

    None if time tells none apart. If only the newest version stays and the qualifier shows the time, the cell's
    timestamp saves nothing. `finer`: alternative times of segments, or of the column's timestamp, by id.
    """
    instead = finer or {}
    times = [s for s in column.qualifier_from if isinstance(s, TimeSegment)]
    slots = [instead.get(s.id, time_seconds(s)) for s in times]
    if not times or policy(family.gc).caps[0] > 1:
        # Equal timestamps tell nothing apart.
        slots.append(instead.get(column.id, timestamp_seconds(rows.spec, column) or np.inf))
    slots.append(slot_seconds(rows) or np.inf)
    return None if np.isinf(min(slots)) else float(min(slots))


def lost_cells_per_day(
    rows: RowKindFacts, write: Write, column: Column, spread: EntityShares, slot: float | None, *, regular: bool = False
) -> float:
    """Return the expected events a day that overwrite another's cell of this column, as `lost_per_day`."""
    if not column.qualifier_from:
        return lost_per_day(rows, write, spread, slot, regular=regular)
    fields = tuple(_fields(column))
    if any(is_event_counter(rows.spec, field, write) for field in fields):
        return 0.0  # a new id names a cell of its own
    names = _names(rows, write, column)
    length = DAY_SECONDS if slot is None else slot
    busiest = rate_per_second(rows, write) * length
    for values in (spread, names):
        busiest *= float(np.max(values.shares, initial=0.0))
    # What holds of the busiest cell holds of all.
    together = _combine_shares(spread, names, few=busiest < FEW)
    return lost_per_day(rows, write, together, slot, other_fields=fields, regular=regular)


def rate_of_daily_loss(
    rows: RowKindFacts, write: Write, column: Column, spread: EntityShares, slot: float | None
) -> float | None:
    """Return the rate per second at which one event a day is lost; None unless events are independent.

    With so few, losses are a square: rate² · slot / 2 · Σ share² over entities and qualifiers.
    """
    activity: Activity = rows.spec.find(write.activity or "")
    if not isinstance(effective_value(rows.spec, activity, "arrival"), Poisson):
        return None
    names = _names(rows, write, column)
    squares = float((spread.counts * spread.shares**2).sum() * (names.counts * names.shares**2).sum())
    length = DAY_SECONDS if slot is None else min(slot, DAY_SECONDS)
    return math.sqrt(2 / (DAY_SECONDS * length * squares)) if squares > 0 else None


def _combine_shares(first: EntityShares, second: EntityShares, *, few: bool) -> EntityShares:
    """Entities × qualifiers; where few events meet, as many equal ones with the same sum of squares."""
    if len(second.shares) == 1 and second.shares[0] == 1:
        return first
    if few:
        squares = float((first.counts * first.shares**2).sum() * (second.counts * second.shares**2).sum())
        return EntityShares(np.array([squares]), np.array([1 / squares]) if squares > 0 else np.zeros(1))
    return EntityShares(np.outer(first.shares, second.shares).ravel(), np.outer(first.counts, second.counts).ravel())


def _fields(column: Column) -> Iterator[str]:
    for segment in column.qualifier_from:
        if isinstance(segment, FieldSegment | DerivedSegment):
            yield segment.field
        elif isinstance(segment, HashSegment | SaltSegment):
            yield from segment.fields


def _names(rows: RowKindFacts, write: Write, column: Column) -> EntityShares:
    """Return the spread of events over qualifiers made from fields, beside what the key already shows."""
    spec = rows.spec
    key_fields = {s.field for s in rows.kind.segments if isinstance(s, FieldSegment)}
    owners = {owner_id(spec, field) for field in key_fields}
    laws = popularities(spec, spec.find(write.activity or ""))
    shares, counts = np.ones(1), np.ones(1)
    for segment in column.qualifier_from:
        if isinstance(segment, TimeSegment | LiteralSegment):
            continue
        if isinstance(segment, FieldSegment):
            if segment.field in key_fields | owners:  # the key tells it
                continue
            more = _values(spec, segment.field, laws.get(segment.field), key_fields)
        else:
            alone = column.model_copy(update={"qualifier_from": (segment,)})
            many = max(qualifiers(spec, alone, np.inf), 1.0)
            more = EntityShares(np.array([1 / many]), np.array([many]))
        shares, counts = np.outer(shares, more.shares).ravel(), np.outer(counts, more.counts).ravel()
    return EntityShares(shares, counts)


def _values(spec: Spec, field_id: str, law: Popularity | None, key_fields: set[str]) -> EntityShares:
    field = spec.find(field_id)
    many = float(effective_value(spec, field, "distinct"))
    owner = owner_of(spec, field)
    if owner is not None and owner.id in key_fields:
        many = max(many / float(effective_value(spec, owner, "distinct")), 1.0)
    edges: Floats = distinct(np.round(np.geomspace(1, many, CLASSES)))
    edges[-1] = many  # which may be no whole number
    counts = np.diff(edges, prepend=0.0)
    shares = np.diff(top_share(law or effective_value(spec, field, "popularity"), edges, many), prepend=0.0)
    return EntityShares(shares / counts, counts)
