"""Effect of a salt or hash before the key: the load on one range without it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document import Spec, effective_value, owner_id
from designer.document.field import Field
from designer.document.key import LiteralSegment, SaltSegment, Segment, segment_fields
from designer.document.texts import N_, Text
from estimator.kernels.keys.values.popularity import largest_share

from .reading import RowKindFacts
from .servers import server_of

PREVENTS = N_(
    " It prevents a hot range: without it, one range would receive {without_per_second} of writes. The threshold is "
    "{limit_per_second}."
)
NOT_NEEDED = N_(
    " Writes do not need it: without it, the busiest range receives {without_per_second}. The threshold is "
    "{limit_per_second}."
)


@dataclass(frozen=True)
class LoadWithout:
    """Writes at the peak to the busiest range of the key without one of its segments."""

    spec: Spec
    per_second: float
    node_share: float

    @property
    def is_hot(self) -> bool:
        """True if the range would warn."""
        return server_of(self.spec).burden(self.per_second, self.node_share) >= 1

    @property
    def sentence(self) -> Text:
        """The sentence that says what the segment prevents."""
        limit = server_of(self.spec).warning_per_second(self.per_second, self.node_share)
        figures = {"without_per_second": self.per_second, "limit_per_second": limit}
        return Text(PREVENTS if self.is_hot else NOT_NEEDED, figures)


def load_without(rows: RowKindFacts, salt: Segment) -> LoadWithout | None:
    """Return the load on the busiest range without a salt or hash; None while no rate is known or it spreads reads.

    New rows go to the end of the first growing segment, below the busiest values before it.
    """
    if rows.traffic is None or not rows.writes:
        return None
    shares = [1.0, *_shares_before_growth(rows, salt)]
    total = sum(load.peak_rows_per_second for _, load in rows.writes)
    seconds = sum(load.peak_rows_per_second * load.node_seconds_per_row for _, load in rows.writes)
    # A bound: fields may come together, so that their shares cannot be multiplied.
    return LoadWithout(rows.spec, total * min(shares), seconds * min(shares))


def _shares_before_growth(rows: RowKindFacts, salt: Segment) -> Iterator[float]:
    """Yield the share of the busiest value of each field that remains before the first growing segment."""
    for segment, facts in rows.segments:
        if segment.id == salt.id or isinstance(segment, LiteralSegment | SaltSegment):
            continue
        if facts.grows is not None:
            return
        yield from (busiest_share(rows, field) for field in segment_fields(segment))


def busiest_share(rows: RowKindFacts, field: str) -> float:
    """Return the share of the writes on the busiest value of a field; 1 where its popularity is its children's."""
    spec = rows.spec
    element: Field = spec.find(field)
    if any(owner_id(spec, child.id) == field for child in spec.fields):
        return 1.0
    distinct = float(effective_value(spec, element, "distinct"))
    laws = [effective_value(spec, element, "popularity")]
    for write in rows.kind.writes:
        activity: Any = spec.by_id.get(write.activity or "")
        laws += [d.popularity for d in (activity.draws if activity else ()) if d.field == field and d.popularity]
    return max(largest_share(law, distinct) for law in laws)
