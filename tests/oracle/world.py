"""Values: which of a field's values are in use at a time, in what order of rank, and who owns whom.

What a spec says of a field means this.

- It has `distinct` values on the start date and then gets `growth_per_day` new ones, evenly in time, the first of them
  at any moment of the time that one takes. Values are numbered in the order of their birth, from 0.
- A value is in use for `lifetime_days` from its birth; those of the start were born evenly over one lifetime before it,
  each in the place of one that died. Without a lifetime a value is in use for ever. In use means: can be drawn now.
- Value number i has rank i at first. Where values die it has any rank, as each has taken the rank of one that died,
  whenever that was: nothing says how old the values are that a weight is stated for. A rank stays with its value while
  it lives. A value that is born takes the rank of one that died, or else a random rank, behind the values that a
  share of their own is stated for, by weights or above a skew.
- A value of a field that belongs to another gets its owner when it is born, by the fan-out, among the owners in use.
- A field that is declared sequential and says neither growth nor popularity gets a new value with every event (or the
  next number within its parent, with `unique_within`), unless it says that there are several and every write overwrites
  rows: then events draw from these. One that says its growth, but no popularity, is a counter whose
  numbers are handed out in order and evenly: events share numbers where there are fewer numbers than events.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity, Every
from designer.document.field import Field
from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf

Number = int
"""A value, by the order of birth."""


@lru_cache(maxsize=32)
def zipf_sums(theta: float, most: int) -> list[float]:
    """Return the sums of i^-theta for i = 1, 2 … up to `most`."""
    return np.cumsum(np.arange(1, most + 1, dtype=np.float64) ** -theta).tolist()


@lru_cache(maxsize=32)
def weight_sums(weights: tuple[float, ...], count: int) -> list[float]:
    """Return the sums of the first one, two … weights, up to `count` of them."""
    return np.cumsum(weights[:count]).tolist()


RankAt = Callable[[int, float], int]
"""The rank, from 0, of one of `count` values that a random number in [0, 1) selects."""


def ranks_of(law: Popularity) -> RankAt:
    """Return the function from a number of values and a random number to a rank; events ask it by the million."""
    match law:
        case Uniform():
            return lambda count, chance: int(chance * count)
        case Zipf(theta=theta, busiest=(_, *_) as busiest):
            return partial(_below_busiest, busiest, ranks_of(Zipf(theta=theta)))
        case Zipf(theta=theta) | Latest(theta=theta):
            return _zipf_ranks(theta)
        case HotSet(value_share=values, traffic_share=traffic):
            return partial(_in_hot_set, values, traffic)
        case Weights(weights=weights, rest=rest):
            return partial(_by_weights, weights, rest)
    raise AssertionError(law)


def _zipf_ranks(theta: float) -> RankAt:
    sums: list[float] = []

    def rank_at(count: int, chance: float) -> int:
        nonlocal sums
        if count > len(sums):
            sums = zipf_sums(theta, 1 << max(count - 1, 1).bit_length())
        return bisect_right(sums, chance * sums[count - 1], 0, count - 1)

    return rank_at


def _below_busiest(busiest: tuple[float, ...], rank_behind: RankAt, count: int, chance: float) -> int:
    listed = weight_sums(busiest, count)
    if count <= len(listed):
        return min(bisect_right(listed, chance * listed[-1]), count - 1)
    if chance < listed[-1]:
        return bisect_right(listed, chance)
    return len(listed) + rank_behind(count - len(listed), (chance - listed[-1]) / (1 - listed[-1]))


def _in_hot_set(values: float, traffic: float, count: int, chance: float) -> int:
    hot = min(max(round(values * count), 1), count)
    if hot == count:
        return int(chance * count)
    if chance < traffic:
        return min(int(chance / traffic * hot), hot - 1)
    return min(hot + int((chance - traffic) / (1 - traffic) * (count - hot)), count - 1)


def _by_weights(weights: tuple[float, ...], rest: float, count: int, chance: float) -> int:
    sums = weight_sums(weights, count)
    others = count - len(sums)
    target = chance * (sums[-1] + (rest if others > 0 else 0.0))
    if target < sums[-1]:
        return bisect_right(sums, target)
    return min(len(sums) + int((target - sums[-1]) / rest * others), count - 1) if others > 0 else count - 1


class Population:
    """The values of one field while time passes from `first_day`, which is no later than the start."""

    def __init__(
        self, spec: Spec, field: Field, rng: np.random.Generator, owners: "Population | None", first_day: float
    ) -> None:
        self.rng, self.owners = rng, owners
        self.distinct = int(effective_value(spec, field, "distinct"))
        self.growth_per_day = float(effective_value(spec, field, "growth_per_day") or 0.0)
        self.lifetime_days = field.lifetime_days
        self.first_birth = 0.5 if self.lifetime_days is not None else rng.spawn(1)[0].random()
        """When the first new value comes, as a part of the time between two; who lives for a time replaces others."""
        before = 0 if self.lifetime_days is None else round(self.distinct * -first_day / self.lifetime_days)
        self.by_the_start = before + self.distinct
        """Values that have been born by the start; of these the last are in use then."""
        self._draw_owner = owners.drawer(effective_value(spec, field, "fan_out").law, rng) if owners else None
        self.first_free_rank = max(map(told_shares, popularities_of(spec, field)), default=0)
        self.unchanged_until = -np.inf
        """Nobody is born or dies before. [day]"""
        self.first, self.end = 0, self.distinct
        """Values first … end - 1 are in use: they are born and die in the order of their numbers."""
        self.by_rank = list(range(self.distinct))
        if self.lifetime_days is not None:
            rng.shuffle(self.by_rank)
        self.ranks_left: list[int] = []
        """Ranks of values that died and that nobody has taken over."""
        self.rank_of_dead: dict[Number, int] = {}
        self.owner_of: list[Number] = []
        self.owned_by: dict[Number, list[Number]] = {}
        for number in range(self.distinct):
            self._find_owner(number)

    def born_on(self, number: Number) -> float:
        """Return the day of a value's birth since the start; before the start it is negative. [day]"""
        if number < self.by_the_start:
            return -(self.lifetime_days or np.inf) * (self.by_the_start - number - 0.5) / self.distinct
        return (number - self.by_the_start + self.first_birth) / self.growth_per_day

    def dies_on(self, number: Number) -> float:
        """Return the day from which a value is no longer in use. [day]"""
        return np.inf if self.lifetime_days is None else self.born_on(number) + self.lifetime_days

    def live_until(self, day: float) -> None:
        """Let all births and deaths up to a day happen, in their order."""
        while True:
            comes = self.growth_per_day > 0 or self.end < self.by_the_start
            birth = self.born_on(self.end) if comes else np.inf
            death = self.dies_on(self.first) if self.first < self.end - 1 else np.inf
            self.unchanged_until = min(birth, death)
            if self.unchanged_until > day:
                return
            if death <= birth + 1e-9:  # who dies as another is born leaves it the rank
                self._die()
            else:
                self._be_born(birth)

    def _die(self) -> None:
        number = self.first
        rank = self.by_rank.index(number)
        del self.by_rank[rank]
        self.ranks_left.append(rank)
        self.rank_of_dead[number] = rank
        self.first += 1
        if self.owners:
            self.owned_by[self.owner_of[number]].remove(number)

    def _be_born(self, day: float) -> None:
        if self.ranks_left:
            rank = min(self.ranks_left.pop(0), len(self.by_rank))
        else:
            rank = int(self.rng.integers(min(self.first_free_rank, len(self.by_rank)), len(self.by_rank) + 1))
        self.by_rank.insert(rank, self.end)
        if self.owners:
            self.owners.live_until(day)
        self._find_owner(self.end)
        self.end += 1

    def _find_owner(self, number: Number) -> None:
        if self._draw_owner:
            owner = self._draw_owner()
            self.owner_of.append(owner)
            self.owned_by.setdefault(owner, []).append(number)

    @property
    def in_use(self) -> int:
        """Number of values in use."""
        return self.end - self.first

    def drawer(self, law: Popularity, rng: np.random.Generator) -> Callable[[], Number]:
        """Return a function that draws a value in use; the newest is the first where age decides."""
        rank_at, random = ranks_of(law), rng.random
        if isinstance(law, Latest):
            return lambda: self.end - 1 - rank_at(self.end - self.first, random())
        return lambda: self.by_rank[rank_at(self.end - self.first, random())]


def told_shares(law: Popularity) -> int:
    """Return of how many values, which come first, it is said how busy each is."""
    match law:
        case Weights(weights=shares) | Zipf(busiest=shares):
            return len(shares)
    return 0


def popularities_of(spec: Spec, field: Field) -> Iterable[Popularity]:
    """Return every popularity that is stated for a field: its own and those of activities."""
    own = [draw.popularity for activity in spec.activities for draw in activity.draws if draw.field == field.id]
    return [law for law in (field.popularity, *own) if law is not None]


Step = tuple[str, Callable[[dict[str, Number]], Number], list[tuple[str, list[Number]]]]


class World:
    """The values of all fields of a design, and how an event draws them."""

    def __init__(self, spec: Spec, rng: np.random.Generator, first_day: float = 0.0) -> None:
        self.spec, self.rng, self.first_day = spec, rng, first_day
        self.fields = {field.id: field for field in spec.fields if effective_value(spec, field, "kind") != "timestamp"}
        self.populations: dict[str, Population] = {}
        for name in self.fields:
            self._populate(name)
        self.handed_out: dict[object, float] = {}
        """Of each counter (and each parent of one) the next number."""
        self.lineage = {name: self._lineage(name) for name in self.fields}
        """Of each field the field itself, its owner, the owner's owner and so on."""
        children_first = sorted(self.fields, key=lambda name: -len(self.lineage[name]))
        self._children_first = [self.populations[name] for name in children_first]
        self._owners = {
            name: [(owner, self.populations[child].owner_of) for child, owner in pairwise(self.lineage[name])]
            for name in self.fields
        }
        self._stated: dict[tuple[str, str], Popularity | None] = {}
        self._laws: dict[tuple[str, str], Popularity] = {}
        self._steps: dict[tuple[str, tuple[str, ...]], list[Step]] = {}
        self._counters = {name for name in self.fields if self._is_counter(self.fields[name])}

    def _populate(self, name: str) -> Population:
        if name not in self.populations:
            owner = self.fields[name].belongs_to
            owners = self._populate(owner) if owner else None
            self.populations[name] = Population(self.spec, self.fields[name], self.rng, owners, self.first_day)
        return self.populations[name]

    def _lineage(self, name: str) -> list[str]:
        found = [name]
        while owner := self.fields[found[-1]].belongs_to:
            found.append(owner)
        return found

    def _is_counter(self, field: Field) -> bool:
        several = field.growth_per_day is None and field.unique_within is None and (field.distinct or 0) > 1
        updated = {write.mode for _, kind in self.spec.row_kinds() for write in kind.writes} == {"overwrite"}
        drawn = list(popularities_of(self.spec, field)) or (several and updated)
        return field.assigned == "sequential" and not drawn

    def counts(self, name: str) -> bool:
        """Whether a field's values are handed out in order: declared sequential, with no popularity."""
        return name in self._counters

    def live_until(self, day: float) -> None:
        """Let all births and deaths up to a day happen. Who belongs to others comes first, as it looks for an owner."""
        for population in self._children_first:
            if population.unchanged_until <= day:
                population.live_until(day)

    def stated(self, name: str, activity: Activity) -> Popularity | None:
        """Return the popularity that is stated for this activity, else for the field, else None."""
        asked = name, activity.id
        if asked not in self._stated:
            own = [draw.popularity for draw in activity.draws if draw.field == name and draw.popularity is not None]
            self._stated[asked] = own[0] if own else self.fields[name].popularity
        return self._stated[asked]

    def law(self, name: str, activity: Activity) -> Popularity:
        """Return the popularity that is stated for this activity or the field, else the one that is guessed."""
        asked = name, activity.id
        if asked not in self._laws:
            guessed = effective_value(self.spec, self.fields[name], "popularity")
            self._laws[asked] = self.stated(name, activity) or guessed
        return self._laws[asked]

    def draw(self, activity: Activity, names: Iterable[str], given: dict[str, Number]) -> dict[str, Number]:
        """Draw the named fields of one event. A value of a field with `unique_within` is its number within the parent.

        Where the child's popularity is stated, the child is drawn, and its owner follows. Where it is not, the owner is
        drawn, by what is stated or guessed for it, and then one of its values evenly.
        """
        found = dict(given)
        if not given and isinstance(activity.arrival, Every):  # each value in use acts as often
            found[activity.arrival.field] = self._drawer(activity.arrival.field, Uniform())()
        for name in tuple(found):
            self.add_owners(name, found)
        for name, draw_one, owners in self._steps_of(activity, tuple(names)):
            if name not in found:
                value = found[name] = draw_one(found)
                for owner, owner_of in owners:
                    value = found[owner] = owner_of[value]
        return found

    def _steps_of(self, activity: Activity, names: tuple[str, ...]) -> "list[Step]":
        """Return each field in the order of drawing, how it is drawn, and its owners with who owns whom."""
        asked = activity.id, names
        if asked not in self._steps:
            self._steps[asked] = [
                (name, self._draw_one(name, activity), self._owners[name]) for name in self.in_turn(names)
            ]
        return self._steps[asked]

    def _drawer(self, name: str, law: Popularity) -> Callable[[], Number]:
        return self.populations[name].drawer(law, self.rng)

    def in_turn(self, names: tuple[str, ...]) -> list[str]:
        """Return the fields in the order of drawing: children before owners, within a parent after it."""
        wanted = set(names) | {parent for name in names if (parent := self.fields[name].unique_within)}
        inner = {name for name in wanted if self.fields[name].unique_within}
        return sorted(wanted, key=lambda name: (name in inner, -len(self.lineage[name]), name))

    def add_owners(self, name: str, found: dict[str, Number]) -> None:
        """Add the owners of a drawn value."""
        value = found[name]
        for owner, owner_of in self._owners[name]:
            value = found[owner] = owner_of[value]

    def _draw_one(self, name: str, activity: Activity) -> "Callable[[dict[str, Number]], Number]":
        """Return a function that draws a value, given those that an event has."""
        if name in self._counters:
            return partial(self._next_number, name, activity)
        field = self.fields[name]
        if field.belongs_to and self.stated(name, activity) is None:
            draw_owner, owned_by = self._draw_one(field.belongs_to, activity), self.populations[name].owned_by
            return partial(self._one_of_owner, draw_owner, owned_by)
        draw_one = self._drawer(name, self.law(name, activity))
        return lambda _: draw_one()

    def _one_of_owner(
        self,
        draw_owner: "Callable[[dict[str, Number]], Number]",
        owned_by: dict[Number, list[Number]],
        found: dict[str, Number],
    ) -> Number:
        while True:  # an owner without values does nothing
            if owned := owned_by.get(draw_owner(found)):
                return owned[int(self.rng.random() * len(owned))]

    def _next_number(self, name: str, activity: Activity, found: dict[str, Number]) -> Number:
        field, population = self.fields[name], self.populations[name]
        counter = (name, found[field.unique_within]) if field.unique_within else name
        step = 1.0
        if population.growth_per_day > 0:
            events_per_day = float(effective_value(self.spec, activity, "rate_per_second")) * 86_400
            step = min(1.0, population.growth_per_day / events_per_day)
        number = self.handed_out.get(counter, 0.0 if field.unique_within else float(population.distinct))
        self.handed_out[counter] = number + step
        return int(number + 1e-9)
