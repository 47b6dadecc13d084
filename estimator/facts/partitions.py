"""Tablestore's partition key as rules see it: its load, its column, and what a further field would separate."""

from collections.abc import Iterator

from designer.document import Spec, effective_value, owner_id
from designer.document.key import Segment
from estimator.results import Estimate, PartitionLoad

from .reading import RowKindFacts, row_kinds


def partitions(spec: Spec, estimate: Estimate) -> Iterator[tuple[RowKindFacts, PartitionLoad]]:
    """Yield each table's first row kind with primary-key columns whose partition-key values are known."""
    visited: set[str] = set()
    for rows in row_kinds(spec, estimate):
        partition = rows.traffic.partition if rows.traffic else None
        if partition is not None and rows.kind.segments and rows.table.id not in visited:
            visited.add(rows.table.id)
            yield rows, partition


def column_name(rows: RowKindFacts) -> str:
    """Return the name of the first primary-key column; a row key is one column."""
    return (rows.kind.key_columns[0] if rows.kind.key_columns else rows.kind).label


def partition_segments(rows: RowKindFacts) -> tuple[Segment, ...]:
    """Return the segments of the first primary-key column."""
    return rows.kind.key_columns[0].parts if rows.kind.key_columns else rows.kind.key


def separation(spec: Spec, field: str, added: str) -> float:
    """Return the factor by which the values of a field multiply once another one is added to it.

    It is 1 if the field determines the added one.
    """
    owners, at = [field], owner_id(spec, field)
    while at is not None and at not in owners:
        owners.append(at)
        at = owner_id(spec, at)
    if added in owners:
        return 1.0
    values = float(effective_value(spec, spec.find(added), "distinct"))
    if owner_id(spec, added) in owners:
        return max(values / float(effective_value(spec, spec.find(field), "distinct")), 1.0)
    return max(values, 1.0)
