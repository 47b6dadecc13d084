"""Distributions with which a pattern is queried: times of events and popularity of values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from designer.document.popularity import Popularity
from estimator.results.arrays import Floats, distinct


@dataclass(frozen=True, eq=False)
class TimeDistribution:
    """Times of events per window, as pieces of uniform density.

    `start_s`, `end_s` [seconds since 1970, UTC] and `weight` (rows sum to 1) are float64 (windows, pieces).
    """

    start_s: Floats
    end_s: Floats
    weight: Floats

    @staticmethod
    def windows(start_s: float, end_s: float, count: int = 1) -> "TimeDistribution":
        """`count` windows of equal length from start to end, uniform in each."""
        edges = np.linspace(start_s, end_s, count + 1)
        return TimeDistribution(edges[:-1, None], edges[1:, None], np.ones((count, 1)))

    @property
    def count(self) -> int:
        """Number of windows."""
        return int(self.weight.shape[0])

    def collapse(self, shares: ArrayLike | None = None) -> "TimeDistribution":
        """All windows as one, each with its share (equal unless given)."""
        share = np.full(self.count, 1 / self.count) if shares is None else np.asarray(shares, dtype=np.float64)
        weight = (self.weight * share[:, None]).reshape(1, -1)
        return TimeDistribution(self.start_s.reshape(1, -1), self.end_s.reshape(1, -1), weight)

    def window(self, place: int) -> "TimeDistribution":
        """One window alone."""
        return TimeDistribution(
            self.start_s[place : place + 1], self.end_s[place : place + 1], self.weight[place : place + 1]
        )

    def cdf(self, time_s: NDArray[Any]) -> Floats:
        """Share of each window's events before each time. float64 (windows, times)."""
        if self.weight.shape[1] == 1:
            # A window of no length is a step at its time instead of 0 / 0.
            length = np.maximum(self.end_s - self.start_s, 1e-9)
            return np.asarray(np.clip((time_s - self.start_s) / length, 0.0, 1.0) * self.weight)
        return np.stack([self._row_cdf(row, time_s) for row in range(self.count)])

    def _row_cdf(self, row: int, time_s: NDArray[Any]) -> Floats:
        """One window's: straight between the ends of its pieces."""
        start, weight = self.start_s[row], self.weight[row]
        # Times in keys are whole microseconds, so no piece is shorter.
        end = np.maximum(self.end_s[row], start + 1e-6)
        edges = distinct(np.concatenate([start, end]))
        # The general form below has (pieces, edges) entries: half a million for the 744 hours of a month. Pieces that
        # follow one another need a running sum only.
        if len(start) > 64 and np.array_equal(start[1:], end[:-1]):  # one after the other
            levels = np.concatenate([[0.0], np.cumsum(weight)])
        else:
            levels = weight @ np.clip((edges - start[:, None]) / (end - start)[:, None], 0.0, 1.0)
        return np.asarray(np.interp(time_s, edges, levels))

    def quantile(self, share: Floats) -> Floats:
        """Return the times before which these shares of the first window's events happen.

        In seconds; float64, shape of `share`.
        """
        edges = distinct(np.concatenate([self.start_s[0], self.end_s[0]]))
        levels = self.window(0).cdf(edges)[0]
        return np.asarray(np.interp(share, levels, edges))

    @property
    def span_s(self) -> tuple[float, float]:
        """First start and last end."""
        return float(self.start_s.min()), float(self.end_s.max())


@dataclass(frozen=True, eq=False)
class EventDistribution:
    """Times of events, and the popularity of fields by id where it is not the field's own."""

    time: TimeDistribution
    popularity: Mapping[str, Popularity] = field(default_factory=dict)
