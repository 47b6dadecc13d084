"""Runs of whole numbers written as digits."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimator.kernels.keys.patterns.times import TimeSteps
from estimator.kernels.keys.rendering.digits import Digits
from estimator.kernels.keys.rendering.texts import Texts, concatenate, numerals, write_numerals
from estimator.results.arrays import Bytes, Ints

from .group import write_texts


@dataclass(frozen=True, eq=False)
class NumberGroup:
    """Whole numbers written as digits: epochs, sequences (`steps`), or a field's own number."""

    part: tuple[int, int]
    digits: Digits
    low: int
    size: int
    steps: TimeSteps | None = None

    @cached_property
    def width(self) -> int:
        """See `SegmentGroup`."""
        return max(len(self.digits.text(number)) for a, b in self._blocks for number in (a, b - 1))

    @property
    def has_varying_length(self) -> bool:
        """See `SegmentGroup`."""
        return len(self._blocks) > 1 or (self.low < 0 and not self.digits.raw_bytes)

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        return list(self.digits.blocks(self.low, self.low + self.size))

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """See `SegmentGroup`."""
        digits = self.digits
        if digits.raw_bytes or len(self._blocks) > 1 or self.low < 0:
            return write_texts(self.texts(ranks), out, at)
        first = at + len(digits.before)
        size = self.width - len(digits.before) - len(digits.after)
        out[:, at:first] = np.frombuffer(digits.before, np.uint8)
        numbers = (ranks + self.low).view(np.uint64)
        write_numerals(out, numbers, first, size, notation=digits.notation)
        out[:, first + size : at + self.width] = np.frombuffer(digits.after, np.uint8)
        return None

    def ranks(self, draws: Ints) -> Ints:
        """See `SegmentGroup`."""
        if self.steps is None:
            return draws - self.low
        numbers = self.steps.numbers(draws)
        if self.steps.top is None:
            numbers -= self.low
            return numbers
        return np.subtract(self.steps.top - self.low, numbers, out=numbers)

    def texts(self, ranks: Ints) -> Texts:
        """See `SegmentGroup`."""
        return number_texts(self.digits, ranks + self.low)

    def locate(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """See `SegmentGroup`."""
        spans, hits = self.digits.split(self.low, self.low + self.size, rest)
        if hits:
            number = hits[0][0]
            if self.steps is not None:
                number = number if self.steps.top is None else self.steps.top - number
                # Later segments of the same time, such as the hour behind a day number, are located within this step
                # only.
                state[self.part[0]] = self.steps.first_us(number), self.steps.first_us(number + 1)
            return hits[0][0] - self.low, hits[0][2]
        # There is one span at most: bounds are located only in codecs that sort, whose numbers are of one length.
        return (spans[0][1] - self.low if spans else 0), -1


def number_texts(digits: Digits, numbers: Ints) -> Texts:
    """`Digits.text` of many numbers."""
    if digits.raw_bytes:
        whole = (numbers.view(np.uint64) ^ np.uint64(digits.raw_base)).astype(">u8")  # the base is none, or the sign
        body = Texts.from_fixed(whole.view(np.uint8).reshape(-1, 8)[:, 8 - digits.raw_bytes :])
    else:
        body = numerals(numbers, digits.width, digits.notation)
    ends = [Texts.constant(text, len(numbers)) for text in (digits.before, digits.after)]
    return concatenate([part for part in (ends[0], body, ends[1]) if part.data.shape[1]])
