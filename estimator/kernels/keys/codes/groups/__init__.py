"""Neighbouring segments that one component decides, each kind of run in a file of its own.

The rank of a run is the place of its text among all that it can have.
"""

import numpy as np

from estimator.kernels.keys.patterns.cells import TimeSpans
from estimator.kernels.keys.patterns.pattern import KeyPattern
from estimator.kernels.keys.patterns.table import TextColumn, ValueTable
from estimator.kernels.keys.patterns.time_buckets import bucket_places
from estimator.kernels.keys.patterns.times import CalendarText, TimeSteps
from estimator.kernels.keys.patterns.uniform import CountedValues, UniformText
from estimator.kernels.keys.rendering.digits import Digits

from .calendars import CalendarGroup
from .group import SegmentGroup, write_texts
from .letters import LetterGroup, letter_groups
from .numbers import NumberGroup
from .rows import RowGroup


def groups_at(pattern: KeyPattern, place: int, low_us: int, high_us: int) -> tuple[list[SegmentGroup], bool, int]:
    """Return the runs of the level at `place` and of the levels behind it that belong to it.

    The result is the runs, True if they sort, and the number of levels used.
    """
    level = pattern.levels[place]
    order, part = level.order, (level.component, 0)
    if isinstance(order, TextColumn):
        table = pattern.components[level.component]
        assert isinstance(table, ValueTable | TimeSpans)
        first, level_count = table.columns.index(order), 1
        while (
            place + level_count < len(pattern.levels)
            and pattern.levels[place + level_count].component == level.component
        ):
            level_count += 1
        return [RowGroup(part, table, first, first + level_count)], True, level_count
    if isinstance(order, TimeSteps):
        low, high = order.written_span(low_us, high_us)
        return [NumberGroup(part, order.digits, low, high - low, order)], _is_one_block(order.digits, low, high - 1), 1
    if isinstance(order, CalendarText):
        bucket = order.bucket or order.resolution
        low, high = (int(bucket_places(np.array([us]), bucket)[0]) for us in (low_us, high_us))
        return [CalendarGroup(part, order, bucket, low, high - low + 1)], order.bucket is not None, 1
    if isinstance(order, CountedValues):
        low, high = order.full
        return [NumberGroup(part, order.digits, low, high - low)], _is_one_block(order.digits, low, high - 1), 1
    assert isinstance(order, UniformText)
    return letter_groups(level, order), True, 1


def _is_one_block(digits: Digits, low: int, high: int) -> bool:
    # Numbers sort as their texts only within one length ("10" is before "9") and not below 0 ("-1" is before "-2"). A
    # raw base shifts negative numbers above 0 before they become bytes.
    return len(list(digits.blocks(low, high + 1))) == 1 and (low >= 0 or bool(digits.raw_base))


__all__ = ["CalendarGroup", "LetterGroup", "NumberGroup", "RowGroup", "SegmentGroup", "groups_at", "write_texts"]
