"""Stored bytes by Tablestore's published formula.

A row is its primary key (names and values, once) and its attributes: names and values where one version is kept for
ever, else (name + 8) and value for each version. Source: storage usage page (2026-05-01), read 2026-11-20.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from estimator.engines.tablestore import VERSION_BYTES


@dataclass(frozen=True)
class Attribute:
    """One attribute column of a row: the length of its name, and the sizes of its stored versions."""

    name_bytes: float
    version_bytes: tuple[float, ...]


def row_bytes(key: Iterable[tuple[float, float]], attributes: Iterable[Attribute], *, has_timestamps: bool) -> float:
    """Return the stored size of one row.

    Parameters
    ----------
    key : pairs of float
        Of each primary-key column: length of its name, size of its value. [bytes]
    attributes : Attributes
    has_timestamps
        Whether versions carry their number: not where one version is kept, for ever.

    Returns
    -------
    float
        [bytes]

    >>> name, length = Attribute(4, (8,)), Attribute(6, (8,))
    >>> row_bytes([(2, 8)], [name, length, Attribute(8, (100, 150))], has_timestamps=True)
    334
    """
    return sum(name + value for name, value in key) + sum(
        attribute_bytes(a, has_timestamps=has_timestamps) for a in attributes
    )


def attribute_bytes(attribute: Attribute, *, has_timestamps: bool) -> float:
    """Return the stored bytes of one attribute.

    They are those of its name and value, or of each version with the name and 8 bytes.
    """
    if not attribute.version_bytes:
        return 0.0
    if not has_timestamps:
        return attribute.name_bytes + attribute.version_bytes[0]
    return (attribute.name_bytes + VERSION_BYTES) * len(attribute.version_bytes) + sum(attribute.version_bytes)
