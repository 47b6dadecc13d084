"""Stored bytes by Tablestore's published formula, and how its versions and time to live collect.

A row is its primary key (names and values, once) and its attributes: names and values where one version is kept for
ever, else (name + 8) and value for each version. Source: storage usage page (2026-05-01), read 2026-11-20.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.family import Gc, MaxAge, MaxVersions, Union
from designer.document.table import RowKind, Table
from estimator.engines.tablestore import INTEGER_BYTES, VERSION_BYTES, stamped

from .cells import segment_bytes


@dataclass(frozen=True)
class Attribute:
    """One attribute column of a row: the length of its name, and the sizes of its stored versions."""

    name_bytes: float
    version_bytes: tuple[float, ...]


def row_bytes(key: Iterable[tuple[float, float]], attributes: Iterable[Attribute], *, stamped: bool) -> float:
    """Stored size of one row.

    Parameters
    ----------
    key : pairs of float
        Of each primary-key column: length of its name, size of its value. [bytes]
    attributes : Attributes
    stamped
        Whether versions carry their number: not where one version is kept, for ever.

    Returns
    -------
    float
        [bytes]

    >>> name, length = Attribute(4, (8,)), Attribute(6, (8,))
    >>> row_bytes([(2, 8)], [name, length, Attribute(8, (100, 150))], stamped=True)
    334
    """
    return sum(name + value for name, value in key) + sum(attribute_bytes(a, stamped=stamped) for a in attributes)


def attribute_bytes(attribute: Attribute, *, stamped: bool) -> float:
    """Stored size of one attribute: its name and value, or each version with the name and 8 bytes. [bytes]"""
    if not attribute.version_bytes:
        return 0.0
    if not stamped:
        return attribute.name_bytes + attribute.version_bytes[0]
    return (attribute.name_bytes + VERSION_BYTES) * len(attribute.version_bytes) + sum(attribute.version_bytes)


def primary_key_bytes(spec: Spec, kind: RowKind) -> float:
    """Names and mean values of the primary-key columns of a row kind; a key without columns is one without a name."""
    if not kind.key_columns:
        return sum(segment_bytes(spec, segment) for segment in kind.segments)
    return sum(
        len(column.name.encode())
        + (INTEGER_BYTES if column.type == "INTEGER" else sum(segment_bytes(spec, s) for s in column.segments))
        for column in kind.key_columns
    )


def as_stored(table: Table) -> Table:
    """The table as Tablestore keeps it: its versions and time to live as the collection of every family.

    Families only group columns there; their own garbage collection and names mean nothing to the engine.
    """
    gc = collection(table)
    return table.model_copy(
        update={"families": tuple(family.model_copy(update={"gc": gc}) for family in table.families)}
    )


def collection(table: Table) -> Gc:
    """Versions kept and time to live as a garbage-collection rule: what is not among the newest n, or older, goes."""
    kept = table.tablestore
    versions = MaxVersions(versions=(kept.max_versions if kept else None) or 1)
    ttl = kept.ttl_seconds if kept else None
    if ttl is not None and ttl > 0:
        return Union(rules=(versions, MaxAge(age_days=ttl / DAY_SECONDS)))
    return Union(rules=(versions,)) if stamped(table) else versions
