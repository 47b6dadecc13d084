"""The busiest range in its busiest window by chance: a model's load drawn as requests, as many as a log has."""

from typing import NamedTuple

import numpy as np

from estimator.results import TableTraffic
from estimator.results.arrays import Floats

from .replay import Replay

DRAWS = 200
"""Logs that are drawn; of many windows fewer, so that no more than `CELLS_MAX` cells are."""
CELLS_MAX = 20_000_000
LOW, HIGH = 0.05, 0.95
"""Nine of ten logs lie between these."""
DAY_SECONDS = 86_400.0


class ChanceSpan(NamedTuple):
    """A figure of logs that are drawn from one model."""

    low: float
    middle: float
    high: float
    """Nine of ten logs lie between low and high, half of them below the middle."""


def busiest_cell_span(shares: Floats, seconds: float, traffic: TableTraffic, replay: Replay) -> ChanceSpan:
    """Return the node time of the busiest range in its busiest window, as logs of this load have it.

    Parameters
    ----------
    shares
        (ranges, windows of a day) Node time per time of the model.
    seconds
        Length of the windows that the log is divided into.
    """
    length = min(seconds, max(replay.span_seconds, 1.0))
    count = int(replay.span_seconds // seconds) + 1
    moments = (replay.first_s + (np.arange(count) + 0.5) * seconds) % DAY_SECONDS
    places = (moments / DAY_SECONDS * shares.shape[1]).astype(np.int64) % shares.shape[1]
    request_seconds = _request_seconds(traffic)
    if not request_seconds > 0:
        return ChanceSpan(0.0, 0.0, 0.0)
    mean = shares[:, places] * length * replay.sampled_share / request_seconds
    random, peaks = np.random.default_rng(1), list[float]()
    for _ in range(max(min(DRAWS, CELLS_MAX // mean.size), 20)):
        peaks.append(float(random.poisson(mean).max()) * request_seconds / (length * replay.sampled_share))
    low, middle, high = np.quantile(peaks, [LOW, 0.5, HIGH]).tolist()
    return ChanceSpan(low, middle, high)


def _request_seconds(traffic: TableTraffic) -> float:
    """Return the node time of a request that spreads as those of the model do: of unlike ones, more than the mean."""
    rates = np.array([float(load.per_second.sum()) for load in traffic.heat.loads])
    node_shares = np.array([float(load.node_share.sum()) for load in traffic.heat.loads])
    is_some = (rates > 0) & (node_shares > 0)
    return float((node_shares**2 / np.maximum(rates, 1e-300))[is_some].sum() / max(node_shares[is_some].sum(), 1e-300))
