"""What readers want to find of a column, as a policy: said on the column, said on its family, or read off its reads."""

import math
from functools import reduce

from designer.document import Spec
from designer.document.access import Read
from designer.document.family import Column, Family
from designer.document.table import RowKind, Table

from .collection import KEEP_ALL, Policy, stricter, wanted


def column_need(spec: Spec, table: Table, family: Family, column: Column) -> Policy:
    """The least that may be kept of a column's cells so that every reader finds what it wants.

    Where nobody says it, the column's reads do if each of them asks for the newest versions; else all is wanted. How
    far back reads look says nothing: what is kept longer may be for those who audit.
    """
    if column.needed is not None or family.needed is not None:
        return wanted(column.needed or family.needed)
    if column.qualifier_from:
        return KEEP_ALL
    reads = column_reads(table, family, column)
    if not reads or any(kind.reads_unknown for kind in table.row_kinds):
        return KEEP_ALL
    return reduce(milder, map(asked, reads))


def family_need(spec: Spec, table: Table, family: Family) -> Policy:
    """The least that may be kept of a family's cells so that every reader of any of its columns finds what it wants."""
    need: Policy | None = None
    for column in family.columns:
        own = column_need(spec, table, family, column)
        need = own if need is None else milder(need, own)
        if need == KEEP_ALL:
            return KEEP_ALL
    return need or KEEP_ALL


def column_reads(table: Table, family: Family, column: Column) -> tuple[Read, ...]:
    """The reads that want a column, over all row kinds that have it."""
    return tuple(
        read for kind in table.row_kinds if has(kind, column) for read in kind.reads if wants(read, family, column)
    )


def has(kind: RowKind, column: Column) -> bool:
    """Whether rows of a kind have a column of their table: all of them, unless it names its own."""
    return not kind.columns or column.id in kind.columns


def wants(read: Read, family: Family, column: Column) -> bool:
    """Whether a read asks for a column: by name, by its family, or by asking for everything."""
    if read.columns:
        return column.id in read.columns
    return not read.families or family.id in read.families


def touches(read: Read, family: Family) -> bool:
    """Whether a read must look into a family."""
    return any(wants(read, family, column) for column in family.columns)


def asked(read: Read) -> Policy:
    """The newest versions that one read wants to find.

    >>> asked(Read(id="r", newest_versions=3))
    Policy(ages=(inf,), caps=(3.0,))
    """
    return KEEP_ALL if read.newest_versions is None else Policy((math.inf,), (float(read.newest_versions),))


def milder(first: Policy, second: Policy) -> Policy:
    """What is left when only what both collect goes."""
    if first == second:
        return first
    merged = stricter(first, second)
    return Policy(merged.ages, tuple(max(first.cap_at(age), second.cap_at(age)) for age in merged.ages))
