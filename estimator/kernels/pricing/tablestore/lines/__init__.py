"""One small file per kind of line of a Tablestore bill: each has `lines(month)`."""

from collections.abc import Callable, Iterator

from estimator.results import BillLine

from ..month import UsageMonth
from . import internet_egress, metered, other_regions, reserved, storage, streams, unknown_tables

LINES: tuple[Callable[[UsageMonth], Iterator[BillLine]], ...] = (
    storage.lines,
    unknown_tables.lines,
    reserved.lines,
    metered.lines,
    streams.lines,
    internet_egress.lines,
    other_regions.lines,
)
"""In the order of the bill."""
