"""The hottest ranges of what is looked at, as rows."""

import datetime
from dataclasses import dataclass

import numpy as np

from .types import KeyMap, MapArea, Metric

MOST = 20


@dataclass(frozen=True)
class HotRange:
    """One of the hottest ranges."""

    index: int
    start: bytes | None
    """None: from the first key on."""
    end: bytes | None
    """None: to the last key."""
    share: float
    """Of all that is looked at."""
    mean: float
    peak: float
    at: datetime.datetime
    window: int


def hot_ranges(key_map: KeyMap, metric: Metric, part: MapArea, maximum: int = MOST) -> tuple[HotRange, ...]:
    """Return the ranges with the largest sum (of sizes, the largest figure), hottest first, without zeros."""
    values = part.select(metric.load())
    weights = values.sum(axis=1) if metric.adds else values.max(axis=1)
    total = float(weights.sum())
    order = np.argsort(-weights, kind="stable")[:maximum]
    rows = []
    for row in order[weights[order] > 0]:
        index, at = part.first_range + int(row), part.first_window + int(values[row].argmax())
        rows.append(
            HotRange(
                index,
                key_map.bounds[index - 1] if index else None,
                key_map.bounds[index] if index < len(key_map.bounds) else None,
                float(weights[row]) / total,
                float(values[row].mean()),
                float(values[row].max()),
                key_map.starts[at],
                at,
            )
        )
    return tuple(rows)
