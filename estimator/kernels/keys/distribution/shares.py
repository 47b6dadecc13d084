"""Exact shares of key ranges: how likely a key sorts below any byte string, per window of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats, Ints

from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution
from ..patterns.pattern import KeyPattern
from ..patterns.times import EventTime

State = tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Terms:
    """The keys below each bound, as disjoint boxes: an interval per component.

    `start` int64 (bounds,): where a bound's boxes begin; `low`, `high` per component, (boxes,) each.
    """

    start: Ints
    low: tuple[NDArray[np.generic], ...]
    high: tuple[NDArray[np.generic], ...]

    def of(self, places: Ints) -> "Terms":
        """Return the terms of some of the bounds, ascending."""
        sizes = np.diff(self.start, append=len(self.low[0]))
        is_chosen = np.zeros(len(sizes), dtype=np.bool_)
        is_chosen[places] = True
        boxes = np.repeat(is_chosen, sizes)
        start = np.cumsum(sizes[is_chosen]) - sizes[is_chosen]
        return Terms(start, tuple(a[boxes] for a in self.low), tuple(a[boxes] for a in self.high))


def range_shares(pattern: KeyPattern, distribution: EventDistribution, bounds: Sequence[bytes]) -> Floats:
    """Share of each window's keys in each range between bounds: exact up to rounding.

    Parameters
    ----------
    bounds
        Ascending byte strings; they need not be keys. Range i is [bounds[i - 1], bounds[i]).

    Returns
    -------
    float64, shape (windows, len(bounds) + 1)
        Rows add to 1.

    Raises
    ------
    ValueError
        If the bounds are not in byte order.
    """
    if sorted(bounds) != list(bounds):
        raise ValueError("bounds must be in byte order")
    below = shares_below(pattern, distribution, bounds)
    edges = np.concatenate([np.zeros((len(below), 1)), below, np.ones((len(below), 1))], axis=1)
    # Differences of sums near each other can be −1e-17, and a multinomial draw refuses negative shares.
    return np.maximum(np.diff(edges, axis=1), 0.0)


def shares_below(pattern: KeyPattern, distribution: EventDistribution, bounds: Sequence[bytes]) -> Floats:
    """Share of each window's keys that sort before each bound. float64 (windows, bounds)."""
    if not bounds:
        return np.zeros((distribution.time.count, 0))
    terms = terms_of(pattern, tuple(bounds))
    boxes = len(terms.low[0]) if terms.low else 0
    plain: Floats = np.ones(boxes)
    there = np.ones(boxes, dtype=np.bool_)
    for component, low, high in zip(pattern.components, terms.low, terms.high, strict=True):
        there &= np.less(low, high)
        if not isinstance(component, EventTime | TimeSpans):
            # Only time differs between windows: all other factors are multiplied once, as (boxes,), not as (windows,
            # boxes).
            plain = plain * component.mass(distribution, low, high)  # type: ignore[arg-type, union-attr]
    live = np.flatnonzero(there & (plain > 0))  # most boxes are empty, and windows are many
    mass = plain[None, live]
    for component, low, high in zip(pattern.components, terms.low, terms.high, strict=True):
        if isinstance(component, EventTime | TimeSpans):
            mass = component.mass(distribution, low[live], high[live]) * mass  # type: ignore[arg-type]
    below = np.zeros((len(bounds), len(mass)))
    bound = np.repeat(np.arange(len(bounds)), np.diff(terms.start, append=boxes))[live]
    # Where the live boxes of each bound begin. A bound without live boxes has no run and keeps the share 0.
    first = np.flatnonzero(np.diff(bound, prepend=-1))
    if len(first):
        below[bound[first]] = _sums_of_runs(mass.T, first)
    below = np.ascontiguousarray(below.T)
    return np.asarray(np.minimum(np.broadcast_to(below, (distribution.time.count, len(bounds))), 1.0))


def _sums_of_runs(mass: Floats, first: Ints) -> Floats:
    """Return sums of runs of boxes, each from one of `first` to before the next: (runs, windows) of (boxes, windows).

    To the last bit as `np.add.reduceat` adds up each window by itself, but all windows at once: most runs are short.
    """
    if mass.shape[1] == 1:
        return np.add.reduceat(mass[:, 0], first)[:, None]
    sizes = np.diff(first, append=len(mass))
    sums, rest = mass[first], np.zeros((len(first), mass.shape[1]))
    for step in range(1, min(int(sizes.max()), _SHORT_RUN)):
        some = np.flatnonzero(sizes > step)
        rest[some] += mass[first[some] + step]
    sums += rest
    for place in np.flatnonzero(sizes > _SHORT_RUN).tolist():
        run = np.ascontiguousarray(mass[first[place] : first[place] + sizes[place]].T)
        sums[place] = np.add.reduceat(run, [0], axis=1)[:, 0]
    return sums


_SHORT_RUN = 8
"""Longer runs are added up in pairs."""


def terms_of(pattern: KeyPattern, bounds: tuple[bytes, ...]) -> Terms:
    """Return the boxes below each bound; the last few are cached, as reads and writes share bounds."""
    cached = pattern.cache.get(bounds)
    if isinstance(cached, Terms):
        return cached
    full = _full(pattern)
    boxes: list[State] = []
    start = []
    nothing = tuple((a, a) for a, _ in full)
    for bound in bounds:
        start.append(len(boxes))
        boxes.append(nothing)  # so that every bound has one
        _append_terms_below(pattern, 0, full, bound, boxes)
    columns = list(zip(*boxes, strict=True)) if full else [()]
    arrays = [np.array(list(chain.from_iterable(column))) for column in columns] if full else []
    terms = Terms(
        np.array(start, dtype=np.int64),
        tuple(a[0::2] for a in arrays) or (np.zeros(0),),
        tuple(a[1::2] for a in arrays) or (np.zeros(0),),
    )
    cache_terms(pattern, bounds, terms)
    return terms


def cache_terms(pattern: KeyPattern, bounds: tuple[bytes, ...], terms: Terms) -> None:
    """Remember the boxes of bounds, in place of the oldest."""
    pattern.remember(bounds, terms, most=6)


def _full(pattern: KeyPattern) -> State:
    return tuple(component.full for component in pattern.components)  # type: ignore[union-attr]


def _append_terms_below(pattern: KeyPattern, place: int, state: State, rest: bytes, boxes: list[State]) -> None:
    """Append the boxes of keys below `rest`, given the state and that all before it was equal."""
    if not rest:
        return
    if place == len(pattern.levels):
        boxes.append(state)
        return
    level = pattern.levels[place]
    at = level.component
    if at < 0:
        text = level.order.text  # type: ignore[attr-defined]
        if rest.startswith(text):
            _append_terms_below(pattern, place + 1, state, rest[len(text) :], boxes)
        elif text < rest:
            boxes.append(state)
        return
    # A key is below the bound if it is equal in the segments before and less in this one (`spans`), or equal here,
    # too, and less further behind (`hits`). These cases exclude each other, so shares of boxes can be added.
    low, high = state[at]
    spans, hits = level.order.split(low, high, rest)
    before, behind = state[:at], state[at + 1 :]
    for a, b in spans:
        if a < b:
            boxes.append((*before, (a, b), *behind))
    for a, b, size in hits:
        if a < b:
            _append_terms_below(pattern, place + 1, (*before, (a, b), *behind), rest[size:], boxes)
