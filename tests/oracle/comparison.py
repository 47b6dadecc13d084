"""The estimate of a design beside what is drawn: which quantities agree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from estimator.estimates.estimate import estimate
from estimator.facts.collisions import lost_per_day, slot_seconds
from estimator.facts.reading import RowKindFacts
from estimator.results import ReadPlan, TablePart
from estimator.results.arrays import Ints
from tests.contexts import context

from .designs import BURST_MOST, COUNTED, Design
from .drawing import HOTTEST_EVENTS, Drawing, draw
from .reads import Answer

ERRORS = 4.0
"""Standard errors by which a count may differ…"""
COUNT_FLOOR = 0.005
"""…and what it may differ besides, as a share: what is rounded on the way."""
SIZE_SHARE = 0.02
"""Share by which a size may differ; that of one row by half a cell, too, as a mean is no whole number."""

WORLDS, MANY_WORLDS, MOST_WORLDS = (4, 10, 24), 64, 256
"""Worlds that are drawn of each design: more where fewer leave a doubt, many where they differ, the most where those
do: rare events that come together spread more than 64 worlds tell."""
DOUBT_ERRORS = 3.0

FEW_COUNTED = 30
"""Below so many the spread between worlds says little about the error."""

RANGES = 16
"""Key ranges of equal bytes: the estimate's many are gathered into so many."""


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
        """Whether the two are so near that more worlds would hardly tell them apart."""
        near = DOUBT_ERRORS * self.error + COUNT_FLOOR * self.drawn + 1e-9
        return self.agrees and (not self.error or abs(self.estimated - self.drawn) <= near)

    @property
    def deviation(self) -> float:
        """By which factor, as a logarithm to base 10, the two differ."""
        if self.estimated <= 0 or self.drawn <= 0:
            return 0.0 if abs(self.estimated - self.drawn) < 1e-9 else 9.0
        return float(abs(np.log10(self.estimated / self.drawn)))


def compare(design: Design, is_known: Callable[[Design, Compared], bool] = lambda *_: False) -> tuple[Compared, ...]:
    """Compare everything that both know of a design; no more worlds are drawn for what is known to differ."""
    part = estimate(design.spec, context()).tables["t"]
    if part.growth is None:
        raise AssertionError(f"design {design.seed} has no estimate: {part.because}")
    drawings, found = list[Drawing](), tuple[Compared, ...]()
    for worlds in WORLDS:
        drawings += _drawings(design, part, range(len(drawings), worlds))
        found = tuple(_comparisons(design, part, drawings))
        if all(each.is_clear or is_known(design, each) for each in found):
            return found
    if all(each.agrees or is_known(design, each) for each in found):
        return found
    drawings += _drawings(design, part, range(len(drawings), MANY_WORLDS))
    found = tuple(_comparisons(design, part, drawings))
    if all(each.agrees or is_known(design, each) for each in found):
        return found
    drawings += _drawings(design, part, range(len(drawings), MOST_WORLDS))
    found_by_name = {each.name: each for each in found}
    most = _comparisons(design, part, drawings)  # a range of all worlds is not told better by more of them
    return tuple(each if each.error else found_by_name.get(each.name, each) for each in most)


def _drawings(design: Design, part: TablePart, seeds: range) -> list[Drawing]:
    plans = {plan.read: (plan.bound, plan.open_at) for plan in part.reads}
    is_full = design.features.get("moment") == "end of a period"
    return [draw(design.spec, design.seed * 1_000 + seed, plans, ends_with_period=is_full) for seed in seeds]


def _comparisons(design: Design, part: TablePart, drawings: list[Drawing]) -> Iterator[Compared]:
    growth, size = part.growth, part.sizes["rows"]
    assert growth is not None
    cells = sum(column.cells_stored for column in size.columns) * size.rows
    garbage = sum(family.uncollected_bytes for family in growth.families)
    yield _mean("rows", float(growth.rows[-1]), [d.rows for d in drawings], COUNT_FLOOR)
    yield _mean("cells", cells, [d.cells for d in drawings], COUNT_FLOOR)
    yield _mean("bytes", float(growth.logical_bytes[-1]), [d.bytes for d in drawings], SIZE_SHARE)
    least = COUNT_FLOOR * float(np.mean([d.bytes for d in drawings]))  # a rest that nobody would notice
    yield _mean("garbage bytes", garbage, [d.bytes - d.live_bytes for d in drawings], SIZE_SHARE, least)
    sizes = growth.kinds[0]
    yield _quantile("median row", float(sizes.median_bytes[-1]), drawings, 0.5)
    yield _quantile("p99 row", float(sizes.p99_bytes[-1]), drawings, 0.99)
    yield _largest("largest row", float(sizes.largest_bytes[-1]), drawings)
    if design.features["mode"] == "append_row":
        pairs = [(d.lost, d.recent) for d in drawings]
        fewer = min(sum(lost for lost, _ in pairs), sum(recent - lost for lost, recent in pairs))
        least = np.sqrt(fewer + 1) / max(sum(recent for _, recent in pairs), 1)
        yield _ratio("lost share", _lost_share(design, part), pairs, COUNT_FLOOR, least=float(least))
    is_short = design.features["form"] == "short"  # a row of five minutes is busy for a part of a window only
    coarse = ("none", "day") if is_short else ("none", "hour", "day")
    is_of_a_moment = design.features.get("hashed", "").startswith("moment")  # no two events go to one row
    if design.features["time"] in coarse and design.features["relation"] not in COUNTED and not is_of_a_moment:
        assert part.traffic is not None
        busiest = next(row.share for row in part.traffic.hot_rows if row.access == "write")
        yield _within("busiest row", busiest, [d.hottest_share for d in drawings])
    is_ours = design.features["lead"] != "hash" and design.features["popularity"] != "uniform"
    if not is_ours and not design.features["relation"].startswith("owner"):  # else much lies in the order of values
        is_skewed = design.features["popularity"] != "uniform" or design.features["births"] != "none"
        is_skewed |= "hashed" in design.features  # the buckets of a day are the busier values
        is_skewed |= design.features["lead"] == "hash"  # of 17 values in 16 ranges any two may share one
        clump = BURST_MOST if design.features["arrival"] == "bursts" else 1
        yield _hottest_range(part, drawings, clump, is_skewed=is_skewed)
    for plan in part.reads:
        yield from _of_read(plan, [d.answers.get(plan.read, []) for d in drawings])


def _lost_share(design: Design, part: TablePart) -> float:
    assert part.growth is not None
    assert part.traffic is not None
    table = design.spec.tables[0]
    kind = table.row_kinds[0]
    rows = RowKindFacts(design.spec, table, kind, part)
    per_day = part.traffic.writes[0].rows_per_second * 86_400
    return lost_per_day(rows, kind.writes[0], part.growth.entities["write"], slot_seconds(rows)) / max(per_day, 1e-300)


def _of_read(plan: ReadPlan, answers: list[list[Answer]]) -> Iterator[Compared]:
    met, cells = (sum(getattr(a, n) for each in answers for a in each) for n in ("rows_scanned", "cells_returned"))
    for name in ("rows_scanned", "rows_returned", "cells_returned", "bytes_scanned", "bytes_returned"):
        is_size, few = name.startswith("bytes"), min(met, cells) if name.startswith(("cells", "bytes_r")) else met
        if is_size and not few:
            continue  # that so few rows or cells are met is said by their count
        sums = [(sum(getattr(answer, name) for answer in each), len(each)) for each in answers]
        label, floor = f"{plan.read}: {name.replace('_', ' ')}", SIZE_SHARE if is_size else COUNT_FLOOR
        yield _ratio(label, float(getattr(plan, name)), sums, floor, counted=few)


def _mean(name: str, estimated: float, values: Sequence[float], floor: float, least: float = 0.0) -> Compared:
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
    return _near(name, estimated, mean, error, floor, least)


def _near(name: str, estimated: float, drawn: float, error: float, floor: float, least: float = 0.0) -> Compared:
    width = ERRORS * error + max(floor * abs(drawn), least) + 1e-9
    return Compared(name, estimated, drawn, error, drawn - width, drawn + width)


def _ratio(
    name: str,
    estimated: float,
    pairs: Sequence[tuple[float, int]],
    floor: float,
    *,
    counted: float | None = None,
    least: float = 0.0,
) -> Compared:
    """Compare a mean over trials, worlds having different numbers of them.

    `counted`: what was counted in all trials together, where `pairs` are not counts. Of k that were counted the error
    is never below √(k + 1), however alike the worlds happen to be; nor below `least`.
    """
    sums, trials = np.array(pairs, dtype=np.float64).T
    if not trials.sum():
        return Compared(name, estimated, estimated, 0.0, -np.inf, np.inf)
    mean = float(sums.sum() / trials.sum())
    error = float(np.std(sums - mean * trials, ddof=1) * np.sqrt(len(sums)) / trials.sum())
    seen = float(sums.sum()) if counted is None else counted
    if seen < FEW_COUNTED:
        least = max(least, mean / np.sqrt(seen) if seen else 1 / trials.sum())
    return _near(name, estimated, mean, max(error, least), floor)


def _hottest_range(part: TablePart, drawings: list[Drawing], clump: int, *, is_skewed: bool) -> Compared:
    """Compare the busiest of key ranges of equal bytes: half of the worlds find it, the others measure its share.

    Where some values are busier, or hashes put them anywhere, chance puts these into another range of each world: their
    share is at most the mean of what each world's busiest range receives.
    """
    assert part.traffic is not None
    heat = part.traffic.heat
    written = heat.writes_per_second.sum(axis=1)
    middle = np.cumsum(heat.stored_share) - heat.stored_share / 2
    place = np.minimum((middle / heat.stored_share.sum() * RANGES).astype(int), RANGES - 1)
    estimated = float(np.bincount(place, written).max() / written.sum())
    by_world = np.array([_writes_by_range(drawing) for drawing in drawings])
    half = len(drawings) // 2
    finding, measuring = by_world[:half].sum(axis=0), by_world[half:].sum(axis=0)
    busiest, events = int(finding.argmax()), max(int(measuring.sum()), 1)
    share = float(measuring[busiest] / events)
    error = np.sqrt((share + clump / events) * clump / events)
    least = _near("busiest range", estimated, share, float(error), 5 * SIZE_SHARE)
    if not is_skewed:
        return least
    total = max(int(by_world.sum()), 1)
    most = float(by_world.max(axis=1).sum() / total)
    return replace(least, high=max(least.high, most + ERRORS * float(np.sqrt((most + clump / total) * clump / total))))


def _writes_by_range(drawing: Drawing) -> Ints:
    """Return the writes of the last day to each range of equal bytes of one world: (ranges,)."""
    keys = sorted(drawing.key_bytes)
    sizes = np.array([size for _, size in keys])
    middle = (np.cumsum(sizes) - sizes / 2) / max(sizes.sum(), 1e-300)
    places = {key: min(int(part * RANGES), RANGES - 1) for (key, _), part in zip(keys, middle.tolist(), strict=True)}
    return np.bincount([places[key] for key in drawing.last_keys if key in places], minlength=RANGES)


def _within(name: str, estimated: float, values: Sequence[float]) -> Compared:
    """Compare a share that differs from world to world: between the least and the most, and what chance adds."""
    mean = float(np.mean(values))
    error = float(np.sqrt((mean + 1 / HOTTEST_EVENTS) / (HOTTEST_EVENTS * len(values))))
    low, high = min(min(values), mean - ERRORS * error), max(max(values), mean + ERRORS * error)
    return Compared(name, estimated, mean, error, low * (1 - SIZE_SHARE), high * (1 + SIZE_SHARE))


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
