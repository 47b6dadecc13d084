"""The values that a row of a table stands for: those between its own and the next one's, where both sort alike."""

from math import prod

import numpy as np

from designer.document.encodings import Hexadecimal
from designer.document.key import BigEndian, Case, FieldSegment, HashSegment, Offset, SaltSegment, ZeroPad, as_bytes
from estimator.results.arrays import Floats, Ints

from ..patterns.pattern import KeyPattern, Level
from ..patterns.table import ValueTable
from ..rendering.columns import field_texts
from ..values.shape import Pattern as Counted
from ..values.shape import Range


def values_between(
    pattern: KeyPattern, level: Level, row: Ints, rest: Floats
) -> tuple[list[bytes], Floats, Floats] | None:
    """Texts in the place of a table's own; None where all rows stand for themselves, or order is not that of numbers.

    Parameters
    ----------
    level
        The last of its table.
    row : int64, shape (n,)
    rest : float64, shape (n,)
        How far each walk is into its row's events. [0…1]

    Returns
    -------
    texts : list of n bytes
    left : float64, shape (n,)
        How far it is into the events of the value between.
    stands_for : float64, shape (n,)
        How many values each of these still stands for: of few that a hash tells apart none lie between.
    """
    table = pattern.components[level.component]
    if not isinstance(table, ValueTable) or table.represented_values is None or not _is_counter(table, level):
        return None
    assert isinstance(level.segment, FieldSegment)
    stage, stands = table.stages[-1], table.represented_values[row]
    # A row never has more neighbours than values share its prefix: behind a hash with 1,000 values, 50,000 numbers
    # leave 50 per hash, even if the row stands for 500.
    many = np.clip(_per_prefix(pattern, level, stage.shape.total), 1.0, stands)
    starts = table.groups(len(table.columns) - 1) if len(table.columns) > 1 else np.array([0, len(table)])
    end = starts[np.searchsorted(starts, row, side="right")]
    own = stage.number[table.entry[row]]
    following = stage.number[table.entry[np.minimum(row + 1, len(table) - 1)]]
    # Numbers between this row's and the next row's under the same prefix; behind the last row, up to the last number.
    room = np.maximum(np.where(row + 1 < end, following, stage.shape.total) - own, 1)
    place = np.floor(rest * many)
    numbers = own + np.floor(place / many * room).astype(np.int64)
    after = as_bytes(level.segment.after)
    texts = field_texts(stage.shape, numbers, level.segment.transforms).tolist()
    return [text + after for text in texts], rest * many - place, stands / many


def _is_counter(table: ValueTable, level: Level) -> bool:
    """Return True if the level shows the table's last field and its texts rise with its numbers."""
    segment = level.segment
    if not isinstance(segment, FieldSegment) or level.order is not table.columns[-1]:
        return False
    shape = table.stages[-1].shape
    plain = all(isinstance(t, ZeroPad | Case | Offset | BigEndian | Hexadecimal) for t in segment.transforms)
    return segment.field == shape.id and plain and isinstance(shape.values, Counted | Range)


def _per_prefix(pattern: KeyPattern, level: Level, values: int) -> float:
    """Return the number of a field's values per hash or salt before it; all of them where there is none."""
    before = [other.segment for other in pattern.levels if other.component == level.component]
    spread = prod(
        segment.values if isinstance(segment, HashSegment) else float(segment.modulo)
        for segment in before
        if isinstance(segment, HashSegment | SaltSegment)
    )
    return values / spread if spread > 1 else float(values)
