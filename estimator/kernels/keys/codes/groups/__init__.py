"""Neighbouring segments that one component decides, each kind of run in a file of its own.

The rank of a run is the place of its text among all that it can have.
"""

import numpy as np

from estimator.kernels.keys.patterns.cells import Cells
from estimator.kernels.keys.patterns.pattern import Pattern
from estimator.kernels.keys.patterns.table import Column, Table
from estimator.kernels.keys.patterns.times import Calendar, Steps, bucket_places
from estimator.kernels.keys.patterns.uniform import Counter, Letters
from estimator.kernels.keys.rendering.digits import Digits

from .calendars import CalendarRun
from .group import Run, written
from .letters import LetterRun, letter_runs
from .numbers import NumberRun
from .rows import RowRun


def runs_at(pattern: Pattern, place: int, low_us: int, high_us: int) -> tuple[list[Run], bool, int]:
    """Return the runs of the level at `place` and of the levels behind it that belong to it.

    The result is the runs, True if they sort, and the number of levels used.
    """
    level = pattern.levels[place]
    order, part = level.order, (level.component, 0)
    if isinstance(order, Column):
        table = pattern.components[level.component]
        assert isinstance(table, Table | Cells)
        first, taken = table.columns.index(order), 1
        while place + taken < len(pattern.levels) and pattern.levels[place + taken].component == level.component:
            taken += 1
        return [RowRun(part, table, first, first + taken)], True, taken
    if isinstance(order, Steps):
        ends = [order.number(us) for us in (low_us, high_us)]
        low, high = ends if order.top is None else (order.top - ends[1], order.top - ends[0])
        return [NumberRun(part, order.digits, low, high - low + 1, order)], _one_block(order.digits, low, high), 1
    if isinstance(order, Calendar):
        bucket = order.bucket or order.resolution
        low, high = (int(bucket_places(np.array([us]), bucket)[0]) for us in (low_us, high_us))
        return [CalendarRun(part, order, bucket, low, high - low + 1)], order.bucket is not None, 1
    if isinstance(order, Counter):
        low, high = order.full
        return [NumberRun(part, order.digits, low, high - low)], _one_block(order.digits, low, high - 1), 1
    assert isinstance(order, Letters)
    return letter_runs(level, order), True, 1


def _one_block(digits: Digits, low: int, high: int) -> bool:
    return len(list(digits.blocks(low, high + 1))) == 1 and (low >= 0 or bool(digits.raw_base))


__all__ = ["CalendarRun", "LetterRun", "NumberRun", "RowRun", "Run", "runs_at", "written"]
