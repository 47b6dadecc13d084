"""What readers want to find of a column, as a policy: said on the column, said on its family, or read off its reads."""

import math

from designer.spec import Spec
from designer.spec.access import Read
from designer.spec.family import Column, Family
from designer.spec.table import RowKind, Table

from .cells import columns_of
from .collection import KEEP_ALL, Policy, stricter, wanted


def column_need(spec: Spec, table: Table, family: Family, column: Column) -> Policy:
    """The least that may be kept of a column's cells so that every reader finds what it wants.

    Where nobody says it, the column's reads do if each of them limits versions or cell times; else all is wanted.
    """
    if column.needed is not None or family.needed is not None:
        return wanted(column.needed or family.needed)
    if column.qualifier_from:
        return KEEP_ALL
    reads = column_reads(table, family, column)
    if not reads or any(kind.reads_unknown for kind in table.row_kinds):
        return KEEP_ALL
    need = asked(reads[0])
    for read in reads[1:]:
        need = milder(need, asked(read))
    return need


def column_reads(table: Table, family: Family, column: Column) -> tuple[Read, ...]:
    """The reads that want a column, over all row kinds that have it."""
    return tuple(
        read
        for kind in table.row_kinds
        if _has(table, kind, column)
        for read in kind.reads
        if wants(read, family, column)
    )


def _has(table: Table, kind: RowKind, column: Column) -> bool:
    return any(mine.id == column.id for _, mine in columns_of(table, kind))


def wants(read: Read, family: Family, column: Column) -> bool:
    """Whether a read asks for a column: by name, by its family, or by asking for everything."""
    if read.columns:
        return column.id in read.columns
    return not read.families or family.id in read.families


def asked(read: Read) -> Policy:
    """What one read wants to find: the newest versions, as far back as its cell times go.

    >>> asked(Read(id="r", newest_versions=3, cell_days=7))
    Policy(ages=(7.0, inf), caps=(3.0, 0.0))
    """
    versions = math.inf if read.newest_versions is None else float(read.newest_versions)
    if read.cell_days is None:
        return Policy((math.inf,), (versions,))
    return Policy((float(read.cell_days), math.inf), (versions, 0.0))


def milder(first: Policy, second: Policy) -> Policy:
    """What is left when only what both collect goes."""
    merged = stricter(first, second)
    return Policy(merged.ages, tuple(max(first.cap_at(age), second.cap_at(age)) for age in merged.ages))
