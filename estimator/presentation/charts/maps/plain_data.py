"""Part of a map as rows of plain figures, for CSV: exact, one column per window."""

from collections.abc import Iterator

from designer.document.key import as_text

from .types import KeyMap, MapArea, Metric


def plain_rows(key_map: KeyMap, metric: Metric, part: MapArea) -> Iterator[list[str]]:
    """Yield the header (range from, range to, then each window's start in UTC), then one row per range."""
    starts = key_map.starts[part.first_window : part.last_window]
    yield ["range from", "range to", *(start.strftime("%Y-%m-%dT%H:%MZ") for start in starts)]
    values = part.select(metric.load())
    edges = ("", *map(as_text, key_map.bounds), "")
    for row, figures in enumerate(values, part.first_range):
        yield [edges[row], edges[row + 1], *(f"{figure:.9g}" for figure in figures.tolist())]
