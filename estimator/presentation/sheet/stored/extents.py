"""Sample rows that a read goes to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from designer.document.access import Read
from designer.document.key import sorts_backwards
from designer.document.table import RowKind
from estimator.results import ReadPlan

from ..strips import SampleSegment
from .views import Extent

Parts = Sequence[SampleSegment]


@dataclass(frozen=True)
class ReadTarget:
    """The rows that one request goes to: those with the same beginning, all or so many from one end."""

    same: int
    """Leading parts of the key that its rows share."""
    rows: float = inf
    """No more rows than these; 0 if they are at no end."""
    is_at_end: bool = False
    """True if they are the last of those with the beginning, not the first."""

    @property
    def is_limited(self) -> bool:
        """True if it leaves out rows with the same beginning."""
        return self.rows < inf


def read_target(kind: RowKind, read: Read, plan: ReadPlan) -> ReadTarget:
    """Return the rows that a request of a read goes to."""
    heads = [column.parts[0] for column in kind.key_columns if column.parts] or list(kind.segments)
    bound = next((place for place, head in enumerate(heads) if head.id not in plan.bound), len(heads))
    if plan.access in ("point", "multi_point"):
        return ReadTarget(len(heads), 1)
    if plan.access in ("range", "multi_range"):
        if read.time is not None and read.age_days:
            return ReadTarget(bound, 0)  # older rows than those at the end
        is_newest_first = bound < len(heads) and sorts_backwards(heads[bound])
        # A row limit counts in the order of keys; without one, the newest are wanted.
        is_at_end = not is_newest_first if read.row_limit is None else bool(read.reverse)
        return ReadTarget(bound, max(plan.rows_scanned / max(plan.ranges, 1.0), 1.0), is_at_end)
    knows_beginning = plan.access == "prefix" and any(bind.prefix for bind in read.binds)
    return ReadTarget(min(bound + 1, len(heads)) if knows_beginning else bound)


def end_target(targets: Iterable[ReadTarget], parts: int) -> ReadTarget | None:
    """Return the most exact of the targets whose rows are at one end of those with their beginning, if any."""
    at_ends = (target for target in targets if 0 < target.rows < inf and target.same < parts)
    return max(at_ends, key=lambda target: target.same, default=None)


def read_extents(
    parts: Sequence[Parts], ranks: Sequence[float], target: ReadTarget, row_place: int, end: ReadTarget | None
) -> list[Extent]:
    """Return for each row whether a request for the shown one goes to it.

    Parameters
    ----------
    ranks
        How many rows of the table are before each.
    end
        The target at whose end the shown row is.
    """
    beginning = parts[row_place][: target.same]
    same = [place for place, row in enumerate(parts) if row[: target.same] == beginning]
    is_point = target.same >= len(parts[row_place])
    is_here = end is not None and (target.same, target.is_at_end) == (end.same, end.is_at_end)
    if not target.rows or (target.is_limited and not is_point and not is_here):
        return [""] * len(parts)  # its rows are elsewhere
    at = row_place if is_point else same[-1 if target.is_at_end else 0]
    touched = [place for place in same if abs(ranks[place] - ranks[at]) < target.rows]
    return [_extent(place, touched[0], touched[-1]) for place in range(len(parts))]


def _extent(number: int, first: int, last: int) -> Extent:
    if not first <= number <= last:
        return ""
    if first == last:
        return "only"
    return "first" if number == first else "last" if number == last else "inside"
