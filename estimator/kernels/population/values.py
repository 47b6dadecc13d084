"""Values of fields in use over time: how many there are, how fast new ones come, how long each is in use."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from designer.document import Spec, effective_value, owner_of
from designer.document.field import Field
from estimator.results.arrays import Floats


def values_in_use(spec: Spec, field: Field, days: Floats) -> Floats:
    """Return the values of a field in use so many days after the start.

    New ones come at the field's growth; with a lifetime, those of the start leave evenly over it (a lifetime without
    growth means that each value that leaves is replaced). Where no growth is stated, values below an owner are as
    many for each owner as at the start.
    """
    distinct, growth = float(effective_value(spec, field, "distinct")), new_per_day(spec, field)
    after = np.maximum(days, 0.0)
    if growth == 0 and field.growth_per_day is None and field.lifetime_days is None:
        owner = _owner_with_growth(spec, field)
        if owner is not None:
            there = values_in_use(spec, owner, np.append(np.ravel(after), 0.0))
            return np.asarray(distinct * (there[:-1] / max(float(there[-1]), 1e-300)).reshape(np.shape(after)))
    if field.lifetime_days is None or growth == 0:
        return distinct + growth * after
    gone = np.minimum(after / field.lifetime_days, 1.0)
    return distinct + (growth * field.lifetime_days - distinct) * gone  # in the end those that came within one lifetime


def values_relative(spec: Spec, field: Field, days: Floats, end: float, staying: float = 0.0) -> Floats:
    """Return the values of a field in use on some days ÷ those at the end, those left out that are `staying`."""
    there = values_in_use(spec, field, np.append(np.ravel(days), end)) - staying
    return np.asarray(np.maximum(there[:-1], 1e-300) / max(float(there[-1]), 1e-300)).reshape(np.shape(days))


def combinations_in_use(
    spec: Spec, fields: Sequence[tuple[Field, str | None]], end: float, staying: Mapping[str, float]
) -> Callable[[Floats], Floats]:
    """Return a function of days: combinations of fields in use then ÷ those at the end, each below its owner.

    Of a field some values may be `staying` from the start: they are left out. [values]
    """

    def in_use(days: Floats) -> Floats:
        total = np.ones(np.shape(days))
        for field, above in fields:
            total = total * values_relative(spec, field, days, end, staying.get(field.id, 0.0))
            if above is not None:
                total = total / values_relative(spec, spec.find(above), days, end)
        return total

    return in_use


def new_per_day(spec: Spec, field: Field) -> float:
    """Return the new values of a field a day, as stated. [values/day]"""
    return float(effective_value(spec, field, "growth_per_day") or 0)


def _owners(spec: Spec, field: Field) -> Iterator[Field]:
    """Yield the fields that a field's values belong to, nearest first; a circle ends where it closes."""
    visited, owner = {field.id}, owner_of(spec, field)
    while owner is not None and owner.id not in visited:
        visited.add(owner.id)
        yield owner
        owner = owner_of(spec, owner)


def _owner_with_growth(spec: Spec, field: Field) -> Field | None:
    """Return the nearest owner whose number changes; None if there is none."""
    return next((owner for owner in _owners(spec, field) if new_per_day(spec, owner) > 0), None)


def birth_rates(spec: Spec, field: Field, days: Floats) -> Floats:
    """Return the values that begin to be in use a day, on these days: (days,). [values/day]

    Values that were there at the start began evenly over the lifetime before it, or for ever before it.
    """
    life, growth = lifetime_days(spec, field), new_per_day(spec, field)
    if math.isinf(life):
        # By a small difference, as the number may follow an owner's.
        in_use = values_in_use(spec, field, np.stack([days, days + 1e-3]))
        return np.asarray(np.where(days < 0, 0.0, np.maximum(in_use[1] - in_use[0], 0.0) / 1e-3))
    if field.lifetime_days is None and growth == 0:
        owner = _owner_with_lifetime(spec, field)
        if owner is not None:
            now = np.zeros(1)
            owned_count = float(
                (values_in_use(spec, field, now) / np.maximum(values_in_use(spec, owner, now), 1e-300))[0]
            )
            return owned_count * birth_rates(spec, owner, days)
    replaced = float(effective_value(spec, field, "distinct")) / life
    return np.where(days < 0, replaced, growth or replaced)


def lifetime_days(spec: Spec, field: Field) -> float:
    """Return how long a value is in use; infinity is for ever.

    Values below an owner go with it, unless they come at a rate of their own.
    """
    own = math.inf if field.lifetime_days is None else field.lifetime_days
    if math.isfinite(own) or new_per_day(spec, field) > 0:
        return own
    owner = _owner_with_lifetime(spec, field)
    return math.inf if owner is None or owner.lifetime_days is None else owner.lifetime_days


def _owner_with_lifetime(spec: Spec, field: Field) -> Field | None:
    """Return the nearest owner whose values are in use for a time only; None if there is none."""
    nearest = owner_of(spec, field)
    if nearest is None and field.unique_within is not None:  # what counts within a value goes with it, too
        nearest = spec.find(field.unique_within)
    owners = () if nearest is None else (nearest, *_owners(spec, nearest))
    return next((owner for owner in owners if owner.lifetime_days is not None), None)
