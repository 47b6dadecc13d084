"""Needs of a column's readers as a policy.

They are specified on the column or its family, or derived from its reads.
"""

import math
from functools import reduce

from designer.document import Spec
from designer.document.access import Read
from designer.document.family import Column, Family
from designer.document.table import RowKind, Table

from .collection import KEEP_ALL, Policy, readers_policy, stricter_policy


def column_need(spec: Spec, table: Table, family: Family, column: Column) -> Policy:
    """Return the least of a column's cells to keep so that every reader finds what it needs.

    Where neither the column nor its family specifies it, the column's reads do if each of them requests the newest
    versions; otherwise everything is needed. How far back reads look is no evidence: older cells may serve audits.
    """
    if column.needed is not None or family.needed is not None:
        return readers_policy(column.needed or family.needed)
    if column.qualifier_from:
        return KEEP_ALL
    reads = column_reads(table, family, column)
    if not reads or any(kind.reads_unknown for kind in table.row_kinds):
        return KEEP_ALL
    return reduce(milder_policy, map(requested_versions, reads))


def family_need(spec: Spec, table: Table, family: Family) -> Policy:
    """Return the least of a family's cells to keep so that every reader of its columns finds what it needs."""
    need: Policy | None = None
    for column in family.columns:
        own = column_need(spec, table, family, column)
        need = own if need is None else milder_policy(need, own)
        if need == KEEP_ALL:
            return KEEP_ALL
    return need or KEEP_ALL


def column_reads(table: Table, family: Family, column: Column) -> tuple[Read, ...]:
    """Return the reads that request a column, over all row kinds that have it."""
    return tuple(
        read
        for kind in table.row_kinds
        if has_column(kind, column)
        for read in kind.reads
        if is_requested(read, family, column)
    )


def has_column(kind: RowKind, column: Column) -> bool:
    """Return True if rows of a kind have a column of their table: all columns, unless the kind names its own."""
    return not kind.columns or column.id in kind.columns


def is_requested(read: Read, family: Family, column: Column) -> bool:
    """Return True if a read requests a column by name, by its family or by requesting everything."""
    if read.columns:
        return column.id in read.columns
    return not read.families or family.id in read.families


def is_family_read(read: Read, family: Family) -> bool:
    """Return True if a read must look into a family."""
    return any(is_requested(read, family, column) for column in family.columns)


def requested_versions(read: Read) -> Policy:
    """Return the newest versions that one read requests, as a policy.

    >>> requested_versions(Read(id="r", newest_versions=3))
    Policy(ages=(inf,), caps=(3.0,))
    """
    return KEEP_ALL if read.newest_versions is None else Policy((math.inf,), (float(read.newest_versions),))


def milder_policy(first: Policy, second: Policy) -> Policy:
    """Return the policy that collects only what both policies collect."""
    if first == second:
        return first
    merged = stricter_policy(first, second)
    return Policy(merged.ages, tuple(max(first.cap_at(age), second.cap_at(age)) for age in merged.ages))
