"""Spread of representatives over the key space: weights that even it out, and the remaining error."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from designer.document.key import FieldSegment, HashSegment, SaltSegment, Segment
from estimator.results.arrays import Floats

from ..rendering import render
from ..rendering.texts import Texts
from ..values.value_tables import Stage, masses

RANGES = 1_024
"""Key ranges for which the error is stated: what a heatmap shows."""

_PLACES = 12


class EvenSpread(NamedTuple):
    """Stages whose tails are even over the leading segment, and the largest relative error of a range's load."""

    stages: tuple[Stage, ...]
    error_share: float


def weigh_representatives(stages: tuple[Stage, ...], lead: Segment, texts: Texts) -> EvenSpread:
    """Weigh representatives by the part of the key space around them, where the leading text is spread at random.

    A hash or a salt fills the key space evenly; the few that stand for many do not quite, so each is given the share
    between the middles to its neighbours. Ids themselves are evenly spaced already.

    Parameters
    ----------
    lead
        The first segment of the key that the stages decide.
    texts
        Its texts for all entries of the last stage.
    """
    last = stages[-1]
    tail = last.tail > 0
    if all(stage.is_exact for stage in stages):
        return EvenSpread(stages, 0.0)
    place = _key_space_positions(lead, texts) if len(stages) == 1 else None
    even = place is not None or (len(stages) == 1 and isinstance(lead, FieldSegment) and not lead.transforms)
    if place is not None and tail.any():
        weights = last.tail.copy()
        weights[tail] = _key_space_shares(place[tail])
        stages = (*stages[:-1], replace(last, tail=weights))
    # Only what representatives have can be in the wrong range; values that stand for themselves are exact.
    popular = masses(stages, {}, (last.shape.start_s,))
    share = float(popular[tail].sum())
    count = max(int(tail.sum()), 1)
    # Three standard deviations of a Poisson count: a hash puts n = total / RANGES values into a range, ± √n, which is
    # √(RANGES / total) of it. The real hashes scatter, and even weights do not.
    noise = 3 * (RANGES / max(last.shape.total, 1)) ** 0.5 if not isinstance(lead, FieldSegment) else 0.0
    # Evenly spread representatives err by those at the edges of a range; others scatter as a Poisson count does.
    error = 4 * RANGES / count + noise if even else 3 * (RANGES / count) ** 0.5
    return EvenSpread(stages, min(share * error, 1.0))


def _key_space_shares(place: Floats) -> Floats:
    """Return the part of 0…1 that is nearest to each place; equal places share theirs."""
    distinct, which, counts = np.unique(place, return_inverse=True, return_counts=True)
    # One-dimensional Voronoi cells: each place has what is nearer to it than to its neighbours.
    middles = np.concatenate(([0.0], (distinct[1:] + distinct[:-1]) / 2, [1.0]))
    return np.asarray((np.diff(middles) / counts)[which])


def _key_space_positions(lead: Segment, texts: Texts) -> Floats | None:
    """Return the place of each text in the key space, 0…1; None if texts are not spread evenly."""
    if isinstance(lead, SaltSegment):
        width = render.salt_width(lead)
        # Salts modulo 16 use 00…15 of 00…99, so their fractions are stretched to fill 0…1.
        return np.asarray(_text_fractions(texts, [b"0123456789"] * width) * (10.0**width / lead.modulo))
    if isinstance(lead, HashSegment):
        return _text_fractions(texts, list(lead.letters[:_PLACES]))
    return None


def _text_fractions(texts: Texts, letters: list[bytes]) -> Floats:
    """Texts as fractions in a number system whose digits are the letters; the middle of what they leave open."""
    out, width = np.zeros(len(texts)), 1.0
    for column, digits in enumerate(letters):
        rank = np.zeros(256)
        rank[list(digits)] = np.arange(len(digits))
        width /= len(digits)
        out += width * rank[texts.data[:, column]]
    return out + width / 2
