"""Pairs of keys that show what a delimiter does: two tuples that render alike, or that sort in a surprising order."""

from estimator.results import Witness

from .pattern import Pattern


def ambiguous(pattern: Pattern) -> Witness | None:
    """Two different tuples that render to one key."""
    return None


def disordered(pattern: Pattern) -> tuple[Witness, ...]:
    """Per delimiter at most one pair whose tuple order and key order differ."""
    return ()
