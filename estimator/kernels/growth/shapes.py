"""From keys to what growth needs of them: their length, how writes' events fall on rows, and qualifiers in a row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec, effective_value
from designer.document.family import Column
from designer.document.key import Segment
from designer.document.popularity import Popularity
from designer.document.rotation import TablePeriod
from designer.document.table import RowKind, Table
from estimator.kernels.keys import EventDistribution, KeyPattern, hottest_row, key_summary, row_classes
from estimator.kernels.keys.patterns.table import TextColumn
from estimator.results import KeyFacts

from ..population.draws import popularities
from ..population.key_parts import KeyParts
from ..population.population import Population, population
from ..population.strata import Strata, flat, group
from ..population.told_apart import tell_apart
from .arrivals import Hottest, KindShape, Names, activity_of
from .cells import columns_of, row_overhead_bytes


def kind_shapes(
    spec: Spec, table: Table, patterns: Mapping[str, KeyPattern], facts: Mapping[str, KeyFacts]
) -> dict[str, KindShape]:
    """Return the shapes of the row kinds that have a pattern; missing key facts are computed from it."""
    return {
        kind.id: _kind_shape(spec, table, kind, patterns[kind.id], facts.get(kind.id))
        for kind in table.row_kinds
        if kind.id in patterns
    }


def _kind_shape(spec: Spec, table: Table, kind: RowKind, pattern: KeyPattern, facts: KeyFacts | None) -> KindShape:
    facts = facts or key_summary(pattern)
    texts = {segment.id: segment.distinct for segment in facts.segments}
    laws = {write.id: tuple(sorted(popularities(spec, activity_of(spec, write)).items())) for write in kind.writes}
    busiest = {law: _hottest(pattern, dict(law)) for law in set(laws.values())}
    data_columns = [column for _, column in columns_of(table, kind) if column.qualifier_from]
    once = row_overhead_bytes(spec, kind)
    base = base_segments(spec, table)
    segments = base or kind.segments
    return KindShape(
        key_bytes=once or facts.bytes_typical,
        rows=_population(spec, kind, segments, texts),
        written=_population(spec, kind, kind.segments, texts) if base else None,
        cells={
            column.id: _population(spec, kind, (*segments, *column.qualifier_from), texts) for column in data_columns
        },
        names={column.id: names_in_row(spec, kind, column, texts) for column in data_columns},
        hottest={write: busiest[law] for write, law in laws.items()},
        row_bytes=once,
    )


def base_segments(spec: Spec, table: Table) -> tuple[Segment, ...]:
    """Return the key of the table that a secondary index is of, each combination of which has one row in both.

    References
    ----------
    Tablestore, "Billable items of secondary indexes": where an indexed column changes, the old row of the index is
    deleted and a new one is written (github.com/AlibabaCloudDocs/ots, 2021-04-09).
    """
    if table.derived_from is None or not table.derived_from.is_secondary_index:
        return ()
    base = spec.by_id.get(table.derived_from.table)
    return next((kind.segments for kind in base.row_kinds), ()) if isinstance(base, Table) else ()


def _population(spec: Spec, kind: RowKind, segments: Sequence[Segment], texts: Mapping[str, float]) -> Population:
    """Return the keys that writes make; those that update rows fall on them as those that created these."""
    base = population(spec, segments, kind.creating_writes, texts=texts)
    # An update goes to a row that another write made, so it is drawn as that was: by its popularity, not one of its
    # own.
    first = next(iter(base.writes.values()), None)
    if first is None or not kind.updating_writes:
        return base
    laws = {
        write.id: replace(first, per_event=float(effective_value(spec, write, "rows_per_event")), actors=0.0, clump=1.0)
        for write in kind.updating_writes
    }
    return replace(base, writes={**base.writes, **laws})


def _hottest(pattern: KeyPattern, popularity: Mapping[str, Popularity]) -> Hottest:
    law = EventDistribution(pattern.steady_distribution().time.collapse(), popularity)
    periods = [level.order for level in pattern.levels if isinstance(level.segment, TablePeriod)]
    name_bytes = _period_bytes(periods[0]) if periods else 0
    key_bytes = len(hottest_row(pattern, law, 0)[0]) - name_bytes
    return Hottest(row_classes(pattern, law).hottest_label, float(key_bytes))


def _period_bytes(order: object) -> int:
    """Return the length of a table's period in keys; weeks beside other text times are listed as texts."""
    return max(order.lengths) if isinstance(order, TextColumn) else len(order.text(0))  # type: ignore[attr-defined]


def names_in_row(
    spec: Spec, kind: RowKind, column: Column, texts: Mapping[str, float] | None = None
) -> tuple[Names, Names]:
    """Return the qualifiers of a column in a typical row, and in that of the busiest entity."""
    bound = [segment.id for segment in kind.segments]
    key = tell_apart(spec, kind.segments, texts=texts)
    both = tell_apart(spec, (*kind.segments, *column.qualifier_from), bound=bound, texts=texts)
    slot = tell_apart(spec, column.qualifier_from).time_seconds
    for number in key.numbers:  # a row is a bucket of the numbers that its qualifiers show
        if number.field in both.fields:
            few = Names(np.array([number.size]), np.array([1 / number.size]), slot)
            return few, few
    parts = KeyParts(spec, both, kind.creating_writes)
    strata = parts.strata
    for text in key.lossy:  # a row is what shares a text, and its qualifiers tell that apart
        if len(text.fields) == 1 and text.fields[0] in both.fields and len(both.fields) == 1:
            alone = flat(strata.total_count, strata.share)
            strata = group(alone, min(text.texts, float(alone.count.sum())), bind=True)
    busiest = int(strata.bound_share().max(axis=0).argmax())
    return _below(strata, int(strata.bound_count.argmax()), slot), _below(strata, busiest, slot)


def _below(strata: Strata, place: int, slot_seconds: float | None) -> Names:
    """Return what stands below one bound value."""
    mine = strata.bound == place
    count, share = strata.count[mine], strata.share[0][mine]
    whole = float(count @ share)
    share = share / whole if whole > 0 else np.full(len(count), 1 / max(float(count.sum()), 1e-300))
    return Names(count, share, slot_seconds)
