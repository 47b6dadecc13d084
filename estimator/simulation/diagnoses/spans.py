"""Runs of windows in which a condition holds, and their wording."""

import datetime
from dataclasses import dataclass

import numpy as np

from designer.document.texts import Text
from estimator.results.arrays import Flags

from .. import sentences
from ..plan import Plan

GAP_SECONDS = 7_200
"""Spans with less between them are one."""

ALWAYS = 0.9
"""What is so in nine windows of ten is said without “in … of the time”."""

MOST_SPANS = 3
"""More spans than so many are told as one, with how much of the time it is so."""


@dataclass(frozen=True)
class Span:
    """From the first window in which something is so to the last."""

    first: int
    last: int
    inside: Flags
    """Of all windows, those that are meant."""

    @classmethod
    def around(cls, flags: Flags) -> "Span":
        places = np.flatnonzero(flags)
        return cls(int(places[0]), int(places[-1]), flags)


def spans(plan: Plan, flags: Flags) -> list[Span]:
    """Return runs of windows; short gaps are closed, and too frequent ones become one."""
    places = np.flatnonzero(flags)
    if not len(places):
        return []
    gap = max(round(GAP_SECONDS / plan.window_seconds), 1)
    # The prepended place is far enough before the first window that the first place always starts a span.
    starts = np.flatnonzero(np.diff(places, prepend=-(10**9)) > gap)
    if len(starts) > MOST_SPANS:
        return [Span.around(flags)]
    runs = []
    for start, end in zip(starts, [*starts[1:], len(places)], strict=True):
        inside = np.zeros_like(flags)
        inside[places[start:end]] = True
        runs.append(Span.around(inside))
    return runs


def span_params(plan: Plan, span: Span) -> dict[str, object]:
    """Return parameters of a message about a span: in words, with how often it is so unless always, and as figures."""
    share = float(span.inside.sum()) / (span.last - span.first + 1)
    figures = {"from_time": time_of(plan, span.first), "to_time": time_of(plan, span.last + 1), "time_share": share}
    return {"when": Text(sentences.ALWAYS if share >= ALWAYS else sentences.SOMETIMES, figures), **figures}


def time_of(plan: Plan, window: int) -> str | datetime.datetime:
    """Return the beginning of a window: the hour, in a month with its day."""
    day, of_day = divmod(window, plan.windows_per_day)
    if len(plan.dates) == 1:
        minutes = round(window * plan.window_seconds / 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}"
    midnight = datetime.datetime.combine(plan.dates[0], datetime.time(), datetime.UTC)
    return midnight + datetime.timedelta(days=day, seconds=of_day * plan.window_seconds)
