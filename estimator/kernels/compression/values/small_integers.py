"""Small whole numbers as decimal text: ages, scores, levels. Low ones are more common."""

import numpy as np

from estimator.results.arrays import Ints


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Numbers of so many digits; the square of an even chance makes low ones common."""
    # Digits of an int64: longer ones have zeros in front.
    least = np.where(sizes > 1, 10.0 ** (np.minimum(sizes, 18) - 1), 0.0)
    numbers = least + rng.random(len(sizes)) ** 2 * (10.0 ** np.minimum(sizes, 18) - least)
    return [
        (b"%d" % number).zfill(size)[:size]
        for number, size in zip(numbers.astype(np.int64), sizes.tolist(), strict=True)
    ]
