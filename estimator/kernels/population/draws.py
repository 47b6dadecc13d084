"""Draws of fields' values by an event: the field whose popularity decides, and the values that follow from it."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec, effective_value, owner_id, owner_of
from designer.document.activity import Activity, Every
from designer.document.field import Enumeration, Field
from designer.document.popularity import Latest, Popularity, Uniform, Weights, Zipf
from estimator.kernels.keys.values.popularity import top_share
from estimator.results.arrays import Floats

from .grown import Earlier, Ranks, earlier_parts
from .strata import (
    Strata,
    all_of_each_bound,
    assign,
    each_bound,
    expand,
    flat,
    group,
    popularity_strata,
    product,
    spread,
)
from .values import lifetime_days, new_per_day, values_in_use

LEAST_BORN = 1e-6
"""So few new values change no place."""

Draw = Mapping[str, Popularity | Earlier | Ranks]
"""Popularities that one kind of event states, by field id."""


@dataclass(frozen=True)
class Lossy:
    """Texts made from fields that do not tell all their values apart: a hash, a bucket, a beginning."""

    fields: tuple[str, ...]
    texts: float
    """Different texts that there can be. [texts]"""
    bound: bool
    given_texts: float = 1.0
    """Where it is not given as a whole: texts of the part of it that is. [texts]"""
    follows: bool = False
    """What is told apart beside it determines it, as a device does a hash of its owner: it makes no combination."""


def popularities(spec: Spec, activity: Activity) -> dict[str, Popularity]:
    """Return the popularities of fields within an activity, where they differ from the field's own.

    "Every n seconds per value" makes all values equally frequent, and their owners as frequent as they have values.
    """
    laws: dict[str, Popularity] = {}
    if isinstance(activity.arrival, Every):
        field = spec.find(activity.arrival.field)
        laws[field.id] = Uniform()
        while (owner := owner_of(spec, field)) is not None and owner.id not in laws:
            laws[owner.id] = effective_value(spec, field, "fan_out").law
            field = owner
    laws.update({draw.field: draw.popularity for draw in activity.draws if draw.popularity is not None})
    return laws


def is_stated(spec: Spec, field_id: str, draw: Draw) -> bool:
    """Return whether a person has said how often values of a field are drawn, for these events or at all."""
    field: Field = spec.find(field_id)
    return field_id in draw or field.has_known_skew or isinstance(field.values, Enumeration)


def popularity_of(spec: Spec, field_id: str, draw: Draw) -> Popularity | Earlier | Ranks:
    """Return the popularity of a field in these events: as they state it, else the field's own."""
    if field_id in draw:
        return draw[field_id]
    popularity: Popularity = effective_value(spec, spec.find(field_id), "popularity")
    return popularity


def owner_chain(spec: Spec, field_id: str) -> tuple[str, ...]:
    """Return a field and the fields that it belongs to, the root first; a circle ends where it closes."""
    chain, owner = [field_id], owner_id(spec, field_id)
    while owner is not None and owner not in chain:
        chain.append(owner)
        owner = owner_id(spec, owner)
    return tuple(reversed(chain))


@dataclass(frozen=True)
class Growth:
    """Growth of the one field whose popularity by rank is stated while values come."""

    field: str
    earlier: tuple[float, ...] = ()
    """Which parts of its values there were on earlier days, where any rank is taken by those that come; without…"""
    staying: float = 0.0
    """…so many that are told from the start on by their own shares, which stand first. [values]"""
    is_apart: bool = False
    """Those that stay are told apart from those that come."""

    def laws(self, now: Popularity | Earlier | Ranks) -> list[Earlier | Ranks]:
        """Return the laws by which values are told apart, beside that of all of them now."""
        assert not isinstance(now, Earlier | Ranks)
        earlier = [Earlier(now, part, self.staying) for part in self.earlier]
        if not self.is_apart:
            return [*earlier]
        others = [Ranks(law, self.staying) for law in (now, *earlier)]
        return [*others, Ranks(now, 0.0, self.staying)]

    @property
    def laws_added(self) -> int:
        """Number of those laws."""
        return len(self.earlier) + 2 * self.is_apart


def growth_by_rank(
    spec: Spec, own_fields: Sequence[str], lossy: Sequence[Lossy], activities: Sequence[Activity], end: float
) -> Growth | None:
    """Return the growth of the one field among those that keys show whose popularity by rank all events state.

    `own_fields`: fields whose values are told apart; beside them stand the `lossy` texts. `end`: of the horizon. [day]
    """
    key_fields = dict.fromkeys([*own_fields, *(field for text in lossy for field in text.fields)])
    chains = {field: owner_chain(spec, field) for field in key_fields}
    growing = [field for field in dict.fromkeys(sum(chains.values(), ())) if new_per_day(spec, spec.find(field)) > 0]
    # Its values are shown themselves, and own nothing that is.
    if len(growing) != 1 or growing[0] not in key_fields or any(growing[0] in chain[:-1] for chain in chains.values()):
        return None
    field: Field = spec.find(growing[0])
    draws = [popularities(spec, activity) for activity in activities]
    laws = [popularity_of(spec, field.id, draw) for draw in draws]
    all_stated = bool(laws) and all(is_stated(spec, field.id, draw) for draw in draws)
    if not all_stated or field.lifetime_days is not None or field.unique_within is not None:
        return None
    ranked = [law for law in laws if isinstance(law, Zipf | Weights)]
    if len(ranked) < len(laws):
        return None
    there = values_in_use(spec, field, np.array([0.0, end]))
    told_shares = max(len(law.busiest if isinstance(law, Zipf) else law.weights) for law in ranked)
    staying = float(min(told_shares, math.floor(there[0])))
    is_apart = field.id in own_fields and all(
        math.isinf(lifetime_days(spec, spec.find(field_id))) for field_id in key_fields
    )
    if not 0 < staying < there[0]:
        staying = 0.0
    is_skewed = any(isinstance(law, Zipf) for law in laws)
    parts = earlier_parts(float((there[0] - staying) / (there[1] - staying))) if is_skewed else ()
    is_apart = is_apart and staying > 0
    return Growth(field.id, parts, staying, is_apart) if parts or is_apart else None


@dataclass(frozen=True)
class Drawing:
    """Events that draw fields of a design on one day."""

    spec: Spec
    draws: tuple[Draw, ...]
    """The laws of the events; the first decides which field is drawn."""
    day: float
    """Since the start. [day]"""
    stored_days: float = 0.0
    """How long what is met of them has been written. [day]"""
    unseen: Collection[str] = ()
    """Fields that the events draw beside those that are told apart: their values decide who owns them."""

    def values(self, field_id: str) -> float:
        """Return the values of a field in use then. [values]"""
        there = values_in_use(self.spec, self.spec.find(field_id), np.array([self.day]))
        return max(float(there[0]), 1.0)

    def combinations(self, fields: Sequence[str], bound: Collection[str] = (), lossy: Sequence[Lossy] = ()) -> Strata:
        """Return the combinations of fields that events draw.

        Parameters
        ----------
        fields
            Those whose values are told apart.
        bound : subset of fields
            Those whose values are given.
        lossy
            Texts beside them that do not follow from them.

        Returns
        -------
        Strata
            Combinations of what is not bound, below each combination of what is.
        """
        strata = flat(np.ones(1), np.ones((len(self.draws), 1)))
        given = [text for text in lossy if text.follows]
        lossy = [text for text in lossy if not text.follows]
        below = {text.fields[0]: text for text in lossy if self._is_below(text, fields)}
        for chain, above in self.chains((*fields, *below)):
            chain_strata = self._chain(
                chain, above, {*fields, *below}, {*bound, *(f for f, t in below.items() if t.bound)}
            )
            for field in chain:
                if field in below:
                    chain_strata = self._squeeze(chain_strata, below[field], fields)
            strata = product(strata, chain_strata)
        for text in lossy:
            if not self._is_below(text, fields):
                strata = product(strata, self._lossy(text, set(fields)))
        for text in given:
            strata = self._below_given(strata, _different(text.given_texts, self.count(text.fields)))
        return strata

    def count(self, fields: Sequence[str], lossy: Sequence[Lossy] = ()) -> float:
        """Return how many combinations of fields, and of texts beside them, there are then. [combinations]"""
        return float(self.combinations(fields, lossy=lossy).total_count.sum())

    def _is_below(self, text: Lossy, fields: Sequence[str]) -> bool:
        """Return whether a text is made from a value whose owner is told apart."""
        return len(text.fields) == 1 and any(owner in fields for owner in owner_chain(self.spec, text.fields[0])[:-1])

    def chains(self, fields: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str | None]]:
        """Each needed field with its owners, root first; of a second branch, what is below the common owner."""
        chains = {field: owner_chain(self.spec, field) for field in dict.fromkeys(fields)}
        for field in (*self.draws[0], *self.unseen):  # what is drawn decides its owners, whether or not it is shown
            chain = owner_chain(self.spec, field)
            if any(owner in chains for owner in chain[:-1]):
                chains[field] = chain
        inner = {owner for chain in chains.values() for owner in chain[:-1]}
        leaves = [field for field in chains if field not in inner]
        leaves += [] if leaves else list(chains)[:1]  # a circle of owners has no last one: any
        visited: set[str] = set()
        # First those whose own field decides: its values decide for the owners that others share.
        for leaf in sorted(leaves, key=lambda field: not self._deciding(chains[field])):
            chain = chains[leaf]
            common = [place for place, field in enumerate(chain) if field in visited]
            visited.update(chain)
            yield (chain[common[-1] + 1 :], chain[common[-1]]) if common else (chain, None)

    def _deciding(self, chain: Sequence[str]) -> int:
        """Return the place of the field whose popularity decides: the last that is stated, else the root."""
        stated = [place for place, field in enumerate(chain) if is_stated(self.spec, field, self.draws[0])]
        return stated[-1] if stated else 0

    def _chain(self, chain: tuple[str, ...], above: str | None, own_fields: set[str], bound: set[str]) -> Strata:
        """Return the strata of the values of one chain of owners: those told apart, below those bound."""
        place = self._deciding(chain)
        last = max((i for i, field in enumerate(chain) if field in own_fields), default=0)
        last_bound = max((i for i, field in enumerate(chain) if field in bound), default=-1)
        below = 1.0 if above is None else self.values(above)
        field = chain[place]
        laws = [self._law(chain, place, draw) for draw in self.draws]
        strata = self._deciding_strata(chain, place, last, laws, max(self.values(field) / below, 1.0))
        if last < place and last == last_bound and field in self.unseen:
            return all_of_each_bound(self._owners(strata, chain, last, place, below))
        if last < place:  # values that decide are not told apart: an owner's fall together
            strata = group(strata, max(self.values(chain[last]) / below, 1.0), bind=False)
            if last_bound < 0:
                return strata
            return group(strata, max(self.values(chain[last_bound]) / below, 1.0), bind=True)
        if last_bound < 0:
            return self._children(strata, chain, place, last)
        if last_bound < place:
            owners = self._owners(strata, chain, last_bound, place, below)
            return expand(owners, self.values(chain[last]) / self.values(field))
        strata = self._children(strata, chain, place, last_bound, lives=self._lives(chain[last_bound]), bind=True)
        if last_bound == place:  # an owner has had all values that followed each other, and not those of one day
            return self._children(strata, chain, place, last, lives=self._lives(chain[last]))
        return expand(strata, self.values(chain[last]) / self.values(chain[last_bound]))

    def _deciding_strata(
        self, chain: Sequence[str], place: int, last: int, laws: Sequence[Popularity | Earlier | Ranks], values: float
    ) -> Strata:
        """Return the values of the deciding field, apart also where owners that are as busy have more values."""
        if last <= place:
            return popularity_strata(laws, values)
        law: Popularity = effective_value(self.spec, self.spec.find(chain[place + 1]), "fan_out").law
        strata = popularity_strata([*laws, law], values)
        return replace(strata, share=strata.share[:-1])

    def _law(self, chain: Sequence[str], place: int, draw: Draw) -> Popularity | Earlier | Ranks:
        """Return the popularity of the deciding field; where an owner's alone is stated, that decides elsewhere."""
        return popularity_of(self.spec, chain[place], draw)

    def _fan_out(self, strata: Strata, chain: Sequence[str], place: int, last: int) -> Floats:
        """Return the values at `last` below one value at `place`, by stratum: (strata,). [values]"""
        owners = float(strata.total_count.sum())
        mean = self.values(chain[last]) / self.values(chain[place])
        law: Popularity = effective_value(self.spec, self.spec.find(chain[place + 1]), "fan_out").law
        if isinstance(law, Uniform):
            return np.full(len(strata.count), mean)
        upto = np.cumsum(strata.total_count)  # an owner that is busier has more values, too
        share = np.diff(top_share(law, np.maximum(np.round(upto), 1.0), max(round(owners), 1)), prepend=0.0)
        # Above 0, as the events of an owner are divided by its values.
        return np.asarray(np.maximum(mean * owners * share / strata.total_count, 1e-9))

    def _lives(self, field_id: str) -> float:
        """Return how many values have followed each other in one place in the time that is met. [values]"""
        life_days = lifetime_days(self.spec, self.spec.find(field_id))
        return 1 + (self.stored_days / life_days if math.isfinite(life_days) else 0.0)

    def _children(
        self, strata: Strata, chain: Sequence[str], place: int, last: int, *, lives: float = 1.0, bind: bool = False
    ) -> Strata:
        """Return the values at `last` below those at `place`."""
        if last == place:
            return each_bound(strata) if bind else strata
        return spread(strata, self._fan_out(strata, chain, place, last), lives=lives, bind=bind)

    def _owners(self, strata: Strata, chain: Sequence[str], owner: int, place: int, below: float) -> Strata:
        """Return deciding values below their owners, which are bound: each value has drawn its own by the fan-out."""
        groups = max(self.values(chain[owner]) / below, 1.0)
        law: Popularity = effective_value(self.spec, self.spec.find(chain[owner + 1]), "fan_out").law
        field: Field = self.spec.find(chain[place])
        stays: float | Floats = self._stays(field)
        if isinstance(popularity_of(self.spec, field.id, self.draws[0]), Latest) and new_per_day(self.spec, field):
            stays = self._stays_of_latest(field, strata)
        stated = [draw.get(chain[owner]) for draw in self.draws]
        direct_laws = [place for place, own in enumerate(stated) if own not in (None, stated[0])]
        owner_laws = [law if own is None else own for own in stated]
        return assign(strata, popularity_strata([law, *owner_laws], groups), stays, direct_laws)

    def _stays(self, field: Field) -> float:
        """Return the part of the events on the place of a value in use, anywhere in its life, that are its own. [1]"""
        lives = self.stored_days / lifetime_days(self.spec, field)
        # The mean of min(age, stored) ÷ stored, of any age in its life.
        return 1 - lives / 2 if lives < 1 else 1 / (2 * lives)

    def _stays_of_latest(self, field: Field, strata: Strata) -> Floats:
        """Return the events of a value ÷ those on its place by age, which it took from an older one: (strata,). [1]"""
        come_days = self.stored_days  # values come: without a lifetime, from the start on
        if field.lifetime_days is None:
            come_days = min(come_days, max(self.day, 0.0))
        born, share = new_per_day(self.spec, field), strata.share[0]
        if born * come_days < LEAST_BORN:
            return np.ones(len(share))
        ranks = np.concatenate([[0.0], np.cumsum(strata.total_count)])
        upto = np.concatenate([[0.0], np.cumsum(share * strata.total_count)])
        now = (ranks[1:] + ranks[:-1]) / 2
        before = now - born * come_days  # younger ones moved it back by so many ranks
        own = np.interp(now, ranks, upto) - np.interp(np.maximum(before, 0.0), ranks, upto)
        at_first = np.where(before > 0, share[np.searchsorted(ranks[1:-1], before, side="right")], 0.0)
        # From ranks to days; on its first rank it stood still.
        own = own / born + at_first * (self.stored_days - come_days)
        return np.asarray(own / np.maximum(share * self.stored_days, 1e-300))

    def _squeeze(self, strata: Strata, text: Lossy, own_fields: Sequence[str]) -> Strata:
        """Return combinations of which those below one owner share so many texts."""
        (field_id,) = text.fields
        owner = next(owner for owner in reversed(owner_chain(self.spec, field_id)[:-1]) if owner in own_fields)
        below = max(self.values(field_id) / self.values(owner), 1.0)
        factor = min(_different(text.texts, below) / below, 1.0)
        squeezed = Strata(strata.count * factor, strata.share / factor, strata.bound, strata.bound_count)
        return self._below_given(squeezed, _different(text.given_texts, below))

    def _below_given(self, strata: Strata, given_texts: float) -> Strata:
        """Return combinations of texts below the part of them that is given."""
        if given_texts <= 1:
            return strata
        parts = each_bound(flat(np.array([given_texts]), np.full((len(self.draws), 1), 1.0 / given_texts)))
        return product(
            Strata(strata.count / given_texts, strata.share * given_texts, strata.bound, strata.bound_count), parts
        )

    def _lossy(self, text: Lossy, own_fields: set[str]) -> Strata:
        """Return the texts that are made from fields which are not told apart themselves."""
        if not text.fields:  # drawn by itself: each of them comes up
            own = flat(np.array([text.texts]), np.full((len(self.draws), 1), 1.0 / text.texts))
            return each_bound(own) if text.bound else own
        own = self.combinations([field for field in text.fields if field not in own_fields])
        members = float(own.count.sum())
        groups = _different(text.texts, members)
        strata = group(own, max(groups, 1.0), bind=False) if groups < members else own
        return each_bound(strata) if text.bound else self._below_given(strata, _different(text.given_texts, members))


def _different(texts: float, draws: float) -> float:
    """Return how many different texts so many draws have: t (1 - (1 - 1/t)ⁿ)."""
    return 1.0 if texts <= 1 else texts * -math.expm1(draws * math.log1p(-1 / texts))
