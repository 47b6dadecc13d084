"""The values of fields that belong together, with the law of how often each comes up.

A stage adds one field to the entries of the stage before it: the values that belong to each entry's owner, or all
values of an independent field. Where that is more than fits, the most popular ones stand for themselves and others,
evenly spaced, for the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from designer.document.popularity import Latest, Popularity, Uniform, Weights, Zipf
from estimator.results.arrays import Flags, Floats, Ints

from .popularity import rank_weight, top_share, weight_sum
from .shape import ValueShape
from .shuffle import Shuffle

_MASSES_MOST = 8

_GOLDEN = 0.6180339887498949
"""Multiples of it, without their whole parts, are spaced evenly between 0 and 1, however many there are."""


@dataclass(frozen=True, eq=False)
class Stage:
    """One field's values below each entry of the stage before.

    All arrays are (entries,). `rank` counts from 1 among the `size` values below one parent; `head` values there stand
    for themselves, an entry with `tail` > 0 for that share of the rest. `order` counts from 1 among all values: what
    is below one parent stands together, and fan-outs go by it.
    """

    shape: ValueShape
    has_owner: bool
    parent: Ints
    number: Ints
    rank: Ints
    order: Ints
    size: Ints
    head: Ints
    tail: Floats

    @cached_property
    def is_exact(self) -> bool:
        """Every value stands for itself."""
        return not self.tail.any()

    def conditional_shares(self, popularity: Popularity, time_s: float) -> Floats:
        """Share of each entry among those below its parent; rows of one parent add to 1. float64 (entries,)."""
        low, high = self.shape.values_in_use(time_s)
        weight = self._weights(popularity, low, high)
        if low > 0 or high < self.shape.total:
            used = self.in_use(low, high)
            weight = np.where(used, weight, 0.0)
            if not weight.any():  # all that had a weight is gone: what is left is alike
                weight = used.astype(np.float64)
        total = np.bincount(self.parent, weight, minlength=int(self.parent[-1]) + 1)[self.parent]
        return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)

    def in_use(self, low: int, high: int) -> Flags:
        """Entries whose value is in use; where none is, the nearest stands for those that are."""
        used = (self.number >= low) & (self.number < high)
        if not used.any():
            # No representative of the values in use is listed: the one nearest to their middle takes their traffic.
            # Doubled, the middle stays a whole number.
            away = np.abs(2 * self.number - (low + high - 1))
            used = away == away.min()
        return np.asarray(used)

    def listed_place(self, low: int, high: int) -> Ints:
        """Return each value's place in a list by number: the place of one that died is its heir's."""
        return self.number % (high - low) if low > 0 else self.number

    def _weights(self, popularity: Popularity, low: int, high: int) -> Floats:
        if isinstance(popularity, Latest):
            return self._by_age(popularity, high)
        if isinstance(popularity, Weights) and not self.has_owner and self._lists_first_values:
            rank, size = self.listed_place(low, high) + 1, np.minimum(self.size, high - low)
        else:
            rank, size = self._active_rank(low, high)
        if isinstance(popularity, Zipf):
            weight = rank_weight(popularity, np.maximum(rank, 1), size)
        elif isinstance(popularity, Uniform):
            weight = np.ones(len(rank))
        else:
            weight = weight_sum(popularity, np.minimum(rank, size), size) - weight_sum(
                popularity, np.minimum(rank, size) - 1, size
            )
        if self.is_exact:
            return weight
        heads, tail = self._representatives_in_use(low, high)
        first, group = self._groups
        sizes = size[first]
        # Representatives divide what the distribution gives to all ranks behind the head: W(size) − W(head), per
        # parent.
        rest = weight_sum(popularity, sizes, sizes) - weight_sum(popularity, np.minimum(heads[first], sizes), sizes)
        return np.where(self.tail > 0, np.maximum(rest, 0.0)[group] * tail, weight)

    @cached_property
    def _lists_first_values(self) -> bool:
        """True if the first values by number stand for themselves; else weights are those of the first ranks."""
        return self.is_exact or isinstance(self.shape.popularity, Weights)

    @cached_property
    def _groups(self) -> tuple[Ints, Ints]:
        """The first entry below each parent, and which of those groups each entry is in."""
        new = np.diff(self.parent, prepend=-1) != 0
        return np.flatnonzero(new), np.cumsum(new) - 1

    @cached_property
    def _by_rank(self) -> Ints:
        """Entries below one parent after another, the most popular first."""
        return np.lexsort((self.rank, self.parent))

    @cached_property
    def by_busyness(self) -> Ints:
        """Entries of all parents, the most popular first; each parent's are evenly spaced, from a place of its own."""
        # Rank 1 of 10 and rank 10 of 100 are as busy relative to their owners. The offset by the golden ratio keeps
        # all first ranks from being tied, which would favour the first owners.
        return np.argsort((self.rank - 1 + self.parent * _GOLDEN % 1) / self.size, kind="stable")

    def _representatives_in_use(self, low: int, high: int) -> tuple[Ints, Floats]:
        """Values in use that stand for themselves, per entry's parent; an entry's share of the rest that is in use."""
        if low <= 0 and high >= self.shape.total:
            return self.head, self.tail
        parents = int(self.parent[-1]) + 1
        active = self.in_use(low, high)
        heads = np.bincount(self.parent, active & (self.tail == 0), minlength=parents).astype(np.int64)
        tail = np.where(active, self.tail, 0.0)
        there = np.bincount(self.parent, tail, minlength=parents)[self.parent]
        return heads[self.parent], np.divide(tail, there, out=np.zeros_like(tail), where=there > 0)

    def _active_rank(self, low: int, high: int) -> tuple[Ints, Ints]:
        """Ranks and counts among the values that are in use."""
        if low <= 0 and high >= self.shape.total:
            return self.rank, self.size
        active = self.in_use(low, high)
        order = self._by_rank
        active_count = np.cumsum(active[order])
        group = self.parent[order]
        first = np.flatnonzero(np.diff(group, prepend=-1))
        before = np.where(first > 0, active_count[first - 1], 0)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = active_count - np.repeat(before, np.diff(np.append(first, len(order))))
        # Representatives list a few of the values only, so ranks among those in use are scaled instead of counted.
        share = (high - low) / self.shape.total
        if self.is_exact:
            size = np.bincount(self.parent, active, minlength=int(self.parent[-1]) + 1)[self.parent].astype(np.int64)
        else:
            size = np.maximum(np.round(self.size * share), 1).astype(np.int64)
            rank = np.where(self.rank > self.head, np.round(self.rank * share).astype(np.int64), rank)
        return np.maximum(rank, 1), np.maximum(size, 1)

    def _by_age(self, popularity: Latest, high: int) -> Floats:
        """Zipf over how many values of the same parent are newer; entries that stand for others cover their ages."""
        order = np.lexsort((-self.number, self.parent))
        group = self.parent[order]
        first = np.flatnonzero(np.diff(group, prepend=-1))
        place = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
        weight = np.empty(len(order))
        if self.is_exact:
            # Values that do not exist yet are not newer than others; the newest existing one has rank 1.
            future = np.bincount(group, self.number[order] >= high, minlength=int(group[-1]) + 1)[group]
            weight[order] = np.maximum(place + 1 - future, 1.0) ** -popularity.theta
            return weight
        share = np.clip((self.shape.total - self.number[order]) / self.shape.total, 0, 1)
        age = np.maximum((share - (self.shape.total - high) / self.shape.total) * self.size[order], 0)
        # A representative covers the ages from the middle towards its newer neighbour to the middle towards its older
        # one.
        lower = np.where(place == 0, 0.0, np.maximum((age + np.roll(age, 1) - 1) / 2, 0.0))
        upper = np.append(lower[1:], 0.0)
        last = np.append(first[1:], len(order)) - 1
        upper[last] = self.size[order][last]
        edges = np.maximum(np.round(np.stack([lower, np.maximum(upper, lower)])), 0)
        weight[order] = weight_sum(popularity, edges[1], edges[1]) - weight_sum(popularity, edges[0], edges[0])
        return np.maximum(weight, 0.0)


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of the last of some stages, and what was computed of them: tables with the same fields share it."""

    stages: tuple[Stage, ...] = ()
    _masses: dict[object, Floats] = field(default_factory=dict, repr=False)

    @cached_property
    def rows(self) -> dict[str, Ints]:
        """By field, which of its stage's values each entry has. int64 (entries,) each."""
        rows = rows_of(self.stages, len(self.stages) - 1)
        return {stage.shape.id: row for stage, row in zip(self.stages, rows, strict=True)}

    @property
    def is_exact(self) -> bool:
        """Every value stands for itself."""
        return all(stage.is_exact for stage in self.stages)

    def masses(self, popularity: Mapping[str, Popularity], times_s: tuple[float, ...]) -> Floats:
        """Return `masses` of the stages; the last few are kept."""
        key = (times_s, tuple(popularity.get(stage.shape.id) for stage in self.stages))
        cached = self._masses.get(key)
        if cached is None:
            cached = masses(self.stages, popularity, times_s)
            if len(self._masses) >= _MASSES_MOST:
                self._masses.pop(next(iter(self._masses)), None)
            self._masses[key] = cached
        return cached


def stages_of(shapes: Sequence[ValueShape], *, ids_max: int) -> tuple[Stage, ...]:
    """Stages for fields in an order in which owners come first; the last one has at most about `ids_max` entries."""
    stages: list[Stage] = []
    mass = np.ones(1)
    # Where every field fits by itself, stages need no room kept for later ones: owners and what they own are all
    # listed.
    fits = max((shape.total for shape in shapes), default=1) <= ids_max
    for place, shape in enumerate(shapes):
        last = place == len(shapes) - 1
        owner = next((s for s in stages if s.shape.id == shape.owner), None)
        room = ids_max if last or (fits and owner is None and not stages) else max(ids_max // 4, 1)
        if fits and not last:
            room = ids_max
        stage = _stage(shape, owner, stages, mass=mass, room=room)
        stages.append(stage)
        # Entries of the next stage are allotted by traffic, so busy owners have more of their values listed.
        mass = mass[stage.parent] * stage.conditional_shares(shape.popularity, _late_time(shape))
    return tuple(stages)


def _late_time(shape: ValueShape) -> float:
    """Return a time at which all values exist."""
    return shape.start_s + 1e9 if shape.growth_per_day > 0 else shape.start_s


def _stage(shape: ValueShape, owner: Stage | None, before: Sequence[Stage], *, mass: Floats, room: int) -> Stage:
    if owner is None:
        start, size = np.zeros(len(mass), np.int64), np.full(len(mass), shape.total)
    else:
        row = rows_of(before, len(before) - 1)[before.index(owner)]
        below = _block_end(owner.order - 1, shape, owner.shape)
        # Values below one owner stand together in the child's order: those of the owner in place k are the ones
        # between the ends of the blocks k − 1 and k.
        start, size = below[row], (_block_end(owner.order, shape, owner.shape) - below)[row]
    if not size.any():  # the few owners that stand for all have none of the fewer values
        size = np.where(np.arange(len(size)) == 0, 1, 0)
        start = np.zeros(len(size), np.int64)
    entry_counts, head = _allot_entries(size, mass, room=room)
    parent = np.repeat(np.arange(len(size)), entry_counts)
    place = np.arange(len(parent)) - np.repeat(np.cumsum(entry_counts) - entry_counts, entry_counts)
    heads, sizes, keeps = head[parent], size[parent], entry_counts[parent]
    at = np.where(place < heads, place, heads + _middle_of(place - heads, keeps - heads, sizes - heads))
    tail = np.where(place < heads, 0.0, 1.0 / np.maximum(keeps - heads, 1))
    number = _numbers(shape, start[parent] + at, has_owner=owner is not None)
    rank = at + 1
    # A single field without an owner can be spaced by number, which decides the key order, instead of by rank.
    if len(mass) == 1 and int(size[0]) == shape.total and tail.any():
        number, rank, tail = _even_tail(shape, number, rank, head=int(head[0]))
        parent, sizes, heads = (column[: len(number)] for column in (parent, sizes, heads))
    order = start[parent] + rank
    return Stage(shape, owner is not None, parent, number, rank, order, sizes, heads, tail)


def _middle_of(part: Ints, parts: Ints, size: Ints) -> Ints:
    """Return the middle of one of equal parts of a size: (2 part + 1) size // (2 parts), also of 10¹⁸."""
    odd, twice = 2 * part + 1, np.maximum(2 * parts, 1)
    return odd * (size // twice) + odd * (size % twice) // twice


def _allot_entries(size: Ints, mass: Floats, *, room: int) -> tuple[Ints, Ints]:
    """Return the number of entries for each parent's values, and of those that represent only themselves."""
    if int(size.sum()) <= room:
        return size, size
    share = mass / mass.sum() if mass.sum() > 0 else np.full(len(mass), 1 / len(mass))
    entry_counts = np.clip(np.round(share * room).astype(np.int64), np.minimum(1, size), size)
    # Half of the entries stand for the busiest values exactly, the other half for all values behind them.
    return entry_counts, np.where(entry_counts < size, entry_counts // 2, entry_counts)


def _numbers(shape: ValueShape, at: Ints, *, has_owner: bool) -> Ints:
    """Return the value at each place of the popularity order."""
    if not has_owner and isinstance(shape.popularity, Weights):
        return at
    if not has_owner and isinstance(shape.popularity, Latest):
        return shape.total - 1 - at
    return Shuffle(shape.total, shape.seed).number(at)


def ranks(shape: ValueShape, numbers: Ints) -> Ints:
    """Popularity ranks (from 1) of values of a field that has no owner here: the inverse of the above."""
    if isinstance(shape.popularity, Weights):
        return numbers + 1
    if isinstance(shape.popularity, Latest):
        return shape.total - numbers
    return Shuffle(shape.total, shape.seed).rank(numbers) + 1


def _even_tail(shape: ValueShape, number: Ints, rank: Ints, *, head: int) -> tuple[Ints, Ints, Floats]:
    """Return representatives evenly spaced over the numbers instead of the ranks.

    Those that are in the head are left out.
    """
    count = len(number) - head
    # Python integers, as i · total exceeds int64 for 10^15 values.
    spaced = np.array([(2 * i + 1) * shape.total // (2 * count) for i in range(count)], dtype=np.int64)
    at = ranks(shape, spaced)
    spaced, at = spaced[at > head], at[at > head]
    tail = np.concatenate([np.zeros(head), np.full(len(spaced), 1 / max(len(spaced), 1))])
    return np.concatenate([number[:head], spaced]), np.concatenate([rank[:head], at]), tail


def _block_end(owner_order: Ints, child: ValueShape, owner: ValueShape) -> Ints:
    """Return the number of the child's values of the owner's first values in its order; int64, any shape."""
    law, owners, children = child.fan_out.law, owner.total, child.total
    spare = children - owners
    if isinstance(law, Uniform) or spare <= 0:
        base, more = divmod(children, owners)
        return owner_order * base + np.minimum(owner_order, more)
    # Every owner has one value, and the spare ones follow the skew. Without the small factor a share of 0.999… at the
    # last owner would round down and lose one value.
    return owner_order + np.floor(top_share(law, owner_order, owners) * spare * (1 + 1e-12)).astype(np.int64)


def rows_of(stages: Sequence[Stage], last: int) -> list[Ints]:
    """Return the entry of each stage up to `last` that each entry of stage `last` is below: int64 (entries,) each."""
    rows = [np.arange(len(stages[last].number))]
    for stage in reversed(stages[1 : last + 1]):
        rows.insert(0, stage.parent[rows[0]])
    return rows


def masses(stages: Sequence[Stage], popularity: Mapping[str, Popularity], times_s: Sequence[float]) -> Floats:
    """Share of each entry of the last stage, mean over the times; adds to 1. float64 (entries,)."""
    laws = [popularity.get(stage.shape.id, stage.shape.popularity) for stage in stages]
    moving = [stage.shape.growth_per_day > 0 for stage in stages]
    still = [
        None if moves else stage.conditional_shares(law, times_s[0])
        for stage, law, moves in zip(stages, laws, moving, strict=True)
    ]
    times = sample_times(stages, laws, times_s)
    total = np.zeros(len(stages[-1].number))
    decides = _deciding_stage(stages, popularity)
    for time_s in times:
        mass = np.ones(1) if decides is None else _shares_of_all(stages[: decides + 1], laws[decides], time_s)
        for place, (stage, law, done) in enumerate(zip(stages, laws, still, strict=True)):
            if decides is None or place > decides:
                mass = mass[stage.parent] * (stage.conditional_shares(law, time_s) if done is None else done)
        # With fan-outs and lifetimes, values in use can belong to owners that are gone.
        if not mass.any():  # values in use whose owners are not: each of these owners alike
            mass = stages[-1].conditional_shares(laws[-1], time_s)
        total += mass / mass.sum()
    return total / len(times)


def _deciding_stage(stages: Sequence[Stage], popularity: Mapping[str, Popularity]) -> int | None:
    """Return the last stage whose values are drawn by a stated popularity and bring their owners with them.

    None where no owned field has one; among fields that are drawn beside one another, each keeps its place.
    """
    deciding_place, owner = None, None
    for place, stage in enumerate(stages):
        if stage.shape.owner != owner:
            break
        if place and (stage.shape.has_stated_popularity or stage.shape.id in popularity):
            deciding_place = place
        owner = stage.shape.id
    return deciding_place


def _shares_of_all(stages: Sequence[Stage], popularity: Popularity, time_s: float) -> Floats:
    """Share of each value of an owned field among all of its values, whatever their owners. float64 (entries,).

    Owners have busy values as they have values.
    """
    stage, many = stages[-1], np.ones(1)
    for level in stages:
        # How many real values each entry stands for, itself and its owners' representation multiplied.
        many = many[level.parent] * np.where(level.tail > 0, level.tail * (level.size - level.head), 1.0)
    low, high = stage.shape.values_in_use(time_s)
    many = np.where(stage.in_use(low, high), many, 0.0)
    if isinstance(popularity, Latest):
        order = np.argsort(-stage.number, kind="stable")
    elif isinstance(popularity, Weights):
        order = np.argsort(stage.listed_place(low, high), kind="stable")
    else:
        order = stage.by_busyness
    upto = np.round(np.cumsum(many[order]))
    share = np.empty(len(order))
    # Each entry covers the ranks from the sum of those before it to its own: a share is a difference of top shares.
    share[order] = np.diff(top_share(popularity, upto, max(upto[-1], 1.0)), prepend=0.0)
    return share


def sample_times(
    stages: Sequence[Stage], popularities: Sequence[Popularity], times_s: Sequence[float]
) -> Sequence[float]:
    """Return the middle time alone if the values in use change by less than a twentieth, else all times."""
    for stage, law in zip(stages, popularities, strict=True):
        (low, high), (later_low, later_high) = (stage.shape.values_in_use(t) for t in (times_s[0], times_s[-1]))
        # Four evaluations cost four times as much; under a change of 5 % the middle is as good as the mean. By age
        # every new value matters, because the newest is the busiest.
        change = max(later_low - low, later_high - high)
        if change and (isinstance(law, Latest) or change > 0.05 * (high - low)):
            return times_s
    return times_s[len(times_s) // 2 :][:1]
