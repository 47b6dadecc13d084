"""Changes to reads when the time in a key is cut differently."""

from designer.document.access import Read, TimeRange
from designer.document.durations import DAY_SECONDS
from designer.document.edits import Edit
from designer.document.key import TimeSegment
from designer.document.table import RowKind
from estimator.advice.rules.shared.edits import change
from estimator.kernels.keys.patterns.time_buckets import segment_seconds


def finest_time(kind: RowKind) -> TimeSegment | None:
    """Return the finest time in the key."""
    times = [segment for segment in kind.segments if isinstance(segment, TimeSegment)]
    return min(times, key=_seconds, default=None)


def _seconds(time: TimeSegment) -> float:
    return segment_seconds(time)


def adapted_reads(before: RowKind, after: RowKind) -> tuple[Read, ...]:
    """Return the reads that find the same cells in the changed rows; one row may have become several."""
    old, new = finest_time(before), finest_time(after)
    # With coarser buckets the same rows still hold all cells that a read asks for.
    if new is None or (old is not None and _seconds(new) >= _seconds(old)):
        return before.reads
    return tuple(_adapt_read(read, old) for read in before.reads)


def _adapt_read(read: Read, old: TimeSegment | None) -> Read:
    if read.time is not None or (old is None and read.exact_time):
        return read
    if old is None:
        return read if read.cell_days is None else read.model_copy(update={"time": TimeRange(days=read.cell_days)})
    if not read.exact_time:
        return read
    days = _seconds(old) / DAY_SECONDS if read.cell_days is None else read.cell_days
    return read.model_copy(update={"exact_time": False, "time": TimeRange(days=days)})


def changed_reads(before: RowKind, after: RowKind) -> tuple[tuple[Read, Read], ...]:
    """Return pairs of the reads that change, before and after."""
    pairs = zip(before.reads, adapted_reads(before, after), strict=True)
    return tuple((old, new) for old, new in pairs if old != new)


def read_edits(before: RowKind, after: RowKind) -> tuple[Edit, ...]:
    """Return the edits that change the reads."""
    return tuple(
        change(old, name, getattr(new, name))
        for old, new in changed_reads(before, after)
        for name in ("time", "exact_time")
        if getattr(old, name) != getattr(new, name)
    )
