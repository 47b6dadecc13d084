"""Draws of fields' values by an event: the field whose popularity decides, and the values that follow from it."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec, effective_value, owner_of
from designer.document.activity import Activity, Every
from designer.document.field import Field
from designer.document.popularity import Latest, Popularity, Uniform
from estimator.kernels.keys.values.drawn_fields import drawn_fields, has_stated_popularity, owner_chain
from estimator.kernels.keys.values.popularity import top_share
from estimator.results.arrays import Floats

from .grown import Earlier, Ranks
from .owners import owners_by_value, texts_below_owners, texts_of_even_values
from .strata import (
    Strata,
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


def with_hidden(spec: Spec, activity: Activity, key_fields: Collection[str]) -> dict[str, Popularity]:
    """Return the popularities of an activity, with those of fields that it draws beside what is shown, and below it.

    Where theirs are stated their values are drawn, and owners follow, whoever looks.
    """
    draw = popularities(spec, activity)
    hidden = {
        name: popularity_of(spec, name, draw)
        for name in drawn_fields(spec, activity.id)
        if name not in key_fields and name not in draw and has_stated_popularity(spec.find(name))
        if not set(key_fields).isdisjoint(owner_chain(spec, name)[:-1])
    }
    return {**draw, **{name: law for name, law in hidden.items() if not isinstance(law, Earlier | Ranks)}}


def is_stated(spec: Spec, field_id: str, draw: Draw) -> bool:
    """Return whether a person has said how often values of a field are drawn, for these events or at all."""
    field: Field = spec.find(field_id)
    return field_id in draw or has_stated_popularity(field)


def popularity_of(spec: Spec, field_id: str, draw: Draw) -> Popularity | Earlier | Ranks:
    """Return the popularity of a field in these events: as they state it, else the field's own."""
    if field_id in draw:
        return draw[field_id]
    popularity: Popularity = effective_value(spec, spec.find(field_id), "popularity")
    return popularity


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
            strata = product(strata, self._with_texts(chain, above, fields, bound, below))
        for text in lossy:
            if not self._is_below(text, fields):
                strata = product(strata, self._lossy(text, set(fields)))
        for text in given:
            strata = self._below_given(strata, _different(text.given_texts, self.count(text.fields)))
        return strata

    def count(self, fields: Sequence[str], lossy: Sequence[Lossy] = ()) -> float:
        """Return how many combinations of fields, and of texts beside them, there are then. [combinations]"""
        return float(self.combinations(fields, lossy=lossy).total_count.sum())

    def decided_below(self, fields: Collection[str]) -> list[str]:
        """Return those of some fields whose values follow from those of another field, below them and not of these."""
        decided = []
        for chain, _ in self.chains(tuple(fields)):
            places = [place for place, field in enumerate(chain) if field in fields]
            if places and places[-1] < self._deciding(chain):
                decided += [chain[place] for place in places]
        return decided

    def _is_below(self, text: Lossy, fields: Sequence[str]) -> bool:
        """Return whether a text is made from a value whose owner is told apart."""
        return len(text.fields) == 1 and any(owner in fields for owner in owner_chain(self.spec, text.fields[0])[:-1])

    def chains(self, fields: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str | None]]:
        """Each needed field with its owners, root first; of a second branch, what is below the common owner."""
        chains = {field: owner_chain(self.spec, field) for field in dict.fromkeys(fields)}
        for field in self.draws[0]:  # what is drawn decides its owners, whether or not it is shown
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
        if last < place:  # values that decide are not told apart: an owner's fall together
            strata = self._falling_together(strata, chain, last, place, below)
            if last_bound < 0:
                return strata
            return each_bound(strata) if last_bound == last else self._owners(strata, chain, last_bound, last, below)
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

    def _falling_together(self, strata: Strata, chain: Sequence[str], owner: int, place: int, below: float) -> Strata:
        """Return owners whose deciding values are not told apart: each value has drawn its own by the fan-out."""
        for own in range(place - 1, owner - 1, -1):
            groups = max(self.values(chain[own]) / below, 1.0)
            law: Popularity = effective_value(self.spec, self.spec.find(chain[own + 1]), "fan_out").law
            apart = [number for number in range(len(self.draws)) if self._draws_owner(chain, own, place, number)]
            laws = [popularity_of(self.spec, chain[own], self.draws[number]) for number in apart]
            owners = popularity_strata([law, *laws], groups)
            strata = owners_by_value(strata, owners, lives=self._lives(chain[place]), apart=apart)
        return strata

    def _draws_owner(self, chain: Sequence[str], owner: int, place: int, number: int) -> bool:
        """Return whether events draw an owner themselves, and not by the value that decides for others."""
        own, first = (draw.get(chain[owner]) for draw in (self.draws[number], self.draws[0]))
        return chain[place] not in self.draws[number] or own not in (None, first)

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

    def _with_texts(
        self, chain: tuple[str, ...], above: str | None, fields: Collection[str], bound: Collection[str],
        texts: Mapping[str, Lossy],
    ) -> Strata:  # fmt: skip
        """Return the strata of one chain of owners, with the texts that are made from values below those told apart."""
        mine = [place for place, field in enumerate(chain) if field in texts]
        places = [place for place, field in enumerate(chain) if field in fields]
        if len(mine) == 1 and places and places[-1] < mine[0]:
            strata = self._with_text(chain, above, places[-1], mine[0], bound, texts[chain[mine[0]]])
            if strata is not None:
                return strata
        strata = self._chain(chain, above, {*fields, *texts}, {*bound, *(f for f, t in texts.items() if t.bound)})
        for place in mine:
            strata = self._squeeze(strata, texts[chain[place]], fields)
        return strata

    def _with_text(
        self, chain: tuple[str, ...], above: str | None, owner: int, place: int, bound: Collection[str], text: Lossy
    ) -> Strata | None:
        """Return the texts of the values at a place below an owner that is told apart; None where others are bound."""
        bound_owners = {field for field in chain[: owner + 1] if field in bound}
        if bound_owners and chain[owner] not in bound_owners:
            return None
        deciding, lives = self._deciding(chain), self._lives(chain[place])
        below = 1.0 if above is None else self.values(above)
        if deciding <= owner:
            owned = self._chain(chain, above, {chain[owner], chain[place]}, {chain[owner]})
            strata = texts_of_even_values(owned, text.texts)
        elif deciding >= place:
            values = self._chain(chain, above, {chain[place]}, set())
            law: Popularity = effective_value(self.spec, self.spec.find(chain[owner + 1]), "fan_out").law
            owners = popularity_strata([law], max(self.values(chain[owner]) / below, 1.0))
            if bound_owners and not text.bound:
                strata = texts_below_owners(values, owners, text.texts, lives=lives)
            else:
                strata = owners_by_value(values, expand(owners, text.texts), lives=lives)
        else:
            return None
        if text.bound:
            whole = flat(strata.total_count, strata.share)
            return each_bound(whole) if bound_owners else self._below_given(whole, text.texts)
        strata = strata if bound_owners else flat(strata.total_count, strata.share)
        return self._below_given(strata, _different(text.given_texts, max(self.values(chain[place]) / below, 1.0)))

    def _squeeze(self, strata: Strata, text: Lossy, own_fields: Collection[str]) -> Strata:
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
