"""Runs of places of a uniform text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from estimator.kernels.keys.patterns.pattern import Level
from estimator.kernels.keys.patterns.uniform import UniformText
from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Bytes, Ints

from .group import SegmentGroup, write_texts


@dataclass(frozen=True, eq=False)
class LetterGroup:
    """Some places of a uniform text."""

    part: tuple[int, int]
    letters: tuple[bytes, ...]
    after: bytes
    size: int

    @property
    def width(self) -> int:
        """See `SegmentGroup`."""
        return len(self.letters) + len(self.after)

    has_varying_length = False

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """See `SegmentGroup`."""
        return write_texts(self.texts(ranks), out, at)

    def ranks(self, draws: Ints) -> Ints:
        """See `SegmentGroup`."""
        return draws

    def texts(self, ranks: Ints) -> Texts:
        """See `SegmentGroup`."""
        data = np.empty((len(ranks), len(self.letters) + len(self.after)), dtype=np.uint8)
        data[:, len(self.letters) :] = np.frombuffer(self.after, np.uint8)
        rest = ranks.view(np.uint64)
        for place in range(len(self.letters) - 1, -1, -1):
            count = np.uint64(len(self.letters[place]))
            above = rest // count
            data[:, place] = np.frombuffer(self.letters[place], np.uint8)[(rest - above * count).view(np.int64)]
            rest = above
        return Texts.from_fixed(data)

    def locate(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """See `SegmentGroup`."""
        rank = 0
        radix = self.size
        for place, letters in enumerate(self.letters):
            radix //= len(letters)
            if place >= len(rest):
                return rank, -1
            # Each lower letter in this place stands before `radix` texts, one per combination of the places behind it.
            rank += radix * sum(letter < rest[place] for letter in letters)
            if rest[place] not in letters:
                return rank, -1
        behind = rest[len(self.letters) :]
        if behind.startswith(self.after):
            return rank, len(self.letters) + len(self.after)
        return rank + (self.after < behind), -1


def letter_groups(level: Level, letters: UniformText) -> list[SegmentGroup]:
    """Places of a uniform text in parts that each fit a word."""
    parts: list[list[bytes]] = [[]]
    for place in letters.places:
        # Ranks are int64, and a SHA-256 in hexadecimal has 2^256 texts.
        if parts[-1] and _product(parts[-1]) * len(place) >= 1 << 60:
            parts.append([])
        parts[-1].append(place)
    return [
        LetterGroup((level.component, n), tuple(part), letters.after if n == len(parts) - 1 else b"", _product(part))
        for n, part in enumerate(parts)
    ]


def _product(letters: Sequence[bytes]) -> int:
    total = 1
    for place in letters:
        total *= len(place)
    return total
