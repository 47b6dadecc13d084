"""Believable cell values, one kind a file: what they look like decides how well blocks of them compress."""

from collections.abc import Callable, Mapping

import numpy as np

from estimator.results.arrays import Ints

from . import empty, enumeration, floats, integer, json, protobuf, random, small_integers, text
from .sizes import draw_sizes

Make = Callable[[np.random.Generator, np.random.Generator, Ints], list[bytes]]

KINDS: Mapping[str, Make] = {
    "empty": empty.values,
    "enumeration": enumeration.values,
    "float": floats.values,
    "integer": integer.values,
    "json": json.values,
    "protobuf": protobuf.values,
    "random": random.values,
    "small_integers": small_integers.values,
    "text": text.values,
}
"""By the spec's kinds of value. Each makes values of the sizes asked for: `(column, rng, sizes_bytes)`, where `column`
draws what all cells of a column share (member names, tags, the listed values) and `rng` what differs."""


def stream(*seed: int) -> np.random.Generator:
    """Random numbers that are the same on any machine."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))


def make_values(
    kind: str, count: int, *, typical_bytes: float, max_bytes: float, seed: int, part: int = 0
) -> list[bytes]:
    """`count` values of a column; `seed` is the column's, `part` tells further values of the same column apart."""
    rng = stream(seed, part, 1)
    return KINDS[kind](stream(seed), rng, draw_sizes(rng, count, typical_bytes, max_bytes))


__all__ = ["KINDS", "draw_sizes", "make_values", "stream"]
