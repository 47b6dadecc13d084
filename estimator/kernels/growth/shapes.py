"""From compiled keys to what growth needs of them: key length, and how each write's events spread over rows."""

from collections.abc import Mapping

from designer.document import Spec
from designer.document.popularity import Popularity
from designer.document.table import Table
from estimator.kernels.keys import Law, Pattern, hottest_row, key_summary, row_classes
from estimator.results import KeyFacts

from .arrivals import KindShape, Spread, activity_of, popularities
from .cells import row_overhead_bytes


def kind_shapes(
    spec: Spec, table: Table, patterns: Mapping[str, Pattern], facts: Mapping[str, KeyFacts]
) -> dict[str, KindShape]:
    """Return the shapes of the row kinds that have a pattern; missing key facts are computed from it."""
    shapes = {}
    for kind in table.row_kinds:
        if kind.id not in patterns:
            continue
        pattern, made = patterns[kind.id], {}
        for write in kind.writes:
            popularity = popularities(spec, activity_of(spec, write))
            known = tuple(sorted(popularity.items(), key=lambda item: item[0]))
            made[write.id] = known
        spreads = {known: spread(pattern, dict(known)) for known in made.values()}
        once = row_overhead_bytes(spec, kind)
        shapes[kind.id] = KindShape(
            key_bytes=once or (facts[kind.id] if kind.id in facts else key_summary(pattern)).bytes_typical,
            spreads={write: spreads[known] for write, known in made.items()},
            row_bytes=once,
        )
    return shapes


def spread(pattern: Pattern, popularity: Mapping[str, Popularity]) -> Spread:
    """Return the distribution of a write's events over rows in the last month of the horizon."""
    law = Law(pattern.steady_law().time.collapsed(), popularity)
    classes = row_classes(pattern, law)
    return Spread(
        shares=classes.shares,
        counts=classes.counts,
        bucket_seconds=classes.bucket_seconds,
        hottest=classes.hottest_label,
        per_event=classes.per_event,
        hottest_key_bytes=float(len(hottest_row(pattern, law, 0)[0])),
    )
