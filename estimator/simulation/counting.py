"""Counts of operations per key range and window: one random stream per window, integers that add."""

import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from designer.document.texts import N_
from estimator.kernels.keys import EventDistribution, RangeBounds, count_events, draw_counts, stream
from estimator.results.arrays import Ints

from .plan import Plan, PlannedFlow

Beat = Callable[[float, str], None]
"""Told how much is done (0…1) and what is being done (a message); it may raise to stop the work."""

EVENTS_AT_ONCE = 1 << 22
"""Events drawn between two beats: about a fifth of a second."""

SLOW_AT_ONCE = 1 << 17
"""The same where keys have to be compared as Python's bytes."""

COUNTING = N_("Counting operations")
SEED_STRIDE = 1_000_003


def ignore_progress(fraction: float, doing: str) -> None:
    """Nobody watches."""


@dataclass(frozen=True, eq=False)
class OperationCounts:
    """Operations of each flow, in its pieces: int64, shape (seeds, ranges, last - first), in the plan's order."""

    first: int
    last: int
    flows: tuple[Ints, ...]

    @staticmethod
    def merge(*parts: "OperationCounts") -> "OperationCounts":
        """Return the sum of counts of any windows; in any order, integers add to the same bits."""
        first, last = min(part.first for part in parts), max(part.last for part in parts)
        flows = []
        for place, flow_counts in enumerate(parts[0].flows):
            total = np.zeros((*flow_counts.shape[:2], last - first), dtype=np.int64)
            for part in parts:
                total[:, :, part.first - first : part.last - first] += part.flows[place]
            flows.append(total)
        return OperationCounts(first, last, tuple(flows))

    def to_bytes(self) -> bytes:
        """Compressed: a header of shapes and widths, then the numbers, each flow in as few bytes as hold them."""
        small = [_narrow(flow) for flow in self.flows]
        head = {"first": self.first, "last": self.last, "flows": [(list(a.shape), a.dtype.str) for a in small]}
        text = json.dumps(head).encode()
        # Most counts fit a byte, which makes eight times less to compress than int64; level 1, as time counts more
        # than size.
        body = b"".join(np.ascontiguousarray(a).tobytes() for a in small)
        return struct.pack("<I", len(text)) + text + zlib.compress(body, 1)

    @staticmethod
    def from_bytes(data: bytes) -> "OperationCounts":
        """Return the counts that `to_bytes` wrote."""
        (size,) = struct.unpack_from("<I", data)
        head = json.loads(data[4 : 4 + size])
        body, at, flows = zlib.decompress(data[4 + size :]), 0, []
        for shape, kind in head["flows"]:
            count = int(np.prod(shape))
            flows.append(np.frombuffer(body, kind, count, at).reshape(shape).astype(np.int64))
            at += count * np.dtype(kind).itemsize
        return OperationCounts(head["first"], head["last"], tuple(flows))


def _narrow(counts: Ints) -> "np.ndarray":
    most = int(counts.max(initial=0))
    kind = next((k for k in ("<u1", "<u2", "<u4") if most <= np.iinfo(k).max), "<i8")
    return counts.astype(kind)


def count(plan: Plan, first: int, last: int, beat: Beat = ignore_progress) -> OperationCounts:
    """Operations in windows first … last - 1. The same numbers for a window in whatever call it is counted."""
    seeds = plan.parameters.seeds
    flows = [np.zeros((seeds, plan.table_of(f).ranges, last - first), dtype=np.int64) for f in plan.flows]
    for window in range(first, last):
        beat((window - first) / max(last - first, 1), COUNTING)
        for seed in range(seeds):
            # A stream per window: the same numbers, whichever process counts the window and in whatever order.
            rng = stream(seed_of(plan, seed), window)
            for flow, counts in zip(plan.flows, flows, strict=True):
                within = _WindowProgress(first, last, window, beat)
                counts[seed, :, window - first] = _count_window(rng, plan, flow, window, within)
    return OperationCounts(first, last, tuple(flows))


def seed_of(plan: Plan, number: int) -> int:
    """Return the seed of the run's number-th repetition."""
    return plan.parameters.seed + number * SEED_STRIDE


@dataclass(frozen=True)
class _WindowProgress:
    first: int
    last: int
    window: int
    beat: Beat

    def report(self, part: float) -> None:
        self.beat((self.window - self.first + part) / max(self.last - self.first, 1), COUNTING)


def _count_window(
    rng: np.random.Generator, plan: Plan, flow: PlannedFlow, window: int, within: _WindowProgress
) -> Ints:
    # Bursts arrive independently, not the operations in them: 1,000 operations in bursts of 100 are 10 ± 3 draws.
    mean = float(flow.rates[window]) * plan.window_seconds / flow.burst
    draws = (int(rng.poisson(mean)) if flow.poisson else round(mean)) * flow.pieces
    day, of_day = divmod(window, plan.windows_per_day)
    if draws == 0:
        return np.zeros(plan.table_of(flow).ranges, dtype=np.int64)
    shares = plan.shares(flow, day)
    # One multinomial draw over exact shares has the distribution of independent events, at a cost that does not grow
    # with their number.
    if plan.parameters.counting == "computed" or plan.is_ordered_walk(flow, day):
        return draw_counts(rng, shares[:, of_day % shares.shape[1]], draws) * flow.burst
    law = plan.distribution(flow, day)
    of_law = of_day * law.time.count // plan.windows_per_day
    return _count_generated(rng, flow, law, of_law, draws, plan.coded_bounds(flow, day), within) * flow.burst


def _count_generated(
    rng: np.random.Generator, flow: PlannedFlow, law: EventDistribution, window: int, draws: int,
    bounds: RangeBounds | tuple[bytes, ...], within: _WindowProgress,
) -> Ints:  # fmt: skip
    total: Ints = np.zeros(bounds.ranges if isinstance(bounds, RangeBounds) else len(bounds) + 1, dtype=np.int64)
    at_once = EVENTS_AT_ONCE if isinstance(bounds, RangeBounds) else SLOW_AT_ONCE
    for done in range(0, draws, at_once):
        within.report(done / draws)
        total += count_events(rng, flow.pattern, law, window, min(at_once, draws - done), bounds)
    return total


def expected_counts(plan: Plan) -> OperationCounts:
    """Return the expected counts, rounded and without draws, as of a run without chance."""
    flows = []
    for flow in plan.flows:
        days = [
            np.broadcast_to(shares := plan.shares(flow, day), (shares.shape[0], plan.windows_per_day))
            for day in range(len(plan.dates))
        ]
        mean = np.concatenate(days, axis=1) * (flow.rates * plan.window_seconds * flow.pieces)
        flows.append(np.repeat(np.rint(mean).astype(np.int64)[None], plan.parameters.seeds, axis=0))
    return OperationCounts(0, plan.windows, tuple(flows))
