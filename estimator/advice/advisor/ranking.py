"""Selection and order of the candidates that are worth showing."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from .results import Measures

WORTH = 0.5
"""Doublings of trouble by which a key must be better than the present one to be recommended over it."""
BEARABLE = 3.0
"""Doublings by which a trade-off may be worse; what is worse still is no candidate."""
ALIKE = 1.05
"""Figures closer than this are alike."""


class RankedCandidate(Protocol):
    """A key with its figures and how much it changes."""

    @property
    def measures(self) -> Measures:
        """Figures of the key."""

    @property
    def changes(self) -> float:
        """Amount of change from the present key."""


One = TypeVar("One", bound=RankedCandidate)


def rank_candidates(candidates: Sequence[One]) -> list[One]:
    """Return candidates best first; within a quarter of a doubling fewest changes, then original order."""
    # Quarters of a doubling are within what coarse figures err by, so changes decide there.
    return sorted(candidates, key=lambda candidate: round(candidate.measures.score * 4) / 4 + 0.05 * candidate.changes)


def drop_dominated(candidates: Sequence[One], present: One | None = None) -> list[One]:
    """Those that no other, nor the present key, beats: as good in every figure, and better or with fewer changes.

    Of keys that are alike in all of it the first one stays.
    """
    every = [*([present] if present is not None else []), *candidates]
    places = {id(candidate): place for place, candidate in enumerate(every)}

    def beaten(candidate: One) -> bool:
        return any(
            # Figures are alike within 5 %, so two keys can dominate each other; without the second condition both
            # would be dropped.
            _dominates(other, candidate)
            and (not _dominates(candidate, other) or places[id(other)] < places[id(candidate)])
            for other in every
            if other is not candidate
        )

    return [candidate for candidate in candidates if not beaten(candidate)]


def _dominates(candidate: RankedCandidate, other: RankedCandidate) -> bool:
    figures = list(zip(_figures(candidate.measures), _figures(other.measures), strict=True))
    if any(mine > ALIKE * theirs for mine, theirs in figures):
        return False
    return candidate.changes <= other.changes or any(ALIKE * mine < theirs for mine, theirs in figures)


def _figures(m: Measures) -> tuple[float, ...]:
    """Return the figures that are compared, lower is better; negligible values become equal."""
    return (
        float(m.errors),
        float(m.warnings),
        max(m.burden or 0.0, 0.05),
        max(m.node_share or 0.0, 0.05),
        float(m.cost or 0),
        max(m.largest_bytes or 0.0, m.small_bytes),
        float(m.personal_first),
        *(max(read.waste_factor, 2.0) * max(read.ranges, 1.0) for read in m.reads),
    )


def is_bearable(measures: Measures, present: Measures) -> bool:
    """Return whether the key is at least a trade-off."""
    return measures.score <= present.score + BEARABLE


def is_better(measures: Measures, present: Measures) -> bool:
    """Return whether the key is measurably better."""
    return measures.score <= present.score - WORTH and measures.errors <= present.errors
