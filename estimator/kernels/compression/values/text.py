"""Natural text: words as frequent as they are in a language, with commas and full stops."""

import numpy as np

from estimator.results.arrays import Ints

from .sizes import split_at_sizes
from .words import MEAN_BYTES, SHARES_BELOW, WORDS

SENTENCE_WORDS = 14
"""Mean length of a sentence."""


FILLER_BYTES = 256 << 10
"""Text that fills what is left of values: four blocks of it, so that no block meets a piece twice."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """One long text, cut where a value is full."""
    return split_at_sizes(running_text(rng, int(sizes.sum())), sizes)


def running_text(rng: np.random.Generator, size_bytes: int) -> bytes:
    """Text of exactly so many bytes."""
    text = b""
    while len(text) < size_bytes:
        # A little more than the mean takes, so that one round mostly does.
        text += _draw_words(rng, int((size_bytes - len(text)) / MEAN_BYTES * 1.05) + 32)
    return text[:size_bytes]


class Filler:
    """Text handed out in pieces, to values of these sizes."""

    def __init__(self, rng: np.random.Generator, sizes: Ints) -> None:
        largest = max(FILLER_BYTES, int(sizes.max(initial=0)))
        self._text = running_text(rng, min(largest, int(sizes.sum())))
        self._at = 0

    def take(self, size_bytes: int) -> bytes:
        """Return the next `size_bytes` bytes."""
        if self._at + size_bytes > len(self._text):
            self._at = 0
        self._at += size_bytes
        return self._text[self._at - size_bytes : self._at]


def _draw_words(rng: np.random.Generator, words: int) -> bytes:
    chosen = np.minimum(np.searchsorted(SHARES_BELOW, rng.random(words), side="right"), len(WORDS) - 1)
    after = rng.choice(np.array([0, 1, 2]), words, p=[1 - 2 / SENTENCE_WORDS, 1 / SENTENCE_WORDS, 1 / SENTENCE_WORDS])
    ends = (b" ", b", ", b". ")
    return b"".join(
        part for word, end in zip(chosen.tolist(), after.tolist(), strict=True) for part in (WORDS[word], ends[end])
    )
