"""Values of a map: key ranges against time, one grid of figures per metric, and its selected part."""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from designer.document.key import as_text
from designer.wording.formatting import Text
from estimator.presentation.segments import KeyReader
from estimator.results.arrays import Floats


@dataclass(frozen=True)
class Metric:
    """One thing that a map shows."""

    name: str
    label: str
    """Its short name, as a message."""
    what: str
    """What the colour means, as a message."""
    unit: str
    """Suffix of `designer.wording.formatting`: "per_second", "bytes", "nodes" …"""
    load: Callable[[], Floats]
    """(ranges, windows); made when it is asked for."""
    adds: bool = True
    """Figures of ranges add up (load), or the largest counts (row size)."""
    limit: float | None = None
    """Where an absolute scale ends: what one node takes, the hard limit."""
    limited: Text | None = None
    """What that limit is."""


@dataclass(frozen=True)
class KeyMap:
    """One table's key ranges against windows of time."""

    table: str
    bounds: tuple[bytes, ...]
    """Keys between the ranges: one less than there are; each is a true key, the first of its range."""
    starts: tuple[datetime.datetime, ...]
    window_seconds: float
    metrics: Mapping[str, Metric]
    stored_bytes: float | None = None
    """Of the whole table; ranges hold about equal parts of it."""
    read_key: KeyReader | None = None
    """What gives times in keys as dates."""

    @property
    def ranges(self) -> int:
        """Number of key ranges."""
        return len(self.bounds) + 1

    @property
    def full_area(self) -> "MapArea":
        """All of it."""
        return MapArea(0, self.ranges, 0, len(self.starts))


@dataclass(frozen=True)
class MapArea:
    """Ranges and windows that are looked at: first included, last not."""

    first_range: int
    last_range: int
    first_window: int
    last_window: int

    def select(self, values: Floats) -> Floats:
        """Return the figures of this part."""
        return values[self.first_range : self.last_range, self.first_window : self.last_window]

    def clip(self, ranges: int, windows: int) -> "MapArea":
        """Cut to a map of this size; what lies outside it altogether is the whole map."""
        a, b = max(0, self.first_range), min(ranges, self.last_range)
        c, d = max(0, self.first_window), min(windows, self.last_window)
        return MapArea(a, b, c, d) if a < b and c < d else MapArea(0, ranges, 0, windows)


def plain_rows(key_map: KeyMap, metric: Metric, part: MapArea) -> Iterator[list[str]]:
    """Yield a part as rows of exact figures: range from, range to, one of each window under its start in UTC."""
    starts = key_map.starts[part.first_window : part.last_window]
    yield ["range from", "range to", *(start.strftime("%Y-%m-%dT%H:%MZ") for start in starts)]
    values = part.select(metric.load())
    edges = ("", *map(as_text, key_map.bounds), "")
    for row, figures in enumerate(values, part.first_range):
        yield [edges[row], edges[row + 1], *(f"{figure:.9g}" for figure in figures.tolist())]
