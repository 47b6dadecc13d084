"""Bound values of a prefix by when they came, and how busy those of each time are."""

from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Floats

from .counts import Counts
from .turnover import Turnover
from .weeks import busier_lives, by_end


@dataclass(frozen=True, eq=False)
class BoundValues:
    """Bound values by when they came."""

    keys: Floats
    """(cohorts,) values ÷ those of the strata."""
    begin: Floats
    end: Floats
    """(cohorts,) when events are for them. [day]"""
    scale: Floats
    """(cohorts,) how much busier one is than the strata say. [1]"""
    drawn: Floats
    """(cohorts,) how often one is drawn at the end, relative. [1]"""
    has_staying: bool = False
    """The last are values that stay in their ranks from the start."""

    def scale_within(self, whole: Counts, first: float, last: float) -> Floats:
        """Return how much busier a value is than the strata say, from one day to another: (cohorts,)."""
        if whole.turnover.is_still:
            return self.scale
        if whole.turnover.latest is not None:
            window = float(self.begin[0]), float(self.end[0])
            each = (
                whole.turnover.latest_between(*window, between, (first, last))[1]
                for between in by_end(whole.events, whole.count_named_keys)
            )
            return np.concatenate([*each])
        end = np.clip(self.end, first, last)
        begin = np.minimum(np.maximum(self.begin, first), end)
        ratios = whole.of_one(begin, end) / np.maximum(whole.count_named_keys(begin, end), 1e-300)
        return np.append(ratios[:-1], 1.0) if self.has_staying else ratios

    def beside_staying(self, first: float, last: float) -> "BoundValues":
        """Return the values with those that are there from the first day to the last, as the last cohort."""
        more = ((self.keys, 1.0), (self.begin, first), (self.end, last), (self.scale, 1.0), (self.drawn, 1.0))
        keys, begin, end, scale, requests = (np.append(column, value) for column, value in more)
        return BoundValues(keys, begin, end, scale, requests, has_staying=True)


def bound_values(whole: Counts, turnover: Turnover, first: float, last: float, since: float) -> BoundValues:
    """Return the bound values with events from `first` to `last`, of which those count that came `since`."""
    unit = np.ones(1)
    if turnover.latest is not None:
        each = [
            turnover.latest_between(since, last, between) for between in by_end(whole.events, whole.count_named_keys)
        ]
        keys, share, now = (np.concatenate(columns) for columns in zip(*each, strict=True))
        even = np.ones(len(keys))
        return BoundValues(keys / len(each), even * since, even * last, share, now)  # each end of the week counts alike
    if turnover.is_still:
        return BoundValues(unit, unit * since, unit * last, unit, unit)
    keys, begin, end, _ = turnover.cohorts(first, last)
    used = (keys > 0) & (whole.count_named_keys(begin, end) > 0)
    keys, begin, end = keys[used], np.maximum(begin[used], since), np.maximum(end[used], since)
    scale = whole.of_one(begin, end) / np.maximum(whole.count_named_keys(begin, end), 1e-300)
    busier = busier_lives(whole.events, begin, end, turnover.life_days)
    keys, begin, end, scale = (np.tile(each, len(busier)) for each in (keys / len(busier), begin, end, scale))
    return BoundValues(keys, begin, end, scale * busier.ravel(), np.ones(len(keys)))
