"""Fixes as edits: what a finding offers to change. Anything uncertain is no fix (None)."""

from collections.abc import Sequence
from typing import Any

from designer.spec.family import Family
from designer.spec.field import Field
from designer.spec.instance import Cluster
from designer.spec.key import DerivedSegment, FieldSegment, HashSegment, Resolution, Segment, TimeSegment

from .reading import Rows


def padded(segment: FieldSegment | DerivedSegment, digits: int) -> Any | None:
    """Zeros in front up to so many digits."""
    return None


def delimited(segment: Segment, delimiter: str) -> Any | None:
    """Another delimiter after the segment."""
    return None


def readable_after(rows: Rows, segment: HashSegment, hidden: Sequence[Field]) -> Any | None:
    """The readable values behind their hash."""
    return None


def collected(kinds: Sequence[Rows], family: Family) -> tuple[Any | None, bool]:
    """Garbage collection of what no reader wants, and whether that is safe."""
    return None, True


def rebucketed(segment: TimeSegment, resolution: Resolution) -> Any | None:
    """A finer time bucket."""
    return None


def more_nodes(cluster: Cluster, count: int) -> Any | None:
    """More nodes, fixed or as the autoscaler's most."""
    return None


def finer_time(segment: TimeSegment, resolution: Resolution) -> Any | None:
    """A finer time in the key."""
    return None
