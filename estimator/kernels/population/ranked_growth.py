"""Growth of a field whose values events draw by rank."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.activity import Activity
from designer.document.field import Field
from designer.document.popularity import Popularity, Weights, Zipf
from estimator.kernels.keys.values.drawn_fields import owner_chain

from .draws import Lossy, is_stated, popularities, popularity_of
from .grown import Earlier, Ranks, earlier_parts
from .values import lifetime_days, new_per_day, values_in_use


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
