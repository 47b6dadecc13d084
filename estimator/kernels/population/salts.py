"""Salts that writes draw anew: in how many of them a request for one key meets rows."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from designer.document import Spec
from designer.document.key import Segment
from designer.document.popularity import Popularity

from .events import EventClock
from .key_parts import KeyParts, horizon_days
from .poisson import share_of_others
from .population import Population
from .told_apart import is_drawn_anew, random_salts, tell_apart
from .turnover import EVER_DAYS


def salts_met(
    spec: Spec,
    segments: Sequence[Segment],
    clocks: Mapping[str, EventClock],
    *,
    kept_days: float,
    asked: Mapping[str, Popularity] | None = None,
    texts: Mapping[str, float] | None = None,
    by_event: bool = True,
) -> float:
    """Return in how many salts that writes draw anew a request for one whole key meets rows; 1 without such salts.

    Parameters
    ----------
    As those of `rows_below`.
    by_event
        A request is for the key of some event; else it draws values, of which it meets those that have rows.
    """
    salts = random_salts(segments)
    if salts <= 1 or not clocks:
        return salts
    key_segments = [segment for segment in segments if not is_drawn_anew(segment)]
    writes = tuple(spec.find(write) for write in clocks)
    stored_days = min([kept_days, *(horizon_days(spec) - clock.begin_day for clock in clocks.values())])
    bound = () if by_event else [segment.id for segment in key_segments]
    apart, drawn_by = tell_apart(spec, key_segments, bound=bound, texts=texts), dict(asked) if asked else None
    parts = KeyParts(spec, apart, writes, asked=drawn_by, stored_days=stored_days, is_met=True)
    keys = Population(
        parts.strata,
        parts.laws(),
        parts.turnover(parts.told.fields),
        parts.bucket_days,
        parts.told.time_borders,
        parts.cut,
        every_event=parts.every_event,
    )
    counts, end = keys.counts(clocks), np.array([horizon_days(spec)])
    first = np.maximum(end - min(kept_days, EVER_DAYS), counts.begin_day)
    if counts.every_event or first[0] >= end[0]:
        return 1.0
    part = next(counts.windows(first, end))
    means = part.events @ parts.strata.share
    if not by_event and counts.bucket_days is None and not counts.regular:
        weight = part.keys[:, None] * parts.strata.share[-1] * parts.strata.total_count
        bursts = means / counts.clump
        there = float((weight * -np.expm1(-bursts)).sum())
        salt_counts = -salts * np.expm1(-bursts * (1 - (1 - 1 / salts) ** counts.clump))
        return float((weight * salt_counts).sum()) / there if there > 0 else 1.0
    draw_weights = np.outer(part.events.sum(axis=1), parts.strata.share[-1]) if asked else means
    weight = part.keys[:, None] * draw_weights * (means > 0) * parts.strata.total_count
    stay = 1 - 1 / salts  # that an event leaves a salt out
    if parts.own_numbers.is_bounded:
        is_cut = counts.bucket_days is not None or bool(first[0] > counts.begin_day)
        salt_counts = parts.own_numbers.mean_beside_event(means, lambda n: salts * (1 - stay**n), is_cut=is_cut)
        return float((weight * salt_counts).sum() / weight.sum()) if weight.any() else 1.0
    others = np.maximum(means - 1, 0.0) if counts.regular else means * (1 - stay**counts.clump) / -math.log(stay)
    if asked and not counts.regular:
        others = others * share_of_others(part.keys @ means / counts.clump)
    others = others / counts.clump + (counts.clump - 1)
    salt_counts = 1 + (salts - 1) * (1 - stay**others)
    return float((weight * salt_counts).sum() / weight.sum()) if weight.any() else 1.0
