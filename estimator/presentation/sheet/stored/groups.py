"""Sample rows beside each other: at one place in the table some, at others one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from estimator.kernels.compression.content import KindContent
from estimator.kernels.compression.rows import draw_row_sequences
from estimator.kernels.compression.values import stream
from estimator.kernels.keys import quantile_rows

from .extents import Parts, ReadTarget

PLACES = (0.09, 0.3, 0.7, 0.91)
"""Shares of the stored bytes at which a single row is shown."""
MIDDLE = 0.5
"""That of rows beside each other, or of their beginning if reads go to the end of the rows that share it."""
NEIGHBOURS = 4
"""Rows beside each other that are shown."""
PLACES_SEARCHED, SEARCHES_MOST = 34, 9
"""How an end is looked for: a thirty-third of the way remains after each search."""
SEED = 7
ToParts = Callable[[bytes], Parts]


@dataclass(frozen=True)
class Group:
    """Rows beside each other."""

    place: float
    """Share of the stored bytes before them."""
    keys: Sequence[bytes]
    sizes: Sequence[float]
    """Of each, its events ÷ those of the mean row."""

    def only(self, rows: Sequence[int]) -> "Group":
        """Return the group of some of its rows."""
        return Group(self.place, [self.keys[row] for row in rows], [self.sizes[row] for row in rows])


@dataclass(frozen=True)
class SampleGroups:
    """The sample rows of a table in key order."""

    groups: Sequence[Group]
    shown: int
    """Among all their rows, the one whose reads are shown."""
    end: ReadTarget | None
    """The target whose rows it is the first of."""

    def gaps(self, rows: float) -> Iterator[float | None]:
        """Yield for each row how many lie between it and the row above; None beside it."""
        place, count = None, 0
        for group in self.groups:
            yield None if place is None else max(rows * (group.place - place) - count, 0.0)
            yield from [None] * (len(group.keys) - 1)
            place, count = group.place, len(group.keys)

    def ranks(self, rows: float) -> list[float]:
        """Return for each row how many of the table are before it."""
        return [group.place * rows + at for group in self.groups for at in range(len(group.keys))]


def sample_groups(
    content: KindContent, more_places: Iterable[float], end: ReadTarget | None, to_parts: ToParts
) -> SampleGroups:
    """Return rows at each place in key order, those beside each other at an end of rows with one beginning."""
    middle = _middle_group(content, to_parts) if end is None else _end_group(content, end, to_parts)
    if not middle.keys:  # drawn values are too few to meet that end
        middle, end = _middle_group(content, to_parts), None
    places = sorted({*PLACES, *more_places})
    singles = [group.only([0]) for group in _draw(content, places, 1) if group.keys]
    if not middle.keys:
        groups = _in_order(singles)
        return SampleGroups(groups, len(groups) // 2, None)
    before = _in_order(single for single in singles if single.keys[0] < middle.keys[0])
    after = _in_order(single for single in singles if single.keys[0] > middle.keys[-1])
    return SampleGroups([*before, middle, *after], len(before), end)


def _in_order(singles: Iterable[Group]) -> list[Group]:
    """Return those behind the ones before."""
    groups: list[Group] = []
    for single in singles:
        if not groups or single.keys[0] > groups[-1].keys[0]:
            groups.append(single)
    return groups


def _draw(content: KindContent, places: Sequence[float], rows: int) -> list[Group]:
    sequences = draw_row_sequences(content, places, 2 * NEIGHBOURS, stream(SEED))  # some draws meet one row
    return [
        Group(place, sequence.keys[:rows], sequence.size.tolist()[:rows])
        for place, sequence in zip(places, sequences, strict=True)
    ]


def _middle_group(content: KindContent, to_parts: ToParts) -> Group:
    """Return the longest run of neighbours that share their first segment."""
    (group,) = _draw(content, [MIDDLE], 2 * NEIGHBOURS)
    runs = [list(run) for _, run in groupby(range(len(group.keys)), lambda row: to_parts(group.keys[row])[0])]
    return group.only(max(runs, key=len, default=[])[:NEIGHBOURS])


def _end_group(content: KindContent, end: ReadTarget, to_parts: ToParts) -> Group:
    """Return the neighbours at an end of the rows that share a beginning with the one in the middle."""
    (key,) = quantile_rows(content.pattern, content.distribution, np.array([MIDDLE])).keys
    beginning = to_parts(key)[: end.same]
    place = _end_place(content, end, lambda key: to_parts(key)[: end.same] == beginning)
    (stands,) = quantile_rows(content.pattern, content.distribution, np.array([place])).represented_keys
    # Rows are drawn from a place on: to end here, they begin as many rows earlier.
    if end.is_at_end:
        place = max(place - (2 * NEIGHBOURS - 1) * float(stands) / content.rows, 0.0)
    (group,) = _draw(content, [place], 2 * NEIGHBOURS)
    rows = [row for row, key in enumerate(group.keys) if to_parts(key)[: end.same] == beginning]
    return group.only(rows[-NEIGHBOURS:] if end.is_at_end else rows[:NEIGHBOURS])


def _end_place(content: KindContent, end: ReadTarget, has_beginning: Callable[[bytes], bool]) -> float:
    """Return the last place with a beginning, from the middle on, towards the end that a target is at."""
    inside, outside = MIDDLE, 1.0 if end.is_at_end else 0.0
    for _ in range(SEARCHES_MOST):
        if abs(outside - inside) * content.rows < 1:
            break
        places = np.linspace(inside, outside, PLACES_SEARCHED)[1:-1].tolist()  # the ends are known
        keys = quantile_rows(content.pattern, content.distribution, np.array(places)).keys
        count = next((at for at, key in enumerate(keys) if not has_beginning(key)), len(places))
        inside, outside = ([inside, *places][count], [*places, outside][count])
    return inside
