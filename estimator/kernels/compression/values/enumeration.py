"""One of a few listed values, the first ones far more common than the last."""

import numpy as np

from estimator.results.arrays import Ints

from .words import letters_text

COUNT = 12
"""Different values: a status, a category, a country. A guess."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Return values drawn from the list by Zipf's law, each in its requested length."""
    longest = int(sizes.max(initial=0))
    texts = [letters_text(column, longest) for _ in range(COUNT)]
    weight = 1 / np.arange(1, COUNT + 1)
    chosen = rng.choice(COUNT, len(sizes), p=weight / weight.sum())
    return [texts[place][:size] for place, size in zip(chosen.tolist(), sizes.tolist(), strict=True)]
