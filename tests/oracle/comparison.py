"""The estimate of a design beside what is drawn: which quantities agree."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from estimator.estimates.estimate import estimate
from estimator.facts.collisions import lost_per_day, slot_seconds
from estimator.facts.reading import Rows
from estimator.results import TablePart
from tests.contexts import context

from .designs import Design
from .drawing import Drawing, draw

ERRORS = 4.0
"""Standard errors by which a count may differ…"""
COUNT_FLOOR = 0.005
"""…and what it may differ besides, as a share: what is rounded on the way."""
SIZE_SHARE = 0.02
"""Share by which a size may differ; that of one row by half a cell, too, as a mean is no whole number."""

FEW_SEEDS, MANY_SEEDS = 6, 24
"""Worlds that are drawn of each design; the many where the few leave a doubt."""
DOUBT_ERRORS = 2.0

COUNTED = ("counter within", "new per event", "counter")
"""Relations by which a row is not busy for longer than an event or a bucket of numbers."""


@dataclass(frozen=True)
class Compared:
    """One quantity: as estimated, as drawn, and whether they agree."""

    name: str
    estimated: float
    drawn: float
    error: float
    """Standard error of what is drawn."""
    low: float
    high: float
    """What the estimate may be."""

    @property
    def agrees(self) -> bool:
        """Whether the estimate is what may be drawn."""
        return bool(self.low <= self.estimated <= self.high)

    @property
    def is_clear(self) -> bool:
        """Whether the estimate is so near that more worlds would hardly tell them apart."""
        return abs(self.estimated - self.drawn) <= DOUBT_ERRORS * self.error + COUNT_FLOOR * self.drawn

    @property
    def deviation(self) -> float:
        """By which factor, as a logarithm to base 10, the two differ."""
        if self.estimated <= 0 or self.drawn <= 0:
            return 0.0 if abs(self.estimated - self.drawn) < 1e-9 else 9.0
        return float(abs(np.log10(self.estimated / self.drawn)))


def compare(design: Design) -> tuple[Compared, ...]:
    """Compare everything that both know of a design."""
    part = estimate(design.spec, context(), what_if=False).tables["t"]
    if part.growth is None:
        raise AssertionError(f"design {design.seed} has no estimate: {part.because}")
    drawings = _drawings(design, part, range(FEW_SEEDS))
    found = tuple(_compared(design, part, drawings))
    if all(each.agrees and each.is_clear for each in found):
        return found
    drawings += _drawings(design, part, range(FEW_SEEDS, MANY_SEEDS))
    return tuple(_compared(design, part, drawings))


def _drawings(design: Design, part: TablePart, seeds: range) -> list[Drawing]:
    plans = {plan.read: (plan.bound, plan.open_at) for plan in part.reads}
    return [draw(design.spec, design.seed * 1_000 + seed, plans) for seed in seeds]


def _compared(design: Design, part: TablePart, drawings: list[Drawing]) -> Iterator[Compared]:
    growth, size = part.growth, part.sizes["rows"]
    assert growth is not None
    cells = sum(column.cells_stored for column in size.columns) * size.rows
    yield _count("rows", float(growth.rows[-1]), drawings, lambda d: d.rows)
    yield _count("cells", cells, drawings, lambda d: d.cells)
    yield _size("bytes", float(growth.logical_bytes[-1]), drawings, lambda d: d.bytes)
    garbage = sum(family.uncollected_bytes for family in growth.families)
    yield _count("garbage bytes", garbage, drawings, lambda d: d.bytes - d.live_bytes)
    sizes = growth.kinds[0]
    yield _quantile("median row", float(sizes.median_bytes[-1]), drawings, 0.5)
    yield _quantile("p99 row", float(sizes.p99_bytes[-1]), drawings, 0.99)
    yield _largest("largest row", float(sizes.largest_bytes[-1]), drawings)
    if design.features["mode"] == "append_row":
        yield _count("lost share", _lost_share(design, part), drawings, lambda d: d.lost_share)
    if design.features["time"] in ("none", "hour", "day") and design.features["relation"] not in COUNTED:
        assert part.traffic is not None
        busiest = next(row.share for row in part.traffic.hot_rows if row.access == "write")
        yield _size("busiest row", busiest, drawings, lambda d: d.hottest_share)
    for plan in part.reads:
        for name in ("rows_scanned", "rows_returned", "cells_returned", "bytes_scanned", "bytes_returned"):
            floor = SIZE_SHARE if name.startswith("bytes") else COUNT_FLOOR
            yield _of_read(plan.read, name, float(getattr(plan, name)), drawings, floor=floor)


def _lost_share(design: Design, part: TablePart) -> float:
    assert part.growth is not None
    assert part.traffic is not None
    table = design.spec.tables[0]
    kind = table.row_kinds[0]
    rows = Rows(design.spec, table, kind, part)
    per_day = part.traffic.writes[0].rows_per_second * 86_400
    return lost_per_day(rows, kind.writes[0], part.growth.entities["write"], slot_seconds(rows)) / max(per_day, 1e-300)


def _of_read(read: str, name: str, estimated: float, drawings: list[Drawing], *, floor: float) -> Compared:
    means = [
        float(np.mean([getattr(answer, name) for answer in drawing.answers[read]]))
        for drawing in drawings
        if drawing.answers.get(read)
    ]
    label = f"{read}: {name.replace('_', ' ')}"
    return (
        _mean(label, estimated, means, floor) if means else Compared(label, estimated, estimated, 0.0, -np.inf, np.inf)
    )


def _count(name: str, estimated: float, drawings: list[Drawing], of: Callable[[Drawing], float]) -> Compared:
    return _mean(name, estimated, [float(of(drawing)) for drawing in drawings], COUNT_FLOOR)


def _size(name: str, estimated: float, drawings: list[Drawing], of: Callable[[Drawing], float]) -> Compared:
    return _mean(name, estimated, [float(of(drawing)) for drawing in drawings], SIZE_SHARE)


def _mean(name: str, estimated: float, values: list[float], floor: float) -> Compared:
    mean, error = (
        float(np.mean(values)),
        float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0,
    )
    width = ERRORS * error + floor * abs(mean) + 1e-9
    return Compared(name, estimated, mean, error, mean - width, mean + width)


def _quantile(name: str, estimated: float, drawings: list[Drawing], at: float) -> Compared:
    """Compare a quantile of the rows of all worlds: between those a little below and above it, ± a size's share."""
    sizes = np.array([size for drawing in drawings for size in drawing.row_bytes])
    if not len(sizes):
        return Compared(name, estimated, 0.0, 0.0, -np.inf, np.inf)
    around = ERRORS * np.sqrt(at * (1 - at) / len(sizes)) * 2 + 0.002
    low, middle, high = np.quantile(sizes, [max(at - around, 0), at, min(at + around, 1)], method="inverted_cdf")
    return _row(name, estimated, float(middle), float(low), float(high), drawings)


def _largest(name: str, estimated: float, drawings: list[Drawing]) -> Compared:
    """Compare the largest row: within those of all worlds, give or take a size's share."""
    sizes = [drawing.largest_bytes for drawing in drawings]
    return _row(name, estimated, float(np.mean(sizes)), min(sizes), max(sizes), drawings)


def _row(name: str, estimated: float, drawn: float, low: float, high: float, drawings: list[Drawing]) -> Compared:
    cells, size = (sum(getattr(drawing, each) for drawing in drawings) for each in ("cells", "bytes"))
    half = size / cells / 2 if cells else 0.0
    width_below, width_above = max(low * SIZE_SHARE, half), max(high * SIZE_SHARE, half)
    return Compared(name, estimated, drawn, 0.0, low - width_below, high + width_above)
